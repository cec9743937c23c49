/* SPDX-License-Identifier: Apache-2.0
 *
 * Forgets a block's port list, so that another one, or the same once more, can be included. No include guard.
 */
#undef BALLAST_PORTS_H
#undef BLOCK_NAME
#undef BLOCK_CLOCKED
#undef BLOCK_PER_CHIP
#undef BLOCK_NEEDS
#undef BLOCK_PARAMS
#undef BLOCK_DERIVE
#undef BLOCK_INPUTS
#undef BLOCK_WIDE_INPUTS
#undef BLOCK_SETTINGS
#undef BLOCK_RANGES
#undef BLOCK_LATE
#undef BLOCK_LOOKS
#undef BLOCK_OUTPUTS
#undef BLOCK_REGISTERS
#undef BLOCK_REGISTER_ARRAYS
#undef BLOCK_LANES
#undef BLOCK_LANE_INPUTS
#undef BLOCK_LANE_OUTPUTS
#undef BLOCK_LANE_RANGES
#undef BLOCK_LANE_IN
#undef BLOCK_SEES_ALL_SMS
#undef BLOCK_SIZE_OF_LANES
#undef BLOCK_SIZE_OF_IN
#undef BLOCK_SIZE_OF_OUT
#undef BLOCK_SIZE_OF_STATE
#undef BLOCK_PARTS
#undef BLOCK_PART_ARRAYS
#undef BLOCK_LIMIT
#undef BLOCK_LIMIT_STRIDE
#undef BLOCK_DONE
