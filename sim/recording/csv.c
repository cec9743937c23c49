/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool csv_fail(const csv *c, trace_err *err, const char *what, ...)
{
    va_list ap;
    va_start(ap, what);
    import_fail_in(err, input_path(c->in), input_line_number(c->in), what, ap);
    va_end(ap);
    return false;
}

/* Takes the quotes off a field in place; returns what follows its end. */
static char *unquote(char *p)
{
    char *to = p;
    for (char *from = p + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

static bool split(csv *c, char *line, trace_err *err)
{
    c->fields = 0;
    for (char *p = line;; p++) {
        if (c->fields == CSV_MAX_COLUMNS)
            return csv_fail(c, err, "more than %d fields", CSV_MAX_COLUMNS);
        c->field[c->fields++] = p;
        char *end = *p == '"' ? unquote(p) : p + strcspn(p, ",");
        if (!end || (*end != ',' && *end != '\0'))
            return csv_fail(c, err, "a quoted field does not end; check its quotes");
        p = end;
        if (*p == '\0')
            return true;
        *p = '\0';
    }
}

static int find(const csv *c, const char *name)
{
    for (unsigned i = 0; i < c->fields; i++)
        if (strcmp(c->field[i], name) == 0)
            return (int)i;
    return -1;
}

bool csv_open(csv *c, const char *path, const char *const *columns, unsigned required,
              unsigned count, trace_err *err)
{
    *c = (csv){.columns = columns};
    c->in = input_open(path, err);
    if (!c->in)
        return false;
    if (!csv_row(c, err)) {
        if (!err->text[0])
            import_fail(err, input_path(c->in), 0, "it is empty; it needs a line of column names");
        csv_close(c);
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        c->position[i] = find(c, columns[i]);
        if (i < required && c->position[i] < 0) {
            csv_fail(c, err, "no column \"%s\"; name it in the first line", columns[i]);
            csv_close(c);
            return false;
        }
    }
    return true;
}

void csv_close(csv *c)
{
    input_close(c->in);
    c->in = NULL;
}

bool csv_row(csv *c, trace_err *err)
{
    char *line;
    do {
        line = input_line(c->in, err);
        if (!line)
            return false;
    } while (*line == '\0');
    return split(c, line, err);
}

const char *csv_text(const csv *c, unsigned column)
{
    const int at = c->position[column];
    return at < 0 || (unsigned)at >= c->fields ? "" : c->field[at];
}

bool csv_number(const csv *c, unsigned column, uint64_t max, uint64_t *value, trace_err *err)
{
    const char *text = csv_text(c, column);
    uint64_t v = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        if (digit > max || v > (max - digit) / 10)
            break;
        v = 10 * v + digit;
    }
    if (p == text || *p != '\0')
        return csv_fail(c, err, "column %s is \"%.40s\", not a number in 0..%llu",
                        c->columns[column], text, (unsigned long long)max);
    *value = v;
    return true;
}

void csv_put(FILE *f, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, f);
        return;
    }
    putc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', f);
        putc(*text == '\r' || *text == '\n' ? ' ' : *text, f); /* a row is a line */
    }
    putc('"', f);
}
