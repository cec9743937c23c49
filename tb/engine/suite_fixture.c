/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/suite_fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TESTS = 1024 };
static struct CMUnitTest tests[MAX_TESTS];
static const char *files[MAX_TESTS];
static int lines[MAX_TESTS];
static size_t num;

static void put(size_t at, const struct CMUnitTest *test, const char *file, int line)
{
    tests[at] = *test;
    files[at] = file;
    lines[at] = line;
}

void suite_add(const struct CMUnitTest *test, const char *file, int line)
{
    size_t at = num++;

    if (num > MAX_TESTS) {
        fprintf(stderr, "%s: more than %d tests; raise MAX_TESTS\n", test->name, (int)MAX_TESTS);
        exit(1);
    }
    for (; at > 0 && lines[at - 1] > line; at--)
        put(at, &tests[at - 1], files[at - 1], lines[at - 1]);
    put(at, test, file, line);
}

static bool is_named(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/'), *own = slash ? slash + 1 : file;
    const size_t length = strlen(name);

    return !strncmp(own, name, length) && !strcmp(own + length, ".c");
}

void suite_only(const char *name)
{
    size_t left = 0;

    for (size_t i = 0; i < num; i++)
        if (is_named(files[i], name))
            put(left++, &tests[i], files[i], lines[i]);
    num = left;
}

int suite_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", tests, num, setup, teardown);
}

static bool is_test(const char *name)
{
    for (size_t i = 0; i < num; i++)
        if (!strcmp(tests[i].name, name))
            return true;
    return false;
}

int suite_main(int argc, char **argv)
{
    if (argc > 1 && !is_test(argv[1])) {
        fprintf(stderr, "%s: no test %s\n", argv[0], argv[1]);
        return 2;
    }
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return suite_run(NULL, NULL);
}

/* Programs with a set-up have a main of their own. */
__attribute__((weak)) int main(int argc, char **argv)
{
    return suite_main(argc, argv);
}
