/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/activity_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"

machine fixture_machine(void)
{
    return (machine){
        .name = "fixture", .sms = 1, .warps = 8, .slots = 4, .registers = 4096, .shared_bytes = 1024,
        .schedulers = 1, .scheduler = SCHEDULE_LRR, .fetch_group = 2, .alu_width = 1, .alu_latency = 5,
        .sfu_interval = 3, .sfu_latency = 9, .branch_latency = 4,
        .lsu_queue = 2, .shared_latency = 7, .l1_sets = 4, .l1_ways = 2, .line_bytes = 128,
        .l1_latency = 11, .mshrs = 8, .network_latency = 10, .network_interval = 2,
        .l2_banks = 2, .l2_sets = 16, .l2_ways = 2, .l2_latency = 13, .l2_interval = 3, .l2_queue = 1000,
        .dram_channels = 2, .dram_latency = 17, .dram_interval = 4, .dram_queue = 1000, .sm_mhz = 1000, .memory_mhz = 1000,
    };
}

workload fixture_workload(void)
{
    return (workload){
        .name = "fixture", .ctas = 1, .threads_per_cta = 32, .launches = 1, .insts = 100,
        .alu_distance = 1, .load_distance = 1, .lines = 1,
        .warp_set = 1, .cta_set = 1, .neighbour_set = 1, .random = 1, .footprint = 1000,
    };
}

void fixture_change(void *machine_or_workload, const fixture_set *changes)
{
    for (; changes->at; changes++)
        memcpy((char *)machine_or_workload + changes->at, &changes->to, sizeof changes->to);
}

void fixture_limits(const fixture_limit *limits, unsigned num, fixture_accepts *accepts)
{
    for (const fixture_limit *l = limits; l < limits + num; l++) {
        const int64_t values[] = {l->least - 1, l->least, l->most, l->most + 1};
        char says[64];

        snprintf(says, sizeof says, "%s is ", l->name);
        for (unsigned i = 0; i < 4; i++) {
            const fixture_set change[] = {{l->member, (uint32_t)values[i]}, {0}};
            const bool fine = i == 1 || i == 2;
            char err[256] = "";

            if (values[i] < 0 || values[i] > UINT32_MAX)
                continue;
            if (accepts(change, err, sizeof err) != fine ||
                (!fine && (strncmp(err, says, strlen(says)) != 0 || !strstr(err, "give") || strchr(err, '\n'))))
                fail_msg("%s %lld: \"%s\"", l->name, (long long)values[i], err);
        }
    }
}

/* ---- one SM ----------------------------------------------------------------------- */

const char lab_letters[BALLAST_WARP_STATES + 1] = ".BNAMlxkyIL";

static enum operation operation_of(char letter)
{
    static const char letters[] = "asjlwm|"; /* in the order of enum operation */
    const char *at = strchr(letters, letter);

    if (!at)
        fail_msg("no operation %c", letter);
    return (enum operation)(at - letters);
}

static void lab_close(sm_lab *lab)
{
    sm_close(&lab->sm);
    memory_close(&lab->mem);
    free(lab);
}

sm_lab *lab_open(const machine *m, const workload *w, const char *body)
{
    static sm_lab *lab;

    if (lab)
        lab_close(lab);
    lab = calloc(1, sizeof *lab);
    assert_non_null(lab);
    lab->m = m ? *m : fixture_machine();
    lab->w = *w;
    lab->name = body;
    lab->w.insts = (uint32_t)strlen(body);
    lab->p = (program){.workload = &lab->w, .seed = 1, .warps = workload_warps(w)};
    for (unsigned i = 0; body[i]; i++) {
        lab->p.body[i].op = (uint8_t)operation_of(body[i]);
        lab->p.body[i].locality = RANDOM;
    }
    workload_describe(&lab->w, &lab->m, &lab->desc);
    assert_true(memory_open(&lab->mem, &lab->m));
    lab->mem.tick = SIM_TICKS_NORMAL;
    assert_true(sm_open(&lab->sm, &lab->m, &lab->mem, 0));
    sm_start_kernel(&lab->sm, &lab->p, &lab->desc);
    return lab;
}

