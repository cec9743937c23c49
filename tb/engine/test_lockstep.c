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
#include "engine/random_sms.h"
#include "engine/suite_fixture.h"

enum { WARPS = 48, SLOTS = 8, FAULT_CYCLES = 2000, FIRST_CYCLE = 1000 };

/* A block after what it needs, on random buses and with settings that change: the same again every time. */
typedef struct random_run {
    lockstep ls;
    random_sms sms;
} random_run;

static random_run first, second; /* as many as a test has at once */

/* The block's instance. */
static const lockstep_instance *open_run(random_run *r, const block *blk, uint64_t seed, uint64_t cycles)
{
    const block *list[BLOCK_MAX_NEEDS + 2] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;
    lockstep *ls = &r->ls;

    for (const char *const *need = blk->model->needs; *need; need++) /* each after its own needs */
        list[num++] = block_find(*need);
    list[num] = blk;
    assert_true(lockstep_open(ls, list, 0, 7, err, sizeof err));
    assert_string_equal(err, "");
    ls->stir_seed = seed;
    random_sms_start(&r->sms, seed, ls->num_sms, lockstep_param(ls, "NumWarps", WARPS), lockstep_param(ls, "NumSlots", SLOTS),
                     cycles);
    return &ls->instances[num];
}

static bool is_base(const block *blk)
{
    return !strcmp(blk->name, blk->model->block_name);
}

/* ---- random input --------------------------------------------------------------------- */

static bool random_cycle(random_run *r)
{
    const sm_obs *const *obs = random_sms_next(&r->sms);

    assert_non_null(obs);
    return lockstep_cycle_all(&r->ls, obs, r->ls.index + FIRST_CYCLE);
}

static bool run(random_run *r)
{
    random_sms_rewind(&r->sms);
    if (!lockstep_reset(&r->ls))
        return false;
    while (r->ls.index < r->sms.cycles)
        if (!random_cycle(r))
            return false;
    return true;
}

static uint64_t was(const lockstep_mismatch *m, enum lockstep_side side)
{
    return m->port && m->port->kind == PORT_REG ? block_port_get(m->port, m->instance->view[side].before) : 0;
}

static void fail_with(const lockstep *ls, const block *blk)
{
    const lockstep_mismatch *m = &ls->mismatch;

    fail_msg("%s: cycle %llu %s: model %llx, RTL %llx (before: %llx, %llx) %s", blk->name, (unsigned long long)m->index,
             m->port ? m->port->name : "?", (unsigned long long)m->expected, (unsigned long long)m->actual,
             (unsigned long long)was(m, SIDE_MODEL), (unsigned long long)was(m, SIDE_RTL), m->text);
}

/* A fast cycle does not say what differs: then the same again, closely. */
static void expect_agreement(random_run *r, const block *blk)
{
    if (run(r))
        return;
    r->ls.careful = true;
    run(r);
    fail_with(&r->ls, blk);
}

/* Each variant for a while, carefully, so that a failure has a name. */
TEST(twins_agree_on_random_input)
{
    for (const block *const *b = block_registry; *b; b++) {
        const lockstep *ls = &first.ls;

        open_run(&first, *b, 0x5eed, 60000);
        first.ls.careful = ls->num_sms == 1;
        if (ls->num_sms > 1)
            first.sms.cycles = 300000 / ls->num_sms;
        expect_agreement(&first, *b);
        assert_int_equal(ls->index, first.sms.cycles);
        lockstep_close(&first.ls);
    }
}

/* ---- what the contract leaves open -------------------------------------------------------- */

enum { MANY_VALUES = 64 };

static void note_value(const lockstep_instance *inst, const block_port *port, bool *seen)
{
    const uint64_t value = block_port_get(port, inst->in), most = inst->block->model->most(&inst->cfg, inst->in, port);

    assert_in_range(value, 0, most);
    assert_in_range(value, 0, MANY_VALUES - 1);
    if (most == UINT64_MAX)
        seen[value] = true;
}

