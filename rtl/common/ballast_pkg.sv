// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ballast_pkg: the encodings that blocks share. The reference models have the same numbers in
// cmodel/common/encodings.h (warp states, classes) and in the header of the block, such as
// cmodel/sm/perfsat.h. Use the names as constants only and declare variables as plain `logic`:
// Icarus 11 crashes on internal variables of these types, and Yosys 0.23 has no enum casts.

`default_nettype none

package ballast_pkg;

  // State of a warp slot in a cycle. The codes that are not listed hold nothing back: 0 EMPTY,
  // 1 BARRIER, 2 NO_INST, and the reserved codes 11..15.
  typedef enum logic [3:0] {
    WarpWaitAlu    = 4'd3,   // scoreboard, short-latency producer
    WarpWaitMem    = 4'd4,   // scoreboard, memory producer
    WarpAluLost    = 4'd5,   // ready for an ALU/SFU, lost arbitration
    WarpAluBlocked = 4'd6,   // ready for an ALU/SFU, pipe full
    WarpMemLost    = 4'd7,   // ready for the LSU, lost arbitration
    WarpMemBlocked = 4'd8,   // ready for the LSU, which back-pressures
    WarpIssuedAlu  = 4'd9,
    WarpIssuedMem  = 4'd10
  } warp_state_e;

  // Class of an SM cycle, as Perf-Sat counts (PS-2).
  typedef enum logic [1:0] {
    PsIdle       = 2'd0,
    PsScoreboard = 2'd1,
    PsPipeline   = 2'd2,
    PsActive     = 2'd3
  } ps_class_e;

  // Class of an SM cycle, as lazy CTA scheduling counts (LCS section 3).
  typedef enum logic [1:0] {
    LcsIdle      = 2'd0,
    LcsMemStall  = 2'd1,
    LcsCoreStall = 2'd2,
    LcsActive    = 2'd3
  } lcs_class_e;

  // States of perfsat.
  typedef enum logic [2:0] {
    PerfsatStWait      = 3'd0,  // no CTA of the kernel launched yet
    PerfsatStMeasure   = 3'd1,  // the first CTA runs: One_TB is measured
    PerfsatStFirst     = 3'd2,  // first sample, nothing to compare with
    PerfsatStWeakInc   = 3'd3,
    PerfsatStStrongInc = 3'd4,
    PerfsatStWeakDec   = 3'd5,
    PerfsatStStrongDec = 3'd6,
    PerfsatStDone      = 3'd7   // converged, until the next kernel
  } perfsat_state_e;

  // States of lcs.
  typedef enum logic [2:0] {
    LcsStIdle     = 3'd0,  // no kernel
    LcsStMonitor  = 3'd1,  // instructions are counted until the first CTA finishes
    LcsStGather   = 3'd2,  // sum and maximum of the counts, a slot per cycle
    LcsStDivide   = 3'd3,  // the maximum is subtracted from the sum, once per cycle
    LcsStThrottle = 3'd4,  // T_new is known, and more CTAs than that are active
    LcsStLazy     = 3'd5   // at most T_new CTAs are active, until the next kernel
  } lcs_state_e;

  // Which line of Equalizer's Algorithm 1 a decision took (eq_decision).
  typedef enum logic [2:0] {
    EqNone           = 3'd0,  // degenerate: nothing changes
    EqDefinitelyMem  = 3'd1,  // line 7: one CTA less, MemAction
    EqDefinitelyComp = 3'd2,  // line 10: CompAction
    EqLikelyMem      = 3'd3,  // line 12: MemAction
    EqWaitComp       = 3'd4,  // line 14: one CTA more, CompAction
    EqWaitMem        = 3'd5,  // line 14: one CTA more, MemAction
    EqIdle           = 3'd6   // line 21: no active warp, CompAction
  } eq_branch_e;

  // Level of a voltage and frequency domain (EQ-13).
  typedef enum logic [1:0] {
    VfLow    = 2'd0,
    VfNormal = 2'd1,
    VfHigh   = 2'd2
  } vf_level_e;

  // Who sets the CTA limit (sm_governor); other codes count as PolicyStatic.
  typedef enum logic [2:0] {
    PolicyStatic    = 3'd0,
    PolicyPerfsat   = 3'd1,
    PolicyLcs       = 3'd2,
    PolicyEqualizer = 3'd3,
    PolicyDyncta    = 3'd4,
    PolicyScout     = 3'd5
  } policy_e;

endpackage

`default_nettype wire
