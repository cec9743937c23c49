/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as text files (sim/kernels/.../NAME.kernel): the launch, what the analytic models want to know, what the
 * activity simulator executes, and what a paper has published. doc/use/workloads.md lists the keys.
 */
#ifndef BALLAST_KERNEL_FILE_H
#define BALLAST_KERNEL_FILE_H

#include "analytic/kernel.h"
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

typedef struct kernel_file {
    bool has_analytic, has_simulator; /* the file has the group; otherwise its member is of no use */
    analytic_kernel analytic;
    workload simulator;               /* some machine could run it */
    workload_target target;
} kernel_file;

/* Of all files that read text: room for "FILE:LINE: ...". */
enum { KERNEL_FILE_ERR = 512 };

/* False with one line in err (KERNEL_FILE_ERR bytes); then nothing was written to *file. */
bool kernel_file_read(kernel_file *file, const char *path, char *err);
/* The same for a command that needs one group: a file without it is refused. `target` may be NULL. */
bool kernel_file_analytic(analytic_kernel *kernel, const char *path, char *err);
bool kernel_file_workload(workload *w, workload_target *target, const char *path, char *err);

/* As the papers write them; "" for TYPE_UNKNOWN. */
const char *published_type_name(enum published_type type);

typedef struct workload_setting {
    const char *key;
    char value[32];
} workload_setting;

/* Sets keys of the group `simulator` to other values and leaves the rest of the file's text, comments as well, as it
 * is; a key that the group does not have is added at its end. The file changes at once or not at all. */
bool kernel_file_set(const char *path, const workload_setting *settings, unsigned num, char *err);

#endif
