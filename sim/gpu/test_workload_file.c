/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads as text: every key, what is refused where, setting values, and the files of the papers.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "gpu/workload_file.h"
#include "analytic/model_fixture.h"

/* One key per line. */
static const char plain[] = "name = \"mine\";\n"
                            "ctas = 450;\n"
                            "threads_per_cta = 256;\n"
                            "regs_per_thread = 20;\n"
                            "insts = 100;\n"
                            "loads = 0.1;\n"
                            "alu_distance = 2.0;\n"
                            "load_distance = 3.0;\n";
static const char group[] = "published = {\n"
                            "paper = \"P\";\n"
                            "table = \"II\";\n"
                            "kernel = \"k\";\n"
                            "};\n";

static const char *both(void)
{
    static char text[1024];

    snprintf(text, sizeof text, "%s%s", plain, group);
    return text;
}

static workload read_text(const char *text, workload_target *t)
{
    char err[WORKLOAD_FILE_ERR] = "";
    workload w;

    if (!workload_file_read(&w, t, model_file("a.workload", text), err))
        fail_msg("%s", err);
    return w;
}

/* `says` follows "PATH:LINE: ", or "PATH: " for line 0. Nothing is written then. */
static void refuse_path(const char *path, unsigned line, const char *says)
{
    char err[WORKLOAD_FILE_ERR] = "", wanted[WORKLOAD_FILE_ERR];
    workload_target t, t_before;
    workload w, before;

    memset(&w, 0x5a, sizeof w);
    memset(&t, 0x5a, sizeof t);
    memcpy(&before, &w, sizeof w);
    memcpy(&t_before, &t, sizeof t);
    if (line)
        snprintf(wanted, sizeof wanted, "%s:%u: %s", path, line, says);
    else
        snprintf(wanted, sizeof wanted, "%s: %s", path, says);
    if (workload_file_read(&w, &t, path, err))
        fail_msg("not refused: %s", wanted);
    assert_memory_equal(&w, &before, sizeof w);
    assert_memory_equal(&t, &t_before, sizeof t);
    if (strncmp(err, wanted, strlen(wanted)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err, wanted);
    assert_null(strchr(err, '\n'));
}

static void refuse(const char *text, unsigned line, const char *says)
{
    refuse_path(model_file("a.workload", text), line, says);
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void every_key(void **state)
{
    const workload w = read_text(
        "name = \"mine\"; ctas = 1; threads_per_cta = 33; regs_per_thread = 3; shared_per_cta = 4; launches = 5; is_2d = 1;\n"
        "insts = 6; spread = 0.07; loads = 0.08; stores = 0.09; shared = 0.11; sfu = 0.12; branches = 0.13;\n"
        "barrier_every = 14; alu_distance = 1.5; load_distance = 1.6; lines = 17; store_lines = 18; warp_reuse = 0.19;\n"
        "warp_set = 20; cta_reuse = 0.21; cta_set = 22; neighbour_reuse = 0.23; neighbour_set = 24; random = 0.25; footprint = 26;\n",
        NULL);

    (void)state;
    assert_string_equal(w.name, "mine");
    assert_true(w.ctas == 1 && w.threads_per_cta == 33 && w.regs_per_thread == 3 && w.shared_per_cta == 4 && w.launches == 5);
    assert_true(w.is_2d && w.insts == 6 && w.spread == 0.07 && w.loads == 0.08 && w.stores == 0.09 && w.shared == 0.11);
    assert_true(w.sfu == 0.12 && w.branches == 0.13 && w.barrier_every == 14 && w.alu_distance == 1.5);
    assert_true(w.load_distance == 1.6 && w.lines == 17 && w.store_lines == 18 && w.warp_reuse == 0.19 && w.warp_set == 20);
    assert_true(w.cta_reuse == 0.21 && w.cta_set == 22 && w.neighbour_reuse == 0.23 && w.neighbour_set == 24);
    assert_true(w.random == 0.25 && w.footprint == 26);
}

static void keys_that_may_be_left_out(void **state)
{
    workload_target t, none = {0};
    const workload w = read_text(plain, &t);

    (void)state;
    assert_true(w.launches == 1 && w.lines == 1 && !w.is_2d && w.shared_per_cta == 0 && w.stores == 0 && w.cta_reuse == 0);
    assert_memory_equal(&t, &none, sizeof t);
}

static void all_that_is_published(void **state)
{
    char text[1024];
    workload_target t;

    (void)state;
    snprintf(text, sizeof text, "%s%s", plain,
             "published = { paper = \"P\"; table = \"II\"; kernel = \"k\"; fermi_max = 8; fermi_opt = 6; fermi_type = \"MEM\";\n"
             "kepler_max = 16; kepler_opt = 7; kepler_type = \"C-weak\"; lcs_max = 5; lcs_opt = 4; lcs_type = \"IV\";\n"
             "ctas = 9; register_bytes = 10; w_cta = 11; fraction = 0.5; t_new = 3; };\n");
    read_text(text, &t);
    assert_string_equal(t.paper, "P");
    assert_string_equal(t.table, "II");
    assert_string_equal(t.kernel, "k");
    assert_true(t.on[0].max == 8 && t.on[0].opt == 6 && t.on[0].type == TYPE_MEM);
    assert_true(t.on[1].max == 16 && t.on[1].opt == 7 && t.on[1].type == TYPE_C_WEAK);
    assert_true(t.on[2].max == 5 && t.on[2].opt == 4 && t.on[2].type == TYPE_IV);
    assert_true(t.ctas == 9 && t.register_bytes == 10 && t.w_cta == 11 && t.fraction == 0.5 && t.t_new == 3);
}

static void every_type(void **state)
{
    static const char *const names[PUBLISHED_TYPES] = {"", "C-strong", "C-weak", "MEM", "I", "II", "III", "IV", "Compute",
                                                       "Memory", "Cache", "Unsaturated"};
    char line[64];

    (void)state;
    for (unsigned i = 0; i < PUBLISHED_TYPES; i++)
        assert_string_equal(published_type_name((enum published_type)i), names[i]);
    assert_string_equal(published_type_name(PUBLISHED_TYPES), "");
    for (unsigned i = 1; i < PUBLISHED_TYPES; i++) {
        workload_target t;

        snprintf(line, sizeof line, "kernel = \"k\"; lcs_type = \"%s\";", names[i]);
        read_text(model_replaced(both(), "kernel = \"k\";", line), &t);
        assert_int_equal(t.on[2].type, i);
    }
}

static void an_optimum_without_a_maximum(void **state)
{
    workload_target t;

    (void)state;
    read_text(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\"; lcs_opt = 32;"), &t);
    assert_true(t.on[2].opt == 32 && t.on[2].max == 0);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void a_missing_key(void **state)
{
    static const char *const lines[] = {"name = \"mine\";\n", "ctas = 450;\n", "threads_per_cta = 256;\n", "regs_per_thread = 20;\n",
                                        "insts = 100;\n", "loads = 0.1;\n", "alu_distance = 2.0;\n", "load_distance = 3.0;\n"};
    char says[64];

    (void)state;
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        snprintf(says, sizeof says, "%.*s is missing", (int)strcspn(lines[i], " "), lines[i]);
        refuse(model_replaced(plain, lines[i], ""), 0, says);
    }
    refuse(model_replaced(both(), "paper = \"P\";", ""), 0, "paper is missing");
    refuse(model_replaced(both(), "table = \"II\";", ""), 0, "table is missing");
    refuse(model_replaced(both(), "kernel = \"k\";", ""), 0, "kernel is missing");
}

static void an_unknown_key(void **state)
{
    (void)state;
    refuse(model_replaced(plain, "insts = 100;", "insts = 100; blocks = 1;"), 5, "blocks is no key");
    refuse(model_replaced(both(), "table = \"II\";", "table = \"II\"; hopper_max = 1;"), 11, "hopper_max is no key");
}

static void values_that_no_workload_has(void **state)
{
    (void)state;
    refuse(model_replaced(plain, "ctas = 450;", "ctas = 0;"), 2, "ctas is 0; give 1 to");
    refuse(model_replaced(plain, "loads = 0.1;", "loads = 1.5;"), 6, "loads is 1.5; give 0 to 1");
    refuse(model_replaced(plain, "loads = 0.1;", "loads = \"x\";"), 6, "loads must be a number");
    refuse(model_replaced(plain, "insts = 100;", "insts = -1;"), 5, "insts must be a whole number");
    refuse(model_replaced(plain, "loads = 0.1;", "loads = 0.9;\nstores = 0.9;"), 6, "loads, stores, shared, sfu and branches are more");
    refuse(model_replaced(plain, "alu_distance = 2.0;", "alu_distance = 0.5;"), 7, "alu_distance is 0.5; give 1 to");
    refuse(model_replaced(plain, "loads = 0.1;", "loads = 0.1; cta_reuse = 0.5;"), 0, "cta_set is 0; give 1 to");
    refuse(model_replaced(plain, "loads = 0.1;", "loads = 0.1;\nis_2d = 2;"), 7, "is_2d is no truth value; give 0 or 1");
    /* 65 warps fit no machine. */
    refuse(model_replaced(plain, "threads_per_cta = 256;", "threads_per_cta = 2080;"), 3, "threads_per_cta is 2080; give 1 to 2048");
}

static void published_values_that_cannot_be(void **state)
{
    (void)state;
    refuse(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\";\nkepler_max = 33;"), 13, "kepler_max is 33; give 0");
    refuse(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\";\nfermi_opt = 33;"), 13, "fermi_opt is 33; give 0 (not printed) to 32");
    refuse(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\"; lcs_max = 4;\nlcs_opt = 5;"), 13, "lcs_opt is 5; give 0 (not printed) to 4");
    refuse(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\";\nfraction = 1.5;"), 13, "fraction is a part of the time");
    refuse(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\";\nfraction = -0.5;"), 13, "fraction is a part of the time");
    refuse(model_replaced(both(), "kernel = \"k\";", "kernel = \"k\";\nkepler_type = \"V\";"), 13, "kepler_type is no type; give C-strong");
    refuse(model_replaced(plain, "insts = 100;", "insts = 100;\npublished = 3;"), 6, "published is no group; write 'published = {");
}

