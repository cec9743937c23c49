/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/cost_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/heat_map.h"
#include "recording/csv.h"

enum { ROW, COLUMN, COST, WHAT, COLUMNS, REQUIRED = WHAT };
static const char *const names[COLUMNS] = {"row", "column", "cost", "what"};

typedef struct cost_table {
    const char *name[2][COST_TABLE_NAMES]; /* of rows, of columns */
    unsigned num[2];
    double cost[COST_TABLE_NAMES][COST_TABLE_NAMES];
    char what[160];
} cost_table;

/* The index of a name, which may be new; COST_TABLE_NAMES: there are too many, or there is no memory. */
static unsigned place_of(cost_table *t, unsigned kind, const char *name)
{
    unsigned i = 0;

    while (i < t->num[kind] && strcmp(t->name[kind][i], name) != 0)
        i++;
    if (i == t->num[kind] && i < COST_TABLE_NAMES && (t->name[kind][i] = strdup(name)))
        t->num[kind]++;
    return i < t->num[kind] ? i : COST_TABLE_NAMES;
}

static bool take(cost_table *t, const csv *c, trace_err *err)
{
    const unsigned row = place_of(t, ROW, csv_text(c, ROW)), column = place_of(t, COLUMN, csv_text(c, COLUMN));
    char *end = NULL;
    const double cost = strtod(csv_text(c, COST), &end);

    if (row == COST_TABLE_NAMES || column == COST_TABLE_NAMES)
        return csv_fail(c, err, "more than %d rows or columns", (int)COST_TABLE_NAMES);
    if (end == csv_text(c, COST) || *end || !isfinite(cost))
        return csv_fail(c, err, "a cost that is no number");
    t->cost[row][column] = cost;
    snprintf(t->what, sizeof t->what, "%s", csv_text(c, WHAT));
    return true;
}

static bool read_all(cost_table *t, const char *path, trace_err *err)
{
    csv c;
    bool ok;

    for (unsigned i = 0; i < COST_TABLE_NAMES * COST_TABLE_NAMES; i++)
        t->cost[i / COST_TABLE_NAMES][i % COST_TABLE_NAMES] = NAN;
    if (!csv_open(&c, path, names, REQUIRED, COLUMNS, err))
        return false;
    err->text[0] = '\0';
    for (ok = true; ok && csv_row(&c, err);)
        ok = take(t, &c, err);
    ok = ok && !err->text[0] && (t->num[ROW] || csv_fail(&c, err, "no costs"));
    csv_close(&c);
    return ok;
}

static bool draw(const cost_table *t, const char *path)
{
    double *costs = calloc((size_t)t->num[ROW] * t->num[COLUMN], sizeof *costs);
    const heat_map map = {"What it costs, mean of a sweep", *t->what ? t->what : "percent", t->num[ROW], t->num[COLUMN], t->name[ROW], t->name[COLUMN], costs};
    bool drawn = costs != NULL;

    for (unsigned i = 0; costs && i < map.rows * map.columns; i++)
        costs[i] = t->cost[i / map.columns][i % map.columns];
    drawn = drawn && heat_map_draw(&map, path);
    free(costs);
    return drawn;
}

bool cost_table_draw(const char *path, const char *svg, trace_err *err)
{
    cost_table *t = calloc(1, sizeof *t);
    bool ok = t && read_all(t, path, err);

    if (!t || (ok && !draw(t, svg))) {
        snprintf(err->text, sizeof err->text, "%s: cannot write (%s); choose another file", svg, strerror(errno));
        ok = false;
    }
    for (unsigned i = 0; t && i < COST_TABLE_NAMES; i++) {
        free((char *)t->name[ROW][i]);
        free((char *)t->name[COLUMN][i]);
    }
    free(t);
    return ok;
}
