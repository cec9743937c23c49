/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/result_table.h"

#include <stdlib.h>
#include <string.h>

#include "diff/whole_file.h"

/* ---- rows and columns ------------------------------------------------------------------ */

static int find_column(const result_table *t, const char *name)
{
    for (unsigned i = 0; i < t->columns; i++)
        if (!strcmp(t->column[i], name))
            return (int)i;
    return -1;
}

int result_column(result_table *t, const char *name)
{
    const int at = find_column(t, name);

    if (at >= 0 || t->columns == CSV_MAX_COLUMNS)
        return at;
    t->column[t->columns] = strdup(name);
    return t->column[t->columns] ? (int)t->columns++ : -1;
}

result_row *result_add(result_table *t)
{
    result_row *more = t->num % 64 ? t->row : realloc(t->row, (t->num + 64) * sizeof *more);

    if (!more)
        return NULL;
    t->row = more;
    more[t->num] = (result_row){.number = t->num};
    return &more[t->num++];
}

/* A row may lack fields where the table is no CSV file. */
static const char *field(const result_row *row, int column)
{
    return column >= 0 && row->field[column] ? row->field[column] : "";
}

bool result_name(const result_table *t, result_row *row)
{
    size_t size;
    FILE *f = open_memstream(&row->name, &size);

    for (unsigned k = 0; f && k < RESULT_KEYS && t->form->key[k].column; k++)
        fprintf(f, "%s%s%s", k ? " " : "", t->form->key[k].title, field(row, find_column(t, t->form->key[k].column)));
    return f && fclose(f) == 0 && row->name;
}

void result_free(result_table *t)
{
    for (unsigned r = 0; r < t->num; r++) {
        free(t->row[r].name);
        for (unsigned i = 0; i < CSV_MAX_COLUMNS; i++)
            free(t->row[r].field[i]);
    }
    for (unsigned i = 0; i < t->columns; i++)
        free(t->column[i]);
    free(t->row);
    *t = (result_table){.num = 0};
}

/* ---- a CSV file -------------------------------------------------------------------------- */

static bool no_memory(const char *path, trace_err *err)
{
    return diff_fail(err, path, 0, "out of memory", "free some memory");
}

/* Right after the first line has been read. */
static bool take_columns(result_table *t, const csv *c, trace_err *err)
{
    for (unsigned i = 0; i < c->fields; i++)
        if (find_column(t, c->field[i]) >= 0)
            return csv_fail(c, err, "column \"%.40s\" is there twice; %s", c->field[i], t->form->remedy);
        else if (result_column(t, c->field[i]) < 0)
            return no_memory(input_path(c->in), err);
    return true;
}

static bool take_row(result_table *t, const csv *c, trace_err *err)
{
    result_row *row;
    bool ok;

    if (c->fields != t->columns)
        return csv_fail(c, err, "%u fields, but %u columns; %s", c->fields, t->columns, t->form->remedy);
    row = result_add(t);
    ok = row != NULL;
    for (unsigned i = 0; ok && i < t->columns; i++) {
        row->field[i] = strdup(c->field[i]);
        ok = row->field[i] != NULL;
    }
    return (ok && result_name(t, row)) || no_memory(input_path(c->in), err);
}

static bool take_rows(result_table *t, const char *path, trace_err *err)
{
    const char *keys[RESULT_KEYS];
    unsigned num = 0;
    bool ok;
    csv c;

    for (; num < RESULT_KEYS && t->form->key[num].column; num++)
        keys[num] = t->form->key[num].column;
    err->text[0] = '\0';
    if (!csv_open(&c, path, keys, num, num, err))
        return false;
    ok = take_columns(t, &c, err);
    while (ok && csv_row(&c, err))
        ok = take_row(t, &c, err);
    csv_close(&c);
    return ok && !err->text[0];
}

bool result_read(result_table *t, const result_form *form, const char *path, trace_err *err)
{
    char *text = diff_read(path, form->remedy, err); /* a field that is cut off looks like one that has changed */

    *t = (result_table){.form = form, .there = true};
    if (!text)
        return false;
    free(text);
    return take_rows(t, path, err);
}

/* ---- comparison ---------------------------------------------------------------------------- */

static bool is_key(const result_form *form, const char *column)
{
    for (unsigned k = 0; k < RESULT_KEYS && form->key[k].column; k++)
        if (!strcmp(form->key[k].column, column))
            return true;
    return false;
}