sm_lab *lab_begin(const machine *m, unsigned warps, unsigned ctas, const char *body)
{
    workload w = fixture_workload();
    sm_lab *lab;

    w.threads_per_cta = 32 * warps;
    lab = lab_open(m, &w, body);
    for (unsigned i = 0; i < ctas; i++)
        lab_launch(lab, i);
    return lab;
}

void lab_launch(sm_lab *lab, uint32_t cta)
{
    uint32_t held = 0;

    for (unsigned i = 0; i < lab->sm.resident_ctas; i++)
        held |= UINT32_C(1) << lab->sm.order[i];
    assert_true(lab->sm.resident_ctas < lab->desc.nmax);
    sm_launch(&lab->sm, (unsigned)__builtin_ctz(~held), cta); /* the lowest that is free, as the dispatcher does */
}

void lab_run(sm_lab *lab, unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) {
        assert_true(lab->cycles < LAB_CYCLES);
        lab->now += SIM_TICKS_NORMAL;
        sm_step(&lab->sm, lab->now, &lab->control);
        sm_keep_next(&lab->seen[lab->cycles], &lab->sm.obs, NULL, &lab->setups[lab->cycles]);
        for (unsigned warp = 0; warp < BALLAST_MAX_WARPS; warp++) {
            const unsigned state = sm_obs_warp_state(&lab->sm.obs, warp);

            assert_true(state < BALLAST_WARP_STATES);
            lab->states[warp][lab->cycles] = lab_letters[state];
        }
        lab->cycles++;
    }
}

void lab_run_out(sm_lab *lab)
{
    while (!sm_empty(&lab->sm)) {
        if (lab->cycles == LAB_CYCLES)
            fail_msg("still busy after %u cycles", lab->cycles);
        lab_run(lab, 1);
    }
}

static void go_on_for(sm_lab *lab, const char *letters)
{
    const unsigned cycles = LAB_FIRST + (unsigned)strlen(letters);

    if (cycles > lab->cycles)
        lab_run(lab, cycles - lab->cycles);
}

void lab_expect(sm_lab *lab, unsigned warp, const char *states)
{
    const char *seen = lab->states[warp];

    go_on_for(lab, states);
    if (memcmp(seen, "NNNN", LAB_FIRST) != 0 || memcmp(seen + LAB_FIRST, states, strlen(states)) != 0)
        fail_msg("%s: warp %u: %.*s, not NNNN%s", lab->name, warp, (int)lab->cycles, seen, states);
}

void lab_expect_order(sm_lab *lab, const char *order)
{
    go_on_for(lab, order);
    for (unsigned c = 0; order[c]; c++) {
        char who = '-';

        for (unsigned warp = 0; warp < lab->m.warps; warp++)
            if (strchr("IL", lab->states[warp][LAB_FIRST + c]))
                who = (char)('0' + warp);
        if (who != order[c])
            fail_msg("%s: cycle %u: %c, not %c", lab->name, c, who, order[c]);
    }
}

unsigned lab_cycle_of(const sm_lab *lab, unsigned warp, const char *letters, unsigned nth)
{
    for (unsigned c = 0; c < lab->cycles; c++)
        if (strchr(letters, lab->states[warp][c]) && nth-- == 0)
            return c;
    fail_msg("%s: never", lab->name);
    return 0;
}

/* ---- a program and what becomes of it --------------------------------------------- */

static sm_lab *open_row(const lab_row *row)
{
    const unsigned ctas = row->ctas ? row->ctas : 1;
    machine m = fixture_machine();
    workload w = fixture_workload();
    sm_lab *lab;

    w.threads_per_cta = row->warps ? 32 * row->warps : 32;
    fixture_change(&m, row->machine);
    fixture_change(&w, row->workload);
    lab = lab_open(&m, &w, row->body);
    lab->name = row->name;
    lab->control = row->control;
    for (unsigned i = 0; i < sizeof row->uses / sizeof row->uses[0]; i++)
        if (row->uses[i].uses || row->uses[i].uses_load) {
            lab->p.body[row->uses[i].at].uses = row->uses[i].uses;
            lab->p.body[row->uses[i].at].uses_load = row->uses[i].uses_load;
        }
    for (unsigned cta = 0; cta < ctas; cta++)
        lab_launch(lab, cta);
    return lab;
}

