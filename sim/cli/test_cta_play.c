/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs under dispatchers that run free: each once, as long as it was recorded, within limits and quotas, in pairs where they are
 * wanted; and the comparison of lists (cli/dispatch.h) has nothing to say against gwde.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cta_play.h"
#include "cli/dispatch.h"
#include "engine/suite_fixture.h"

enum { MOST_SMS = 6, SLOTS = 4, MOST_CTAS = 120, KERNELS = 2, EVENTS = 4 * MOST_CTAS * KERNELS };

/* A recording: three SMs for up to four CTAs, one or two kernels. */
typedef struct tape {
    cta_list list;
    trace_launch launches[KERNELS];
    cta_event events[EVENTS];
} tape;

static tape tapes[CTA_PLAY_MOST];
static cta_spans spans;
static trace_err err;
static cta_source source[CTA_PLAY_MOST];
static const raw_resources resources = {.threads = 1536, .registers = 32768, .shared_bytes = 49152, .slots = SLOTS, .register_unit = 1};

static void put(tape *t, uint64_t cycle, unsigned launch, bool done, unsigned sm, unsigned slot)
{
    assert_true(t->list.num_events < EVENTS);
    t->events[t->list.num_events++] = (cta_event){.cycle = cycle, .cta = CTA_UNKNOWN, .launch = (uint16_t)launch, .sm = (uint16_t)sm,
                                                  .slot = (uint8_t)slot, .done = done};
}

/* Kernels of `ctas` CTAs, four to an SM, each wave as long as its longest; CTA n takes 20 + 7 n % 13 cycles. */
static void record(unsigned which, unsigned kernels, unsigned sms, unsigned ctas, unsigned limit)
{
    tape *t = &tapes[which];
    uint64_t now = 5;

    memset(t, 0, sizeof *t);
    t->list = (cta_list){.geometry = {.warps = 48, .slots = SLOTS, .sms = (uint16_t)sms, .issue_width = 2}, .launches = t->launches,
                         .num_launches = kernels, .events = t->events};
    for (unsigned k = 0; k < kernels; k++) {
        t->launches[k] = (trace_launch){.desc = {.grid_ctas = ctas, .threads_per_cta = 64, .regs_per_thread = 16, .warps_per_cta = 2, .nmax = SLOTS},
                                        .limit = (uint8_t)limit, .start_cycle = now};
        for (unsigned first = 0; first < ctas; first += sms * SLOTS, now += 40) {
            const unsigned end = first + sms * SLOTS < ctas ? first + sms * SLOTS : ctas;

            for (unsigned cta = first; cta < end; cta++)
                put(t, now, k, false, cta % sms, (cta - first) / sms);
            for (unsigned at = 20; at < 33; at++)
                for (unsigned cta = first; cta < end; cta++)
                    if (20 + 7 * cta % 13 == at)
                        put(t, now + at, k, true, cta % sms, (cta - first) / sms);
        }
    }
    source[which] = (cta_source){.list = &t->list, .name = which ? "second" : "first", .path = "tape"};
}

static void free_spans(void)
{
    cta_spans_free(&spans);
}

static gwde_cfg gwde(void)
{
    return dispatch_gwde(&resources, &tapes[0].list.geometry);
}

/* How many of these spans run on an SM in this cycle. */
static unsigned resident(unsigned sm, uint64_t cycle, int kernel)
{
    unsigned num = 0;

    for (size_t i = 0; i < spans.num; i++)
        num += spans.span[i].sm == sm && spans.span[i].start <= cycle && cycle < spans.span[i].end && (kernel < 0 || spans.span[i].kernel == kernel);
    return num;
}

/* Each CTA of each kernel once, as long as it should be, one launch per cycle. */
static void expect_whole(unsigned kernels, unsigned ctas, unsigned launches_per_cycle)
{
    bool seen[KERNELS * CTA_PLAY_MOST][MOST_CTAS] = {{false}};

    assert_int_equal(spans.num, kernels * ctas);
    cta_spans_order(&spans);
    for (size_t i = 0; i < spans.num; i++) {
        const cta_span *s = &spans.span[i];

        assert_true(s->kernel < kernels && s->cta < ctas);
        assert_false(seen[s->kernel][s->cta]);
        seen[s->kernel][s->cta] = true;
        assert_int_equal(s->end - s->start, 20 + 7 * s->cta % 13);
        if (launches_per_cycle == 1 && i)
            assert_true(s->start > spans.span[i - 1].start);
    }
}

