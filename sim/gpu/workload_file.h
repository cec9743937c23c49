/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the activity simulator as text files (sim/gpu/workloads/.../NAME.workload), with what a paper
 * has published about them. doc/use/workloads.md lists the keys.
 */
#ifndef BALLAST_WORKLOAD_FILE_H
#define BALLAST_WORKLOAD_FILE_H

#include "gpu/workload.h"

/* How the papers call their kernels: the types of Perf-Sat (PS-E3), of the LCS paper, of Equalizer. */
enum published_type {
    TYPE_UNKNOWN,
    TYPE_C_STRONG, TYPE_C_WEAK, TYPE_MEM,
    TYPE_I, TYPE_II, TYPE_III, TYPE_IV,
    TYPE_COMPUTE, TYPE_MEMORY, TYPE_CACHE, TYPE_UNSATURATED,
    PUBLISHED_TYPES
};

/* The machines that papers have published numbers for: names of machine_find. */
enum { TARGET_MACHINES = 3, TARGET_TEXT = 64 };
extern const char *const target_machines[TARGET_MACHINES];

/* Published for one machine. */
typedef struct published {
    enum published_type type;
    uint32_t max, opt; /* CTAs of an SM: as many as fit, and how many are enough; 0: not printed */
} published;

/* All zero: the file has no such group. */
typedef struct workload_target {
    char paper[TARGET_TEXT], table[TARGET_TEXT], kernel[TARGET_TEXT]; /* where, and its name there        */
    published on[TARGET_MACHINES];
    uint32_t ctas;               /* of the grid, as printed; 0: not printed                               */
    uint32_t register_bytes;     /* of a CTA, as printed                                                  */
    uint32_t w_cta;              /* warps of a CTA, as printed (Equalizer)                                */
    double fraction;             /* of the application's time (Equalizer)                                 */
    uint32_t t_new;              /* CTAs that LCS was seen to choose                                      */
} workload_target;

enum { WORKLOAD_FILE_ERR = 512 };

/* A workload that some machine could run; `target` may be NULL. False with one line "FILE:LINE: ..." in
 * err (WORKLOAD_FILE_ERR bytes); then nothing was written to *w and *target. */
bool workload_file_read(workload *w, workload_target *target, const char *path, char *err);

/* As the papers write them; "" for TYPE_UNKNOWN. */
const char *published_type_name(enum published_type type);

typedef struct workload_setting {
    const char *key;
    char value[32];
} workload_setting;

/* Sets keys of the file to other values and leaves the rest of its text, comments as well, as it is; a
 * key that it does not have is added at its end. The file changes at once or not at all. */
bool workload_file_set(const char *path, const workload_setting *settings, unsigned num, char *err);

#endif
