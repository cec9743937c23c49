/* SPDX-License-Identifier: Apache-2.0 */
#include "dump/vcd_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/bytes.h"
#include "dump/fst_pipe.h"
#include "dump/vcd.h"

enum { MOST_CHARACTERS = VCD_MAX_WIDTH + 2 };

bool vcd_words_fail(const vcd_words *w, trace_err *err, const char *what, ...)
{
    va_list args;

    va_start(args, what);
    import_fail_in(err, input_path(w->in), w->child ? 0 : w->line, what, args);
    va_end(args);
    return false;
}

bool vcd_words_open(vcd_words *w, const char *path, trace_err *err)
{
    *w = (vcd_words){.line = 1, .ahead = EOF};
    err->text[0] = '\0';
    if (fst_is_one(path)) {
        FILE *f = fst_pipe_open(path, &w->child, err);

        w->in = f ? input_of_stream(f, path, err) : NULL;
    } else {
        w->in = input_open(path, err);
    }
    return w->in != NULL;
}

void vcd_words_close(vcd_words *w)
{
    input_close(w->in);
    if (w->child)
        fst_pipe_stop(w->child);
    free(w->word);
    *w = (vcd_words){.in = NULL};
}

/* The next character; EOF at the end or on an error. */
static int character(vcd_words *w, trace_err *err)
{
    unsigned char c;
    size_t got;
    const int was = w->ahead;

    w->ahead = EOF;
    if (was != EOF)
        return was;
    if (!input_read(w->in, &c, 1, &got, err) || !got)
        return EOF;
    if (c == '\0') {
        vcd_words_fail(w, err, "a byte that is 0; give a VCD or an FST");
        return EOF;
    }
    return c;
}

static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool add(vcd_words *w, int c, trace_err *err)
{
    char *room = with_room(w->word, w->length, &w->room, 1);

    if (!room)
        return vcd_words_fail(w, err, "out of memory");
    w->word = room;
    if (w->length == MOST_CHARACTERS)
        return vcd_words_fail(w, err, "a word of more than %d characters; a value may have %d bits", MOST_CHARACTERS, VCD_MAX_WIDTH);
    w->word[w->length++] = (char)c;
    return true;
}

/* The file has ended; that of an FST was made by a process, which must have come to its end, too. */
static char *at_end(vcd_words *w, trace_err *err)
{
    const int child = w->child;

    if (err->text[0] || !child)
        return NULL;
    w->child = 0;
    if (!fst_pipe_finished(child))
        import_fail(err, input_path(w->in), UINT64_MAX, "a damaged FST; write it again, or turn it into VCD with fst2vcd");
    w->child = -1; /* it has ended; line numbers still are not those of a file */
    return NULL;
}

char *vcd_word(vcd_words *w, trace_err *err)
{
    int c;

    while (is_space(c = character(w, err)))
        w->line += c == '\n';
    w->length = 0;
    for (; c != EOF && !is_space(c); c = character(w, err))
        if (!add(w, c, err))
            return NULL;
    if (!w->length || err->text[0])
        return at_end(w, err);
    w->ahead = c;
    if (!add(w, '\0', err))
        return NULL;
    w->length--;
    return w->word;
}

char *vcd_word_due(vcd_words *w, trace_err *err)
{
    char *word = vcd_word(w, err);

    if (!word && !err->text[0])
        vcd_words_fail(w, err, "the file ends in the middle; copy it again");
    return word;
}

bool vcd_skip_to_end(vcd_words *w, trace_err *err)
{
    const char *word;

    while ((word = vcd_word_due(w, err)))
        if (!strcmp(word, "$end"))
            return true;
    return false;
}
