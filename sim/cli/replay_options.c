/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "replay/interrupt.h"
#include "files/out_dir.h"
#include "replay/state_file.h"

enum { MEGABYTE = 1 << 20, MOST_MEGABYTES = 1 << 20 };

void option_blocks(void *member, char *names, const struct argp_state *state)
{
    const block **blocks = member;
    unsigned n = 0;
    char *rest = NULL;

    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        if (n == LOCKSTEP_MAX_BLOCKS)
            argp_failure(state, EXIT_USAGE, 0, "more than %d blocks", LOCKSTEP_MAX_BLOCKS);
        blocks[n] = block_find(name);
        if (!blocks[n])
            argp_failure(state, EXIT_USAGE, 0, "no block '%s' in this build; 'ballast blocks' lists them", name);
        for (unsigned i = 0; i < n; i++)
            if (blocks[i] == blocks[n])
                argp_failure(state, EXIT_USAGE, 0, "--block names %s twice", name);
        n++;
    }
    blocks[n] = NULL;
    if (n == 0)
        argp_failure(state, EXIT_USAGE, 0, "--block needs a name");
}

static unsigned param_of(const block *blk, const char *name, unsigned fallback)
{
    block_param params[BLOCK_MAX_PARAMS];
    lockstep_values cfg;
    char bad[64];

    blk->model->configure(&cfg, blk->params, bad, sizeof bad);
    for (unsigned p = 0, n = blk->model->list_params(&cfg, params, BLOCK_MAX_PARAMS); p < n; p++)
        if (!strcmp(params[p].name, name))
            return params[p].value;
    return fallback;
}

static unsigned sms_of(const block *blk)
{
    return blk->model->sees_all_sms ? param_of(blk, "NumSms", 1) : 1;
}

unsigned replay_param(const replay_options *o, const char *name, unsigned fallback)
{
    unsigned least = fallback;

    for (const block *const *b = o->blocks; *b; b++)
        if (param_of(*b, name, fallback) < least)
            least = param_of(*b, name, fallback);
    return least;
}

unsigned replay_num_sms(const replay_options *o)
{
    unsigned most = 1;

    for (const block *const *b = o->blocks; *b; b++)
        most = sms_of(*b) > most ? sms_of(*b) : most;
    return most;
}

/* One SM's bus is not enough for a chip, and chips of two sizes do not play together. */
static bool check_sms(const replay_options *o, char *err, size_t err_size)
{
    const unsigned most = replay_num_sms(o);

    for (const block *const *b = o->blocks; *b; b++) {
        const unsigned sms = sms_of(*b);

        if (sms > 1 && !o->chip)
            snprintf(err, err_size, "block %s sees %u SMs: replay it with 'ballast chip'", (*b)->name, sms);
        else if (sms > 1 && sms != most)
            snprintf(err, err_size, "block %s has %u SMs, another block %u: replay them one by one", (*b)->name, sms, most);
        else
            continue;
        return false;
    }
    return true;
}

/* One of the variants of a block is there. */
static bool has_block(const replay_options *o, const char *block_name)
{
    for (const block *const *b = o->blocks; *b; b++)
        if (!strcmp((*b)->model->block_name, block_name))
            return true;
    return false;
}

void replay_add_block(replay_options *o, const block *b)
{
    unsigned n = 0;

    for (const char *const *need = b->model->needs; *need; need++)
        if (!has_block(o, *need) && block_find(*need))
            replay_add_block(o, block_find(*need));
    while (o->blocks[n] && o->blocks[n] != b)
        n++;
    if (o->blocks[n])
        return;
    if (n < LOCKSTEP_MAX_BLOCKS) {
        o->blocks[n] = b;
        o->blocks[n + 1] = NULL;
    }
}

/* Those that --block leaves out, such as stall_classifier before perfsat. */
static void add_needs(replay_options *o)
{
    const block *named[LOCKSTEP_MAX_BLOCKS + 1];

    memcpy(named, o->blocks, sizeof named);
    o->blocks[0] = NULL;
    for (const block *const *b = named; *b; b++)
        replay_add_block(o, *b);
}

