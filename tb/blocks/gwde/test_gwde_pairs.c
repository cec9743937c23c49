/* SPDX-License-Identifier: Apache-2.0
 *
 * Block CTA scheduling: the rules of pairs, each on the model and on the RTL. The random test compares them with a list of places,
 * each for a pair, and a grid that is cut into pairs beforehand.
 */
#include "blocks/gwde/bench.h"

/* A 2-D kernel, in pairs if the bench says so. */
static void start_2d(bench *b, unsigned grid, unsigned width)
{
    b->in.bcs = b->in.two_d = 1;
    b->in.width = width;
    start(b, grid);
    b->in.bcs = b->in.two_d = 0;
    b->in.width = 0;
}

static void only_sm_0(bench *b)
{
    ask(b, 0);
    b->in.sm[0].req = 1;
}

/* ---- BCS-1, BCS-2 -------------------------------------------------------------------------- */

RULE(bcs1_in_turn, "BCS-1: two consecutive CTAs to each SM, in turn, in the slots 2k and 2k+1", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 50);
    cycle(b);
    expect(b, "bcs.on_q=1 bcs.odd_q=1 ptr_q=1");
    for (unsigned cta = 0; cta < 100; cta++) {
        cycle(b);
        expect_launch(b, cta, cta / 2 % 14, cta % 2 + cta / 28 * 2);
    }
    cycle(b);
    expect(b, "start_valid_o=0 exhausted_o=1");
}

RULE(bcs1_second_follows, "BCS-1: the second CTA follows, whatever limit and request say", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 50);
    ask(b, 0);
    b->in.sm[5].req = 1;
    cycle(b); /* the first one is chosen */
    limit(b, 0);
    ask(b, 1);
    b->in.sm[5].req = 0;
    cycle(b);
    expect_launch(b, 0, 5, 0);
    expect(b, "ptr_q=6 sm[4].denied_o=0 sm[5].denied_o=0");
    cycle(b);
    expect_launch(b, 1, 5, 1);
    expect(b, "ptr_q=6 sm[5].held_q=3");
    cycles(b, 5);
    expect(b, "start_valid_o=0 left_q=98");
}

RULE(bcs1_turn_every_cycle, "BCS-1, GWDE-A1: the turn moves once per pair, also if it moves in every cycle", "gwde_every")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 50);
    for (unsigned n = 0; n < 10; n++) {
        cycle(b);
        expect(b, "ptr_q=%u", (n + 1) % 5);
        cycle(b);
        expect_launch(b, 2 * n, n % 5, n / 5 * 2);
        expect(b, "ptr_q=%u", (n + 1) % 5);
    }
}

RULE(bcs2_one_dimension, "BCS-2, COMB-4: a 1-D kernel, or one without the setting, goes CTA by CTA", "gwde_sms14")
{
    for (unsigned set = 0; set < 3; set++) {
        dut_reset(&b->dut);
        needs(b, 1, 1, 1);
        b->in.bcs = set & 1;
        b->in.two_d = set >> 1;
        start(b, 20);
        b->in.bcs = b->in.two_d = 1; /* read at a start alone */
        expect(b, "bcs.on_q=0");
        cycle(b);
        expect_sms(b, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 0 1");
        expect(b, "start_slot_o=1");
    }
}

RULE(bcs2_each_kernel, "BCS-2: the next kernel has its own answer", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 2, 2);
    cycles(b, 3);
    expect_launch(b, 1, 0, 1);
    finish(b, 0, 3);
    cycle(b);
    expect(b, "idle_o=0 bcs.on_q=1");
    start(b, 2);
    expect(b, "idle_o=1 bcs.on_q=0");
    cycle(b);
    expect_sms(b, "0 1");
}

/* ---- BCS-3, BCS-6: delayed assignment ------------------------------------------------------ */

