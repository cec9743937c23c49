/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting keys of a kernel's group `simulator` without touching anything else in the file's text.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/placed_file.h"
#include "kernels/kernel_file.h"

enum { MOST_TEXT = 1 << 20 };

/* ---- finding a key's value -------------------------------------------------------- */

/* Behind the comment or text that begins at `at`; `at` if none does. */
static const char *behind_comment(const char *at)
{
    if (*at == '#' || (at[0] == '/' && at[1] == '/'))
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");

        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"')
        return at;
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return at + (*at != '\0');
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '*';
}

/* Where the value begins, if `at` is the name `key` with what belongs between them. */
static const char *value_of(const char *at, const char *key)
{
    const size_t length = strlen(key);

    if (strncmp(at, key, length) != 0)
        return NULL;
    at += length;
    at += strspn(at, " \t\r\n");
    if (*at != '=' && *at != ':')
        return NULL;
    at++;
    return at + strspn(at, " \t\r\n");
}

/* Where the value of `key` begins; NULL if the group that begins at `text` has no such key. `*end`, if asked for: its closing
 * brace, or the text's end. */
static const char *find_value(const char *text, const char *key, const char **end)
{
    int depth = 0;
    const char *at = text;

    while (*at && depth >= 0) {
        const char *next = behind_comment(at);

        if (next == at && in_name(*at)) {
            const char *value = depth == 0 ? value_of(at, key) : NULL;

            if (value)
                return value;
            while (in_name(*next))
                next++;
        }
        if (next == at) {
            depth += strchr("{[(", *at) ? 1 : strchr("}])", *at) ? -1 : 0;
            next++;
        }
        at = next;
    }
    if (end)
        *end = depth < 0 ? at - 1 : at;
    return NULL;
}

/* Behind the opening brace of the group `simulator`; NULL without one. */
static const char *find_group(const char *text)
{
    const char *group = find_value(text, "simulator", NULL);

    return group && *group == '{' ? group + 1 : NULL;
}

/* A new text, to be freed; NULL without memory. */
static char *with_setting(const char *text, const char *group, const workload_setting *s)
{
    const char *end = text;
    const char *value = find_value(group, s->key, &end);
    char *changed;
    int length;

    if (value)
        length = asprintf(&changed, "%.*s%s%s", (int)(value - text), text, s->value, value + strcspn(value, ";, \t\r\n#/}"));
    else
        length = asprintf(&changed, "%.*s%s    %s = %s;\n%s", (int)(end - text), text, end[-1] == '\n' ? "" : "\n", s->key,
                          s->value, end);
    return length < 0 ? NULL : changed;
}

/* ---- the file --------------------------------------------------------------------- */

static bool fail(const char *path, const char *why, char *err)
{
    snprintf(err, KERNEL_FILE_ERR, "%s: %s", path, why);
    return false;
}

/* To be freed; NULL with err. */
static char *read_text(const char *path, char *err)
{
    FILE *f = fopen(path, "r");
    char *text = f ? malloc(MOST_TEXT) : NULL;
    size_t length = 0;

    errno = f && !text ? ENOMEM : errno;
    if (text)
        length = fread(text, 1, MOST_TEXT, f);
    if (!text || ferror(f) || length == MOST_TEXT) {
        fail(path, length == MOST_TEXT ? "larger than 1 MiB; is it a kernel?" : strerror(errno), err);
        free(text);
        text = NULL;
    } else {
        text[length] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

static bool put(placed_file *to, const char *text, char *err)
{
    fputs(text, to->file);
    return placed_close(to, true) || fail(to->path, strerror(errno), err);
}

/* The settings' new text in place of *text, which is freed; false with err. */
static bool change(char **text, const char *path, const workload_setting *s, char *err)
{
    const char *group = find_group(*text);
    char *changed;

    if (!group)
        return fail(path, "has no group simulator", err);
    changed = with_setting(*text, group, s);
    if (!changed)
        return fail(path, strerror(ENOMEM), err);
    free(*text);
    *text = changed;
    return true;
}

/* The file is taken before it is read: what another command changes meanwhile would be lost. */
bool kernel_file_set(const char *path, const workload_setting *settings, unsigned num, char *err)
{
    placed_file to;
    const bool taken = placed_change(&to, path);
    const int why = errno;
    char *text = read_text(path, err);
    bool ok = text != NULL;

    for (unsigned i = 0; ok && i < num; i++)
        ok = change(&text, path, &settings[i], err);
    if (ok && !taken)
        ok = fail(path, why == EBUSY ? "another command writes it now" : strerror(why), err);
    ok = ok ? put(&to, text, err) : placed_close(&to, false);
    free(text);
    return ok;
}