TEST(as_recorded_means_as_recorded)
{
    record(0, 2, 3, 30, 4);
    assert_true(cta_play_recorded(&spans, &source[0], &(bcs_cfg){.pair_row_wrap = 1}, &err));
    expect_whole(2, 30, 0);
    assert_string_equal(spans.kernel[1], "first 2");
    for (size_t i = 0; i < spans.num; i++) {
        assert_int_equal(spans.span[i].sm, spans.span[i].cta % 3);
        assert_int_equal(spans.span[i].pair, CTA_ALONE); /* a 1-D kernel */
    }
    free_spans();
}

TEST(pairs_are_those_of_the_grid)
{
    record(0, 1, 3, 30, 4);
    tapes[0].launches[0].desc.is_2d = 1;
    tapes[0].launches[0].desc.grid_x = 5;
    assert_true(cta_play_recorded(&spans, &source[0], &(bcs_cfg){.pair_row_wrap = BCS_LINEAR}, &err));
    for (size_t i = 0; i < spans.num; i++)
        assert_int_equal(spans.span[i].pair, spans.span[i].cta / 2);
    free_spans();
    assert_true(cta_play_recorded(&spans, &source[0], &(bcs_cfg){.pair_row_wrap = BCS_PER_ROW}, &err));
    for (size_t i = 0; i < spans.num; i++) /* the last one of a row of five is alone */
        assert_int_equal(spans.span[i].pair, spans.span[i].cta % 5 == 4 ? CTA_ALONE : spans.span[i].cta / 5 * 2 + spans.span[i].cta % 5 / 2);
    free_spans();
}

/* What was played is what a recorder that is gwde would have recorded. */
static void expect_gwdes_own(const gwde_cfg *cfg)
{
    static tape played;
    dispatch_counts counts[KERNELS];
    const dispatch_how how = {.cfg = *cfg, .free_after = 3};
    const cta_list *of = &tapes[0].list;

    memset(&played, 0, sizeof played);
    played.list = *of;
    played.list.events = played.events;
    played.list.num_events = 0;
    cta_spans_order(&spans);
    for (uint64_t cycle = 0; played.list.num_events < 2 * spans.num; cycle++)
        for (unsigned done = 0; done < 2; done++)
            for (size_t i = 0; i < spans.num; i++)
                if ((done ? spans.span[i].end : spans.span[i].start) == cycle)
                    put(&played, cycle, spans.span[i].kernel, done, spans.span[i].sm, spans.span[i].slot);
    if (!dispatch_compare(&played.list, &how, "played", counts, NULL, NULL, &err))
        fail_msg("%s", err.text);
    for (unsigned k = 0; k < of->num_launches; k++) {
        assert_int_equal(counts[k].kind[DISPATCH_SAME], of->launches[k].desc.grid_ctas);
        assert_int_equal(counts[k].other_slot, 0);
    }
}

TEST(gwde_runs_free_as_the_comparison_has_it)
{
    for (unsigned limit = 1; limit <= SLOTS; limit++)
        for (unsigned sms = 1; sms <= MOST_SMS; sms += 2) {
            gwde_cfg cfg;

            record(0, 2, sms, 10 + 17 * limit, limit);
            cfg = gwde();
            if (!cta_play_alone(&spans, &source[0], &cfg, false, &err))
                fail_msg("%s", err.text);
            expect_whole(2, 10 + 17 * limit, 1);
            for (size_t i = 0; i < spans.num; i++)
                assert_true(resident(spans.span[i].sm, spans.span[i].start, -1) <= limit);
            expect_gwdes_own(&cfg);
            free_spans();
        }
}

TEST(gwde_is_as_fast_as_its_places_let_it)
{
    gwde_cfg own;

    record(0, 1, 3, 60, 4);
    own = gwde();
    assert_true(cta_play_alone(&spans, &source[0], &own, false, &err));
    cta_spans_order(&spans);
    for (size_t i = 12; i < spans.num; i++) { /* from the second wave on: a place is taken two cycles after its CTA left, or later in a rush */
        uint64_t left = 0;

        for (size_t j = 0; j < i; j++)
            if (spans.span[j].sm == spans.span[i].sm && spans.span[j].slot == spans.span[i].slot && spans.span[j].end > left)
                left = spans.span[j].end;
        assert_in_range(spans.span[i].start - left, 2, 14);
    }
    free_spans();
}

