/* SPDX-License-Identifier: Apache-2.0
 *
 * Where and when the CTAs ran: a picture for each list of the run's dispatch.csv, and the same as a table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/cta_chart.h"
#include "recording/csv.h"
#include "report/sections.h"

enum { PATH_SIZE = 4300, MOST_BARS = 600 };

static const char head[] =
    "<section id=\"dispatch\"><h2>Which CTA ran where and when</h2>\n"
    "<p>A row is an SM, a thin lane one of its CTA slots, a bar a CTA from launch to exit. The number in a bar says which CTA of its grid it "
    "is. CTAs of a 2-D kernel have the colour of their pair of neighbours, others that of their kernel.</p>\n";

/* The colours of the picture as words: per SM the CTAs that it got, in the order of their launches. */
static void put_ctas(FILE *f, const cta_spans *spans, const cta_shown *shown, unsigned sm)
{
    int kernel = -1;

    for (size_t i = 0; i < spans->num; i++) {
        const cta_span *span = &spans->span[i];

        if (span->sm != sm || !cta_chart_shows(shown, span))
            continue;
        if (span->kernel != kernel && spans->num_kernels > 1)
            html_in(f, kernel < 0 ? "" : "; ", ":", "%s", spans->kernel[span->kernel]);
        kernel = span->kernel;
        if (span->cta == CTA_UNKNOWN)
            fputs(" one", f);
        else
            fprintf(f, " %" PRIu32, span->cta);
    }
}

static void put_table(FILE *f, const cta_spans *by_launch, const cta_shown *shown, unsigned index)
{
    static const char *const columns[] = {">SM", "CTAs", NULL};

    fputs("<details><summary>The same as a table</summary>\n", f);
    html_table_open(f, columns, "The CTAs that each SM got, in the order of their launches.", "dispatch-%u-table", index);
    for (unsigned sm = 0; sm < shown->sms; sm++) {
        fprintf(f, "<tr><th scope=\"row\" class=\"n\">%u</th><td class=\"w\">", sm);
        put_ctas(f, by_launch, shown, sm);
        fputs("</td></tr>\n", f);
    }
    html_table_close(f);
    fputs("</details>\n", f);
}

/* A list's picture stands beside it. */
static void picture_path(char *path, const char *list)
{
    snprintf(path, PATH_SIZE, "%s", list);
    snprintf(strrchr(path, '.'), 5, ".svg");
}

static bool put_spans(FILE *f, cta_spans *spans, const char *list, const csv *c, unsigned index, trace_err *err)
{
    const cta_chart how = {.most = MOST_BARS, .color = cta_chart_color(spans)};
    char path[PATH_SIZE], id[32], what[160], caption[1024];
    cta_shown shown;
    char *text = NULL;
    size_t size;
    FILE *words;

    picture_path(path, list);
    if (!cta_chart_draw(spans, &how, path, &shown))
        return data_fail(err, path, 0, strerror(errno));
    cta_chart_say(&shown, what, sizeof what);
    words = open_memstream(&text, &size);
    if (words) {
        html_print(words, "%s Shown: %s.", csv_text(c, 2), what);
        fclose(words);
    }
    snprintf(caption, sizeof caption, "%s", text ? text : "");
    free(text);
    snprintf(id, sizeof id, "dispatch-%u", index);
    html_in(f, "<h3>", "</h3>\n", "%s", csv_text(c, 1));
    section_picture(f, path, true, id, csv_text(c, 1), 760, caption);
    cta_spans_order(spans);
    put_table(f, spans, &shown, index);
    return true;
}

static bool put_list(FILE *f, const char *dir, const csv *c, unsigned index, trace_err *err)
{
    char path[PATH_SIZE];
    cta_spans spans;
    bool ok;

    if (strchr(csv_text(c, 0), '/') || !strchr(csv_text(c, 0), '.'))
        return csv_fail(c, err, "column list is \"%.60s\", not the name of a file beside it", csv_text(c, 0));
    snprintf(path, sizeof path, "%s/%s", dir, csv_text(c, 0));
    ok = cta_spans_read(&spans, path, err) && put_spans(f, &spans, path, c, index, err);
    cta_spans_free(&spans);
    return ok;
}

bool section_dispatch(FILE *f, const report_data *d, trace_err *err)
{
    static const char *const columns[] = {"list", "title", "words"};
    char path[PATH_SIZE];
    unsigned index = 0;
    bool ok = true;
    csv c;

    snprintf(path, sizeof path, "%s/dispatch.csv", d->dir);
    err->text[0] = '\0';
    fputs(head, f);
    if (access(path, F_OK) != 0)
        return data_fail(err, path, 0, strerror(errno));
    if (!csv_open(&c, path, columns, 3, 3, err))
        return false;
    while (ok && csv_row(&c, err))
        ok = put_list(f, d->dir, &c, index++, err);
    csv_close(&c);
    if (!index)
        fputs("<p class=\"soft\">The recordings of this run have no list of their CTAs on all SMs beside them (<code>ctas/NAME</code>).</p>\n", f);
    fputs("</section>\n", f);
    return ok && !err->text[0];
}
