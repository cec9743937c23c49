/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "report/sections.h"

enum { PATH_SIZE = 4300 };

/* Nothing may be fetched, and no script runs but the page's own: a browser holds the page to that. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'\">\n"
    "<title>Ballast: report of a run</title>\n<style>\n%s</style>\n</head>\n<body>\n"
    "<header><h1>Ballast: when and why the CTA limit moved</h1></header>\n<main>\n";

static void put_contents(FILE *f, const report_data *d, const char *build)
{
    fputs("<nav aria-label=\"Contents\"><ul>\n", f);
    fputs("<li><a href=\"#reading\">How to read this</a></li>\n", f);
    if (d->num_kernels)
        fputs("<li><a href=\"#policies\">Policies</a></li>\n", f);
    for (unsigned k = 0; k < d->num_kernels; k++) {
        fprintf(f, "<li><a href=\"#k%u\">", k);
        html_in(f, "", "</a></li>\n", "%s", d->kernels[k].name);
    }
    section_sweep_link(f, build);
    fputs("<li><a href=\"#dispatch\">CTA dispatch</a></li>\n", f);
    if (d->has_models)
        fputs("<li><a href=\"#models\">Analytic models</a></li>\n", f);
    fputs("<li><a href=\"#area\">Cost</a></li>\n<li><a href=\"#proofs\">Proofs</a></li>\n<li><a href=\"#gates\">Netlists</a></li>\n"
          "<li><a href=\"#replays\">All replays</a></li>\n"
          "<li><a href=\"#evidence\">Evidence</a></li>\n</ul></nav>\n", f);
}

static bool put_page(FILE *f, const report_data *d, const evidence *e, const char *build, trace_err *err)
{
    fprintf(f, head, report_script_sum, report_style);
    section_verdict(f, d, e);
    put_contents(f, d, build);
    section_reading(f);
    section_overview(f, d);
    for (unsigned k = 0; k < d->num_kernels; k++)
        section_kernel(f, d, k);
    if (!section_sweep(f, d->dir, build, err) || !section_dispatch(f, d, err))
        return false;
    section_models(f, d);
    if (!section_area(f, build, err) || !section_proofs(f, build, err))
        return false;
    section_replays(f, d);
    section_evidence(f, e);
    fprintf(f, "</main>\n<script>%s</script>\n</body>\n</html>\n", report_script);
    return true;
}

static bool cannot_write(const char *path, char *err)
{
    snprintf(err, REPORT_ERR, "%s: cannot write the report (%s); choose another directory with --out", path, strerror(errno));
    return false;
}

static void page_paths(const char *out, char *path, char *temporary)
{
    snprintf(path, PATH_SIZE, "%s/report.html", out);
    snprintf(temporary, PATH_SIZE, "%s/report.html.tmp", out);
}

static bool write_page(const report_options *options, const report_data *d, const evidence *e, char *err)
{
    char path[PATH_SIZE], temporary[PATH_SIZE];
    trace_err why = {.text = ""};
    bool ok, written;
    FILE *f;

    page_paths(options->out, path, temporary);
    f = fopen(temporary, "w");
    if (!f)
        return cannot_write(temporary, err);
    ok = put_page(f, d, e, options->build, &why);
    written = !ferror(f);
    written &= fclose(f) == 0;
    if (ok && written && rename(temporary, path) == 0) {
        evidence_forget(e, options->out);
        return true;
    }
    if (!ok)
        snprintf(err, REPORT_ERR, "%s", why.text);
    else
        cannot_write(path, err);
    unlink(temporary);
    return false;
}

bool report_write(const report_options *options, char *err)
{
    trace_err why = {.text = ""};
    report_data d;
    evidence e;
    bool ok = data_read(&d, options->out, &why) && evidence_read(&e, options->out, options->build, &why);

    if (ok)
        ok = write_page(options, &d, &e, err);
    else
        snprintf(err, REPORT_ERR, "%s", why.text);
    data_free(&d);
    return ok;
}

bool report_possible(const char *out, char *err)
{
    char path[PATH_SIZE], temporary[PATH_SIZE];
    FILE *f;

    page_paths(out, path, temporary);
    f = fopen(temporary, "w");
    if (!f)
        return cannot_write(temporary, err);
    fclose(f);
    unlink(temporary);
    return true;
}
