// SPDX-License-Identifier: Apache-2.0
//
// What GPGPU-Sim 4.2 and Accel-Sim call, so that Ballast's governors limit and pause the CTAs of their SMs. doc/use/gpgpusim.md says from
// where. Without BALLAST_POLICY and BALLAST_RECORD in the environment none of it does anything.
//
// One more hook is a member of scheduler_unit, as it looks at what is the scheduler's own: ballast_look().
#ifndef BALLAST_GPGPUSIM_H
#define BALLAST_GPGPUSIM_H

#include <ballast/client.h>

class kernel_info_t;
class shader_core_ctx;
class warp_inst_t;

// ---- the CTA dispatcher ---------------------------------------------------------------------------------------------------------

// Whether this SM may get a CTA of the kernel now. A kernel starts when this is asked of it for the first time.
bool ballast_may_launch(const shader_core_ctx &core, kernel_info_t &kernel);
void ballast_cta_started(const shader_core_ctx &core, kernel_info_t &kernel, unsigned slot, unsigned cta);
void ballast_cta_finished(const shader_core_ctx &core, unsigned slot);

// ---- a scheduler ----------------------------------------------------------------------------------------------------------------

// The scheduler must pass over this warp. Not so with pause_soft: there ballast_look() puts these warps last.
bool ballast_is_paused(const shader_core_ctx &core, unsigned warp);
// After the instruction was executed: only then it is known which memory a generic address is in.
void ballast_warp_issued(const shader_core_ctx &core, unsigned warp, const warp_inst_t &inst);
// As the scheduler itself counts its cycle. Only recordings have it.
void ballast_scheduler_done(const shader_core_ctx &core, bool valid, bool ready, bool issued);

// ---- the chip -------------------------------------------------------------------------------------------------------------------

// A cycle of the SMs' clock is over, the launches of CTAs with it.
void ballast_cycle_end();
// How long a cycle of the SMs' clock or of the memory's is, at the level that Equalizer has chosen. Only where levels are to be obeyed.
double ballast_core_period(double nominal);
double ballast_memory_period(double nominal);

// To be shown. All zero while nothing is governed.
ballast_client_decision ballast_decision(unsigned sm);
// Ends a recording. At the end of the program this is done without being called.
void ballast_close();

#endif
