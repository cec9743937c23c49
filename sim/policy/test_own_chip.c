/* SPDX-License-Identifier: Apache-2.0
 *
 * A chip under somebody's own policy: on random buses it gives out, cycle by cycle, what the built-in governor gives out whose blocks make up
 * that policy; and a policy that breaks the interface ends the run with its reason.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/sm_governor/bind.h"
#include "engine/random.h"
#include "engine/random_sms.h"
#include "engine/suite_fixture.h"
#include "policy/own_chip.h"

enum { SMS = 2, CYCLES = 30000 };

/* ---- policies that the built-in ones are made of ------------------------------------- */

/* As in sm_governor, the class comes a cycle late. */
typedef struct perfsat_late {
    perfsat_state inner;
    uint8_t ps_class; /* of the cycle before */
} perfsat_late;

static void perfsat_begin(void *state, const void *cfg)
{
    const perfsat_cfg k = perfsat_cfg_default();

    (void)cfg;
    perfsat_reset(&((perfsat_late *)state)->inner, &k);
}

static void perfsat_cycle(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    const perfsat_cfg k = perfsat_cfg_default();
    perfsat_late *s = state;
    perfsat_out o;

    (void)cfg;
    perfsat_step(&s->inner, &k, &(perfsat_in){.enable = 1, .kernel_start = in->kernel_start, .nmax = in->nmax, .ps_class = s->ps_class,
                                              .cta_start = in->cta_start, .cta_done = in->cta_done, .cta_active = in->cta_active}, &o);
    s->ps_class = in->ps_class;
    out->limit = o.limit;
    out->done = o.done;
}

static void lcs_begin(void *state, const void *cfg)
{
    const lcs_cfg k = lcs_cfg_default();

    (void)cfg;
    lcs_reset(state, &k);
}

static void lcs_cycle(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    const lcs_cfg k = lcs_cfg_default();
    uint64_t lanes = 0;
    lcs_out o;

    (void)cfg;
    for (unsigned l = 0; l < in->issued; l++)
        lanes |= (uint64_t)in->issue_slot[l] << 3 * l;
    lcs_step(state, &k, &(lcs_in){.enable = 1, .kernel_start = in->kernel_start, .nmax = in->nmax,
                                  .issue_valid = (uint8_t)((1U << in->issued) - 1), .issue_slot = lanes, .cta_done = in->cta_done,
                                  .cta_active = in->cta_active & ~in->cta_paused}, &o);
    out->limit = o.limit;
    out->done = o.done;
    out->pause = o.pause;
}

typedef struct dyncta_late {
    dyncta_state inner;
    uint8_t lcs_class[2]; /* of the two cycles before */
} dyncta_late;

static void dyncta_begin(void *state, const void *cfg)
{
    const dyncta_cfg k = dyncta_cfg_default();

    (void)cfg;
    dyncta_reset(&((dyncta_late *)state)->inner, &k);
}

static void dyncta_cycle(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    const dyncta_cfg k = dyncta_cfg_default();
    dyncta_late *s = state;
    dyncta_in i = dyncta_in_default();
    dyncta_out o;

    (void)cfg;
    i.enable = 1;
    i.kernel_start = in->kernel_start;
    i.nmax = in->nmax;
    i.lcs_class = s->lcs_class[1];
    dyncta_step(&s->inner, &k, &i, &o);
    s->lcs_class[1] = s->lcs_class[0];
    s->lcs_class[0] = in->lcs_class;
    out->limit = o.limit;
    out->pause = out->pause_soft = 1;
}

static const struct {
    uint8_t policy;
    ballast_policy_functions functions;
} twins[] = {
    {BALLAST_POLICY_PERFSAT, {BALLAST_POLICY_INTERFACE, .name = "perfsat", .state_size = sizeof(perfsat_late), .reset = perfsat_begin, .step = perfsat_cycle}},
    {BALLAST_POLICY_LCS, {BALLAST_POLICY_INTERFACE, .name = "lcs", .state_size = sizeof(lcs_state), .reset = lcs_begin, .step = lcs_cycle}},
    {BALLAST_POLICY_DYNCTA, {BALLAST_POLICY_INTERFACE, .name = "dyncta", .state_size = sizeof(dyncta_late), .reset = dyncta_begin, .step = dyncta_cycle}},
};

static own_policy policy_of(const ballast_policy_functions *functions)
{
    return (own_policy){.functions = functions, .path = "test.so", .options = ""};
}

static own_chip *open_chip(const own_policy *policy)
{
    chip_governor_cfg cfg = chip_governor_cfg_default();
    char err[OWN_ERR] = "";
    own_chip *c;

    cfg.num_sms = SMS;
    chip_governor_cfg_derive(&cfg);
    c = own_chip_open(policy, &cfg, err);
    if (!c)
        print_message("%s\n", err);
    assert_non_null(c);
    return c;
}

