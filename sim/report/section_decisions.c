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
    for (; first < at; first++) {
        html_text(f, log->items[first].words);
        fputs("; ", f);
    }
    fputs("<span>", f);
    html_text(f, e->words);
    fputs("</span>", f);
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
    fputs("</td><td class=\"c\">", f);
    html_text(f, e->change);
    fputs("</td>", f);
    html_cell(f, "%s", e->rule);
    fputs("<td class=\"i\">", f);
    html_text(f, e->inputs);
    fputs("</td></tr>\n", f);
}

/* Up to `most` entries that moved something, or that did not. */
static void put_table(FILE *f, const run_log *log, const char *id, const char *caption, bool moved, unsigned most)
{
    static const char *const head[] = {">no.", ">cycle", "in words", "before → after", "rule", "inputs", NULL};

    fputs("<div class=\"log\">", f);
    html_table_open(f, id, caption);
    html_table_head(f, head);
    for (unsigned i = 0; i < log->num && most; i++)
        if ((log->items[i].number > 0) == moved) {
            put_entry(f, log, i);
            most--;
        }
    html_table_close(f);
    fputs("</div>\n", f);
}

static void put_moves(FILE *f, const run_log *log, const char *prefix)
{
    char id[64], caption[128] = "Decisions that moved it; the numbers are those of the picture.";

    if (log->moved > MOST_MOVES)
        snprintf(caption, sizeof caption, "The first %d of %u decisions that moved it; the numbers are those of the picture.",
                 MOST_MOVES, log->moved);
    snprintf(id, sizeof id, "%s-moves", prefix);
    put_table(f, log, id, caption, true, MOST_MOVES);
}

static void put_others(FILE *f, const data_run *run, const char *prefix)
{
    const unsigned others = run->log.num - run->log.moved;
    char id[64];

    fprintf(f, "<details><summary>%u other decision%s", others, others == 1 ? "" : "s");
    if (others > MOST_OTHERS)
        fprintf(f, ", the first %d of them", MOST_OTHERS);
    fputs("</summary>\n", f);
    snprintf(id, sizeof id, "%s-others", prefix);
    put_table(f, &run->log, id, "Decisions that left it where it was.", false, MOST_OTHERS);
    fputs("<p class=\"soft\">All of them: <code>", f);
    html_text(f, run->log_file);
    fputs("</code></p></details>\n", f);
}

static void put_run(FILE *f, const data_kernel *k, unsigned index, unsigned r)
{
    const data_run *run = &k->runs[r];
    char prefix[32];

    snprintf(prefix, sizeof prefix, "k%u-%s", index, data_names[r].key);
    fprintf(f, "<h4>%s: ", data_names[r].title);
    if (!run->log_file[0])
        fputs("no log of its decisions</h4>\n", f);
    else
        fprintf(f, "%u of %u decisions moved %s</h4>\n", run->log.moved, run->log.num,
                data_names[r].chip ? "a VF level" : "the limit");
    if (run->log.moved)
        put_moves(f, &run->log, prefix);
    if (run->log.num > run->log.moved)
        put_others(f, run, prefix);
}

void kernel_decisions(FILE *f, const data_kernel *k, unsigned index)
{
    for (unsigned r = 0; r < DATA_RUNS; r++)
        if (k->runs[r].there)
            put_run(f, k, index, r);
}
