/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of any block, compiled once per block (rules/glue.c), for programs that run blocks.
 */
#ifndef BALLAST_BLOCK_RULES_H
#define BALLAST_BLOCK_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct block_rules {
    const char *block_name;
    const char *const *names; /* of bit 1 and up: "OF\tRULE\tTEXT"; NULL-terminated */
    size_t history_size;
    bool of_parts; /* they say what becomes of every register of the block's parts (passed.h) */
    void (*reset)(void *history, const void *cfg);
    /* What a cycle breaks, a bit per rule; the history then has the cycle in it. */
    uint64_t (*cycle)(void *history, const void *cfg, const void *before, const void *in, const void *out, const void *after);
} block_rules;

/* Of every block of this build. NULL-terminated. */
extern const block_rules *const rules_registry[];

#endif