static void a_file_that_is_none(void **state)
{
    char path[MODEL_PATH];

    (void)state;
    snprintf(path, sizeof path, "%s/none.workload", model_folder());
    refuse_path(path, 0, "No such file");
    refuse_path(model_folder(), 0, "Is a directory");
    refuse(model_replaced(plain, "ctas = 450;", "ctas 450;"), 2, "syntax error");
}

/* ---- setting values -------------------------------------------------------------------------- */

static const char *text_of(const char *path)
{
    static char text[4096];
    FILE *f = fopen(path, "r");
    size_t length;

    assert_non_null(f);
    length = fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    assert_int_equal(fclose(f), 0);
    return text;
}

static void set(const char *before, const workload_setting *settings, unsigned num, const char *after)
{
    char path[MODEL_PATH], err[WORKLOAD_FILE_ERR] = "";

    snprintf(path, sizeof path, "%s", model_file("set.workload", before));
    if (!workload_file_set(path, settings, num, err))
        fail_msg("%s", err);
    assert_string_equal(text_of(path), after);
}

static void values_change_and_comments_stay(void **state)
{
    const workload_setting two[] = {{"loads", "0.25"}, {"lines", "4"}};

    (void)state;
    set("# loads = 1;\nloads = 0.1; # was 0.2\nlines=3;\n", two, 2, "# loads = 1;\nloads = 0.25; # was 0.2\nlines=4;\n");
    set("loads : 0.1, lines\n =\n 3 ;", two, 2, "loads : 0.25, lines\n =\n 4 ;");
    set("loads=0.1#\nlines=1// x\n", two, 2, "loads=0.25#\nlines=4// x\n");
}

