/* SPDX-License-Identifier: Apache-2.0
 *
 * A waveform's file, VCD (packed with xz or not) or FST, read as a stream of time stamps with the values that change at them; private to
 * sim/recording. Only signals that somebody wants have their values kept.
 *
 * Functions that can fail take a trace_err: one line that says what is wrong, where (line of the VCD) and what to do.
 */
#ifndef BALLAST_VCD_H
#define BALLAST_VCD_H

#include "recording/trace.h"

typedef struct vcd vcd;

enum { VCD_MAX_WIDTH = 1 << 20, VCD_NONE = -1 };

/* A name of the file. Several names may be one variable. */
typedef struct vcd_name {
    char *name;         /* with its scopes: "tb.sm0.state"; without its range of bits */
    unsigned variable;  /* whose value it has */
    uint32_t width;     /* bits: 1 to VCD_MAX_WIDTH */
    int64_t left, right; /* numbers of its most and least significant bit as declared; width - 1 and 0 if the file does not say */
    bool is_bits;       /* false: a real number or a text */
} vcd_name;

/* Reads the declarations. */
vcd *vcd_open(const char *path, trace_err *err);
void vcd_close(vcd *v);
const char *vcd_path(const vcd *v);
uint64_t vcd_consumed(const vcd *v); /* bytes of the file; both are 0 for FST */
uint64_t vcd_size(const vcd *v);
unsigned long vcd_line(const vcd *v); /* of this time stamp; 0 for FST, which has no lines */

const vcd_name *vcd_find(const vcd *v, const char *name); /* NULL: there is none */
/* `index` is that of a variable. Keeps its values from now on; false: out of memory. */
bool vcd_want(vcd *v, unsigned index);

/* Reads all changes at the next time stamp, and does not apply them yet. *end: there is no further time stamp. */
bool vcd_next(vcd *v, bool *end, trace_err *err);
uint64_t vcd_time(const vcd *v);
/* Bits, most significant first, 0, 1, x or z: before the changes of this time stamp, and behind them. x before the first value. */
const char *vcd_before(const vcd *v, unsigned index);
const char *vcd_behind(const vcd *v, unsigned index);
/* How often its value was applied anew. */
uint64_t vcd_changes(const vcd *v, unsigned index);
/* Applies the changes. */
void vcd_apply(vcd *v);

#endif
