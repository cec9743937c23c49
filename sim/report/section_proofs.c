/* SPDX-License-Identifier: Apache-2.0
 *
 * Proofs and netlists: BUILD/formal/status.json and BUILD/gates/<configuration>/gates.csv, those that are there.
 */
#include <cjson/cJSON.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/regular_file.h"
#include "report/csv_table.h"
#include "report/sections.h"

/* ---- formal proofs ------------------------------------------------------------------------ */

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static bool is(const cJSON *proof, const char *key, const char *what)
{
    const char *text = text_of(proof, key);

    return text && !strcmp(text, what);
}

static bool is_step(const cJSON *proof)
{
    return is(proof, "proof", "step");
}

static bool is_proved(const cJSON *proof)
{
    return is(proof, "status", "proved");
}

static void put_cell(FILE *f, const cJSON *proof, const char *key)
{
    const char *text = text_of(proof, key);

    html_cell(f, "%s", text ? text : "");
}

/* Of a step how long it took, of a rule which: that is long, so it comes last. */
static void put_proof(FILE *f, const cJSON *proof)
{
    const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(proof, "seconds");

    fputs("<tr>", f);
    html_row_head(f, "%s", text_of(proof, "block"));
    fprintf(f, "<td class=\"%s\">", is_proved(proof) ? "pass" : is(proof, "status", "failed") ? "fail" : "soft");
    html_in(f, "", "</td>", "%s", text_of(proof, "status"));
    put_cell(f, proof, "bound");
    put_cell(f, proof, "states");
    if (is_step(proof) && cJSON_IsNumber(seconds))
        html_cell_right(f, "%.1f", seconds->valuedouble);
    else if (is_step(proof))
        html_cell_right(f, "–");
    else
        put_cell(f, proof, "proof");
    fputs("</tr>\n", f);
}

static void put_some(FILE *f, const cJSON *all, bool steps)
{
    const cJSON *proof;

    cJSON_ArrayForEach(proof, all)
        if (is_step(proof) == steps)
            put_proof(f, proof);
    html_table_close(f);
}

static void put_rules(FILE *f, const cJSON *all)
{
    static const char *const head[] = {"block", "status", "size", "from", "rule", NULL};
    unsigned rules = 0, proved = 0;
    const cJSON *proof;

    cJSON_ArrayForEach(proof, all) {
        rules += !is_step(proof);
        proved += !is_step(proof) && is_proved(proof);
    }
    if (!rules)
        return;
    fprintf(f, "<details><summary>Rules of the papers, proved of the RTL: %u of %u</summary>\n", proved, rules);
    html_table_open(f, head, "From any state; or from reset on: after reset and from then on.", "rules-table");
    put_some(f, all, false);
    fputs("</details>\n", f);
}

/* What is wrong with the file, or NULL. */
static const char *wrong_with(const cJSON *all)
{
    const cJSON *proof;

    if (!cJSON_IsArray(all))
        return "no JSON object with an array \"blocks\"";
    cJSON_ArrayForEach(proof, all)
        if (!text_of(proof, "block") || !text_of(proof, "proof") || !text_of(proof, "status"))
            return "a proof without block, proof or status";
    return NULL;
}

static void put_proofs(FILE *f, const cJSON *all, const char *tool)
{
    static const char *const head[] = {"block", "status", "size", "from", ">seconds", NULL};

    fputs("<section id=\"proofs\"><h2>Proofs</h2>\n", f);
    if (tool)
        html_print(f, "Tool: %s.", tool);
    html_table_open(f, head, "One step of the RTL proved equal to one step of the C model, under every input, from any "
                             "state or from every state within a proved invariant.", "proofs-table");
    put_some(f, all, true);
    put_rules(f, all);
    fputs("</section>\n", f);
}

static bool section_formal(FILE *f, const char *build, trace_err *err)
{
    char path[4300], *text;
    size_t length;
    const char *wrong;
    const cJSON *all;
    cJSON *status;

    snprintf(path, sizeof path, "%s/formal/status.json", build);
    if (access(path, R_OK) != 0) {
        fputs("<section id=\"proofs\"><h2>Proofs</h2>\n<p class=\"soft\">Not proved here yet: <code>make formal</code>, then "
              "<code>make report</code>.</p></section>\n", f);
        return true;
    }
    text = regular_read(path, &length);
    status = text ? cJSON_Parse(text) : NULL;
    all = cJSON_GetObjectItemCaseSensitive(status, "blocks");
    wrong = wrong_with(all);
    if (wrong)
        snprintf(err->text, sizeof err->text, "%s: %s; 'make formal' writes it anew", path, wrong);
    else
        put_proofs(f, all, text_of(status, "tool"));
    cJSON_Delete(status);
    free(text);
    return !wrong;
}

/* ---- netlists -------------------------------------------------------------------------------- */

static const csv_column columns[] = {
    {"netlist", "netlist", CSV_HEAD, NULL}, {"cells", ">cells", CSV_RIGHT, NULL}, {"flip_flops", ">flip-flops", CSV_RIGHT, NULL},
    {"recording", "recording", CSV_TEXT, NULL}, {"cycles", ">cycles", CSV_RIGHT, NULL},
    {"lockstep", "lockstep", CSV_VERDICT, "pass"},
    {"proof", "equal to its RTL", CSV_VERDICT, "proved"}, {"proof_seconds", ">seconds", CSV_RIGHT, NULL}, {0}};

static bool section_gates(FILE *f, const char *build, trace_err *err)
{
    char pattern[4300], id[32];
    glob_t found;
    bool ok = true;

    snprintf(pattern, sizeof pattern, "%s/gates/*/gates.csv", build);
    fputs("<section id=\"gates\"><h2>Netlists</h2>\n", f);
    if (glob(pattern, 0, NULL, &found) != 0) {
        fputs("<p class=\"soft\">Not made yet: <code>make gates</code>, then <code>make report</code>.</p></section>\n", f);
        return true;
    }
    for (unsigned i = 0; ok && i < found.gl_pathc; i++) {
        snprintf(id, sizeof id, "gates-table-%u", i);
        ok = csv_table(f, found.gl_pathv[i], columns, id,
                       "Synthesized netlists in lockstep with the C models, and proved equal to their RTL.", err);
    }
    fputs("</section>\n", f);
    globfree(&found);
    return ok;
}

bool section_proofs(FILE *f, const char *build, trace_err *err)
{
    err->text[0] = '\0';
    return section_formal(f, build, err) && section_gates(f, build, err);
}
