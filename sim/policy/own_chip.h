/* SPDX-License-Identifier: Apache-2.0
 *
 * A chip whose SMs are governed by somebody's own policy: an instance per SM, its limit carried out by the throttle of the built-in
 * policies (cta_throttle follows the target); what most SMs ask of a clock domain, by the domains of the built-in ones (vf_domain).
 */
#ifndef BALLAST_OWN_CHIP_H
#define BALLAST_OWN_CHIP_H

#include "bus/sm_obs.h"
#include "chip/chip_governor.h"
#include "engine/decision.h"
#include "policy/own_policy.h"

typedef struct own_chip own_chip;

/* Geometry, classifier and throttle are those of cfg. NULL with one line. The policy must outlive it. */
own_chip *own_chip_open(const own_policy *policy, const chip_governor_cfg *cfg, char err[OWN_ERR]);
void own_chip_close(own_chip *chip);
/* What the levels are to aim at, and the levels to hold whatever the policy asks for, or -1. Without it both are held at the nominal one. */
void own_chip_clocks(own_chip *chip, uint8_t mode, int sm_level, int mem_level);
/* As after own_chip_open. False: see own_chip_error. */
bool own_chip_reset(own_chip *chip);

/* One cycle. Decisions are added to the list if there is one. False: own_chip_error says why, and the run is over. */
bool own_chip_step(own_chip *chip, const sm_obs *const *obs, chip_governor_out *out, decisions *list);
/* Of its policy, for logs. */
const char *own_chip_name(const own_chip *chip);
/* "" or one line. */
const char *own_chip_error(const own_chip *chip);

#endif
