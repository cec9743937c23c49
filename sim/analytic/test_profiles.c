/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiles of sim/kernels/recorded are those of the recordings: the launch, and what a warp executes.
 * Runs from the repository root.
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "analytic/predict.h"
#include "analytic/extract.h"
#include "kernels/kernel_file.h"
#include "replay/family.h"

enum { PROFILES = 10, NAME = 64, FILE_PATH = 128 };

/* A profile and the launch that it describes: "srad.launch2" is the second of srad's. */
typedef struct shipped {
    char name[NAME];
    char recording[FILE_PATH]; /* with one CTA per SM: as few as possible wait for each other */
    unsigned launch;
    analytic_kernel kernel;
} shipped;

static shipped all[PROFILES];

static void load(shipped *s, const char *path)
{
    const char *base = strrchr(path, '/') + 1;
    char err[KERNEL_FILE_ERR];
    const char *number;

    snprintf(s->name, sizeof s->name, "%.*s", (int)(strlen(base) - strlen(".kernel")), base);
    number = strstr(s->name, ".launch");
    s->launch = number ? (unsigned)strtoul(number + strlen(".launch"), NULL, 10) - 1 : 0;
    snprintf(s->recording, sizeof s->recording, "vectors/%.*s.n1.blt", (int)strcspn(s->name, "."), s->name);
    if (!kernel_file_analytic(&s->kernel, path, err))
        fail_msg("%s", err);
}

static int load_all(void **state)
{
    glob_t found;

    (void)state;
    assert_int_equal(glob("sim/kernels/recorded/*.kernel", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, PROFILES);
    for (unsigned i = 0; i < PROFILES; i++)
        load(&all[i], found.gl_pathv[i]);
    globfree(&found);
    return 0;
}

/* GPGPU-Sim's own count of what fits is in the recordings. */
TEST(the_launch_is_the_recordings_and_the_longest_of_its_kernel)
{
    static analytic_prediction p;
    analytic_gpu gpu;

    assert_true(analytic_gpu_find("fermi", &gpu));
    for (unsigned i = 0; i < PROFILES; i++) {
        const analytic_kernel *k = &all[i].kernel;
        trace_err err;
        trace_reader *r = trace_open(all[i].recording, NULL, &err);
        analytic_err why;

        if (!r)
            fail_msg("%s", err.text);
        assert_true(all[i].launch < trace_get_meta(r)->num_launches);
        const trace_launch *launch = &trace_get_meta(r)->launches[all[i].launch];
        assert_string_equal(k->name, all[i].name);
        assert_int_equal(k->blocks, launch->desc.grid_ctas);
        assert_int_equal(k->threads_per_block, launch->desc.threads_per_cta);
        assert_int_equal(k->regs_per_thread, launch->desc.regs_per_thread);
        assert_int_equal(k->shared_per_block, launch->desc.smem_per_cta);
        assert_int_equal(family_longest_launch(r, launch->name), all[i].launch);
        if (!analytic_predict(&gpu, k, NULL, &p, &why))
            fail_msg("%s: %s", all[i].name, why.text);
        assert_int_equal(p.nmax, launch->desc.nmax);
        assert_true(p.has_category);
        trace_close(r);
    }
}

static void near(const shipped *s, const char *what, double profile, double recorded, double part)
{
    if (fabs(profile - recorded) > part * recorded)
        fail_msg("%s: %s: %g in the profile, %g in the recording", s->name, what, profile, recorded);
}

TEST(the_instructions_are_the_recordings)
{
    for (unsigned i = 0; i < PROFILES; i++) {
        const analytic_kernel *k = &all[i].kernel;
        extract_counts counts;
        trace_err err;

        if (!extract_launch(&counts, all[i].recording, 0, all[i].launch, &err))
            fail_msg("%s", err.text);
        assert_true(counts.warps > 0);
        near(&all[i], "arithmetic", k->int_insts + k->fp_insts + k->sfu_insts + k->alu_insts,
             counts.alu_insts, 0.01);
        near(&all[i], "memory", k->coal_mem_insts + k->uncoal_mem_insts + k->shared_insts + k->const_insts +
             k->local_insts + k->texture_insts, counts.mem_insts, 0.01);
        /* The last warp to come to a barrier does not wait there. */
        near(&all[i], "barriers", k->synch_insts, counts.barrier_waits, 0.17);
    }
}

int main(void)
{
    return suite_run(load_all, NULL);
}
