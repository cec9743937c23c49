/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/bench_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/test.h"

enum { EXPECTED_TEXT = 1024 };

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

/* "limit_q=3": fails with the place of the test, and with all that was expected there. */
static void expect_one(const dut *d, const void *out, char *word, const char *all, const char *file, int line)
{
    const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : NULL;
    const block_port *port;
    uint64_t actual;

    word[strcspn(word, "=")] = '\0';
    port = port_find(&d->ports, word);
    if (!value || !port) {
        fail_msg("%s has no %s, or nothing is expected of it (of: %s)", d->block->name, word, all);
        return;
    }
    actual = block_port_get(port, port->kind == PORT_OUT ? out : d->state);
    if (value_of(port, value) == actual)
        return;
    print_error("%s [%s]: %s is %" PRIu64 ", not %s (of: %s)\n", d->block->name, lockstep_side_names[d->side], word, actual,
                value, all);
    _fail(file, line);
}

void bench_expect(const dut *d, const void *out, const char *file, int line, const char *format, ...)
{
    char all[EXPECTED_TEXT], words[EXPECTED_TEXT], *rest = words, *word;
    va_list values;

    va_start(values, format);
    assert_in_range(vsnprintf(all, sizeof all, format, values), 1, sizeof all - 1);
    va_end(values);
    memcpy(words, all, sizeof words);
    while ((word = strsep(&rest, " ")))
        expect_one(d, out, word, all, file, line);
}