RULE(bcs6_half_occupied, "BCS-3, BCS-6: of two pairs one CTA each has gone, and nothing comes", "gwde_sms14")
{
    needs(b, 12, 1, 1); /* four fit, as of MMUL */
    only_sm_0(b);
    start_2d(b, 100, 50);
    cycles(b, 5);
    expect_launch(b, 3, 0, 3);
    finish(b, 0, 2);
    expect(b, "sm[0].denied_o=1");
    finish(b, 0, 4);
    cycles(b, 20);
    expect(b, "start_valid_o=0 sm[0].cta_active_o=9 sm[0].denied_o=1 sm[0].count_q=4 idle_o=0");
    finish(b, 0, 1); /* the first pair has gone */
    expect(b, "sm[0].denied_o=0 start_valid_o=0");
    cycle(b);
    expect(b, "sm[0].held_q=12 sm[0].denied_o=0");
    cycles(b, 2);
    expect_launch(b, 4, 0, 0);
    cycle(b);
    expect_launch(b, 5, 0, 1);
    cycle(b);
    expect(b, "sm[0].denied_o=1");
}

/* The limit alone would have room for a pair beside half of another. */
RULE(bcs3_places, "BCS-3, BCS-A2: the limit counts both CTAs of a pair until both have gone", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    only_sm_0(b);
    limit(b, 4);
    start_2d(b, 100, 50);
    cycles(b, 9);
    expect(b, "sm[0].count_q=4");
    finish(b, 0, 5);
    cycles(b, 9);
    expect(b, "sm[0].count_q=4 sm[0].cta_active_o=10 start_valid_o=0 sm[0].denied_o=0");
    finish(b, 0, 2);
    cycles(b, 2);
    expect(b, "sm[0].count_q=3 start_valid_o=0 sm[0].held_q=13");
    cycle(b);
    expect_launch(b, 4, 0, 0);
}

RULE(first_ends_at_once, "BCS-3: the first CTA ends in the cycle of its launch, before the second one has come", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    only_sm_0(b);
    limit(b, 2);
    start_2d(b, 100, 50);
    cycle(b);
    finish(b, 0, 1);
    expect_launch(b, 0, 0, 0);
    finish(b, 0, 2);
    expect_launch(b, 1, 0, 1);
    cycles(b, 3);
    expect_launch(b, 2, 0, 0);
}

/* ---- BCS-A1, BCS-A4: CTAs without a neighbour ---------------------------------------------- */

RULE(bcs_a4_odd_grid, "BCS-A4: the last CTA of an odd grid goes alone", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 5, 5);
    cycle(b);
    expect_sms(b, "0 0 1 1 2");
    expect(b, "start_slot_o=0 exhausted_o=1");
    cycle(b);
    expect(b, "start_valid_o=0 sm[2].held_q=1");
    finish(b, 2, 1);
    expect(b, "sm[2].held_q=0");
    start_2d(b, 1, 1); /* not idle: SM 0 and SM 1 hold their pairs */
    finish(b, 0, 3);
    finish(b, 1, 3);
    cycles(b, 2);
    start_2d(b, 1, 1);
    cycles(b, 2);
    expect_launch(b, 0, 0, 0);
}

RULE(bcs_a1_linear, "BCS-A1: over the whole grid, rows of odd width share pairs", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 9, 3);
    cycle(b);
    expect_sms(b, "0 0 1 1 2 2 3 3 4");
}

RULE(bcs_a1_per_row, "BCS-A1: in each row anew, the last CTA of an odd row goes alone, into an even slot", "gwde_df")
{
    static const unsigned slots[] = {0, 1, 2, 4, 5, 6};

    needs(b, 1, 1, 1);
    start_2d(b, 100, 3);
    cycle(b);
    for (unsigned cta = 0; cta < 9; cta++) {
        cycle(b);
        expect_launch(b, cta, cta / 6, slots[cta % 6]);
    }
}

/* ---- BCS-A2: odd limits, and one ----------------------------------------------------------- */

static unsigned places_of(unsigned odd_limit, unsigned limit)
{
    static const unsigned places[3][9] = {{0, 2, 2, 2, 4, 4, 6, 6, 8}, {0, 2, 2, 4, 4, 6, 6, 8, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8}};

    return places[odd_limit][limit];
}

static const char *const of_each_limit[] = {"gwde_sms14", "gwde_every", "gwde_df", NULL};

RULE_EACH(bcs_a2_each_limit, "BCS-A2: what each limit lets in, in each reading of an odd one", of_each_limit)
{
    for (unsigned n = 0; n <= 8; n++) {
        dut_reset(&b->dut);
        needs(b, 1, 1, 1);
        limit(b, n);
        only_sm_0(b);
        start_2d(b, 100, 100);
        cycles(b, 30);
        expect(b, "sm[0].count_q=%u", places_of(config(b)->odd_limit, n));
    }
}

