/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of the text form of per-cycle records: warps.csv, a line for each change of a warp's state, which a shell script can
 * write. doc/use/import_raw.md describes it. Its records are raw_text_source (recording/raw_source.h).
 */
#ifndef BALLAST_RAW_TEXT_H
#define BALLAST_RAW_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* The words of that form, of a state and of enum ballast_ps_class or TRACE_NO_CLASS. */
const char *raw_text_state(unsigned state);
const char *raw_text_class(uint8_t cls);
/* What a word means; false: nothing. */
bool raw_text_find_state(const char *word, unsigned *state);
bool raw_text_find_class(const char *word, unsigned *cls);

#endif
