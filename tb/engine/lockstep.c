/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/lockstep.h"

#include <stdio.h>
#include <string.h>

#include "engine/rtl_assertion.h"

const char *const lockstep_side_names[LOCKSTEP_SIDES] = {"model", "rtl"};

/* ---- setting up ------------------------------------------------------------------ */

static const lockstep_instance *find_stem(const lockstep *ls, const char *stem)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        if (!strcmp(ls->instances[i].block->model->stem, stem))
            return &ls->instances[i];
    return NULL;
}

static bool resolve_needs(const lockstep *ls, lockstep_instance *inst, char *err, size_t err_size)
{
    const char *const *needs = inst->block->model->needs;

    for (unsigned i = 0; needs[i]; i++) {
        const lockstep_instance *other = find_stem(ls, needs[i]);

        if (!other || i == BLOCK_MAX_NEEDS) {
            snprintf(err, err_size, "block %s reads the outputs of %s: name it before, e.g. --block %s,%s",
                     inst->block->name, needs[i], needs[i], inst->block->name);
            return false;
        }
        inst->needs[i] = &other->out;
    }
    return true;
}

static unsigned count_comparisons(const lockstep_instance *inst)
{
    unsigned n = 0;

    for (unsigned p = 0; p < inst->num_ports; p++)
        n += inst->ports[p].kind != PORT_IN;
    return n;
}

static bool add_instance(lockstep *ls, const block *blk, uint32_t seed, char *err, size_t err_size)
{
    lockstep_instance *inst = &ls->instances[ls->num_instances];
    char bad[64];

    if (ls->num_instances == LOCKSTEP_MAX_BLOCKS) {
        snprintf(err, err_size, "more than %d blocks in one run", LOCKSTEP_MAX_BLOCKS);
        return false;
    }
    memset(inst, 0, sizeof *inst);
    inst->block = blk;
    inst->state = &inst->registers[0];
    blk->model->configure(&inst->cfg, blk->params, bad, sizeof bad);
    if (bad[0]) {
        snprintf(err, err_size, "block %s: parameter '%s' is not known to its model", blk->name, bad);
        return false;
    }
    if (!resolve_needs(ls, inst, err, err_size))
        return false;
    inst->num_ports = blk->model->list_ports(&inst->cfg, inst->ports, LOCKSTEP_MAX_PORTS);
    inst->comparisons = count_comparisons(inst);
    inst->rtl = blk->rtl->create(seed + ls->num_instances);
    ls->comparisons += inst->comparisons;
    ls->num_instances++;
    if (blk->model->limit_offset >= 0 && !ls->controller)
        ls->controller = inst;
    return true;
}

bool lockstep_open(lockstep *ls, const block *const *blocks, unsigned sm, uint32_t seed, char *err,
                   size_t err_size)
{
    memset(ls, 0, sizeof *ls);
    ls->sm = sm;
    for (; *blocks; blocks++) {
        if (!add_instance(ls, *blocks, seed, err, err_size)) {
            lockstep_close(ls);
            return false;
        }
    }
    return true;
}

void lockstep_close(lockstep *ls)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        ls->instances[i].block->rtl->destroy(ls->instances[i].rtl);
    ls->num_instances = 0;
}

static const block_port *find_port(const lockstep_instance *inst, const char *name, enum port_kind kind)
{
    for (unsigned p = 0; p < inst->num_ports; p++)
        if (inst->ports[p].kind == kind && !strcmp(inst->ports[p].name, name))
            return &inst->ports[p];
    return NULL;
}

static const lockstep_instance *find_block(const lockstep *ls, const char *name)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        if (!strcmp(ls->instances[i].block->name, name))
            return &ls->instances[i];
    return NULL;
}

bool lockstep_add_fault(lockstep *ls, const fault *f, char *err, size_t err_size)
{
    const lockstep_instance *inst = find_block(ls, f->block);
    const block_port *port = inst ? find_port(inst, f->port, f->kind) : NULL;
    char text[BLOCK_TEXT];

    fault_print(f, text, sizeof text);
    if (!inst)
        snprintf(err, err_size, "fault %s: no block %s in this run", text, f->block);
    else if (!port)
        snprintf(err, err_size, "fault %s: block %s has no such %s", text, f->block,
                 f->kind == PORT_REG ? "register" : "output");
    else if (f->bit >= port->width)
        snprintf(err, err_size, "fault %s: it is %u bits wide", text, port->width);
    else if (ls->num_faults == LOCKSTEP_MAX_FAULTS)
        snprintf(err, err_size, "more than %d faults in one run", LOCKSTEP_MAX_FAULTS);
    else {
        ls->faults[ls->num_faults++] = *f;
        return true;
    }
    return false;
}

