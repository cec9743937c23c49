/* SPDX-License-Identifier: Apache-2.0
 *
 * The chip, each rule on the model and on the RTL: what the SMs have in common (settings, epochs,
 * votes, levels, the broadcast of LCS), and that they have nothing else in common.
 */
#include "blocks/chip_governor/bench.h"
#include "engine/random.h"
#include "engine/random_sms.h"

static const char *const measuring_chips[] = {"chip_governor", "chip_governor_top", NULL}; /* LcsScope = 0 */

/* ---- votes --------------------------------------------------------------------------- */

/* The counts of the vote, two cycles after the epoch: chip_epochs ends with the first of them. */
static void expect_votes(bench *c, unsigned comps, unsigned mems)
{
    const vf_vote_state *vote = &state(c)->vote;

    assert_int_equal(vote->counted, 1);
    cycle(c);
    vote = &state(c)->vote;
    assert_int_equal(vote->valid, 1);
    assert_int_equal(vote->comp_count, comps);
    assert_int_equal(vote->mem_count, mems);
}

typedef struct levels {
    uint8_t sm, mem;
} levels;

static void expect_outputs(const bench *c, levels at, bool sm_busy, bool mem_busy)
{
    const bool stall = config(c)->sm_domain.vrm_stall;

    expect(c, "sm_level_o=%u mem_level_o=%u sm_busy_o=%u mem_busy_o=%u sm_stall_o=%u mem_stall_o=%u",
           at.sm, at.mem, sm_busy, mem_busy, sm_busy && stall, mem_busy && stall);
}

/* An epoch that ended in the last cycle, t, moves the levels: the vote in t + 2, busy from t + 3 on
 * for Transition cycles, the new levels in the cycle after that (EQ-12 to EQ-15). */
static void expect_transition(bench *c, levels from, levels to)
{
    const unsigned transition = config(c)->sm_domain.transition;

    cycles(c, 2);
    expect_outputs(c, from, false, false);
    for (unsigned i = 0; i < transition; i++) {
        cycle(c);
        expect_outputs(c, from, from.sm != to.sm, from.mem != to.mem);
    }
    cycle(c);
    expect_outputs(c, to, false, false);
}

/* "CM-,HN": an epoch in which the SMs do this leads to these levels of SMs and memory (L, N, H). */
static void epoch_to_levels(bench *c, unsigned mode, const char *text)
{
    static const char names[] = "LNH";
    const char *after = strchr(text, ',') + 1;
    const levels at = {state(c)->sm_domain.level, state(c)->mem_domain.level};
    char works[16];

    c->in.mode = (uint8_t)mode; /* long after the vote before */
    snprintf(works, sizeof works, "%.*s", (int)(after - 1 - text), text);
    show_all(c, works);
    chip_epoch(c);
    expect_outputs(c, at, false, false);
    expect_transition(c, at, (levels){(uint8_t)(strchr(names, after[0]) - names), (uint8_t)(strchr(names, after[1]) - names)});
}

static void performance(bench *c, const char *text)
{
    epoch_to_levels(c, BALLAST_VF_PERFORMANCE, text);
}

static void energy(bench *c, const char *text)
{
    epoch_to_levels(c, BALLAST_VF_ENERGY, text);
}

/* "limit_o,4": "sm[0].limit_o=4", "sm[1].limit_o=4" and so on. */
static void on_all_sms(bench *c, const char *text)
{
    const int name = (int)strcspn(text, ",");

    for (unsigned i = 0; i < sms(c); i++)
        play_script(c, common_words, __FILE__, __LINE__, "sm[%u].%.*s=%s", i, name, text, text + name + 1);
}

static const bench_word words[] = {
    {"P", NULL, performance},       {"E", NULL, energy},         {"show", NULL, show_all}, {"epochs", chip_epochs, NULL},
    {"start", start_kernels, NULL}, {"issue", NULL, issue_on_sm}, {"all", NULL, on_all_sms}, {NULL, NULL, NULL},
};

