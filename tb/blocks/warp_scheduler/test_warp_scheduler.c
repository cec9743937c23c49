/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of warp_scheduler, each on the reference model and on the RTL.
 */
#include "sm/warp_scheduler.h"

#define BENCH_BLOCK warp_scheduler
#include "blocks/warp_scheduler/invariant.h"
#include "engine/bench.h"
#include "engine/step_fixture.h"

static void counts_until_a_kernel_starts(bench *b)
{
    cycles(b, 3);
    b->in.occupied = 1;
    cycles(b, 2);
    expect(b, "idle_q=3");
    b->in = (warp_scheduler_in){.kernel_start = 1};
    cycle(b);
    expect(b, "idle_q=3");
    b->in = (warp_scheduler_in){.enable = 1};
    cycles(b, 9);
    expect(b, "idle_q=7");
    b->in.kernel_start = 1;
    cycle(b);
    expect(b, "idle_q=0 idle_o=7");
}

static bool draw_step(step_fixture *f, void *registers, void *in)
{
    step_draw(f, PORT_REG, registers);
    step_draw(f, PORT_IN, in);
    return true;
}

static void rules(bench *b)
{
    (void)b;
    fail_msg("write me: a test for each rule of doc/blocks/warp_scheduler.md");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("counts cycles without a CTA until a kernel starts", "warp_scheduler_narrow", counts_until_a_kernel_starts),
        TWIN_STEPS("twins: one step from 20 000 states", "warp_scheduler", 1, 20000, draw_step),
        BOTH_SIDES("write me", "warp_scheduler", rules),
    };
    return cmocka_run_group_tests_name("warp_scheduler", tests, NULL, NULL);
}
