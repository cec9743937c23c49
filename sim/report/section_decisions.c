/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions of a kernel's runs: those that moved the limit or a level, and, folded away, the others.
 */
#include <string.h>

#include "report/sections.h"

enum { MOST_MOVES = 60, MOST_OTHERS = 40 };

/* What was found in the same cycle, by the blocks before, is why it moved. */
static void put_words(FILE *f, const run_log *log, unsigned at)
{
    const run_log_entry *e = &log->items[at];
    unsigned first = at;

    while (e->number && first && log->items[first - 1].cycle == e->cycle && !strcmp(log->items[first - 1].where, e->where) &&
           !log->items[first - 1].number)
        first--;
    for (; first < at; first++)
        html_in(f, "", "; ", "%s", log->items[first].words);
    html_in(f, "<span>", "</span>", "%s", e->words);
}

static void put_entry(FILE *f, const run_log *log, unsigned at)
{
    const run_log_entry *e = &log->items[at];

    fprintf(f, "<tr%s><td class=\"n\">", e->number ? " class=\"moved\"" : "");
    if (e->number)
        fprintf(f, "%u", e->number);
    fputs("</td>", f);
    html_cell_count(f, e->cycle);
    fputs("<td class=\"w\">", f);
    put_words(f, log, at);
    html_in(f, "</td><td class=\"c\">", "</td>", "%s", e->change);
    html_cell(f, "%s", e->rule);
    html_in(f, "<td class=\"i\">", "</td></tr>\n", "%s", e->inputs);
}

/* Up to `most` entries of run `r` that moved something, or that did not. */
static void put_table(FILE *f, const data_kernel *k, unsigned index, unsigned r, const char *caption, bool moved)
{
    static const char *const head[] = {">no.", ">cycle", "in words", "before → after", "rule", "inputs", NULL};
    const run_log *log = &k->runs[r].log;
    unsigned left = moved ? MOST_MOVES : MOST_OTHERS;

    fputs("<div class=\"log\">", f);
    html_table_open(f, head, caption, "k%u-%s-%s", index, data_names[r].key, moved ? "moves" : "others");
    for (unsigned i = 0; i < log->num && left; i++)
        if ((log->items[i].number > 0) == moved) {
            put_entry(f, log, i);
            left--;
        }
    html_table_close(f);
    fputs("</div>\n", f);
}

static void put_moves(FILE *f, const data_kernel *k, unsigned index, unsigned r)
{
    const unsigned moved = k->runs[r].log.moved;
    char caption[128] = "Decisions that moved it; the numbers are those of the picture.";

    if (moved > MOST_MOVES)
        snprintf(caption, sizeof caption, "The first %d of %u decisions that moved it; the numbers are those of the picture.",
                 MOST_MOVES, moved);
    put_table(f, k, index, r, caption, true);
}

static void put_others(FILE *f, const data_kernel *k, unsigned index, unsigned r)
{
    const unsigned others = k->runs[r].log.num - k->runs[r].log.moved;

    fprintf(f, "<details><summary>%u other decision%s", others, others == 1 ? "" : "s");
    if (others > MOST_OTHERS)
        fprintf(f, ", the first %d of them", MOST_OTHERS);
    fputs("</summary>\n", f);
    put_table(f, k, index, r, "Decisions that left it where it was.", false);
    html_in(f, "<p class=\"soft\">All of them: <code>", "</code></p></details>\n", "%s", k->runs[r].log_file);
}

static void put_run(FILE *f, const report_data *d, unsigned index, unsigned r)
{
    const data_kernel *k = &d->kernels[index];
    const data_run *run = &k->runs[r];

    fprintf(f, "<div class=\"run\" data-run=\"%s\"><h4>%s: ", data_names[r].key, data_names[r].title);
    if (!run->log_file[0])
        fputs("no log of its decisions</h4>\n", f);
    else
        fprintf(f, "%u of %u decisions moved %s</h4>\n", run->log.moved, run->log.num,
                data_names[r].chip ? "a VF level" : "the limit");
    if (run->log.moved)
        put_moves(f, k, index, r);
    if (run->log.num > run->log.moved)
        put_others(f, k, index, r);
    if (run->log.num)
        kernel_waves(f, d, k, r);
    fputs("</div>\n", f);
}

void kernel_decisions(FILE *f, const report_data *d, unsigned index)
{
    for (unsigned r = 0; r < DATA_RUNS; r++)
        if (d->kernels[index].runs[r].there)
            put_run(f, d, index, r);
}