/* EQ-16: an SM that has come to its end votes CompAction, and counts. */
static void eq16_one_sm_ends_early(bench *c)
{
    const unsigned n = sms(c);

    play(c, "show=M policy_i=equalizer start=8 all=cta_start_i,0xff epochs=1");
    expect_votes(c, 0, n);
    cycles(c, 20);
    c->in.sm[n - 1].cta_done = 0xff;
    show(&c->in.sm[n - 1], WORK_IDLE);
    chip_epochs(c, 2); /* some samples of the first are still the CTAs' */
    expect_votes(c, 1, n - 1);
    c->in.sm[0].cta_done = 0xff;
    show(&c->in.sm[0], WORK_IDLE);
    chip_epochs(c, 2);
    expect_votes(c, 2, n - 2);
}

/* Each SM's vote is its own, and each is one. */
static void each_sm_votes(bench *c)
{
    for (unsigned i = 0; i < sms(c); i++) {
        show_all(c, "-");
        show(&c->in.sm[i], WORK_COMP);
        chip_epoch(c);
        expect_votes(c, 1, 0);
        show(&c->in.sm[i], WORK_SOME_MEM);
        chip_epoch(c);
        expect_votes(c, 0, 1);
    }
}

/* ---- epochs -------------------------------------------------------------------------- */

/* EQ-A20: kernels start on each SM when they like; the epochs end together, and are voted on in the
 * next cycle and in no other. */
static void eq_a20_epochs_are_aligned(bench *c)
{
    const unsigned length = config(c)->sm.counters.epoch, n = sms(c);
    uint64_t seed = 0xa20;

    show_all(c, "C");
    for (unsigned i = 0; i < 3 * length; i++) {
        const chip_governor_state *now;

        for (unsigned sm = 0; sm < n; sm++)
            if (random_next(&seed) % 400 == 0)
                prepare_start(c, sm, 1 + (unsigned)(random_next(&seed) % 8));
        cycle(c);
        if (i % length > 2 && i % length < length - 3 && i % 61 != 0)
            continue; /* the rest now and then only: reading takes its time */
        now = state(c);
        for (unsigned sm = 0; sm < n; sm++)
            assert_int_equal(now->sm[sm].counters.cycle, (i + 3) % length);
        assert_int_equal(now->vote.counted, i % length == length - 1);
        assert_int_equal(now->vote.valid, i > 0 && i % length == 0);
    }
}

/* The policy is the chip's: epochs stop for all SMs at once, and each SM goes on with its kernel's
 * policy until its next kernel. */
static void policy_changes_for_all(bench *c)
{
    const unsigned length = config(c)->sm.counters.epoch, n = sms(c);

    show_all(c, "C");
    start_on_all(c, BALLAST_POLICY_EQUALIZER, 6);
    cycles(c, 9);
    c->in.policy = BALLAST_POLICY_STATIC;
    c->in.static_limit = 2;
    for (unsigned sm = 0; sm < n; sm++) {
        prepare_start(c, sm, 6);
        cycles(c, 2);
        for (unsigned i = 0; i < n; i++) {
            expect(c, "sm[%u].limit_o=%u sm[%u].done_o=%u", i, i <= sm ? 2 : 6, i, i <= sm);
            assert_int_equal(state(c)->sm[i].policy, i <= sm ? BALLAST_POLICY_STATIC : BALLAST_POLICY_EQUALIZER);
            assert_int_equal(state(c)->sm[i].counters.cycle, 12);
        }
    }
    for (unsigned i = 0; i < length + 20; i++) {
        cycle(c);
        expect_outputs(c, (levels){BALLAST_VF_NORMAL, BALLAST_VF_NORMAL}, false, false);
    }
    assert_int_equal(state(c)->vote.comp_count, 0);
    play(c, "policy_i=equalizer cycle=%u all=limit_o,2", length - 10);
    expect_votes(c, n, 0);
}

/* The settings reach every SM. */
static void settings_are_the_chips(bench *c)
{
    static const struct {
        uint16_t idle, mem_l, mem_h;
        uint8_t limit;
    } cases[] = {{16, 128, 384, 3}, {9, 128, 384, 4}, {16, 301, 384, 4}, {16, 128, 299, 2}};
    const unsigned period = config(c)->sm.dyncta.period;

    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        play(c, "t_idle_i=%u t_mem_l_i=%u t_mem_h_i=%u policy_i=dyncta start=6", cases[k].idle, cases[k].mem_l, cases[k].mem_h);
        for (unsigned i = 0; i < period; i++) {
            for (unsigned sm = 0; sm < sms(c); sm++)
                set_warps(&c->in.sm[sm], 0, ALL_WARPS, i < 10    ? BALLAST_WARP_BARRIER
                                                       : i < 310 ? BALLAST_WARP_WAIT_MEM
                                                                 : BALLAST_WARP_WAIT_ALU);
            cycle(c);
        }
        play(c, "cycle all=limit_o,%u all=pause_soft_o,1", cases[k].limit);
    }
}

