/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replay_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "replay/state_file.h"

enum { KEY_INJECT = 0x100, KEY_STATE, KEY_MAX, KEY_HISTORY, KEY_SEED, KEY_LOG, KEY_WAVE, KEY_SET,
       KEY_WAVE_FROM, KEY_WAVE_TO, KEY_WAVE_LIMIT };

enum { MEGABYTE = 1 << 20, MOST_MEGABYTES = 1 << 20 };

static const struct argp_option options[] = {
    {"block", 'b', "NAME[,NAME...]", 0, "Blocks to run, each after those it needs (default: all base blocks; see 'ballast blocks')", 0},
    {"sm", 's', "N", 0, "Replay this SM only (default: every recorded SM)", 0},
    {"out", 'o', "DIR", 0, "Write logs, waveforms and explanations here (default build/out)", 0},
    {"wave", KEY_WAVE, 0, 0, "Write a waveform of the whole run", 0},
    {"wave-from", KEY_WAVE_FROM, "N", 0, "Write a waveform from this cycle of the run on (from 0)", 0},
    {"wave-to", KEY_WAVE_TO, "N", 0, "Write a waveform up to this cycle of the run", 0},
    {"wave-limit", KEY_WAVE_LIMIT, "MB", 0, "End a waveform when its file has this size (default 200)", 0},
    {"log", KEY_LOG, 0, 0, "Print the decisions", 0},
    {"max-cycles", KEY_MAX, "N", 0, "Stop after N cycles", 0},
    {"history", KEY_HISTORY, "N", 0, "Cycles of inputs that a mismatch report shows (default 16, at most 64)", 0},
    {"inject", KEY_INJECT, "FAULT", 0, "Flip a bit, e.g. rtl:perfsat.limit_q[2]@1234 or model:... (cycle of the run, from 0)", 0},
    {"set", KEY_SET, "BLOCK.INPUT=VALUE", 0, "What software sets, e.g. sm_governor.policy=lcs ('ballast blocks' lists the settings)", 0},
    {"state", KEY_STATE, "FILE", 0, "Start from these registers (made with a reproducer)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the random registers before reset (default 1)", 0},
    {0}};

uint64_t option_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
                       uint64_t most)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno || end == text || *end || text[0] == '-' || value < least || value > most)
        argp_failure(state, EXIT_USAGE, 0, "%s: '%s' is not a number from %llu to %llu", option, text,
                     (unsigned long long)least, (unsigned long long)most);
    return value;
}

static void parse_blocks(replay_options *o, const struct argp_state *state, char *names)
{
    unsigned n = 0;
    char *rest = NULL;

    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        if (n == LOCKSTEP_MAX_BLOCKS)
            argp_failure(state, EXIT_USAGE, 0, "more than %d blocks", LOCKSTEP_MAX_BLOCKS);
        o->blocks[n] = block_find(name);
        if (!o->blocks[n])
            argp_failure(state, EXIT_USAGE, 0, "no block '%s' in this build; 'ballast blocks' lists them", name);
        for (unsigned i = 0; i < n; i++)
            if (o->blocks[i] == o->blocks[n])
                argp_failure(state, EXIT_USAGE, 0, "--block names %s twice", name);
        n++;
    }
    o->blocks[n] = NULL;
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
    return blk->model->limit_stride ? param_of(blk, "NumSms", 1) : 1;
}

unsigned replay_param(const replay_options *o, const char *name, unsigned fallback)
{
    unsigned least = fallback;

    for (const block *const *b = o->blocks; *b; b++) {
        const unsigned value = param_of(*b, name, fallback);

        least = value < least ? value : least;
    }
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

static void check_blocks(const replay_options *o, const struct argp_state *state)
{
    char err[512];

    if (!try_blocks(o, NULL, err, sizeof err))
        argp_failure(state, EXIT_USAGE, 0, "%s", err);
}

static void check_window(const replay_options *o, const struct argp_state *state)
{
    if (o->extent.first > o->extent.last)
        argp_failure(state, EXIT_USAGE, 0, "--wave-from %llu is after --wave-to %llu", (unsigned long long)o->extent.first,
                     (unsigned long long)o->extent.last);
}

static error_t parse_wave(int key, const char *arg, struct argp_state *state)
{
    replay_options *o = state->input;

    o->wave = true;
    switch (key) {
    case KEY_WAVE_FROM: o->extent.first = option_number(state, "--wave-from", arg, 0, UINT64_MAX - 1); break;
    case KEY_WAVE_TO: o->extent.last = option_number(state, "--wave-to", arg, 0, UINT64_MAX - 1); break;
    default: break;
    }
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    replay_options *o = state->input;

    switch (key) {
    case 'b': parse_blocks(o, state, arg); return 0;
    case 's': o->sm = (int)option_number(state, "--sm", arg, 0, TRACE_MAX_SMS - 1); return 0;
    case 'o': o->out = arg; return 0;
    case KEY_WAVE:
    case KEY_WAVE_FROM:
    case KEY_WAVE_TO: return parse_wave(key, arg, state);
    case KEY_WAVE_LIMIT:
        o->extent.limit = MEGABYTE * option_number(state, "--wave-limit", arg, WAVE_LEAST_LIMIT_MB, MOST_MEGABYTES);
        return 0;
    case KEY_LOG: o->print_log = true; return 0;
    case KEY_MAX: o->max_cycles = option_number(state, "--max-cycles", arg, 0, UINT64_MAX); return 0;
    case KEY_HISTORY: o->history = (unsigned)option_number(state, "--history", arg, 0, 64); return 0;
    case KEY_STATE: o->state = arg; return 0;
    case KEY_SET:
        if (o->num_settings == REPLAY_MAX_SETTINGS)
            argp_failure(state, EXIT_USAGE, 0, "more than %d settings", REPLAY_MAX_SETTINGS);
        o->settings[o->num_settings++] = arg;
        return 0;
    case KEY_SEED: o->seed = (uint32_t)option_number(state, "--seed", arg, 0, INT32_MAX); return 0;
    case KEY_INJECT:
        if (o->num_faults == LOCKSTEP_MAX_FAULTS)
            argp_failure(state, EXIT_USAGE, 0, "more than %d faults", LOCKSTEP_MAX_FAULTS);
        if (!fault_parse(&o->faults[o->num_faults++], arg))
            argp_failure(state, EXIT_USAGE, 0, "'%s' is not a fault; write e.g. rtl:perfsat.limit_q[2]@1234", arg);
        return 0;
    case ARGP_KEY_END:
        check_window(o, state);
        check_blocks(o, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp replay_argp = {options, parse, 0, 0, 0, 0, 0};

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

/* mkdir -p */
static bool make_directory(const char *path)
{
    char part[4096];

    for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

bool replay_prepare_out(const replay_options *o)
{
    struct stat info;
    char err[512];

    if (o->state && !try_blocks(o, o->state, err, sizeof err)) {
        fprintf(stderr, "ballast: %s\n", err);
        return false;
    }
    if (make_directory(o->out) && stat(o->out, &info) == 0 && S_ISDIR(info.st_mode))
        return true;
    fprintf(stderr, "ballast: %s: cannot make this directory (%s); choose another with --out\n", o->out,
            strerror(errno));
    return false;
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
    switch (verdict) {
    case SESSION_PASS: return EXIT_PASS;
    case SESSION_MISMATCH: return EXIT_MISMATCH;
    case SESSION_STOPPED: return EXIT_STOPPED;
    default: return EXIT_BAD_INPUT;
    }
}
