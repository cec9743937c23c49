/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast agree: how often stall_classifier's class is the one that the recorder itself noted.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "common/class_names.h"
#include "recording/trace.h"
#include "sm/stall_classifier.h"

enum { CLASSES = 4 };

typedef struct agreement {
    uint64_t cycles[CLASSES][CLASSES]; /* [recorder][classifier] */
} agreement;

/* Of several recordings; one that cannot be read is in no sum. */
typedef struct agreements {
    agreement all;
    unsigned files;
} agreements;

static uint8_t classify(const stall_classifier_cfg *cfg, const sm_obs *obs)
{
    const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};

    return stall_classifier_of(cfg, &in).ps_class;
}

/* Cycles for which the recorder noted no class are not counted. */
static bool count(trace_reader *reader, agreement *sum, trace_err *err)
{
    stall_classifier_cfg cfg = stall_classifier_cfg_default();
    const sm_obs *obs;
    uint8_t recorded;
    bool ok = true;

    cfg.num_warps = trace_get_meta(reader)->geometry.warps;
    for (unsigned i = 0; ok && i < trace_num_sms(reader); i++) {
        ok = trace_select_sm(reader, trace_get_sm(reader, i)->sm, err);
        while (ok && (obs = trace_next(reader, err))) {
            ok = trace_recorded_class(reader, &recorded, err);
            if (ok && recorded < CLASSES)
                sum->cycles[recorded][classify(&cfg, obs)]++;
        }
        ok = ok && !err->text[0];
    }
    return ok;
}

static void print_row(const char *name, const agreement *sum)
{
    uint64_t all = 0, equal = 0, recorded[CLASSES] = {0};

    for (int r = 0; r < CLASSES; r++) {
        for (int c = 0; c < CLASSES; c++)
            recorded[r] += sum->cycles[r][c];
        all += recorded[r];
        equal += sum->cycles[r][r];
    }
    printf("%-24s %10" PRIu64, name, all);
    for (int r = 0; r < CLASSES; r++)
        printf(" %9.2f%%", all ? 100.0 * (double)recorded[r] / (double)all : 0);
    printf(" %10.4f%%\n", all ? 100.0 * (double)equal / (double)all : 0);
}

static void print_rest(const agreement *sum)
{
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            if (r != c && sum->cycles[r][c])
                printf("    recorder %s, classifier %s: %" PRIu64 " cycles\n", ballast_ps_class_names[r],
                       ballast_ps_class_names[c], sum->cycles[r][c]);
}

static void print_head(void)
{
    printf("%-24s %10s", "recording", "cycles");
    for (int c = 0; c < CLASSES; c++)
        printf(" %10s", ballast_ps_class_names[c]);
    printf(" %11s\n", "agreement");
}

static int agree_file(void *user, const char *path)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    agreements *sums = user;
    agreement *all = &sums->all, sum = {{{0}}};
    char name[128];
    bool ok;

    if (!reader)
        return complain("%s", err.text);
    ok = count(reader, &sum, &err);
    trace_close(reader);
    if (!ok)
        return complain("%s", err.text);
    recording_name(name, sizeof name, path);
    if (!sums->files++)
        print_head();
    print_row(name, &sum);
    print_rest(&sum);
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            all->cycles[r][c] += sum.cycles[r][c];
    return EXIT_PASS;
}

int cmd_agree(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"agree vectors/pathfinder.n3.blt"},
        .args_doc = "RECORDING...", .file = "recording", .example = "vectors/pathfinder.n3.blt",
        .doc = "How often stall_classifier's class of a cycle is the one that the recorder itself noted."};
    const arguments files = command_parse(&line, argc, argv, NULL);
    agreements sums = {.files = 0};
    const int status = each_file(&files, agree_file, &sums);

    if (sums.files)
        print_row("all", &sums.all);
    return status;
}
