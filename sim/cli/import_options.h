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

#define IMPORT_FORMAT_ROW \
    {"format", 0, "1|2", "Version of the per-cycle records (default: 1, if it has room for the geometry)", \
     NUMBER(import_command, how.format, 1, 2)}

#define IMPORT_MACHINE_ROWS \
    {.doc = "Geometry:"}, \
    {"machine", 0, "NAME", "Geometry and resources of a chip of rtl/configs; options behind it win", .take = import_take_machine}, \
    {"warps", 0, "N", "Warp slots per SM (48)", NUMBER(import_command, how.geometry.warps, 0, UINT16_MAX)}, \
    {"slots", 0, "N", "CTA slots per SM (8)", NUMBER(import_command, how.geometry.slots, 0, UINT16_MAX)}, \
    {"sms", 0, "N", "SMs of the chip (15)", NUMBER(import_command, how.geometry.sms, 0, UINT16_MAX)}, \
    {"issue-width", 0, "N", "Instructions per SM and cycle (2)", NUMBER(import_command, how.geometry.issue_width, 0, UINT16_MAX)}, \
    {.doc = "An SM's resources, for Nmax:"}, \
    {"threads", 0, "N", "Threads (1536)", NUMBER(import_command, how.resources.threads, 0, UINT32_MAX)}, \
    {"registers", 0, "N", "Registers (32768)", NUMBER(import_command, how.resources.registers, 0, UINT32_MAX)}, \
    {"register-unit", 0, "N", "A thread's registers are rounded up to multiples of N (4)", \
     NUMBER(import_command, how.resources.register_unit, 1, 1024)}, \
    {"warp-unit", 0, "N", "Registers suffice for a multiple of N warps of an SM (1)", \
     NUMBER(import_command, how.resources.warp_unit, 1, BALLAST_MAX_WARPS)}, \
    {"shared", 0, "BYTES", "Shared memory (49152)", NUMBER(import_command, how.resources.shared_bytes, 0, UINT32_MAX)}, \
    {"shared-unit", 0, "BYTES", "A CTA's shared memory is rounded up to multiples of it (1)", \
     NUMBER(import_command, how.resources.shared_unit, 1, 65536)}, \
    {"cta-slots", 0, "N", "CTAs (8)", NUMBER(import_command, how.resources.slots, 0, UINT32_MAX)}

/* A folder KERNEL.nLIMIT or KERNEL/nLIMIT, e.g. pathlong.n3: its name as KERNEL.nLIMIT, and what it says. False if it is none; the limit is then as before. */
enum { RAW_NAME = 128 };
bool raw_folder_name(const char *path, char name[RAW_NAME], char kernel[RAW_NAME], uint8_t *limit);
void import_take_machine(void *user, char *name, const struct argp_state *state);
/* The defaults, with progress and warnings on stderr. */
void import_prepare(import_command *command);

#endif
