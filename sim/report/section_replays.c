/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "report/sections.h"

void section_verdict_cell(FILE *f, const char *text, const char *good)
{
    html_in(f, strcmp(text, good) != 0 ? "<td class=\"fail\">" : "<td class=\"pass\">", "</td>", "%s", text);
}

void section_replays(FILE *f, const report_data *d)
{
    static const char *const head[] = {"recording",    "mode",    ">SM",        "blocks", ">cycles",
                                       ">comparisons", "verdict", ">CTA limit", "",       NULL};

    fprintf(f,
            "<section id=\"replays\"><h2>All replays</h2>\n<p>%u of %u passed. Mode: <i>open</i>, as recorded; "
            "<i>family</i>, the limit picks the recording; <i>chip f</i>, the same for all SMs of a chip.</p>\n"
            "<details><summary>The table</summary>\n",
            d->passed, d->num_verdicts);
    html_table_open(f, head, "Every replay: RTL against C model in every cycle.", "replays-table");
    for (unsigned i = 0; i < d->num_verdicts; i++) {
        const data_verdict *v = &d->verdicts[i];

        fputs("<tr>", f);
        html_row_head(f, "%s", v->recording);
        html_cell(f, "%s", v->mode);
        html_cell_count(f, v->sm);
        html_cell(f, "%s", v->blocks);
        html_cell_count(f, v->cycles);
        html_cell_count(f, v->comparisons);
        section_verdict_cell(f, v->verdict, "pass");
        html_cell_count(f, v->limit);
        html_cell(f, "%s", v->converged ? "" : "open");
        fputs("</tr>\n", f);
    }
    html_table_close(f);
    fputs("</details></section>\n", f);
}
