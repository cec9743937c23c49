/* SPDX-License-Identifier: Apache-2.0
 *
 * The reproducer. Up to the difference both sides held the same registers, so a window that
 * starts from those registers fails just as the whole run does. With every register in the
 * port list a window of one cycle is enough; if the RTL remembers something that the list does
 * not have, the window grows until it fails again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/session_private.h"
#include "replay/state_file.h"

/* The window's own cycle numbers: 1, 2, ... with the launch in progress started at 0; for more
 * SMs than one see place_sms. */
enum { FIRST_CYCLE = 1 };

/* The faults that fall into the window, counted from its start. */
static unsigned shift_faults(const session_options *options, uint64_t start, fault *shifted)
{
    unsigned n = 0;

    for (unsigned f = 0; f < options->num_faults; f++) {
        if (options->faults[f].index < start)
            continue;
        shifted[n] = options->faults[f];
        shifted[n++].index -= start;
    }
    return n;
}

static bool fails_alike(const lockstep *ls, const lockstep *whole, unsigned cycles)
{
    const lockstep_mismatch *a = &ls->mismatch, *b = &whole->mismatch;

    return a->found && a->index == cycles - 1 &&
           a->instance - ls->instances == b->instance - whole->instances &&
           (a->port ? a->port - a->instance->ports.ports : -1) ==
               (b->port ? b->port - b->instance->ports.ports : -1) &&
           !strcmp(a->text, b->text);
}

static void play_recorded(lockstep *ls, const recorded_cycle *c)
{
    const sm_obs *obs[TRACE_MAX_SMS];

    for (unsigned sm = 0; sm < ls->num_sms; sm++)
        obs[sm] = &c->bus[sm].obs;
    lockstep_cycle_all(ls, obs, 0);
}

static bool window_fails(const session_options *options, const lockstep *whole, const recorder *r,
                         unsigned cycles)
{
    const recorded_cycle *start = recorder_get(r, cycles - 1);
    fault faults[LOCKSTEP_MAX_FAULTS];
    session_options window = *options;
    lockstep *ls = calloc(1, sizeof *ls);
    char err[512];
    bool fails;

    window.faults = faults;
    window.num_faults = shift_faults(options, start->index, faults);
    window.initial_state = NULL;
    if (!ls || session_open(ls, &window, err, sizeof err) != SESSION_PASS) {
        free(ls);
        return false;
    }
    for (unsigned i = 0; i < ls->num_instances; i++)
        lockstep_load(&ls->instances[i], recorder_before(r, cycles - 1, i));
    ls->careful = true;
    for (unsigned back = cycles; back-- > 0 && !ls->mismatch.found;)
        play_recorded(ls, recorder_get(r, back));
    fails = fails_alike(ls, whole, cycles);
    lockstep_close(ls);
    free(ls);
    return fails;
}

/* 0 when no recorded window fails. */
static unsigned shortest_window(const session_options *options, const lockstep *whole, const recorder *r)
{
    for (unsigned cycles = 1; cycles <= recorder_size(r); cycles++)
        if (window_fails(options, whole, r, cycles))
            return cycles;
    return 0;
}

static void add_launch(trace_meta *meta, const ballast_kernel_desc *desc, uint64_t start)
{
    trace_launch *launch = &meta->launches[meta->num_launches];

    if (meta->num_launches == TRACE_MAX_LAUNCHES)
        return; /* the writer will miss it */
    meta->num_launches++;
    *launch = (trace_launch){.desc = *desc, .limit = desc->nmax, .start_cycle = start};
    snprintf(launch->name, sizeof launch->name, "%s", meta->kernel);
}

static const sm_obs *window_cycle(const recorder *r, unsigned cycles, unsigned at, unsigned sm)
{
    return &recorder_get(r, cycles - 1 - at)->bus[sm].obs;
}

static bool write_sm(trace_writer *w, const recorder *r, unsigned cycles, unsigned sm, unsigned number,
                     uint64_t first, trace_err *err)
{
    for (unsigned at = 0; at < cycles; at++) {
        const sm_obs *obs = window_cycle(r, cycles, at, sm);

        /* A family replay goes from one recording to another between two cycles. */
        if ((!trace_writer_follows(w, number, obs) && !trace_writer_cut(w, number, err)) ||
            !trace_writer_cycle(w, number, first + at, obs, TRACE_NO_CLASS, err))
            return false;
    }
    return true;
}

/* The launches that an SM's stream needs which begins in cycle `first`. */
static void add_launches(trace_meta *meta, const recorder *r, unsigned cycles, unsigned sm, uint64_t first)
{
    const sm_obs *obs = window_cycle(r, cycles, 0, sm);

    if (!obs->kernel_start && obs->setup->kernel.nmax)
        add_launch(meta, &obs->setup->kernel, first - 1);
    for (unsigned at = 0; at < cycles; at++) {
        obs = window_cycle(r, cycles, at, sm);
        if (obs->kernel_start)
            add_launch(meta, &obs->setup->kernel, first + at);
    }
}