RULE(bcs_a2_limit_of_one, "BCS-A2: ALLOW_SINGLE with a limit of 1 is single CTAs", "gwde_df")
{
    needs(b, 1, 1, 1);
    limit(b, 1);
    start_2d(b, 100, 100);
    cycle(b);
    expect_sms(b, "0 1 2 3");
    cycles(b, 3);
    finish(b, 2, 1);
    cycles(b, 2);
    expect_launch(b, 4, 2, 0);
}

RULE(bcs_a2_pairs_again, "BCS-A2: after two neighbours went alone, pairs begin at an even place", "gwde_df")
{
    needs(b, 1, 1, 1);
    limit(b, 3);
    start_2d(b, 100, 100);
    cycle(b);
    expect_sms(b, "0 0 0 1"); /* 0 and 1, 2 alone; 3, its neighbour, alone on the next SM */
    expect(b, "start_slot_o=0");
    expect_sms(b, "1 1 2 2 2 3 3 3");
    expect(b, "start_cta_o=11 start_slot_o=3");
}

/* Of a pair that returns, one slot is free before the other. */
RULE(bcs_a2_return_is_no_place, "BCS-A2: half of a pair that returns is no place for a CTA alone", "gwde_df")
{
    needs(b, 1, 1, 1);
    limit(b, 2);
    only_sm_0(b);
    start_2d(b, 100, 100);
    cycles(b, 4);
    finish(b, 0, 3);
    cycles(b, 3);
    expect_launch(b, 2, 0, 0);
    cycle(b);
    expect_launch(b, 3, 0, 1);
}

RULE(bcs_a2_no_room_for_two, "BCS-A2: a CTA that takes more than half of an SM goes alone", "gwde_sms14")
{
    static const unsigned much[][3] = {{25, 1, 1}, {1, 513, 1}, {1, 1, 193}, {24, 512, 192}};

    for (unsigned n = 0; n < 4; n++) {
        dut_reset(&b->dut);
        needs(b, much[n][0], much[n][1], much[n][2]);
        start_2d(b, 100, 100);
        expect(b, "bcs.on_q=%u", n == 3);
        cycle(b);
        expect_sms(b, n == 3 ? "0 0 1 1" : "0 1 2 3");
    }
}

RULE(one_slot, "BCS-A2: an SM with one slot gets CTAs one by one", "gwde_sms1")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 100);
    expect(b, "bcs.on_q=0");
    cycles(b, 2);
    expect_launch(b, 0, 0, 0);
}

/* ---- COMB-3: LCS and BCS ------------------------------------------------------------------- */

RULE(comb3_limit_falls, "COMB-3: LCS monitors with pairs, then T_new lets them drain", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    only_sm_0(b);
    start_2d(b, 100, 100);
    cycles(b, 10);
    expect(b, "sm[0].count_q=8");
    finish(b, 0, 4); /* the first CTA ends: T_new is known */
    limit(b, 5);
    finish(b, 0, 8);
    cycles(b, 9);
    expect(b, "sm[0].held_q=243 start_valid_o=0 left_q=92");
    finish(b, 0, 3);
    cycles(b, 9);
    expect(b, "sm[0].held_q=240 start_valid_o=0 left_q=92 sm[0].denied_o=0"); /* four, and a place for one */
    finish(b, 0, 48);
    cycles(b, 3);
    expect_launch(b, 8, 0, 0);
    cycles(b, 9);
    expect(b, "sm[0].held_q=195 start_valid_o=0");
}

/* ---- the rules once more: places, and a grid that is cut beforehand ------------------------- */

enum { MOST_SMS = 16, MOST_PLACES = 8, MOST_CTAS = 400, NOBODY = -1 };

typedef struct oracle {
    int of[MOST_SMS][MOST_PLACES][2]; /* which CTA, or NOBODY */
    bool ended[MOST_SMS][MOST_PLACES][2];
    int with[MOST_CTAS];              /* the neighbour, or the CTA itself */
    unsigned grid, next, asked_first;
    bool pairs;
    bool launch, second; /* of this cycle, and whether the next one brings its neighbour */
    unsigned sm, place;
} oracle;

