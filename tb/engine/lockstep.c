/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/decision.h"
#include "engine/ranges.h"
#include "engine/setting.h"
#include "engine/stir.h"

const char *const lockstep_side_names[LOCKSTEP_SIDES] = {"model", "rtl"};

/* ---- setting up ------------------------------------------------------------------ */

/* The instance of this variant or, `any`, of any variant of this block. */
static const lockstep_instance *find_block(const lockstep *ls, const char *name, bool any)
{
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const block *b = ls->instances[i].block;

        if (!strcmp(any ? b->model->block_name : b->name, name))
            return &ls->instances[i];
    }
    return NULL;
}

static bool resolve_needs(const lockstep *ls, lockstep_instance *inst, char *err, size_t err_size)
{
    const char *const *needs = inst->block->model->needs;

    for (unsigned i = 0; needs[i]; i++) {
        const lockstep_instance *other = find_block(ls, needs[i], true);

        if (!other || i == BLOCK_MAX_NEEDS) {
            snprintf(err, err_size, "block %s reads the outputs of %s: name it before, e.g. --block %s,%s",
                     inst->block->name, needs[i], needs[i], inst->block->name);
            return false;
        }
        inst->needs[i] = other->out;
    }
    return true;
}

static unsigned count_comparisons(const port_list *ports)
{
    unsigned n = 0;

    for (unsigned p = 0; p < ports->num; p++)
        n += ports->ports[p].kind != PORT_IN;
    return n;
}

/* Every struct on a cache line of its own. */
static void *take(unsigned char **from, size_t size)
{
    void *taken = *from;

    *from += (size + 63) / 64 * 64;
    return taken;
}

static bool allocate(lockstep_instance *inst)
{
    const block_sizes *size = &inst->sizes;
    unsigned char *from = calloc(1, 4 * (size->in + size->out + 64) + 6 * (size->state + 64));

    inst->memory = from;
    if (!from)
        return false;
    inst->settings = take(&from, size->in);
    inst->in = take(&from, size->in);
    inst->out = take(&from, size->out);
    for (int i = 0; i < 2; i++)
        inst->registers[i] = take(&from, size->state);
    inst->state = inst->registers[0];
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        inst->view[side].before = take(&from, size->state);
        inst->view[side].out = take(&from, size->out);
        inst->view[side].after = take(&from, size->state);
    }
    return true;
}

static void close_instance(lockstep_instance *inst)
{
    if (inst->rtl)
        inst->block->rtl->destroy(inst->rtl);
    port_list_free(&inst->ports);
    free(inst->memory);
    memset(inst, 0, sizeof *inst);
}

/* Everything but the RTL. */
static bool open_model(const lockstep *ls, lockstep_instance *inst, char *err, size_t err_size)
{
    const block_model *model = inst->block->model;
    char bad[64];

    model->configure(&inst->cfg, inst->block->params, bad, sizeof bad);
    if (bad[0]) {
        snprintf(err, err_size, "block %s: parameter '%s' is not known to its model", inst->block->name, bad);
        return false;
    }
    inst->sizes = model->sizes(&inst->cfg);
    model->list_ports(&inst->cfg, &inst->ports);
    if (inst->ports.failed || !allocate(inst)) {
        snprintf(err, err_size, "out of memory");
        return false;
    }
    model->defaults(inst->settings);
    memcpy(inst->in, inst->settings, inst->sizes.in);
    return resolve_needs(ls, inst, err, err_size);
}

/* A block made of others speaks for them. */
static bool has_parts(const lockstep_instance *inst)
{
    for (unsigned p = 0; p < inst->ports.num; p++)
        if (port_is_part_register(&inst->ports.ports[p]))
            return true;
    return false;
}

