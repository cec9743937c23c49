/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast info`: what is in a trace, and whether it is intact.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "recording/trace.h"

static const struct argp_option options[] = {
    {"verify", 'v', 0, 0, "Decode every cycle and check every frame", 0},
    {"salvage", 's', 0, 0, "Accept a damaged file as far as it is intact", 0},
    {"csv", 'c', 0, 0, "One line per file, for scripts", 0},
    {0},
};

typedef struct arguments {
    trace_open_options open;
    bool verify, csv;
    bool failed;
    unsigned files;
} arguments;

static uint64_t total_cycles(const trace_reader *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        sum += trace_get_sm(r, i)->cycles;
    return sum;
}

/* ---- for scripts ---------------------------------------------------------------- */

static void csv_text(const char *s)
{
    const bool quote = strpbrk(s, ",\"") != NULL;
    if (quote)
        putchar('"');
    for (; *s; s++) {
        if (*s == '"')
            putchar('"');
        putchar(*s);
    }
    if (quote)
        putchar('"');
    putchar(',');
}

static void print_csv(const char *path, const trace_reader *r)
{
    const trace_meta *m = trace_get_meta(r);
    csv_text(path);
    csv_text(m->kernel);
    csv_text(m->config);
    csv_text(m->recorder);
    printf("%u,", m->config_limit);
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        printf("%s%u", i ? " " : "", trace_get_sm(r, i)->sm);
    printf(",%" PRIu64 ",%u,%" PRIu64 "\n", total_cycles(r), m->num_launches, trace_file_bytes(r));
}

/* ---- for readers ---------------------------------------------------------------- */

static void print_launch(const trace_launch *l, unsigned i)
{
    const kernel_desc *d = &l->desc;
    printf("  launch %-4u cycle %" PRIu64 ", %s, %u CTAs of %u threads (%u warps), %u registers, "
           "%u bytes shared, Nmax %u, limit %u%s\n",
           i, l->start_cycle, l->name, d->grid_ctas, d->threads_per_cta, d->warps_per_cta,
           d->regs_per_thread, d->smem_per_cta, d->nmax, l->limit, d->is_2d ? ", 2-D grid" : "");
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

static bool verify_sm(trace_reader *r, unsigned sm, trace_err *err)
{
    uint8_t cls;
    if (!trace_select_sm(r, sm, err))
        return false;
    while (trace_next(r, err))
        if (!trace_recorded_class(r, &cls, err))
            return false;
    return err->text[0] == '\0';
}

static bool verify(trace_reader *r, trace_err *err)
{
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        if (!verify_sm(r, trace_get_sm(r, i)->sm, err))
            return false;
    return true;
}

/* --------------------------------------------------------------------------------- */

static bool complain(const trace_err *err)
{
    fflush(stdout);
    fprintf(stderr, "ballast: %s\n", err->text);
    return false;
}

static bool show(const arguments *a, const char *path)
{
    trace_err err;
    trace_reader *r = trace_open(path, &a->open, &err);
    if (!r)
        return complain(&err);
    bool ok = true;
    if (err.text[0]) /* salvaged: what follows is the part before the damage */
        ok = complain(&err);
    if (a->csv)
        print_csv(path, r);
    else
        print_info(path, r);
    if (a->verify && !verify(r, &err))
        ok = complain(&err);
    else if (a->verify && !a->csv)
        printf("  %-11s all %u frames are intact\n", "verified", trace_num_frames(r));
    trace_close(r);
    return ok;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'v': a->verify = true; break;
    case 's': a->open.salvage = true; break;
    case 'c': a->csv = true; break;
    case ARGP_KEY_ARGS:
        for (int i = state->next; i < state->argc; i++)
            a->failed |= !show(a, state->argv[i]);
        a->files = (unsigned)(state->argc - state->next);
        break;
    case ARGP_KEY_ARG: return ARGP_ERR_UNKNOWN; /* take them all at once, after the options */
    default: (void)arg; return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int cmd_info(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE...",
        .doc = "Prints what is in recorded SM activity traces: kernel, launches, SMs, cycles."
               "\vExit status: 0, or 3 when a file is damaged (also when --salvage accepts it).",
    };
    arguments a = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (a.files == 0) {
        fprintf(stderr, "ballast: info: no file; see ballast info --help\n");
        return EXIT_USAGE;
    }
    return a.failed ? EXIT_BAD_INPUT : EXIT_PASS;
}
