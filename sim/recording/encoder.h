/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns the cycles of one SM into the streams of one frame; private to sim/recording. Knows
 * nothing of files, launches or contracts: that is writer.c.
 */
#ifndef BALLAST_TRACE_ENCODER_H
#define BALLAST_TRACE_ENCODER_H

#include "recording/format.h"

typedef struct encoder {
    frame_snapshot before; /* before the frame's first cycle */
    frame_snapshot now;    /* after its last one             */
    uint32_t cycles;
    uint32_t run;          /* unchanged cycles not yet in ops */
    uint32_t class_run;
    uint8_t class_value;
    bool any_class;
    bytes stream[STREAMS];
} encoder;

/* Forgets the frame's streams; its snapshot becomes that of the next frame. */
void encoder_begin(encoder *e);
void encoder_cycle(encoder *e, const sm_obs *obs, unsigned warps, unsigned cls);
/* Puts what is pending into the streams and the lengths into *sizes. */
void encoder_finish(encoder *e, uint32_t raw[STREAMS]);
bool encoder_failed(const encoder *e); /* out of memory */
void encoder_free(encoder *e);

#endif
