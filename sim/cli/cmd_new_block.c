/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast new-block: the files of a new block, from tb/skeleton. All of them or none; an existing file is never touched.
 */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"

enum { MOST_NAME = 32, PATH_SIZE = 512 };

static const char skeleton[] = "skeleton";

/* "%s" is the block's name. */
static const struct {
    const char *from, *to;
} copies[] = {
    {"page.md", "doc/blocks/%s.md"},
    {"rtl.sv", "rtl/sm/%s.sv"},
    {"model.h", "cmodel/sm/%s.h"},
    {"model.c", "cmodel/sm/%s.c"},
    {"ports.h", "tb/blocks/%s/ports.h"},
    {"bind.h", "tb/blocks/%s/bind.h"},
    {"decisions.h", "tb/blocks/%s/decisions.h"},
    {"invariant.h", "tb/blocks/%s/invariant.h"},
    {"properties.h", "tb/blocks/%s/properties.h"},
    {"cover.sv", "tb/blocks/%s/cover.sv"},
    {"variants", "tb/blocks/%s/variants"},
    {"view", "tb/blocks/%s/view"},
    {"test.c", "tb/blocks/%s/test_%s.c"},
};

enum { NUM_COPIES = sizeof copies / sizeof copies[0] };

typedef struct new_block {
    const char *name, *from;
} new_block;

static const struct argp_option options[] = {
    {"from", 'f', "DIR", 0, "Folder of the skeleton (default tb/skeleton)", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    new_block *b = state->input;

    switch (key) {
    case 'f': b->from = arg; return 0;
    case ARGP_KEY_ARG:
        if (b->name)
            argp_failure(state, EXIT_USAGE, 0, "one name is expected, and then '%s'", arg);
        b->name = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_failure(state, EXIT_USAGE, 0, "new-block: name the block"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void target_of(char path[PATH_SIZE], unsigned i, const char *name)
{
    const char *from = copies[i].to;
    size_t length = 0;

    while (*from && length < PATH_SIZE - MOST_NAME - 1) {
        if (from[0] == '%' && from[1] == 's') {
            length += (size_t)snprintf(path + length, PATH_SIZE - length, "%s", name);
            from += 2;
        } else {
            path[length++] = *from++;
        }
    }
    path[length] = '\0';
}

/* A name is a module's, a C identifier's and a folder's. */
static bool name_is_good(const char *name)
{
    const size_t length = strlen(name);

    for (const char *c = name; *c; c++)
        if (!islower((unsigned char)*c) && (c == name || (!isdigit((unsigned char)*c) && *c != '_')))
            return false;
    return length >= 2 && length <= MOST_NAME && strcmp(name, skeleton) != 0;
}

/* Replaces the skeleton's name, in small and in large letters. */
static void write_line(FILE *out, const char *line, const char *name)
{
    const size_t length = strlen(skeleton);

    while (*line) {
        if (strncasecmp(line, skeleton, length) != 0) {
            putc(*line++, out);
            continue;
        }
        for (const char *c = name; *c; c++)
            putc(isupper((unsigned char)*line) ? toupper((unsigned char)*c) : *c, out);
        line += length;
    }
}

static bool copy(FILE *in, FILE *out, const char *name)
{
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, in) >= 0)
        write_line(out, line, name);
    free(line);
    return !ferror(in) && !ferror(out);
}

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "ballast: %s: %s\n", path, why);
    return false;
}

/* Creates a file that was not there. Only such a file may be removed again. */
static bool make_file(const new_block *b, unsigned i)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    FILE *in, *out;
    bool ok;

    snprintf(from, sizeof from, "%s/%s.in", b->from, copies[i].from);
    target_of(to, i, b->name);
    in = fopen(from, "r");
    if (!in)
        return complain(from, strerror(errno));
    out = fopen(to, "wx");
    if (!out) {
        complain(to, errno == EEXIST ? "is there already; choose another name or remove it" : strerror(errno));
        fclose(in);
        return false;
    }
    ok = copy(in, out, b->name);
    fclose(in);
    if (fclose(out) != 0 || !ok) {
        complain(to, "cannot be written");
        unlink(to);
        return false;
    }
    return true;
}

static bool make_all(const new_block *b)
{
    char path[PATH_SIZE], room[PATH_SIZE];
    unsigned made = 0;
    bool fresh;

    snprintf(room, sizeof room, "tb/blocks/%s", b->name);
    fresh = mkdir(room, 0777) == 0;
    if (!fresh && errno != EEXIST)
        return complain(room, errno == ENOENT ? "there is no tb/blocks here; run it from the repository root" : strerror(errno));
    while (made < NUM_COPIES && make_file(b, made))
        made++;
    if (made == NUM_COPIES)
        return true;
    while (made-- > 0) {
        target_of(path, made, b->name);
        unlink(path);
    }
    if (fresh)
        rmdir(room);
    return false;
}

int cmd_new_block(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "NAME",
        "Writes the files of a new block with one instance per SM: RTL, reference model, page, port list, bind, decisions, invariant, "
        "properties, coverage points, a variant, a view and a test. The block builds and passes lockstep at once. Its test and the "
        "consistency check fail where it says \"write me\". Run it from the repository root.",
        0, 0, 0};
    new_block b = {.from = "tb/skeleton"};
    char path[PATH_SIZE];

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, 0, &b);
    if (!name_is_good(b.name)) {
        fprintf(stderr, "ballast: '%s' is no name for a block; use 2 to %d small letters, digits and _, a letter first\n", b.name, MOST_NAME);
        return EXIT_USAGE;
    }
    if (!make_all(&b))
        return EXIT_BAD_INPUT;
    for (unsigned i = 0; i < NUM_COPIES; i++) {
        target_of(path, i, b.name);
        puts(path);
    }
    printf("next: 'make build', then 'build/fermi/ballast lockstep --block %s vectors/hotspot.n2.blt'; CONTRIBUTING.md says the rest\n", b.name);
    return EXIT_PASS;
}
