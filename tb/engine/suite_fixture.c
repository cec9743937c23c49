/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/suite_fixture.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Programs with a set-up have a main of their own. */
__attribute__((weak)) int main(void)
{
    return suite_run(NULL, NULL);
}