static void only_the_key_itself(void **state)
{
    const workload_setting one[] = {{"shared", "0.5"}};

    (void)state;
    set("shared_per_cta = 1; a_shared = 2; shared = 3;", one, 1, "shared_per_cta = 1; a_shared = 2; shared = 0.5;");
    set("g = { shared = 1; }; shared = 2;", one, 1, "g = { shared = 1; }; shared = 0.5;");
    set("l = ( { shared = 1; } ); shared = 2;", one, 1, "l = ( { shared = 1; } ); shared = 0.5;");
    set("name = \"shared = 1; \\\" shared = 1;\"; shared = 2;", one, 1, "name = \"shared = 1; \\\" shared = 1;\"; shared = 0.5;");
    set("/* shared = 1; */ // shared = 2;\nshared = 3;", one, 1, "/* shared = 1; */ // shared = 2;\nshared = 0.5;");
    set("name = \"}\"; # }\nshared = 2;", one, 1, "name = \"}\"; # }\nshared = 0.5;");
}

static void a_key_that_is_not_there_is_added(void **state)
{
    const workload_setting one[] = {{"sfu", "0.5"}};

    (void)state;
    set("loads = 1;\n", one, 1, "loads = 1;\nsfu = 0.5;\n");
    set("loads = 1; # sfu = 2;", one, 1, "loads = 1; # sfu = 2;\nsfu = 0.5;\n");
    set("g = { sfu = 1; };\n", one, 1, "g = { sfu = 1; };\nsfu = 0.5;\n");
    set("", one, 1, "sfu = 0.5;\n");
    set("loads = 1;\n", one, 0, "loads = 1;\n");
}

