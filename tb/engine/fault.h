/* SPDX-License-Identifier: Apache-2.0
 *
 * A single-bit fault, to prove that the engine can fail: "rtl:perfsat.limit_q[2]@1234" flips
 * bit 2 of register limit_q in the RTL after rising edge 1234 (counted from 0). `model:` flips
 * the C side. An output (`limit_o`) is flipped as it is sampled in that cycle.
 */
#ifndef BALLAST_FAULT_H
#define BALLAST_FAULT_H

#include "engine/block.h"

typedef struct fault {
    bool in_rtl;
    char block[64];
    char port[PORT_NAME + 4]; /* full name: limit_q, sm[3].perfsat.state_q, limit_o */
    unsigned bit;
    uint64_t index;
} fault;

/* false: `text` is not such a description. */
bool fault_parse(fault *f, const char *text);
enum port_kind fault_kind(const fault *f); /* a register or an output */
void fault_print(const fault *f, char *text, size_t size);

#endif
