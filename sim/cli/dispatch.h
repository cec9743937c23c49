/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference model of gwde beside a recorder's own CTA dispatcher: for every CTA that the recorder launched, the SM that gwde
 * chooses in the same situation. doc/use/dispatch.md says how they are kept in step.
 */
#ifndef BALLAST_DISPATCH_H
#define BALLAST_DISPATCH_H

#include "chip/gwde.h"
#include "recording/cta_list.h"

/* A launch to the SM that gwde chooses, or why it went to another. */
enum dispatch_kind {
    DISPATCH_SAME,
    DISPATCH_START, /* a kernel's first CTA: the turn begins elsewhere                            */
    DISPATCH_LIMIT, /* by gwde's account the recorder's SM holds as many CTAs as its limit allows  */
    DISPATCH_ROOM,  /* by gwde's account an entire CTA does not fit on the recorder's SM           */
    DISPATCH_MORE,  /* gwde's SM holds as many CTAs as the recorder allows; by its account one more fits */
    DISPATCH_ONCE,  /* gwde's SM has got a CTA in this very cycle                                  */
    DISPATCH_FRESH, /* gwde's SM has lost a CTA only a few cycles before                           */
    DISPATCH_ORDER, /* gwde's SM has been free for long: the recorder has another order            */
    DISPATCH_KINDS
};
enum { DISPATCH_FRESH_CYCLES = 8, DISPATCH_NOBODY = GWDE_MAX_SMS };
extern const char *const dispatch_kind_names[DISPATCH_KINDS];

/* Of one launch of a kernel, or of many. */
typedef struct dispatch_counts {
    uint64_t ctas;                 /* that the recorder launched                                   */
    uint64_t kind[DISPATCH_KINDS]; /* of these                                                     */
    uint64_t other_slot;           /* the same SM, but another slot                                */
    uint64_t other_cta;            /* the recorder's number of the CTA is not gwde's               */
    uint64_t absent;               /* CTAs of the grid that the list does not launch: it was cut short */
    uint64_t late, latest;         /* launched later by a dispatcher that launches one CTA a cycle, and by how many cycles at most */
} dispatch_counts;

/* One launch that differs in its SM, slot or CTA. */
typedef struct dispatch_difference {
    const cta_event *recorder;
    enum dispatch_kind kind;
    unsigned sm;   /* gwde's choice, or DISPATCH_NOBODY: it launches nothing             */
    unsigned slot; /* gwde's slot on the recorder's SM, or BALLAST_MAX_SLOTS: it has none */
    uint32_t cta;  /* gwde's number                                                      */
} dispatch_difference;

typedef void dispatch_note(void *context, const dispatch_difference *difference);

typedef struct dispatch_how {
    gwde_cfg cfg;        /* what an SM has, and the readings; num_sms is the list's                        */
    unsigned free_after; /* cycles from an exit to a launch that may use its room; below 2: the list's order */
} dispatch_how;

/* counts: one element per launch of the list. note may be NULL. False with a line: the list is in itself wrong. `path` names it. */
bool dispatch_compare(const cta_list *list, const dispatch_how *how, const char *path, dispatch_counts *counts, dispatch_note *note,
                      void *context, trace_err *err);
void dispatch_add(dispatch_counts *to, const dispatch_counts *counts);

/* The dispatcher of a chip of such SMs, in the units of the hardware; all else by default. */
gwde_cfg dispatch_gwde(const raw_resources *have, const trace_geometry *geometry);
/* The list of a recording: a folder with tables, or a trace with all SMs. False: *status is EXIT_PASS for a trace that was left out,
 * else it is a mistake; a line on stderr says it in both cases. Free the list also then. */
bool dispatch_read(cta_list *list, const raw_import_options *import, const char *path, const char *name, int *status);

#endif
