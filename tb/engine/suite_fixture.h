/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test program needs: cmocka, and tests that register themselves. A program runs its tests in the order of their
 * lines; one that needs no set-up needs no main either. Several may be linked as one (tb/room_of_tests.c): it runs those of one file.
 */
#ifndef BALLAST_SUITE_FIXTURE_H
#define BALLAST_SUITE_FIXTURE_H

#include "engine/test.h"

/* TEST(name) { ... } is a test of this program. */
#define TEST(name)                                              \
    SUITE_TEST(name, cmocka_unit_test(name))                    \
    static void name(void **state __attribute__((unused)))
/* The same between a set-up, which may set *state, and a tear-down. */
#define TEST_BETWEEN(name, set_up, tear_down)                                              \
    SUITE_TEST(name, cmocka_unit_test_setup_teardown(name, set_up, tear_down))             \
    static void name(void **state __attribute__((unused)))

#define SUITE_TEST(name, ...)       \
    static void name(void **state); \
    SUITE_TESTS(name##_test, __VA_ARGS__)
/* Rows of a table of tests. */
#define SUITE_TESTS(rows, ...) SUITE_ROWS(rows, __VA_ARGS__)
#define SUITE_ROWS(rows, ...)                                      \
    static const struct CMUnitTest rows[] = {__VA_ARGS__};         \
    __attribute__((constructor)) static void add_##rows(void)      \
    {                                                              \
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)  \
            suite_add(&rows[i], __FILE__, __LINE__);               \
    }

void suite_add(const struct CMUnitTest *test, const char *file, int line);
/* Leaves only those of the file whose name is this, without folder and ending. */
void suite_only(const char *name);
/* Runs them all between set-up and tear-down (or NULL): the program's exit status. */
int suite_run(CMFixtureFunction setup, CMFixtureFunction teardown);
/* The main of a program without one of its own. An argument: the one test to run. */
int suite_main(int argc, char **argv);

#endif