/* A file has one table of launches for all SMs, but those of a chip start their kernels in
 * different cycles. So every SM gets cycle numbers of its own, those without a kernel the ones
 * before the first launch; chip_begin_together brings them together again. */
static void place_sms(trace_meta *meta, const recorder *r, unsigned cycles, uint64_t *first)
{
    uint64_t next = FIRST_CYCLE;

    for (unsigned kernel = 0; kernel < 2; kernel++)
        for (unsigned sm = 0; sm < r->num_sms; sm++) {
            const sm_obs *obs = window_cycle(r, cycles, 0, sm);

            if ((obs->setup->kernel.nmax != 0) != kernel)
                continue;
            first[sm] = next;
            next += cycles + 1;
            add_launches(meta, r, cycles, sm, first[sm]);
        }
}

static bool write_window(const session_options *options, const recorder *r, unsigned cycles,
                         const char *path, trace_err *err)
{
    uint64_t first[TRACE_MAX_SMS] = {0};
    trace_meta meta = *options->meta;
    trace_writer *w;
    bool ok;

    if (meta.geometry.sms < r->num_sms)
        meta.geometry.sms = (uint16_t)r->num_sms;
    meta.num_launches = 0;
    meta.launches = calloc(TRACE_MAX_LAUNCHES, sizeof *meta.launches);
    if (!meta.launches) {
        snprintf(err->text, sizeof err->text, "out of memory");
        return false;
    }
    place_sms(&meta, r, cycles, first);
    w = trace_writer_open(path, &meta, err);
    free(meta.launches);
    ok = w != NULL;
    for (unsigned sm = 0; ok && sm < r->num_sms; sm++)
        ok = write_sm(w, r, cycles, sm, r->num_sms == 1 ? options->sm : sm, first[sm], err);
    if (w && !ok)
        trace_writer_abort(w);
    return ok && trace_writer_close(w, err);
}

static void print_rerun(const session_options *options, const recorder *r, unsigned cycles, FILE *out)
{
    fault faults[LOCKSTEP_MAX_FAULTS];
    const unsigned n = shift_faults(options, recorder_get(r, cycles - 1)->index, faults);

    fprintf(out, "\nReproducer: %u cycle%s from the registers before %s.\n ", cycles, cycles == 1 ? "" : "s",
            cycles == 1 ? "it" : "them");
    paste_word(out, options->program, "");
    fprintf(out, r->num_sms > 1 ? " chip --skew 0 --together --block " : " lockstep --block ");
    for (const block *const *b = options->blocks; *b; b++)
        fprintf(out, "%s%s", b == options->blocks ? "" : ",", (*b)->name);
    for (unsigned s = 0; s < options->num_settings; s++) {
        fprintf(out, " --set");
        paste_word(out, options->settings[s], "");
    }
    for (unsigned f = 0; f < n; f++) {
        char text[BLOCK_TEXT];

        fault_print(&faults[f], text, sizeof text);
        fprintf(out, " --inject");
        paste_word(out, text, "");
    }
    fprintf(out, " --state");
    paste_word(out, explain_told(options), ".state");
    paste_word(out, explain_told(options), ".blt");
    fprintf(out, "\n");
}

static bool save_registers(const char *path, const lockstep *ls, const recorder *r, unsigned cycles)
{
    const void *before[LOCKSTEP_MAX_BLOCKS];

    for (unsigned i = 0; i < ls->num_instances; i++)
        before[i] = recorder_before(r, cycles - 1, i);
    return state_file_save(path, ls, before);
}

void reproduce(const session_options *options, const lockstep *ls, const recorder *r, FILE *out)
{
    const unsigned cycles = shortest_window(options, ls, r);
    char trace_path[EXPLAIN_PATH], state_path[EXPLAIN_PATH];
    trace_err err = {.text = ""};

    if (!cycles) {
        fprintf(out, "\nNo window of up to %u cycles fails on its own: the RTL remembers something that is "
                     "not in the block's register list. Rerun the whole recording.\n", recorder_size(r));
        return;
    }
    if (!options->meta)
        return;
    if (!write_window(options, r, cycles, explain_file(trace_path, options, "blt"), &err))
        fprintf(out, "\nNo reproducer: %s\n", err.text);
    else if (!save_registers(explain_file(state_path, options, "state"), ls, r, cycles))
        fprintf(out, "\nNo reproducer: cannot write %s\n", state_path);
    else
        print_rerun(options, r, cycles, out);
}
