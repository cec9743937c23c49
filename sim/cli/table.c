/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <inttypes.h>
#include <string.h>

#include "recording/csv.h"

static const char *verdict_name(enum session_verdict verdict)
{
    static const char *const names[] = {[SESSION_PASS] = "pass", [SESSION_MISMATCH] = "MISMATCH",
                                        [SESSION_BAD_INPUT] = "BAD INPUT", [SESSION_NO_FAULT] = "NO FAULT",
                                        [SESSION_STOPPED] = "stopped"};

    return names[verdict];
}

static void print(const table *t, const char *line)
{
    if (t->csv != stdout)
        fputs(line, stdout);
    fflush(stdout);
    if (t->copy)
        fputs(line, t->copy);
}

void table_begin(table *t, FILE *copy, FILE *rows)
{
    *t = (table){.copy = copy, .csv = rows};
    if (rows)
        fprintf(rows, "recording,mode,sm,blocks,cycles,comparisons,verdict,limit,converged,why\n");
}

void table_head(table *t)
{
    char line[512];

    if (t->headed || t->silent)
        return;
    t->headed = true;
    snprintf(line, sizeof line, "%-24s %-6s %3s %-26s %10s %12s %-9s %-11s %9s\n", "recording", "mode", "SM", "blocks", "cycles",
             "comparisons", "verdict", "CTA limit", "Mcycles/s");
    print(t, line);
}

void table_count(table *t, const table *rows)
{
    t->rows += rows->rows;
    t->unwritten |= rows->unwritten;
    t->passed += rows->passed;
    t->cycles += rows->cycles;
    t->comparisons += rows->comparisons;
}

/* Too many to name: how many. */
static void block_names(char *text, size_t size, const block *const *blocks)
{
    enum { NAMED = 2 };
    unsigned n = 0;
    size_t used = 0;

    text[0] = '\0';
    while (blocks[n])
        n++;
    if (n > NAMED) {
        snprintf(text, size, "%u-blocks", n);
        return;
    }
    for (; *blocks && used < size; blocks++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "+" : "", (*blocks)->name);
}

static void put_csv(FILE *f, const char *recording, const char *mode, unsigned sm, const char *blocks,
                    const session_result *result)
{
    csv_put(f, recording);
    fprintf(f, ",%s,%u,%s,%" PRIu64 ",%" PRIu64 ",%s,%u,%d,", mode, sm, blocks, result->cycles, result->comparisons,
            verdict_name(result->verdict), result->limit, result->converged);
    csv_put(f, result->verdict == SESSION_PASS ? "" : result->text);
    fprintf(f, "\n");
}

void table_row(table *t, const char *recording, const char *mode, const session_options *options,
               const session_result *result)
{
    char blocks[64], limit[24], line[512];

    table_count(t, &(table){.rows = 1, .unwritten = result->unwritten, .passed = result->verdict == SESSION_PASS,
                            .cycles = result->cycles, .comparisons = result->comparisons});
    if (t->silent)
        return;
    table_head(t);
    block_names(blocks, sizeof blocks, options->blocks);
    if (t->csv)
        put_csv(t->csv, recording, mode, options->sm, blocks, result);
    snprintf(limit, sizeof limit, "%u%s", result->limit, result->converged ? "" : " (open)");
    snprintf(line, sizeof line, "%-24s %-6s %3u %-26s %10" PRIu64 " %12" PRIu64 " %-9s %-11s %9.1f\n", recording, mode, options->sm,
             blocks, result->cycles, result->comparisons, verdict_name(result->verdict), limit,
             result->seconds > 0 ? 1e-6 * (double)result->cycles / result->seconds : 0);
    print(t, line);
}

void table_unplayed(table *t, const char *recording, const char *mode, const session_options *options, const char *why)
{
    session_result result = {.verdict = SESSION_BAD_INPUT};

    snprintf(result.text, sizeof result.text, "%s", why);
    table_row(t, recording, mode, options, &result);
}

void table_end(const table *t)
{
    char line[256];

    snprintf(line, sizeof line, "%u replays, %u passed, %u failed: %.1f million SM cycles, %.1f million comparisons\n", t->rows,
             t->passed, t->rows - t->passed, 1e-6 * (double)t->cycles, 1e-6 * (double)t->comparisons);
    print(t, line);
}
