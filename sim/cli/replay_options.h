/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that every replaying command has.
 */
#ifndef BALLAST_REPLAY_OPTIONS_H
#define BALLAST_REPLAY_OPTIONS_H

#include "cli/options.h"
#include "replay/session.h"

enum { REPLAY_MAX_SETTINGS = 16, REPLAY_OWN_SETTINGS = 4 /* of commands, beside those of --set */ };

typedef struct replay_options {
    const block *blocks[LOCKSTEP_MAX_BLOCKS + 1];
    fault faults[LOCKSTEP_MAX_FAULTS];
    unsigned num_faults;
    int sm; /* -1: all that the recording has */
    uint32_t seed;
    uint64_t max_cycles;
    unsigned history;
    const char *settings[REPLAY_MAX_SETTINGS + REPLAY_OWN_SETTINGS]; /* "block.input=value" */
    unsigned num_settings;
    const char *tracks[SESSION_MAX_TRACKS]; /* outputs of the controller to follow */
    unsigned num_tracks;
    bool chip; /* blocks may see a chip's SMs, not only one */
    bool wave;
    wave_extent extent; /* of the waveform */
    bool print_log;
    const char *state;
    const char *out; /* directory for logs, waveforms, explanations */
    const char *told; /* what it will be called when all is written; NULL: out */
} replay_options;

extern const option_row replay_rows[]; /* of a replay_options */
/* Of a row like that of --block. */
void option_blocks(void *member, char *names, const struct argp_state *state);
/* Adds the blocks that others need. What cannot go together ends the program with one line. */
void replay_check(replay_options *options, const struct argp_state *state);
/* The block, after all that it needs; nothing if it is there. */
void replay_add_block(replay_options *options, const block *b);

/* All base blocks with one instance per SM. */
void replay_options_default(replay_options *options);
/* Perf-Sat and what it needs, the chip: instead of these. */
void replay_options_perfsat(replay_options *options);
void replay_options_chip(replay_options *options);
/* How many SMs the blocks see: those of the chip, if there is one among them, else 1. */
unsigned replay_num_sms(const replay_options *options);
/* The least value of this parameter among the blocks that have it. */
unsigned replay_param(const replay_options *options, const char *name, unsigned fallback);
/* Takes the output directory (files/out_dir.h), looks at the file of --state and takes Ctrl-C from here on. False with a line on
 * stderr if that fails. */
bool replay_begin(const replay_options *options);
/* What the options say of a session; the caller adds the paths. */
void replay_session_options(const replay_options *options, unsigned sm, const trace_meta *meta,
                            session_options *session);
/* What its files will be called when all is written. */
static inline const char *replay_told(const replay_options *options)
{
    return options->told ? options->told : options->out;
}
/* A run that a command ends after so many cycles (0: never), unless --max-cycles ends it before. */
static inline uint64_t replay_at_most(const replay_options *options, uint64_t cycles)
{
    return options->max_cycles && (!cycles || options->max_cycles < cycles) ? options->max_cycles : cycles;
}
int replay_exit_status(enum session_verdict verdict);

#endif
