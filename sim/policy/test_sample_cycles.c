/* SPDX-License-Identifier: Apache-2.0
 *
 * How often Algorithm 1 takes another branch because a sample is spread over cycles, on SM 0 of the recordings; and, for a measure, how often
 * because samples of one cycle lie elsewhere in their interval. The page has these numbers.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "blocks/eq_counters/bind.h"
#include "blocks/eq_decision/bind.h"
#include "engine/suite_fixture.h"
#include "recording/trace.h"

/* Samples of 16 cycles that end with the interval; of its last cycle; of the one in its middle. */
enum { SPREAD, WHOLE, MIDDLE, WAYS };

static eq_counters_cfg cfg[WAYS];
static eq_counters_state states[WAYS];
static unsigned recordings, epochs, spread_differs, middle_differs;

static unsigned branch_of(const eq_counters_out *sums, const sm_obs *obs)
{
    const eq_decision_cfg decision = eq_decision_cfg_default();
    const void *const needs[] = {sums};
    eq_decision_state none = {0};
    eq_decision_in in;
    eq_decision_out out;

    eq_decision_bind(&in, &decision, &obs, needs);
    eq_decision_step(&none, &decision, &in, &out);
    return out.branch;
}

static void count_cycle(const sm_obs *obs)
{
    eq_counters_in in = eq_counters_in_default();
    eq_counters_out sums[WAYS];

    eq_counters_bind(&in, &cfg[0], &obs, NULL);
    for (unsigned i = 0; i < WAYS; i++)
        eq_counters_step(&states[i], &cfg[i], &in, &sums[i]);
    if (!sums[0].epoch_end)
        return;
    epochs++;
    spread_differs += branch_of(&sums[SPREAD], obs) != branch_of(&sums[WHOLE], obs);
    middle_differs += branch_of(&sums[MIDDLE], obs) != branch_of(&sums[WHOLE], obs);
}

static void count_recording(const char *path)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    const sm_obs *obs;

    assert_non_null(reader);
    assert_true(trace_select_sm(reader, 0, &err));
    for (unsigned i = 0; i < WAYS; i++)
        eq_counters_reset(&states[i], &cfg[i]);
    while ((obs = trace_next(reader, &err)))
        count_cycle(obs);
    assert_string_equal(err.text, "");
    trace_close(reader);
    recordings++;
}

/* Words of the page, a space where it has space or a new line. */
static void read_page(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "r");
    size_t n;

    assert_non_null(f);
    n = fread(text, 1, size - 1, f);
    assert_true(n < size - 1);
    text[n] = '\0';
    fclose(f);
    for (char *c = text; (c = strchr(c, '\n')); )
        *c = ' ';
}

TEST(the_page_says_how_often_a_decision_differs)
{
    static char page[1 << 16];
    char words[256];
    glob_t found;

    for (unsigned i = 0; i < WAYS; i++)
        cfg[i] = eq_counters_cfg_default();
    cfg[WHOLE].sample_cycles = cfg[MIDDLE].sample_cycles = 1;
    cfg[MIDDLE].sample_phase = cfg[MIDDLE].sample_interval / 2 - 1;
    assert_int_equal(glob("vectors/*.blt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        count_recording(found.gl_pathv[i]);
    globfree(&found);
    snprintf(words, sizeof words, "In the %u epochs of SM 0 in the %u recordings, the branch differs in %u between 16 cycles and 1, and in %u between",
             epochs, recordings, spread_differs, middle_differs);
    read_page("doc/blocks/eq_counters.md", page, sizeof page);
    if (!strstr(page, words))
        fail_msg("the page does not say: %s", words);
}
