/* SPDX-License-Identifier: Apache-2.0
 *
 * Setting values of a kernel's file, in place.
 */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/suite_fixture.h"
#include "analytic/model_fixture.h"
#include "kernels/kernel_file.h"

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

typedef struct edit {
    const char *before, *after;
} edit;

/* Each text in the group `simulator`, between others. */
static void set(const workload_setting *settings, unsigned num, const edit *edits, unsigned num_edits)
{
    static const char format[] = "shared = 7; sfu = 7; loads = 7; lines = 7; /* } */\na = { shared = 7; };\nsimulator = {\n%s};\n"
                                 "published = { shared = 8; loads = 8; };\n";
    char path[MODEL_PATH], err[KERNEL_FILE_ERR] = "", text[1024];

    for (unsigned i = 0; i < num_edits; i++) {
        snprintf(text, sizeof text, format, edits[i].before);
        snprintf(path, sizeof path, "%s", model_file("set.kernel", text));
        if (!kernel_file_set(path, settings, num, err))
            fail_msg("%s", err);
        snprintf(text, sizeof text, format, edits[i].after);
        assert_string_equal(text_of(path), text);
    }
}

#define SET(settings, edits) set(settings, sizeof(settings) / sizeof(settings)[0], edits, sizeof(edits) / sizeof(edits)[0])

TEST(values_change_and_comments_stay)
{
    static const workload_setting two[] = {{"loads", "0.25"}, {"lines", "4"}};
    static const edit edits[] = {
        {"# loads = 1;\nloads = 0.1; # was 0.2\nlines=3;\n", "# loads = 1;\nloads = 0.25; # was 0.2\nlines=4;\n"},
        {"loads : 0.1, lines\n =\n 3 ;", "loads : 0.25, lines\n =\n 4 ;"},
        {"loads=0.1#\nlines=1// x\n", "loads=0.25#\nlines=4// x\n"},
        {"loads=0.1;lines=1", "loads=0.25;lines=4"},
    };

    SET(two, edits);
}

TEST(only_the_key_itself)
{
    static const workload_setting one[] = {{"shared", "0.5"}};
    static const edit edits[] = {
        {"shared_per_cta = 1; a_shared = 2; shared = 3;", "shared_per_cta = 1; a_shared = 2; shared = 0.5;"},
        {"g = { shared = 1; }; shared = 2;", "g = { shared = 1; }; shared = 0.5;"},
        {"l = ( { shared = 1; } ); shared = 2;", "l = ( { shared = 1; } ); shared = 0.5;"},
        {"name = \"shared = 1; \\\" shared = 1;\"; shared = 2;", "name = \"shared = 1; \\\" shared = 1;\"; shared = 0.5;"},
        {"/* shared = 1; */ // shared = 2;\nshared = 3;", "/* shared = 1; */ // shared = 2;\nshared = 0.5;"},
        {"name = \"}\"; # }\nshared = 2;", "name = \"}\"; # }\nshared = 0.5;"},
    };

    SET(one, edits);
}

TEST(a_key_that_is_not_there_is_added)
{
    static const workload_setting one[] = {{"sfu", "0.5"}};
    static const edit edits[] = {
        {"loads = 1;\n", "loads = 1;\n    sfu = 0.5;\n"},
        {"loads = 1; # sfu = 2; }\n", "loads = 1; # sfu = 2; }\n    sfu = 0.5;\n"},
        {"g = { sfu = 1; };\n", "g = { sfu = 1; };\n    sfu = 0.5;\n"},
        {"loads = 1; ", "loads = 1; \n    sfu = 0.5;\n"},
        {"", "    sfu = 0.5;\n"},
    };
    static const edit nothing[] = {{"loads = 1;\n", "loads = 1;\n"}};

    SET(one, edits);
    set(one, 0, nothing, 1);
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

TEST(files_change_at_once_or_not_at_all)
{
    const workload_setting one[] = {{"loads", "0.5"}};
    char path[MODEL_PATH], err[KERNEL_FILE_ERR] = "";
    unsigned before;
    struct stat s;

    model_file("none.kernel", "simulator = 3; # {\nloads = 1;\n");
    snprintf(path, sizeof path, "%s", model_file("mode.kernel", "simulator = { loads = 1;\n }\n"));
    before = files_in(model_folder());
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(kernel_file_set(path, one, 1, err));
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0640);
    assert_int_equal(files_in(model_folder()), before);
    snprintf(path, sizeof path, "%s/no.kernel", model_folder());
    assert_false(kernel_file_set(path, one, 1, err));
    model_assert_says(err, "no.kernel: No such file");
    snprintf(path, sizeof path, "%s/none.kernel", model_folder());
    assert_false(kernel_file_set(path, one, 1, err));
    model_assert_says(err, "none.kernel: has no group simulator");
    assert_string_equal(text_of(path), "simulator = 3; # {\nloads = 1;\n");
    assert_false(kernel_file_set(model_folder(), one, 1, err));
    model_assert_says(err, "Is a directory");
    assert_int_equal(files_in(model_folder()), before);
}

int main(void)
{
    return suite_run(model_folder_make, model_folder_remove);
}
