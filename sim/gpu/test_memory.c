/* SPDX-License-Identifier: Apache-2.0
 *
 * Network, L2 and DRAM: latencies without load to the tick, and what each part lets through.
 * The fixture's numbers: network 10 and one line per 2 cycles, L2 13 and 3, DRAM 17 and 4.
 */
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

enum { TICK = SIM_TICKS_NORMAL, HIT = 10 + 13 + 2 + 10, MISS = HIT + 17 };

static uint64_t cycles(uint64_t num)
{
    return num * TICK;
}

static memory mem;

/* A memory of the fixture's machine with these changes in place of the one before. */
static void begin(const fixture_set *changes)
{
    static machine kept;

    if (mem.machine)
        memory_close(&mem);
    kept = fixture_machine();
    fixture_change(&kept, changes);
    assert_true(memory_open(&mem, &kept));
    mem.tick = TICK;
}

#define BEGIN(...) begin((const fixture_set[]){__VA_ARGS__, {0}})

TEST(unloaded_latencies_are_the_sums_of_their_parts)
{
    BEGIN({0});
    assert_int_equal(memory_read(&mem, 0, 5, 1000), 1000 + cycles(MISS));
    assert_int_equal(memory_read(&mem, 0, 5, 1000000), 1000000 + cycles(HIT));
    assert_int_equal(mem.counts.reads, 2);
    assert_int_equal(mem.counts.l2_hits, 1);
    assert_int_equal(mem.counts.dram_lines, 1);
    assert_int_equal(mem.counts.dram_busy, 4 * TICK);
    assert_int_equal(mem.counts.writes, 0);
}

TEST(levels_scale_all_times)
{
    static const uint64_t ticks[] = {SIM_TICKS_LOW, SIM_TICKS_NORMAL, SIM_TICKS_HIGH};
    static const double frequency[] = {0.85, 1, 1.15};

    for (unsigned level = 0; level < 3; level++) {
        BEGIN({0});
        mem.tick = ticks[level];
        assert_int_equal(memory_read(&mem, 0, 5, 0), MISS * ticks[level]);
        assert_int_equal(memory_read(&mem, 0, 5, 900000), 900000 + HIT * ticks[level]);
        /* Exactly: 0.85 x 9200 = 1 x 7820 = 1.15 x 6800. */
        assert_true((double)ticks[level] * frequency[level] - SIM_TICKS_NORMAL < 1e-6 &&
                    SIM_TICKS_NORMAL - (double)ticks[level] * frequency[level] < 1e-6);
    }
}

/* When the last of `num` lines, asked for at once, is there. */
static uint64_t last_of(unsigned num, uint64_t stride, bool other_sms)
{
    uint64_t last = 0;

    for (unsigned i = 0; i < num; i++) {
        const uint64_t tick = memory_read(&mem, other_sms ? i : 0, i * stride, 0);

        last = tick > last ? tick : last;
    }
    return last;
}

enum { MANY = 50 };

TEST(each_part_lets_one_line_through_per_interval)
{
    static const struct {
        const char *name;
        fixture_set machine[4];
        bool other_sms;
        unsigned wanted, dram_busy; /* cycles; 0: not looked at */
    } rows[] = {
        {"a link", {{M(l2_interval), 0}, {M(dram_interval), 0}}, false, MISS + (MANY - 1) * 2, 0},
        {"links of many SMs", {{M(l2_interval), 0}, {M(dram_interval), 0}}, true, MISS, 0},
        {"a bank", {{M(network_interval), 0}, {M(dram_interval), 0}, {M(l2_banks), 1}}, true, MISS - 2 + (MANY - 1) * 3, 0},
        {"two banks, half of the lines each", {{M(network_interval), 0}, {M(dram_interval), 0}}, true,
         MISS - 2 + (MANY / 2 - 1) * 3, 0},
        {"a channel", {{M(network_interval), 0}, {M(l2_interval), 0}, {M(dram_channels), 1}}, true, MISS - 2 + (MANY - 1) * 4,
         MANY * 4},
        {"two channels", {{M(network_interval), 0}, {M(l2_interval), 0}}, true, MISS - 2 + (MANY / 2 - 1) * 4, MANY * 4},
        {"none", {{M(network_interval), 0}, {M(l2_interval), 0}, {M(dram_interval), 0}}, false, MISS - 2, 0},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t last;

        begin(rows[i].machine);
        last = last_of(MANY, 1, rows[i].other_sms);
        if (last != cycles(rows[i].wanted) || (rows[i].dram_busy && mem.counts.dram_busy != cycles(rows[i].dram_busy)))
            fail_msg("%s: %u cycles, not %u", rows[i].name, (unsigned)(last / TICK), rows[i].wanted);
    }
}

