/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of the table of limits, each on the model and on the RTL. A test says which kernels start, and at which limits their
 * searches end.
 */
#include "chip/limit_table.h"

#define BENCH_BLOCK limit_table
#include "blocks/limit_table/invariant.h"
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

#include <stdio.h>

static const char *const variants[] = {"limit_table", "limit_table_one", "limit_table_three", "limit_table_large", NULL};

/* A kernel starts: the hint is this. What search and table say of the kernel before does not matter. */
static void start(bench *b, unsigned id, unsigned nmax, unsigned hint)
{
    b->in.kernel_start = 1;
    b->in.kernel_id = (uint16_t)id;
    b->in.nmax = (uint8_t)nmax;
    cycle(b);
    expect(b, "hint_o=%u", hint);
    b->in.kernel_start = 0;
    b->in.kernel_id = 0;
    b->in.nmax = 0;
}

/* Its search ends, and begins anew. */
static void decide(bench *b, unsigned limit)
{
    b->in.done = 1;
    b->in.limit = (uint8_t)limit;
    cycle(b);
    expect(b, "hint_o=0");
    b->in.done = b->in.limit = 0;
    cycle(b);
}

/* "start=7,6:0": kernel 7 of Nmax 6 starts and has no hint. */
static void start_of(bench *b, const char *text)
{
    unsigned id, nmax, hint;

    assert_int_equal(sscanf(text, "%u,%u:%u", &id, &nmax, &hint), 3);
    start(b, id, nmax, hint);
}

static const bench_word words[] = {{"start", NULL, start_of}, {"decide", decide, NULL}, {NULL, NULL, NULL}};

/* The same start twice more, without a search between. */
static void expect_hint(bench *b, unsigned id, unsigned nmax, unsigned hint)
{
    start(b, id, nmax, hint);
    start(b, id, nmax, hint);
}

TEST(defaults)
{
    const limit_table_cfg cfg = limit_table_cfg_default();

    assert_int_equal(cfg.num_slots, 8);
    assert_int_equal(cfg.entries, 4);
    assert_int_equal(cfg.id_w, 8);
}

RULE_EACH(reset_state, "reset empties the table", variants)
{
    play(b, "next_q=0 own_q=0 id_q=0 nmax_q=0 done_was_q=0 start=1,2:0 decide=2 start=1,2:2 reset own_q=0 id_q=0 nmax_q=0 next_q=0");
    for (unsigned e = 0; e < config(b)->entries; e++)
        expect(b, "entry_id_q[%u]=0 entry_nmax_q[%u]=0 entry_limit_q[%u]=0", e, e, e);
    expect_hint(b, 1, 2, 0);
}

RULE_EACH(ltb1_every_limit, "LTB-1: a kernel's limit comes back, of every Nmax", variants)
{
    for (unsigned nmax = 1; nmax <= config(b)->num_slots; nmax++)
        for (unsigned limit = 1; limit <= nmax; limit++) {
            play(b, "reset start=1,%u:0 decide=%u start=1,%u:%u", nmax, limit, nmax, limit);
            expect_hint(b, 1, nmax, limit);
        }
}

/* Each bit alone, too: that is an id. */
RULE_EACH(ltb1_every_id, "LTB-1: every bit of an id counts", variants)
{
    const unsigned bits = config(b)->id_w;

    for (unsigned bit = 0; bit < bits; bit++) {
        play(b, "reset start=%u,2:0 decide=1", 1u << bit);
        for (unsigned other = 0; other < bits; other++)
            expect_hint(b, 1u << other, 2, other == bit ? 1 : 0);
        if (bits > 1)
            start(b, 1u << bit | 1u << (bit ? 0 : 1), 2, 0);
    }
}

/* Each cell of this table is a decision, or none. */
RULE(ltb2_what_is_remembered, "LTB-2: limits of 1..Nmax are remembered", "limit_table")
{
    for (unsigned nmax = 0; nmax < 16; nmax++)
        for (unsigned limit = 0; limit < 16; limit++)
            play(b, "reset start=3,%u:0 decide=%u start=3,%u:%u", nmax, limit, nmax, limit <= nmax ? limit : 0);
}

RULE(ltb2_first_done, "LTB-2: the limit of the first cycle with done", "limit_table")
{
    play(b, "start=3,6:0 limit_i=5 cycle done_i=1 limit_i=4 cycle limit_i=2 cycle=3 done_was_q=1 entry_limit_q[0]=4 "
            "done_i=0 cycle done_was_q=0 done_i=1 cycle entry_limit_q[0]=2 entry_id_q[1]=0 own_q=1 start=3,6:2");
    /* done from the kernel before on: the first cycle after the start */
    play(b, "done_i=1 limit_i=6 start=3,6:2 done_was_q=0 entry_limit_q[0]=2 cycle entry_limit_q[0]=6 done_was_q=1");
    /* one that is not remembered is over all the same */
    play(b, "limit_i=7 start=3,6:6 cycle done_was_q=1 limit_i=3 cycle entry_limit_q[0]=6");
}

