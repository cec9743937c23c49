/* SPDX-License-Identifier: Apache-2.0
 *
 * The shipped kernels: names, launches as published, and that those of the recordings have both groups. Runs from the
 * repository root.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "kernels/kernel_file.h"

/* The rows that cannot be as printed; the files say why. */
static bool is_exception(const workload *w, unsigned on)
{
    return (!strcmp(w->name, "Hot") && on == 1) || !strcmp(w->name, "histo-2");
}

static void check_published(const kernel_file *file)
{
    const workload_target *t = &file->target;
    const workload *w = &file->simulator;

    assert_string_equal(t->kernel, w->name);
    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (t->on[i].max && !is_exception(w, i))
            assert_int_equal(workload_nmax(w, machine_find(target_machines[i])), t->on[i].max);
    if (t->w_cta)
        assert_int_equal(workload_warps(w), t->w_cta);
    if (t->register_bytes && strcmp(w->name, "BP-1") != 0)
        assert_int_equal(w->regs_per_thread * 4 * w->threads_per_cta, t->register_bytes);
    if (t->ctas)
        assert_int_equal(w->ctas, t->ctas < 8192 ? t->ctas : 8192);
}

static void check_folder(const char *folder, unsigned num, bool recorded)
{
    char pattern[128], wanted[256], err[KERNEL_FILE_ERR] = "";
    kernel_file file;
    glob_t found;

    snprintf(pattern, sizeof pattern, "sim/kernels/%s/*", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, num);
    for (unsigned i = 0; i < num; i++) {
        if (!kernel_file_read(&file, found.gl_pathv[i], err))
            fail_msg("%s", err);
        snprintf(wanted, sizeof wanted, "sim/kernels/%s/%s.kernel", folder, file.simulator.name);
        assert_string_equal(found.gl_pathv[i], wanted);
        assert_true(file.has_simulator);
        assert_int_equal(file.has_analytic, recorded);
        if (!recorded)
            check_published(&file);
    }
    globfree(&found);
}

TEST(the_kernels_of_the_papers)
{
    check_folder("perfsat", 16, false);
    check_folder("equalizer", 27, false);
    check_folder("lcs", 19, false);
}

TEST(the_kernels_of_the_recordings)
{
    check_folder("recorded", 10, true);
}
