/* SPDX-License-Identifier: Apache-2.0
 *
 * Who counts CTAs counts them by parts of an SM's slots: a sum of 32 bits would be the longest path of the RTL.
 */
#ifndef BALLAST_SLOT_PARTS_H
#define BALLAST_SLOT_PARTS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BALLAST_PART_SLOTS = 11, BALLAST_MAX_SLOT_PARTS = 3 };

/* Parts of 1 to 32 slots. */
static inline unsigned ballast_slot_parts(unsigned num_slots)
{
    return (num_slots + BALLAST_PART_SLOTS - 1) / BALLAST_PART_SLOTS;
}

/* Slots of each part but the last, which may have fewer. */
static inline unsigned ballast_part_slots(unsigned num_slots)
{
    const unsigned parts = ballast_slot_parts(num_slots);

    return (num_slots + parts - 1) / parts;
}

#ifdef __cplusplus
}
#endif
#endif
