/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of the warp scheduler, each on the model and on the RTL. Unless a test says otherwise: 48 warps in 8 CTA slots, so that
 * slot s has the warps 6s to 6s+5, fetch groups of 8, and all CTAs as old as reset leaves them: slot 7 is the oldest.
 */
#include "blocks/warp_scheduler/bench.h"

/* `order`: slot numbers as digits, one by one, in cycles without a ready warp. */
static void launch_each(bench *b, const char *order)
{
    const uint64_t ready = b->in.ready;

    b->in.ready = 0;
    for (; *order; order++) {
        b->in.cta_start = UINT32_C(1) << (*order - '0');
        cycle(b);
    }
    b->in.ready = ready;
}

static void launch(bench *b, unsigned slots)
{
    b->in.cta_start = slots;
    cycle(b);
}

/* Warps by number, joined by commas. */
static uint64_t warps_in(const char *list)
{
    uint64_t set = 0;

    while (*list) {
        char *end;

        set |= WARP(strtoul(list, &end, 10));
        list = *end ? end + 1 : end;
    }
    return set;
}

/* These are ready from now on, no others. */
static void ready(bench *b, const char *list)
{
    b->in.ready = warps_in(list);
}

static void absent(bench *b, const char *list)
{
    b->in.present = every_warp(b) & ~warps_in(list);
}

static void paused(bench *b, const char *list)
{
    b->in.paused = warps_in(list);
}

/* One cycle each, in which this warp is picked; "-": none. */
static void picks(bench *b, const char *list)
{
    while (*list) {
        char *end;

        cycle(b);
        if (*list == '-') {
            expect(b, "pick_o=0 warp_o=0");
            end = (char *)(uintptr_t)list + 1;
        } else {
            expect(b, "pick_o=1 warp_o=%lu", strtoul(list, &end, 10));
        }
        list = *end ? end + 1 : end;
    }
}

static const bench_word words[] = {
    {"map", map_warps, NULL},      /* warps in each CTA                     */
    {"launch", launch, NULL},      /* CTAs in these slots, in one cycle     */
    {"run", NULL, launch_each},    /* slot numbers, one after the other     */
    {"ready", NULL, ready},
    {"absent", NULL, absent},
    {"paused", NULL, paused},
    {"picks", NULL, picks},
    {NULL, NULL, NULL},
};

/* ---- reset, enable -------------------------------------------------------------------------- */

static void reset_state(bench *b)
{
    play(b, "last_q=%u hold_q=0", config(b)->num_warps - 1);
    for (unsigned i = 0; i < config(b)->num_slots; i++)
        assert_int_equal(state(b)->older[i], 0);
    for (unsigned policy = 0; policy < 4; policy++)
        play(b, "policy_i=%u cycle pick_o=0 warp_o=0 hold_q=0 last_q=%u", policy, config(b)->num_warps - 1);
}

/* ---- who can be picked ------------------------------------------------------------------------ */

/* One warp at a time, whatever the order: it is picked exactly if it is ready, present and not paused. */
static void one_warp_at_a_time(bench *b)
{
    for (unsigned n = 0; n < 4 * config(b)->num_warps; n++) {
        const unsigned warp = n / 4;

        b->in.policy = n % 4;
        b->in.ready = WARP(warp);
        play(b, "cycle pick_o=1 warp_o=%u last_q=%u hold_q=1", warp, warp);
        b->in.present = every_warp(b) & ~WARP(warp);
        play(b, "cycle pick_o=0 warp_o=0 last_q=%u hold_q=0", warp);
        b->in.present = every_warp(b);
        b->in.paused = WARP(warp);
        play(b, "cycle pick_o=0 pause_soft_i=1 cycle pick_o=1 warp_o=%u pause_soft_i=0 enable_i=0 cycle pick_o=0 warp_o=0 hold_q=1 "
                "enable_i=1", warp);
        b->in.paused = 0;
    }
}

