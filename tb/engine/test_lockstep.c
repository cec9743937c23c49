/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine itself: twins agree on random input in every variant, and a single flipped bit in
 * any register or output of any block is found at its cycle and by its name, on the fast way and on the
 * careful one.
 */
#include <stdio.h>
#include <string.h>

#include "engine/lockstep.h"
#include "engine/random.h"
#include "engine/random_run_fixture.h"
#include "engine/suite_fixture.h"

enum { FAULT_CYCLES = 600, MANY_SMS = 16 };

static random_run first, second; /* as many as a test has at once */

static bool is_base(const block *blk)
{
    return !strcmp(blk->name, blk->model->block_name);
}

/* Each variant for a while, carefully, so that a failure has a name. */
TEST(twins_agree_on_random_input)
{
    for (const block *const *b = block_registry; *b; b++) {
        const lockstep *ls = &first.ls;

        random_run_open(&first, *b, 0x5eed, 20000);
        first.ls.careful = ls->num_sms == 1;
        if (ls->num_sms > 1)
            first.sms.cycles = 100000 / ls->num_sms;
        random_run_expect_agreement(&first, *b);
        assert_int_equal(ls->index, first.sms.cycles);
        lockstep_close(&first.ls);
    }
}

/* ---- every output and register, on the fast way and on the careful one ------------------ */

enum { LIES = 2 };

/* What a model says wrongly in this cycle, so that the RTL differs: one bit of each of these ports. */
static struct {
    const block_model *honest;
    const block_port *port[LIES]; /* NULL: none */
    unsigned bit[LIES];
    unsigned told;
} lie;

static void flip_lies(void *out, void *state)
{
    for (int i = 0; i < LIES; i++) {
        const block_port *port = lie.port[i];
        void *values = port && port->kind == PORT_REG ? state : out;

        if (port)
            block_port_set(port, values, block_port_get(port, values) ^ UINT64_C(1) << lie.bit[i]);
    }
    lie.told++;
}

/* A replay calls this; no decision in a cycle with a lie, which would not go the fast way. */
static bool lying_cycle(const void *before, void *after, const void *cfg, const sm_obs *const *obs,
                        const void *const *needs, void *in, void *out)
{
    const bool decides = lie.honest->cycle(before, after, cfg, obs, needs, in, out);

    flip_lies(out, after);
    return decides && !lie.port[0];
}

/* Where inputs are stirred, these two stand for it. */
static void lying_step(void *state, const void *cfg, const void *in, void *out)
{
    lie.honest->step(state, cfg, in, out);
    flip_lies(out, state);
}

static bool hardly_decides(const void *cfg, const void *before, const void *in, const void *out, const void *after)
{
    return !lie.port[0] && lie.honest->decides(cfg, before, in, out, after);
}

/* The block with a model that lies, everything else as it is. */
static const block *liar_of(const block *blk)
{
    static block_model model;
    static block liar;

    lie.honest = blk->model;
    model = *blk->model;
    model.cycle = lying_cycle;
    model.step = lying_step;
    model.decides = hardly_decides;
    liar = *blk;
    liar.model = &model;
    return &liar;
}

/* A lie about lie.port[0] is found in its very cycle; carefully, by its name, as the first of all lies.
 * Afterwards the model is honest, and nothing is left of it. */
static void expect_lie_found(random_run *r, const lockstep_instance *inst, bool careful)
{
    lockstep_mismatch *m = &r->ls.mismatch;
    const block_port *port = lie.port[0];
    const uint64_t index = r->ls.index;
    const char *way = careful ? "carefully" : "fast";
    bool equal;

    r->ls.careful = careful;
    lie.told = 0;
    equal = random_run_cycle(r);
    assert_int_equal(lie.told, 1); /* else there is nothing to be seen */
    flip_lies(inst->out, inst->state);
    lie.port[0] = lie.port[1] = NULL;
    if (equal || !m->found)
        fail_msg("%s: compared %s, a difference in bit %u of %s is not seen", inst->block->name, way,
                 lie.bit[0], port->name);
    if (m->instance != inst || m->index != index || m->cycle != index + RANDOM_RUN_CYCLE ||
        m->port != (careful ? port : NULL))
        fail_msg("%s: compared %s, a difference in bit %u of %s in cycle %llu is called one of %s in cycle %llu",
                 inst->block->name, way, lie.bit[0], port->name, (unsigned long long)index,
                 m->port ? m->port->name : "?", (unsigned long long)m->index);
    if (careful) {
        assert_int_equal(m->actual, block_port_get(port, port->kind == PORT_REG ? inst->state : inst->out));
        assert_int_equal(m->expected, m->actual ^ UINT64_C(1) << lie.bit[0]);
    }
    m->found = false;
}

