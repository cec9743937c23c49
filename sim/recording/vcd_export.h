/* SPDX-License-Identifier: Apache-2.0
 *
 * A recording as a value change dump: the observation bus of every recorded SM, for any waveform viewer. One cycle is 1 ns.
 */
#ifndef BALLAST_VCD_EXPORT_H
#define BALLAST_VCD_EXPORT_H

#include <stdio.h>

#include "recording/walk.h"

/* ker: gets ker.csv, the launches, which an import needs beside it; NULL: not wanted. False with one line: the recording is damaged. Whether all was written is for the caller to ask the file. */
bool vcd_export(const char *path, FILE *to, FILE *ker, const trace_walk_options *options, trace_err *err);

#endif
