/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/random_run_fixture.h"

#include "engine/test.h"

const lockstep_instance *random_run_open(random_run *r, const block *blk, uint64_t seed, uint64_t cycles)
{
    const block *list[BLOCK_MAX_NEEDS + 2] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;
    lockstep *ls = &r->ls;

    for (const char *const *need = blk->model->needs; *need; need++) /* each after its own needs */
        list[num++] = block_find(*need);
    list[num] = blk;
    assert_true(lockstep_open(ls, list, 0, 7, err, sizeof err));
    assert_string_equal(err, "");
    ls->stir_seed = seed;
    random_sms_start(&r->sms, seed, ls->num_sms, lockstep_param(ls, "NumWarps", RANDOM_RUN_WARPS),
                     lockstep_param(ls, "NumSlots", RANDOM_RUN_SLOTS), cycles);
    return &ls->instances[num];
}

bool random_run_cycle(random_run *r)
{
    const sm_obs *const *obs = random_sms_next(&r->sms);

    assert_non_null(obs);
    return lockstep_cycle_all(&r->ls, obs, r->ls.index + RANDOM_RUN_CYCLE);
}

bool random_run_all(random_run *r)
{
    random_sms_rewind(&r->sms);
    if (!lockstep_reset(&r->ls))
        return false;
    while (r->ls.index < r->sms.cycles)
        if (!random_run_cycle(r))
            return false;
    return true;
}

static uint64_t was(const lockstep_mismatch *m, enum lockstep_side side)
{
    return m->port && m->port->kind == PORT_REG ? block_port_get(m->port, m->instance->view[side].before) : 0;
}

void random_run_fail(const lockstep *ls, const block *blk)
{
    const lockstep_mismatch *m = &ls->mismatch;

    fail_msg("%s: cycle %llu %s: model %llx, RTL %llx (before: %llx, %llx) %s", blk->name, (unsigned long long)m->index,
             m->port ? m->port->name : "?", (unsigned long long)m->expected, (unsigned long long)m->actual,
             (unsigned long long)was(m, SIDE_MODEL), (unsigned long long)was(m, SIDE_RTL), m->text);
}

void random_run_expect_agreement(random_run *r, const block *blk)
{
    if (random_run_all(r))
        return;
    r->ls.careful = true;
    random_run_all(r);
    random_run_fail(&r->ls, blk);
}
