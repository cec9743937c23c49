/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that explain a mismatch: the report, a waveform of the window, a reproducer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/close_look.h"
#include "engine/mismatch_report.h"
#include "replay/session_private.h"
#include "wave/wave.h"

enum { CYCLES_SHOWN = 24, CYCLES_AFTER = 16 };

typedef struct waveform {
    const lockstep *ls;
    wave *wave;
} waveform;

static void on_cycle(void *self, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    (void)obs;
    wave_cycle(((waveform *)self)->wave, ls, cycle);
}

static void on_decision(void *self, enum lockstep_side side, const block *blk, uint64_t cycle,
                        const struct decisions *list)
{
    const waveform *w = self;

    (void)cycle;
    wave_decided(w->wave, w->ls, side, blk, list);
}

static void print_waveform(const session_options *options, const lockstep *ls, FILE *out)
{
    const uint64_t at = ls->mismatch.index;
    const wave_range range = {.first = at > CYCLES_SHOWN ? at - CYCLES_SHOWN : 0,
                              .last = at + CYCLES_AFTER, .end = at + CYCLES_AFTER,
                              /* a register shows its new value from the next cycle on */
                              .marker = at + (ls->mismatch.port && ls->mismatch.port->kind == PORT_REG)};
    char fst[EXPLAIN_PATH], save[EXPLAIN_PATH];

    if (!wave_save_mismatch(explain_file(save, options, "gtkw"), explain_file(fst, options, "fst"), ls, &range))
        return;
    fprintf(out, "\nWaveform of the window, both sides (time is the cycle of the run):\n  gtkwave");
    paste_word(out, explain_told(options), ".fst");
    paste_word(out, explain_told(options), ".gtkw");
    fprintf(out, "\n");
}

static void explain_played(const session_options *options, lockstep *ls, const stimulus *s, uint64_t index, close_look *look,
                           FILE *out)
{
    const wave_extent window = {.first = close_look_first(index), .last = UINT64_MAX};
    char path[EXPLAIN_PATH], err[512] = "";
    waveform w = {.ls = ls};

    w.wave = wave_open(explain_file(path, options, "fst"), ls, &window, err, sizeof err);
    if (w.wave)
        look->also = (lockstep_observer){&w, on_cycle, on_decision};
    if (close_look_play(look, ls, s, index)) {
        mismatch_report(out, ls, &look->recorder, options->history);
        close_look_go_on(ls, s, CYCLES_AFTER);
    } else {
        fprintf(out, "the difference in cycle %" PRIu64 " did not come back in a rerun: something outside "
                     "the recording changes the result (uninitialised or overwritten memory?)\n", index);
    }
    if (!w.wave || !wave_close(w.wave, ls))
        fprintf(out, "\nNo waveform: %s\n", w.wave ? strerror(errno) : err);
    else if (ls->mismatch.found)
        print_waveform(options, ls, out);
    if (ls->mismatch.found)
        reproduce(options, ls, &look->recorder, out);
}

void explain(const session_options *options, const stimulus *s, uint64_t index, FILE *out)
{
    lockstep *ls = calloc(1, sizeof *ls);
    close_look *look = calloc(1, sizeof *look);
    char err[512] = "";

    if (ls && look && session_open(ls, options, err, sizeof err) == SESSION_PASS && recorder_open(&look->recorder, ls) &&
        s->rewind(s->self))
        explain_played(options, ls, s, index, look, out);
    else
        fprintf(out, "cannot rerun for an explanation: %s%s\n", err, s->error(s->self));
    if (ls)
        lockstep_close(ls);
    if (look)
        recorder_close(&look->recorder);
    free(look);
    free(ls);
}
