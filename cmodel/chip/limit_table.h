/* SPDX-License-Identifier: Apache-2.0
 *
 * limit_table: the CTA limits that a search found for kernels, as hints for their next launches (LTB-1..LTB-5). One instance per
 * chip. doc/blocks/limit_table.md has the rules; rtl/chip/limit_table.sv is the twin.
 */
#ifndef BALLAST_LIMIT_TABLE_H
#define BALLAST_LIMIT_TABLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIMIT_TABLE_MAX_ENTRIES 16

typedef struct limit_table_cfg {
    uint32_t num_slots; /* CTA slots of an SM, 2..32, default 8                        */
    uint32_t entries;   /* kernels that are remembered, 1..16, default 4               */
    uint32_t id_w;      /* bits of a kernel's id, 1..16, default 8                     */
} limit_table_cfg;

typedef struct limit_table_in {
    uint16_t kernel_id;   /* of the kernel that starts; 0: it has none                 */
    uint8_t enable;       /* 0: hold everything                                        */
    uint8_t kernel_start; /* a kernel starts in this cycle, kernel_id and nmax hold    */
    uint8_t nmax;         /* its resource limit                                        */
    uint8_t limit;        /* the search's limit                                        */
    uint8_t done;         /* the search is over                                        */
} limit_table_in;

typedef struct limit_table_out {
    uint8_t hint; /* the remembered limit of the kernel that starts; 0: none           */
} limit_table_out;

/* Only the first `entries` elements exist. An empty one is all 0. */
typedef struct limit_table_state {
    uint16_t entry_id[LIMIT_TABLE_MAX_ENTRIES];
    uint8_t entry_nmax[LIMIT_TABLE_MAX_ENTRIES];
    uint8_t entry_limit[LIMIT_TABLE_MAX_ENTRIES];
    uint16_t own;     /* a bit per entry: that of the kernel that runs                 */
    uint16_t id;      /* of the kernel that runs; 0: it has none                       */
    uint8_t nmax;     /* its resource limit                                            */
    uint8_t next;     /* the entry for the next new kernel                             */
    uint8_t done_was; /* `done` of the last cycle of this kernel                       */
} limit_table_state;

limit_table_cfg limit_table_cfg_default(void);
/* What software sets when nobody does: the table is enabled. */
limit_table_in limit_table_in_default(void);
void limit_table_reset(limit_table_state *state, const limit_table_cfg *cfg);
/* The hint of a cycle, before its limit and done are known. */
void limit_table_look(const limit_table_state *state, const limit_table_cfg *cfg, const limit_table_in *in, limit_table_out *out);
/* Outputs for this cycle, then one rising edge. */
void limit_table_step(limit_table_state *state, const limit_table_cfg *cfg, const limit_table_in *in, limit_table_out *out);

#ifdef __cplusplus
}
#endif
#endif