RULE(ltb3_other_nmax, "LTB-3: the same id with another Nmax is another kernel", "limit_table")
{
    play(b, "start=3,6:0 decide=5 start=3,4:0 decide=2 start=3,6:5 start=3,4:2 start=3,5:0 decide=0 decide=6 next_q=2");
    play(b, "start=3,6:5 decide=1 next_q=2 start=3,4:2 start=3,6:1 start=2,6:0");
}

/* Its later decisions change one entry, at the same launch and at later ones. */
RULE_EACH(ltb3_one_entry, "LTB-3: a kernel has one entry", variants)
{
    const unsigned all = config(b)->entries, next = all == 1 ? 0 : 1;

    play(b, "start=1,2:0 decide=2 own_q=1 decide=1 decide=2 next_q=%u start=1,2:2 own_q=1 decide=1 start=1,2:1 next_q=%u", next, next);
    for (unsigned e = 1; e < all; e++)
        expect(b, "entry_id_q[%u]=0", e);
}

/* Kernels 1, 2, 3 ... of Nmax 2; a table of three or more. */
static void fill(bench *b)
{
    for (unsigned id = 1; id <= config(b)->entries; id++)
        play(b, "start=%u,2:0 decide=%u next_q=%u own_q=%u", id, 1 + id % 2, id % config(b)->entries, 1u << (id - 1));
}

RULE_EACH(ltb4_oldest_goes, "LTB-4: a new kernel takes the place of the oldest", variants + 2)
{
    const unsigned all = config(b)->entries;

    fill(b);
    for (unsigned id = 1; id <= all; id++) /* hints and later decisions make no entry younger */
        play(b, "start=%u,2:%u decide=%u next_q=0", id, 1 + id % 2, 2 - id % 2);
    for (unsigned id = 1; id <= all; id++) {
        play(b, "start=%u,3:0 decide=3 next_q=%u own_q=%u start=%u,2:0", id, id % all, 1u << (id - 1), id);
        if (id < all)
            play(b, "start=%u,2:%u", id + 1, 2 - (id + 1) % 2);
    }
    for (unsigned id = 1; id <= all; id++)
        start(b, id, 3, 3);
}

RULE(ltb4_one_entry, "LTB-4: a table of one entry", "limit_table_one")
{
    play(b, "start=1,2:0 decide=1 start=1,1:0 start=1,2:1 start=1,1:0 decide=1 next_q=0 own_q=1 start=1,2:0 start=1,1:1");
}

/* A new kernel that takes the entry of none: the kernel before may come back as one that is not known. */
RULE(ltb4_own_is_replaced, "LTB-4: a kernel that was forgotten is a new one", "limit_table_three")
{
    fill(b);
    play(b, "start=4,2:0 decide=1 start=1,2:0 own_q=0 decide=1 own_q=2 next_q=2 start=2,2:0 start=3,2:2 start=4,2:1 start=1,2:1");
}

RULE(ltb5_start_wins, "LTB-5: nothing of a start's cycle is stored", "limit_table")
{
    play(b, "start=3,6:0 done_i=1 limit_i=5 start=4,6:0 entry_id_q[0]=0 next_q=0 id_q=4 done_was_q=0 cycle entry_id_q[0]=4 "
            "done_i=0 start=3,6:0 start=4,6:5");
}

RULE_EACH(ltb5_no_id, "LTB-5: a kernel without an id", variants)
{
    for (unsigned nmax = 0; nmax <= 2; nmax++) /* entries that are empty have Nmax 0 and id 0 */
        play(b, "start=0,%u:0 own_q=0 decide=1 decide=%u next_q=0 entry_limit_q[0]=0 start=0,%u:0", nmax, nmax, nmax);
    play(b, "start=1,2:0 decide=2 start=0,2:0 own_q=0 decide=1 entry_limit_q[0]=2 start=1,2:2");
}

RULE(contract_enable, "without enable nothing is read, and nothing moves", "limit_table")
{
    play(b, "start=3,6:0 decide=5 enable_i=0 start=3,6:0 start=4,4:0 id_q=3 nmax_q=6 own_q=1 done_i=1 limit_i=2 cycle "
            "done_was_q=0 entry_limit_q[0]=5 enable_i=1 cycle entry_limit_q[0]=2 enable_i=0 done_i=0 cycle done_was_q=1 enable_i=1 start=3,6:2");
}