/* Equalizer's CTAs and the levels: three epochs of too much memory traffic on one SM. */
static void eq10_on_one_sm(bench *c)
{
    const unsigned n = sms(c), busy = n - 1;

    play(c, "show=- policy_i=equalizer start=4 all=cta_start_i,1 cycle all=cta_start_i,2 cycle all=cta_start_i,4 cycle "
            "all=cta_start_i,8 cycle");
    show(&c->in.sm[busy], WORK_MEM);
    chip_epochs(c, 3);
    cycle(c);
    for (unsigned i = 0; i < n; i++)
        expect(c, "sm[%u].limit_o=%u sm[%u].cta_paused_o=0", i, i == busy ? 3 : 4, i);
    play(c, "cycle sm[%u].cta_paused_o=0 cycle", busy);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(c->out.sm[i].cta_paused, i == busy ? 1u << 3 : 0);
    play(c, "cycle=15 sm[%u].cta_done_i=1 cycle sm[%u].cta_paused_o=8 sm[%u].req_o=0", busy, busy, busy);
    play(c, "sm[0].cta_done_i=1 cycle sm[0].req_o=0 cycle sm[0].req_o=1 sm[%u].cta_paused_o=8 sm[%u].req_o=0 "
            "cycle sm[%u].cta_paused_o=0 sm[%u].req_o=0", busy, busy, busy, busy);
}

/* A denial concerns the SM that is denied (EQ-A12): all have a place less, their paused CTA has
 * finished, and all ask for one more; one after the other is refused it. */
static void denial_is_one_sms(bench *c)
{
    const unsigned n = sms(c);

    play(c, "policy_i=equalizer start=4 all=cta_start_i,0xf show=D epochs=3 cycle=3 all=cta_paused_o,0x8 "
            "all=cta_done_i,0x8 show=V epochs=3 cycle");
    for (unsigned denied = 0; denied < n; denied++) {
        for (unsigned i = 0; i < n; i++)
            expect(c, "sm[%u].limit_o=%u sm[%u].req_o=%u", i, i < denied ? 3 : 4, i, i >= denied);
        play(c, "sm[%u].cta_denied_i=1 cycle=2", denied);
    }
}

/* ---- LCS ----------------------------------------------------------------------------- */

/* LcsScope = 0: every SM measures. */
static void lcs_each_for_itself(bench *c)
{
    const unsigned n = sms(c);

    start_on_all(c, BALLAST_POLICY_LCS, 2);
    for (unsigned sm = 0; sm < n; sm++)
        issue_on(c, sm, 10, sm % 2 ? 10 : 5);
    for (unsigned sm = 0; sm < n; sm++) {
        c->in.sm[sm].cta_done = 1;
        cycles(c, 2 + 3 + 4);
        for (unsigned i = 0; i < n; i++)
            assert_int_equal(c->out.sm[i].limit, i <= sm && i % 2 == 0 ? 1 : 2);
        for (unsigned i = 0; i < n; i++)
            assert_int_equal(c->out.sm[i].done, i <= sm);
    }
}

/* ---- independence -------------------------------------------------------------------- */

/* Random buses and settings; the same seed, the same again. */
typedef struct activity {
    random_sms sms;
    uint64_t seed;
} activity;

static void start_activity(activity *a, const bench *c, uint64_t seed)
{
    a->seed = seed;
    random_sms_start(&a->sms, seed, sms(c), 48, 8, UINT64_MAX);
}

