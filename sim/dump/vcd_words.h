/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a VCD, which white space separates; private to sim/dump.
 */
#ifndef BALLAST_VCD_WORDS_H
#define BALLAST_VCD_WORDS_H

#include "recording/input.h"

typedef struct vcd_words {
    input *in;
    int child;          /* the process that turns an FST into VCD, or 0 */
    unsigned long line; /* of the word that was read last, from 1 */
    char *word;
    size_t length, room;
    int ahead;          /* a character that was read too far; EOF: none */
} vcd_words;

bool vcd_words_open(vcd_words *w, const char *path, trace_err *err);
void vcd_words_close(vcd_words *w);
/* The next word; NULL at the end (err->text "") or on an error. */
char *vcd_word(vcd_words *w, trace_err *err);
/* The same, where the file may not end. */
char *vcd_word_due(vcd_words *w, trace_err *err);
/* Over everything up to the word $end. */
bool vcd_skip_to_end(vcd_words *w, trace_err *err);
bool vcd_words_fail(const vcd_words *w, trace_err *err, const char *what, ...) __attribute__((format(printf, 3, 4)));

#endif