static unsigned places(const gwde_cfg *cfg)
{
    return (cfg->sm.num_slots + 1) / 2;
}

static unsigned held(const oracle *o, const gwde_cfg *cfg, unsigned sm)
{
    unsigned n = 0;

    for (unsigned k = 0; k < places(cfg); k++)
        n += (unsigned)(o->of[sm][k][0] != NOBODY) + (o->of[sm][k][1] != NOBODY);
    return n;
}

static bool suffices(const bench *b, const oracle *o, unsigned sm, unsigned more)
{
    const gwde_cfg *cfg = config(b);
    const unsigned n = held(o, cfg, sm) + more;

    return n * state(b)->warps <= cfg->sm.num_warps && n * state(b)->regs <= cfg->sm.reg_units && n * state(b)->smem <= cfg->sm.smem_units;
}

/* An empty place for so many CTAs, and what they need; else the number of places. */
static unsigned room(const bench *b, const oracle *o, unsigned sm, unsigned ctas)
{
    const gwde_cfg *cfg = config(b);
    unsigned k = 0;

    while (k < places(cfg) && (o->of[sm][k][0] != NOBODY || o->of[sm][k][1] != NOBODY))
        k++;
    return 2 * k + ctas <= cfg->sm.num_slots && suffices(b, o, sm, ctas) ? k : places(cfg);
}

/* Nobody in the place runs, but somebody has. */
static bool over(const oracle *o, unsigned sm, unsigned k)
{
    bool runs = o->second && o->sm == sm && o->place == k, some = false;

    for (unsigned i = 0; i < 2; i++) {
        runs |= o->of[sm][k][i] != NOBODY && !o->ended[sm][k][i];
        some |= o->of[sm][k][i] != NOBODY;
    }
    return some && !runs;
}

static unsigned first_over(const oracle *o, const gwde_cfg *cfg, unsigned sm)
{
    unsigned k = 0;

    while (k < places(cfg) && !over(o, sm, k))
        k++;
    return k;
}

static void end_ctas(oracle *o, const gwde_cfg *cfg, const gwde_in *in, unsigned sm)
{
    for (unsigned slot = 0; slot < cfg->sm.num_slots; slot++)
        o->ended[sm][slot / 2][slot % 2] |= o->of[sm][slot / 2][slot % 2] != NOBODY && (in->sm[sm].cta_done >> slot & 1);
}

static void give_back(oracle *o, const gwde_cfg *cfg, unsigned sm, unsigned k)
{
    const unsigned i = k < places(cfg) && o->of[sm][k][0] == NOBODY;

    if (k < places(cfg)) {
        o->of[sm][k][i] = NOBODY;
        o->ended[sm][k][i] = false;
    }
}

/* How many CTAs the SM would get of the next one and its neighbour: 0, 1 or 2. */
static unsigned gets(const bench *b, const oracle *o, unsigned sm)
{
    const gwde_cfg *cfg = config(b);
    const unsigned most = places_of(cfg->odd_limit, b->seen.sm[sm].limit), n = held(o, cfg, sm);
    const bool two = o->with[o->next] > (int)o->next;

    if (!b->seen.sm[sm].req || o->next == o->grid || n >= most)
        return 0;
    if (two && most - n == 1 && cfg->odd_limit == GWDE_ALLOW_SINGLE)
        return first_over(o, cfg, sm) == places(cfg) && room(b, o, sm, 1) < places(cfg);
    if (two)
        return most - n >= 2 && room(b, o, sm, 2) < places(cfg) ? 2 : 0;
    return room(b, o, sm, 1) < places(cfg);
}

static void choose(const bench *b, oracle *o)
{
    const gwde_cfg *cfg = config(b);
    unsigned ctas = 0;

    for (unsigned k = 0; k < cfg->num_sms && !ctas; k++) {
        const unsigned sm = (o->asked_first + k) % cfg->num_sms;

        ctas = gets(b, o, sm);
        o->sm = ctas ? sm : o->sm;
    }
    o->launch = ctas != 0;
    o->second = ctas == 2;
    if (ctas) {
        o->place = room(b, o, o->sm, ctas);
        if (ctas == 1 && o->with[o->next] > (int)o->next) { /* its neighbour goes alone, too */
            o->with[o->next + 1] = (int)o->next + 1;
            o->with[o->next] = (int)o->next;
        }
    }
    if (cfg->fill == GWDE_FILL_RR && (ctas || cfg->rr_advance == GWDE_EVERY_CYCLE))
        o->asked_first = ((cfg->rr_advance == GWDE_EVERY_CYCLE ? o->asked_first : o->sm) + 1) % cfg->num_sms;
}

