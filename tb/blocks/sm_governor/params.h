/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameters of sm_governor, for its own port list and that of a block around it.
 */
#ifndef BALLAST_SM_GOVERNOR_PARAMS_H
#define BALLAST_SM_GOVERNOR_PARAMS_H

/* P(RTL parameter, field of sm_governor_cfg). `at` comes before each field: where the configuration of the
 * governor lies in that of the block around it, or nothing. */
#define SM_GOVERNOR_PARAMS(P, at)                     \
    P(NumWarps, at num_warps)                         \
    P(NumSlots, at num_slots)                         \
    P(IssueWidth, at issue_width)                     \
    P(CountW, at count_w)                             \
    P(PsPrio, at classifier.ps_prio)                  \
    P(MixedTag, at classifier.mixed_tag)              \
    P(PsTie, at perfsat.tie)                          \
    P(PsWdConfirm, at perfsat.wd_confirm)             \
    P(PsRecoverN, at perfsat.recover_n)               \
    P(PsWeakRevert, at perfsat.weak_revert)           \
    P(PsToggleHist, at perfsat.toggle_hist)           \
    P(PsTogglePairs, at perfsat.toggle_pairs)         \
    P(PsToggleLimit, at perfsat.toggle_limit)         \
    P(PsSettle, at perfsat.settle)                    \
    P(LcsCountW, at lcs.count_w)                      \
    P(LcsRoundMode, at lcs.round_mode)                \
    P(LcsThrottle, at lcs.throttle)                   \
    P(Epoch, at counters.epoch)                       \
    P(SampleInterval, at counters.sample_interval)    \
    P(SamplePhase, at counters.sample_phase)          \
    P(SampleCycles, at counters.sample_cycles)        \
    P(XaluExclIssued, at counters.xalu_excl_issued)   \
    P(XmemInclSlot, at counters.xmem_incl_slot)       \
    P(AvgMode, at decision.avg_mode)                  \
    P(HystEpochs, at throttle.hyst_epochs)            \
    P(HystSameDir, at throttle.hyst_same_dir)         \
    P(IncUnpauseFirst, at throttle.inc_unpause_first) \
    P(GrantFeedback, at throttle.grant_feedback)      \
    P(DynPeriod, at dyncta.period)

#endif
