/* SPDX-License-Identifier: Apache-2.0
 *
 * What a recording says about a kernel: counted on a small one that is written here, cycle by cycle.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "analytic/extract.h"
#include "kernels/kernel_file.h"
#include "analytic/model_fixture.h"

enum { WARPS = 4, SLOTS = 2, LAUNCHES = 2, FIRST = 1000 };

/* One letter per cycle. a: issued to an ALU, m: issued to memory, w: waits for memory, b: waits at a
 * barrier, s: waits for an ALU, n: no instruction, l: lost arbitration for memory, .: no warp. */
static unsigned state_of(char letter)
{
    static const char letters[] = "amwbsnl";
    static const unsigned states[] = {BALLAST_WARP_ISSUED_ALU, BALLAST_WARP_ISSUED_MEM, BALLAST_WARP_WAIT_MEM, BALLAST_WARP_BARRIER, BALLAST_WARP_WAIT_ALU,
                                      BALLAST_WARP_NO_INST, BALLAST_WARP_MEM_LOST};
    const char *at = strchr(letters, letter);

    return at ? states[at - letters] : BALLAST_WARP_EMPTY;
}

/* The first launch has 20 cycles, the second starts in cycle 20. Slot 0 runs two CTAs, one after the
 * other, in warps 0 and 1, slot 1 one in warps 2 and 3; then slot 0 one of the second launch. A slot's
 * letters: ( a CTA starts, ) it is done. */
static const char *const warps[WARPS] = {
    "amwwwa....amwa......" "amwwwwwa..",
    "aaabba....aasa......" "aaamaaaa..",
    "..amwmwwa..........." "..........",
    "..anlmwba..........." "..........",
};
static const char *const slots[SLOTS] = {
    "(    )    (  )      " "(      )  ",
    "  (     )           " "          ",
};
enum { CYCLES = 30, SECOND = 20 };

static trace_launch launches[LAUNCHES] = {
    {.name = "first", .desc = {.grid_ctas = 3, .smem_per_cta = 64, .threads_per_cta = 60, .regs_per_thread = 10,
                               .warps_per_cta = 2, .nmax = 2}, .limit = 2, .start_cycle = FIRST},
    {.name = "second", .desc = {.grid_ctas = 1, .threads_per_cta = 64, .regs_per_thread = 12, .warps_per_cta = 2,
                                .nmax = 1}, .limit = 1, .start_cycle = FIRST + SECOND},
};

static void make_cycle(sm_obs *obs, unsigned cycle)
{
    static sm_setup setup;
    const unsigned launch = cycle >= SECOND;

    setup.kernel = launches[launch].desc;
    *obs = (sm_obs){.setup = &setup, .kernel_start = cycle == 0 || cycle == SECOND};
    for (unsigned s = 0; s < SLOTS; s++) {
        unsigned inside = 0;

        for (unsigned c = 0; c <= cycle; c++) {
            inside += slots[s][c] == '(';
            inside -= c > 0 && slots[s][c - 1] == ')';
        }
        obs->cta_active |= inside << s;
        obs->cta_start |= (unsigned)(slots[s][cycle] == '(') << s;
        obs->cta_done |= (unsigned)(slots[s][cycle] == ')') << s;
    }
    for (unsigned w = 0; w < WARPS; w++) {
        sm_obs_set_warp_state(obs, w, state_of(warps[w][cycle]));
        setup.warp_slot[w] = (uint8_t)(w / 2);
    }
}

/* SM 0 as above; SM 1 has its cycles, but no CTA. */
static const char *write_recording(void)
{
    static char path[MODEL_PATH];
    const trace_meta meta = {.geometry = {.warps = WARPS, .slots = SLOTS, .sms = 2, .issue_width = 4},
                             .kernel = "small", .config = "none", .recorder = "test_extract",
                             .num_launches = LAUNCHES, .launches = launches};
    trace_err err;
    trace_writer *w;
    sm_obs obs;

    snprintf(path, sizeof path, "%s/small.n2.blt", model_folder());
    w = trace_writer_open(path, &meta, &err);
    assert_non_null(w);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        make_cycle(&obs, cycle);
        if (!trace_writer_cycle(w, 0, FIRST + cycle, &obs, TRACE_NO_CLASS, &err))
            fail_msg("%s", err.text);
        obs.cta_active = obs.cta_start = obs.cta_done = 0;
        memset(obs.ws, 0, sizeof obs.ws);
        if (!trace_writer_cycle(w, 1, FIRST + cycle, &obs, TRACE_NO_CLASS, &err))
            fail_msg("%s", err.text);
    }
    assert_true(trace_writer_close(w, &err));
    return path;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static const char shipped[] = "vectors/chase.n1.blt";