TEST(bcs_1_pairs_go_to_one_sm_one_after_the_other)
{
    gwde_cfg cfg;

    record(0, 1, 3, 60, 4);
    tapes[0].launches[0].desc.is_2d = 1;
    tapes[0].launches[0].desc.grid_x = 10;
    cfg = gwde();
    assert_true(cta_play_alone(&spans, &source[0], &cfg, true, &err));
    expect_whole(1, 60, 1);
    for (size_t i = 0; i < spans.num; i += 2) {
        assert_int_equal(spans.span[i].cta, i);
        assert_int_equal(spans.span[i].sm, spans.span[i + 1].sm);
        assert_int_equal(spans.span[i].pair, spans.span[i + 1].pair);
        assert_int_equal(spans.span[i].start + 1, spans.span[i + 1].start);
    }
    free_spans();
}

TEST(cke_1_quotas_hold_and_both_kernels_share_an_sm)
{
    const unsigned quota[CTA_PLAY_MOST] = {1, 3};
    unsigned shared = 0;
    mcke_cfg cfg;

    record(0, 1, 3, 30, 4);
    record(1, 2, 3, 30, 4);
    cfg = cta_mcke(&resources, &tapes[0].list.geometry);
    if (!cta_play_mixed(&spans, source, &cfg, MCKE_QUOTAS, quota, &err))
        fail_msg("%s", err.text);
    assert_int_equal(spans.num, 90);
    assert_int_equal(spans.num_kernels, 2);
    assert_string_equal(spans.kernel[0], "first");
    assert_string_equal(spans.kernel[1], "second");
    for (size_t i = 0; i < spans.num; i++) {
        const unsigned first = resident(spans.span[i].sm, spans.span[i].start, 0), second = resident(spans.span[i].sm, spans.span[i].start, 1);

        assert_true(first <= 1 && second <= 3);
        shared += first && second;
    }
    assert_true(shared > 20);
    free_spans();
    assert_true(cta_play_mixed(&spans, source, &cfg, MCKE_APART, quota, &err));
    for (size_t i = 0; i < spans.num; i++)
        assert_int_equal(spans.span[i].sm % 2, spans.span[i].kernel);
    free_spans();
}

TEST(what_cannot_be_played_is_refused_with_a_line)
{
    const unsigned nothing[CTA_PLAY_MOST] = {0, 0};
    mcke_cfg mcke;
    gwde_cfg cfg;

    record(0, 1, 3, 30, 4);
    record(1, 1, 3, 30, 4);
    cfg = gwde();
    mcke = cta_mcke(&resources, &tapes[0].list.geometry);
    tapes[0].launches[0].desc.grid_ctas = 31;
    assert_false(cta_play_alone(&spans, &source[0], &cfg, false, &err));
    assert_non_null(strstr(err.text, "tape: CTA 30 of launch 1 is not in it, so nothing says how long it takes"));
    tapes[0].launches[0].desc.grid_ctas = 29;
    assert_false(cta_play_recorded(&spans, &source[0], &cfg.bcs, &err));
    assert_non_null(strstr(err.text, "a CTA is launched that the grid does not have"));
    tapes[0].launches[0].desc.grid_ctas = 30;
    tapes[0].launches[0].desc.smem_per_cta = 50000;
    assert_false(cta_play_alone(&spans, &source[0], &cfg, false, &err));
    assert_non_null(strstr(err.text, "tape: only 0 of 30 CTAs can be launched"));
    tapes[0].launches[0].desc.smem_per_cta = 0;
    assert_false(cta_play_mixed(&spans, source, &mcke, MCKE_QUOTAS, nothing, &err));
    assert_non_null(strstr(err.text, "only 0 of 60 CTAs can be launched"));
    tapes[0].events[0].done = true;
    assert_false(cta_play_recorded(&spans, &source[0], &cfg.bcs, &err));
    assert_non_null(strstr(err.text, "SM 0, slot 0, cycle 5: a CTA ends in a slot that holds none"));
    tapes[0].list.num_events = 0;
    assert_false(cta_play_recorded(&spans, &source[0], &cfg.bcs, &err));
    assert_non_null(strstr(err.text, "no CTA is launched in it"));
    assert_null(spans.span);
}

/* A list that is cut off: what still runs ends with it. */
TEST(a_cta_without_an_end_ends_with_the_list)
{
    record(0, 1, 3, 12, 4);
    tapes[0].list.num_events = 12 + 3;
    assert_true(cta_play_recorded(&spans, &source[0], &(bcs_cfg){.pair_row_wrap = 1}, &err));
    assert_int_equal(spans.num, 12);
    for (size_t i = 0; i < spans.num; i++)
        assert_true(spans.span[i].end <= tapes[0].events[14].cycle);
    free_spans();
}
