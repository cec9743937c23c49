/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that the importing commands share: rows of a command that begins with an import_command.
 */
#ifndef BALLAST_IMPORT_OPTIONS_H
#define BALLAST_IMPORT_OPTIONS_H

#include "cli/options.h"
#include "recording/raw_import.h"

typedef struct import_command {
    raw_import_options how;
    uint8_t sms[TRACE_MAX_SMS];
} import_command;

#define IMPORT_GAP_ROW \
    {"max-gap", 0, "N", "Longest stretch of cycles in which an SM has no record (16777216)", \
     NUMBER(import_command, how.max_gap, 0, UINT32_MAX)}

#define IMPORT_MACHINE_ROWS \
    {.doc = "Geometry:"}, \
    {"warps", 0, "N", "Warp slots per SM (48)", NUMBER(import_command, how.geometry.warps, 0, UINT16_MAX)}, \
    {"slots", 0, "N", "CTA slots per SM (8)", NUMBER(import_command, how.geometry.slots, 0, UINT16_MAX)}, \
    {"sms", 0, "N", "SMs of the chip (15)", NUMBER(import_command, how.geometry.sms, 0, UINT16_MAX)}, \
    {"issue-width", 0, "N", "Instructions per SM and cycle (2)", NUMBER(import_command, how.geometry.issue_width, 0, UINT16_MAX)}, \
    {.doc = "An SM's resources, for Nmax:"}, \
    {"threads", 0, "N", "Threads (1536)", NUMBER(import_command, how.resources.threads, 0, UINT32_MAX)}, \
    {"registers", 0, "N", "Registers (32768)", NUMBER(import_command, how.resources.registers, 0, UINT32_MAX)}, \
    {"register-unit", 0, "N", "A thread's registers are rounded up to multiples of N (4)", \
     NUMBER(import_command, how.resources.register_unit, 1, 1024)}, \
    {"shared", 0, "BYTES", "Shared memory (49152)", NUMBER(import_command, how.resources.shared_bytes, 0, UINT32_MAX)}, \
    {"cta-slots", 0, "N", "CTAs (8)", NUMBER(import_command, how.resources.slots, 0, UINT32_MAX)}

/* A folder KERNEL.nLIMIT, e.g. pathlong.n3: its name, and what it says. False if it is none; the limit is then as before. */
enum { RAW_NAME = 128 };
bool raw_folder_name(const char *path, char name[RAW_NAME], char kernel[RAW_NAME], uint8_t *limit);
/* The defaults, with progress and warnings on stderr. */
void import_prepare(import_command *command);

#endif