/* `searches`: what SM 0 sees may move all of them (SCT-9). */
static void active_cycle(activity *a, bench *c, bool all_policies, bool searches)
{
    c->dut.block->model->bind(&c->in, &c->dut.cfg, random_sms_next(&a->sms), NULL);
    if (random_next(&a->seed) % 500 == 0) {
        static const uint8_t without_lcs[] = {BALLAST_POLICY_STATIC, BALLAST_POLICY_PERFSAT, BALLAST_POLICY_EQUALIZER, BALLAST_POLICY_DYNCTA, 6};
        const unsigned draw = (unsigned)random_next(&a->seed);

        c->in.policy = (uint8_t)(all_policies ? draw % 8 : without_lcs[draw % 5]);
        if (!searches && c->in.policy == BALLAST_POLICY_SCOUT)
            c->in.policy = BALLAST_POLICY_STATIC;
        c->in.static_limit = (uint8_t)(draw >> 8 & 15);
        c->in.mode = draw >> 12 & 1;
    }
    take_cycle(c);
}

/* Whether the registers and outputs of SM `sm` are the same on both chips. */
static bool same_sm(bench *a, bench *b, unsigned sm)
{
    char prefix[16];

    snprintf(prefix, sizeof prefix, "sm[%u].", sm);
    for (unsigned p = 0; p < a->dut.ports.num; p++) {
        const block_port *port = &a->dut.ports.ports[p];

        if (port->kind == PORT_REG && !strncmp(port->name, prefix, strlen(prefix)) &&
            block_port_get(port, state(a)) != block_port_get(port, state(b)))
            return false;
    }
    return !memcmp(&a->out.sm[sm], &b->out.sm[sm], sizeof a->out.sm[sm]);
}

/* Two chips of which one SM sees something else: no other SM knows. */
static void expect_independent(bench *a, const char *name, unsigned disturbed, bool all_policies)
{
    static activity one, other;
    static bench second;
    bench *b = &second;
    bool differed = false;

    reopen_bench(a, name);
    open_bench(b, name, a->dut.side);
    start_activity(&one, a, 0x1d1 + disturbed);
    start_activity(&other, b, 0x1d1 + disturbed);
    random_bus_start(&other.sms.bus[disturbed], 0xd157 + disturbed, 48, 8);
    for (unsigned i = 0; i < 6000; i++) {
        active_cycle(&one, a, all_policies, disturbed != 0);
        active_cycle(&other, b, all_policies, disturbed != 0);
        if (i % 19 != 0)
            continue;
        for (unsigned sm = 0; sm < sms(a); sm++) {
            if (sm == disturbed)
                differed |= !same_sm(a, b, sm);
            else if (!same_sm(a, b, sm))
                fail_msg("%s: SM %u has seen what happens on SM %u (cycle %u)", name, sm, disturbed, i);
        }
    }
    assert_true(differed);
    close_bench(b);
}

static void sms_are_independent(bench *c)
{
    for (unsigned sm = 0; sm < 3; sm++)
        expect_independent(c, "chip_governor_top", sm, true);
    expect_independent(c, "chip_governor", 0, true);
    expect_independent(c, "chip_governor", 7, true);
    expect_independent(c, "chip_governor", 14, true);
}

