// SPDX-License-Identifier: Apache-2.0
//
// Verilator's print function (VL_PRINTF), replaced: what an assertion says belongs in the
// mismatch report, not between the lines of the table.
#ifndef BALLAST_RTL_PRINTF_H
#define BALLAST_RTL_PRINTF_H

#ifdef __cplusplus
extern "C"
#endif
__attribute__((format(printf, 1, 2))) int rtl_printf(const char *format, ...);

#endif
