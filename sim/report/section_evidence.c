/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands behind the run: a line for each in the banner, and a section with all of it.
 */
#include <string.h>

#include "report/sections.h"

/* How an item is called, and the part of this page that has more; the others are pages of the repository. */
static const struct {
    const char *item, *title, *part;
} items[EVIDENCE_ITEMS] = {{"lockstep", "Lockstep", "replays"}, {"proofs", "Proofs", "proofs"}, {"mutation", "Mutation", "evidence-mutation"},
                           {"coverage", "Coverage", "evidence-coverage"}, {"area_ge", "Area", "area"}};

static const evidence_item *find(const evidence *e, unsigned i)
{
    static const evidence_item nothing = {.state = "unknown", .words = "nobody could look: not called from its repository, or without Python"};

    for (unsigned n = 0; n < e->num; n++)
        if (!strcmp(e->items[n].item, items[i].item))
            return &e->items[n];
    return &nothing;
}

/* Only what is known to be of what is there looks well. */
static const char *look_of(const evidence_item *item)
{
    return !strcmp(item->state, "current") ? "pass" : !strcmp(item->state, "stale") ? "fail" : "soft";
}

static void put_when(FILE *f, const evidence_item *item)
{
    html_text(f, item->finished[0] ? item->finished : "date not known");
    if (item->commit[0])
        html_print(f, ", %s", item->commit);
}

void evidence_banner(FILE *f, const evidence *e)
{
    fputs("<ul class=\"evidence\">\n", f);
    for (unsigned i = 0; i < EVIDENCE_ITEMS; i++) {
        const evidence_item *item = find(e, i);

        fprintf(f, "<li><a href=\"#%s\">%s</a> ", items[i].part, items[i].title);
        fprintf(f, "<b class=\"%s\">", look_of(item));
        html_in(f, "", "</b> <span class=\"soft\">", "%s", item->state);
        put_when(f, item);
        fputs("</span></li>\n", f);
    }
    fputs("</ul>\n", f);
}

void section_evidence(FILE *f, const evidence *e)
{
    static const char *const head[] = {"what", "state", "found", "commit", "in words", "page", NULL};

    fputs("<section id=\"evidence\"><h2>Evidence</h2>\n", f);
    html_table_open(f, head,
                    "When this page was written. Current: of the sources that were there then. Stale: some of them had changed since. Unknown: nobody "
                    "knows of which sources it is. Missing: there is no result.", "evidence-table");
    for (unsigned i = 0; i < EVIDENCE_ITEMS; i++) {
        const evidence_item *item = find(e, i);

        fprintf(f, "<tr id=\"evidence-%s\">", items[i].item);
        html_row_head(f, "%s", items[i].title);
        fprintf(f, "<td class=\"%s\">", look_of(item));
        html_in(f, "", "</td>", "%s", item->state);
        html_cell(f, "%s", item->finished[0] ? item->finished : "–");
        html_cell(f, "%s", item->commit[0] ? item->commit : "–");
        html_in(f, "<td class=\"w\">", "</td>", "%s", item->words);
        html_in(f, "<td><code>", "</code></td></tr>\n", "%s", item->page[0] ? item->page : "–");
    }
    html_table_close(f);
    fputs("</section>\n", f);
}
