/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/block_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/ranges.h"

enum { WATCHED = 2 }; /* cycles of a record that are watched, but for its last */

/* block_model.cycle has no context of its own. */
static fuzz_block *current;

static bool cycle(const void *before, void *after, const void *cfg, const sm_obs *const *obs, const void *const *needs,
                  void *in, void *out)
{
    const block_model *real = current->real->model;

    memcpy(after, before, current->ls.instances[0].sizes.state);
    if (current->fields == &current->bus_fields)
        real->bind(in, cfg, obs, needs);
    ranges_keep(real, cfg, &current->ls.instances[0].ports, in);
    real->step(after, cfg, in, out);
    return real->decides(cfg, before, in, out, after);
}

/* ---- life ------------------------------------------------------------------------- */

static bool open_fields(fuzz_block *f, char *err, size_t err_size)
{
    const bool alone = !f->real->model->needs[0];

    if (f->ls.num_sms > FUZZ_MAX_SMS) {
        snprintf(err, err_size, "%s has %u SMs, fuzzing copes with %d", f->real->name, f->ls.num_sms, FUZZ_MAX_SMS);
        return false;
    }
    if (!fuzz_fields_ports(&f->ports, &f->ls) || (alone && !fuzz_fields_bus(&f->bus_fields, &f->ls))) {
        snprintf(err, err_size, "%s has more than %d inputs", f->real->name, FUZZ_MAX_FIELDS);
        return false;
    }
    return true;
}

fuzz_block *fuzz_block_open(const char *variant, char *err, size_t err_size)
{
    static const char *const none[] = {NULL};
    const block *real = block_find(variant);
    fuzz_block *f = calloc(1, sizeof *f);

    if (!real || !f) {
        snprintf(err, err_size, real ? "out of memory" : "this program has no block %s", variant);
        free(f);
        return NULL;
    }
    f->real = real;
    f->model = *real->model;
    f->model.cycle = cycle;
    f->model.needs = none;
    f->driven = (block){real->name, real->params, &f->model, real->rtl};
    if (!lockstep_open(&f->ls, (const block *const[]){&f->driven, NULL}, 0, 1, err, err_size)) {
        free(f);
        return NULL;
    }
    f->inputs = calloc(1, f->ls.instances[0].sizes.in);
    f->slots = lockstep_param(&f->ls, "NumSlots", BALLAST_MAX_SLOTS);
    for (unsigned sm = 0; sm < FUZZ_MAX_SMS; sm++)
        f->buses[sm] = &f->bus[sm].obs;
    if (!f->inputs || !open_fields(f, err, err_size)) {
        fuzz_block_close(f);
        return NULL;
    }
    return f;
}

void fuzz_block_close(fuzz_block *f)
{
    lockstep_close(&f->ls);
    free(f->inputs);
    free(f);
}

/* ---- values ------------------------------------------------------------------------- */

static void *base_of(fuzz_block *f, const fuzz_field *field)
{
    switch (field->place) {
    case FUZZ_BUS: return &f->bus[field->sm];
    case FUZZ_MAP: return &f->map[field->sm];
    default: return f->ls.instances[0].in;
    }
}

static void set_field(fuzz_block *f, const fuzz_field *field, uint64_t value)
{
    block_port_set(&field->port, base_of(f, field), value);
    if (field->place == FUZZ_MAP)
        fuzz_map_warps(&f->bus[field->sm].setup, f->map[field->sm], f->slots);
}

static void set_noise(fuzz_block *f, unsigned field, bool on, unsigned density)
{
    f->num_noise = f->num_noise + on - f->noise[field];
    f->noise[field] = on;
    f->density[field] = density;
}

static void change_field(fuzz_block *f, const fuzz_change *change)
{
    const fuzz_field *field = &f->fields->field[change->field];

    set_noise(f, change->field, change->how == FUZZ_NOISE && !change->pulse, change->amount);
    set_field(f, field, fuzz_changed(change, field, block_port_get(&field->port, base_of(f, field))));
}

/* Dense for h % 4 = 3, sparse for 2, half and half otherwise; h / 4: how often. */
static void draw_field(fuzz_block *f, unsigned n)
{
    const unsigned h = f->density[n];
    const uint64_t a = random_next(&f->random) << 21 ^ random_next(&f->random);
    const uint64_t b = random_next(&f->random) << 21 ^ random_next(&f->random);

    if (random_next(&f->random) % (1 + h / 4) == 0)
        set_field(f, &f->fields->field[n],
                  fuzz_field_legal(&f->fields->field[n], h % 4 == 3 ? a | b : h % 4 == 2 ? a & b : a));
}

