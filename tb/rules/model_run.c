/* SPDX-License-Identifier: Apache-2.0
 *
 * model_run BLOCK PARAMS CYCLES SEED [RULE]: runs a block's model, without RTL, on random input beside its rules, so many cycles or until
 * one whose text RULE, an extended regular expression, matches at its beginning is broken. Prints the rules that are broken, a line each, and how many. Exit 0 none, 1 some, 2 usage. For models with a fault that their RTL has, too
 * (rules/test_rules.py). That a history is coupled to the registers is no rule here. With an odd seed the block is on a random bus,
 * with an even one every input is drawn by itself.
 */
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/block_models.h"
#include "engine/random.h"
#include "engine/random_sms.h"
#include "engine/ranges.h"
#include "engine/stir.h"
#include "rules/watch.h"

bool rtl_assertion_pending;
const block *const block_registry[] = {NULL};

/* ---- in the place of the RTL: nothing --------------------------------------------------- */

static void *create(uint32_t seed, const void *cfg, const port_list *ports)
{
    static char there;

    (void)seed, (void)cfg, (void)ports;
    return &there;
}

static void nothing(void *rtl)
{
    (void)rtl;
}

static void no_registers(void *rtl, void *state)
{
    (void)rtl, (void)state;
}

static const char *no_assertion(void *rtl)
{
    (void)rtl;
    return NULL;
}

static const block_rtl no_rtl = {.clocked = true, .create = create, .destroy = nothing, .reset = nothing, .registers = no_registers,
                                 .assertion = no_assertion};

/* ---- the run ----------------------------------------------------------------------------- */

static block chain[BLOCK_MAX_NEEDS + 1];
static lockstep ls;
static rules_watch watch;
static random_sms sms;

static bool add_block(const block **list, unsigned num, const char *name, const char *params)
{
    const block_model *model = find_block_model(name);

    if (!model) {
        fprintf(stderr, "model_run: no block '%s'\n", name);
        return false;
    }
    chain[num] = (block){name, params, model, &no_rtl};
    list[num] = &chain[num];
    return true;
}

static bool open_run(const char *name, const char *params, uint64_t seed, uint64_t cycles)
{
    const block *list[BLOCK_MAX_NEEDS + 2] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;

    if (!add_block(list, 0, name, params))
        return false;
    for (const char *const *need = list[0]->model->needs; *need; need++)
        if (!add_block(list, num++, *need, ""))
            return false;
    if (!add_block(list, num, name, params) || !lockstep_open(&ls, list, 0, 7, err, sizeof err)) {
        fprintf(stderr, "model_run: %s\n", err);
        return false;
    }
    ls.stir_seed = seed;
    random_sms_start(&sms, seed, ls.num_sms, lockstep_param(&ls, "NumWarps", 48), lockstep_param(&ls, "NumSlots", 8), cycles);
    return rules_watch_start(&watch, &ls);
}

enum { AS_OFTEN = 4096 }; /* cycles */

/* An input of one bit is 1 in one of so many cycles, which is the input's own for a while; others change now and then. */
static uint64_t draw(const block_port *port, unsigned p, uint64_t run, uint64_t *seed, uint64_t now)
{
    uint64_t own = (run + p + 1 + 64 * (ls.index / AS_OFTEN)) * UINT64_C(0x9e3779b97f4a7c15);

    if (port->width == 1)
        return random_one_in(seed, 1u << random_next(&own) % 9);
    if (!random_one_in(seed, 4))
        return now;
    return random_one_in(seed, 2) ? random_below(seed, 10) : random_next(seed) ^ random_next(seed) << 32;
}

static void take_drawn_cycle(uint64_t run, uint64_t *seed)
{
    lockstep_instance *inst = &ls.instances[ls.num_instances - 1];
    const block_model *model = inst->block->model;
    const void *before = inst->state;

    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        const uint64_t all = port->width < 64 ? (UINT64_C(1) << port->width) - 1 : UINT64_MAX;

        if (port->kind == PORT_IN && !(port->setting && model->draw))
            block_port_set(port, inst->in, draw(port, p, run, seed, block_port_get(port, inst->in)) & all);
    }
    if (model->draw)
        model->draw(inst->in, &inst->cfg, seed);
    ranges_keep(model, &inst->cfg, &inst->ports, inst->in);
    inst->state = inst->registers[before == inst->registers[0]];
    memcpy(inst->state, before, inst->sizes.state);
    model->step(inst->state, &inst->cfg, inst->in, inst->out);
    rules_watch_see(&watch, inst, ls.num_instances - 1, SIDE_MODEL,
                    &(lockstep_view){(void *)(uintptr_t)before, inst->out, inst->state}, ls.index++);
}

static void take_cycle(void)
{
    stir_settings(&ls);
    lockstep_models(&ls, random_sms_next(&sms));
    for (unsigned i = 0; i < ls.num_instances; i++) {
        const lockstep_instance *inst = &ls.instances[i];
        const lockstep_view view = {inst->registers[inst->state == inst->registers[0]], inst->out, inst->state};

        rules_watch_see(&watch, inst, i, SIDE_MODEL, &view, ls.index);
    }
    ls.index++;
}

static bool is_rule(unsigned inst, unsigned bit, char *text)
{
    return strncmp(rules_text(chain + inst, bit, text, BLOCK_TEXT), "history: ", 9) != 0;
}

/* The broken rules that `wanted` matches, all without one; `print` says each. */
static unsigned broken_rules(const regex_t *wanted, bool print)
{
    char text[BLOCK_TEXT];
    regmatch_t at;
    unsigned num = 0;

    for (unsigned i = 0; i < ls.num_instances; i++)
        for (unsigned bit = 1; bit < 64; bit++)
            if ((watch.all[i] >> bit & 1) && is_rule(i, bit, text) &&
                (!wanted || (!regexec(wanted, text, 1, &at, 0) && at.rm_so == 0))) {
                if (print)
                    printf("%s\n", text);
                num++;
            }
    return num;
}

enum { LOOK_EVERY = 1024 }; /* cycles */

static void run_cycles(uint64_t seed, const regex_t *until)
{
    const uint64_t run = seed;

    while (ls.index < sms.cycles && !(until && ls.index % LOOK_EVERY == 0 && broken_rules(until, false)))
        run % 2 ? take_cycle() : take_drawn_cycle(run, &seed);
}

static unsigned print_broken(void)
{
    const unsigned num = broken_rules(NULL, true);

    printf("%u broken in %" PRIu64 " cycles\n", num, ls.index);
    return num;
}

int main(int argc, char **argv)
{
    regex_t until;
    unsigned broken;

    if (argc < 5 || argc > 6 || regcomp(&until, argc > 5 ? argv[5] : "", REG_EXTENDED) || !open_run(argv[1], argv[2], strtoull(argv[4], NULL, 10), strtoull(argv[3], NULL, 10))) {
        fprintf(stderr, "usage: model_run BLOCK PARAMS CYCLES SEED [RULE]\n");
        return 2;
    }
    lockstep_reset(&ls); /* its comparison is with nothing */
    run_cycles(strtoull(argv[4], NULL, 10), argc > 5 ? &until : NULL);
    broken = print_broken();
    regfree(&until);
    rules_watch_stop(&watch);
    lockstep_close(&ls);
    return broken != 0;
}