/* Opens the blocks with the faults and the registers to start from, as every replay will: what
 * is wrong with them is to be said once, not for every replay. */
static bool try_blocks(const replay_options *o, const char *initial_state, char *err, size_t err_size)
{
    lockstep *ls = calloc(1, sizeof *ls);
    bool ok = ls && check_sms(o, err, err_size) && lockstep_open(ls, o->blocks, 0, o->seed, err, err_size);

    if (!ls)
        snprintf(err, err_size, "out of memory");
    for (unsigned f = 0; ok && f < o->num_faults; f++)
        ok = lockstep_add_fault(ls, &o->faults[f], err, err_size);
    for (unsigned s = 0; ok && s < o->num_settings; s++)
        ok = lockstep_set(ls, o->settings[s], err, err_size);
    ok = ok && (!initial_state || state_file_load(initial_state, ls, err, err_size));
    if (ls)
        lockstep_close(ls);
    free(ls);
    return ok;
}

void replay_check(replay_options *o, const struct argp_state *state)
{
    char err[512];

    add_needs(o);
    if (o->extent.first > o->extent.last)
        argp_failure(state, EXIT_USAGE, 0, "--wave-from %llu is after --wave-to %llu", (unsigned long long)o->extent.first,
                     (unsigned long long)o->extent.last);
    if (!try_blocks(o, NULL, err, sizeof err))
        argp_failure(state, EXIT_USAGE, 0, "%s", err);
}

static void take_wave_from(void *member, char *arg, const struct argp_state *state)
{
    replay_options *o = member;

    o->wave = true;
    o->extent.first = option_number(state, "wave-from", arg, 0, UINT64_MAX - 1);
}

static void take_wave_to(void *member, char *arg, const struct argp_state *state)
{
    replay_options *o = member;

    o->wave = true;
    o->extent.last = option_number(state, "wave-to", arg, 0, UINT64_MAX - 1);
}

static void take_wave_limit(void *member, char *arg, const struct argp_state *state)
{
    *(uint64_t *)member = MEGABYTE * option_number(state, "wave-limit", arg, WAVE_LEAST_LIMIT_MB, MOST_MEGABYTES);
}

static void take_setting(void *member, char *arg, const struct argp_state *state)
{
    replay_options *o = member;

    if (o->num_settings == REPLAY_MAX_SETTINGS)
        argp_failure(state, EXIT_USAGE, 0, "more than %d settings", REPLAY_MAX_SETTINGS);
    o->settings[o->num_settings++] = arg;
}

static void take_fault(void *member, char *arg, const struct argp_state *state)
{
    replay_options *o = member;

    if (o->num_faults == LOCKSTEP_MAX_FAULTS)
        argp_failure(state, EXIT_USAGE, 0, "more than %d faults", LOCKSTEP_MAX_FAULTS);
    if (!fault_parse(&o->faults[o->num_faults++], arg))
        argp_failure(state, EXIT_USAGE, 0, "'%s' is not a fault; write e.g. rtl:perfsat.limit_q[2]@1234", arg);
}

