/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/model_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "replay/scratch_fixture.h"

const char model_profile[] = "name = \"mine\";\n"
                             "blocks = 450;\n"
                             "threads_per_block = 256;\n"
                             "regs_per_thread = 20;\n"
                             "shared_per_block = 1024;\n"
                             "analytic = {\n"
                             "arithmetic = 100.0;\n"
                             "mix = { int = 0.5; alu = 0.5; };\n"
                             "coal_mem_insts = 4.0;\n"
                             "uncoal_mem_insts = 2.0;\n"
                             "};\n";

static char folder[MODEL_PATH / 2];

int model_folder_make(void **state)
{
    (void)state;
    scratch_make(folder, sizeof folder);
    return 0;
}

int model_folder_remove(void **state)
{
    (void)state;
    return scratch_remove(folder);
}

const char *model_folder(void)
{
    return folder;
}

const char *model_file(const char *name, const char *text)
{
    static char path[MODEL_PATH];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
    return path;
}

const char *model_replaced(const char *text, const char *what, const char *by)
{
    static char changed[4096];
    const char *at = strstr(text, what);

    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
    return changed;
}

void model_refuse_path(const model_reader *reader, const char *path, const char *says)
{
    char err[MODEL_ERR] = "";
    void *into = malloc(reader->size), *before = malloc(reader->size);

    assert_non_null(into);
    assert_non_null(before);
    memset(into, 0x5a, reader->size);
    memset(before, 0x5a, reader->size);
    if (reader->read(into, path, err))
        fail_msg("not refused: %s", says);
    assert_memory_equal(into, before, reader->size);
    if (strncmp(err, says, strlen(says)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err, says);
    assert_null(strchr(err, '\n'));
    free(into);
    free(before);
}

void model_refuse(const model_reader *reader, const model_refusal *cases, unsigned num)
{
    for (unsigned i = 0; i < num; i++) {
        const model_refusal *c = &cases[i];
        const char *path = model_file("refused", c->what ? model_replaced(c->base, c->what, c->by) : c->by);
        char says[MODEL_ERR];

        if (c->line)
            snprintf(says, sizeof says, "%s:%u: %s", path, c->line, c->says);
        else
            snprintf(says, sizeof says, "%s: %s", path, c->says);
        model_refuse_path(reader, path, says);
    }
}

static char *printed;

const char *model_printed(void (*print)(FILE *f, const void *user), const void *user)
{
    size_t size = 0;
    FILE *f;

    free(printed);
    f = open_memstream(&printed, &size);
    assert_non_null(f);
    print(f, user);
    assert_int_equal(fclose(f), 0);
    return printed;
}

const char *model_printed_words(void (*print)(FILE *f, const void *user), const void *user)
{
    char *to;

    model_printed(print, user);
    to = printed;
    for (const char *from = printed; *from; from++) {
        if (*from == ' ' && (from[1] == ' ' || from[1] == '\n'))
            continue;
        *to++ = *from;
    }
    *to = '\0';
    return printed;
}

static unsigned fields(const char *line)
{
    unsigned n = 1;

    for (; *line && *line != '\n'; line++)
        n += *line == ',';
    return n;
}

void model_assert_table(const char *text)
{
    const unsigned wanted = fields(text);
    unsigned lines = 0;

    for (const char *line = text; *line; lines++) {
        if (fields(line) != wanted)
            fail_msg("%u fields, not %u: %.*s", fields(line), wanted, (int)strcspn(line, "\n"), line);
        line += strcspn(line, "\n");
        assert_int_equal(*line, '\n');
        line++;
    }
    assert_true(lines > 1);
}

const char *model_cell(const char *text, unsigned line, unsigned column)
{
    static char cell[128];

    for (; line; line--) {
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    for (; column; column--) {
        text = strchr(text, ',');
        assert_non_null(text);
        text++;
    }
    snprintf(cell, sizeof cell, "%.*s", (int)strcspn(text, ",\n"), text);
    return cell;
}

void model_assert_says(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("\"%s\" does not say \"%s\"", text, what);
}
