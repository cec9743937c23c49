/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of every variant of every block on random input: the RTL and the model each keep them, in every cycle.
 */
#include "engine/random_sms.h"
#include "engine/suite_fixture.h"
#include "rules/watch.h"

enum { WARPS = 48, SLOTS = 8, CYCLES = 40000, CHIP_CYCLES = 200000, SEED = 0x201e };

static lockstep ls;
static rules_watch watch;
static random_sms sms;

/* The block after what it needs. */
static void open_run(const block *blk)
{
    const block *list[BLOCK_MAX_NEEDS + 2] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;

    for (const char *const *need = blk->model->needs; *need; need++)
        list[num++] = block_find(*need);
    list[num] = blk;
    assert_true(lockstep_open(&ls, list, 0, 7, err, sizeof err));
    ls.stir_seed = SEED;
    random_sms_start(&sms, SEED, ls.num_sms, lockstep_param(&ls, "NumWarps", WARPS), lockstep_param(&ls, "NumSlots", SLOTS),
                     ls.num_sms > 1 ? CHIP_CYCLES / ls.num_sms : CYCLES);
}

static void expect_kept(const block *blk)
{
    char text[BLOCK_TEXT];

    if (watch.broken)
        fail_msg("%s [%s]: cycle %llu breaks %s", blk->name, lockstep_side_names[watch.side], (unsigned long long)watch.cycle,
                 rules_watch_text(&watch, text, sizeof text));
    assert_int_equal(watch.cycles, 2 * sms.cycles * ls.num_instances);
}

TEST(both_sides_keep_the_rules_on_random_input)
{
    for (const block *const *b = block_registry; *b; b++) {
        open_run(*b);
        assert_true(rules_watch_start(&watch, &ls));
        random_sms_rewind(&sms);
        assert_true(lockstep_reset(&ls));
        while (ls.index < sms.cycles && !watch.broken)
            assert_true(lockstep_cycle_all(&ls, random_sms_next(&sms), ls.index));
        expect_kept(*b);
        rules_watch_stop(&watch);
        lockstep_close(&ls);
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
