/* SPDX-License-Identifier: Apache-2.0
 *
 * scout as a shared object for `ballast sim --policy` and `ballast family --policy`: `make build` makes build/CONFIG/policy/scout.so.
 * On a chip SM 0 searches, and the others follow its limit a cycle later (SCT-9). Options are parameters of the block:
 * scout.so:back=0,verify=0. With vf=1 vf_scout on SM 0 steers both clock domains, as --mode says. Besides, for studies of its stability: noise=N leaves out up to 2 N percent of the instructions, another part in
 * each shortest window; seed=N draws other parts.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/policy.h"
#include "chip/vf_scout.h"
#include "sm/scout.h"

typedef struct searcher_cfg {
    scout_cfg scout;
    vf_scout_cfg levels;
    uint32_t vf;
    uint32_t noise, seed;
    bool follows; /* SM 0, and does not search */
} searcher_cfg;

typedef struct searcher_state {
    scout_state scout;
    vf_scout_state levels;
    uint64_t random;
    uint32_t left;    /* cycles until another part of the instructions is left out           */
    uint32_t part;    /* that is left out, of 2^16                                            */
    uint32_t missing; /* of an instruction, of 2^16: what is to be left out and is not as yet */
    uint8_t nmax;     /* of the kernel of an SM that follows                                  */
} searcher_state;

typedef struct option {
    const char *name;
    size_t place;
    uint32_t least, most;
    bool power; /* of two */
} option;

#define OPTION(field, least, most, power) {#field, offsetof(searcher_cfg, scout.field), least, most, power}
static const option options[] = {
    OPTION(slice, 8, 4096, true), OPTION(window, 2, 16, true), OPTION(settle, 1, 7, false), OPTION(warmup, 1, 7, false),
    OPTION(margin, 1, 7, false),  OPTION(back, 0, 1, false),   OPTION(verify, 0, 1, false), OPTION(doubt, 0, 1, false),
    {"vf", offsetof(searcher_cfg, vf), 0, 1, false},        {"noise", offsetof(searcher_cfg, noise), 0, 50, false}, {"seed", offsetof(searcher_cfg, seed), 0, UINT32_MAX, false},
};

static bool set_option(searcher_cfg *cfg, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const option *o = &options[i];
        const size_t name = strlen(o->name);
        char *end;
        unsigned long value;

        if (length <= name + 1 || memcmp(word, o->name, name) != 0 || word[name] != '=')
            continue;
        value = strtoul(word + name + 1, &end, 10);
        if (end != word + length || value < o->least || value > o->most || (o->power && value & (value - 1)))
            return false;
        *(uint32_t *)(void *)((char *)cfg + o->place) = (uint32_t)value;
        return true;
    }
    return false;
}

static bool searcher_configure(void *memory, const ballast_policy_place *place, char *why, uint32_t why_size)
{
    searcher_cfg *cfg = memory;

    *cfg = (searcher_cfg){.scout = scout_cfg_default(), .levels = vf_scout_cfg_default(), .follows = place->sm != 0};
    cfg->scout.num_slots = place->slots;
    cfg->scout.issue_width = cfg->levels.issue_width = place->issue_width;
    for (const char *word = place->options; *word;) {
        const size_t length = strcspn(word, ",");

        if (!set_option(cfg, word, length)) {
            snprintf(why, why_size, "'%.*s' is no parameter of scout with a value that it may have (doc/blocks/scout.md)", (int)length, word);
            return false;
        }
        word += length + (word[length] == ',');
    }
    return true;
}

static void searcher_reset(void *state, const void *cfg)
{
    const searcher_cfg *c = cfg;
    searcher_state *s = state;

    *s = (searcher_state){.random = c->seed};
    scout_reset(&s->scout, &c->scout);
    vf_scout_reset(&s->levels, &c->levels);
}

/* The instructions of a cycle without those that the noise leaves out. */
static uint8_t noisy(searcher_state *s, const searcher_cfg *cfg, uint8_t issued)
{
    if (s->left == 0) {
        s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        s->part = (uint32_t)((s->random >> 32) * cfg->noise / 50 >> 16);
        s->left = cfg->scout.slice * cfg->scout.window;
    }
    s->left--;
    s->missing += issued * s->part;
    while (issued && s->missing >> 16) {
        s->missing -= UINT32_C(1) << 16;
        issued--;
    }
    return issued;
}