static random_sms *random_buses(uint64_t seed)
{
    random_sms *buses = malloc(sizeof *buses);

    assert_non_null(buses);
    random_sms_start(buses, seed, SMS, 48, 8, CYCLES);
    return buses;
}

/* ---- the same as the governor ---------------------------------------------------------- */

/* Whether the random buses have made it do anything is counted, too. */
static unsigned compare(uint8_t policy, own_chip *c, uint64_t seed)
{
    const sm_governor_cfg cfg = sm_governor_cfg_default();
    random_sms *buses = random_buses(seed);
    static chip_governor_out mine;
    static sm_governor_state state[SMS];
    const sm_obs *const *obs;
    unsigned moves = 0;

    for (unsigned i = 0; i < SMS; i++)
        sm_governor_reset(&state[i], &cfg);
    assert_true(own_chip_reset(c));
    while ((obs = random_sms_next(buses))) {
        const chip_governor_sm_out was = mine.sm[0];

        if (!own_chip_step(c, obs, &mine, NULL))
            fail_msg("%s", own_chip_error(c));
        assert_int_equal(mine.sm_level, BALLAST_VF_NORMAL);
        assert_int_equal(mine.mem_level, BALLAST_VF_NORMAL);
        assert_false(mine.sm_busy || mine.mem_busy || mine.sm_stall || mine.mem_stall);
        for (unsigned i = 0; i < SMS; i++) {
            sm_governor_in in = sm_governor_in_default();
            sm_governor_out out;

            sm_governor_observe(&in, &cfg, obs[i]);
            in.policy = policy;
            sm_governor_step(&state[i], &cfg, &in, &out);
            assert_int_equal(mine.sm[i].limit, out.limit);
            assert_int_equal(mine.sm[i].req, out.req);
            assert_int_equal(mine.sm[i].cta_paused, out.cta_paused);
            assert_int_equal(mine.sm[i].done, out.done);
            if (buses->index > 1) /* in the first cycle, which starts a kernel, the governor has no policy yet */
                assert_int_equal(mine.sm[i].pause_soft, out.pause_soft);
        }
        moves += was.limit != mine.sm[0].limit || was.cta_paused != mine.sm[0].cta_paused;
    }
    free(buses);
    return moves;
}

TEST(policy_made_of_a_governors_blocks_does_what_the_governor_does)
{
    for (unsigned t = 0; t < sizeof twins / sizeof twins[0]; t++) {
        const own_policy policy = policy_of(&twins[t].functions);
        own_chip *c = open_chip(&policy);

        print_message("%s\n", twins[t].functions.name);
        for (uint64_t seed = 1; seed < 4; seed++)
            assert_true(compare(twins[t].policy, c, seed) > 15);
        own_chip_close(c);
    }
}

/* ---- what breaks the interface --------------------------------------------------------- */

typedef struct breaking {
    uint32_t cycle;
} breaking;

static int broken; /* which of them */

static void breaking_reset(void *state, const void *cfg)
{
    (void)cfg;
    *(breaking *)state = (breaking){.cycle = 0};
}

static void breaking_step(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    breaking *s = state;

    (void)cfg;
    out->limit = in->nmax;
    if (++s->cycle < CYCLES / 2)
        return;
    switch (broken) {
    case 0: out->limit = 0; break;
    case 1: out->limit = in->nmax + 1; break;
    case 2: raise(SIGSEGV); break;
    case 3: abort();
    case 4: raise(SIGFPE); break;
    case 5: memset(state, 1, sizeof(breaking) + 1); break;
    default: break;
    }
}

TEST(policy_that_breaks_the_interface_ends_the_run)
{
    static const ballast_policy_functions functions = {BALLAST_POLICY_INTERFACE, .name = "breaking", .state_size = sizeof(breaking),
                                                       .reset = breaking_reset, .step = breaking_step};
    static const char *const words[] = {"limit 0 in step, SM 0", " (nmax) are allowed", "died (Segmentation fault) in step, SM 0", "died (Aborted) in step",
                                        "died (Floating point exception) in step", "wrote beyond the end"};
    const own_policy policy = policy_of(&functions);
    static chip_governor_out out;

    for (broken = 0; broken <= (int)(sizeof words / sizeof words[0]); broken++) {
        const bool fine = broken == (int)(sizeof words / sizeof words[0]);
        random_sms *buses = random_buses(5);
        own_chip *c = open_chip(&policy);
        const sm_obs *const *obs;

        while ((obs = random_sms_next(buses)) && own_chip_step(c, obs, &out, NULL))
            ;
        print_message("%s\n", own_chip_error(c));
        assert_int_equal(obs == NULL, fine);
        assert_non_null(strstr(own_chip_error(c), fine ? "" : words[broken]));
        assert_true(fine == !own_chip_error(c)[0]);
        own_chip_close(c);
        free(buses);
    }
}

