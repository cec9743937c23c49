/* SPDX-License-Identifier: Apache-2.0
 *
 * When and where the CTAs of a recording were launched and when they left, on all SMs of the chip, in the order in which it
 * happened: from the tables of a raw recording, which have every SM, or from a trace that has.
 */
#ifndef BALLAST_CTA_LIST_H
#define BALLAST_CTA_LIST_H

#include "recording/raw_import.h"

#define CTA_UNKNOWN UINT32_MAX

typedef struct cta_event {
    uint64_t cycle;
    uint32_t cta;    /* which CTA of the grid is launched, CTA_UNKNOWN: nobody noted it */
    uint16_t launch; /* of which kernel; only of a launch                               */
    uint16_t sm;
    uint8_t slot;
    bool done;       /* else: launched                                                  */
} cta_event;

typedef struct cta_list {
    trace_geometry geometry;
    uint8_t config_limit; /* configured CTAs per SM, 0: none */
    trace_launch *launches;
    unsigned num_launches;
    cta_event *events;
    size_t num_events, cap_events;
} cta_list;

/* ker.csv and cta.csv of opt->dir. The order within a cycle is that of the file. */
bool cta_list_of_tables(cta_list *list, const raw_import_options *opt, trace_err *err);
/* All SMs of the chip are in the trace. It does not say in which order things happened within a cycle: launches go in turn, from the
 * SM behind the last one; exits come after them, but before them in a recording that fills a slot in the cycle in which it
 * is left. */
bool cta_list_of_trace(cta_list *list, trace_reader *r, const char *path, trace_err *err);
/* Also after a failure. */
void cta_list_free(cta_list *list);

#endif