static void assert_counts(const char *path, unsigned sm, unsigned launch, extract_counts want)
{
    extract_counts c;
    trace_err err;

    if (!extract_launch(&c, path, sm, launch, &err))
        fail_msg("%s", err.text);
    for (const double *w = &want.cycles, *got = &c.cycles; w <= &want.load_cycles; w++, got++)
        if (!isnan(*w) && !(fabs(*got - *w) <= 1e-12 * (1 + fabs(*w))))
            fail_msg("%s, SM %u, launch %u: number %zu is %g, not %g", path, sm, launch,
                     (size_t)(w - &want.cycles), *got, *w);
}

TEST(counts_of_launches)
{
    /* Three CTAs of two warps, of which the last ends in the 14th cycle; of two waits at a barrier, one is of
     * two cycles, one of one; load_cycles are from the issue to the cycle that does not wait. */
    assert_counts(write_recording(), 0, 0,
                  (extract_counts){.warps = 6, .cycles = 14, .alu_insts = (2 + 4 + 2 + 2 + 2 + 3) / 6.0,
                                   .mem_insts = (1 + 1 + 2 + 1) / 6.0, .mem_waits = (1 + 1 + 2 + 1) / 6.0,
                                   .barrier_waits = 2 / 6.0, .wait_cycles = (3 + 1 + 1 + 2 + 1) / 5.0,
                                   .load_cycles = (4 + 2 + 2 + 3 + 2) / 5.0});
    assert_counts(write_recording(), 0, 1,
                  (extract_counts){.warps = 2, .cycles = 8, .alu_insts = (2 + 7) / 2.0, .mem_insts = (1 + 1) / 2.0,
                                   .mem_waits = 1 / 2.0, .wait_cycles = 5, .load_cycles = 6});
    assert_counts(write_recording(), 1, 0, (extract_counts){.warps = 0}); /* an SM without work */
    /* By construction chase has 8 dependent loads. */
    assert_counts(shipped, 1, 0,
                  (extract_counts){.warps = 64, .cycles = NAN, .alu_insts = 42, .mem_insts = 13, .mem_waits = NAN,
                                   .wait_cycles = NAN, .load_cycles = NAN});
}

TEST(what_a_load_costs_is_seen)
{
    extract_counts c;
    trace_err err;

    assert_true(extract_launch(&c, shipped, 1, 0, &err));
    assert_true(c.wait_cycles > 100 && c.load_cycles > c.wait_cycles);
}

/* ---- errors ---------------------------------------------------------------------------------- */

TEST(what_is_not_there)
{
    extract_counts c = {.warps = 5};
    trace_err err;

    assert_false(extract_launch(&c, "vectors/none.blt", 0, 0, &err));
    model_assert_says(err.text, "vectors/none.blt");
    assert_false(extract_launch(&c, write_recording(), 2, 0, &err));
    model_assert_says(err.text, "SM 2");
    assert_false(extract_launch(&c, write_recording(), 0, 2, &err));
    assert_string_not_equal(err.text, "");
    assert_true(c.warps == 5);
}

/* ---- the beginning of a profile -------------------------------------------------------------- */

static void print_counts(FILE *f, const void *user)
{
    trace_launch launch = launches[0];

    launch.limit = 1;
    extract_print(f, user, &launch, "small");
}

TEST(what_is_printed)
{
    const extract_counts c = {.cycles = 14, .warps = 6, .alu_insts = 2.54, .mem_insts = 1.25, .mem_waits = 3.1,
                              .barrier_waits = 4.2, .wait_cycles = 55, .load_cycles = 66};
    const char *text = model_printed(print_counts, &c);

    model_assert_says(text, "small, first, with 1 CTAs per SM: 6 warps in 14 cycles");
    model_assert_says(text, "waited 3.1 times for memory, 55 cycles each");
    model_assert_says(text, "66 cycles. It waited 4.2 times at a barrier");
    model_assert_says(text, "blocks = 3; threads_per_block = 60; regs_per_thread = 10; shared_per_block = 64;");
    model_assert_says(text, "arithmetic = 2.5;");
    model_assert_says(text, "coal_mem_insts = 1.2;");
}

TEST(what_is_printed_is_a_profile)
{
    const extract_counts c = {.cycles = 14, .warps = 6, .alu_insts = 2.5, .mem_insts = 1.5};
    const char *text = model_printed(print_counts, &c);
    char err[KERNEL_FILE_ERR] = "";
    analytic_kernel kernel;

    if (!kernel_file_analytic(&kernel, model_file("small.kernel", text), err))
        fail_msg("%s", err);
    assert_string_equal(kernel.name, "small");
    assert_true(kernel.alu_insts == 2.5 && kernel.coal_mem_insts == 1.5 && kernel.uncoal_mem_insts == 0);
    assert_int_equal(kernel.blocks, 3);
    assert_int_equal(kernel.shared_per_block, 64);
}

int main(void)
{
    return suite_run(model_folder_make, model_folder_remove);
}
