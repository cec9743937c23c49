/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/switches.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { MAX_VALUES = 4 };

/* The word number i stands for the value i; a switch without words is 0 or 1. */
typedef struct model_switch {
    const char *name;
    size_t offset;
    const char *words[MAX_VALUES + 1];
    const char *help;
} model_switch;

#define TIME(member) offsetof(model_switches, predict.time.member)
#define POWER(member) offsetof(model_switches, predict.power.member)
#define CHAPTER5(member) offsetof(model_switches, predict.throughput.member)
#define SLOW(member) offsetof(model_switches, slowdown.member)
#define OCCUPANCY(member) offsetof(model_switches, predict.occupancy.member)

static const model_switch all[] = {
    {"CASE2_COMP_OR", TIME(case2_comp_or), {NULL}, "Case 2 also when Comp_cycles > Mem_cycles, as printed (HG-A2)"},
    {"EQ1", TIME(eq1), {NULL}, "Case 2 by Eq. 1 instead of Eq. 22 (HG-A1)"},
    {"ISSUE_FLOOR", TIME(issue_floor), {NULL}, "no time below what issuing takes"},
    {"REP_CEIL", TIME(rep_ceil), {NULL}, "#Rep in whole rounds (HG-A3)"},
    {"COAL_DEPARTURE", TIME(coal_departure), {NULL}, "Eq. 13 with Departure_del_coal (HG-A7)"},
    {"USE_NPW", TIME(use_npw), {NULL}, "MWP bounded by N_pw, Eq. 29"},
    {"NPW_LITERAL", TIME(npw_literal), {NULL}, "Eq. 28 as printed (HG-A5)"},
    {"NPW_CASE_LITERAL", TIME(npw_case_literal), {NULL}, "MWP > N is not Case 1"},
    {"CORES_FORM", POWER(form), {"SET", "LINEAR", "LOG10"}, "power over active SMs (HG-A13)"},
    {"MEMORY_POWER", POWER(memory), {"WITH_SMS", "WHOLE"}, "the memory's power over active SMs (Eq. 48 or 36)"},
    {"ZERO_SMS_LOG", POWER(zero_sms_log), {NULL}, "Eq. 44 also for 0 SMs (HG-A13)"},
    {"EFFECTIVE_MAX_ONE", POWER(effective_max_one), {NULL}, "access rates at most 1 after Spec.Linear, too"},
    {"WHOLE_WARPS", POWER(whole_warps), {NULL}, "Eq. 42 counts whole warps"},
    {"MAXTEMP_IS_DELTA", POWER(maxtemp_is_delta), {NULL}, "Eq. 53 gives the rise (HG-A14)"},
    {"ROUNDING", POWER(rounding), {"FLOOR", "NEAREST", "CEIL"}, "number of cores of Eq. 63 (HG-A20)"},
    {"CASE1_AND", POWER(case1_and), {NULL}, "Eq. 63 (1) asks for both MWP and CWP"},
    {"EQUAL_IS_UNLIMITED", POWER(equal_is_unlimited), {NULL}, "Eq. 63 (2) takes MWP = CWP as computation's limit"},
    {"INFIN_PLUS1", CHAPTER5(infin), {"0", "EQ93", "ALL"}, "MWP_App_InfiN counts the waiting warp (TP-A1)"},
    {"N_NEW", CHAPTER5(n_new), {"TIMES_ALPHA", "SOLVED"}, "how alpha of Eq. 91 is applied (TP-A10)"},
    {"PERIOD", CHAPTER5(period), {"GROUP", "ACCESS"}, "what a memory period of Chapter V is"},
    {"UNITS", OCCUPANCY(units), {"ALLOCATED", "EXACT"}, "registers and shared memory in allocation units (QC-6)"},
    {"WARP_ROUNDING", OCCUPANCY(warp_rounding), {"SM", "BLOCK"}, "where warps are rounded (QC-6)"},
    {"COND2", SLOW(cond2), {"CAPACITY", "LITERAL"}, "cond2 of Algorithm 1 (QC-A1)"},
    {"FILL", SLOW(fill), {"RR", "DF"}, "how k1's last wave lies on the SMs (QC-16)"},
    {"OCCUPIED", SLOW(occupied), {"PER_SM", "LITERAL"}, "Eq. 5.2 per SM or as printed (QC-A5)"},
    {"REMAINDER", SLOW(remainder), {"MOD", "LITERAL"}, "which blocks of k1 are there (QC-A7)"},
    {"FULL_WAVE", SLOW(full_wave), {"C", "B"}, "a full last wave of k1 (QC-A2)"},
    {"ALLOC_BY_WARP", SLOW(alloc_by_warp), {NULL}, "Algorithm 2 counts warps (QC-A4)"},
    {"BLOCK_SLOTS", SLOW(block_slots), {NULL}, "Algorithm 2 counts block slots (QC-A4)"},
};

