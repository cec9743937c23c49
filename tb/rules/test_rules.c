/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of every variant of every block on random input: the RTL and the model each keep them, in every cycle.
 */
#include "engine/random_run_fixture.h"
#include "engine/suite_fixture.h"
#include "rules/watch.h"

enum { CYCLES = 40000, CHIP_CYCLES = 200000, SEED = 0x201e };

static random_run run;
static rules_watch watch;

static void expect_kept(const block *blk)
{
    char text[BLOCK_TEXT];

    if (watch.broken)
        fail_msg("%s [%s]: cycle %llu breaks %s", blk->name, lockstep_side_names[watch.side], (unsigned long long)watch.cycle,
                 rules_watch_text(&watch, text, sizeof text));
    assert_int_equal(watch.cycles, 2 * run.sms.cycles * run.ls.num_instances);
}

TEST(both_sides_keep_the_rules_on_random_input)
{
    for (const block *const *b = block_registry; *b; b++) {
        random_run_open(&run, *b, SEED, CYCLES);
        if (run.ls.num_sms > 1)
            run.sms.cycles = CHIP_CYCLES / run.ls.num_sms;
        assert_true(rules_watch_start(&watch, &run.ls));
        assert_true(lockstep_reset(&run.ls));
        while (run.ls.index < run.sms.cycles && !watch.broken)
            assert_true(random_run_cycle(&run));
        expect_kept(*b);
        rules_watch_stop(&watch);
        lockstep_close(&run.ls);
    }
}

/* Each block has rules, and fewer than there are bits. */
TEST(every_block_has_rules)
{
    for (const block_rules *const *r = rules_registry; *r; r++) {
        unsigned num = 0;

        while ((*r)->names[num])
            num++;
        assert_in_range(num, 1, 63);
    }
}
