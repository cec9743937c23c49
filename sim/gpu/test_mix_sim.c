/* SPDX-License-Identifier: Apache-2.0
 *
 * Several kernels at once in the simulator: each CTA runs once and where the dispatcher's mode and the quotas allow, what each kernel did is
 * counted, and a kernel alone runs as it does without the dispatcher of several.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

enum { MOST_CYCLES = 400000, KERNELS = 3 };

/* Of the test that runs. */
static machine m;
static workload w[KERNELS]; /* of which w[0] is the first and the others are in the mix */
static kernel_mix mix;
static chip_sim *sim;
static sim_control control;

/* CTAs of one, two and three warps that differ in length. */
static workload small_kernel(unsigned warps, unsigned ctas)
{
    workload kernel = fixture_workload();

    kernel.ctas = ctas;
    kernel.threads_per_cta = warps * 32;
    kernel.insts = 60;
    kernel.spread = 0.5;
    kernel.loads = 0.2;
    return kernel;
}

static int set_up(void **state)
{
    (void)state;
    m = fixture_machine();
    m.sms = 3;
    m.warps = 12;
    m.slots = 6;
    memset(&mix, 0, sizeof mix);
    for (unsigned k = 0; k < KERNELS; k++) {
        w[k] = small_kernel(k + 1, 30 - 7 * k);
        kernel_mix_set_quota(&mix, k, m.slots);
    }
    control = fixture_control();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_close(sim);
    sim = NULL;
    return 0;
}

#define MIX_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void open_mix(unsigned kernels)
{
    char err[256];

    mix.num_others = kernels - 1;
    for (unsigned k = 1; k < kernels; k++)
        mix.others[k - 1] = w[k];
    sim_close(sim);
    sim = sim_open_mix(&m, &w[0], &mix, 1, err, sizeof err);
    if (!sim)
        fail_msg("%s", err);
}

/* ---- what is looked at in every cycle --------------------------------------------- */

typedef struct seen {
    uint8_t runs[KERNELS][64];           /* how often each CTA was launched     */
    unsigned most[KERNELS][MACHINE_MAX_SMS]; /* CTAs of a kernel on an SM at once */
    unsigned most_held[MACHINE_MAX_SMS];     /* of all kernels                    */
    uint64_t first[KERNELS], last[KERNELS];  /* cycle of a launch; of an end    */
    unsigned launches, most_at_once;     /* launches; in one cycle              */
    uint64_t cycles;
} seen;

static seen s;

static void look_at_sm(unsigned sm, const sm_obs *obs)
{
    unsigned held[KERNELS] = {0}, warps = 0;
    uint32_t cta;

    for (unsigned slot = 0; slot < m.slots; slot++) {
        unsigned kernel;

        if (!(obs->cta_active >> slot & 1))
            continue;
        kernel = sim_cta_in(sim, sm, slot, &cta);
        held[kernel]++;
        warps += workload_warps(&w[kernel]);
        if (obs->cta_start >> slot & 1) {
            s.runs[kernel][cta]++;
            s.first[kernel] = s.first[kernel] ? s.first[kernel] : s.cycles;
        }
        if (obs->cta_done >> slot & 1)
            s.last[kernel] = s.cycles;
    }
    assert_true(warps <= m.warps);
    if ((unsigned)__builtin_popcount(obs->cta_active) > s.most_held[sm])
        s.most_held[sm] = (unsigned)__builtin_popcount(obs->cta_active);
    for (unsigned k = 0; k < KERNELS; k++) {
        s.most[k][sm] = held[k] > s.most[k][sm] ? held[k] : s.most[k][sm];
        assert_true(held[k] <= mix.quota[k][sm]);
    }
}

