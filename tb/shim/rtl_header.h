// SPDX-License-Identifier: Apache-2.0
//
// What every Verilated model includes, before anything else: the Makefile has g++ read it once for all of them.
#ifndef BALLAST_RTL_HEADER_H
#define BALLAST_RTL_HEADER_H

#include "shim/rtl_printf.h"

#include <cstring>
#include <string>

#include <verilated.h>
#include <verilated_dpi.h>

#endif