static bool add_instance(lockstep *ls, const block *blk, uint32_t seed, char *err, size_t err_size)
{
    lockstep_instance *inst = &ls->instances[ls->num_instances];

    if (ls->num_instances == LOCKSTEP_MAX_BLOCKS) {
        snprintf(err, err_size, "more than %d blocks in one run", LOCKSTEP_MAX_BLOCKS);
        return false;
    }
    if (ls->num_instances && (blk->rtl->play || ls->instances[0].block->rtl->play)) {
        snprintf(err, err_size, "block %s runs in a simulator of its own: one block in a run", blk->name);
        return false;
    }
    memset(inst, 0, sizeof *inst);
    inst->block = blk;
    if (!open_model(ls, inst, err, err_size)) {
        close_instance(inst);
        return false;
    }
    inst->comparisons = count_comparisons(&inst->ports);
    inst->rtl = blk->rtl->create(seed + ls->num_instances, &inst->cfg, &inst->ports);
    ls->comparisons += inst->comparisons;
    ls->num_instances++;
    if (blk->model->limit_offset >= 0 && (!ls->controller || has_parts(inst)))
        ls->controller = inst;
    if (blk->model->sees_all_sms)
        ls->num_sms = lockstep_param(ls, "NumSms", 1);
    return true;
}

bool lockstep_open(lockstep *ls, const block *const *blocks, unsigned sm, uint32_t seed, char *err,
                   size_t err_size)
{
    memset(ls, 0, sizeof *ls);
    ls->sm = sm;
    ls->num_sms = 1;
    ls->taken = calloc(1, sizeof *ls->taken);
    if (!ls->taken) {
        snprintf(err, err_size, "out of memory");
        return false;
    }
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
        close_instance(&ls->instances[i]);
    if (ls->taken)
        decisions_free(ls->taken);
    free(ls->taken);
    ls->taken = NULL;
    ls->num_instances = 0;
}

bool lockstep_add_fault(lockstep *ls, const fault *f, char *err, size_t err_size)
{
    const lockstep_instance *inst = find_block(ls, f->block, false);
    const block_port *port = inst ? port_find(&inst->ports, f->port) : NULL;
    char text[BLOCK_TEXT];

    fault_print(f, text, sizeof text);
    if (!inst)
        snprintf(err, err_size, "fault %s: no block %s in this run", text, f->block);
    else if (!port)
        snprintf(err, err_size, "fault %s: block %s has no such %s", text, f->block,
                 fault_kind(f) == PORT_REG ? "register" : "output");
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
        block_param params[BLOCK_MAX_PARAMS];
        const unsigned n = inst->block->model->list_params(&inst->cfg, params, BLOCK_MAX_PARAMS);

        for (unsigned p = 0; p < n; p++)
            if (!strcmp(params[p].name, name))
                return params[p].value;
    }
    return fallback;
}

/* ---- what software sets ------------------------------------------------------------ */

bool lockstep_set(lockstep *ls, const char *text, char *err, size_t err_size)
{
    const lockstep_instance *inst;
    setting s;

    if (!setting_read(&s, text, err, err_size))
        return false;
    inst = find_block(ls, s.block, false);
    if (inst)
        return setting_apply(&s, &inst->ports, inst->settings, err, err_size);
    snprintf(err, err_size, "setting %s: no block %s in this run", text, s.block);
    return false;
}

void lockstep_name_where(unsigned num_sms, unsigned sm, char *text, size_t size)
{
    if (num_sms > 1)
        snprintf(text, size, "chip");
    else
        snprintf(text, size, "SM%u", sm);
}

void lockstep_where(const lockstep *ls, char *text, size_t size)
{
    lockstep_name_where(ls->num_sms, ls->sm, text, size);
}

/* ---- comparing ------------------------------------------------------------------- */

static void record_mismatch(lockstep *ls, const lockstep_instance *inst, const block_port *port,
                            uint64_t cycle, uint64_t expected, uint64_t actual, uint64_t unknown)
{
    if (ls->mismatch.found)
        return;
    ls->mismatch = (lockstep_mismatch){.found = true,
                                       .instance = inst,
                                       .port = port,
                                       .index = ls->index,
                                       .cycle = cycle,
                                       .expected = expected,
                                       .actual = actual,
                                       .unknown = unknown};
}

