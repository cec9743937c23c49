/* SPDX-License-Identifier: Apache-2.0
 *
 * The dispatcher under random kernels in pairs, requests, limits and finishes, against a list of places, each for a pair, and a grid
 * that is cut into pairs beforehand; and the two sides on any input.
 */
#include "blocks/gwde/bench.h"

/* ---- the rules once more: places, and a grid that is cut beforehand ------------------------- */

enum { MOST_SMS = 16, MOST_PLACES = 8, MOST_CTAS = 400, NOBODY = -1 };

typedef struct oracle {
    int of[MOST_SMS][MOST_PLACES][2]; /* which CTA, or NOBODY */
    bool ended[MOST_SMS][MOST_PLACES][2];
    int with[MOST_CTAS];              /* the neighbour, or the CTA itself */
    unsigned grid, next, asked_first;
    bool launch, second; /* of this cycle, and whether the next one brings its neighbour */
    unsigned sm, place;
    unsigned counted;         /* CTAs that are known to fit an empty SM           */
    unsigned ready[MOST_SMS]; /* so many of the next one and its neighbour may go */
    unsigned into[MOST_SMS];  /* to this place                                    */
    bool still;               /* after a launch nobody is ready, and the turn waits */
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

static bool suffices(const bench *b, unsigned n)
{
    const gwde_cfg *cfg = config(b);

    return n <= cfg->sm.num_slots && n * state(b)->warps <= cfg->num_warps && n * state(b)->regs <= cfg->reg_units && n * state(b)->smem <= cfg->smem_units;
}

/* An empty place for so many CTAs, and what they need; else the number of places. */
static unsigned room(const bench *b, const oracle *o, unsigned sm, unsigned ctas)
{
    const gwde_cfg *cfg = config(b);
    unsigned k = 0;

    while (k < places(cfg) && (o->of[sm][k][0] != NOBODY || o->of[sm][k][1] != NOBODY))
        k++;
    return 2 * k + ctas <= cfg->sm.num_slots && held(o, cfg, sm) + ctas <= o->counted ? k : places(cfg);
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

        ctas = o->ready[sm];
        o->sm = ctas ? sm : o->sm;
    }
    o->launch = ctas != 0;
    o->second = ctas == 2;
    if (ctas) {
        o->place = o->into[o->sm];
        if (ctas == 1 && o->with[o->next] > (int)o->next) { /* its neighbour goes alone, too */
            o->with[o->next + 1] = (int)o->next + 1;
            o->with[o->next] = (int)o->next;
        }
    }
    if (cfg->fill == GWDE_FILL_RR && (cfg->rr_advance == GWDE_EVERY_CYCLE ? !o->still : ctas != 0))
        o->asked_first = ((cfg->rr_advance == GWDE_EVERY_CYCLE ? o->asked_first : o->sm) + 1) % cfg->num_sms;
}

/* Who may get what in the next cycle. After a launch nobody: the next CTA may be another kind. */
static void find_ready(const bench *b, oracle *next, const oracle *o)
{
    for (unsigned sm = 0; sm < sms(b); sm++) {
        const unsigned ctas = gets(b, o, sm);

        next->ready[sm] = next->launch || o->second ? 0 : ctas;
        next->into[sm] = ctas ? room(b, o, sm, ctas) : 0;
    }
    next->still = next->launch;
}

static void oracle_cycle(const bench *b, oracle *o)
{
    const gwde_cfg *cfg = config(b);
    const bool second = o->second;
    oracle before;
    unsigned back[MOST_SMS];

    for (unsigned sm = 0; sm < cfg->num_sms; sm++) {
        end_ctas(o, cfg, &b->seen, sm);
        back[sm] = first_over(o, cfg, sm);
    }
    before = *o;
    if (second)
        o->second = false;
    else
        choose(b, o);
    find_ready(b, o, &before);
    o->counted += suffices(b, o->counted + 1);
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
        full = room(b, &o, sm, two && !one_place ? 2 : 1) == places(cfg) && first_over(&o, cfg, sm) == places(cfg) &&
               !suffices(b, o.counted + 1);
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
    o->counted = 1;
    o->grid = 1 + random_below(seed, MOST_CTAS - 1) / (1 + random_below(seed, 9));
    cut_into_pairs(o, cfg, width);
    needs(b, random_below(seed, cfg->num_warps / 2 + 1) / (1 + random_below(seed, 5)),
          random_below(seed, cfg->reg_units / 2 + 1) / (1 + random_below(seed, 5)),
          random_below(seed, cfg->smem_units / 2 + 1) / (1 + random_below(seed, 5)));
    start_2d(b, o->grid, width);
    expect(b, "bcs.on_q=1 left_q=%u", o->grid);
}

static void draw_sms(bench *b, uint64_t *seed, unsigned life)
{
    for (unsigned i = 0; i < sms(b); i++) {
        b->in.sm[i].req = !random_one_in(seed, 4);
        if (random_one_in(seed, 40))
            b->in.sm[i].limit = (uint8_t)(random_one_in(seed, 3) ? random_below(seed, 4) : random_below(seed, config(b)->sm.num_slots + 1));
        b->in.sm[i].cta_done = random_set(seed, config(b)->sm.num_slots, life);
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
    in->warps = (uint8_t)(random_below(seed, cfg->num_warps + 2) / (1 + random_below(seed, 8)));
    in->regs = (uint16_t)(random_below(seed, cfg->reg_units + 2) / (1 + random_below(seed, 8)));
    in->smem = (uint16_t)(random_below(seed, cfg->smem_units + 2) / (1 + random_below(seed, 8)));
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].req = !random_one_in(seed, 3);
        in->sm[i].limit = (uint8_t)random_below(seed, cfg->sm.num_slots + 1);
        in->sm[i].cta_done = random_set(seed, cfg->sm.num_slots, life);
    }
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: random kernels in pairs", variants, 0x2db, 8000, draw_inputs))
