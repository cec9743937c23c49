/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast dispatch: how often gwde sends a CTA to the SM to which the recorder's own dispatcher sent it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/import_options.h"
#include "cli/say.h"
#include "recording/csv.h"

enum { NAME = 128 };

typedef struct dispatch_command {
    import_command import;
    bool csv, differences, by_kernel;
    uint8_t fill, advance;
    unsigned free_after;
    bool headed;
    unsigned files, rows, launches; /* launches: of all files */
    dispatch_counts all;
    char kernel[NAME];              /* the one whose recordings are being added up */
    unsigned kernel_launches;
    dispatch_counts kernel_sum;
} dispatch_command;

/* ---- options ---------------------------------------------------------------------- */

static const char *const fills[] = {"RR", "DF", NULL};
static const char *const advances[] = {"AFTER_GRANT", "EVERY_CYCLE", NULL};

static const option_row rows[] = {
    {"by-kernel", 'k', NULL, "A row for all recordings of a kernel that follow each other, e.g. fma.n1 and fma.n2", MEMBER(dispatch_command, by_kernel)},
    {"differences", 'd', NULL, "Name each CTA that gwde would have sent elsewhere", MEMBER(dispatch_command, differences)},
    {"csv", 'c', NULL, "CSV with a header: a line per launch of a kernel", MEMBER(dispatch_command, csv)},
    {.doc = "Readings of the papers (doc/blocks/gwde.md):"},
    {"fill", 0, "RR|DF", "Breadth first (default) or depth first: GWDE-A3", CHOICE(dispatch_command, fill, fills)},
    {"rr-advance", 0, "AFTER_GRANT|EVERY_CYCLE", "When the turn moves: GWDE-A1", CHOICE(dispatch_command, advance, advances)},
    {"free-after", 0, "N", "Cycles from the end of a CTA to the first launch that may use its room (default 1; 3 for recordings of 'ballast sim')",
     NUMBER(dispatch_command, free_after, 1, 1000)},
    IMPORT_MACHINE_ROWS,
    {0}};

static dispatch_how how_of(const dispatch_command *command, const cta_list *list)
{
    gwde_cfg cfg = dispatch_gwde(&command->import.how.resources, &list->geometry);

    cfg.fill = command->fill;
    cfg.rr_advance = command->advance;
    return (dispatch_how){.cfg = cfg, .free_after = command->free_after};
}

/* ---- what is printed -------------------------------------------------------------- */

static const char *const reasons[DISPATCH_KINDS] = {
    [DISPATCH_START] = "first CTA of a kernel: gwde begins with SM 0, the recorder goes on where it stood",
    [DISPATCH_LIMIT] = "gwde's account of the recorder's SM is at its limit",
    [DISPATCH_ROOM] = "no CTA fits on the recorder's SM by gwde's account",
    [DISPATCH_MORE] = "gwde's SM holds as many as the recorder allows, and one more fits by gwde's account",
    [DISPATCH_ONCE] = "gwde's SM has got a CTA in the same cycle",
    [DISPATCH_FRESH] = "gwde's SM has lost a CTA only a few cycles before",
    [DISPATCH_ORDER] = "the recorder passes over gwde's SM, which has been free for longer",
};

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_reason(uint64_t num, const char *why)
{
    if (num)
        printf("    %" PRIu64 ": %s\n", num, why);
}

static void print_row(dispatch_command *command, const char *name, unsigned launches, const dispatch_counts *sum)
{
    if (!command->headed)
        printf("%-24s %8s %8s %8s %11s %8s %7s\n", "recording", "launches", "CTAs", "same SM", "agreement", "later", "at most");
    command->headed = true;
    printf("%-24s %8u %8" PRIu64 " %8" PRIu64 " %10.4f%% %8" PRIu64 " %7" PRIu64 "\n", name, launches, sum->ctas, sum->kind[DISPATCH_SAME],
           share(sum->kind[DISPATCH_SAME], sum->ctas), sum->late, sum->latest);
    for (unsigned i = DISPATCH_SAME + 1; i < DISPATCH_KINDS; i++)
        print_reason(sum->kind[i], reasons[i]);
    print_reason(sum->other_slot, "the same SM, but another slot");
    print_reason(sum->other_cta, "another CTA of the grid");
    print_reason(sum->absent, "not launched: the recording ends before");
}

static void print_csv(dispatch_command *command, const char *name, const cta_list *list, const dispatch_counts *counts)
{
    if (!command->headed) {
        printf("recording,launch,kernel,grid,limit,ctas");
        for (unsigned i = 0; i < DISPATCH_KINDS; i++)
            printf(",%s", dispatch_kind_names[i]);
        printf(",other_slot,other_cta,later,latest\n");
    }
    command->headed = true;
    for (unsigned i = 0; i < list->num_launches; i++) {
        const dispatch_counts *sum = &counts[i];

        csv_put(stdout, name);
        printf(",%u,", i + 1);
        csv_put(stdout, list->launches[i].name);
        printf(",%u,%u,%" PRIu64, list->launches[i].desc.grid_ctas, list->launches[i].limit, sum->ctas);
        for (unsigned k = 0; k < DISPATCH_KINDS; k++)
            printf(",%" PRIu64, sum->kind[k]);
        printf(",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", sum->other_slot, sum->other_cta, sum->late, sum->latest);
    }
}

