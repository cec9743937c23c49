/* SPDX-License-Identifier: Apache-2.0
 *
 * A test with a known verdict, for the test of judge.c. It runs on netlists with mutants. Environment variables: PLANTED says
 * which of them, PLANTED_BLOCK on which block, PLANTED_FILE where a run leaves something for the next one.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/dut.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"

/* All outputs of random cycles as one number. */
static uint64_t outputs_of_a_run(void)
{
    dut d;
    uint64_t seed = 1, sum = 0;

    assert_true(dut_open(&d, getenv("PLANTED_BLOCK"), SIDE_RTL));
    for (unsigned i = 0; i < 300; i++) {
        lockstep_values in, out;

        memset(&in, 0, sizeof in);
        memset(&out, 0, sizeof out);
        for (unsigned p = 0; p < d.ports.num; p++)
            if (d.ports.ports[p].kind == PORT_IN)
                block_port_set(&d.ports.ports[p], &in, random_next(&seed) & UINT64_MAX >> (64 - d.ports.ports[p].width));
        dut_cycle(&d, &in, &out);
        for (unsigned p = 0; p < d.ports.num; p++)
            if (d.ports.ports[p].kind == PORT_OUT)
                sum = sum * 31 + block_port_get(&d.ports.ports[p], &out);
    }
    dut_close(&d);
    return sum;
}

/* How often it was asked before. */
static unsigned runs_before(void)
{
    FILE *file = fopen(getenv("PLANTED_FILE"), "a");
    long length;

    assert_non_null(file);
    fputc('.', file);
    length = ftell(file);
    fclose(file);
    return (unsigned)length - 1;
}

/* Whether the circuit is not the block: the first run of all is the block's. */
static bool differs(void)
{
    const uint64_t sum = outputs_of_a_run();
    FILE *file = fopen(getenv("PLANTED_FILE"), "r");
    unsigned long long first = 0;

    if (file) {
        assert_int_equal(fscanf(file, "%llu", &first), 1);
        fclose(file);
        return first != sum;
    }
    file = fopen(getenv("PLANTED_FILE"), "w");
    assert_non_null(file);
    fprintf(file, "%llu\n", (unsigned long long)sum);
    fclose(file);
    return false;
}

/* ---- what is planted --------------------------------------------------------------------- */

static void says_nothing(void)
{
    outputs_of_a_run();
}

static void always_fails(void)
{
    outputs_of_a_run();
    fail();
}

static void fails_again(void)
{
    outputs_of_a_run();
    assert_int_equal(runs_before(), 0);
}

static void is_killed_again(void)
{
    outputs_of_a_run();
    if (runs_before() > 0)
        raise(SIGKILL);
}

static void finds(void)
{
    assert_false(differs());
}

static void is_killed_by_mutants(void)
{
    if (differs())
        raise(SIGKILL);
}

static void leaves_with_mutants(void)
{
    if (differs())
        _exit(3);
}

static void never_ends_with_mutants(void)
{
    while (differs()) {}
}

static void compares_with_the_model(void)
{
    dut d;
    lockstep_values in, out;

    assert_false(differs());
    memset(&in, 0, sizeof in);
    assert_true(dut_open(&d, getenv("PLANTED_BLOCK"), SIDE_MODEL));
    dut_cycle(&d, &in, &out);
    dut_close(&d);
}

static const struct {
    const char *name;
    void (*run)(void);
} planted[] = {
    {"says nothing", says_nothing},
    {"always fails", always_fails},
    {"fails again", fails_again},
    {"is killed again", is_killed_again},
    {"finds", finds},
    {"is killed by mutants", is_killed_by_mutants},
    {"leaves with mutants", leaves_with_mutants},
    {"never ends with mutants", never_ends_with_mutants},
    {"compares with the model", compares_with_the_model},
};

TEST(test)
{
    const char *how = getenv("PLANTED");

    assert_non_null(how);
    for (size_t p = 0; p < sizeof planted / sizeof planted[0]; p++)
        if (how && !strcmp(planted[p].name, how)) {
            planted[p].run();
            return;
        }
    fail_msg("nothing planted");
}
