/* SPDX-License-Identifier: Apache-2.0 */
#include "report/evidence.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/data_dir.h"
#include "files/run_quietly.h"
#include "recording/csv.h"

enum { PATH_SIZE = 4300 };
enum { ITEM, STATE, FINISHED, COMMIT, WORDS, PAGE, COLUMNS };

/* An installed command has neither sources nor the script. Why it cannot look is no failure of the report: the page says that nothing is known. */
static bool look(const char *out, const char *build)
{
    const char *script = data_path("sim/report/evidence.py");
    char *const words[] = {"python3", (char *)script, (char *)out, (char *)build, NULL};

    fflush(NULL);
    return access(script, R_OK) == 0 && run_quietly(words, NULL) == 0;
}

static bool take(evidence *e, const csv *c, trace_err *err)
{
    evidence_item *item = &e->items[e->num];

    if (e->num == EVIDENCE_ITEMS)
        return csv_fail(c, err, "more than %d rows", EVIDENCE_ITEMS);
    e->num++;
    snprintf(item->item, sizeof item->item, "%s", csv_text(c, ITEM));
    snprintf(item->state, sizeof item->state, "%s", csv_text(c, STATE));
    snprintf(item->finished, sizeof item->finished, "%s", csv_text(c, FINISHED));
    snprintf(item->commit, sizeof item->commit, "%s", csv_text(c, COMMIT));
    snprintf(item->words, sizeof item->words, "%s", csv_text(c, WORDS));
    snprintf(item->page, sizeof item->page, "%s", csv_text(c, PAGE));
    return true;
}

bool evidence_read(evidence *e, const char *out, const char *build, trace_err *err)
{
    static const char *const columns[COLUMNS] = {"item", "state", "finished", "commit", "words", "page"};
    char path[PATH_SIZE];
    bool ok = true;
    csv c;

    *e = (evidence){.num = 0};
    snprintf(path, sizeof path, "%s/evidence.csv", out);
    if (!look(out, build))
        return true;
    err->text[0] = '\0';
    if (!csv_open(&c, path, columns, COLUMNS, COLUMNS, err))
        return false;
    while (ok && csv_row(&c, err))
        ok = take(e, &c, err);
    csv_close(&c);
    return ok && !err->text[0];
}

void evidence_forget(const evidence *e, const char *out)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/evidence.csv", out);
    if (!e->num)
        unlink(path);
}