/* The recordings of a kernel are complete. */
static void end_kernel(dispatch_command *command)
{
    if (command->kernel_sum.ctas)
        print_row(command, command->kernel, command->kernel_launches, &command->kernel_sum);
    command->kernel_sum = (dispatch_counts){.ctas = 0};
    command->kernel_launches = 0;
}

static void print_difference(void *context, const dispatch_difference *d)
{
    const char *name = context;
    char chosen[32] = "nobody";

    if (d->sm != DISPATCH_NOBODY)
        snprintf(chosen, sizeof chosen, "SM %u", d->sm);
    printf("%s launch %u cycle %" PRIu64 ": CTA %u to SM %u slot %u, gwde's CTA %u to %s", name, d->recorder->launch + 1u, d->recorder->cycle,
           d->recorder->cta == CTA_UNKNOWN ? d->cta : d->recorder->cta, d->recorder->sm, d->recorder->slot, d->cta, chosen);
    if (d->kind == DISPATCH_SAME)
        printf(" slot %u", d->slot);
    printf(": %s\n", dispatch_kind_names[d->kind]);
}

/* ---- a recording ------------------------------------------------------------------ */

static void kernel_of(char kernel[NAME], const char *name)
{
    char *n;

    snprintf(kernel, NAME, "%s", name);
    n = strrchr(kernel, '.');
    if (n && n != kernel && n[1] == 'n')
        *n = '\0';
}

static void add_up(dispatch_command *command, const char *name, const cta_list *list, const dispatch_counts *counts)
{
    dispatch_counts sum = {.ctas = 0};
    char kernel[NAME];

    for (unsigned i = 0; i < list->num_launches; i++)
        dispatch_add(&sum, &counts[i]);
    dispatch_add(&command->all, &sum);
    command->launches += list->num_launches;
    kernel_of(kernel, name);
    if (strcmp(kernel, command->kernel) != 0)
        end_kernel(command);
    snprintf(command->kernel, sizeof command->kernel, "%s", kernel);
    dispatch_add(&command->kernel_sum, &sum);
    command->kernel_launches += list->num_launches;
    if (!command->by_kernel) {
        print_row(command, name, list->num_launches, &sum);
        command->kernel_sum.ctas = 0;
    }
}

static int compare_one(void *user, const char *path)
{
    dispatch_command *command = user;
    trace_err err = {.text = ""};
    dispatch_counts *counts;
    char name[NAME];
    cta_list list;
    dispatch_how how;
    int status;
    bool ok;

    recording_name(name, sizeof name, path);
    if (!dispatch_read(&list, &command->import.how, path, name, &status)) {
        cta_list_free(&list);
        return status;
    }
    how = how_of(command, &list);
    counts = calloc(list.num_launches + 1u, sizeof *counts);
    ok = counts && dispatch_compare(&list, &how, path, counts, command->differences ? print_difference : NULL, name, &err);
    if (ok) {
        command->files++;
        if (command->csv)
            print_csv(command, name, &list, counts);
        else
            add_up(command, name, &list, counts);
    }
    free(counts);
    cta_list_free(&list);
    return ok ? EXIT_PASS : complain("%s", err.text[0] ? err.text : "out of memory");
}

static void check(void *user, arguments *given, const struct argp_state *state)
{
    const dispatch_command *command = user;

    (void)given;
    if (command->csv && (command->by_kernel || command->differences))
        argp_failure(state, EXIT_USAGE, 0, "--csv has a line per launch and nothing else; leave --by-kernel and --differences out");
}

int cmd_dispatch(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"dispatch vectors/ctas/pathfinder.n3", "dispatch --by-kernel vectors/ctas/*.n*"},
        .rows = rows, .check = check, .args_doc = "RECORDING...", .file = "recording", .example = "vectors/ctas/pathfinder.n3",
        .doc = "How often gwde, the CTA dispatcher, sends a CTA to the SM to which the recorder's own dispatcher sent it, and why not "
               "(doc/use/dispatch.md)."
               "\vA recording is a folder with ker.csv and cta.csv (doc/use/import_raw.md), or a trace that has all SMs of its chip. "
               "A trace that has only some is left out, by name."};
    static dispatch_command command;
    arguments files;
    int status;

    command.free_after = 1;
    import_prepare(&command.import);
    files = command_parse(&line, argc, argv, &command);
    status = each_file(&files, compare_one, &command);
    if (!command.files && status == EXIT_PASS)
        status = EXIT_BAD_INPUT; /* all were left out, by name */
    if (!command.csv && command.files) {
        if (command.by_kernel)
            end_kernel(&command);
        print_row(&command, "all", command.launches, &command.all);
    }
    return status;
}