static void same(const sm_lab *lab, const char *what, uint64_t is, uint64_t wanted)
{
    if (is != wanted)
        fail_msg("%s: %s is %llu, not %llu", lab->name, what, (unsigned long long)is, (unsigned long long)wanted);
}

/* Every warp has executed the body, and nothing else. */
static void all_is_counted(const sm_lab *lab)
{
    const uint64_t warps = lab->sm.counts.ctas * lab->p.warps;
    uint64_t wanted[OPERATIONS] = {0};

    for (unsigned at = 0; at < lab->w.insts; at++)
        wanted[lab->p.body[at].op] += warps;
    same(lab, "instructions", lab->sm.counts.instructions, warps * lab->w.insts);
    for (unsigned op = 0; op < OPERATIONS; op++)
        same(lab, "operations of a kind", lab->sm.counts.operations[op], wanted[op]);
}

/* Its slot is active up to the cycle in which it finishes. */
static void one_finishes_in(const sm_lab *lab, unsigned done)
{
    for (unsigned c = 0; c < lab->cycles; c++) {
        same(lab, "cta_start", lab->seen[c].cta_start, c == 0);
        same(lab, "cta_done", lab->seen[c].cta_done, c == done);
        same(lab, "cta_active", lab->seen[c].cta_active, c <= done);
    }
}

static void check_row(sm_lab *lab, const lab_row *row)
{
    if (row->cycles)
        lab_run(lab, row->cycles);
    else
        lab_run_out(lab);
    for (unsigned warp = 0; warp < sizeof row->states / sizeof row->states[0]; warp++)
        if (row->states[warp])
            lab_expect(lab, warp, row->states[warp]);
    if (row->order)
        lab_expect_order(lab, row->order);
    if (sm_empty(&lab->sm)) {
        same(lab, "CTAs", lab->sm.counts.ctas, row->ctas ? row->ctas : 1);
        all_is_counted(lab);
    }
    if (row->done)
        one_finishes_in(lab, row->done);
    if (row->took)
        same(lab, "the time of a load", lab_cycle_of(lab, 0, "I", 0) - lab_cycle_of(lab, 0, "L", 0), row->took);
    if (row->reads)
        same(lab, "reads", lab->mem.counts.reads, row->reads);
    if (row->writes)
        same(lab, "writes", lab->mem.counts.writes, row->writes);
    if (row->l1_lines)
        same(lab, "lines of the L1", lab->sm.counts.l1_hits + lab->sm.counts.l1_misses, row->l1_lines);
}

void lab_check(const lab_row *rows, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        check_row(open_row(&rows[i]), &rows[i]);
}

/* ---- the chip --------------------------------------------------------------------- */

sim_control fixture_control(void)
{
    sim_control control;

    memset(&control, 0, sizeof control);
    control.sm_level = control.mem_level = BALLAST_VF_NORMAL;
    for (unsigned i = 0; i < MACHINE_MAX_SMS; i++)
        control.sm[i] = (sm_control){.req = true};
    return control;
}

chip_sim *fixture_open(const machine *m, const workload *w, uint64_t seed)
{
    char err[256] = "";
    chip_sim *sim = sim_open(m, w, seed, err, sizeof err);

    if (!sim)
        fail_msg("%s", err);
    return sim;
}

static uint64_t in_state(const sm_obs *obs, unsigned state)
{
    uint64_t mask = ~UINT64_C(0);

    for (unsigned p = 0; p < BALLAST_STATE_PLANES; p++)
        mask &= state >> p & 1 ? obs->ws[p] : ~obs->ws[p];
    return mask;
}

static uint64_t warps_of(const sm_obs *obs, uint64_t among, uint32_t slots)
{
    uint64_t mask = 0;

    for (; among; among &= among - 1) {
        const unsigned warp = (unsigned)__builtin_ctzll(among);

        assert_true(obs->setup->warp_slot[warp] < BALLAST_MAX_SLOTS);
        if (slots >> obs->setup->warp_slot[warp] & 1)
            mask |= among & -among;
    }
    return mask;
}

