/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of bcs' RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define BLOCK_PROPERTIES(P)                                                                                              \
    P(EVERY, "BCS-1", "the next CTA is one thing, with pairs; without, none",                                            \
      out->first + out->second + out->alone == out->on)                                                                  \
    P(EVERY, "BCS-1", "what opens a pair is followed by a second one, and nothing else is",                              \
      !before->on || !in->take || in->start ||                                                                           \
          (out->first && !in->alone) == (after->on && after->odd && !after->split))                                      \
    P(EVERY, "BCS-2", "only the start of a kernel turns pairs on or off", after->on == (in->start ? in->pairs : before->on)) \
    P(STATE, "BCS-A1", "over the whole grid rows are not counted",                                                       \
      cfg->pair_row_wrap == BCS_PER_ROW || (after->row == 0 && after->width == 0))                                       \
    P(STEP, "BCS-1", "only a CTA that is taken or a kernel that starts moves the place in the grid",                     \
      in->start || (in->take && before->on) ||                                                                           \
          (after->odd == before->odd && after->split == before->split && after->row == before->row &&                    \
           after->width == before->width))
