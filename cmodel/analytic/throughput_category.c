/* SPDX-License-Identifier: Apache-2.0
 *
 * What Figures 114 and 115 say about the ten categories (TP-11).
 */
#include "analytic/throughput.h"

#define LARGER_BANDWIDTH "a device with larger bandwidth, fewer active cores or less data per thread"
#define N_HELPS_LITTLE "more warps do not help much"

typedef struct category {
    const char *name, *suggestion;
    unsigned bits, rank;
} category;

static const category categories[] = {
    {"no such category", "no such category", 0, 0},
    {"too few warps; bandwidth and the memory's internal cycles both fall short",
     "reduce the core frequency; otherwise only compiler optimization; " N_HELPS_LITTLE,
     THROUGHPUT_DO_REDUCE_FREQ | THROUGHPUT_DO_COMPILER, 0},
    {"too few warps; the memory's internal cycles fall short, bandwidth is enough",
     "reduce the core frequency; improve the memory type; fewer cores do not help, " N_HELPS_LITTLE,
     THROUGHPUT_DO_REDUCE_FREQ | THROUGHPUT_DO_MEMORY_TYPE, 0},
    {"too few warps; bandwidth falls short",
     LARGER_BANDWIDTH "; " N_HELPS_LITTLE, THROUGHPUT_DO_REDUCE_BANDWIDTH, 0},
    {"too few warps; bandwidth is nearly enough (fourth best)",
     LARGER_BANDWIDTH "; " N_HELPS_LITTLE, THROUGHPUT_DO_REDUCE_BANDWIDTH, 4},
    {"too few warps; the memory is not saturated (third best)",
     "more warps per core; reduce the core frequency",
     THROUGHPUT_DO_INCREASE_N | THROUGHPUT_DO_REDUCE_FREQ, 3},
    {"enough warps; bandwidth and the memory's internal cycles both fall short",
     "possibly fewer warps per core, to relieve registers, fetch, decode and scheduler",
     THROUGHPUT_DO_REDUCE_N, 0},
    {"enough warps; the memory's internal cycles fall short, bandwidth is enough",
     "nothing in particular: computations are enough, the memory may still add idle cycles", 0, 0},
    {"enough warps; bandwidth falls short", LARGER_BANDWIDTH, THROUGHPUT_DO_REDUCE_BANDWIDTH, 0},
    {"enough warps; bandwidth is nearly enough (second best)",
     "compiler optimization", THROUGHPUT_DO_COMPILER, 2},
    {"enough warps; the memory is not saturated (best)",
     "compiler optimization", THROUGHPUT_DO_COMPILER, 1},
};

static const category *row(uint32_t number)
{
    return &categories[number <= THROUGHPUT_CATEGORIES ? number : 0];
}

const char *throughput_category_name(uint32_t number)
{
    return row(number)->name;
}

const char *throughput_suggestion(uint32_t number)
{
    return row(number)->suggestion;
}

unsigned throughput_suggestion_bits(uint32_t number)
{
    return row(number)->bits;
}

unsigned throughput_category_rank(uint32_t number)
{
    return row(number)->rank;
}
