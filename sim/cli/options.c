/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/replay_options.h"
#include "cli/suggest.h"

enum { MOST_ROWS = 48, FIRST_KEY = 0x100 /* of options without a letter */, HELP = 'h' };

void (*describe)(const described *command);

typedef struct parsing {
    const command_line *line;
    void *command;
    arguments given;
    const option_row *rows[MOST_ROWS]; /* the command's own first */
    unsigned num_rows;
} parsing;

uint64_t option_number(const struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno || end == text || *end || text[0] == '-' || value < least || value > most)
        argp_failure(state, EXIT_USAGE, 0, "--%s: '%s' is not a number from %llu to %llu", option, text,
                     (unsigned long long)least, (unsigned long long)most);
    return value;
}

static uint64_t index_of(const option_row *row, const char *text, const struct argp_state *state)
{
    char known[128] = "";
    uint64_t i = 0;

    while (row->names[i] && strcmp(row->names[i], text) != 0) {
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", row->names[i]);
        i++;
    }
    if (!row->names[i])
        argp_failure(state, EXIT_USAGE, 0, "--%s: no '%s'; there are %s", row->name, text, known);
    return i;
}

static void put_number(void *member, size_t size, uint64_t value)
{
    switch (size) {
    case 1: *(uint8_t *)member = (uint8_t)value; break;
    case 2: *(uint16_t *)member = (uint16_t)value; break;
    case 4: *(uint32_t *)member = (uint32_t)value; break;
    default: *(uint64_t *)member = value; break;
    }
}

static void take(const option_row *row, void *member, char *arg, const struct argp_state *state)
{
    if (row->take)
        row->take(member, arg, state);
    else if (row->names)
        put_number(member, row->size, index_of(row, arg, state));
    else if (row->most)
        put_number(member, row->size, option_number(state, row->name, arg, row->least, row->most));
    else if (row->arg)
        *(const char **)member = arg;
    else
        *(bool *)member = true;
}

static int key_of(const parsing *p, unsigned row)
{
    return p->rows[row]->letter ? p->rows[row]->letter : FIRST_KEY + (int)row;
}

static void check(parsing *p, const struct argp_state *state)
{
    const command_line *line = p->line;
    arguments *given = &p->given;

    if (!line->file && given->num)
        argp_failure(state, EXIT_USAGE, 0, "no argument is expected: '%s'", given->file[0]);
    if (line->file && !given->num && !line->may_lack)
        argp_failure(state, EXIT_USAGE, 0, "name a%s %s, e.g. %s", strchr("aeiou", line->file[0]) ? "n" : "", line->file,
                     line->example);
    if (line->most && given->num > line->most)
        argp_failure(state, EXIT_USAGE, 0, "one %s only, not also '%s'", line->file, given->file[line->most]);
    if (line->check)
        line->check(p->command, given, state);
    if (line->replays)
        replay_check(p->command, state);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    parsing *p = state->input;
    unsigned row = 0;

    if (key == ARGP_KEY_ARGS) {
        p->given.file = (const char *const *)state->argv + state->next;
        p->given.num = (unsigned)(state->argc - state->next);
        return 0;
    }
    if (key == HELP)
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    if (key == ARGP_KEY_END) {
        check(p, state);
        return 0;
    }
    while (row < p->num_rows && key_of(p, row) != key)
        row++;
    if (row == p->num_rows)
        return ARGP_ERR_UNKNOWN;
    p->given.given |= 1ULL << row;
    take(p->rows[row], (char *)p->command + p->rows[row]->at, arg, state);
    return 0;
}

/* An option of a replay gives way to the command's own of the same name. */
static void add_rows(parsing *p, const option_row *rows)
{
    const unsigned own = p->num_rows;

    for (; rows && (rows->name || rows->doc) && p->num_rows < MOST_ROWS; rows++) {
        unsigned i = 0;

        while (i < own && rows->name && strcmp(p->rows[i]->name, rows->name) != 0)
            i++;
        if (i == own)
            p->rows[p->num_rows++] = rows;
    }
}

/* ---- names that are none ----------------------------------------------------------------- */

/* The option of a word "--name" or "--name=VALUE", which may be cut short. */
static const option_row *named(const parsing *p, const char *word)
{
    const size_t length = strcspn(word, "=");
    const option_row *found = NULL;

    for (unsigned r = 0; r < p->num_rows; r++)
        if (p->rows[r]->name && !strncmp(p->rows[r]->name, word, length)) {
            found = p->rows[r];
            if (!found->name[length])
                break;
        }
    return found;
}

static void refuse(const parsing *p, const char *program, const char *word)
{
    const char *names[MOST_ROWS + 3] = {"help", "usage"}, *meant;
    unsigned num = 2;
    char name[64];

    for (unsigned r = 0; r < p->num_rows; r++)
        if (p->rows[r]->name)
            names[num++] = p->rows[r]->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    meant = suggest(name, names);
    fprintf(stderr, "%s: no option '--%s'; ", program, name);
    if (meant)
        fprintf(stderr, "did you mean '--%s'?\n", meant);
    else
        fprintf(stderr, "'%s --help' lists them\n", program);
    exit(EXIT_USAGE);
}

/* Whether the word's last letter is a short option that takes the next word. */
static bool takes_next(const parsing *p, const char *letters)
{
    for (; *letters; letters++)
        for (unsigned r = 0; r < p->num_rows; r++)
            if (p->rows[r]->letter == *letters && p->rows[r]->arg)
                return !letters[1];
    return false;
}

/* argp would say neither what was meant nor so in one line. */
static void check_names(const parsing *p, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i] + 2;

        if (!strncmp(argv[i], "--", 2)) {
            const option_row *row = named(p, word);
            const size_t length = strcspn(word, "=");

            if (!row && strncmp("help", word, length) != 0 && strncmp("usage", word, length) != 0)
                refuse(p, argv[0], word);
            i += row && row->arg && !word[length];
        } else if (argv[i][0] == '-' && argv[i][1]) {
            i += takes_next(p, argv[i] + 1);
        }
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

/* The words about the command, and its examples behind them. */
static void add_examples(const command_line *line, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s%sExamples:", line->doc, strchr(line->doc, '\v') ? "\n\n" : "\v");

    for (unsigned e = 0; e < sizeof line->examples / sizeof *line->examples && line->examples[e] && used < size; e++)
        used += (size_t)snprintf(text + used, size - used, "\n  ballast %s", line->examples[e]);
}

arguments command_parse(const command_line *line, int argc, char **argv, void *command)
{
    struct argp_option options[MOST_ROWS + 2] = {{0}};
    char doc[4096];
    const struct argp argp = {options, parse, line->args_doc, doc, 0, 0, 0};
    parsing p = {.line = line, .command = command};

    add_rows(&p, line->rows);
    if (line->replays)
        add_rows(&p, replay_rows);
    for (unsigned r = 0; r < p.num_rows; r++) {
        const option_row *row = p.rows[r];

        options[r] = (struct argp_option){row->name, row->name ? key_of(&p, r) : 0, row->arg, 0, row->doc, 0};
    }
    options[p.num_rows] = (struct argp_option){NULL, HELP, NULL, 0, "Give this help list", -1};
    if (describe) {
        describe(&(described){argv[0], line, p.rows, p.num_rows});
        exit(EXIT_PASS);
    }
    add_examples(line, doc, sizeof doc);
    check_names(&p, argc, argv);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &p);
    return p.given;
}