static void draw_noise(fuzz_block *f)
{
    for (unsigned n = 0; f->num_noise && n < f->fields->num; n++)
        if (f->noise[n])
            draw_field(f, n);
}

/* ---- a run -------------------------------------------------------------------------- */

/* From registers that nobody has chosen, so that one that reset forgets shows. */
static bool reset(fuzz_block *f)
{
    lockstep_instance *inst = &f->ls.instances[0];
    bool ok;

    memset(inst->view[SIDE_RTL].before, 0, inst->sizes.state);
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        const uint64_t mask = port->width < 64 ? (UINT64_C(1) << port->width) - 1 : UINT64_MAX;

        if (port->kind == PORT_REG)
            block_port_set(port, inst->view[SIDE_RTL].before, random_next(&f->random) & mask);
    }
    lockstep_load(inst, inst->view[SIDE_RTL].before);
    memcpy(f->inputs, inst->in, inst->sizes.in);
    ok = lockstep_reset(&f->ls);
    memcpy(inst->in, f->inputs, inst->sizes.in);
    return ok;
}

static bool one_cycle(fuzz_block *f, bool watched)
{
    bool ok;

    draw_noise(f);
    ok = lockstep_cycle_all(&f->ls, f->buses, f->cycles);
    f->cycles++;
    if (f->watch && watched)
        f->watch(&f->ls.instances[0]);
    return ok;
}

static bool play_cycles(fuzz_block *f, const fuzz_record *record)
{
    uint64_t was[FUZZ_MAX_CHANGES] = {0};

    for (unsigned c = 0; c < record->num_changes; c++) {
        const fuzz_field *field = &f->fields->field[record->change[c].field];

        was[c] = block_port_get(&field->port, base_of(f, field));
        change_field(f, &record->change[c]);
    }
    for (uint32_t n = 0; n < record->cycles && f->cycles < f->budget; n++) {
        if (!one_cycle(f, n < WATCHED || n == record->cycles - 1))
            return false;
        for (unsigned c = record->num_changes; n == 0 && c-- > 0;) /* the first change of a field comes back last */
            if (record->change[c].pulse)
                set_field(f, &f->fields->field[record->change[c].field], was[c]);
    }
    return true;
}

static void begin(fuzz_block *f, const uint8_t *data, size_t size)
{
    lockstep_instance *inst = &f->ls.instances[0];

    current = f;
    f->fields = size && (data[0] & 1) && f->bus_fields.num ? &f->bus_fields : &f->ports;
    memset(f->noise, 0, sizeof f->noise);
    f->num_noise = 0;
    memset(f->bus, 0, sizeof f->bus);
    for (unsigned sm = 0; sm < FUZZ_MAX_SMS; sm++)
        f->bus[sm].obs.setup = &f->bus[sm].setup;
    memset(f->map, 0, sizeof f->map);
    memset(inst->in, 0, inst->sizes.in);
    inst->block->model->defaults(inst->in);
    f->random = UINT64_C(0x9e3779b97f4a7c15) + (size ? data[0] : 0);
    f->cycles = 0;
    f->budget = FUZZ_MAX_CYCLES / f->ls.num_sms;
}

bool fuzz_block_run(fuzz_block *f, const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {.p = data, .n = size, .at = 1};
    fuzz_record record;

    begin(f, data, size);
    if (!reset(f))
        return false;
    for (uint64_t records = 0; records < f->budget && f->cycles < f->budget; records++) {
        if (!fuzz_decode(&bytes, f->fields, &record))
            break;
        if (record.reset ? !reset(f) : !play_cycles(f, &record))
            return false;
    }
    return true;
}

bool fuzz_block_run_closely(fuzz_block *f, const uint8_t *data, size_t size)
{
    bool ok;

    f->ls.careful = true;
    ok = fuzz_block_run(f, data, size);
    f->ls.careful = false;
    return ok;
}

const sm_kept *fuzz_block_bus(const fuzz_block *f)
{
    return f->fields == &f->bus_fields ? f->bus : NULL;
}
