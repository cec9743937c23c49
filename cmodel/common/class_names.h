/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the observation bus' codes, for logs and waveforms.
 */
#ifndef BALLAST_CLASS_NAMES_H
#define BALLAST_CLASS_NAMES_H

#ifdef __cplusplus
extern "C" {
#endif

static const char *const ballast_ps_class_names[] = {"IDLE", "SCOREBOARD", "PIPELINE", "ACTIVE"};
static const char *const ballast_lcs_class_names[] = {"IDLE", "MEM_STALL", "CORE_STALL", "ACTIVE"};

#ifdef __cplusplus
}
#endif
#endif
