/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/describe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void describe_roff(const char *text)
{
    bool begins = true; /* a line */

    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\v')
            fputs("\n.PP\n", stdout);
        else if (*text == '\n')
            fputs("\n.br\n", stdout);
        else
            putchar(*text);
        begins = *text == '\n' || *text == '\v';
    }
}

static void heading(const char *text)
{
    printf("\n.SH %s\n", text);
}

static void man_option(const option_row *row)
{
    if (!row->name) {
        printf(".SS \"%s\"\n", row->doc);
        return;
    }
    printf(".TP\n\\fB");
    if (row->letter)
        printf("\\-%c\\fR, \\fB", row->letter);
    printf("\\-\\-");
    describe_roff(row->name);
    printf("\\fR");
    if (row->arg) {
        printf("=\\fI");
        describe_roff(row->arg);
        printf("\\fR");
    }
    printf("\n");
    describe_roff(row->doc ? row->doc : "");
    printf("\n");
}

void describe_man(const described *command)
{
    const command_line *line = command->line;
    const char *end = strchr(line->doc, '\v');
    const int first = end ? (int)(end - line->doc) : (int)strlen(line->doc);
    char title[64], text[2048];

    snprintf(title, sizeof title, "%s", command->name);
    for (char *c = title; *c; c++) {
        if (*c == ' ')
            *c = '-';
        *c = (char)toupper((unsigned char)*c);
    }
    printf(".TH %s 1 \"\" \"Ballast\" \"Ballast\"", title);
    heading("NAME");
    for (const char *c = command->name; *c; c++)
        fputs(*c == ' ' || *c == '-' ? "\\-" : (char[]){*c, 0}, stdout);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line->doc, ".:\v"), line->doc);
    text[0] = (char)tolower((unsigned char)text[0]);
    printf(" \\- ");
    describe_roff(text);
    heading("SYNOPSIS");
    printf(".B %s\n[\\fIOPTION\\fR...] ", command->name);
    describe_roff(line->args_doc ? line->args_doc : "");
    heading("DESCRIPTION");
    snprintf(text, sizeof text, "%.*s", first, line->doc);
    describe_roff(text);
    if (end)
        describe_roff(end);
    heading("OPTIONS");
    for (unsigned r = 0; r < command->num_rows; r++)
        man_option(command->rows[r]);
    man_option(&(option_row){.name = "help", .letter = 'h', .doc = "List the options"});
    heading("EXAMPLES");
    for (unsigned e = 0; e < sizeof line->examples / sizeof *line->examples && line->examples[e]; e++) {
        printf(".PP\n.B ");
        snprintf(text, sizeof text, "ballast %s", line->examples[e]);
        describe_roff(text);
        printf("\n");
    }
    heading("EXIT STATUS");
    printf("0 all is well, 1 model and RTL differ, 2 usage, 3 bad input, 130 interrupted.\n");
    heading("SEE ALSO");
    printf(".BR ballast (1)\n");
}

void describe_options(const described *command)
{
    for (unsigned r = 0; r < command->num_rows; r++) {
        const option_row *row = command->rows[r];

        if (row->name)
            printf("--%s%s%s\n", row->name, row->arg ? " " : "", row->arg ? row->arg : "");
        if (row->name && row->letter)
            printf("-%c%s%s\n", row->letter, row->arg ? " " : "", row->arg ? row->arg : "");
    }
    printf("--help\n-h\n");
}