static void slots_keep_the_rules(const bus_rules *b, const sm_obs *obs)
{
    assert_int_equal(obs->cta_active, b->held | obs->cta_start);
    assert_int_equal(obs->cta_start & b->held, 0);
    assert_int_equal(obs->cta_done & ~obs->cta_active, 0);
    assert_true(__builtin_popcount(obs->cta_active) <= obs->setup->kernel.nmax);
    if (obs->kernel_start) {
        assert_int_equal(b->held, 0);
        assert_int_equal(obs->cta_start, 0);
    }
}

static void warps_keep_the_rules(const sm_obs *obs)
{
    const uint64_t there = ~in_state(obs, BALLAST_WARP_EMPTY);

    for (unsigned state = BALLAST_WARP_STATES; state < 16; state++)
        assert_int_equal(in_state(obs, state), 0);
    assert_int_equal(there & ~warps_of(obs, there, obs->cta_active), 0);
    assert_int_equal(obs->paused & ~there, 0);
    for (uint32_t left = obs->cta_active; left; left &= left - 1) {
        const int warps = __builtin_popcountll(warps_of(obs, there, left & -left));

        assert_true(warps <= obs->setup->kernel.warps_per_cta);
        if (obs->cta_start & left & -left)
            assert_int_equal(warps, obs->setup->kernel.warps_per_cta);
        if (!(obs->cta_done & left & -left))
            assert_true(warps > 0);
    }
}

/* Per scheduler: one issues at most, and somebody lost only if somebody won. */
static void issue_keeps_the_rules(const bus_rules *b, const sm_obs *obs, const sm_control *control)
{
    const uint64_t issued = sm_obs_issued(obs);
    const uint64_t lost = in_state(obs, BALLAST_WARP_ALU_LOST) | in_state(obs, BALLAST_WARP_MEM_LOST);

    for (unsigned s = 0; s < b->schedulers; s++) {
        uint64_t mine = 0;

        for (unsigned warp = s; warp < BALLAST_MAX_WARPS; warp += b->schedulers)
            mine |= UINT64_C(1) << warp;
        assert_true(__builtin_popcountll(issued & mine) <= 1);
        if (control->soft ? lost & mine : lost & mine & ~obs->paused)
            assert_true(issued != 0);
    }
    if (!control->soft)
        assert_int_equal(issued & obs->paused, 0);
    assert_int_equal(obs->paused & ~warps_of(obs, obs->paused, control->paused), 0);
}

void bus_check(bus_rules *b, const sm_obs *obs, const sm_control *control)
{
    slots_keep_the_rules(b, obs);
    warps_keep_the_rules(obs);
    issue_keeps_the_rules(b, obs, control);
    if (obs->cta_denied)
        assert_true(control->req);
    b->held = obs->cta_active & ~obs->cta_done;
    b->ctas += (unsigned)__builtin_popcount(obs->cta_done);
    b->issued += (uint64_t)__builtin_popcountll(sm_obs_issued(obs));
}

uint64_t fixture_run_steered(chip_sim *sim, sim_control *control, fixture_steer *steer, uint64_t most)
{
    const machine *m = sim_machine(sim);
    bus_rules *rules = calloc(m->sms, sizeof *rules);
    const sm_obs *const *obs;
    uint64_t cycles = 0;
    sim_counts counts;

    assert_non_null(rules);
    for (unsigned i = 0; i < m->sms; i++)
        rules[i].schedulers = m->schedulers;
    while ((obs = sim_step(sim, control))) {
        for (unsigned i = 0; i < m->sms; i++)
            bus_check(&rules[i], obs[i], &control->sm[i]);
        if (++cycles > most)
            fail_msg("still busy after %llu cycles", (unsigned long long)most);
        if (steer)
            steer(control, cycles);
    }
    sim_get_counts(sim, &counts);
    assert_int_equal(counts.cycles, cycles);
    for (unsigned i = 0; i < m->sms; i++) {
        counts.ctas -= rules[i].ctas;
        counts.instructions -= rules[i].issued;
        assert_int_equal(rules[i].held, 0);
    }
    assert_int_equal(counts.ctas, 0);
    assert_int_equal(counts.instructions, 0);
    free(rules);
    return cycles;
}

uint64_t fixture_run_checked(chip_sim *sim, const sim_control *control, uint64_t most)
{
    sim_control same = *control;

    return fixture_run_steered(sim, &same, NULL, most);
}