static void oracle_cycle(const bench *b, oracle *o)
{
    const gwde_cfg *cfg = config(b);
    const bool second = o->second;
    unsigned back[MOST_SMS];

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        end_ctas(o, cfg, &b->seen, sm);
        back[sm] = first_over(o, cfg, sm);
    }
    if (second)
        o->second = false;
    else
        choose(b, o);
    for (unsigned sm = 0; sm < cfg->num_sms; sm++)
        give_back(o, cfg, sm, back[sm]);
    if (o->launch)
        o->of[o->sm][o->place][second] = (int)o->next++;
}

static void expect_outputs(const bench *b, const oracle *o)
{
    const gwde_cfg *cfg = config(b);

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        uint32_t active = 0, starts = 0;

        for (unsigned slot = 0; slot < cfg->sm.num_slots; slot++) {
            const int cta = o->of[sm][slot / 2][slot % 2];

            active |= (uint32_t)(cta != NOBODY && !o->ended[sm][slot / 2][slot % 2]) << slot;
            starts |= (uint32_t)(o->launch && cta == (int)o->next - 1) << slot;
        }
        assert_int_equal(b->out.sm[sm].cta_active, active);
        assert_int_equal(b->out.sm[sm].cta_start, starts);
    }
    expect(b, "start_valid_o=%u exhausted_o=%u", o->launch, o->next == o->grid);
    if (o->launch)
        expect(b, "start_cta_o=%u start_sm_o=%u", o->next - 1, o->sm);
}

/* Is this SM refused in the cycle that was: nothing is left, or nothing fits and nothing comes back. */
static void expect_denied(const bench *b, const oracle *before)
{
    const gwde_cfg *cfg = config(b);
    oracle o = *before;

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        const bool left = o.next != o.grid, two = left && o.with[o.next] > (int)o.next;
        const bool one_place = cfg->odd_limit == GWDE_ALLOW_SINGLE && held(&o, cfg, sm) + 1 == b->seen.sm[sm].limit;
        bool full;

        end_ctas(&o, cfg, &b->seen, sm);
        full = room(b, &o, sm, two && !one_place ? 2 : 1) == places(cfg) && first_over(&o, cfg, sm) == places(cfg);
        assert_int_equal(b->out.sm[sm].denied, b->seen.sm[sm].req && (!left || (full && !o.second)));
    }
}

static void cut_into_pairs(oracle *o, const gwde_cfg *cfg, unsigned width)
{
    const bool rows = cfg->bcs.pair_row_wrap == BCS_PER_ROW && width;

    for (unsigned i = 0; i < o->grid; i++) {
        const unsigned x = rows ? i % width : i, other = x % 2 ? i - 1 : i + 1;

        o->with[i] = (int)(other < o->grid && (!rows || other / width == i / width) ? other : i);
    }
}

static void begin(bench *b, oracle *o, uint64_t *seed)
{
    const gwde_cfg *cfg = config(b);
    const unsigned width = random_one_in(seed, 5) ? 0 : 1 + random_below(seed, 9);

    memset(o, 0, sizeof *o);
    memset(o->of, -1, sizeof o->of);
    o->grid = 1 + random_below(seed, MOST_CTAS - 1) / (1 + random_below(seed, 9));
    cut_into_pairs(o, cfg, width);
    needs(b, random_below(seed, cfg->sm.num_warps / 2 + 1) / (1 + random_below(seed, 5)),
          random_below(seed, cfg->sm.reg_units / 2 + 1) / (1 + random_below(seed, 5)),
          random_below(seed, cfg->sm.smem_units / 2 + 1) / (1 + random_below(seed, 5)));
    start_2d(b, o->grid, width);
    expect(b, "bcs.on_q=1 left_q=%u", o->grid);
}

