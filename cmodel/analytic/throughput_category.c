/* SPDX-License-Identifier: Apache-2.0
 *
 * What Figures 114 and 115 say about the ten categories (TP-11).
 */
#include "analytic/throughput.h"

#define LARGER_BANDWIDTH "a device with larger bandwidth, fewer active cores or less data per thread"
#define N_HELPS_LITTLE "more warps do not help much"

static const struct {
    const char *name, *suggestion;
} categories[] = {
    {"no such category", "no such category"},
    {"too few warps; bandwidth and the memory's internal cycles both fall short",
     "reduce the core frequency; otherwise only compiler optimization; " N_HELPS_LITTLE},
    {"too few warps; the memory's internal cycles fall short, bandwidth is enough",
     "reduce the core frequency; improve the memory type; fewer cores do not help, " N_HELPS_LITTLE},
    {"too few warps; bandwidth falls short", LARGER_BANDWIDTH "; " N_HELPS_LITTLE},
    {"too few warps; bandwidth is nearly enough (fourth best)", LARGER_BANDWIDTH "; " N_HELPS_LITTLE},
    {"too few warps; the memory is not saturated (third best)",
     "more warps per core; reduce the core frequency"},
    {"enough warps; bandwidth and the memory's internal cycles both fall short",
     "possibly fewer warps per core, to relieve registers, fetch, decode and scheduler"},
    {"enough warps; the memory's internal cycles fall short, bandwidth is enough",
     "nothing in particular: computations are enough, the memory may still add idle cycles"},
    {"enough warps; bandwidth falls short", LARGER_BANDWIDTH},
    {"enough warps; bandwidth is nearly enough (second best)", "compiler optimization"},
    {"enough warps; the memory is not saturated (best)", "compiler optimization"},
};

const char *throughput_category_name(uint32_t number)
{
    return categories[number <= THROUGHPUT_CATEGORIES ? number : 0].name;
}

const char *throughput_suggestion(uint32_t number)
{
    return categories[number <= THROUGHPUT_CATEGORIES ? number : 0].suggestion;
}
