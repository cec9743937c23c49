/* SPDX-License-Identifier: Apache-2.0
 *
 * What the contract leaves open: an input with a range that is not read has every value, and a block that reads it is found.
 */
#include <stdlib.h>

#include "engine/port.h"
#include "engine/random_run_fixture.h"
#include "engine/suite_fixture.h"

static random_run first;

/* The values that inputs with a range have had where they are not read. */
typedef struct values_seen {
    bool *seen; /* of each port its values, one port after the other */
    unsigned missing, ranges;
} values_seen;

static unsigned num_values(const block_port *port)
{
    assert_in_range(port->width, 1, 16);
    return port->range ? 1u << port->width : 0;
}

static void start_seeing(values_seen *v, const lockstep_instance *inst)
{
    *v = (values_seen){.seen = NULL};
    for (unsigned p = 0; p < inst->ports.num; p++) {
        if (!inst->ports.ports[p].range)
            continue;
        v->missing += num_values(&inst->ports.ports[p]);
        v->ranges++;
    }
    v->seen = calloc(v->missing + 1, sizeof *v->seen);
    assert_non_null(v->seen);
}

static void note_values(values_seen *v, const lockstep_instance *inst)
{
    bool *seen = v->seen;

    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        uint64_t value, most;

        if (!port->range)
            continue;
        value = block_port_get(port, inst->in);
        most = inst->block->model->most(&inst->cfg, inst->in, port);
        assert_in_range(value, 0, most);
        assert_in_range(value, 0, num_values(port) - 1);
        if (most == UINT64_MAX && !seen[value]) {
            seen[value] = true;
            v->missing--;
        }
        seen += num_values(port);
    }
}

/* So many cycles at most until each of an input's values has come, for the widest: by chance one in e^20 would not. */
static uint64_t enough_cycles(const lockstep_instance *inst)
{
    uint64_t most = 0;

    for (unsigned p = 0; p < inst->ports.num; p++)
        if (inst->ports.ports[p].range && num_values(&inst->ports.ports[p]) > most)
            most = num_values(&inst->ports.ports[p]);
    return 200 + 40 * most;
}

/* An input with a range has all values of its width where it is not read. */
TEST(inputs_that_are_not_read_have_every_value)
{
    unsigned with_ranges = 0;

    for (const block *const *b = block_registry; *b; b++) {
        const lockstep_instance *inst = random_run_open(&first, *b, 0xa11, UINT64_MAX);
        const uint64_t cycles = enough_cycles(inst);
        values_seen v;

        start_seeing(&v, inst);
        assert_true(lockstep_reset(&first.ls));
        while (v.missing && first.ls.index < cycles) {
            assert_true(random_run_cycle(&first));
            note_values(&v, inst);
        }
        if (v.missing)
            fail_msg("%s: in %llu cycles %u values of inputs with a range never come", (*b)->name,
                     (unsigned long long)cycles, v.missing);
        with_ranges += v.ranges;
        free(v.seen);
        lockstep_close(&first.ls);
    }
    assert_true(with_ranges > 5);
}

static const block_model *obeying;

/* A block on which a number hangs that no kernel brings. */
static bool strays(const void *cfg, const void *before, const void *in, const void *out, const void *after)
{
    const lockstep_instance *inst = &first.ls.instances[first.ls.num_instances - 1];
    const block_port *nmax = port_find(&inst->ports, "nmax_i"), *limit = port_find(&inst->ports, "limit_q");

    if (block_port_get(nmax, in) > RANDOM_RUN_SLOTS)
        block_port_set(limit, inst->state, block_port_get(limit, after) ^ 1);
    return obeying->decides(cfg, before, in, out, after);
}

TEST(a_block_that_reads_an_input_at_the_wrong_time_is_found)
{
    const block *real = block_find("perfsat");
    block_model model = *real->model;
    const block straying = {real->name, real->params, &model, real->rtl};

    obeying = real->model;
    model.decides = strays;
    random_run_open(&first, &straying, 0x57a1, 1000);
    first.ls.careful = true;
    assert_false(random_run_all(&first));
    assert_string_equal(first.ls.mismatch.port->name, "limit");
    first.ls.stir_seed = 0; /* a bus of kernels does not show it */
    assert_true(random_run_all(&first));
    lockstep_close(&first.ls);
}