TEST(hits_wait_for_the_bank_and_not_for_dram)
{
    BEGIN({M(network_interval), 0}, {M(l2_banks), 1});
    memory_read(&mem, 0, 5, 0);
    for (unsigned i = 0; i < MANY; i++)
        assert_int_equal(memory_read(&mem, 0, 5, 1000000), 1000000 + (uint64_t)(HIT - 2 + i * 3) * TICK);
    assert_int_equal(mem.counts.dram_lines, 1);
    assert_int_equal(mem.counts.l2_hits, MANY);
}

/* With the strides that programs have, no bank or channel gets more than its share of the lines by far. */
TEST(strides_spread_over_banks_and_channels)
{
    enum { LINES = 6000 };
    static const uint64_t strides[] = {1, 2, 8, 32, 64, 96, 1024, 3200};
    static const unsigned parts[] = {2, 3, 6, 8, 12, 32, 64};

    for (unsigned s = 0; s < sizeof strides / sizeof strides[0]; s++)
        for (unsigned n = 0; n < sizeof parts / sizeof parts[0]; n++) {
            uint64_t last;

            BEGIN({M(network_interval), 0}, {M(l2_interval), 0}, {M(dram_channels), parts[n]});
            last = last_of(LINES, strides[s], false) / TICK;
            if (last * parts[n] >= (uint64_t)LINES * 4 * 3 / 2)
                fail_msg("stride %u over %u channels: %u cycles", (unsigned)strides[s], parts[n], (unsigned)last);
        }
}

/* Many SMs write a line each, at once. */
static void write_many(void)
{
    for (unsigned i = 0; i < MANY; i++)
        memory_write(&mem, i, 100 + i, 0);
}

TEST(writes_take_their_place_in_bank_and_dram)
{
    BEGIN({M(l2_banks), 1}, {M(dram_channels), 1}, {M(network_interval), 0}, {M(l2_ways), 0});
    write_many();
    assert_int_equal(mem.counts.writes, MANY);
    assert_int_equal(mem.counts.dram_lines, MANY);
    assert_int_equal(mem.counts.reads, 0);
    /* The channel is free when all have been written, from the time at which the first one came. */
    assert_int_equal(memory_read(&mem, 0, 5, 0), (uint64_t)(10 + 13 + MANY * 4 + 17 + 10) * TICK);
    /* What is left is the bank's time. */
    BEGIN({M(l2_banks), 1}, {M(dram_channels), 1}, {M(network_interval), 0}, {M(l2_ways), 0}, {M(dram_interval), 0});
    write_many();
    assert_int_equal(memory_read(&mem, 0, 5, 0), (uint64_t)(MISS - 2 + MANY * 3) * TICK);
}

/* A write is at the bank when its last part has come through the network. */
TEST(a_write_takes_its_way_to_the_bank)
{
    BEGIN({M(l2_banks), 1}, {M(l2_interval), 100});
    memory_write(&mem, 0, 5, 0);
    assert_int_equal(memory_read(&mem, 1, 5, 0), (uint64_t)(2 + 10 + 100 + 13 + 2 + 10) * TICK);
}

/* Lines `from` to `to`, a million ticks apart, so that nobody waits. */
static void read_all(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        memory_read(&mem, 0, i, (uint64_t)i * 1000000);
}

TEST(written_lines_stay_in_the_l2_until_they_are_pushed_out)
{
    enum { LINES = 200 };

    BEGIN({0});
    memory_write(&mem, 0, 5, 0);
    memory_write(&mem, 0, 5, 100000); /* again: the same place */
    assert_int_equal(mem.counts.dram_lines, 0);
    assert_int_equal(memory_read(&mem, 0, 5, 1000000), 1000000 + cycles(HIT));
    assert_int_equal(mem.counts.l2_hits, 1);
    read_all(100, 100 + LINES);
    assert_int_equal(mem.counts.written_back, 1);
    assert_int_equal(mem.counts.dram_lines, LINES + 1);
    /* What was only read goes without a word; so does the written line, when it is in again. */
    read_all(5, 6);
    read_all(1000, 1000 + LINES);
    assert_int_equal(mem.counts.written_back, 1);
}

