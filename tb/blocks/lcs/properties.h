/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of lcs's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define LCS_RUNS (in->enable && !in->kernel_start)

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "LCS-2", "1 <= limit <= T_max while there is a kernel, else 0",                                             \
      after->nmax ? after->limit >= 1 && after->limit <= after->nmax : after->limit == 0)                                \
    P(STATE, "LCS-2", "k counts that are gathered are at most k maxima",                                                 \
      after->state != LCS_ST_GATHER || after->index != 2 || after->sum == after->max)                                    \
    P(EVERY, "LCS-1", "a code that is no state is left in the next enabled cycle",                                       \
      !in->enable || after->state <= LCS_ST_LAZY)                                                                        \
    P(EVERY, "LCS-4", "with T_new known, the limit stays until the next kernel",                                         \
      !LCS_RUNS || (before->state != LCS_ST_THROTTLE && before->state != LCS_ST_LAZY) || after->limit == before->limit)  \
    P(STEP, "LCS-1", "the instructions are counted while T_max CTAs run, and not after",                                 \
      !LCS_RUNS || before->state == LCS_ST_MONITOR || after->inst[0] == before->inst[0])                                 \
    P(STEP, "LCS-1", "a count grows by what the cycle before issued",                                                    \
      !LCS_RUNS || before->state != LCS_ST_MONITOR || after->inst[0] == before->inst[0] + before->step[0])               \
    P(EVERY, "LCS-1", "no instruction is taken after a finish, nor while a count is half full",                          \
      !LCS_RUNS || before->state != LCS_ST_MONITOR || !(before->finish || before->inst[0] >> (cfg->count_w - 1)) ||      \
          (after->step[0] == 0 && after->step[1] == 0))                                                                  \
    P(STEP, "LCS-6", "T_new is between 1 and T_max, and the limit",                                                      \
      !out->t_new_valid || (out->t_new >= 1 && out->t_new <= before->nmax && out->t_new == before->limit))               \
    P(STEP, "LCS-6", "T_new is told once",                                                                               \
      !out->t_new_valid || after->decided == 0)                                                                          \
    P(EVERY, "contract", "without enable every register holds",                                                          \
      in->enable || (before->state == after->state && before->limit == after->limit && before->nmax == after->nmax &&    \
          before->sum == after->sum && before->max == after->max && before->index == after->index &&                     \
          before->picked == after->picked && before->finish == after->finish && before->decided == after->decided &&     \
          before->active[0] == after->active[0] &&                                                                       \
          before->inst[0] == after->inst[0] && before->step[0] == after->step[0]))
