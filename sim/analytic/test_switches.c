/* SPDX-License-Identifier: Apache-2.0
 *
 * Switches of the command line: each word sets its field and no other, and the list tells the truth.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/suite_fixture.h"
#include "analytic/model_fixture.h"
#include "analytic/switches.h"

enum { WORDS = 4, VALUE_TEXT = 80 };

/* The words in the order of their values. */
typedef struct expected {
    const char *name;
    size_t offset, size;
    struct {
        const char *text;
        unsigned value;
    } word[WORDS];
} expected;

#define AT(member) offsetof(model_switches, member), sizeof(((model_switches *)NULL)->member)
#define FLAG(name, member) {name, AT(member), {{"0", 0}, {"1", 1}}}

static const expected all[] = {
    FLAG("CASE2_COMP_OR", predict.time.case2_comp_or),
    FLAG("EQ1", predict.time.eq1),
    FLAG("ISSUE_FLOOR", predict.time.issue_floor),
    FLAG("REP_CEIL", predict.time.rep_ceil),
    FLAG("COAL_DEPARTURE", predict.time.coal_departure),
    FLAG("USE_NPW", predict.time.use_npw),
    FLAG("NPW_LITERAL", predict.time.npw_literal),
    FLAG("NPW_CASE_LITERAL", predict.time.npw_case_literal),
    {"CORES_FORM", AT(predict.power.form),
     {{"SET", IPP_FORM_OF_SET}, {"LINEAR", IPP_FORM_LINEAR}, {"LOG10", IPP_FORM_LOG10}}},
    {"MEMORY_POWER", AT(predict.power.memory), {{"WITH_SMS", IPP_MEMORY_WITH_SMS}, {"WHOLE", IPP_MEMORY_WHOLE}}},
    FLAG("ZERO_SMS_LOG", predict.power.zero_sms_log),
    FLAG("EFFECTIVE_MAX_ONE", predict.power.effective_max_one),
    FLAG("WHOLE_WARPS", predict.power.whole_warps),
    FLAG("MAXTEMP_IS_DELTA", predict.power.maxtemp_is_delta),
    {"ROUNDING", AT(predict.power.rounding),
     {{"FLOOR", IPP_ROUND_FLOOR}, {"NEAREST", IPP_ROUND_NEAREST}, {"CEIL", IPP_ROUND_CEIL}}},
    FLAG("CASE1_AND", predict.power.case1_and),
    FLAG("EQUAL_IS_UNLIMITED", predict.power.equal_is_unlimited),
    {"INFIN_PLUS1", AT(predict.throughput.infin),
     {{"0", THROUGHPUT_INFIN_EQ_72}, {"EQ93", THROUGHPUT_INFIN_PLUS1_EQ_93}, {"ALL", THROUGHPUT_INFIN_PLUS1_ALL}}},
    {"N_NEW", AT(predict.throughput.n_new),
     {{"TIMES_ALPHA", THROUGHPUT_N_TIMES_ALPHA}, {"SOLVED", THROUGHPUT_N_SOLVED}}},
    {"PERIOD", AT(predict.throughput.period),
     {{"GROUP", THROUGHPUT_PERIOD_GROUP}, {"ACCESS", THROUGHPUT_PERIOD_ACCESS}}},
    {"UNITS", AT(predict.occupancy.units),
     {{"ALLOCATED", OCCUPANCY_UNITS_ALLOCATED}, {"EXACT", OCCUPANCY_UNITS_EXACT}}},
    {"WARP_ROUNDING", AT(predict.occupancy.warp_rounding),
     {{"SM", OCCUPANCY_WARPS_OF_SM}, {"BLOCK", OCCUPANCY_WARPS_OF_BLOCK}}},
    {"COND2", AT(slowdown.cond2), {{"CAPACITY", SLOWDOWN_COND2_CAPACITY}, {"LITERAL", SLOWDOWN_COND2_LITERAL}}},
    {"FILL", AT(slowdown.fill), {{"RR", SLOWDOWN_FILL_RR}, {"DF", SLOWDOWN_FILL_DF}}},
    {"OCCUPIED", AT(slowdown.occupied),
     {{"PER_SM", SLOWDOWN_OCCUPIED_PER_SM}, {"LITERAL", SLOWDOWN_OCCUPIED_LITERAL}}},
    {"REMAINDER", AT(slowdown.remainder),
     {{"MOD", SLOWDOWN_REMAINDER_MOD}, {"LITERAL", SLOWDOWN_REMAINDER_LITERAL}}},
    {"FULL_WAVE", AT(slowdown.full_wave), {{"C", SLOWDOWN_FULL_WAVE_CASE_C}, {"B", SLOWDOWN_FULL_WAVE_CASE_B}}},
    FLAG("ALLOC_BY_WARP", slowdown.alloc_by_warp),
    FLAG("BLOCK_SLOTS", slowdown.block_slots),
};

enum { SWITCHES = sizeof all / sizeof all[0] };

static unsigned value_of(const model_switches *s, const expected *e)
{
    unsigned value = 0;

    if (e->size == sizeof(bool))
        return *(const bool *)((const char *)s + e->offset);
    assert_int_equal(e->size, sizeof value);
    memcpy(&value, (const char *)s + e->offset, sizeof value);
    return value;
}

static void set(model_switches *s, const char *name, const char *word)
{
    char text[VALUE_TEXT], err[SWITCHES_ERR] = "";

    snprintf(text, sizeof text, "%s=%s", name, word);
    if (!switches_set(s, text, err))
        fail_msg("%s", err);
}

/* ---- what is set ----------------------------------------------------------------------------- */

