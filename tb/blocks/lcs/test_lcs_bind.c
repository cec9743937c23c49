/* SPDX-License-Identifier: Apache-2.0
 *
 * What lcs hears of the warps that issue: one lane each, with the number of the CTA slot.
 */
#include "engine/suite_fixture.h"
#include "blocks/lcs/bench.h"
#include "blocks/lcs/bind.h"

/* Of the highest slot and of one in the middle; warp 63 of the last has no lane left. */
TEST(lanes_hold_the_slots_of_the_warps_that_issued)
{
    for (unsigned slots = 1; slots <= BALLAST_MAX_SLOTS; slots++) {
        lcs_cfg cfg = lcs_cfg_default();
        sm_setup setup = {.warp_slot = {[3] = (uint8_t)(slots - 1), [40] = (uint8_t)(slots / 2), [63] = 0}};
        sm_obs obs = {.setup = &setup};
        lcs_in in;

        cfg.num_slots = slots;
        cfg.issue_width = 2;
        sm_obs_set_warp_state(&obs, 3, BALLAST_WARP_ISSUED_ALU);
        sm_obs_set_warp_state(&obs, 40, BALLAST_WARP_ISSUED_MEM);
        sm_obs_set_warp_state(&obs, 63, BALLAST_WARP_ISSUED_ALU);
        lcs_bind_lanes(&in, &cfg, &obs);
        assert_int_equal(in.issue_valid, 3);
        assert_int_equal(in.issue_slot, (slots - 1) | (uint64_t)(slots / 2) << slot_bits(&cfg));
    }
}

/* A warp of a slot that the SM does not have takes no lane. */
TEST(a_slot_that_is_not_there_is_not_heard)
{
    sm_setup setup = {.warp_slot = {[3] = 8, [40] = 5}};
    sm_obs obs = {.setup = &setup};
    lcs_cfg cfg = lcs_cfg_default();
    lcs_in in;

    cfg.num_slots = 8;
    sm_obs_set_warp_state(&obs, 3, BALLAST_WARP_ISSUED_ALU);
    sm_obs_set_warp_state(&obs, 40, BALLAST_WARP_ISSUED_ALU);
    lcs_bind_lanes(&in, &cfg, &obs);
    assert_int_equal(in.issue_valid, 1);
    assert_int_equal(in.issue_slot, 5);
}
