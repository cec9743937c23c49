/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast agree: how often stall_classifier's class is the one that the recorder itself noted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explained.h"
#include "common/class_names.h"
#include "sm/stall_classifier.h"
#include "recording/trace.h"

enum { CLASSES = 4 };

typedef struct agreement {
    uint64_t cycles[CLASSES][CLASSES]; /* [recorder][classifier] */
} agreement;

static stall_classifier_cfg config_for(const trace_meta *meta)
{
    stall_classifier_cfg cfg = stall_classifier_cfg_default();

    cfg.num_warps = meta->geometry.warps;
    return cfg;
}

static uint8_t classify(const stall_classifier_cfg *cfg, const sm_obs *obs)
{
    const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    stall_classifier_state state = {0};
    stall_classifier_out out;

    stall_classifier_step(&state, cfg, &in, &out);
    return out.ps_class;
}

/* Cycles for which the recorder noted no class are not counted. */
static bool count(trace_reader *reader, agreement *sum, trace_err *err)
{
    const stall_classifier_cfg cfg = config_for(trace_get_meta(reader));
    const sm_obs *obs;
    uint8_t recorded;

    for (unsigned i = 0; i < trace_num_sms(reader); i++) {
        if (!trace_select_sm(reader, trace_get_sm(reader, i)->sm, err))
            return false;
        while ((obs = trace_next(reader, err))) {
            if (!trace_recorded_class(reader, &recorded, err))
                return false;
            if (recorded < CLASSES)
                sum->cycles[recorded][classify(&cfg, obs)]++;
        }
        if (err->text[0])
            return false;
    }
    return true;
}

static void totals(const agreement *sum, uint64_t *all, uint64_t *equal)
{
    *all = *equal = 0;
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++) {
            *all += sum->cycles[r][c];
            *equal += r == c ? sum->cycles[r][c] : 0;
        }
}

static void print_row(const char *name, const agreement *sum)
{
    uint64_t all, equal;

    totals(sum, &all, &equal);
    printf("%-24s %10" PRIu64, name, all);
    for (int r = 0; r < CLASSES; r++) {
        uint64_t recorded = 0;

        for (int c = 0; c < CLASSES; c++)
            recorded += sum->cycles[r][c];
        printf(" %9.2f%%", all ? 100.0 * (double)recorded / (double)all : 0);
    }
    printf(" %10.4f%%\n", all ? 100.0 * (double)equal / (double)all : 0);
}

static void print_rest(const agreement *sum)
{
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            if (r != c && sum->cycles[r][c])
                printf("    recorder %s, classifier %s: %" PRIu64 " cycles\n", ps_class_names[r],
                       ps_class_names[c], sum->cycles[r][c]);
}

static int agree_file(const char *path, agreement *all)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    agreement sum = {{{0}}};
    char name[128];
    bool ok;

    if (!reader) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    ok = count(reader, &sum, &err);
    trace_close(reader);
    if (!ok) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    recording_name(name, sizeof name, path);
    print_row(name, &sum);
    print_rest(&sum);
    for (int r = 0; r < CLASSES; r++)
        for (int c = 0; c < CLASSES; c++)
            all->cycles[r][c] += sum.cycles[r][c];
    return EXIT_PASS;
}

int cmd_agree(int argc, char **argv)
{
    agreement all = {{{0}}};
    int worst = EXIT_PASS;

    if (argc > 1 && !strcmp(argv[1], "--help")) {
        printf("usage: %s RECORDING...\n", argv[0]);
        return EXIT_PASS;
    }
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "%s: %s%s; usage: %s RECORDING...\n", argv[0], argc < 2 ? "name a recording" : "no option ",
                argc < 2 ? "" : argv[1], argv[0]);
        return EXIT_USAGE;
    }
    printf("%-24s %10s", "recording", "cycles");
    for (int c = 0; c < CLASSES; c++)
        printf(" %10s", ps_class_names[c]);
    printf(" %11s\n", "agreement");
    for (int i = 1; i < argc; i++) {
        const int status = agree_file(argv[i], &all);

        worst = status > worst ? status : worst;
    }
    print_row("all", &all);
    return worst;
}
