/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a block around others say what becomes of every register of its parts: a part's register with another bit breaks one,
 * in whatever cycle. So a register that a part gets anew is in the rules of what holds it, or this test fails.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/random_run_fixture.h"
#include "engine/suite_fixture.h"
#include "rules/watch.h"

enum { CYCLES = 4000, SEED = 0x9a27, EVERY = 128 };

static random_run trial;
static rules_watch watch;
static uint64_t seed;
static unsigned tried;
static void *after, *history;
static lockstep_observer watched;

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
static void watch_block(const lockstep_instance *inst)
{
    watched = trial.ls.observer;
    trial.ls.observer.cycle = see_cycle;
    tried = 0;
    after = malloc(inst->sizes.state);
    history = malloc(watch.rules[trial.ls.num_instances - 1]->history_size);
    assert_true(after && history);
    random_run_expect_agreement(&trial, inst->block);
    assert_true(tried > 0);
    free(after);
    free(history);
}

TEST(a_part_s_register_is_what_its_part_makes_of_it)
{
    for (const block *const *b = block_registry; *b; b++) {
        const lockstep_instance *inst = random_run_open(&trial, *b, SEED, CYCLES);

        seed = SEED;
        assert_true(rules_watch_start(&watch, &trial.ls));
        if (watch.rules[trial.ls.num_instances - 1]->of_parts)
            watch_block(inst);
        rules_watch_stop(&watch);
        lockstep_close(&trial.ls);
    }
}
