/* SPDX-License-Identifier: Apache-2.0
 *
 * The C golden models of Ballast, for use in other simulators: link with libballast.a
 * (pkg-config --cflags --libs ballast). Models keep no globals and take no heap. A block is
 * <block>_reset and then one <block>_step per cycle, in integers only. The analytic models are
 * a library of their own: analytic/analytic.h.
 */
#ifndef BALLAST_H
#define BALLAST_H

#define BALLAST_VERSION_MAJOR 0
#define BALLAST_VERSION_MINOR 1
#define BALLAST_VERSION_PATCH 0
#define BALLAST_VERSION "0.1.0"

#include "ballast/client.h"
#include "chip/chip_governor.h"
#include "chip/ballast_chip.h"
#include "chip/ballast_regs.h"
#include "chip/bcs.h"
#include "chip/gwde.h"
#include "chip/limit_table.h"
#include "chip/mcke.h"
#include "chip/vf_domain.h"
#include "chip/vf_vote.h"
#include "common/class_names.h"
#include "common/cta_needs.h"
#include "common/encodings.h"
#include "common/kernel_desc.h"
#include "sm/cke_resources.h"
#include "sm/cta_throttle.h"
#include "sm/dyncta.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"
#include "sm/lcs.h"
#include "sm/perfsat.h"
#include "sm/scout.h"
#include "sm/sm_governor.h"
#include "sm/sm_resources.h"
#include "sm/stall_classifier.h"

#endif