unsigned lockstep_param(const lockstep *ls, const char *name, unsigned fallback)
{
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];
        block_param params[32];
        const unsigned n = inst->block->model->list_params(&inst->cfg, params, 32);

        for (unsigned p = 0; p < n; p++)
            if (!strcmp(params[p].name, name))
                return params[p].value;
    }
    return fallback;
}

/* ---- comparing ------------------------------------------------------------------- */

static void record_mismatch(lockstep *ls, const lockstep_instance *inst, const block_port *port,
                            uint64_t cycle, uint64_t expected, uint64_t actual)
{
    if (ls->mismatch.found)
        return;
    ls->mismatch = (lockstep_mismatch){.found = true,
                                       .instance = inst,
                                       .port = port,
                                       .index = ls->index,
                                       .cycle = cycle,
                                       .expected = expected,
                                       .actual = actual};
}

/* false at the first port of `kind` that differs. */
static bool compare_ports(lockstep *ls, const lockstep_instance *inst, enum port_kind kind,
                          const void *model, const void *rtl, uint64_t cycle)
{
    for (unsigned p = 0; p < inst->num_ports; p++) {
        const block_port *port = &inst->ports[p];
        uint64_t expected, actual;

        if (port->kind != kind)
            continue;
        expected = block_port_get(port, model);
        actual = block_port_get(port, rtl);
        if (expected != actual) {
            record_mismatch(ls, inst, port, cycle, expected, actual);
            return false;
        }
    }
    return true;
}

static bool check_assertion(lockstep *ls, lockstep_instance *inst, uint64_t cycle)
{
    const bool loaded = inst->loaded;
    const char *text;

    inst->loaded = false;
    if (!rtl_assertion_pending)
        return true;
    text = inst->block->rtl->assertion(inst->rtl);
    if (loaded)
        return true;
    if (!ls->mismatch.found) {
        record_mismatch(ls, inst, NULL, cycle, 0, 0);
        snprintf(ls->mismatch.text, sizeof ls->mismatch.text, "%s", text ? text : "unknown place");
    }
    return false;
}

/* ---- faults ---------------------------------------------------------------------- */

static bool fault_due(const lockstep *ls)
{
    for (unsigned f = 0; f < ls->num_faults; f++)
        if (ls->faults[f].index == ls->index)
            return true;
    return false;
}

/* Flips what is due in `values`, which holds the ports of `kind`; true when it did. */
static bool apply_faults(const lockstep *ls, const lockstep_instance *inst, bool in_rtl,
                         enum port_kind kind, void *values)
{
    bool changed = false;

    for (unsigned i = 0; i < ls->num_faults; i++) {
        const fault *f = &ls->faults[i];
        const block_port *port;

        if (f->index != ls->index || f->in_rtl != in_rtl || f->kind != kind ||
            strcmp(f->block, inst->block->name) != 0)
            continue;
        port = find_port(inst, f->port, kind);
        block_port_set(port, values, block_port_get(port, values) ^ UINT64_C(1) << f->bit);
        changed = true;
    }
    return changed;
}

/* ---- a cycle --------------------------------------------------------------------- */

static void log_decision(lockstep *ls, lockstep_instance *inst, uint64_t cycle)
{
    if (!ls->observer.decision)
        return;
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        const lockstep_view *view = &inst->view[side];
        char text[BLOCK_TEXT];

        if (inst->block->model->describe(text, sizeof text, &inst->decision_count[side], &view->before,
                                         &inst->in, &view->out, &view->after))
            ls->observer.decision(ls->observer.self, (enum lockstep_side)side, inst->block, cycle, text);
    }
}