/* A limit out of range is one only after a kernel's start. */
static void late_step(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    uint8_t *started = state;

    (void)cfg;
    out->limit = *started && !in->kernel_start ? 1 : 200;
    *started |= in->kernel_start;
}

static void late_reset(void *state, const void *cfg)
{
    (void)cfg;
    *(uint8_t *)state = 0;
}

TEST(limit_counts_from_the_cycle_after_a_kernels_start)
{
    static const ballast_policy_functions functions = {BALLAST_POLICY_INTERFACE, .name = "late", .state_size = 1, .reset = late_reset, .step = late_step};
    const own_policy policy = policy_of(&functions);
    random_sms *buses = random_buses(9);
    own_chip *c = open_chip(&policy);
    static chip_governor_out out;
    const sm_obs *const *obs;

    while ((obs = random_sms_next(buses)))
        assert_true(own_chip_step(c, obs, &out, NULL));
    assert_int_equal(out.sm[0].limit, 1);
    own_chip_close(c);
    free(buses);
}

/* ---- clock domains --------------------------------------------------------------------- */

/* Asks for random steps, as `asked` says of this cycle. */
static uint8_t asked[SMS][2];

static void asking_step(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{
    const uint8_t *ask = asked[*(const uint32_t *)cfg];

    memcpy(state, &in->sm_level, 1);
    out->limit = in->nmax;
    out->sm_ask = ask[0];
    out->mem_ask = ask[1];
}

static bool asking_configure(void *cfg, const ballast_policy_place *place, char *why, uint32_t size)
{
    (void)why, (void)size;
    *(uint32_t *)cfg = place->sm;
    return true;
}

/* Levels and transitions beside the model of a domain that hears what all SMs ask for; with both of two it takes both. */
static void compare_levels(own_chip *c, uint64_t seed, unsigned moves[2])
{
    random_sms *buses = random_buses(seed);
    const vf_domain_cfg cfg = vf_domain_cfg_default();
    vf_domain_state want[2];
    static chip_governor_out out;
    const sm_obs *const *obs;

    for (unsigned d = 0; d < 2; d++)
        vf_domain_reset(&want[d], &cfg);
    while ((obs = random_sms_next(buses))) {
        for (unsigned i = 0; i < SMS; i++)
            for (unsigned d = 0; d < 2; d++)
                asked[i][d] = random_next(&seed) % 8 ? BALLAST_ASK_NOTHING : (uint8_t)(random_next(&seed) % 3);
        assert_true(own_chip_step(c, obs, &out, NULL));
        for (unsigned d = 0; d < 2; d++) {
            const uint8_t level = d ? out.mem_level : out.sm_level, busy = d ? out.mem_busy : out.sm_busy;

            assert_int_equal(level, want[d].level);
            assert_int_equal(busy, want[d].timer != 0);
            moves[d] += want[d].timer == 1;
            vf_domain_edge(&want[d], &cfg, &(vf_domain_in){.valid = 1, .up = asked[0][d] == BALLAST_ASK_UP && asked[1][d] == BALLAST_ASK_UP,
                                                           .down = asked[0][d] == BALLAST_ASK_DOWN && asked[1][d] == BALLAST_ASK_DOWN});
        }
    }
    free(buses);
}

TEST(levels_follow_what_more_than_half_of_the_sms_ask_for)
{
    static const ballast_policy_functions functions = {BALLAST_POLICY_INTERFACE, .name = "asking", .cfg_size = 4, .state_size = 1, .cfg = asking_configure,
                                                       .reset = late_reset, .step = asking_step};
    const own_policy policy = policy_of(&functions);
    own_chip *c = open_chip(&policy);
    static chip_governor_out out;
    unsigned moves[2] = {0, 0};
    random_sms *buses = random_buses(3);

    own_chip_clocks(c, BALLAST_VF_ENERGY, -1, -1);
    compare_levels(c, 7, moves);
    assert_true(moves[0] > 5 && moves[1] > 5);
    assert_true(own_chip_reset(c));
    own_chip_clocks(c, BALLAST_VF_ENERGY, BALLAST_VF_LOW, BALLAST_VF_HIGH);
    memset(asked, BALLAST_ASK_UP, sizeof asked);
    for (const sm_obs *const *obs; (obs = random_sms_next(buses));) {
        assert_true(own_chip_step(c, obs, &out, NULL));
        assert_true(out.sm_level == BALLAST_VF_LOW && out.mem_level == BALLAST_VF_HIGH && !out.sm_busy && !out.mem_busy);
    }
    free(buses);
    own_chip_close(c);
}
