/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/decision_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/test.h"

enum { TEXT = 4096 };

static decisions taken;

void tell_of(const block_model *model, unsigned *count, const void *cfg, const void *before, const void *in,
             const void *out, const void *after)
{
    decisions_clear(&taken);
    model->describe(&taken, count, cfg, before, in, out, after);
    assert_false(taken.failed);
}

unsigned told(void)
{
    return taken.num;
}

static void print_values(const decision_values *values, FILE *out)
{
    for (unsigned i = 0; i < values->num; i++) {
        const decision_value *v = &values->value[i];

        fprintf(out, " %s=", v->name);
        if (v->state)
            fputs(v->state, out);
        else
            fprintf(out, "%" PRIu64, v->number);
    }
}

static void print_record(const decision *d, FILE *out)
{
    fprintf(out, "%s %s %s", d->block, d->rule, d->event);
    if (d->sm != DECISION_NO_SM)
        fprintf(out, "[%d]", d->sm);
    putc(':', out);
    print_values(&d->inputs, out);
    fputs(" |", out);
    print_values(&d->before, out);
    fputs(" |", out);
    print_values(&d->after, out);
}

static FILE *to_text(char text[TEXT])
{
    FILE *out = fmemopen(text, TEXT, "w");

    assert_non_null(out);
    text[0] = '\0';
    return out;
}

const char *told_record(unsigned index)
{
    static char text[TEXT];
    FILE *out = to_text(text);

    assert_true(index < taken.num);
    print_record(&taken.taken[index], out);
    fclose(out);
    return text;
}

const char *told_words(void)
{
    static char text[TEXT];
    FILE *out = to_text(text);

    decisions_print_words(&taken, out);
    fclose(out);
    return text;
}

void expect_told(const char *record, const char *words)
{
    assert_int_equal(told(), 1);
    assert_string_equal(told_record(0), record);
    assert_string_equal(told_words(), words);
}
