/* SPDX-License-Identifier: Apache-2.0
 *
 * A waveform as the source of an import: it is read once for the tables, which have to be there first, and once for the records.
 * doc/use/import_vcd.md
 */
#ifndef BALLAST_RAW_DUMP_H
#define BALLAST_RAW_DUMP_H

#include "recording/raw_source.h"

/* Of the waveform and the map that the options name. Kernels are from ker.csv, their cycles too or from the signal kernel_start. Errors
 * are one line that names the file, and the line of a VCD. */
extern const raw_source raw_dump_source;

#endif
