/* SPDX-License-Identifier: Apache-2.0
 *
 * Linked into the ballast command: whatever it replays, with environment variable
 *   MUTATE_WATCH=FILE  leaves there which mutants differ, a line "MUTANT,CYCLE" each and a line "end", when the command ends with all well;
 *   MUTATE_SELECT=N    runs as mutant N.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mutate/must.h"
#include "mutate/mutant_rtl.h"
#include "mutate/screen.h"

static uint64_t *first;

static void write_result(int status, void *path)
{
    FILE *out;
    bool written;

    if (status != 0)
        return;
    mutant_watch_flush();
    out = fopen(path, "w");
    for (unsigned m = 0; out && m <= mutant_netlist()->num_mutants; m++)
        if (first[m] != SCREEN_NEVER)
            fprintf(out, "%u,%llu\n", m, (unsigned long long)first[m]);
    if (out)
        fprintf(out, "end\n");
    written = out && !ferror(out);
    if ((out && fclose(out) != 0) || !written) {
        fprintf(stderr, "mutate: %s: %s\n", (const char *)path, strerror(errno));
        _exit(2);
    }
}

__attribute__((constructor)) static void start(void)
{
    char *path = getenv("MUTATE_WATCH");
    const char *number = getenv("MUTATE_SELECT");

    if (number)
        mutant_select((unsigned)strtoul(number, NULL, 10));
    if (!path)
        return;
    first = must(malloc((mutant_netlist()->num_mutants + 1) * sizeof *first));
    mutant_watch(first);
    on_exit(write_result, path);
}