/* Every warp of the bus is in a slot that holds a CTA, and of its CTA's kernel there are as many warps as it has. */
static void look_at_warps(unsigned sm, const sm_obs *obs)
{
    unsigned of_slot[BALLAST_MAX_SLOTS] = {0};
    uint32_t cta;

    for (unsigned warp = 0; warp < m.warps; warp++)
        if (sm_obs_warp_state(obs, warp) != BALLAST_WARP_EMPTY) {
            assert_true(obs->cta_active >> obs->setup->warp_slot[warp] & 1);
            of_slot[obs->setup->warp_slot[warp]]++;
        }
    for (unsigned slot = 0; slot < m.slots; slot++)
        if (obs->cta_start >> slot & 1)
            assert_int_equal(of_slot[slot], workload_warps(&w[sim_cta_in(sim, sm, slot, &cta)]));
}

static void run(void)
{
    const sm_obs *const *obs;

    memset(&s, 0, sizeof s);
    while ((obs = sim_step(sim, &control))) {
        unsigned launches = 0;

        assert_true(++s.cycles < MOST_CYCLES);
        for (unsigned i = 0; i < m.sms; i++) {
            look_at_sm(i, obs[i]);
            look_at_warps(i, obs[i]);
            launches += (unsigned)__builtin_popcount(obs[i]->cta_start);
            assert_int_equal(obs[i]->kernel_start, s.cycles == 1);
        }
        s.launches += launches;
        s.most_at_once = launches > s.most_at_once ? launches : s.most_at_once;
    }
}

static uint64_t instructions_of(const workload *kernel)
{
    program p;
    uint64_t all = 0;

    program_make(&p, kernel, 1);
    for (uint32_t cta = 0; cta < kernel->ctas; cta++)
        all += (uint64_t)program_length(&p, cta) * workload_warps(kernel);
    return all * kernel->launches;
}

static void expect_counts(unsigned kernels)
{
    sim_counts all;
    uint64_t instructions = 0, ctas = 0, longest = 0;

    sim_get_counts(sim, &all);
    for (unsigned k = 0; k < kernels; k++) {
        sim_kernel_counts of;

        sim_get_kernel_counts(sim, k, &of);
        assert_true(of.finished);
        assert_int_equal(of.ctas, w[k].ctas * w[k].launches);
        assert_int_equal(of.instructions, instructions_of(&w[k]));
        assert_int_equal(of.first + 1, s.first[k]); /* cycles count from 1 here */
        assert_true(of.cycles >= s.last[k] && of.cycles <= s.last[k] + 2); /* what it held returns */
        for (uint32_t cta = 0; cta < w[k].ctas; cta++)
            assert_int_equal(s.runs[k][cta], w[k].launches);
        instructions += of.instructions;
        ctas += of.ctas;
        longest = of.cycles > longest ? of.cycles : longest;
    }
    assert_int_equal(all.instructions, instructions);
    assert_int_equal(all.ctas, ctas);
    assert_int_equal(all.cycles, longest);
    assert_int_equal(s.launches, ctas);
    assert_int_equal(s.most_at_once, 1);
}

/* ---- tests ------------------------------------------------------------------------ */

MIX_TEST(cke_1_each_cta_of_each_kernel_runs_once)
{
    for (unsigned kernels = 2; kernels <= KERNELS; kernels++)
        for (unsigned mode = MCKE_QUOTAS; mode <= MCKE_QUEUE; mode++) {
            mix.mode = (uint8_t)mode;
            open_mix(kernels);
            run();
            expect_counts(kernels);
        }
}

MIX_TEST(cke_1_kernels_share_each_sm_up_to_their_quotas)
{
    kernel_mix_set_quota(&mix, 0, 2);
    kernel_mix_set_quota(&mix, 1, 3);
    mix.quota[0][2] = 1; /* quotas are those of an SM */
    open_mix(2);
    run();
    for (unsigned i = 0; i < m.sms; i++) {
        assert_int_equal(s.most[0][i], i == 2 ? 1 : 2);
        assert_int_equal(s.most[1][i], 3);
    }
    expect_counts(2);
}

