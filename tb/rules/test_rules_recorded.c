/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of every block of an SM on recordings of real kernels: the RTL and the model each keep them, in every cycle, under every
 * policy.
 */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/trace.h"
#include "rules/watch.h"

enum { CYCLES = 30000 };

static const char *const recordings[] = {"vectors/pathfinder.n3.blt", "vectors/bfs.n4.blt", "vectors/chase.n8.blt"};
static const char *const policies[] = {"sm_governor.policy=static", "sm_governor.policy=perfsat", "sm_governor.policy=lcs",
                                       "sm_governor.policy=equalizer", "sm_governor.policy=dyncta", "sm_governor.policy=scout"};

static lockstep ls;
static rules_watch watch;

/* All base variants of blocks with one instance per SM. */
static void open_run(const char *policy)
{
    const block *list[LOCKSTEP_MAX_BLOCKS + 1] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;

    for (const block *const *b = block_registry; *b; b++)
        if (!(*b)->model->per_chip && !strcmp((*b)->name, (*b)->model->block_name))
            list[num++] = *b;
    assert_true(lockstep_open(&ls, list, 0, 7, err, sizeof err));
    assert_true(lockstep_set(&ls, policy, err, sizeof err));
    assert_true(rules_watch_start(&watch, &ls));
}

static void play(const char *path)
{
    trace_err err = {.text = ""};
    trace_reader *reader = trace_open(path, NULL, &err);
    char text[BLOCK_TEXT];

    assert_non_null(reader);
    assert_true(trace_select_sm(reader, 0, &err));
    assert_true(lockstep_reset(&ls));
    while (ls.index < CYCLES && !watch.broken) {
        const sm_obs *obs = trace_next(reader, &err);

        if (!obs)
            break;
        assert_true(lockstep_cycle(&ls, obs, trace_cycle(reader)));
    }
    assert_string_equal(err.text, "");
    assert_in_range(ls.index, CYCLES / 10, CYCLES);
    if (watch.broken)
        fail_msg("%s: %s [%s]: cycle %llu breaks %s", path, watch.block->block->name, lockstep_side_names[watch.side],
                 (unsigned long long)watch.cycle, rules_watch_text(&watch, text, sizeof text));
    assert_int_equal(watch.cycles, 2 * ls.index * ls.num_instances);
    trace_close(reader);
}

TEST(both_sides_keep_the_rules_on_recordings)
{
    for (size_t r = 0; r < sizeof recordings / sizeof *recordings; r++)
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
            open_run(policies[p]);
            play(recordings[r]);
            rules_watch_stop(&watch);
            lockstep_close(&ls);
        }
}