/* Fast and carefully; one of them together with a lie about the next port, which must neither hide this
 * one nor be named. */
static void expect_bit_compared(random_run *r, const lockstep_instance *inst, const block_port *port, unsigned bit,
                                bool careful_alone)
{
    const block_port *last = &inst->ports.ports[inst->ports.num - 1];

    for (int careful = 0; careful < 2; careful++) {
        const bool alone = careful == careful_alone || port == last;

        lie.port[0] = port;
        lie.bit[0] = bit;
        lie.port[1] = alone ? NULL : port + 1;
        lie.bit[1] = alone ? 0 : bit % port[1].width;
        expect_lie_found(r, inst, careful);
    }
}

/* The lowest bit, the highest and any; in between a cycle without lies, or none. */
static void expect_compared(random_run *r, const lockstep_instance *inst, const block_port *port,
                            uint64_t *seed)
{
    expect_bit_compared(r, inst, port, 0, true);
    expect_bit_compared(r, inst, port, port->width - 1, false);
    expect_bit_compared(r, inst, port, random_below(seed, port->width), true);
    r->ls.careful = false;
    if (random_one_in(seed, 2) && !random_run_cycle(r))
        random_run_fail(&r->ls, inst->block);
}

/* How many ports the block's instance has to compare; all of them are. */
static unsigned expect_all_compared(const block *blk, bool stirred, uint64_t *seed)
{
    const lockstep_instance *inst = random_run_open(&first, liar_of(blk), 0xfa57, UINT64_MAX);
    unsigned ports = 0;

    if (!stirred)
        first.ls.stir_seed = 0;
    assert_true(lockstep_reset(&first.ls));
    for (unsigned p = 0; p < inst->ports.num; p++) {
        if (inst->ports.ports[p].kind == PORT_IN)
            continue;
        expect_compared(&first, inst, &inst->ports.ports[p], seed);
        ports++;
    }
    assert_int_equal(ports, inst->comparisons);
    lockstep_close(&first.ls);
    return ports;
}

/* In the model or in the RTL is the same here: one bit of one side, in one cycle. */
TEST(every_output_and_register_is_compared)
{
    unsigned compared = 0;
    uint64_t seed = 0xc03;

    for (const block *const *b = block_registry; *b; b++)
        for (int stirred = 0; stirred < 2; stirred++)
            compared += expect_all_compared(*b, stirred, &seed);
    print_message("%u outputs and registers\n", compared / 2);
}

static void expect_found(random_run *r, const lockstep_instance *inst, const block_port *port, unsigned bit, uint64_t index,
                         bool in_rtl)
{
    const lockstep_mismatch *m = &r->ls.mismatch;
    fault f = {.in_rtl = in_rtl, .bit = bit, .index = index};
    char err[BLOCK_TEXT] = "", text[BLOCK_TEXT];

    snprintf(f.block, sizeof f.block, "%s", inst->block->name);
    port_full_name(port, f.port, sizeof f.port);
    fault_print(&f, text, sizeof text);
    r->ls.num_faults = 0;
    assert_true(lockstep_add_fault(&r->ls, &f, err, sizeof err));
    if (random_run_all(r))
        fail_msg("%s was not found", text);
    if (!m->found || m->index != index || m->instance != inst || m->port != port)
        fail_msg("%s was found at cycle %llu in %s", text, (unsigned long long)m->index,
                 m->port ? m->port->name : "an assertion or nothing");
    assert_int_equal(m->expected ^ m->actual, UINT64_C(1) << bit);
}