MIX_TEST(gwde_3_an_sm_has_a_limit_of_its_own)
{
    control.sm[1].limit = 2;
    open_mix(2);
    run();
    assert_true(s.most[0][1] <= 2 && s.most[1][1] <= 2);
    assert_int_equal(s.most_held[1], 2);
    assert_true(s.most_held[0] > 3);
}

MIX_TEST(cke_2_apart_a_kernel_has_sms_of_its_own)
{
    mix.mode = MCKE_APART;
    open_mix(KERNELS);
    run();
    for (unsigned i = 0; i < m.sms; i++)
        for (unsigned k = 0; k < KERNELS; k++)
            assert_true((s.most[k][i] > 0) == (i % KERNELS == k));
}

/* The first one takes all it can: 12 warps are 4 CTAs of three. */
MIX_TEST(gwde_5_leftover)
{
    w[0] = small_kernel(3, 30);
    w[1] = small_kernel(1, 30);
    mix.mode = MCKE_LEFTOVER;
    open_mix(2);
    run();
    for (unsigned i = 0; i < m.sms; i++)
        assert_int_equal(s.most[0][i], 4);
    assert_true(s.first[1] > s.first[0] + 12); /* not before the SMs are full */
}

MIX_TEST(gwde_5_in_a_queue_the_second_begins_where_the_first_has_no_cta_left)
{
    mix.mode = MCKE_QUEUE;
    kernel_mix_set_quota(&mix, 0, 1);
    open_mix(2);
    run();
    assert_true(s.first[1] < s.last[0]);
    mix.mode = MCKE_LEFTOVER;
    open_mix(2);
    run();
    assert_true(s.first[1] < 10); /* by room it does not wait */
}

enum { MOST_PLACES = 64 };

/* A run to its end: where the CTAs of the first wave went, in their order; what was done; how long it took. */
typedef struct whole_run {
    unsigned num, places[MOST_PLACES];
    uint64_t cycles;
    sim_counts counts;
} whole_run;

static void run_whole(chip_sim *of, whole_run *r)
{
    const sm_obs *const *obs;
    bool first_wave = true;

    memset(r, 0, sizeof *r);
    while ((obs = sim_step(of, &control)) != NULL) {
        for (unsigned i = 0; i < m.sms; i++) {
            first_wave = first_wave && !obs[i]->cta_done;
            if (first_wave && obs[i]->cta_start)
                r->places[r->num++] = i << 5 | (unsigned)__builtin_ctz(obs[i]->cta_start);
        }
        r->cycles++;
    }
    sim_get_counts(of, &r->counts);
}

/* mcke's page: alone, with no quota below the limits, it launches what gwde launches, but a cycle or two earlier. So the first wave lies in
 * the same places, all is done that is to be done, and nearly in the same time. */
MIX_TEST(a_kernel_alone_runs_as_without_a_mix)
{
    chip_sim *plain;
    whole_run alone, mixed;

    m.scheduler = SCHEDULE_GTO;
    m.schedulers = 2;
    for (unsigned warps = 1; warps <= 6; warps++) {
        w[0] = small_kernel(warps, 400);
        open_mix(1);
        run_whole(sim, &mixed);
        plain = fixture_open(&m, &w[0], 1);
        run_whole(plain, &alone);
        sim_close(plain);
        assert_true(alone.num >= m.sms * 2 && alone.cycles > 3000);
        assert_int_equal(mixed.num, alone.num);
        assert_memory_equal(mixed.places, alone.places, sizeof alone.places);
        assert_int_equal(mixed.counts.ctas, alone.counts.ctas);
        assert_int_equal(mixed.counts.instructions, alone.counts.instructions);
        assert_in_range(mixed.cycles * 100, alone.cycles * 95, alone.cycles * 101);
    }
}

MIX_TEST(a_kernel_is_launched_again_while_the_other_one_runs)
{
    w[0].launches = 3;
    w[0].ctas = 5;
    open_mix(2);
    run();
    expect_counts(2);
}

