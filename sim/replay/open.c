/* SPDX-License-Identifier: Apache-2.0
 *
 * What every pass over a run begins with, the first one and the explanation's.
 */
#include "engine/mismatch_report.h"
#include "replay/session_private.h"
#include "replay/state_file.h"

enum session_verdict session_open(lockstep *ls, const session_options *options, char *err, size_t err_size)
{
    enum session_verdict verdict = SESSION_PASS;

    if (!lockstep_open(ls, options->blocks, options->sm, options->seed, err, err_size))
        return SESSION_BAD_INPUT;
    ls->stir_seed = options->stir_seed;
    for (unsigned f = 0; f < options->num_faults && verdict == SESSION_PASS; f++)
        if (!lockstep_add_fault(ls, &options->faults[f], err, err_size))
            verdict = SESSION_BAD_INPUT;
    for (unsigned i = 0; i < options->num_settings && verdict == SESSION_PASS; i++)
        if (!lockstep_set(ls, options->settings[i], err, err_size))
            verdict = SESSION_BAD_INPUT;
    if (verdict == SESSION_PASS && !lockstep_reset(ls)) {
        mismatch_after_reset(ls, options->seed, err, err_size);
        verdict = SESSION_MISMATCH;
    }
    if (verdict == SESSION_PASS && options->initial_state &&
        !state_file_load(options->initial_state, ls, err, err_size))
        verdict = SESSION_BAD_INPUT;
    if (verdict != SESSION_PASS)
        lockstep_close(ls);
    return verdict;
}
