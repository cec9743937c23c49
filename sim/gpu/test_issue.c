/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes before the ALUs: instruction buffers and their cache, operand collectors, banks of the register file.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"

/* ---- registers -------------------------------------------------------------------- */

/* An instruction's registers. `uses`: of it, as in lab_row. */
typedef struct registers {
    uint8_t operands, reads[PROGRAM_OPERANDS], uses;
} registers;

typedef struct register_row {
    const char *name;
    uint32_t collectors, reads, banks, width, latency;
    unsigned warps;
    registers body[6]; /* all of the ALU */
    unsigned num;
    const char *states[2];
} register_row;

static void check_registers(const register_row *row)
{
    machine m = fixture_machine();
    char body[7] = "";
    sm_lab *lab;

    m.collectors = row->collectors;
    m.collector_reads = row->reads;
    m.reg_banks = row->banks;
    m.schedulers = m.alu_width = row->width ? row->width : 1;
    m.alu_latency = row->latency ? row->latency : m.alu_latency;
    memset(body, 'a', row->num);
    lab = lab_begin(&m, row->warps ? row->warps : 1, 1, body);
    lab->name = row->name;
    for (unsigned i = 0; i < row->num; i++) {
        lab->p.body[i].uses = row->body[i].uses;
        lab->p.body[i].operands = row->body[i].operands;
        memcpy(lab->p.body[i].reads, row->body[i].reads, sizeof row->body[i].reads);
    }
    for (unsigned warp = 0; warp < 2; warp++)
        if (row->states[warp])
            lab_expect(lab, warp, row->states[warp]);
}