/* Every bit of every register and output, once on each side, at cycles spread over the run. */
TEST(every_single_bit_fault_is_found)
{
    unsigned injected = 0;

    for (const block *const *b = block_registry; *b; b++) {
        const lockstep_instance *inst;
        unsigned cycles;

        if (!is_base(*b) || (*b)->model->limit_stride)
            continue; /* a chip's SMs are governors, which have their own turn */
        inst = random_run_open(&first, *b, 0xfa17, FAULT_CYCLES);
        if (first.ls.num_sms > MANY_SMS) { /* a run for each bit of each SM would take hours; other configurations have fewer SMs */
            lockstep_close(&first.ls);
            continue;
        }
        cycles = FAULT_CYCLES / first.ls.num_sms; /* many SMs have many bits, and their cycle takes long */
        for (unsigned p = 0; p < inst->ports.num; p++) {
            if (inst->ports.ports[p].kind == PORT_IN)
                continue;
            for (unsigned bit = 0; bit < inst->ports.ports[p].width; bit++) {
                for (int in_rtl = 0; in_rtl < 2; in_rtl++)
                    expect_found(&first, inst, &inst->ports.ports[p], bit, (injected * 37) % cycles, in_rtl);
                injected++;
            }
        }
        lockstep_close(&first.ls);
    }
    print_message("%u bits flipped on each side\n", injected);
    assert_true(injected > 150);
}

TEST(wrong_faults_are_refused)
{
    static const char *const garbage[] = {"", "rtl", "rtl:perfsat.limit_q[0]", "rtl:perfsat.limit_q@3",
                                          "c:perfsat.limit_q[0]@3", "rtl:perfsat.limit[0]@3",
                                          "rtl:perfsat.limit_q[0]@3x", "rtl:perfsat.limit_i[0]@3"};
    static const char *const unknown[] = {"rtl:nothing.limit_q[0]@3", "rtl:perfsat.limits_q[0]@3",
                                          "model:perfsat.limit_q[60]@3"};
    char err[BLOCK_TEXT];
    fault f;

    for (unsigned i = 0; i < sizeof garbage / sizeof garbage[0]; i++)
        assert_false(fault_parse(&f, garbage[i]));
    random_run_open(&first, block_find("perfsat"), 1, 0);
    for (unsigned i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_true(fault_parse(&f, unknown[i]));
        assert_false(lockstep_add_fault(&first.ls, &f, err, sizeof err));
        assert_null(strchr(err, '\n'));
    }
    lockstep_close(&first.ls);
}

/* What software may set is set by name or number, before a run. */
TEST(settings_are_checked)
{
    static const char *const wrong[] = {"",          "perfsat.enable",     "perfsat.enable=2", "perfsat.enable=-1",
                                        "perfsat=1", "perfsat.enable=yes", "perfsat.nmax=3",   "nothing.enable=1"};
    const lockstep_instance *inst = random_run_open(&first, block_find("perfsat"), 1, 0);
    char err[BLOCK_TEXT];

    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(lockstep_set(&first.ls, wrong[i], err, sizeof err));
        assert_null(strchr(err, '\n'));
    }
    assert_true(lockstep_set(&first.ls, "perfsat.enable=0", err, sizeof err));
    assert_true(lockstep_reset(&first.ls));
    assert_int_equal(block_port_get(port_find(&inst->ports, "enable_i"), inst->in), 0);
    lockstep_close(&first.ls);
}

/* Both sides restored from a snapshot go on as if nothing had happened. */
TEST(snapshot_restores_both_sides)
{
    for (const block *const *b = block_registry; *b; b++) {
        const lockstep *ls = &first.ls;
        lockstep *copy = &second.ls;

        if (!is_base(*b))
            continue;
        random_run_open(&first, *b, 0x5a9, 3000);
        random_run_open(&second, *b, 0x5a9, 3000);
        first.ls.careful = copy->careful = ls->num_sms == 1;
        assert_true(lockstep_reset(&first.ls));
        assert_true(lockstep_reset(copy));
        while (ls->index < 3000) {
            if (ls->index % 7 == 0)
                for (unsigned i = 0; i < ls->num_instances; i++)
                    lockstep_load(&copy->instances[i], ls->instances[i].state);
            assert_true(random_run_cycle(&first));
            if (!random_run_cycle(&second))
                random_run_fail(copy, copy->mismatch.instance->block);
        }
        lockstep_close(&first.ls);
        lockstep_close(copy);
    }
}