TEST(a_line_that_was_read_and_then_written_is_written_back)
{
    BEGIN({0});
    memory_read(&mem, 0, 5, 0);
    memory_write(&mem, 0, 5, 1000000);
    read_all(100, 300);
    assert_int_equal(mem.counts.written_back, 1);
}

TEST(what_is_written_back_takes_its_time_in_dram)
{
    BEGIN({M(l2_banks), 1}, {M(l2_sets), 1}, {M(l2_ways), 1}, {M(dram_channels), 1}, {M(dram_interval), 1000});
    memory_write(&mem, 0, 5, 0);
    memory_read(&mem, 0, 6, cycles(1000)); /* pushes 5 out, behind it */
    assert_int_equal(memory_read(&mem, 0, 7, cycles(1001)), cycles(1000 + MISS + 2000));
}

TEST(a_line_on_its_way_is_not_asked_for_again)
{
    BEGIN({0});
    assert_int_equal(memory_read(&mem, 0, 5, 0), cycles(MISS));
    /* No sooner than the first one, nor later, but for the way from the L2. */
    assert_int_equal(memory_read(&mem, 1, 5, TICK), cycles(MISS));
    assert_int_equal(memory_read(&mem, 2, 5, cycles(30)), cycles(30 + HIT));
    assert_int_equal(mem.counts.dram_lines, 1);
    assert_int_equal(mem.counts.l2_hits, 2);
}

/* How many lines are taken at time 0 before there is no more room. */
static unsigned taken(void)
{
    unsigned num = 0;

    while (num < MANY && memory_has_room(&mem, num, 0))
        memory_read(&mem, num, num, 0), num++;
    return num;
}

TEST(a_bank_and_a_channel_hold_up_who_asks)
{
    BEGIN({M(network_interval), 0}, {M(l2_banks), 1}, {M(dram_channels), 1}, {M(l2_queue), 7});
    assert_int_equal(taken(), 7);
    assert_false(memory_has_room(&mem, 99, 0));
    assert_false(memory_has_room(&mem, 99, 3 * TICK - TICK));
    assert_true(memory_has_room(&mem, 99, cycles(3))); /* one has been served */
    BEGIN({M(network_interval), 0}, {M(l2_banks), 1}, {M(dram_channels), 1}, {M(l2_interval), 0}, {M(dram_queue), 9});
    assert_int_equal(taken(), 9);
    assert_false(memory_has_room(&mem, 99, cycles(3)));
    assert_true(memory_has_room(&mem, 99, cycles(4)));
    /* A line that would hit waits behind those that do not. */
    assert_false(memory_has_room(&mem, 0, 0));
    /* With two channels the other one has room. */
    BEGIN({M(network_interval), 0}, {M(l2_banks), 1}, {M(l2_interval), 0}, {M(dram_queue), 9});
    assert_int_equal(taken(), 18);
}

TEST(an_sm_sends_one_line_per_interval)
{
    BEGIN({0});
    assert_true(memory_can_send(&mem, 0, 0));
    memory_write(&mem, 0, 5, 0);
    assert_false(memory_can_send(&mem, 0, 2 * TICK - 1));
    assert_true(memory_can_send(&mem, 0, cycles(2)));
    assert_true(memory_can_send(&mem, 1, 0)); /* another SM's way is free */
}

TEST(the_l2_holds_what_it_has_room_for)
{
    const unsigned places = 2 * 16 * 2;

    BEGIN({0});
    for (unsigned i = 0; i < 20 * places; i++)
        memory_read(&mem, 0, i, 0);
    assert_int_equal(mem.counts.l2_hits, 0);
    for (unsigned i = 20 * places; i-- > 0;)
        memory_read(&mem, 0, i, 0);
    assert_in_range(mem.counts.l2_hits, places * 3 / 4, places);
}

TEST(without_an_l2_every_read_goes_to_dram)
{
    BEGIN({M(l2_ways), 0});
    for (unsigned i = 0; i < MANY; i++)
        memory_read(&mem, 0, 5, i * UINT64_C(1000000));
    assert_int_equal(mem.counts.l2_hits, 0);
    assert_int_equal(mem.counts.dram_lines, MANY);
}