/* Each warp in each slot, with the highest slot the oldest, then with the lowest. */
static void one_warp_in_any_slot(bench *b)
{
    const warp_scheduler_in usual = b->in;
    const unsigned warps = config(b)->num_warps, slots = config(b)->num_slots;

    for (unsigned n = 0; n < 2 * slots * warps; n++) {
        for (unsigned slot = 0; n == slots * warps && slot < slots; slot++)
            launch(b, UINT32_C(1) << slot);
        b->in = usual;
        b->in.policy = WARP_SCHEDULER_GTO;
        b->in.ready = WARP(n % warps);
        put_warp(&b->in, n % warps, n / warps % slots);
        play(b, "cycle pick_o=1 warp_o=%u", n % warps);
    }
}

/* Of two that are ready the one whose turn it is is paused. Whether others are there does not matter. */
static void one_keeps_the_paused_out(bench *b)
{
    const unsigned warps = config(b)->num_warps;

    play(b, "policy_i=lrr pause_soft_i=1");
    for (unsigned n = 0; n < 2 * warps; n++) {
        const unsigned warp = n / 2, next = (warp + 1) % warps;
        const uint64_t both = WARP(warp) | WARP(next), others = n % 2 ? every_warp(b) & ~both : 0;

        b->in.present = every_warp(b);
        b->in.paused = 0;
        b->in.ready = WARP(warp);
        play(b, "cycle warp_o=%u", warp);
        b->in.present = both | others;
        b->in.paused = WARP(next);
        b->in.ready = both;
        play(b, "cycle pick_o=1 warp_o=%u", warp);
        b->in.present = WARP(next) | others; /* an absent one keeps nobody out */
        play(b, "cycle pick_o=1 warp_o=%u", next);
    }
}

/* A slot number that the SM does not have: never picked, in no order. */
static void no_such_slot(bench *b)
{
    for (unsigned slot = 0; slot < 32; slot++) {
        put_warp(&b->in, 6, slot);
        b->in.ready = WARP(6);
        for (unsigned policy = 0; policy < 4; policy++)
            play(b, "policy_i=%u cycle pick_o=%u", policy, slot < config(b)->num_slots);
    }
}

/* ---- round robin --------------------------------------------------------------------------- */

static void lrr_takes_turns(bench *b)
{
    b->in.policy = WARP_SCHEDULER_LRR;
    b->in.ready = every_warp(b);
    for (unsigned n = 0; n < 3 * config(b)->num_warps; n++)
        play(b, "cycle pick_o=1 warp_o=%u", n % config(b)->num_warps);
}

/* The bound is met: the warp behind the last pick waits until all others have had their turn. */
static void lrr_bound(bench *b)
{
    const unsigned warps = config(b)->num_warps;

    b->in.policy = WARP_SCHEDULER_LRR;
    b->in.ready = every_warp(b);
    cycles(b, warps);
    for (unsigned n = 0; n + 1 < warps; n++)
        play(b, "cycle warp_o=%u", n);
    play(b, "cycle warp_o=%u", warps - 1);
}

/* ---- groups of two --------------------------------------------------------------------------- */

/* Two warps of one slot, as far from each other as partners are: the lower one is the next, whichever slot it is. */
static void one_cta_is_no_group(bench *b)
{
    const unsigned warps = config(b)->num_warps;

    b->in.policy = WARP_SCHEDULER_SCA;
    b->in.warps_per_cta = 2;
    for (unsigned slot = 0; slot < 2 && slot < config(b)->num_slots; slot++) {
        for (unsigned w = 0; w < warps; w++)
            put_warp(&b->in, w, slot);
        for (unsigned w = 2; w < warps; w++) {
            b->in.ready = WARP((w + 1) % warps);
            cycle(b);
            b->in.ready = WARP(w - 1) | WARP(w);
            play(b, "cycle pick_o=1 warp_o=%u", w - 1);
        }
    }
}

/* ---- who starves ------------------------------------------------------------------------------- */