static void draw_sms(bench *b, uint64_t *seed, unsigned life)
{
    for (unsigned i = 0; i < sms(b); i++) {
        b->in.sm[i].req = !random_one_in(seed, 4);
        if (random_one_in(seed, 40))
            b->in.sm[i].limit = (uint8_t)(random_one_in(seed, 3) ? random_below(seed, 4) : random_below(seed, config(b)->sm.num_slots + 1));
        b->in.sm[i].cta_done = 0;
        for (unsigned slot = 0; slot < config(b)->sm.num_slots; slot++)
            b->in.sm[i].cta_done |= (uint32_t)random_one_in(seed, life) << slot;
    }
}

static const char *const with_pairs[] = {"gwde", "gwde_df", "gwde_every", "gwde_sms14", "gwde_two", NULL};

RULE_EACH(random_against_places, "BCS-1 to BCS-6: random 2-D kernels and SMs against a list of places", with_pairs)
{
    static const unsigned lives[] = {2, 6, 30};
    uint64_t seed = 0xbc5 + sms(b);

    for (unsigned kernel = 0; kernel < 40; kernel++) {
        oracle o, before;
        unsigned n = 0;

        limit(b, config(b)->sm.num_slots);
        begin(b, &o, &seed);
        do {
            draw_sms(b, &seed, lives[kernel % 3]);
            before = o;
            cycle(b);
            expect_outputs(b, &o);
            expect_denied(b, &before);
            oracle_cycle(b, &o);
            assert_true(++n < 20000);
        } while (!b->out.idle);
        assert_int_equal(o.next, o.grid);
    }
}

/* ---- twins ---------------------------------------------------------------------------------- */

static void draw_inputs(void *inputs, const void *config, uint64_t *seed, unsigned n)
{
    const gwde_cfg *cfg = config;
    const unsigned life = n / 1000 % 2 ? 4 : 30;
    gwde_in *in = inputs;

    in->start = random_one_in(seed, 4);
    in->grid = random_below(seed, 12 * cfg->num_sms);
    in->width = random_below(seed, 6);
    in->bcs = !random_one_in(seed, 6);
    in->two_d = !random_one_in(seed, 6);
    in->warps = (uint8_t)(random_below(seed, cfg->sm.num_warps + 2) / (1 + random_below(seed, 8)));
    in->regs = (uint16_t)(random_below(seed, cfg->sm.reg_units + 2) / (1 + random_below(seed, 8)));
    in->smem = (uint16_t)(random_below(seed, cfg->sm.smem_units + 2) / (1 + random_below(seed, 8)));
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].req = !random_one_in(seed, 3);
        in->sm[i].limit = (uint8_t)random_below(seed, cfg->sm.num_slots + 1);
        in->sm[i].cta_done = 0;
        for (unsigned slot = 0; slot < cfg->sm.num_slots; slot++)
            in->sm[i].cta_done |= (uint32_t)random_one_in(seed, life) << slot;
    }
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: random kernels in pairs", variants, 0x2db, 8000, draw_inputs))

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_pairs, "log: kernels in pairs, and pairs", "gwde_sms14")
{
    needs(b, 8, 280, 24);
    b->in.start = b->in.bcs = b->in.two_d = 1;
    b->in.grid = 4;
    b->in.width = 2;
    cycle(b);
    tell(b);
    assert_int_equal(told(), 2);
    assert_string_equal(told_record(0), "gwde GWDE-2 kernel_start: grid=4 warps=8 regs=280 smem=24 | | fits=yes");
    assert_string_equal(told_record(1), "gwde BCS-2 pairs: two_d=1 width=2 | | pairs=yes");
    b->in.start = b->in.bcs = b->in.two_d = 0;
    cycle(b);
    expect_decision(b, "gwde GWDE-1 launch: cta=0 sm=0 slot=0 resident=1 | |", "CTA 0 to SM 0, slot 0: 1 resident");
    cycle(b);
    tell(b);
    assert_int_equal(told(), 2);
    assert_string_equal(told_record(0), "gwde GWDE-1 launch: cta=1 sm=0 slot=1 resident=2 | |");
    assert_string_equal(told_record(1), "gwde BCS-1 second: cta=1 sm=0 slot=1 | |");
}
