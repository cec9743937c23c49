/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that change something or are refused, sticky bits, and the interrupt, as records (doc/use/decision_log.md).
 */
#ifndef BALLAST_BALLAST_REGS_DECISIONS_H
#define BALLAST_BALLAST_REGS_DECISIONS_H

#include <inttypes.h>

#include "blocks/ballast_regs/bind.h"
#include "engine/decision.h"

static inline void ballast_regs_record_write(decisions *list, const ballast_regs_in *in)
{
    decision *d = decision_new(list, "ballast_regs", "REG-3", "write");

    decision_input(d, "address", in->paddr);
    decision_input(d, "value", in->pwdata);
    decision_words(d, "0x%03x <- %" PRIu32, in->paddr, in->pwdata);
}

static inline void ballast_regs_record_refusal(decisions *list, const ballast_regs_in *in)
{
    decision *d = decision_new(list, "ballast_regs", "REG-2", "refused");

    decision_input(d, "address", in->paddr);
    if (in->pwrite)
        decision_input(d, "value", in->pwdata);
    decision_input_state(d, "access", in->pwrite ? "write" : "read");
    decision_words(d, "a %s of 0x%03x is refused", in->pwrite ? "write" : "read", in->paddr);
}

static inline void ballast_regs_record_pending(decisions *list, unsigned before, unsigned after)
{
    static const char *const names[] = {"REFUSED", "TOO_BIG", "IN_USE", "NO_CTA", "LIMIT",
                                        "KERNEL_END 0", "KERNEL_END 1", "KERNEL_END 2", "KERNEL_END 3"};
    decision *d = decision_new(list, "ballast_regs", "REG-6", "pending");
    const char *between = "";

    decision_change(d, "pending", before, after);
    decision_words(d, "pending: ");
    for (unsigned bit = 0; bit < sizeof names / sizeof *names; bit++)
        if ((after & ~before) >> bit & 1) {
            decision_words(d, "%s%s", between, names[bit]);
            between = ", ";
        }
}

static inline void ballast_regs_record_irq(decisions *list, bool before, bool after)
{
    decision *d = decision_new(list, "ballast_regs", "REG-7", "interrupt");

    decision_change(d, "irq", before, after);
    decision_words(d, "the interrupt %s", after ? "rises" : "falls");
}

static inline void ballast_regs_describe(decisions *list, unsigned *count, const ballast_regs_cfg *cfg, const ballast_regs_state *before,
                                         const ballast_regs_in *in, const ballast_regs_out *out, const ballast_regs_state *after)
{
    (void)count, (void)cfg;
    if (ballast_regs_writes(in, out))
        ballast_regs_record_write(list, in);
    if (out->pslverr)
        ballast_regs_record_refusal(list, in);
    if (after->pending & ~before->pending)
        ballast_regs_record_pending(list, before->pending, after->pending);
    if (ballast_regs_irq(before) != ballast_regs_irq(after))
        ballast_regs_record_irq(list, ballast_regs_irq(before), ballast_regs_irq(after));
}

#endif