TEST(registers_come_from_banks)
{
    /* The fixture's latency is 5: one cycle for a collector, one for the registers, one to the ALU, two there. */
    static const register_row rows[] = {
        {"no register: a cycle less", 4, 3, 4, .body = {{0}, {.uses = 1}}, .num = 2, .states = {"IAAAI"}},
        {"one register", 4, 3, 4, .body = {{1, {9}}, {.uses = 1}}, .num = 2, .states = {"IAAAAI"}},
        {"three of three banks", 4, 3, 4, .body = {{3, {1, 2, 3}}, {.uses = 1}}, .num = 2, .states = {"IAAAAI"}},
        {"two of one bank", 4, 3, 4, .body = {{3, {1, 2, 5}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAI"}},
        {"three of one bank", 4, 3, 4, .body = {{3, {1, 5, 9}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAAI"}},
        {"one bank for all", 4, 3, 1, .body = {{3, {1, 2, 3}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAAI"}},
        {"one register per cycle and collector", 4, 1, 4, .body = {{3, {1, 2, 3}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAAI"}},
        {"two registers", 4, 2, 4, .body = {{3, {1, 2, 3}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAI"}},
        {"a longer latency", 4, 1, 4, .latency = 9, .body = {{3, {1, 2, 3}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAAAAAAI"}},
        /* Each is in its collector for two cycles; one waits in front of it. */
        {"one collector", 1, 3, 4, .body = {{1, {1}}, {1, {2}}, {1, {3}}, {1, {1}}, {1, {2}}}, .num = 5, .states = {"IIxIxIxI"}},
        {"two collectors are enough for one per cycle", 2, 3, 4, .body = {{1, {1}}, {1, {2}}, {1, {3}}, {1, {1}}, {1, {2}}}, .num = 5,
         .states = {"IIIII"}},
        {"the second waits for the first one's bank", 4, 3, 4, .body = {{1, {1}}, {2, {5, 1}}, {1, {9}}, {.uses = 1}}, .num = 4,
         .states = {"IIIAAAAAI"}},
        /* Register 3 of warp 1 is where register 0 of warp 0 is. */
        {"two warps at a bank", 4, 3, 4, 2, .warps = 2, .body = {{1, {0}}, {.uses = 1}}, .num = 2, .states = {"IAAAAI", "IAAAAI"}},
        {"a bank for each of two warps", 4, 3, 2, 2, .warps = 2, .body = {{2, {0, 2}}, {.uses = 1}}, .num = 2, .states = {"IAAAAAI", "IAAAAAI"}},
        {"one bank for both", 4, 3, 1, 2, .warps = 2, .body = {{1, {0}}, {.uses = 1}}, .num = 2, .states = {"IAAAAI", "IAAAAAI"}},
        /* The result of the first, in register 0, is written in cycle 5. */
        /* The second has its registers in the same cycle as the first. */
        {"an ALU takes one per cycle", 4, 3, 8, .body = {{2, {1, 9}}, {1, {4}}, {.uses = 1}}, .num = 3, .states = {"IIAAAAAI"}},
        {"two ALUs take two of four", 4, 3, 8, 2, .warps = 2, .body = {{2, {1, 9}}, {1, {4}}, {.uses = 1}}, .num = 3,
         .states = {"IIAAAAAI", "IIAAAAAI"}},
        {"a write comes first", 4, 3, 4, .body = {{1, {1}}, {1, {2}}, {1, {3}}, {1, {4}}, {.uses = 1}}, .num = 5, .states = {"IIIIAAAAAI"}},
        {"at another bank it does not matter", 4, 3, 4, .body = {{1, {1}}, {1, {2}}, {1, {3}}, {1, {5}}, {.uses = 1}}, .num = 5,
         .states = {"IIIIAAAAI"}},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_registers(&rows[i]);
}

/* What banks and ALUs did is forgotten: in a chain, each instruction comes as long after the one before as the second after the first. */
TEST(banks_and_alus_are_free_again)
{
    enum { CHAIN = 200, EACH = 5 };
    machine m = fixture_machine();
    char body[CHAIN + 1] = "";
    sm_lab *lab;

    m.collectors = 4;
    m.collector_reads = 3;
    m.reg_banks = 4;
    memset(body, 'a', CHAIN);
    lab = lab_begin(&m, 1, 1, body);
    for (unsigned i = 0; i < CHAIN; i++) {
        lab->p.body[i].operands = 1;
        lab->p.body[i].reads[0] = 9;
        lab->p.body[i].uses = i ? 1 : 0;
    }
    lab_run_out(lab);
    for (unsigned i = 0; i < CHAIN; i++)
        assert_int_equal(lab_cycle_of(lab, 0, "I", i), LAB_FIRST + i * EACH);
}

/* Branches and barriers go the same way, without registers and result. */
TEST(all_that_goes_to_the_alus_takes_a_collector)
{
    static const lab_row rows[] = {
        {"barriers", "|||||", .machine = {{M(collectors), 1}, {M(collector_reads), 1}, {M(reg_banks), 1}}, .states = {"IIII"}},
        {"branches", "jjj", .machine = {{M(collectors), 1}, {M(collector_reads), 1}, {M(reg_banks), 1}}, .states = {"INNNINNNI"}},
        {"loads do not", "wwaw", .machine = {{M(collectors), 1}, {M(collector_reads), 1}, {M(reg_banks), 1}}, .states = {"LLI"}},
    };

    LAB_CHECK(rows);
}

/* Whatever waits: a result is late by less than what the table of the cycles to come has room for. */
TEST(the_longest_way_fits)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.schedulers = m.alu_width = MACHINE_MAX_SCHEDULERS;
    m.collectors = MACHINE_MAX_COLLECTORS;
    m.collector_reads = m.reg_banks = 1;
    m.alu_latency = MACHINE_MAX_LATENCY - 1 - MACHINE_MAX_WAIT;
    lab = lab_begin(&m, 8, 1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    for (unsigned i = 0; i < 59; i++)
        lab->p.body[i].operands = 3;
    lab_run_out(lab);
    /* 8 warps x 59 instructions x 3 registers and a result, one per cycle. */
    assert_true(lab->cycles > 8 * 59 * 3 && lab->cycles < 8 * 59 * 4 + MACHINE_MAX_LATENCY);
}

/* ---- instructions ----------------------------------------------------------------- */

static sm_lab *buffered(unsigned warps, const char *body, bool warm)
{
    machine m = fixture_machine();
    sm_lab *lab;

    m.ibuffer = 2;
    m.branch_latency = 1;
    lab = lab_begin(&m, warps, 1, body);
    for (unsigned line = 0; warm && line < PROGRAM_CODE; line++)
        lab->sm.code_there[0][line] = 1;
    return lab;
}

static void shows(sm_lab *lab, unsigned warp, const char *states)
{
    lab_run(lab, (unsigned)strlen(states));
    if (strncmp(lab->states[warp], states, strlen(states)) != 0)
        fail_msg("%s: warp %u: %s, not %s", lab->name, warp, lab->states[warp], states);
}

TEST(a_warp_has_two_instructions_at_a_time)
{
    shows(buffered(1, "aaaaaaa", true), 0, "NNIINIINIIN");
    shows(buffered(1, "aja", true), 0, "NNIINNI");  /* fetched for a cycle later */
    shows(buffered(1, "jaa", true), 0, "NNINNII");  /* what was behind it is lost */
    shows(buffered(1, "a", true), 0, "NNI");
}

TEST(one_warp_is_fetched_for_per_cycle)
{
    sm_lab *lab = buffered(3, "aaaa", true);

    shows(lab, 1, "NNIll"); /* the first one behind number 0 */
    assert_memory_equal(lab->states[2], "NNNIl", 5);
    assert_memory_equal(lab->states[0], "NNNNI", 5);
}

TEST(a_warp_that_ends_with_a_branch_leaves)
{
    sm_lab *lab = buffered(1, "aj", true);

    lab_run_out(lab);
    lab_launch(lab, 1);
    lab_run_out(lab);
    assert_int_equal(lab->sm.counts.instructions, 4);
    assert_int_equal(lab->sm.counts.ctas, 2);
}

/* From the memory comes each line of 16 instructions once, whoever needs it first. */
TEST(code_comes_from_memory)
{
    static const struct {
        const char *body;
        unsigned warps, code, reads;
    } rows[] = {{"aa", 1, 0, 1}, {"aa", 4, 0, 1}, {"aaaaaaaaaaaaaaaa", 1, 0, 1}, {"aaaaaaaaaaaaaaaaa", 1, 0, 2},
                {"aaaaaaaaaaaaaaaaa", 4, 0, 2}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, 2, 2}, {"aaaaaaaaaaaaaaaaa", 1, 1, 1}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sm_lab *lab = buffered(rows[i].warps, rows[i].body, false);

        lab->w.code = rows[i].code;
        lab_run_out(lab);
        assert_int_equal(lab->mem.counts.reads, rows[i].reads);
        assert_int_equal(lab_cycle_of(lab, rows[i].warps > 1, "I", 0), LAB_MISS + 2);
        lab_launch(lab, 1);
        lab_run_out(lab);
        assert_int_equal(lab->mem.counts.reads, rows[i].reads); /* it stays */
    }
}

TEST(another_program_is_other_code)
{
    sm_lab *lab = buffered(1, "aa", false);
    program other;

    lab_run_out(lab);
    sm_start_kernel(&lab->sm, &lab->p, &lab->desc);
    lab_launch(lab, 0);
    lab_run_out(lab);
    assert_int_equal(lab->mem.counts.reads, 1);
    other = lab->p;
    sm_start_kernel(&lab->sm, &other, &lab->desc);
    lab_launch(lab, 0);
    lab_run_out(lab);
    assert_int_equal(lab->mem.counts.reads, 2);
}
