/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test program needs: cmocka, and tests that register themselves. A program runs its tests in the order of their
 * lines; one that needs no set-up needs no main either.
 */
#ifndef BALLAST_SUITE_FIXTURE_H
#define BALLAST_SUITE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* TEST(name) { ... } is a test of this program. */
#define TEST(name)                                              \
    SUITE_TEST(name, cmocka_unit_test(name))                    \
    static void name(void **state __attribute__((unused)))
/* The same between a set-up, which may set *state, and a tear-down. */
#define TEST_BETWEEN(name, set_up, tear_down)                                              \
    SUITE_TEST(name, cmocka_unit_test_setup_teardown(name, set_up, tear_down))             \
    static void name(void **state __attribute__((unused)))

#define SUITE_TEST(name, ...)                                       \
    static void name(void **state);                                 \
    __attribute__((constructor)) static void name##_is_a_test(void) \
    {                                                               \
        const struct CMUnitTest test = __VA_ARGS__;                 \
        suite_add(&test, __LINE__);                                 \
    }

void suite_add(const struct CMUnitTest *test, int line);
/* Runs them all between set-up and tear-down (or NULL): the program's exit status. */
int suite_run(CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
