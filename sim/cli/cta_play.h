/* SPDX-License-Identifier: Apache-2.0
 *
 * Which CTA runs where and when (recording/cta_spans.h): as a recorder's own dispatcher had it, and as the reference models of the
 * CTA dispatchers have it when they run free, with every SM asking all the time. There a CTA takes as long as in the
 * recording, whatever runs beside it: the models say where and when a CTA begins, not how fast it is. doc/use/dispatch.md
 */
#ifndef BALLAST_CTA_PLAY_H
#define BALLAST_CTA_PLAY_H

#include "chip/gwde.h"
#include "chip/mcke.h"
#include "recording/cta_spans.h"

/* The dispatcher of several kernels by default, on a chip of such SMs. */
mcke_cfg cta_mcke(const raw_resources *have, const trace_geometry *geometry);

enum { CTA_PLAY_MOST = 2 }; /* recordings that run at once */

typedef struct cta_source {
    const cta_list *list;
    const char *name; /* its kernels are called NAME, or NAME 1, NAME 2 if there are several */
    const char *path; /* for what is said of it */
} cta_source;

/* As recorded. CTAs without a number are counted in the order of their launches. What has not ended at the list's end ends
 * there. The pairs are those that gwde would make. All three: sorted; false with a line in err, and nothing to be freed. */
bool cta_play_recorded(cta_spans *to, const cta_source *from, const bcs_cfg *pairs, trace_err *err);
/* gwde; `pairs`: with the setting bcs. A kernel starts when it did in the recording, or when the one before it has ended. */
bool cta_play_alone(cta_spans *to, const cta_source *from, const gwde_cfg *cfg, bool pairs, trace_err *err);
/* mcke; the kernels of each recording follow each other, and have its name. quota: CTAs of a kernel per SM, of each recording. */
bool cta_play_mixed(cta_spans *to, const cta_source *from, const mcke_cfg *cfg, enum mcke_mode mode, const unsigned *quota, trace_err *err);

#endif
