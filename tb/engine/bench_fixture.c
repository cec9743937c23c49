/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/bench_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/test.h"

static const char *fired_assertion(const dut *d)
{
    return d->rtl ? d->block->rtl->assertion(d->rtl) : NULL;
}

void bench_open(dut *d, const char *variant, enum lockstep_side side)
{
    if (!dut_open(d, variant, side))
        fail_msg("there is no block %s, or its parameters are wrong", variant);
    fired_assertion(d);
}

void bench_close(dut *d)
{
    const char *fired = fired_assertion(d);

    if (fired && !d->loaded)
        fail_msg("%s: %s", d->block->name, fired);
    dut_close(d);
}

/* ---- values by name ---------------------------------------------------------------- */

/* Of a port's value: its name or a number. */
static uint64_t value_of(const block_port *port, const char *text)
{
    char *end;
    uint64_t value;

    for (unsigned n = 0; n < port->num_names; n++)
        if (!strcmp(port->names[n], text))
            return n;
    value = strtoull(text, &end, 0);
    if (end == text || *end)
        fail_msg("'%s' is no value of %s", text, port->name);
    return value;
}

/* How far the script has come. */
static void fail_at(const bench_script *s)
{
    const char *end = (s->value ? s->value + strlen(s->value) : s->word + strlen(s->word));

    print_error("  at the end of: %.*s\n", (int)(end - s->words), s->all);
    _fail(s->file, s->line);
}

void bench_script_start(bench_script *s, const char *file, int line, const char *format, va_list values)
{
    s->file = file;
    s->line = line;
    assert_in_range(vsnprintf(s->all, sizeof s->all, format, values), 0, sizeof s->all - 1);
    memcpy(s->words, s->all, strlen(s->all) + 1);
    s->rest = s->words;
}

bool bench_script_next(bench_script *s)
{
    do
        s->word = strsep(&s->rest, " ");
    while (s->word && !*s->word);
    if (!s->word)
        return false;
    s->value = s->word;
    strsep(&s->value, "=");
    return true;
}

unsigned bench_script_number(const bench_script *s)
{
    char *end = s->value;
    const unsigned number = s->value ? (unsigned)strtoul(s->value, &end, 0) : 1;

    if (end && (end == s->value || *end)) {
        print_error("'%s' is no number\n", s->value);
        fail_at(s);
    }
    return number;
}

bool bench_script_set(const bench_script *s, dut *d, void *in)
{
    const size_t length = strcspn(s->word, ":");
    const bool overwrite = s->word[length];
    char name[PORT_NAME + 4];
    const block_port *port;

    snprintf(name, sizeof name, "%.*s", (int)length, s->word);
    port = port_find(&d->ports, name);
    if (!s->value || !port || port->kind != (overwrite ? PORT_REG : PORT_IN))
        return false;
    block_port_set(port, overwrite ? d->state : in, value_of(port, s->value));
    if (overwrite)
        dut_load(d, d->state);
    return true;
}

void bench_script_expect(const bench_script *s, const dut *d, const void *out)
{
    const block_port *port = port_find(&d->ports, s->word);
    uint64_t actual;

    if (!s->value || !port || port->kind == PORT_IN) {
        print_error("%s has no %s, or it cannot be used so\n", d->block->name, s->word);
        fail_at(s);
        return;
    }
    actual = block_port_get(port, port->kind == PORT_OUT ? out : d->state);
    if (value_of(port, s->value) == actual)
        return;
    print_error("%s [%s]: %s is %" PRIu64 ", not %s\n", d->block->name, lockstep_side_names[d->side], s->word, actual, s->value);
    fail_at(s);
}

void bench_expect(const dut *d, const void *out, const char *file, int line, const char *format, ...)
{
    bench_script s;
    va_list values;

    va_start(values, format);
    bench_script_start(&s, file, line, format, values);
    va_end(values);
    while (bench_script_next(&s))
        bench_script_expect(&s, d, out);
}
