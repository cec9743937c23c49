/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast new-block: the files of a new block, from tb/skeleton. All of them or none; an existing file is never touched.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "files/data_dir.h"

enum { MOST_NAME = 32, PATH_SIZE = 512, FOLDERS = 16 };

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
    char folder[FOLDERS][PATH_SIZE]; /* that were not there */
    unsigned num_folders;
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

/* The folders of a path, as far as they are not there. */
static bool make_folders(new_block *b, const char *path)
{
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        char *folder = b->folder[b->num_folders];

        snprintf(folder, PATH_SIZE, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0777) == 0)
            b->num_folders++;
        else if (errno != EEXIST)
            return complain("%s: %m", folder), false;
    }
    return true;
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

static bool make_one(new_block *b, unsigned i)
{
    char path[PATH_SIZE];

    target_of(path, i, b->name);
    return make_folders(b, path) && make_file(b, i);
}

static bool make_all(new_block *b)
{
    char path[PATH_SIZE];
    unsigned made = 0;

    while (made < NUM_COPIES && make_one(b, made))
        made++;
    if (made == NUM_COPIES)
        return true;
    while (made-- > 0) {
        target_of(path, made, b->name);
        unlink(path);
    }
    while (b->num_folders-- > 0)
        rmdir(b->folder[b->num_folders]);
    return false;
}

/* ---- where ------------------------------------------------------------------------------ */

static bool in_repository(void)
{
    return access("tb/blocks", F_OK) == 0 && access("Makefile", F_OK) == 0;
}

/* Folders that a block brings along would get lost there. */
static bool in_some_room(void)
{
    const char *data = data_dir();
    char here[PATH_MAX];

    return strcmp(data, ".") != 0 && getcwd(here, sizeof here) && !strncmp(here, data, strlen(data)) && here[strlen(data)] == '/';
}

static void print_next(const char *name)
{
    char here[PATH_MAX] = ".";

    if (in_repository())
        printf("next: 'make build', then 'build/fermi/ballast lockstep --block %s vectors/hotspot.n2.blt'; CONTRIBUTING.md says the rest\n", name);
    else if (getcwd(here, sizeof here))
        printf("next: in the repository 'make EXTERN=%s build', then here 'build/fermi/ballast lockstep --block %s RECORDING'; "
               "doc/use/own_block.md says the rest\n", here, name);
}

int cmd_new_block(int argc, char **argv)
{
    static const option_row rows[] = {
        {"from", 'f', "DIR", "Folder of the skeleton (default tb/skeleton of the data)", MEMBER(new_block, from)}, {0}};
    static const command_line line = {
        .examples = {"new-block idle_counter"},
        .rows = rows, .args_doc = "NAME", .file = "block", .example = "idle_counter", .most = 1,
        .doc = "Writes the files of a new block with one instance per SM: RTL, reference model, page, port list, bind, decisions, invariant, "
        "properties, coverage points, a variant, a view and a test. The block builds and passes lockstep at once. Its test and the "
        "consistency check fail where it says \"write me\". Run it from the repository root, or in a folder of your own, whose blocks "
        "'make EXTERN=FOLDER' takes."};
    new_block b = {.from = data_path("tb/skeleton")};
    char path[PATH_SIZE];

    b.name = command_parse(&line, argc, argv, &b).file[0];
    if (!name_is_good(b.name)) {
        complain("'%s' is no name for a block; use 2 to %d small letters, digits and _, a letter first", b.name, MOST_NAME);
        return EXIT_USAGE;
    }
    if (!in_repository() && in_some_room())
        return complain("this is a folder inside of %s; run it from that one's root, or in a folder of your own", data_dir());
    if (!make_all(&b))
        return EXIT_BAD_INPUT;
    for (unsigned i = 0; i < NUM_COPIES; i++) {
        target_of(path, i, b.name);
        puts(path);
    }
    print_next(b.name);
    return EXIT_PASS;
}