static unsigned files_in(const char *folder)
{
    unsigned num = 0;
    DIR *d = opendir(folder);

    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        num += e->d_name[0] != '.';
    closedir(d);
    return num;
}

static void files_change_at_once_or_not_at_all(void **state)
{
    const workload_setting one[] = {{"loads", "0.5"}};
    char path[MODEL_PATH], err[WORKLOAD_FILE_ERR] = "";
    unsigned before;
    struct stat s;

    (void)state;
    snprintf(path, sizeof path, "%s", model_file("mode.workload", "loads = 1;\n"));
    before = files_in(model_folder());
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(workload_file_set(path, one, 1, err));
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0640);
    assert_int_equal(files_in(model_folder()), before);
    snprintf(path, sizeof path, "%s/no.workload", model_folder());
    assert_false(workload_file_set(path, one, 1, err));
    model_assert_says(err, "no.workload: No such file");
    assert_false(workload_file_set(model_folder(), one, 1, err));
    model_assert_says(err, "Is a directory");
    assert_int_equal(files_in(model_folder()), before);
}

/* ---- the papers' kernels --------------------------------------------------------------------- */

/* The rows that cannot be as printed; the files say why. */
static bool is_exception(const workload *w, unsigned on)
{
    return (!strcmp(w->name, "Hot") && on == 1) || !strcmp(w->name, "histo-2");
}

static void check_file(const char *folder, const char *name)
{
    char path[512], err[WORKLOAD_FILE_ERR] = "", wanted[512];
    workload_target t;
    workload w;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!workload_file_read(&w, &t, path, err))
        fail_msg("%s", err);
    snprintf(wanted, sizeof wanted, "%s.workload", w.name);
    assert_string_equal(name, wanted);
    assert_string_equal(t.kernel, w.name);
    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (t.on[i].max && !is_exception(&w, i))
            assert_int_equal(workload_nmax(&w, machine_find(target_machines[i])), t.on[i].max);
    if (t.w_cta)
        assert_int_equal(workload_warps(&w), t.w_cta);
    if (t.register_bytes && strcmp(w.name, "BP-1") != 0)
        assert_int_equal(w.regs_per_thread * 4 * w.threads_per_cta, t.register_bytes);
    if (t.ctas)
        assert_int_equal(w.ctas, t.ctas < 8192 ? t.ctas : 8192);
}

static unsigned check_folder(const char *folder)
{
    unsigned num = 0;
    DIR *d = opendir(folder);

    if (!d) {
        fail_msg("%s: not there; run this from the repository root", folder);
        return 0;
    }
    for (const struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.') {
            check_file(folder, e->d_name);
            num++;
        }
    closedir(d);
    return num;
}

static void the_kernels_of_the_papers(void **state)
{
    (void)state;
    assert_int_equal(check_folder("sim/gpu/workloads/perfsat"), 16);
    assert_int_equal(check_folder("sim/gpu/workloads/equalizer"), 27);
    assert_int_equal(check_folder("sim/gpu/workloads/lcs"), 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key),
        cmocka_unit_test(keys_that_may_be_left_out),
        cmocka_unit_test(all_that_is_published),
        cmocka_unit_test(every_type),
        cmocka_unit_test(an_optimum_without_a_maximum),
        cmocka_unit_test(a_missing_key),
        cmocka_unit_test(an_unknown_key),
        cmocka_unit_test(values_that_no_workload_has),
        cmocka_unit_test(published_values_that_cannot_be),
        cmocka_unit_test(a_file_that_is_none),
        cmocka_unit_test(values_change_and_comments_stay),
        cmocka_unit_test(only_the_key_itself),
        cmocka_unit_test(a_key_that_is_not_there_is_added),
        cmocka_unit_test(files_change_at_once_or_not_at_all),
        cmocka_unit_test(the_kernels_of_the_papers),
    };

    return cmocka_run_group_tests_name("workload_file", tests, model_folder_make, model_folder_remove);
}
