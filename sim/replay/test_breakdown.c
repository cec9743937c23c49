/* SPDX-License-Identifier: Apache-2.0
 *
 * The stall breakdown of recordings, held against counts made in another way.
 */

#include <string.h>

#include "engine/test.h"
#include "replay/breakdown.h"
#include "replay/sweep.h"

static const char *const hotspot[] = {"vectors/hotspot.n1.blt", "vectors/hotspot.n2.blt", "vectors/hotspot.n8.blt"};

static void measure(breakdown *b, unsigned sm)
{
    trace_err err;

    if (!breakdown_measure(b, hotspot, 3, sm, 0, &err))
        fail_msg("%s", err.text);
}

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
static void classes_are_the_recorders(void **state)
{
    breakdown b;

    (void)state;
    for (unsigned sm = 0; sm < 2; sm++) {
        measure(&b, sm);
        assert_int_equal(b.nmax, 3);
        for (unsigned limit = 1; limit <= 3; limit++) {
            uint64_t classes[4] = {0}, cycles = 0;
            const uint64_t *part = b.at[limit].part;

            count_recorded(classes, &cycles, hotspot[limit - 1], sm);
            assert_int_equal(b.at[limit].cycles, cycles);
            assert_true(apart(part[BREAKDOWN_ACTIVE], classes[PS_ACTIVE]) <= cycles / 200);
            assert_true(apart(part[BREAKDOWN_PIPELINE_ALU] + part[BREAKDOWN_PIPELINE_MEM], classes[PS_PIPELINE]) <=
                        cycles / 200);
            assert_true(apart(part[BREAKDOWN_SCOREBOARD_ALU] + part[BREAKDOWN_SCOREBOARD_MEM], classes[PS_SCOREBOARD]) <=
                        cycles / 200);
            assert_true(apart(part[BREAKDOWN_IDLE], classes[PS_IDLE]) <= cycles / 200);
        }
    }
}

static void speed_is_the_sweeps(void **state)
{
    trace_err err;
    breakdown b;
    sweep s;

    (void)state;
    measure(&b, 0);
    assert_true(sweep_measure(&s, hotspot, 3, 0, 0, &err));
    for (unsigned limit = 1; limit <= 3; limit++) {
        uint64_t sum = 0;

        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
            sum += b.at[limit].part[p];
        assert_int_equal(sum, b.at[limit].cycles);
        assert_float_equal((double)b.at[limit].instructions / (double)b.at[limit].cycles, s.ipc[limit], 1e-12);
    }
}

static void a_missing_recording_is_named(void **state)
{
    static const char *const none[] = {"vectors/none.blt"};
    trace_err err;
    breakdown b;

    (void)state;
    assert_false(breakdown_measure(&b, none, 1, 0, 0, &err));
    assert_non_null(strstr(err.text, "vectors/none.blt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_the_recorders),
        cmocka_unit_test(speed_is_the_sweeps),
        cmocka_unit_test(a_missing_recording_is_named),
    };

    return cmocka_run_group_tests_name("breakdown", tests, NULL, NULL);
}
