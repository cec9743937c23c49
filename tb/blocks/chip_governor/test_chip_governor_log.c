/* SPDX-License-Identifier: Apache-2.0
 *
 * What the chip's log says: votes and levels, and what the governors decided.
 */
#include "blocks/chip_governor/bench.h"

static const bench_word words[] = {
    {"show", NULL, show_all}, {"epochs", chip_epochs, NULL}, {"start", start_kernels, NULL}, {"issue", NULL, issue_on_sm},
    {NULL, NULL, NULL},
};

/* The next cycle, and what it decided. */
static void tell_cycle(bench *c)
{
    cycle(c);
    tell(c);
}

/* A record for every SM. */
static void expect_sms(const bench *c, const char *rule, const char *event, const char *rest)
{
    char record[256];

    assert_int_equal(told(), sms(c));
    for (unsigned i = 0; i < sms(c); i++) {
        snprintf(record, sizeof record, "sm_governor %s %s[%u]: nmax=6 %s", rule, event, i, rest);
        assert_string_equal(told_record(i), record);
    }
}

static void log_of_kernel_starts(bench *c)
{
    char end[64];

    prepare_on_all(c, BALLAST_POLICY_PERFSAT, 6);
    tell_cycle(c);
    expect_sms(c, "PS-5", "kernel_start", "policy=perfsat | limit=0 | limit=3");
    assert_memory_equal(told_words(), "SM 0: limit 0 -> 3; SM 1: limit 0 -> 3", 38);
    snprintf(end, sizeof end, "; SM 3: limit 0 -> 3; %u more SMs", sms(c) - 4);
    if (sms(c) > 4)
        assert_string_equal(strstr(told_words(), "; SM 3:"), end);
    prepare_on_all(c, BALLAST_POLICY_LCS, 6);
    tell_cycle(c);
    expect_sms(c, "LCS-5", "kernel_start", "policy=lcs | limit=3 | limit=6");
}

static void log_of_levels(bench *c)
{
    static const bench_log rows[] = {
        {"show=C epochs=1 cycle=1", "epoch 1: 3 CompAction, 0 MemAction of 3 SMs; SM domain normal -> high in 40 cycles",
         {"vf_vote EQ-12 vote: comp=3 mem=0 sms=3 epoch=1 | | sm_domain=up mem_domain=maintain",
          "vf_domain EQ-13 request: domain=SM cycles=40 | level=normal next=normal | level=normal next=high"}},
        {"cycle=39", "SM domain is at high",
         {"vf_domain EQ-14 level: domain=SM | level=normal next=high | level=high next=high"}},
        {"show=M epochs=1 cycle=1", "epoch 2: 0 CompAction, 3 MemAction of 3 SMs; SM domain high -> normal in 40 cycles; "
                            "memory domain normal -> high in 40 cycles",
         {"vf_vote EQ-12 vote: comp=0 mem=3 sms=3 epoch=2 | | sm_domain=down mem_domain=up",
          "vf_domain EQ-13 request: domain=SM cycles=40 | level=high next=high | level=high next=normal",
          "vf_domain EQ-13 request: domain=memory cycles=40 | level=normal next=normal | level=normal next=high"}},
        {"cycle=39", "SM domain is at normal; memory domain is at high",
         {"vf_domain EQ-14 level: domain=SM | level=high next=normal | level=normal next=normal",
          "vf_domain EQ-14 level: domain=memory | level=normal next=high | level=high next=high"}},
    };

    expect_log(c, rows);
}

static void epoch_and_tell(bench *c)
{
    const unsigned length = config(c)->sm.counters.epoch;

    while ((c->index + 1) % length != 0)
        cycle(c);
    tell_cycle(c);
}

static void log_of_numblocks(bench *c)
{
    play(c, "show=- policy_i=equalizer start=6 epochs=1 show=D");
    for (unsigned i = 0; i < 3; i++)
        epoch_and_tell(c);
    expect_sms(c, "EQ-10", "limit", "policy=equalizer | limit=6 | limit=5");
    show_all(c, "W");
    for (unsigned i = 0; i < 3; i++)
        epoch_and_tell(c);
    expect_sms(c, "EQ-10", "limit", "policy=equalizer | limit=5 | limit=6"); /* a CTA is requested */
    cycles(c, 5);
    c->in.sm[1].cta_denied = 1;
    tell_cycle(c);
    expect_told("sm_governor EQ-A12 limit[1]: nmax=6 policy=equalizer | limit=6 | limit=5", "SM 1: limit 6 -> 5");
}

/* LCS-6: SM 0 measures, the other one is told. */
static void log_of_the_broadcast(bench *c)
{
    static const bench_log rows[] = {
        {"policy_i=lcs start=6 issue=0,7,0 sm[0].cta_start_i=1 sm[0].cta_done_i=1 cycle=10",
         "SM 0: limit 6 -> 1", {"sm_governor LCS-2 limit[0]: nmax=6 policy=lcs | limit=6 | limit=1"}},
        {"", "SM 1: limit 6 -> 1",
         {"sm_governor LCS-6 limit[1]: nmax=6 policy=lcs | limit=6 | limit=1"}},
    };

    expect_log(c, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_VARIANT("log: kernels start on all SMs", chips, log_of_kernel_starts),
        BOTH_SIDES("log: votes and levels", "chip_governor_top", log_of_levels),
        BOTH_SIDES("log: numBlocks of every SM", "chip_governor_top", log_of_numblocks),
        BOTH_SIDES("log: the broadcast of LCS", "chip_governor_bcast", log_of_the_broadcast),
    };
    return cmocka_run_group_tests_name("chip_governor log", tests, NULL, NULL);
}