uint64_t lockstep_unknown(const lockstep_instance *inst, unsigned port)
{
    const block_rtl *rtl = inst->block->rtl;

    return rtl->unknown ? rtl->unknown(inst->rtl, port) : 0;
}

/* false at the first port of `kind` that differs. */
static bool compare_ports(lockstep *ls, const lockstep_instance *inst, enum port_kind kind,
                          const void *model, const void *rtl, uint64_t cycle)
{
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        uint64_t expected, actual, unknown;

        if (port->kind != kind)
            continue;
        expected = block_port_get(port, model);
        actual = block_port_get(port, rtl);
        unknown = lockstep_unknown(inst, p);
        if (unknown || expected != actual) {
            record_mismatch(ls, inst, port, cycle, expected, actual, unknown);
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
        record_mismatch(ls, inst, NULL, cycle, 0, 0, 0);
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

        if (f->index != ls->index || f->in_rtl != in_rtl || strcmp(f->block, inst->block->name) != 0)
            continue;
        port = port_find(&inst->ports, f->port);
        if (port->kind != kind)
            continue;
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

        decisions_clear(ls->taken);
        inst->block->model->describe(ls->taken, &inst->decision_count[side], &inst->cfg, view->before, inst->in,
                                     view->out, view->after);
        if (ls->taken->num || ls->taken->failed)
            ls->observer.decision(ls->observer.self, (enum lockstep_side)side, inst->block, cycle, ls->taken);
    }
}

bool lockstep_judge(lockstep *ls, lockstep_instance *inst, const void *before, bool decides, uint64_t cycle)
{
    const lockstep_view *model_view = &inst->view[SIDE_MODEL], *rtl_view = &inst->view[SIDE_RTL];
    bool equal;

    apply_faults(ls, inst, false, PORT_OUT, inst->out);
    apply_faults(ls, inst, false, PORT_REG, inst->state);
    memcpy(model_view->before, before, inst->sizes.state);
    memcpy(model_view->out, inst->out, inst->sizes.out);
    memcpy(model_view->after, inst->state, inst->sizes.state);
    apply_faults(ls, inst, true, PORT_OUT, rtl_view->out);
    if (apply_faults(ls, inst, true, PORT_REG, rtl_view->after))
        inst->block->rtl->load(inst->rtl, rtl_view->after);

    equal = compare_ports(ls, inst, PORT_OUT, model_view->out, rtl_view->out, cycle) &&
            compare_ports(ls, inst, PORT_REG, model_view->after, rtl_view->after, cycle);
    if (decides)
        log_decision(ls, inst, cycle);
    return check_assertion(ls, inst, cycle) && equal;
}

void lockstep_cycle_done(lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    if (ls->observer.cycle)
        ls->observer.cycle(ls->observer.self, ls, obs, cycle);
    ls->index++;
}

static bool careful_cycle(lockstep *ls, lockstep_instance *inst, const void *before, bool decides,
                          uint64_t cycle)
{
    const block_rtl *rtl = inst->block->rtl;
    const lockstep_view *view = &inst->view[SIDE_RTL];

    rtl->registers(inst->rtl, view->before);
    rtl->settle(inst->rtl, inst->in);
    rtl->outputs(inst->rtl, view->out);
    rtl->edge(inst->rtl);
    rtl->registers(inst->rtl, view->after);
    return lockstep_judge(ls, inst, before, decides, cycle);
}

/* block_model.cycle with inputs that the block does not read at random: nothing may hang on them. */
static bool stirred_cycle(lockstep *ls, lockstep_instance *inst, const void *before, const sm_obs *const *obs)
{
    const block_model *model = inst->block->model;

    memcpy(inst->state, before, inst->sizes.state);
    model->bind(inst->in, &inst->cfg, obs, inst->needs);
    ranges_stir(model, &inst->cfg, &inst->ports, inst->in, &ls->stir);
    model->step(inst->state, &inst->cfg, inst->in, inst->out);
    return model->decides(&inst->cfg, before, inst->in, inst->out, inst->state);
}

