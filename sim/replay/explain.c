/* SPDX-License-Identifier: Apache-2.0
 *
 * A run is deterministic, so the first, fast pass only has to find the cycle. The explanation
 * plays it again and looks closely at the window around that cycle.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/paste.h"
#include "replay/session_private.h"
#include "wave/wave.h"

enum { CYCLES_SHOWN = 24, CYCLES_AFTER = 16 };

typedef struct close_look {
    const lockstep *ls;
    recorder recorder;
    bool recording;
    wave *wave;
} close_look;

static void on_cycle(void *self, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    close_look *look = self;

    if (look->recording)
        recorder_add(&look->recorder, ls, obs, cycle);
    if (look->wave)
        wave_cycle(look->wave, ls, cycle);
}

static void on_decision(void *self, enum lockstep_side side, const block *blk, uint64_t cycle,
                        const struct decisions *list)
{
    const close_look *look = self;

    (void)cycle;
    if (look->wave)
        wave_decided(look->wave, look->ls, side, blk, list);
}

static bool play_one(lockstep *ls, const stimulus *s)
{
    const sm_obs *const *obs = lockstep_next(ls, s);

    if (obs)
        lockstep_cycle_all(ls, obs, s->cycle(s->self));
    return obs != NULL;
}

static void play_until(lockstep *ls, const stimulus *s, uint64_t index)
{
    while (ls->index < index && play_one(ls, s))
        ;
}

/* The cycles after the difference show where it leads. They leave the recorder alone. */
static void play_on(lockstep *ls, const stimulus *s, close_look *look)
{
    look->recording = false;
    for (int i = 0; i < CYCLES_AFTER && play_one(ls, s); i++)
        ;
}

static void print_waveform(const session_options *options, const lockstep *ls, FILE *out)
{
    const uint64_t at = ls->mismatch.index;
    const wave_range range = {.first = at > CYCLES_SHOWN ? at - CYCLES_SHOWN : 0,
                              .last = at + CYCLES_AFTER,
                              /* a register shows its new value from the next cycle on */
                              .marker = at + (ls->mismatch.port && ls->mismatch.port->kind == PORT_REG)};
    char fst[4096], save[4096];

    snprintf(fst, sizeof fst, "%s.fst", options->explain_prefix);
    snprintf(save, sizeof save, "%s.gtkw", options->explain_prefix);
    if (!wave_save_mismatch(save, fst, ls, &range))
        return;
    fprintf(out, "\nWaveform of the window, both sides (time is the cycle of the run):\n  gtkwave");
    paste_word(out, fst, "");
    paste_word(out, save, "");
    fprintf(out, "\n");
}

void explain(const session_options *options, const stimulus *s, uint64_t index, FILE *out)
{
    const uint64_t first = index >= RECORDER_CYCLES ? index - RECORDER_CYCLES + 1 : 0;
    lockstep *ls = calloc(1, sizeof *ls);
    close_look *look = calloc(1, sizeof *look);
    char path[4096], err[512] = "";

    if (!ls || !look || session_open(ls, options, err, sizeof err) != SESSION_PASS ||
        !recorder_open(&look->recorder, ls) || !s->rewind(s->self)) {
        fprintf(out, "cannot rerun for an explanation: %s%s\n", err, s->error(s->self));
        if (ls)
            lockstep_close(ls);
        if (look)
            recorder_close(&look->recorder);
        free(look);
        free(ls);
        return;
    }
    snprintf(path, sizeof path, "%s.fst", options->explain_prefix);
    look->ls = ls;
    look->wave = wave_open(path, ls, &(wave_extent){.first = first, .last = UINT64_MAX}, err, sizeof err);
    /* From the beginning: decisions are counted, and the last one before the window stands at its beginning. */
    ls->observer = (lockstep_observer){look, on_cycle, on_decision};
    play_until(ls, s, first);
    look->recording = true;
    ls->careful = true;
    play_until(ls, s, index + 1);
    if (!ls->mismatch.found) {
        fprintf(out, "the difference in cycle %" PRIu64 " did not come back in a rerun: something outside "
                     "the recording changes the result (uninitialised or overwritten memory?)\n", index);
    } else {
        report_mismatch(out, ls, &look->recorder, options->history);
        play_on(ls, s, look);
    }
    if (!look->wave || !wave_close(look->wave, ls))
        fprintf(out, "\nNo waveform: %s\n", look->wave ? strerror(errno) : err);
    else if (ls->mismatch.found)
        print_waveform(options, ls, out);
    if (ls->mismatch.found) {
        reproduce(options, ls, &look->recorder, out);
    }
    lockstep_close(ls);
    recorder_close(&look->recorder);
    free(look);
    free(ls);
}
