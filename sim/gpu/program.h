/* SPDX-License-Identifier: Apache-2.0
 *
 * What the warps of a kernel execute: a body of instructions that every warp goes through again and
 * again, made from the workload's shares and a seed; and the lines that its accesses touch.
 */
#ifndef BALLAST_PROGRAM_H
#define BALLAST_PROGRAM_H

#include "gpu/workload.h"

enum operation { OP_ALU, OP_SFU, OP_BRANCH, OP_LOAD, OP_STORE, OP_SHARED, OP_BARRIER, OPERATIONS };

enum locality { STREAM, WARP_REUSE, CTA_REUSE, NEIGHBOUR_REUSE, RANDOM, LOCALITIES };

/* Of a 2-D grid whose CTAs' rows are shorter than a line, neighbours in x use other parts of the same lines (BCS-5). So their streams
 * and the lines of a CTA are the same ones, at the same places of their programs. */
enum {
    PROGRAM_ROW = 32,     /* words of 4 bytes in a line                                                  */
    PROGRAM_BODY = 256,   /* instructions; a power of two            */
    PROGRAM_WINDOW = 64,  /* results that a warp keeps track of      */
    PROGRAM_LINES = 32,   /* most lines that one access touches      */
    PROGRAM_CODE = 16,    /* lines of its code, at most              */
    PROGRAM_OPERANDS = 3, /* most registers that one ALU instruction reads */
    PROGRAM_KERNELS = 4   /* most kernels that run at once           */
};

typedef struct instruction {
    uint8_t op;       /* enum operation                                                        */
    uint8_t locality; /* of a load; stores stream                                              */
    uint8_t uses;     /* waits for the result of the instruction so many before it; 0: of none */
    uint8_t uses_load; /* the same for the load on whose data it works                         */
    uint16_t ordinal; /* of a load of WARP_REUSE: so many of them are before it in the body    */
    uint8_t operands; /* of an ALU instruction: registers that it reads, ...                   */
    uint8_t reads[PROGRAM_OPERANDS]; /* ... their numbers                                      */
} instruction;

typedef struct program {
    const workload *workload;
    uint64_t seed;
    uint32_t kernel;      /* its number among those that run at once: each has data of its own; program_make: 0 */
    uint32_t warps;       /* of a CTA                        */
    uint32_t warp_reuses; /* loads of WARP_REUSE in the body */
    uint32_t sharers;     /* CTAs side by side in x that have the same lines (BCS-5); 0 or 1: none */
    instruction body[PROGRAM_BODY];
} program;

void program_make(program *p, const workload *w, uint64_t seed);
/* Instructions of a warp of CTA `cta`: CTAs differ by the workload's spread. */
uint32_t program_length(const program *p, uint32_t cta);
/* The lines of instruction number `at` of a warp; how many. */
unsigned program_lines(const program *p, uint32_t cta, uint32_t warp, uint32_t at, uint64_t lines[PROGRAM_LINES]);

/* The register with the result of instruction number `at`. */
static inline uint8_t program_register(uint32_t at)
{
    return (uint8_t)(at % PROGRAM_WINDOW);
}

/* The line with the code of instruction number `at`: a line of 128 bytes has 16 of them. */
static inline uint64_t program_code(const program *p, uint32_t at)
{
    const uint32_t lines = p->workload->code ? p->workload->code : PROGRAM_CODE;

    return (uint64_t)p->kernel << 60 | ((uint64_t)LOCALITIES << 56) | at / (PROGRAM_BODY / PROGRAM_CODE) % lines;
}

static inline const instruction *program_at(const program *p, uint32_t at)
{
    return &p->body[at % PROGRAM_BODY];
}

#endif
