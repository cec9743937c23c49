/* SPDX-License-Identifier: Apache-2.0
 *
 * SCT-9: scout as a policy of a chip. SM 0 searches, and the others follow its limit a cycle later where they can have it.
 */
#include "engine/test.h"

/* The object that --policy loads is this one file. */
#include "blocks/scout/policy.c" /* NOLINT(bugprone-suspicious-include) */

#define POLICY (&ballast_policy_entry)

enum { SMS = 3 };

typedef struct chip {
    searcher_cfg cfg[SMS];
    searcher_state state[SMS];
    uint32_t said[SMS], heard[SMS];
    ballast_policy_out out[SMS];
} chip;

static void build(chip *c, const char *words)
{
    char why[256] = "";

    *c = (chip){.said = {0}};
    for (uint32_t i = 0; i < SMS; i++) {
        const ballast_policy_place place = {.sm = i, .sms = SMS, .slots = 8, .issue_width = 2, .options = words};

        assert_true(POLICY->cfg(&c->cfg[i], &place, why, sizeof why));
        POLICY->reset(&c->state[i], &c->cfg[i]);
    }
}

/* A cycle of all SMs; nmax[i] starts a kernel on SM i. */
static void cycle(chip *c, const uint8_t *nmax)
{
    for (uint32_t i = 0; i < SMS; i++) {
        const ballast_policy_in in = {.heard = c->heard[i], .issued = 2, .kernel_start = nmax != NULL, .nmax = nmax ? nmax[i] : 0};

        c->out[i] = (ballast_policy_out){0};
        POLICY->step(&c->state[i], &c->cfg[i], &in, &c->out[i]);
        assert_int_equal(c->out[i].pause, 1);
    }
    for (uint32_t i = 0; i < SMS; i++)
        c->said[i] = c->out[i].share;
    POLICY->chip(NULL, c->said, c->heard, SMS);
}

/* Whatever SM 0 says. */
static void clips(void **state)
{
    chip c;

    (void)state;
    build(&c, "");
    for (uint8_t nmax = 1; nmax <= 8; nmax++) {
        cycle(&c, (const uint8_t[]){nmax, nmax, nmax});
        for (unsigned heard = 0; heard < 512; heard++) {
            const unsigned lead = heard & 0xff;

            c.heard[1] = heard;
            cycle(&c, NULL);
            assert_int_equal(c.out[1].limit, lead >= 1 && lead <= nmax ? lead : nmax);
            assert_int_equal(c.out[1].done, heard >> 8);
        }
    }
}

/* The limit of a whole search, a cycle later; SM 2 has room for 3 CTAs alone. */
static void follow_a_search(void **state)
{
    chip c;
    unsigned moved = 0;

    (void)state;
    build(&c, "slice=8,window=2");
    cycle(&c, (const uint8_t[]){8, 8, 3});
    cycle(&c, NULL);
    for (unsigned n = 0; n < 20000; n++) {
        const ballast_policy_out before = c.out[0];

        cycle(&c, NULL);
        assert_int_equal(c.out[1].limit, before.limit);
        assert_int_equal(c.out[1].done, before.done);
        assert_int_equal(c.out[2].limit, before.limit <= 3 ? before.limit : 3);
        moved += c.out[0].limit != before.limit;
    }
    assert_true(moved > 10);
    assert_int_equal(c.out[0].limit, 1); /* all limits are as good */
    assert_int_equal(c.out[2].done, 1);
}

/* Who follows has nothing to say of itself, and SM 0 alone is heard. */
static void sm_0_is_heard(void **state)
{
    chip c;

    (void)state;
    build(&c, "");
    cycle(&c, (const uint8_t[]){5, 6, 7});
    cycle(&c, NULL);
    assert_int_equal(c.said[0], 5);
    for (uint32_t i = 0; i < SMS; i++)
        assert_int_equal(c.heard[i], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"SCT-9: SM 0's limit where it is in 1..Nmax, else Nmax", clips, NULL, NULL, NULL},
        {"SCT-9: a search of SM 0 is a search of all", follow_a_search, NULL, NULL, NULL},
        {"SCT-9: what SM 0 says is what all hear", sm_0_is_heard, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("scout_follow", tests, NULL, NULL);
}
