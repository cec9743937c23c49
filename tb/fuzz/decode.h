/* SPDX-License-Identifier: Apache-2.0
 *
 * From a fuzzing input's bytes to the values of fields, cycle by cycle. The code is made for mutation: any bytes mean
 * something, a small change of the bytes is a small change of the run, and a few bytes last for thousands of cycles. The
 * records:
 *
 *   HEAD CHANGE...       HEAD bits 1:0: how many changes (0..3); bits 7:2: for how many cycles the values then hold
 *                        (0..43: one more than that; 44..59: 32, 48, 64, 96 .. 6144; 60, 61: as 0, 1)
 *   HEAD 62 BACK COUNT   the records in the BACK bytes before it again, COUNT (0..31) times
 *   HEAD 63              a reset in the middle of the run
 *
 *   CHANGE: FIELD HOW [bytes of the value]
 *     FIELD bits 6:0, modulo the number of fields; bit 7: for one cycle only
 *     HOW bits 2:0, with h = bits 7:3: 0 the value follows, 1 flip a bit, 2 zero, 3 ones, 4 add 1 + h,
 *     5 another random value in every cycle (h: how dense), 6 so many ones from the bottom, 7 the value is h
 */
#ifndef BALLAST_FUZZ_DECODE_H
#define BALLAST_FUZZ_DECODE_H

#include "fuzz/fields.h"

enum { FUZZ_MAX_CHANGES = 3 };

enum fuzz_how { FUZZ_VALUE, FUZZ_FLIP, FUZZ_ZERO, FUZZ_ONES, FUZZ_ADD, FUZZ_NOISE, FUZZ_LOW_ONES, FUZZ_SMALL };

typedef struct fuzz_change {
    unsigned field;
    bool pulse;
    enum fuzz_how how;
    unsigned amount; /* h */
    uint64_t value;  /* FUZZ_VALUE */
} fuzz_change;

typedef struct fuzz_record {
    bool reset;
    uint32_t cycles;
    unsigned num_changes;
    fuzz_change change[FUZZ_MAX_CHANGES];
} fuzz_record;

typedef struct fuzz_bytes {
    const uint8_t *p;
    size_t n, at;
    size_t loop_at; /* of the HEAD of the repetition in progress, 0: none */
    unsigned loop_left;
} fuzz_bytes;

/* False at the end. A repetition is a record without cycles. */
bool fuzz_decode(fuzz_bytes *bytes, const fuzz_fields *fields, fuzz_record *record);
/* What the change makes of `value` (FUZZ_NOISE: as it is), within the contract. */
uint64_t fuzz_changed(const fuzz_change *change, const fuzz_field *field, uint64_t value);

#endif
