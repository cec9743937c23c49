/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast new-block: the files of a new block, from tb/skeleton. All of them or none; an existing file is never touched.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"

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

static void target_of(char path[PATH_SIZE], unsigned i, const char *name)
{
    snprintf(path, PATH_SIZE, copies[i].to, name, name); /* no target names the block more than twice */
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

/* With the skeleton's name replaced, in small and in large letters. */
static bool copy(FILE *in, FILE *out, const char *name)
{
    const size_t length = strlen(skeleton);
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, in) >= 0)
        for (const char *from = line; *from;) {
            if (strncasecmp(from, skeleton, length) != 0) {
                putc(*from++, out);
                continue;
            }
            for (const char *c = name; *c; c++)
                putc(isupper((unsigned char)*from) ? toupper((unsigned char)*c) : *c, out);
            from += length;
        }
    free(line);
    return !ferror(in) && !ferror(out);
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
        return complain("%s: %m", from), false;
    out = fopen(to, "wx");
    if (!out) {
        complain("%s: %s", to, errno == EEXIST ? "is there already; choose another name or remove it" : strerror(errno));
        fclose(in);
        return false;
    }
    ok = copy(in, out, b->name);
    fclose(in);
    if (fclose(out) != 0 || !ok) {
        complain("%s: cannot be written", to);
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
        return complain("%s: %s", room, errno == ENOENT ? "there is no tb/blocks here; run it from the repository root"
                                                        : strerror(errno)), false;
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
    static const option_row rows[] = {
        {"from", 'f', "DIR", "Folder of the skeleton (default tb/skeleton)", MEMBER(new_block, from)}, {0}};
    static const command_line line = {
        .examples = {"new-block idle_counter"},
        .rows = rows, .args_doc = "NAME", .file = "block", .example = "idle_counter", .most = 1,
        .doc = "Writes the files of a new block with one instance per SM: RTL, reference model, page, port list, bind, decisions, invariant, "
        "properties, coverage points, a variant, a view and a test. The block builds and passes lockstep at once. Its test and the "
        "consistency check fail where it says \"write me\". Run it from the repository root."};
    new_block b = {.from = "tb/skeleton"};
    char path[PATH_SIZE];

    b.name = command_parse(&line, argc, argv, &b).file[0];
    if (!name_is_good(b.name)) {
        complain("'%s' is no name for a block; use 2 to %d small letters, digits and _, a letter first", b.name, MOST_NAME);
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
