/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/suite_fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TESTS = 128 };
static struct CMUnitTest tests[MAX_TESTS];
static int lines[MAX_TESTS];
static size_t num;

void suite_add(const struct CMUnitTest *test, int line)
{
    size_t at = num++;

    if (num > MAX_TESTS) {
        fprintf(stderr, "%s: more than %d tests; raise MAX_TESTS\n", test->name, (int)MAX_TESTS);
        exit(1);
    }
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = *test;
    lines[at] = line;
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

/* Programs with a set-up have a main of their own. An argument: the one test to run. */
__attribute__((weak)) int main(int argc, char **argv)
{
    if (argc > 1 && !is_test(argv[1])) {
        fprintf(stderr, "%s: no test %s\n", argv[0], argv[1]);
        return 2;
    }
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return suite_run(NULL, NULL);
}