static bool is_left_out(const result_form *form, const char *column)
{
    for (unsigned i = 0; i < RESULT_LEFT_OUT && form->left_out[i]; i++)
        if (!strcmp(form->left_out[i], column))
            return true;
    return is_key(form, column);
}

/* Columns that only one of them has: once, not in every row. */
static void compare_columns(const result_table *before, const result_table *after, changes *c)
{
    const result_form *form = before->form;

    for (unsigned i = 0; i < before->columns; i++)
        if (find_column(after, before->column[i]) < 0 && !is_left_out(form, before->column[i]))
            changes_add(c, form->kind, "there", "gone", "%s: column %s", form->file, before->column[i]);
    for (unsigned i = 0; i < after->columns; i++)
        if (find_column(before, after->column[i]) < 0 && !is_left_out(form, after->column[i]))
            changes_add(c, form->kind, "none", "added", "%s: column %s", form->file, after->column[i]);
}

static void compare_rows(const result_table *before, const result_row *old, const result_table *after, const result_row *new, changes *c)
{
    for (unsigned i = 0; i < before->columns; i++) {
        const int other = find_column(after, before->column[i]);

        if (other < 0 || is_left_out(before->form, before->column[i]))
            continue;
        if (strcmp(field(old, (int)i), field(new, other)) != 0)
            changes_add(c, before->form->kind, field(old, (int)i), field(new, other), "%s: %s", old->name, before->column[i]);
    }
}

/* "verdict pass" */
static void say_row(char *text, size_t size, const result_table *t, const result_row *row)
{
    snprintf(text, size, "%s %s", t->form->shown, field(row, find_column(t, t->form->shown)));
}

static int by_name(const void *a, const void *b)
{
    const result_row *left = *(result_row *const *)a, *right = *(result_row *const *)b;
    const int order = strcmp(left->name, right->name);

    return order ? order : (left->number > right->number) - (left->number < right->number);
}

static result_row **sorted(result_table *t)
{
    result_row **rows = malloc((t->num + 1) * sizeof(result_row *));

    for (unsigned r = 0; rows && r < t->num; r++)
        rows[r] = &t->row[r];
    if (rows && t->num)
        qsort(rows, t->num, sizeof(result_row *), by_name);
    return rows;
}

/* The first row of this name that is not seen yet. */
static result_row *find_row(result_row **rows, unsigned num, const char *name)
{
    unsigned from = 0, to = num;

    while (from < to) {
        const unsigned middle = from + (to - from) / 2;

        if (strcmp(rows[middle]->name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    while (from < num && rows[from]->seen && !strcmp(rows[from]->name, name))
        from++;
    return from < num && !strcmp(rows[from]->name, name) ? rows[from] : NULL;
}

static void compare_all_rows(result_table *before, result_table *after, result_row **rows, changes *c)
{
    const diff_kind kind = before->form->kind;
    char text[512], added[sizeof text + 16];

    for (unsigned r = 0; r < before->num; r++) {
        result_row *new = find_row(rows, after->num, before->row[r].name);

        c->compared[kind]++;
        if (new) {
            new->seen = true;
            compare_rows(before, &before->row[r], after, new, c);
        } else {
            say_row(text, sizeof text, before, &before->row[r]);
            changes_add(c, kind, text, "gone", "%s", before->row[r].name);
        }
    }
    for (unsigned r = 0; r < after->num; r++)
        if (!after->row[r].seen) {
            c->compared[kind]++;
            say_row(text, sizeof text, after, &after->row[r]);
            snprintf(added, sizeof added, "added: %s", text);
            changes_add(c, kind, "none", added, "%s", after->row[r].name);
        }
}

static void one_only(const result_table *t, bool gone, changes *c)
{
    char text[64];

    c->compared[t->form->kind] += t->num;
    snprintf(text, sizeof text, gone ? "%u rows" : "added: %u rows", t->num);
    changes_add(c, t->form->kind, gone ? text : "none", gone ? "gone" : text, "%s", t->form->file);
}

void result_compare(result_table *before, result_table *after, changes *c)
{
    result_row **rows;

    if (before->there != after->there)
        one_only(before->there ? before : after, before->there, c);
    if (!before->there || !after->there)
        return;
    rows = sorted(after);
    if (rows) {
        compare_columns(before, after, c);
        compare_all_rows(before, after, rows, c);
    }
    c->no_memory |= !rows;
    free(rows);
}
