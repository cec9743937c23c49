/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ballast/table.h"

const char *verdict_name(enum session_verdict verdict)
{
    static const char *const names[] = {[SESSION_PASS] = "pass", [SESSION_MISMATCH] = "MISMATCH",
                                        [SESSION_BAD_INPUT] = "BAD INPUT", [SESSION_STOPPED] = "stopped"};

    return names[verdict];
}

void table_header(FILE *out)
{
    fprintf(out, "%-24s %-6s %3s %-26s %10s %12s %-9s %-12s %9s\n", "recording", "mode", "SM", "blocks", "cycles",
            "comparisons", "verdict", "CTA limit", "Mcycles/s");
}

static void block_names(char *text, size_t size, const block *const *blocks)
{
    size_t used = 0;

    text[0] = '\0';
    for (; *blocks && used < size; blocks++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "+" : "", (*blocks)->name);
}

void table_row(FILE *out, const char *recording, const char *mode, const session_options *options,
               const session_result *result)
{
    char blocks[64], limit[24];

    block_names(blocks, sizeof blocks, options->blocks);
    snprintf(limit, sizeof limit, "%u%s", result->limit, result->converged ? "" : " (open)");
    fprintf(out, "%-24s %-6s %3u %-26s %10" PRIu64 " %12" PRIu64 " %-9s %-12s %9.1f\n", recording, mode,
            options->sm, blocks, result->cycles, result->comparisons, verdict_name(result->verdict), limit,
            result->seconds > 0 ? 1e-6 * (double)result->cycles / result->seconds : 0);
    fflush(out);
}
