/* SPDX-License-Identifier: Apache-2.0
 *
 * The lanes of a kernel's pictures as data: what the page's script reads off and draws larger. Nobody sees them.
 */
#include <string.h>

#include "report/sections.h"

static void put_track(FILE *f, const char *name, const data_track *track)
{
    fprintf(f, " data-%s=\"", name);
    for (unsigned i = 0; i < track->num; i++)
        fprintf(f, "%s%" PRIu64 " %u", i ? "," : "", track->points[i].cycle, track->points[i].value);
    fputs("\"", f);
}

/* "(14,3)" of gnuplot is "14 3" of SVG. */
static void put_dashes(FILE *f, const char *dashes)
{
    fputs(" data-dashes=\"", f);
    for (; *dashes && strcmp(dashes, "solid") != 0; dashes++)
        if (!strchr("()", *dashes))
            putc(*dashes == ',' ? ' ' : *dashes, f);
    fputs("\"", f);
}

static void put_lane(FILE *f, const data_run *run, unsigned r, uint64_t last)
{
    unsigned top, height;

    draw_place(r, &top, &height);
    fprintf(f, "<i data-run=\"%s\" data-title=\"%s\" data-box=\"%u %u\" data-color=\"%s\" data-moved=\"%u\"", data_names[r].key, data_names[r].title,
            top, height, draw_styles[r].color, run->log.moved);
    html_in(f, " data-log=\"", "\"", "%s", run->log_file);
    put_dashes(f, draw_styles[r].dashes);
    put_track(f, "track", &run->track[0]);
    if (data_names[r].chip)
        put_track(f, "memory", &run->track[1]);
    else if (run->converged && run->cycles < last) /* what was decided stays, as in the picture */
        fprintf(f, " data-stays=\"%" PRIu64 " %" PRIu64 ",%" PRIu64 " %" PRIu64 "\"", run->cycles, run->last_limit, last, run->last_limit);
    fputs("></i>", f);
}

void kernel_lanes(FILE *f, const data_kernel *k, unsigned index)
{
    const uint64_t last = data_last_cycle(k);

    fprintf(f, "<div hidden class=\"lanes\" id=\"k%u-lanes\" data-last=\"%" PRIu64 "\" data-watched=\"%" PRIu64 "\" data-nmax=\"%" PRIu64
               "\" data-best=\"%" PRIu64 "\" data-height=\"%u\">", index, last, data_watched(k), k->nmax, k->best, draw_height());
    for (unsigned r = 0; r < DATA_RUNS; r++)
        if (k->runs[r].there)
            put_lane(f, &k->runs[r], r, last);
    fputs("</div>\n", f);
}