static bool careful_cycle(lockstep *ls, lockstep_instance *inst, const lockstep_values *before,
                          bool decides, uint64_t cycle)
{
    const block_rtl *rtl = inst->block->rtl;
    lockstep_view *model_view = &inst->view[SIDE_MODEL], *rtl_view = &inst->view[SIDE_RTL];
    bool equal;

    apply_faults(ls, inst, false, PORT_OUT, &inst->out);
    apply_faults(ls, inst, false, PORT_REG, inst->state);
    model_view->before = *before;
    model_view->out = inst->out;
    model_view->after = *inst->state;

    rtl->registers(inst->rtl, &rtl_view->before);
    rtl->settle(inst->rtl, &inst->in);
    rtl->outputs(inst->rtl, &rtl_view->out);
    apply_faults(ls, inst, true, PORT_OUT, &rtl_view->out);
    rtl->edge(inst->rtl);
    rtl->registers(inst->rtl, &rtl_view->after);
    if (apply_faults(ls, inst, true, PORT_REG, &rtl_view->after))
        rtl->load(inst->rtl, &rtl_view->after);

    equal = compare_ports(ls, inst, PORT_OUT, &model_view->out, &rtl_view->out, cycle) &&
            compare_ports(ls, inst, PORT_REG, &model_view->after, &rtl_view->after, cycle);
    if (decides)
        log_decision(ls, inst, cycle);
    return check_assertion(ls, inst, cycle) && equal;
}

/* Returns the registers from before the edge. */
static inline const lockstep_values *model_cycle(lockstep_instance *inst, const sm_obs *obs, bool *decides)
{
    const lockstep_values *before = inst->state;

    inst->state = &inst->registers[before == &inst->registers[0]];
    *decides = inst->block->model->cycle(before, inst->state, &inst->cfg, obs, inst->needs, &inst->in,
                                         &inst->out);
    return before;
}

void lockstep_models(lockstep *ls, const sm_obs *obs)
{
    bool decides;

    for (unsigned i = 0; i < ls->num_instances; i++)
        model_cycle(&ls->instances[i], obs, &decides);
}

bool lockstep_cycle(lockstep *ls, const sm_obs *obs, uint64_t cycle)
{
    const bool careful = ls->careful || (ls->num_faults && fault_due(ls));
    bool ok = true;

    for (unsigned i = 0; i < ls->num_instances; i++) {
        lockstep_instance *inst = &ls->instances[i];
        bool decides;
        const lockstep_values *before = model_cycle(inst, obs, &decides);

        if (careful || decides)
            ok &= careful_cycle(ls, inst, before, decides, cycle);
        else if (!inst->block->rtl->cycle_equal(inst->rtl, &inst->in, &inst->out, inst->state)) {
            record_mismatch(ls, inst, NULL, cycle, 0, 0);
            ok = false;
        }
    }
    if (careful && ls->observer.cycle)
        ls->observer.cycle(ls->observer.self, ls, obs, cycle);
    ls->index++;
    return ok;
}

void lockstep_load(lockstep_instance *inst, const void *state)
{
    memcpy(inst->state, state, inst->block->model->state_size);
    inst->block->rtl->load(inst->rtl, state);
    inst->loaded = true;
}

bool lockstep_reset(lockstep *ls)
{
    bool ok = true;

    ls->index = 0;
    ls->mismatch.found = false;
    if (rtl_assertion_pending && ls->num_instances) /* of an earlier run */
        ls->instances[0].block->rtl->assertion(ls->instances[0].rtl);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        lockstep_instance *inst = &ls->instances[i];
        lockstep_values registers;

        inst->block->model->reset(inst->state, &inst->cfg);
        memset(&inst->in, 0, sizeof inst->in);
        memset(&inst->out, 0, sizeof inst->out);
        memset(inst->decision_count, 0, sizeof inst->decision_count);
        inst->block->rtl->reset(inst->rtl);
        inst->block->rtl->registers(inst->rtl, &registers);
        ok &= compare_ports(ls, inst, PORT_REG, inst->state, &registers, 0);
        ok &= check_assertion(ls, inst, 0);
    }
    return ok;
}

static unsigned controller_output(const lockstep *ls, int offset)
{
    return ls->controller && offset >= 0 ? ls->controller->out.bytes[offset] : 0;
}

unsigned lockstep_limit(const lockstep *ls)
{
    return controller_output(ls, ls->controller ? ls->controller->block->model->limit_offset : -1);
}

bool lockstep_converged(const lockstep *ls)
{
    return controller_output(ls, ls->controller ? ls->controller->block->model->done_offset : -1) != 0;
}