/* An input with a range has all values of its width where it is not read. */
TEST(inputs_that_are_not_read_have_every_value)
{
    unsigned with_ranges = 0;

    for (const block *const *b = block_registry; *b; b++) {
        const lockstep_instance *inst = open_run(&first, *b, 0xa11, 3000);

        for (unsigned p = 0; p < inst->ports.num; p++) {
            const block_port *port = &inst->ports.ports[p];
            bool seen[MANY_VALUES] = {false};

            if (!port->range)
                continue;
            with_ranges++;
            random_sms_rewind(&first.sms);
            assert_true(lockstep_reset(&first.ls));
            while (first.ls.index < (first.ls.num_sms > 1 ? 600 : first.sms.cycles)) {
                assert_true(random_cycle(&first));
                note_value(inst, port, seen);
            }
            for (unsigned value = 0; value >> port->width == 0; value++)
                if (!seen[value])
                    fail_msg("%s: %s is never %u", (*b)->name, port->name, value);
            if (first.ls.num_sms > 1) /* one SM is as good as another */
                break;
        }
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

    if (block_port_get(nmax, in) > SLOTS)
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
    open_run(&first, &straying, 0x57a1, 1000);
    first.ls.careful = true;
    assert_false(run(&first));
    assert_string_equal(first.ls.mismatch.port->name, "limit");
    first.ls.stir_seed = 0; /* a bus of kernels does not show it */
    assert_true(run(&first));
    lockstep_close(&first.ls);
}

/* ---- every output and register, on the fast way and on the careful one ------------------ */

enum { LIES = 2 };

/* What a model says wrongly in this cycle, so that the RTL differs: one bit of each of these ports. */
static struct {
    const block_model *honest;
    const block_port *port[LIES]; /* NULL: none */
    unsigned bit[LIES];
} lie;

static void flip_lies(void *out, void *state)
{
    for (int i = 0; i < LIES; i++) {
        const block_port *port = lie.port[i];
        void *values = port && port->kind == PORT_REG ? state : out;

        if (port)
            block_port_set(port, values, block_port_get(port, values) ^ UINT64_C(1) << lie.bit[i]);
    }
}

/* No decision in a cycle with a lie, which would not go the fast way. */
static bool lying_cycle(const void *before, void *after, const void *cfg, const sm_obs *const *obs,
                        const void *const *needs, void *in, void *out)
{
    const bool decides = lie.honest->cycle(before, after, cfg, obs, needs, in, out);

    flip_lies(out, after);
    return decides && !lie.port[0];
}

/* The block with a model that lies, everything else as it is. */
static const block *liar_of(const block *blk)
{
    static block_model model;
    static block liar;

    lie.honest = blk->model;
    model = *blk->model;
    model.cycle = lying_cycle;
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
    equal = random_cycle(r);
    flip_lies(inst->out, inst->state);
    lie.port[0] = lie.port[1] = NULL;
    if (equal || !m->found)
        fail_msg("%s: compared %s, a difference in bit %u of %s is not seen", inst->block->name, way,
                 lie.bit[0], port->name);
    if (m->instance != inst || m->index != index || m->cycle != index + FIRST_CYCLE ||
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
    if (random_one_in(seed, 2) && !random_cycle(r))
        fail_with(&r->ls, inst->block);
}

/* In the model or in the RTL is the same here: one bit of one side, in one cycle. */
TEST(every_output_and_register_is_compared)
{
    unsigned compared = 0;
    uint64_t seed = 0xc03;

    for (const block *const *b = block_registry; *b; b++) {
        const lockstep_instance *inst = open_run(&first, liar_of(*b), 0xfa57, UINT64_MAX);
        unsigned ports = 0;

        assert_true(lockstep_reset(&first.ls));
        for (unsigned p = 0; p < inst->ports.num; p++) {
            if (inst->ports.ports[p].kind == PORT_IN)
                continue;
            expect_compared(&first, inst, &inst->ports.ports[p], &seed);
            ports++;
        }
        assert_int_equal(ports, inst->comparisons);
        compared += ports;
        lockstep_close(&first.ls);
    }
    print_message("%u outputs and registers\n", compared);
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
    if (run(r))
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

        if (!is_base(*b) || (*b)->model->limit_stride)
            continue; /* a chip's SMs are governors, which have their own turn */
        inst = open_run(&first, *b, 0xfa17, FAULT_CYCLES);
        for (unsigned p = 0; p < inst->ports.num; p++) {
            if (inst->ports.ports[p].kind == PORT_IN)
                continue;
            for (unsigned bit = 0; bit < inst->ports.ports[p].width; bit++) {
                for (int in_rtl = 0; in_rtl < 2; in_rtl++)
                    expect_found(&first, inst, &inst->ports.ports[p], bit, (injected * 37) % FAULT_CYCLES, in_rtl);
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
    open_run(&first, block_find("perfsat"), 1, 0);
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
    const lockstep_instance *inst = open_run(&first, block_find("perfsat"), 1, 0);
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
        open_run(&first, *b, 0x5a9, 3000);
        open_run(&second, *b, 0x5a9, 3000);
        first.ls.careful = copy->careful = ls->num_sms == 1;
        assert_true(lockstep_reset(&first.ls));
        assert_true(lockstep_reset(copy));
        while (ls->index < 3000) {
            if (ls->index % 7 == 0)
                for (unsigned i = 0; i < ls->num_instances; i++)
                    lockstep_load(&copy->instances[i], ls->instances[i].state);
            assert_true(random_cycle(&first));
            if (!random_cycle(&second))
                fail_with(copy, copy->mismatch.instance->block);
        }
        lockstep_close(&first.ls);
        lockstep_close(copy);
    }
}
