/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a block around others say what becomes of every register of its parts: a part's register with another bit breaks one,
 * in whatever cycle. So a register that a part gets anew is in the rules of what holds it, or this test fails.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/random_sms.h"
#include "engine/suite_fixture.h"
#include "rules/watch.h"

enum { WARPS = 48, SLOTS = 8, CYCLES = 4000, SEED = 0x9a27, EVERY = 128 };

static lockstep ls;
static rules_watch watch;
static random_sms sms;
static uint64_t seed;
static unsigned tried;
static void *after, *history;
static lockstep_observer watched;

/* The block after what it needs, which is in the last instance. */
static void open_run(const block *blk)
{
    const block *list[BLOCK_MAX_NEEDS + 2] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;

    for (const char *const *need = blk->model->needs; *need; need++)
        list[num++] = block_find(*need);
    list[num] = blk;
    assert_true(lockstep_open(&ls, list, 0, 7, err, sizeof err));
    ls.stir_seed = seed = SEED;
    random_sms_start(&sms, SEED, ls.num_sms, lockstep_param(&ls, "NumWarps", WARPS), lockstep_param(&ls, "NumSlots", SLOTS), CYCLES);
}

static bool breaks_one(const lockstep_instance *inst, unsigned i, const block_port *port)
{
    const lockstep_view *view = &inst->view[SIDE_MODEL];

    memcpy(after, view->after, inst->sizes.state);
    memcpy(history, watch.history[i][SIDE_MODEL], watch.rules[i]->history_size);
    block_port_set(port, after, block_port_get(port, after) ^ UINT64_C(1) << random_below(&seed, port->width));
    return watch.rules[i]->cycle(history, &inst->cfg, view->before, inst->in, view->out, after) != 0;
}

/* Before the watch takes the cycle into its history: every register once in EVERY cycles, another one in each. */
static void see_cycle(void *self, const lockstep *run, const sm_obs *const *obs, uint64_t cycle)
{
    const unsigned i = run->num_instances - 1;
    const lockstep_instance *inst = &run->instances[i];

    (void)self;
    for (unsigned p = (unsigned)(cycle % EVERY); p < inst->ports.num; p += EVERY) {
        const block_port *port = &inst->ports.ports[p];

        if (!port_is_part_register(port))
            continue;
        tried++;
        if (!breaks_one(inst, i, port))
            fail_msg("%s: no rule says what becomes of %s in cycle %" PRIu64, inst->block->name, port->name, cycle);
    }
    watched.cycle(watched.self, run, obs, cycle);
}

/* Of a block whose rules are of its parts, too. */
static void watch_block(void)
{
    const lockstep_instance *inst = &ls.instances[ls.num_instances - 1];

    watched = ls.observer;
    ls.observer.cycle = see_cycle;
    tried = 0;
    after = malloc(inst->sizes.state);
    history = malloc(watch.rules[ls.num_instances - 1]->history_size);
    assert_true(after && history);
    random_sms_rewind(&sms);
    assert_true(lockstep_reset(&ls));
    while (ls.index < sms.cycles)
        assert_true(lockstep_cycle_all(&ls, random_sms_next(&sms), ls.index));
    assert_true(tried > 0);
    free(after);
    free(history);
}

TEST(a_part_s_register_is_what_its_part_makes_of_it)
{
    for (const block *const *b = block_registry; *b; b++) {
        open_run(*b);
        assert_true(rules_watch_start(&watch, &ls));
        if (watch.rules[ls.num_instances - 1]->of_parts)
            watch_block();
        rules_watch_stop(&watch);
        lockstep_close(&ls);
    }
}
