/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/run_cells.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_COUNTS = 6, LEVEL_COUNTS = OPERATIONS + 3 };

enum kind { BOOL, U8, UNSIGNED, U64, REAL };

static const uint8_t size_of[] = {[BOOL] = sizeof(bool), [U8] = sizeof(uint8_t), [UNSIGNED] = sizeof(unsigned), [U64] = sizeof(uint64_t), [REAL] = sizeof(double)};

/* `num` values, `step` bytes from each other. */
static const struct cell {
    const char *name;
    size_t offset, step;
    uint16_t num;
    uint8_t kind;
} cells[] = {
#define MANY(name, kind, member, num, step) {name, offsetof(run_result, member), step, num, kind}
#define ONE(kind, member) MANY(#member, kind, member, 1, 0)
#define COUNT(member, num) MANY(#member, U64, counts.member, num, sizeof(uint64_t))
#define KERNEL(kind, member) MANY("kernel_" #member, kind, kernels[0].member, PROGRAM_KERNELS, sizeof(sim_kernel_counts))
    ONE(BOOL, finished), ONE(BOOL, done), ONE(REAL, seconds), ONE(REAL, ipc), ONE(UNSIGNED, nmax), ONE(UNSIGNED, limit), ONE(REAL, mean_limit),
    ONE(REAL, mean_resident), ONE(U64, settled), ONE(U64, left_out), MANY("classes", REAL, classes, 4, sizeof(double)), MANY("limits", U8, limits, MACHINE_MAX_SMS, 1),
    MANY("decided", BOOL, decided, MACHINE_MAX_SMS, sizeof(bool)),
    COUNT(cycles, 1), COUNT(ticks, 1), COUNT(sm_ticks, 3), COUNT(mem_ticks, 3), COUNT(instructions, 1), COUNT(ctas, 1), COUNT(l1_hits, 1),
    COUNT(l1_misses, 1), COUNT(operations, OPERATIONS), COUNT(memory, MEMORY_COUNTS), COUNT(at_level, 3 * LEVEL_COUNTS),
    KERNEL(U64, first), KERNEL(U64, cycles), KERNEL(U64, instructions), KERNEL(U64, ctas), KERNEL(BOOL, finished),
};

_Static_assert(sizeof cells / sizeof cells[0] == RUN_CELLS, "as the header says");
_Static_assert(sizeof(memory_counts) == MEMORY_COUNTS * sizeof(uint64_t) && sizeof(sim_level_counts) == LEVEL_COUNTS * sizeof(uint64_t) &&
               sizeof(sim_counts) == (12 + OPERATIONS + MEMORY_COUNTS + 3 * LEVEL_COUNTS) * sizeof(uint64_t), "no count is left out");

const char *run_cell_name(unsigned cell)
{
    return cell < RUN_CELLS ? cells[cell].name : NULL;
}

static bool is_zero(const unsigned char *value, size_t size)
{
    while (size && !value[size - 1])
        size--;
    return size == 0;
}

/* Only memcpy: what stands at an offset has no type. */
static void put_value(FILE *f, enum kind kind, const unsigned char *from)
{
    uint64_t whole = 0; /* of a machine whose lowest byte comes first, as all are on which Ballast runs */
    double real;

    if (kind == REAL) {
        memcpy(&real, from, sizeof real);
        fprintf(f, "%.17g", real);
    } else {
        memcpy(&whole, from, size_of[kind]);
        fprintf(f, "%" PRIu64, whole);
    }
}

void run_cell_put(FILE *f, const run_result *result, unsigned cell)
{
    const struct cell *c = &cells[cell];
    const unsigned char *first = (const unsigned char *)result + c->offset;
    unsigned num = c->num;

    while (num > 1 && is_zero(first + (num - 1) * c->step, size_of[c->kind]))
        num--;
    for (unsigned i = 0; i < num; i++) {
        if (i)
            fputc(' ', f);
        put_value(f, c->kind, first + i * c->step);
    }
}

static bool take_value(enum kind kind, unsigned char *to, const char **text)
{
    static const uint64_t most[] = {[BOOL] = 1, [U8] = UINT8_MAX, [UNSIGNED] = UINT_MAX, [U64] = UINT64_MAX};
    uint64_t whole = 0;
    double real = 0;
    char *end;

    errno = 0;
    if (kind == REAL)
        real = strtod(*text, &end);
    else
        whole = strtoull(*text, &end, 10);
    if (end == *text || errno == ERANGE || (kind != REAL && whole > most[kind]))
        return false;
    memcpy(to, kind == REAL ? (const void *)&real : (const void *)&whole, size_of[kind]);
    *text = end;
    return true;
}

bool run_cell_take(run_result *result, unsigned cell, const char *text)
{
    const struct cell *c = &cells[cell];
    unsigned char *first = (unsigned char *)result + c->offset;

    for (unsigned i = 0; i < c->num; i++) {
        if (!take_value(c->kind, first + i * c->step, &text))
            return false;
        if (!*text)
            return true;
        if (*text++ != ' ')
            return false;
    }
    return false;
}
