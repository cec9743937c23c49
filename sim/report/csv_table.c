/* SPDX-License-Identifier: Apache-2.0 */
#include "report/csv_table.h"

#include "report/sections.h"

static bool put_cell(FILE *f, const csv *c, unsigned i, const csv_column *column, trace_err *err)
{
    const char *text = csv_text(c, i);
    uint64_t number;

    switch (column->shown) {
    case CSV_HEAD: html_row_head(f, "%s", text); break;
    case CSV_RIGHT: html_cell_right(f, "%s", text); break;
    case CSV_VERDICT: section_verdict_cell(f, text, column->good); break;
    case CSV_COUNT:
        if (!*text) {
            html_cell_right(f, "–");
            break;
        }
        if (!csv_number(c, i, INT64_MAX, &number, err))
            return false;
        html_cell_count(f, number);
        break;
    default: html_cell(f, "%s", text); break;
    }
    return true;
}

bool csv_table(FILE *f, const char *path, const csv_column *columns, const char *id, const char *caption, trace_err *err)
{
    const char *names[CSV_TABLE_COLUMNS], *head[CSV_TABLE_COLUMNS + 1] = {NULL};
    unsigned num = 0;
    bool ok = true;
    csv c;

    for (; columns[num].name; num++) {
        names[num] = columns[num].name;
        head[num] = columns[num].heading;
    }
    err->text[0] = '\0';
    if (!csv_open(&c, path, names, num, num, err))
        return false;
    html_table_open(f, head, caption, "%s", id);
    while (ok && csv_row(&c, err)) {
        fputs("<tr>", f);
        for (unsigned i = 0; ok && i < num; i++)
            ok = put_cell(f, &c, i, &columns[i], err);
        fputs("</tr>\n", f);
    }
    html_table_close(f);
    csv_close(&c);
    return ok && !err->text[0];
}