/* Without a member: it goes into several. */
const option_row replay_rows[] = {
    {"block", 'b', "NAME[,NAME...]", "Blocks to run, with all that they need (default: all base blocks; see 'ballast blocks')",
     MEMBER(replay_options, blocks), .take = option_blocks},
    {"sm", 's', "N", "Replay this SM only (default: every recorded SM)", NUMBER(replay_options, sm, 0, TRACE_MAX_SMS - 1)},
    {"out", 'o', "DIR", "Write logs, waveforms and explanations here (default build/out)", MEMBER(replay_options, out)},
    {"wave", 0, NULL, "Write a waveform of the whole run", MEMBER(replay_options, wave)},
    {"wave-from", 0, "N", "Write a waveform from this cycle of the run on (from 0)", .take = take_wave_from},
    {"wave-to", 0, "N", "Write a waveform up to this cycle of the run", .take = take_wave_to},
    {"wave-limit", 0, "MB", "End a waveform when its file has this size (default 200)", MEMBER(replay_options, extent.limit),
     .take = take_wave_limit},
    {"log", 0, NULL, "Print the decisions", MEMBER(replay_options, print_log)},
    {"max-cycles", 0, "N", "Stop after N cycles, at least 1 (default: at the end)",
     NUMBER(replay_options, max_cycles, 1, UINT64_MAX)},
    {"history", 0, "N", "Cycles of inputs that a mismatch report shows (default 16, at most 64)",
     NUMBER(replay_options, history, 0, 64)},
    {"inject", 0, "FAULT", "Flip a bit, e.g. rtl:perfsat.limit_q[2]@1234 or model:... (cycle of the run, from 0)",
     .take = take_fault},
    {"set", 0, "BLOCK.INPUT=VALUE", "What software sets, e.g. sm_governor.policy=lcs ('ballast blocks' lists the settings)",
     .take = take_setting},
    {"state", 0, "FILE", "Start from these registers (made with a reproducer)", MEMBER(replay_options, state)},
    {"seed", 0, "N", "Seed of the random registers before reset (default 1)", NUMBER(replay_options, seed, 0, INT32_MAX)},
    {0}};

void replay_options_default(replay_options *o)
{
    unsigned n = 0;

    memset(o, 0, sizeof *o);
    for (const block *const *b = block_registry; *b; b++)
        if (!strcmp((*b)->name, (*b)->model->block_name) && !(*b)->model->per_chip)
            o->blocks[n++] = *b;
    o->sm = -1;
    o->extent = (wave_extent){.last = UINT64_MAX, .limit = (uint64_t)WAVE_DEFAULT_LIMIT_MB * MEGABYTE};
    o->seed = 1;
    o->history = 16;
    o->out = "build/out";
}

void replay_options_perfsat(replay_options *o)
{
    if (!block_find("perfsat")) /* a build with few blocks */
        return;
    o->blocks[0] = block_find("stall_classifier");
    o->blocks[1] = block_find("perfsat");
    o->blocks[2] = NULL;
}

/* The first chip of the build; there may be variants of it. */
void replay_options_chip(replay_options *o)
{
    const block *const *b = block_registry;

    while (*b && !(*b)->model->limit_stride)
        b++;
    o->blocks[0] = *b;
    o->blocks[1] = NULL;
    o->chip = true;
}

bool replay_begin(const replay_options *o)
{
    char err[OUT_DIR_ERR];

    if (o->state && !try_blocks(o, o->state, err, sizeof err))
        return complain("%s", err), false;
    interrupt_install();
    return out_dir_take(o->out, err) || (complain("%s", err), false);
}

void replay_session_options(const replay_options *o, unsigned sm, const trace_meta *meta,
                            session_options *session)
{
    *session = (session_options){
        .blocks = o->blocks,
        .sm = sm,
        .seed = o->seed,
        .faults = o->faults,
        .num_faults = o->num_faults,
        .settings = o->settings,
        .num_settings = o->num_settings,
        .tracks = o->tracks,
        .num_tracks = o->num_tracks,
        .max_cycles = o->max_cycles,
        .initial_state = o->state,
        .extent = &o->extent,
        .history = o->history,
        .program = program_invocation_name,
        .meta = meta,
    };
}

int replay_exit_status(enum session_verdict verdict)
{
    static const int statuses[] = {[SESSION_PASS] = EXIT_PASS, [SESSION_MISMATCH] = EXIT_MISMATCH,
                                   [SESSION_BAD_INPUT] = EXIT_BAD_INPUT, [SESSION_NO_FAULT] = EXIT_USAGE,
                                   [SESSION_STOPPED] = EXIT_STOPPED};

    return statuses[verdict];
}