/* `victim` is ready in every cycle and never picked. */
static void expect_starved(bench *b, unsigned victim)
{
    b->in.ready |= WARP(victim);
    for (unsigned n = 0; n < 5000; n++) {
        cycle(b);
        assert_int_equal(b->out.pick, 1);
        assert_int_not_equal(b->out.warp, victim);
    }
}

static void gto_starves(bench *b)
{
    play(b, "policy_i=gto run=01234567 ready=0 picks=0"); /* greedy for ever */
    expect_starved(b, 47);
    b->in.ready = 0;
    for (unsigned n = 0; n < 1000; n++) { /* two of the oldest CTA that take turns in stalling */
        b->in.ready = WARP(n & 1) | WARP(47);
        play(b, "cycle warp_o=%u", n & 1);
    }
}

static void tlv_starves(bench *b)
{
    play(b, "policy_i=tlv ready=9 picks=9");
    expect_starved(b, 16);
    for (unsigned n = 0; n < 1000; n++) {
        b->in.ready = WARP(8 + n % 8) | WARP(16);
        play(b, "cycle warp_o=%u", 8 + n % 8);
    }
}

static void sca_starves(bench *b)
{
    play(b, "policy_i=sca run=01234567 ready=2,8 picks=2,8,2,8");
    expect_starved(b, 3);
    b->in.ready = warps_in("2,8");
    expect_starved(b, 40);
}

static void paused_starve(bench *b)
{
    for (unsigned policy = 0; policy < 4; policy++) {
        play(b, "policy_i=%u pause_soft_i=1 paused=4 ready=4 picks=4 ready=4,11 picks=11", policy);
        expect_starved(b, 4);
    }
}

/* ---- the log, the bus ------------------------------------------------------------------------------ */

static void log_of_launches(bench *b)
{
    static const bench_log rows[] = {
        {"ready=3", "", {NULL}},
        {"cta_start_i=0x1", "launch: slots, the oldest first: 7 6 5 4 3 2 1 0",
         {"warp_scheduler GTO-1 launch: started=1 | oldest=7 youngest=0 | oldest=7 youngest=0"}},
        {"cta_start_i=0xc0", "launch: slots, the oldest first: 5 4 3 2 1 0 6 7",
         {"warp_scheduler GTO-1 launch: started=192 | oldest=7 youngest=0 | oldest=5 youngest=7"}},
        {"enable_i=0 cta_start_i=1", "", {NULL}},
        {"enable_i=1 cta_start_i=0x20", "launch: slots, the oldest first: 4 3 2 1 0 6 7 5", {NULL}},
    };

    expect_log(b, rows);
}

