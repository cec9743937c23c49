/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of a block for programs that run it: block_rules from properties.h and history.h. Compiled once per block with
 * -DBLOCK_PORTS='"blocks/<block>/ports.h"'.
 */
#include <stddef.h>

#include BLOCK_PORTS
#include "shim/ports.h"

#include "rules/block_rules.h"
#include "rules/rules.h"

#if __has_include(TEXT(blocks/BLOCK_NAME/passed.h))
enum { OF_PARTS = 1 };
#else
enum { OF_PARTS = 0 };
#endif

static const char *const names[] = {
    RULE_NAMES
#if RULES_HISTORY
    RULE_COUPLED,
#endif
    NULL};

static void reset(void *history, const void *cfg)
{
    memset(history, 0, sizeof(history_words));
    rules_reset(history, cfg);
}

static uint64_t cycle(void *history, const void *cfg, const void *before, const void *in, const void *out, const void *after)
{
    const history_words was = *(const history_words *)history;
    const rules_view v = {&was.value, before, after, in, out, cfg};

    rules_remember(history, &v);
    return rules_broken(&v, ~0u, rules_coupled(history, after, cfg));
}

const block_rules PASTE(BLOCK_NAME, _rules) = {
    .block_name = TEXT(BLOCK_NAME),
    .names = names,
    .history_size = sizeof(history_words),
    .of_parts = OF_PARTS,
    .reset = reset,
    .cycle = cycle,
};