/* With LcsScope = 1: nobody's LCS but that of SM 0 reaches anybody. */
static void only_the_broadcast_reaches_others(bench *c)
{
    expect_independent(c, "chip_governor_bcast", 1, true);
    expect_independent(c, "chip_governor_bcast", 0, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* Table I, "Maintain" is the normal level; one step per epoch (EQ-13, EQ-15, EQ-A15). */
        EACH_SCRIPT("EQ-15 levels", measuring_chips,
                    "P=C,HN P=C,HN P=M,NH P=M,NH P=-,NH P=C,HN E=-,HN E=C,NL E=C,NL E=M,LN "
                    "E=M,LN P=C,NN P=C,HN E=M,NN E=M,LN P=M,NH E=C,NN E=C,NL P=M,NN P=M,NH"),
        /* Maintain = 1, Table1Literal = 1: performance never lowers a level, energy never raises one, and MemAction lowers
         * both. */
        SCRIPT("EQ-15 levels that hold", "chip_governor_bcast",
               "P=C,HN P=M,HH P=-,HH E=-,HH E=C,HN E=M,NL E=C,NL E=M,LL P=M,LN P=C,NN"),
        /* EQ-12, EQ-A17: strictly more than half of all SMs. */
        SCRIPT("EQ-12 majority of 3", "chip_governor_top",
               "P=CC-,HN P=C--,HN P=CM-,HN P=-MC,HN P=M-M,NH P=CMC,HN P=MMC,NH E=--C,NH E=-CC,NN E=MMC,LN"),
        SCRIPT("EQ-12 majority of 15", "chip_governor",
               "P=CCCCCCC-,NN P=CCCCCCCC-,HN P=CCCCCCCMMMMMMM-,HN P=CCCCCCCM,NH P=MMMMMMMMC,NH P=MMMMMMMC,HN P=-------M,NH "
               "P=--------C,NH"),
        /* Majority = 1: of those who want a change of the domain. An even split of two SMs is a tie in no domain: only one of
         * them asks for a change of it. */
        SCRIPT("EQ-12 even split of voters", "chip_governor_bcast", "P=-,NN P=CM,HH E=MC,NN E=M-,LL P=-C,NL P=M-,NN"),
        /* A chip without work asks for CompAction: fast SMs, or a slow memory. */
        EACH_SCRIPT("EQ-16 idle chip", measuring_chips, "P=.,HN P=.,HN E=.,NL E=.,NL P=.,HN"),
        EACH_VARIANT("EQ-16 one SM ends early", chips, eq16_one_sm_ends_early),
        EACH_VARIANT("each SM votes", chips, each_sm_votes),
        EACH_VARIANT("EQ-A20 epochs are aligned", chips, eq_a20_epochs_are_aligned),
        EACH_VARIANT("the policy changes for all", chips, policy_changes_for_all),
        EACH_VARIANT("settings are the chip's", chips, settings_are_the_chips),
        EACH_VARIANT("EQ-10 on one SM", chips, eq10_on_one_sm),
        EACH_VARIANT("EQ-A12 a denial is one SM's", chips, denial_is_one_sms),
        /* LcsScope = 1: T_new of SM 0 is everybody's a cycle later than SM 0's. What happens on the others has no part in it.
         * Eight cycles to hear of the finish, gather, take off once and fix T_new. */
        SCRIPT("LCS-6 SM 0 tells all", "chip_governor_bcast",
               "policy_i=lcs start=4 sm[0].cta_start_i=0xf sm[1].cta_start_i=0xf cycle "
               "issue=1,10,10 sm[1].cta_done_i=1 cycle=30 sm[1].limit_o=4 sm[0].limit_o=4 "
               "issue=0,10,9 sm[0].cta_done_i=2 cycle cycle=8 sm[0].limit_o=4 sm[1].limit_o=4 "
               "cycle sm[0].limit_o=1 sm[0].done_o=1 sm[1].limit_o=4 sm[1].done_o=0 "
               "cycle sm[0].limit_o=1 sm[1].limit_o=1 sm[1].done_o=1 "
               "cycle=5 sm[0].cta_paused_o=0xc sm[1].cta_paused_o=0xc "
               "sm[1].kernel_start_i=1 sm[1].nmax_i=5 cycle=50 " /* too late for this one */
               "sm[0].limit_o=1 sm[1].limit_o=5 sm[1].done_o=0"),
        /* A kernel that has started before the cycle of the broadcast hears it, with its own Nmax; one that starts in that
         * cycle does not. */
        SCRIPT("LCS-6 broadcast after a kernel start", "chip_governor_bcast",
               "policy_i=lcs start=4 issue=0,10,10 sm[0].cta_done_i=1 cycle=9 "
               "sm[1].kernel_start_i=1 sm[1].nmax_i=3 cycle cycle=2 sm[0].limit_o=2 sm[1].limit_o=2"),
        SCRIPT("LCS-6 broadcast with a kernel start", "chip_governor_bcast",
               "policy_i=lcs start=4 issue=0,10,10 sm[0].cta_done_i=1 cycle=9 "
               "cycle sm[1].kernel_start_i=1 sm[1].nmax_i=3 cycle=2 sm[0].limit_o=2 sm[1].limit_o=3"),
        EACH_VARIANT("LCS each for itself", measuring_chips, lcs_each_for_itself),
        BOTH_SIDES("SMs are independent", "chip_governor_top", sms_are_independent),
        BOTH_SIDES("only the broadcast reaches others", "chip_governor_top", only_the_broadcast_reaches_others),
    };
    return cmocka_run_group_tests_name("chip_governor", tests, NULL, NULL);
}
