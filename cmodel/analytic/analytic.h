/* SPDX-License-Identifier: Apache-2.0
 *
 * All analytic models of GPUs: link with libballast_analytic.a
 * (pkg-config --cflags --libs ballast_analytic). They are functions in double precision, keep no
 * globals, take no heap and know nothing of the hardware blocks (ballast.h).
 */
#ifndef BALLAST_ANALYTIC_H
#define BALLAST_ANALYTIC_H

#include "analytic/check.h"
#include "analytic/gpus.h"
#include "analytic/ipp_cores.h"
#include "analytic/ipp_keys.h"
#include "analytic/ipp_options.h"
#include "analytic/ipp_params.h"
#include "analytic/ipp_power.h"
#include "analytic/ipp_ptx.h"
#include "analytic/ipp_static.h"
#include "analytic/ipp_temperature.h"
#include "analytic/kernel.h"
#include "analytic/mwp_cwp.h"
#include "analytic/mwp_cwp_gpus.h"
#include "analytic/mwp_cwp_round.h"
#include "analytic/occupancy.h"
#include "analytic/predict.h"
#include "analytic/slowdown.h"
#include "analytic/throughput.h"
#include "analytic/throughput_advice.h"
#include "analytic/throughput_kernel.h"
#include "analytic/throughput_peak.h"

#endif
