/* SPDX-License-Identifier: Apache-2.0
 *
 * The tests of a room as one program: it runs those of the file after which it is called. Compiled with -DTESTS='T(test_a) T(test_b)'. */
#include <stdio.h>
#include <string.h>

#include "engine/suite_fixture.h"

#ifndef TESTS /* for lint, which knows no room */
#define TESTS T(test_suite)
#endif

/* A file with a set-up has a main of its own, called so: the Makefile sees to that. */
#define T(name) __attribute__((weak)) int main_##name(void);
TESTS
#undef T

static const struct {
    const char *name;
    int (*own)(void);
} tests[] = {
#define T(name) {#name, main_##name},
    TESTS
#undef T
};

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];

    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (!strcmp(tests[i].name, name)) {
            suite_only(name);
            return tests[i].own ? tests[i].own() : suite_main(argc, argv);
        }
    fprintf(stderr, "%s: no tests of this name in this program\n", argv[0]);
    return 2;
}
