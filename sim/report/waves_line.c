/* SPDX-License-Identifier: Apache-2.0
 *
 * From a decision to its waveform: the command that shows the cycles around it. 'make waves' plays a family, which is found beside the manifest.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "report/sections.h"

enum { BEFORE = 2000, AFTER = 500, COMMAND = 1024 };

static bool is_there(const char *pattern)
{
    glob_t found;
    const bool some = glob(pattern, 0, NULL, &found) == 0;

    if (some)
        globfree(&found);
    return some;
}

/* In double quotes of a shell and of make nothing else stays what it is. */
static bool is_plain(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-")] == '\0';
}

/* "srad.launch2" of vectors/MANIFEST.csv is launch 2 of vectors/srad.n*.blt. False if there are no such recordings. */
static bool command_for(char *command, const report_data *d, const data_kernel *k, const char *block)
{
    const char *slash = strrchr(d->manifest, '/'), *launch = strstr(k->name, ".launch");
    const int program = launch ? (int)(launch - k->name) : (int)strlen(k->name), folder = slash ? (int)(slash + 1 - d->manifest) : 0;
    const unsigned long number = launch ? strtoul(launch + strlen(".launch"), NULL, 10) : 0;
    char pattern[2 * DATA_TEXT + 16], which[32] = "";

    snprintf(pattern, sizeof pattern, "%.*s%.*s.n*.blt", folder, d->manifest, program, k->name);
    if (number)
        snprintf(which, sizeof which, " LAUNCH=%lu", number);
    snprintf(command, COMMAND, "make waves BLOCK=%s TRACE=\"%s\"%s", block, pattern, which);
    return is_plain(d->manifest) && is_plain(k->name) && is_there(pattern);
}

/* Around the first decision that is shown; the script has one for each row. */
static void put_command(FILE *f, const data_run *run, const char *command)
{
    unsigned first = 0;
    uint64_t cycle, from, to;

    while (run->log.moved && first + 1 < run->log.num && run->log.items[first].number != 1)
        first++;
    cycle = run->log.items[first].cycle;
    from = cycle > BEFORE ? cycle - BEFORE : 0;
    to = cycle + AFTER < run->cycles ? cycle + AFTER : run->cycles - 1;
    html_in(f, "<p class=\"soft wave\" data-command=\"", "\"", "%s", command);
    fprintf(f, " data-before=\"%d\" data-after=\"%d\" data-last=\"%" PRIu64 "\">Waveform around the decision of cycle ", BEFORE, AFTER, run->cycles - 1);
    html_count(f, cycle);
    html_in(f, ": <code>", "</code>; around another one with other cycles. ", "%s FROM=%" PRIu64 " TO=%" PRIu64, command, from, to);
}

void kernel_waves(FILE *f, const report_data *d, const data_kernel *k, unsigned r)
{
    char command[COMMAND];

    if (data_names[r].view && k->runs[r].cycles && command_for(command, d, k, data_names[r].view))
        put_command(f, &k->runs[r], command);
    else
        fputs("<p class=\"soft\">", f);
    fprintf(f, "The block: doc/blocks/%s.md, the rules: doc/papers/papers.md.</p>\n", data_names[r].page);
}