/* Only a start has a hint, whatever the other inputs say. */
RULE(ltb1_no_start_no_hint, "LTB-1: a hint is there where a kernel starts", "limit_table")
{
    play(b, "start=3,6:0 decide=5 kernel_id_i=3 nmax_i=6 cycle hint_o=0 done_i=1 limit_i=4 cycle hint_o=0 kernel_start_i=1 cycle hint_o=4");
}

RULE(log_of_decisions, "decisions are in the log", "limit_table_one")
{
    static const bench_log rows[] = {
        {"kernel_start_i=1 kernel_id_i=1 nmax_i=2", "", {NULL}},
        {"kernel_start_i=0 done_i=1 limit_i=3", "", {NULL}},
        {"done_i=0 cycle done_i=1 limit_i=2", "kernel 1 of Nmax 2: limit 2 remembered in entry 0",
         {"limit_table LTB-2 stored: kernel=1 nmax=2 entry=0 | remembered=0 | remembered=2"}},
        {"limit_i=1", "", {NULL}},
        {"done_i=0 cycle done_i=1", "kernel 1 of Nmax 2: limit 1 remembered instead of 2",
         {"limit_table LTB-3 stored: kernel=1 nmax=2 entry=0 | remembered=2 | remembered=1"}},
        {"done_i=0 cycle done_i=1", "", {NULL}}, /* the same once more */
        {"kernel_start_i=1", "kernel 1 of Nmax 2 is known: hint 1", {"limit_table LTB-1 hit: kernel=1 nmax=2 hint=1 | |"}},
        {"nmax_i=1", "", {NULL}},
        {"kernel_start_i=0", "kernel 1 of Nmax 1: limit 1 remembered in entry 0, kernel 1 of Nmax 2 forgotten",
         {"limit_table LTB-4 replaced: kernel=1 nmax=1 entry=0 old_kernel=1 old_nmax=2 | remembered=1 | remembered=1"}},
        {"done_i=0 cycle done_i=1 enable_i=0", "", {NULL}},
    };

    expect_log(b, rows);
}

/* ---- twins ---------------------------------------------------------------------------------- */

enum { SPREAD = 0x5b2d }; /* odd: times this, ids differ in all of their bits, and none becomes 0 */

/* Few kernels, so that some come back; a search that ends soon. */
static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    const limit_table_cfg *c = cfg;
    limit_table_in *in = inputs;
    const unsigned ids = (1u << c->id_w) - 1 < c->entries ? (1u << c->id_w) - 1 : c->entries;

    (void)n;
    in->enable = !random_one_in(seed, 16);
    in->kernel_start = random_one_in(seed, 5);
    in->kernel_id = (uint16_t)(random_below(seed, ids + 1) * SPREAD & ((1u << c->id_w) - 1));
    in->nmax = (uint8_t)(random_one_in(seed, 3) ? random_below(seed, c->num_slots + 1) : c->num_slots);
    in->limit = (uint8_t)random_below(seed, c->num_slots + 1);
    in->done = random_one_in(seed, 2);
}

static bool draw_step(step_fixture *f, void *registers, void *in)
{
    const limit_table_cfg *cfg = step_config(f);
    limit_table_state *s = registers;
    limit_table_in *now = in;
    const unsigned all = cfg->entries, used = (unsigned)step_value(f, all);

    step_draw(f, PORT_IN, in);
    *s = (limit_table_state){.id = (uint16_t)step_random(f, 4) & ((1u << cfg->id_w) - 1), .done_was = (uint8_t)step_random(f, 2)};
    s->nmax = (uint8_t)step_random(f, cfg->num_slots + 1);
    s->next = (uint8_t)(used < all ? used : step_random(f, all));
    for (unsigned e = 0; e < used; e++) { /* kernels 1 to `all`, and as one of them the running one */
        s->entry_id[e] = (uint16_t)((e + 1) & ((1u << cfg->id_w) - 1));
        s->entry_nmax[e] = (uint8_t)(1 + step_random(f, cfg->num_slots));
        s->entry_limit[e] = (uint8_t)(1 + step_random(f, s->entry_nmax[e]));
        if (s->entry_id[e] == s->id && step_random(f, 2))
            s->nmax = s->entry_nmax[e];
        s->own |= (uint16_t)((s->id && s->entry_id[e] == s->id && s->entry_nmax[e] == s->nmax) << e);
    }
    if (used && step_random(f, 2)) {
        const unsigned e = (unsigned)step_random(f, used);

        now->kernel_id = s->entry_id[e];
        now->nmax = s->entry_nmax[e];
    }
    return limit_table_violated(s, cfg) == 0;
}

SUITE_TESTS(twins, EACH_TWIN_STEPS("twins: one step from 20 000 states", variants, 0x11b, 20000, draw_step),
            TWIN_CYCLES("twins: few kernels, which come back", variants, 0x2c7, 100000, draw_inputs))
