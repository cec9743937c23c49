/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka, with what it needs before it. Test only.
 */
#ifndef BALLAST_TEST_H
#define BALLAST_TEST_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#endif
