/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast info`: what is in a trace, and whether it is intact.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "recording/csv.h"
#include "recording/trace.h"

typedef struct info_command {
    trace_open_options open;
    bool verify, csv, headed;
} info_command;

static uint64_t total_cycles(const trace_reader *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        sum += trace_get_sm(r, i)->cycles;
    return sum;
}

/* ---- for scripts ---------------------------------------------------------------- */

static void print_csv_header(void)
{
    printf("file,kernel,config,recorder,limit,sms,cycles,launches,bytes\n");
}

static void print_csv(const char *path, const trace_reader *r)
{
    const trace_meta *m = trace_get_meta(r);
    const char *const texts[] = {path, m->kernel, m->config, m->recorder};

    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        csv_put(stdout, texts[i]);
        putchar(',');
    }
    printf("%u,", m->config_limit);
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        printf("%s%u", i ? " " : "", trace_get_sm(r, i)->sm);
    printf(",%" PRIu64 ",%u,%" PRIu64 "\n", total_cycles(r), m->num_launches, trace_file_bytes(r));
}

/* ---- for readers ---------------------------------------------------------------- */

static void print_launch(const trace_launch *l, unsigned i)
{
    const ballast_kernel_desc *d = &l->desc;
    printf("  launch %-4u cycle %" PRIu64 ", %s, %u CTAs of %u threads (%u warps), %u registers, "
           "%u bytes shared, Nmax %u, limit %u",
           i, l->start_cycle, l->name, d->grid_ctas, d->threads_per_cta, d->warps_per_cta,
           d->regs_per_thread, d->smem_per_cta, d->nmax, l->limit);
    if (d->grid_x)
        printf(", 2-D grid with %u CTAs in a row", d->grid_x);
    else if (d->is_2d)
        printf(", 2-D grid");
    putchar('\n');
}

static void print_sm(const trace_sm_info *s)
{
    printf("  SM %-8u %" PRIu64 " cycles from %" PRIu64 ", %" PRIu64 " instructions, %" PRIu64
           " CTAs finished\n", s->sm, s->cycles, s->first_cycle, s->instructions, s->ctas_done);
}

static void print_text(const char *label, const char *text)
{
    if (*text)
        printf("  %-11s %s\n", label, text);
}

static void print_info(const char *path, const trace_reader *r)
{
    const trace_meta *m = trace_get_meta(r);
    const trace_geometry *g = &m->geometry;
    const uint64_t cycles = total_cycles(r);
    printf("%s\n", path);
    print_text("kernel", m->kernel);
    print_text("config", m->config);
    print_text("recorder", m->recorder);
    if (m->config_limit)
        printf("  %-11s %u CTAs per SM\n", "configured", m->config_limit);
    printf("  %-11s %u warp slots and %u CTA slots per SM, %u SMs, issue width %u\n", "geometry",
           g->warps, g->slots, g->sms, g->issue_width);
    printf("  %-11s %" PRIu64 " bytes, %u frames, %" PRIu64 " SM cycles, %.3f bytes per cycle%s\n",
           "file", trace_file_bytes(r), trace_num_frames(r), cycles,
           (double)trace_file_bytes(r) / (double)cycles,
           trace_has_class(r) ? ", with the recorder's classes" : "");
    for (unsigned i = 0; i < m->num_launches; i++)
        print_launch(&m->launches[i], i + 1); /* as 'ballast family --launch' counts */
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        print_sm(trace_get_sm(r, i));
}

/* ---- --verify ------------------------------------------------------------------- */

static bool verify(trace_reader *r, trace_err *err)
{
    bool ok = true;
    uint8_t cls;

    for (unsigned i = 0; ok && i < trace_num_sms(r); i++) {
        ok = trace_select_sm(r, trace_get_sm(r, i)->sm, err);
        while (ok && trace_next(r, err))
            ok = trace_recorded_class(r, &cls, err);
        ok = ok && !err->text[0];
    }
    return ok;
}

/* --------------------------------------------------------------------------------- */

static int show(void *user, const char *path)
{
    info_command *command = user;
    trace_err err = {.text = ""};
    trace_reader *r = trace_open(path, &command->open, &err);
    int status = EXIT_PASS;

    if (!r)
        return complain("%s", err.text);
    if (err.text[0]) /* salvaged: what follows is the part before the damage */
        status = complain("%s", err.text);
    if (command->csv && !command->headed)
        print_csv_header();
    command->headed = true;
    (command->csv ? print_csv : print_info)(path, r);
    if (command->verify && !verify(r, &err))
        status = complain("%s", err.text);
    else if (command->verify && !command->csv)
        printf("  %-11s all %u frames are intact\n", "verified", trace_num_frames(r));
    trace_close(r);
    return status;
}

int cmd_info(int argc, char **argv)
{
    static const option_row rows[] = {
        {"verify", 'v', NULL, "Decode every cycle and check every frame", MEMBER(info_command, verify)},
        {"salvage", 's', NULL, "Accept a damaged file as far as it is intact", MEMBER(info_command, open.salvage)},
        {"csv", 'c', NULL, "CSV with a header: one line per file, for scripts", MEMBER(info_command, csv)},
        {0}};
    static const command_line line = {
        .examples = {"info vectors/pathfinder.n3.blt", "info --verify vectors/pathfinder.n3.blt"},
        .rows = rows, .args_doc = "FILE...", .file = "recording", .example = "vectors/pathfinder.n3.blt",
        .doc = "Prints what is in recorded SM activity traces: kernel, launches, SMs, cycles."
               "\vExit status: 0, or 3 when a file is damaged (also when --salvage accepts it)."};
    info_command command = {.verify = false};
    const arguments files = command_parse(&line, argc, argv, &command);

    return each_file(&files, show, &command);
}
