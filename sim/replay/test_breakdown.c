/* SPDX-License-Identifier: Apache-2.0
 *
 * The stall breakdown of recordings, held against counts made in another way.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "replay/breakdown.h"

static const char *const hotspot[] = {"vectors/hotspot.n1.blt", "vectors/hotspot.n2.blt", "vectors/hotspot.n8.blt"};

/* Classes as the recorder noted them, up to the last cycle with a CTA. */
static void count_recorded(uint64_t *classes, uint64_t *cycles, const char *path, unsigned sm)
{
    uint64_t since[4] = {0};
    trace_err err = {.text = ""};
    trace_reader *r = trace_open(path, NULL, &err);
    const sm_obs *obs;
    uint8_t class;

    assert_non_null(r);
    assert_true(trace_select_sm(r, sm, &err));
    while ((obs = trace_next(r, &err))) {
        assert_true(trace_recorded_class(r, &class, &err));
        assert_true(class < 4);
        since[class]++;
        if (!obs->cta_active)
            continue;
        for (unsigned c = 0; c < 4; c++) {
            classes[c] += since[c];
            *cycles += since[c];
        }
        memset(since, 0, sizeof since);
    }
    trace_close(r);
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* stall_classifier and the recorder agree in all but a few cycles: doc/use/agreement.md. */
TEST(classes_are_the_recorders)
{
    for (unsigned sm = 0; sm < 2; sm++) {
        trace_err err;
        breakdown b;

        if (!breakdown_measure(&b, hotspot, 3, sm, 0, &err))
            fail_msg("%s", err.text);
        assert_int_equal(b.nmax, 3);
        for (unsigned limit = 1; limit <= 3; limit++) {
            uint64_t recorded[4] = {0}, cycles = 0, sum = 0;
            const uint64_t *part = b.at[limit].part;
            const uint64_t measured[4] = {
                [PS_ACTIVE] = part[BREAKDOWN_ACTIVE],
                [PS_PIPELINE] = part[BREAKDOWN_PIPELINE_ALU] + part[BREAKDOWN_PIPELINE_MEM],
                [PS_SCOREBOARD] = part[BREAKDOWN_SCOREBOARD_ALU] + part[BREAKDOWN_SCOREBOARD_MEM],
                [PS_IDLE] = part[BREAKDOWN_IDLE],
            };

            count_recorded(recorded, &cycles, hotspot[limit - 1], sm);
            assert_int_equal(b.at[limit].cycles, cycles);
            for (unsigned c = 0; c < 4; c++) {
                assert_true(apart(measured[c], recorded[c]) <= cycles / 200);
                sum += measured[c];
            }
            assert_int_equal(sum, cycles);
        }
    }
}