/* Returns the registers from before the edge. */
static inline const void *model_cycle(lockstep *ls, lockstep_instance *inst, const sm_obs *const *obs, bool *decides)
{
    const void *before = inst->state;

    inst->state = inst->registers[before == inst->registers[0]];
    if (ls->stir)
        *decides = stirred_cycle(ls, inst, before, obs);
    else
        *decides = inst->block->model->cycle(before, inst->state, &inst->cfg, obs, inst->needs, inst->in, inst->out);
    return before;
}

void lockstep_models(lockstep *ls, const sm_obs *const *obs)
{
    bool decides;

    for (unsigned i = 0; i < ls->num_instances; i++)
        model_cycle(ls, &ls->instances[i], obs, &decides);
}

bool lockstep_cycle_all(lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    const bool careful = ls->careful || (ls->num_faults && fault_due(ls));
    bool ok = true;

    if (ls->stir)
        stir_settings(ls);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        lockstep_instance *inst = &ls->instances[i];
        bool decides;
        const void *before = model_cycle(ls, inst, obs, &decides);

        if (careful || decides)
            ok &= careful_cycle(ls, inst, before, decides, cycle);
        else if (!inst->block->rtl->cycle_equal(inst->rtl, inst->in, inst->out, inst->state)) {
            record_mismatch(ls, inst, NULL, cycle, 0, 0, 0);
            ok = false;
        }
    }
    if (careful)
        lockstep_cycle_done(ls, obs, cycle);
    else
        ls->index++;
    return ok;
}

bool lockstep_cycle(lockstep *ls, const sm_obs *obs, uint64_t cycle)
{
    return lockstep_cycle_all(ls, &obs, cycle);
}

void lockstep_load(lockstep_instance *inst, const void *state)
{
    memcpy(inst->state, state, inst->sizes.state);
    inst->block->rtl->load(inst->rtl, state);
    inst->loaded = true;
}

bool lockstep_reset(lockstep *ls)
{
    bool ok = true;

    ls->index = 0;
    ls->stir = ls->stir_seed;
    ls->mismatch.found = false;
    if (rtl_assertion_pending && ls->num_instances) /* of an earlier run */
        ls->instances[0].block->rtl->assertion(ls->instances[0].rtl);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        lockstep_instance *inst = &ls->instances[i];

        inst->block->model->reset(inst->state, &inst->cfg);
        memcpy(inst->in, inst->settings, inst->sizes.in);
        memset(inst->out, 0, inst->sizes.out);
        memset(inst->decision_count, 0, sizeof inst->decision_count);
        inst->block->rtl->reset(inst->rtl);
        inst->block->rtl->registers(inst->rtl, inst->view[SIDE_RTL].after);
        ok &= compare_ports(ls, inst, PORT_REG, inst->state, inst->view[SIDE_RTL].after, 0);
        ok &= check_assertion(ls, inst, 0);
    }
    return ok;
}

/* ---- the controller ---------------------------------------------------------------- */

static const uint8_t *controller_output(const lockstep *ls, int offset)
{
    return offset >= 0 ? (const uint8_t *)ls->controller->out + offset : NULL;
}

feedback lockstep_feedback(const lockstep *ls)
{
    const block_model *model = ls->controller ? ls->controller->block->model : NULL;
    const uint8_t *done = model ? controller_output(ls, model->done_offset) : NULL;

    if (!model)
        return (feedback){.out = NULL};
    return (feedback){ls->controller->out, controller_output(ls, model->limit_offset), model->limit_stride, done && *done};
}

const sm_obs *const *lockstep_next(const lockstep *ls, const stimulus *s)
{
    const feedback last = ls->index ? lockstep_feedback(ls) : (feedback){.out = NULL};

    // cppcheck-suppress returnDanglingLifetime ; what comes back is the stimulus's own
    return s->next(s->self, &last);
}