MIX_TEST(the_same_run_after_a_rewind)
{
    seen before;

    open_mix(KERNELS);
    run();
    before = s;
    assert_true(sim_rewind(sim));
    for (unsigned k = 0; k < KERNELS; k++) {
        sim_kernel_counts counts;

        sim_get_kernel_counts(sim, k, &counts);
        assert_false(counts.finished);
        assert_int_equal(counts.first + counts.cycles + counts.instructions + counts.ctas, 0);
    }
    run();
    assert_memory_equal(&before, &s, sizeof s);
}

MIX_TEST(the_bus_describes_the_mix)
{
    const sm_obs *const *obs;
    const ballast_kernel_desc *desc;

    w[0] = small_kernel(3, 30); /* of which four fit */
    w[0].is_2d = true;
    open_mix(KERNELS);
    obs = sim_step(sim, &control);
    desc = &obs[1]->setup->kernel;
    assert_int_equal(desc->nmax, m.slots);
    assert_int_equal(desc->grid_ctas, w[0].ctas + w[1].ctas + w[2].ctas);
    assert_int_equal(desc->warps_per_cta, 3);
    assert_int_equal(desc->is_2d, 1);
}

/* k1 never ends; the run is over with k2. */
MIX_TEST(nobody_waits_for_the_background)
{
    sim_kernel_counts counts[2];

    w[0].insts = 1 << 24;
    mix.background = 1;
    mix.mode = MCKE_LEFTOVER;
    kernel_mix_set_quota(&mix, 0, 1);
    open_mix(2);
    run();
    for (unsigned k = 0; k < 2; k++)
        sim_get_kernel_counts(sim, k, &counts[k]);
    assert_true(counts[1].finished && !counts[0].finished);
    assert_int_equal(counts[1].cycles, s.cycles);
    assert_int_equal(counts[0].ctas, 0);
    assert_true(counts[0].instructions > s.cycles / 10);
}

/* The same kernel twice: what one has fetched is no use to the other. */
MIX_TEST(each_kernel_has_data_of_its_own)
{
    sim_counts alone, both;

    w[0] = w[1] = small_kernel(2, 12);
    w[0].footprint = w[1].footprint = 8;
    m.l1_infinite = true;
    open_mix(1);
    run();
    sim_get_counts(sim, &alone);
    open_mix(2);
    run();
    sim_get_counts(sim, &both);
    assert_true(alone.memory.reads > 8);
    assert_int_equal(both.memory.dram_lines, 2 * alone.memory.dram_lines);
}

MIX_TEST(progress_is_that_of_all_kernels)
{
    open_mix(2);
    run();
    assert_true(sim_progress(sim) > 0.999 && sim_progress(sim) < 1.001);
}

/* ---- refusals --------------------------------------------------------------------- */

static void expect_refused(unsigned others, const char *why)
{
    char err[256] = "";

    mix.num_others = others;
    for (unsigned k = 1; k <= others && k < KERNELS; k++)
        mix.others[k - 1] = w[k];
    assert_null(sim_open_mix(&m, &w[0], &mix, 1, err, sizeof err));
    if (!strstr(err, why))
        fail_msg("\"%s\" has no \"%s\"", err, why);
}

MIX_TEST(mixes_that_cannot_be)
{
    expect_refused(4, "5 kernels at once; give 4 at most");
    kernel_mix_set_quota(&mix, 1, 0);
    expect_refused(1, "no SM may hold a CTA of kernel 2 of 2; give it a quota");
    kernel_mix_set_quota(&mix, 1, 1);
    mix.background = 3;
    expect_refused(1, "would be over at once");
    mix.background = 0;
    mix.mode = MCKE_APART;
    m.sms = 2;
    expect_refused(2, "kernel 3 of 3; give it a quota, and every kernel an SM of its own");
    mix.quota[1][1] = 0; /* apart, SM 1 is kernel 1's only one */
    expect_refused(1, "no SM may hold a CTA of kernel 2 of 2");
    m.sms = 3;
    mix.mode = MCKE_QUOTAS;
    w[1].threads_per_cta = 32 * 13;
    expect_refused(1, "warp slots");
}