static void binding(bench *b)
{
    const block_model *model = b->dut.block->model;
    sm_setup setup = {.kernel.warps_per_cta = 7};
    sm_obs obs = {.paused = 0x505, .cta_start = 0xa5, .setup = &setup};
    const sm_obs *const buses[] = {&obs};
    warp_scheduler_in in = b->in;

    for (unsigned w = 0; w < 48; w++) {
        setup.warp_slot[w] = (uint8_t)(w % 32);
        sm_obs_set_warp_state(&obs, w, w % 16);
    }
    model->bind(&in, &b->dut.cfg, buses, NULL);
    for (unsigned w = 0; w < 48; w++) {
        const unsigned code = w % 16;
        const bool lost = code == BALLAST_WARP_ALU_LOST || code == BALLAST_WARP_MEM_LOST, issued = code == BALLAST_WARP_ISSUED_ALU || code == BALLAST_WARP_ISSUED_MEM;

        assert_int_equal(in.ready >> w & 1, lost || issued);
        assert_int_equal(in.present >> w & 1, code != BALLAST_WARP_EMPTY && code < BALLAST_WARP_STATES);
        assert_int_equal((in.slot0 >> w & 1) | (in.slot1 >> w & 1) << 1 | (in.slot2 >> w & 1) << 2 | (in.slot3 >> w & 1) << 3 |
                             (in.slot4 >> w & 1) << 4, w % 32);
    }
    assert_int_equal(in.ready >> 48 | in.present >> 48 | in.slot4 >> 48, 0);
    assert_int_equal(in.paused, 0x505);
    assert_int_equal(in.cta_start, 0xa5);
    assert_int_equal(in.warps_per_cta, 7);
    assert_int_equal(in.policy, WARP_SCHEDULER_GTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("reset state", variants, reset_state),
        EACH_VARIANT("PAUSE-2: a warp is picked if it is ready, present and not paused", variants, one_warp_at_a_time),
        EACH_VARIANT("GTO-1: who alone is ready is picked, in whatever slot, whichever is the oldest", variants, one_warp_in_any_slot),
        EACH_VARIANT("PAUSE-4: one warp that is not paused keeps the paused ones out", variants, one_keeps_the_paused_out),
        BOTH_SIDES("a slot number that there is not", "warp_scheduler_odd", no_such_slot),
        BOTH_SIDES("a slot number that there is not, of 8", "warp_scheduler", no_such_slot),
        EACH_VARIANT("LRR: all take turns", variants, lrr_takes_turns),
        EACH_VARIANT("LRR: nobody waits for NumWarps picks", variants, lrr_bound),
        SCRIPT("LRR: the next one around, after stalls, too", "warp_scheduler",
               "policy_i=lrr ready=0,3,47 picks=0,3,47,0 ready=0,1,2 picks=1,2,0,1 ready=1 picks=1,1 "
               "ready_i=0 picks=-,- hold_q=0 last_q=1 ready=0,1,9 picks=9,0,1"),
        SCRIPT("GTO-1: the same warp until it stalls", "warp_scheduler",
               "policy_i=gto run=01234567 ready=20 picks=20,20 ready=20,0,21 picks=20,20,20 "
               "ready=0,21,30 picks=0 ready=0,20,30 picks=0"),
        SCRIPT("GTO-1: then the oldest CTA, its lowest warp", "warp_scheduler",
               "policy_i=gto run=30716254 ready=24,25,30,31,13,12,36,6,43,47,1,0,18 " /* 4 is the youngest, 3 the oldest */
               "picks=18 ready=24,25,30,31,13,12,36,6,43,47,1,0 picks=0 ready=24,30,31,12,13,36,6,43,47,1 picks=1 "
               "ready=24,30,31,12,13,36,6,43,47 picks=43 ready=24,30,31,12,13,36,6,47 picks=47 ready=24,30,31,12,13,36,6 picks=6 "
               "ready=24,30,31,12,13,36 picks=36 ready=24,30,31,12,13 picks=12 ready=24,30,31,13 picks=13 ready=24,30,31 picks=30 "
               "ready=24,31 picks=31 ready=24 picks=24"),
        SCRIPT("GTO-1: a stall of all ends greediness", "warp_scheduler",
               "policy_i=gto run=01234567 ready=20 picks=20 ready_i=0 picks=- ready=20,7,8 picks=7,7"),
        SCRIPT("GTO-1: reset leaves the highest slot the oldest", "warp_scheduler", "policy_i=gto ready=0,6,12,18,24,30,36,42 picks=42"),
        SCRIPT("GTO-1: a launch makes a slot the youngest, from the next cycle on", "warp_scheduler",
               "policy_i=gto ready=0,42 cta_start_i=0x80 picks=42 ready_i=0 picks=- ready=0,42 picks=0"),
        SCRIPT("GTO-1: of two launches at once the lower slot is the older", "warp_scheduler",
               "policy_i=gto launch=0x84 ready=12,42 picks=12 ready_i=0 launch=0x0c ready=18,42 picks=42 ready_i=0 picks=- "
               "ready=12,18 picks=12"),
        BOTH_SIDES("GTO-1: starvation: ready for ever and never picked", "warp_scheduler", gto_starves),
        SCRIPT("TLV: round robin in the group until all of it stalls", "warp_scheduler",
               "policy_i=tlv ready=9 picks=9 ready=8,9,13,15,2,40 picks=13,15,8,9,13 ready=2,15,40 picks=15 ready=2,7,40 picks=40 "
               "ready=2,7 picks=2,7,2"),
        SCRIPT("TLV: the next group begins with its lowest", "warp_scheduler",
               "policy_i=tlv ready=20 picks=20 ready=31,29,26,3 picks=26,29,31,26 ready=3,16,17 picks=3"),
        SCRIPT("TLV: a group stays active while nobody can issue", "warp_scheduler",
               "policy_i=tlv ready=20 picks=20 ready_i=0 picks=-,- ready=16,24 picks=16"),
        SCRIPT("TLV: the last group may be smaller", "warp_scheduler_odd", /* 4 4 4 1 */
               "policy_i=tlv map=3 ready=11 picks=11 ready=8,12 picks=8 ready=12,0 picks=12,12 ready=0,3 picks=0,3"),
        SCRIPT("TLV: groups of one, of five, of all", "warp_scheduler_both", "policy_i=tlv ready=5,6 picks=5,5 ready=6,7 picks=6,6"),
        SCRIPT("TLV: groups of five", "warp_scheduler_next",
               "policy_i=tlv ready=5,9,10 picks=5,9,5 ready=10,14,15 picks=10,14,10 ready=45,47 picks=45,47,45 ready=4,5 picks=4"),
        SCRIPT("TLV: one group is round robin", "warp_scheduler_pairs", "policy_i=tlv ready=0,3,7 picks=0,3,7,0"),
        BOTH_SIDES("TLV: starvation outside the active group", "warp_scheduler", tlv_starves),
        SCRIPT("SCA-1: two warps of a group take turns", "warp_scheduler",
               "policy_i=sca run=01234567 ready=2,8 picks=2,8,2,8 ready=2,8,0,1,3,7,40 picks=2,8,2"),
        SCRIPT("SCA-2: the group is left when one stalls", "warp_scheduler", /* ScaBothStall 0; 3 stalls, then 9 of {3, 9} */
               "policy_i=sca run=01234567 ready=2,8 picks=2,8 ready=8,9,40 picks=9 ready=3,9,8 picks=3,9 ready=3,11,40 picks=11"),
        SCRIPT("SCA-A2: ScaBothStall 1: the group stays while one goes on", "warp_scheduler_both",
               "policy_i=sca run=01234567 ready=2,8 picks=2,8 ready=8,9,40 picks=8,8 ready=2,9 picks=2 ready=2,8,9 picks=8,2 "
               "ready=9,40 picks=9"),
        SCRIPT("SCA-3: the next higher group, around, its own last", "warp_scheduler",
               "policy_i=sca run=01234567 ready=4,10 picks=4 ready=4,5,1,7,40 picks=5 ready=4,1,7,40 picks=1,7 ready=7,6,40 picks=6 "
               "ready=6,0,40 picks=0,6 ready=0,40 picks=0,0 ready=6,40 picks=6"),
        SCRIPT("SCA-3: first the warp in the even slot", "warp_scheduler",
               "policy_i=sca run=01234567 ready=2,8 picks=2 ready=9,3 picks=3 ready=10 picks=10 ready=11,5 picks=5"),
        SCRIPT("SCA-A3: ScaNext 1: the oldest group, its own last", "warp_scheduler_next",
               "policy_i=sca run=01234567 ready=2,8 picks=2 ready=2,4,7,40 picks=7 ready=4,7,40 picks=4 ready=4,5,40 picks=5,4 "
               "absent=10 ready=4,3,0 picks=4 ready=3,6,40 picks=6 ready=6,40 picks=6"),
        SCRIPT("SCA-A1: one CTA of the pair: each warp by itself, greedy", "warp_scheduler",
               "policy_i=sca run=01234567 absent=6,7,8,9,10,11 ready=2,3,40 picks=2,2,2 ready=3,5,40 picks=3,3 "
               "absent=0,1,2,3,4,5 ready=9,10,40 picks=9,9 ready=6,10 picks=10,10"),
        SCRIPT("SCA-A1: a paused partner is none, and one that has exited", "warp_scheduler",
               "policy_i=sca run=01234567 ready=2,8 picks=2 paused=8 ready=2,8,3,9 picks=2,2 paused=0 ready=2,8 picks=8,2 absent=8 "
               "ready=2,3 picks=2,2"),
        SCRIPT("SCA-4: all groups of the pair stall: the oldest of all", "warp_scheduler",
               "policy_i=sca run=67452301 ready=2,8 picks=2 ready=13,14,25,31,30 picks=25 ready=31,30,13 picks=30"),
        SCRIPT("SCA-4: a stall of all ends the pair, too", "warp_scheduler",
               "policy_i=sca run=67452301 ready=2,8 picks=2 ready_i=0 picks=- ready=2,8,13,40 picks=40"),
        SCRIPT("SCA-1: without distance, or with too large a one, there are no groups of two", "warp_scheduler",
               "policy_i=sca run=01234567 warps_per_cta_i=0 ready=2,8 picks=2,2 warps_per_cta_i=63 ready=8,9 picks=8,8 "
               "warps_per_cta_i=5 ready=8,9 picks=9,8 warps_per_cta_i=12 ready=2,14 picks=2,2 warps_per_cta_i=6 ready=2,8 picks=8"),
        EACH_VARIANT("SCA-1: two warps of one CTA are no group", variants, one_cta_is_no_group),
        SCRIPT("SCA-1: a last slot without a neighbour", "warp_scheduler_odd",
               "policy_i=sca map=2 run=01234 ready=8,9 picks=8,8 ready=9,10 picks=9,9"),
        SCRIPT("SCA-1: the pair is that of the last pick, not the one above it", "warp_scheduler",
               "policy_i=sca run=01234567 ready=8,14 picks=8,8 ready=2,14 picks=2"),
        BOTH_SIDES("SCA-2: starvation outside the group", "warp_scheduler", sca_starves),
        SCRIPT("PAUSE-2: a greedy warp that is paused gives way", "warp_scheduler",
               "policy_i=gto run=01234567 ready=20,30 picks=20 paused=20 picks=30 paused=30 picks=20 paused=20,30 picks=-"),
        SCRIPT("PAUSE-4: soft: paused ones come last, in the order of the policy", "warp_scheduler",
               "pause_soft_i=1 policy_i=gto run=01234567 paused=1,20 ready=1,20,30 picks=30,30 ready=1,20 picks=1 ready=1,20,30 picks=30 "
               "policy_i=lrr ready=1,20 picks=1,20,1 ready=1,20,2 picks=2,2"),
        BOTH_SIDES("PAUSE-4: starvation of those that come last", "warp_scheduler", paused_starve),
        SCRIPT("policy_i: the new order goes on from the last pick", "warp_scheduler",
               "run=01234567 policy_i=lrr ready=8,9,20 picks=8,9 policy_i=gto picks=9,9 policy_i=tlv picks=8,9 policy_i=lrr picks=20 "
               "policy_i=sca ready=20,26,3 picks=20"),
        SCRIPT("enable 0: everything holds, a launch is missed", "warp_scheduler",
               "policy_i=gto ready=20 picks=20 enable_i=0 ready=0,42 cta_start_i=0x80 picks=- last_q=20 hold_q=1 ready=20,42 picks=- "
               "enable_i=1 picks=20 ready=0,42 picks=42"),
        EACH_MODEL("bus: every input is bound", ONE_VARIANT("warp_scheduler"), binding),
        BOTH_SIDES("log: launches", "warp_scheduler", log_of_launches),
    };
    return cmocka_run_group_tests_name("warp_scheduler", tests, NULL, NULL);
}