enum { SWITCHES = sizeof all / sizeof all[0] };

static const char *const truths[MAX_VALUES + 1] = {"0", "1"};

static const char *const *words_of(const model_switch *s)
{
    return s->words[0] ? s->words : truths;
}

model_switches switches_default(void)
{
    return (model_switches){.predict = analytic_predict_options_default(), .slowdown = slowdown_options_default()};
}

static unsigned get(const model_switches *switches, const model_switch *s)
{
    const char *at = (const char *)switches + s->offset;
    unsigned value;

    if (!s->words[0])
        return *(const bool *)at;
    memcpy(&value, at, sizeof value);
    return value;
}

static void put(model_switches *switches, const model_switch *s, unsigned value)
{
    char *at = (char *)switches + s->offset;

    if (s->words[0])
        memcpy(at, &value, sizeof value);
    else
        *(bool *)at = value != 0;
}

static void name_words(const model_switch *s, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (const char *const *w = words_of(s); *w && used < size; w++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *w);
}

static bool set_one(model_switches *switches, const model_switch *s, const char *value, char *err)
{
    const char *const *words = words_of(s);
    char known[80];

    for (unsigned i = 0; words[i]; i++)
        if (!strcasecmp(words[i], value)) {
            put(switches, s, i);
            return true;
        }
    name_words(s, known, sizeof known);
    snprintf(err, SWITCHES_ERR, "%s has no value '%.60s'; it has %s", s->name, value, known);
    return false;
}

bool switches_set(model_switches *switches, const char *text, char *err)
{
    const char *equals = strchr(text, '=');

    for (unsigned i = 0; equals && i < SWITCHES; i++) {
        const size_t length = (size_t)(equals - text);

        if (strlen(all[i].name) != length || strncasecmp(all[i].name, text, length) != 0)
            continue;
        if (!set_one(switches, &all[i], equals + 1, err))
            return false;
        switches->slowdown.occupancy = switches->predict.occupancy;
        return true;
    }
    snprintf(err, SWITCHES_ERR, "no reading '%.60s'; write NAME=VALUE, 'ballast analytic readings' lists them", text);
    return false;
}

static const model_switch *find(const char *name)
{
    for (unsigned i = 0; i < SWITCHES; i++)
        if (!strcasecmp(all[i].name, name))
            return &all[i];
    return NULL;
}

bool switches_has(const char *name)
{
    return find(name) != NULL;
}

bool switches_same(const model_switches *a, const model_switches *b, const char *name)
{
    const model_switch *s = find(name);

    return s && get(a, s) == get(b, s);
}

void switches_list(FILE *f)
{
    const model_switches defaults = switches_default();

    for (unsigned i = 0; i < SWITCHES; i++) {
        const char *const *words = words_of(&all[i]);
        const unsigned chosen = get(&defaults, &all[i]);
        char line[80] = "";
        size_t used = 0;

        for (unsigned w = 0; words[w]; w++)
            used += (size_t)snprintf(line + used, sizeof line - used, w == chosen ? "%s[%s]" : "%s%s", w ? " " : "", words[w]);
        fprintf(f, "  %-18s %-24s %s\n", all[i].name, line, all[i].help);
    }
}
