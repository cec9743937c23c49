/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers for reading a block's port list: name pasting, the types of its structs, and empty
 * lists for what most blocks do not have. The including file has included the list itself.
 *
 * Every list has BLOCK_NAME, BLOCK_CLOCKED, BLOCK_PER_CHIP, BLOCK_NEEDS, BLOCK_PARAMS,
 * BLOCK_INPUTS, BLOCK_OUTPUTS and BLOCK_REGISTERS. What else there is stands below.
 */
#ifndef BALLAST_PORTS_H
#define BALLAST_PORTS_H

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#define BLOCK_FN(suffix) PASTE(BLOCK_NAME, suffix)
#define CFG_T BLOCK_FN(_cfg)
#define IN_T BLOCK_FN(_in)
#define OUT_T BLOCK_FN(_out)
#define STATE_T BLOCK_FN(_state)

/* S(field, default): inputs that software sets; bind leaves them alone. */
#ifndef BLOCK_SETTINGS
#define BLOCK_SETTINGS(S)
#endif
/* R(input, its most, when it is read): the contract says nothing else of inputs than that such a one is in 0..most where it is
 * read. `most` and `when` are expressions of `cfg` and `in`; everything else, and this one elsewhere, may have any value. */
#ifndef BLOCK_RANGES
#define BLOCK_RANGES(R)
#endif
/* L(input): the block has a function BLOCK_look, too, which gives a cycle's outputs before these inputs are known: the outputs hang on
 * none of them. */
#ifdef BLOCK_LATE
#define BLOCK_LOOKS 1
#else
#define BLOCK_LOOKS 0
#define BLOCK_LATE(L)
#endif
/* A(field, count, width, names of its values): uintN_t field[] for an unpacked array. */
#ifndef BLOCK_REGISTER_ARRAYS
#define BLOCK_REGISTER_ARRAYS(A)
#endif
/* W(field, width): uint64_t field[] for a vector that may be wider than 64 bits. */
#ifndef BLOCK_WIDE_INPUTS
#define BLOCK_WIDE_INPUTS(W)
#endif
/* L(field, width, names of its values): sm[i].field for a vector with `width` bits per SM, of
 * BLOCK_LANES(cfg) SMs. The element sm[] comes last in the structs. BLOCK_LANE_RANGES are ranges of lanes, `in` the element of
 * an SM, a BLOCK_LANE_IN. */
#ifndef BLOCK_LANES
#define BLOCK_SEES_ALL_SMS 0
#define BLOCK_LANES(cfg) 0
#define BLOCK_LANE_INPUTS(L)
#define BLOCK_LANE_OUTPUTS(L)
#define BLOCK_LANE_RANGES(R)
#define BLOCK_SIZE_OF_LANES(type, cfg) sizeof(type)
#else
#define BLOCK_SEES_ALL_SMS 1
#define BLOCK_SIZE_OF_LANES(type, cfg) (offsetof(type, sm) + BLOCK_LANES(cfg) * sizeof(((type *)0)->sm[0]))
#endif
/* Bytes in use of the structs. */
#define BLOCK_SIZE_OF_IN(cfg) BLOCK_SIZE_OF_LANES(IN_T, cfg)
#ifdef BLOCK_LANE_OUTPUTS
#define BLOCK_SIZE_OF_OUT(cfg) BLOCK_SIZE_OF_LANES(OUT_T, cfg)
#else
#define BLOCK_SIZE_OF_OUT(cfg) sizeof(OUT_T)
#define BLOCK_LANE_OUTPUTS(L)
#endif
#ifdef BLOCK_SIZE_OF_STATE /* of a block whose array of parts lies deeper: in its last part */
#elif defined BLOCK_PART_ARRAYS
#define BLOCK_SIZE_OF_STATE(cfg) BLOCK_SIZE_OF_LANES(STATE_T, cfg)
#else
#define BLOCK_SIZE_OF_STATE(cfg) sizeof(STATE_T)
#endif
/* P(field, block_name): state.field is the state of the block `block_name`, instance u_<field> of the RTL, and
 * cfg.field its configuration. P(field, block_name, count): an array, instances gen_<field>[i].u_<field>. */
#ifndef BLOCK_PARTS
#define BLOCK_PARTS(P)
#endif
#ifndef BLOCK_PART_ARRAYS
#define BLOCK_PART_ARRAYS(P)
#endif
/* After the parameters are set: what follows from them. */
#ifndef BLOCK_DERIVE
#define BLOCK_DERIVE(cfg) ((void)(cfg))
#endif
/* From one SM's limit to the next one's. */
#ifndef BLOCK_LIMIT_STRIDE
#define BLOCK_LIMIT_STRIDE 0
#endif

#endif