TEST(the_defaults_are_the_models)
{
    const model_switches s = switches_default();
    const analytic_predict_options predict = analytic_predict_options_default();
    const slowdown_options slowdown = slowdown_options_default();

    assert_memory_equal(&s.predict.time, &predict.time, sizeof predict.time);
    assert_memory_equal(&s.predict.occupancy, &predict.occupancy, sizeof predict.occupancy);
    assert_int_equal(s.predict.power.maxtemp_is_delta, predict.power.maxtemp_is_delta);
    assert_int_equal(s.predict.throughput.infin, predict.throughput.infin);
    assert_int_equal(s.slowdown.alloc_by_warp, slowdown.alloc_by_warp);
    assert_int_equal(s.slowdown.block_slots, slowdown.block_slots);
    assert_memory_equal(&s.slowdown.occupancy, &s.predict.occupancy, sizeof s.predict.occupancy);
}

TEST(each_word_sets_its_field_and_no_other)
{
    for (unsigned i = 0; i < SWITCHES; i++)
        for (unsigned w = 0; w < WORDS && all[i].word[w].text; w++) {
            model_switches s = switches_default(), before;

            memcpy(&before, &s, sizeof s);
            set(&s, all[i].name, all[i].word[0].text);
            set(&s, all[i].name, all[i].word[w].text);
            assert_int_equal(value_of(&s, &all[i]), all[i].word[w].value);
            assert_memory_equal(&s.slowdown.occupancy, &s.predict.occupancy, sizeof s.predict.occupancy);
            /* But for this field and the other place of occupancy's options: */
            memcpy((char *)&s + all[i].offset, (char *)&before + all[i].offset, all[i].size);
            s.slowdown.occupancy = before.slowdown.occupancy;
            assert_memory_equal(&s, &before, sizeof s);
        }
}

TEST(several_add_up)
{
    model_switches s = switches_default();

    for (unsigned i = 0; i < SWITCHES; i++)
        set(&s, all[i].name, all[i].word[1].text);
    for (unsigned i = 0; i < SWITCHES; i++)
        assert_int_equal(value_of(&s, &all[i]), all[i].word[1].value);
}

TEST(names_and_words_ignore_case)
{
    model_switches s = switches_default();

    set(&s, "fill", "df");
    assert_int_equal(s.slowdown.fill, SLOWDOWN_FILL_DF);
    set(&s, "Fill", "Rr");
    assert_int_equal(s.slowdown.fill, SLOWDOWN_FILL_RR);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const char *text, const char *says)
{
    struct {
        char err[SWITCHES_ERR];
        char behind[8];
    } e = {.err = "", .behind = "behind"};
    model_switches s = switches_default(), before;

    memcpy(&before, &s, sizeof s);
    if (switches_set(&s, text, e.err))
        fail_msg("not refused: %s", text);
    assert_memory_equal(&s, &before, sizeof s);
    assert_string_equal(e.behind, "behind");
    if (strncmp(e.err, says, strlen(says)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", e.err, says);
}

TEST(readings_and_values_that_there_are_not)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "no reading ''; write NAME=VALUE, 'ballast analytic readings' lists them"},
        {"FILL", "no reading 'FILL'"},
        {"FIL=DF", "no reading 'FIL=DF'"},
        {"FILLS=DF", "no reading 'FILLS=DF'"},
        {"=DF", "no reading '=DF'"},
        {" FILL=DF", "no reading ' FILL=DF'"},
        {"FILL=", "FILL has no value ''; it has RR, DF"},
        {"FILL=1", "FILL has no value '1'; it has RR, DF"},
        {"FILL=DFX", "FILL has no value 'DFX'; it has RR, DF"},
        {"fill=D", "FILL has no value 'D'; it has RR, DF"},
        {"EQ1=2", "EQ1 has no value '2'; it has 0, 1"},
        {"EQ1=yes", "EQ1 has no value 'yes'; it has 0, 1"},
        {"INFIN_PLUS1=1", "INFIN_PLUS1 has no value '1'; it has 0, EQ93, ALL"},
        {"FILL=DF=DF", "FILL has no value 'DF=DF'"},
    };
    char long_text[600];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        refuse(rows[i].text, rows[i].says);
    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    refuse(long_text, "no reading 'xxxx");
    long_text[300] = '=';
    refuse(long_text, "no reading 'xxxx");
    memcpy(long_text, "FILL=", 5);
    refuse(long_text, "FILL has no value 'xxxx");
}

/* ---- the list -------------------------------------------------------------------------------- */

static void print_list(FILE *f, const void *user)
{
    (void)user;
    switches_list(f);
}

/* "NAME  word [word] word  help": the line's words up to the help, the default in brackets. */
static void check_line(const char *line, const expected *e)
{
    const model_switches defaults = switches_default();
    const unsigned chosen = value_of(&defaults, e);
    char wanted[2 * VALUE_TEXT];
    size_t used;

    used = (size_t)snprintf(wanted, sizeof wanted, "  %-18s ", e->name);
    for (unsigned w = 0; w < WORDS && e->word[w].text; w++)
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, e->word[w].value == chosen ? "%s[%s]" : "%s%s",
                                 w ? " " : "", e->word[w].text);
    if (strncmp(line, wanted, used) != 0)
        fail_msg("\"%.60s\" does not begin with \"%s\"", line, wanted);
    assert_int_equal(line[used], ' ');
    assert_true(strcspn(line, "\n") > 50); /* something is said about it */
}

TEST(the_list_has_all_and_marks_the_defaults)
{
    const char *text = model_printed(print_list, NULL);
    const char *line = text;

    for (unsigned i = 0; i < SWITCHES; i++) {
        check_line(line, &all[i]);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "");
}