/* SCT-9: SM 0's limit where this SM can have it. */
static void follow(searcher_state *s, const ballast_policy_in *in, ballast_policy_out *out)
{
    const uint32_t lead = in->heard & 0xff;

    out->limit = lead && lead <= s->nmax ? lead : s->nmax;
    out->done = in->heard >> 8 & 1;
    if (in->kernel_start)
        s->nmax = in->nmax;
}

/* The leader's step of vf_scout. A search of the limit waits while levels are searched; what scout shows does not hang on its inputs. */
static vf_scout_out steer(searcher_state *state, const searcher_cfg *cfg, const ballast_policy_in *in, scout_in *from)
{
    vf_scout_in seen = vf_scout_in_default();
    vf_scout_out asks = {.hold = 0};
    scout_out now;

    from->enable = 0;
    scout_step(&state->scout, &cfg->scout, from, &now);
    seen.kernel_start = in->kernel_start;
    seen.issue_valid = from->issue_valid;
    seen.cta_done = in->cta_done != 0;
    seen.look = now.look;
    seen.ready = now.done;
    seen.mode = in->mode;
    seen.sm_level = in->sm_level;
    seen.mem_level = in->mem_level;
    seen.sm_busy = in->sm_busy;
    seen.mem_busy = in->mem_busy;
    vf_scout_step(&state->levels, &cfg->levels, &seen, &asks);
    from->enable = !asks.hold || in->kernel_start;
    return asks;
}

static uint32_t ask_of(uint8_t up, uint8_t down)
{
    return up ? BALLAST_ASK_UP : down ? BALLAST_ASK_DOWN : BALLAST_ASK_NOTHING;
}

static void searcher_step(void *memory_of_sm, const void *memory, const ballast_policy_in *in, ballast_policy_out *out)
{
    const searcher_cfg *cfg = memory;
    searcher_state *state = memory_of_sm;
    scout_in from = scout_in_default();
    vf_scout_out asks = {.hold = 0};
    scout_out to;

    *out = (ballast_policy_out){.pause = 1, .sm_ask = in->heard >> 9 & 3, .mem_ask = in->heard >> 11 & 3};
    if (cfg->follows) {
        follow(state, in, out);
        return;
    }
    from.kernel_start = in->kernel_start;
    from.nmax = in->nmax;
    from.issue_valid = (uint8_t)((1U << noisy(state, cfg, in->issued)) - 1);
    from.cta_done = in->cta_done;
    if (cfg->vf)
        asks = steer(state, cfg, in, &from);
    scout_step(&state->scout, &cfg->scout, &from, &to);
    out->limit = to.limit;
    out->done = to.done;
    out->share = to.limit | (uint32_t)to.done << 8 | ask_of(asks.sm_up, asks.sm_down) << 9 | ask_of(asks.mem_up, asks.mem_down) << 11;
}

static bool searcher_describe(const void *before, const void *after, const void *memory, const ballast_policy_in *in,
                              const ballast_policy_out *out, char *line, uint32_t size)
{
    const scout_state *was = &((const searcher_state *)before)->scout, *is = &((const searcher_state *)after)->scout;
    const bool moved = !((const searcher_cfg *)memory)->follows && !in->kernel_start && was->state != is->state;

    if (moved)
        snprintf(line, size, "%s at limit %u, best %u of %u to %u, stage %u%s", is->state == SCOUT_ST_LOOK ? "looks" : "counts",
                 out->limit, is->best, is->low + 1U, is->top, is->stage, out->done ? ", decided" : "");
    return moved;
}

static void searcher_chip(void *chip, const uint32_t *said, uint32_t *heard, uint32_t sms)
{
    (void)chip;
    for (uint32_t i = 0; i < sms; i++)
        heard[i] = said[0];
}

BALLAST_POLICY_EXPORT const ballast_policy_functions ballast_policy_entry = {
    BALLAST_POLICY_INTERFACE, .name = "scout", .cfg_size = sizeof(searcher_cfg), .state_size = sizeof(searcher_state),
    .cfg = searcher_configure, .reset = searcher_reset, .step = searcher_step, .describe = searcher_describe, .chip = searcher_chip};
