/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/decision.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_SMS = 4, FIRST_SIZE = 4 };

/* ---- a list ---------------------------------------------------------------------- */

void decisions_clear(decisions *list)
{
    list->num = 0;
    list->failed = false;
}

void decisions_free(decisions *list)
{
    free(list->taken);
    memset(list, 0, sizeof *list);
}

static bool grow(decisions *list)
{
    const unsigned max = list->max ? 2 * list->max : FIRST_SIZE;
    decision *taken = realloc(list->taken, max * sizeof *taken);

    if (!taken)
        return false;
    list->taken = taken;
    list->max = max;
    return true;
}

decision *decision_new(decisions *list, const char *block, const char *rule, const char *event)
{
    decision *d = &list->lost;

    if (list->num < list->max || grow(list))
        d = &list->taken[list->num++];
    else
        list->failed = true;
    d->block = block;
    d->rule = rule;
    d->event = event;
    d->sm = DECISION_NO_SM;
    d->inputs.num = d->before.num = d->after.num = 0;
    d->words[0] = '\0';
    return d;
}

/* ---- a decision ------------------------------------------------------------------ */

static void put(decision_values *values, const char *name, const char *state, uint64_t number)
{
    unsigned at = 0;

    while (at < values->num && strcmp(values->value[at].name, name) != 0)
        at++;
    assert(at < DECISION_MAX_VALUES); /* raise it */
    values->value[at] = (decision_value){name, state, number};
    if (at == values->num)
        values->num++;
}

void decision_input(decision *d, const char *name, uint64_t value)
{
    put(&d->inputs, name, NULL, value);
}

void decision_input_state(decision *d, const char *name, const char *state)
{
    put(&d->inputs, name, state, 0);
}

void decision_before(decision *d, const char *name, uint64_t value)
{
    put(&d->before, name, NULL, value);
}

void decision_after(decision *d, const char *name, uint64_t value)
{
    put(&d->after, name, NULL, value);
}

void decision_after_state(decision *d, const char *name, const char *state)
{
    put(&d->after, name, state, 0);
}

void decision_change(decision *d, const char *name, uint64_t before, uint64_t after)
{
    decision_before(d, name, before);
    decision_after(d, name, after);
}

void decision_change_state(decision *d, const char *name, const char *before, const char *after)
{
    put(&d->before, name, before, 0);
    decision_after_state(d, name, after);
}

void decision_words(decision *d, const char *format, ...)
{
    const size_t used = strlen(d->words);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(d->words + used, sizeof d->words - used, format, arguments);
    va_end(arguments);
}

/* ---- in words -------------------------------------------------------------------- */

static void print_list(const decisions *list, bool rules, FILE *out)
{
    const char *part = "";
    unsigned sms = 0;

    for (unsigned i = 0; i < list->num; i++) {
        const decision *d = &list->taken[i];

        if (d->sm != DECISION_NO_SM && sms++ >= NAMED_SMS)
            continue;
        fprintf(out, "%s%s%s%s", part, rules ? d->rule : "", rules ? ": " : "", d->words);
        part = "; ";
    }
    if (sms > NAMED_SMS)
        fprintf(out, "; %u more SMs", sms - NAMED_SMS);
}

void decisions_print_words(const decisions *list, FILE *out)
{
    print_list(list, false, out);
}

void decisions_print_reasons(const decisions *list, FILE *out)
{
    print_list(list, true, out);
}

/* ---- as data --------------------------------------------------------------------- */

static void print_string(const char *text, FILE *out)
{
    putc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            putc(*text, out);
    putc('"', out);
}

static void print_field(const char *name, const char *text, FILE *out)
{
    fprintf(out, ",\"%s\":", name);
    print_string(text, out);
}

static void print_values(const char *name, const decision_values *values, FILE *out)
{
    fprintf(out, ",\"%s\":{", name);
    for (unsigned i = 0; i < values->num; i++) {
        const decision_value *v = &values->value[i];

        if (i)
            putc(',', out);
        print_string(v->name, out);
        putc(':', out);
        if (v->state)
            print_string(v->state, out);
        else
            fprintf(out, "%" PRIu64, v->number);
    }
    putc('}', out);
}

void decision_print_json(const decision *d, const decision_place *at, FILE *out)
{
    const int concerns = d->sm != DECISION_NO_SM ? d->sm : at->sm;

    fprintf(out, "{\"cycle\":%" PRIu64, at->cycle);
    print_field("where", at->where, out);
    if (concerns == DECISION_NO_SM)
        fputs(",\"sm\":null", out);
    else
        fprintf(out, ",\"sm\":%d", concerns);
    print_field("instance", at->instance, out);
    print_field("block", d->block, out);
    print_field("rule", d->rule, out);
    print_field("event", d->event, out);
    print_values("inputs", &d->inputs, out);
    print_values("before", &d->before, out);
    print_values("after", &d->after, out);
    print_field("words", d->words, out);
    putc('}', out);
}
