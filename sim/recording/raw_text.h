/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of per-cycle records: warps.csv, a line for each change of a warp's state, which a shell script can write; private
 * to sim/recording. doc/use/import_raw.md describes it.
 */
#ifndef BALLAST_RAW_TEXT_H
#define BALLAST_RAW_TEXT_H

#include "recording/raw_record.h"
#include "recording/raw_tables.h"

typedef struct raw_text raw_text;

/* The tables say when an SM holds CTAs; they and the options outlive it. */
raw_text *raw_text_open(const char *path, const raw_tables *tables, const raw_import_options *opt, trace_err *err);
void raw_text_close(raw_text *t);
const char *raw_text_path(const raw_text *t);
uint64_t raw_text_consumed(const raw_text *t);
uint64_t raw_text_size(const raw_text *t);
/* The next record of any SM, each SM's in the order of its cycles; r->states holds until the next call. *end: there is none. */
bool raw_text_next(raw_text *t, raw_record *r, bool *end, trace_err *err);

/* The words of that form, of a state and of enum ballast_ps_class or TRACE_NO_CLASS. */
const char *raw_text_state(unsigned state);
const char *raw_text_class(uint8_t cls);
/* What a word means; false: nothing. */
bool raw_text_find_state(const char *word, unsigned *state);
bool raw_text_find_class(const char *word, unsigned *cls);

#endif
