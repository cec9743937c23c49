/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports were driven, but recordings hold the observation bus: of the cycle that differs a bus is looked for from which the
 * block gets just these inputs. With it, what software sets and the registers before the cycle, the reproducer of every
 * other mismatch (sim/replay) does the rest. Some inputs come from no bus, such as the end of an epoch that another block
 * does not report.
 */
#include "fuzz/finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/session_private.h"

enum { MAX_SETTINGS = 64, SETTING_TEXT = 96 };

typedef struct replayed {
    lockstep ls; /* with the blocks as they are: the one in question last */
    const block *blocks[LOCKSTEP_MAX_BLOCKS + 1];
    unsigned num_blocks;
    sm_kept bus[FUZZ_MAX_SMS];
    const sm_obs *buses[FUZZ_MAX_SMS];
    char text[MAX_SETTINGS][SETTING_TEXT];
    const char *settings[MAX_SETTINGS];
    unsigned num_settings;
} replayed;

static void add_block(replayed *r, const block *b)
{
    for (const char *const *need = b->model->needs; *need; need++) {
        const block *needed = block_find(*need);
        bool there = false;

        for (unsigned i = 0; i < r->num_blocks; i++)
            there |= r->blocks[i] == needed;
        if (needed && !there)
            add_block(r, needed);
    }
    r->blocks[r->num_blocks++] = b;
}

static const lockstep_instance *last(const replayed *r)
{
    return &r->ls.instances[r->ls.num_instances - 1];
}

/* What differs from the defaults. */
static void add_settings(replayed *r, const lockstep_instance *found)
{
    for (unsigned p = 0; p < found->ports.num && r->num_settings < MAX_SETTINGS; p++) {
        const block_port *port = &found->ports.ports[p];
        char *text = r->text[r->num_settings];

        if (!port->setting || block_port_get(port, found->in) == block_port_get(port, found->settings))
            continue;
        snprintf(text, SETTING_TEXT, "%s.%s=%" PRIu64, found->block->name, port->name, block_port_get(port, found->in));
        r->settings[r->num_settings++] = text;
    }
}

/* ---- a bus that gives these inputs --------------------------------------------------- */

static uint64_t input(const lockstep_instance *inst, unsigned sm, const char *name)
{
    char full[PORT_NAME + 16];
    const block_port *port;

    snprintf(full, sizeof full, "%s_i", name);
    port = port_find(&inst->ports, full);
    if (!port) {
        snprintf(full, sizeof full, "sm[%u].%s_i", sm, name);
        port = port_find(&inst->ports, full);
    }
    return port ? block_port_get(port, inst->in) : 0;
}

/* Warp i issues for lane i's CTA slot. */
static void issue(sm_kept *bus, const lockstep_instance *inst, unsigned sm, unsigned slots)
{
    const uint64_t valid = input(inst, sm, "issue_valid"), slot = input(inst, sm, "issue_slot");
    unsigned width = 1, warp = 0;

    while ((slots - 1) >> width)
        width++;
    for (unsigned lane = 0; valid >> lane; lane++) {
        if (!(valid >> lane & 1))
            continue;
        bus->setup.warp_slot[warp] = (uint8_t)(slot >> lane * width & ((1u << width) - 1));
        sm_obs_set_warp_state(&bus->obs, warp++, BALLAST_WARP_ISSUED_ALU);
    }
}

/* A recording has a kernel with room for a CTA, or none. A block that reads no more than the warps of a CTA may have any. */
static ballast_kernel_desc kernel_of_ports(const lockstep_instance *inst, unsigned sm)
{
    const unsigned nmax = (unsigned)input(inst, sm, "nmax"), wcta = (unsigned)input(inst, sm, "wcta");

    if (!nmax && !wcta)
        return (ballast_kernel_desc){.nmax = 0};
    return (ballast_kernel_desc){.grid_ctas = 1, .threads_per_cta = 32, .nmax = (uint8_t)(nmax ? nmax : 1),
                                 .warps_per_cta = (uint8_t)(wcta ? wcta : 1)};
}

static void bus_of_ports(sm_kept *bus, const lockstep_instance *inst, unsigned sm, unsigned slots)
{
    bus->setup = (sm_setup){.kernel = kernel_of_ports(inst, sm)};
    bus->obs = (sm_obs){
        .setup = &bus->setup,
        .ws = {input(inst, sm, "ws0"), input(inst, sm, "ws1"), input(inst, sm, "ws2"), input(inst, sm, "ws3")},
        .paused = input(inst, sm, "paused"),
        .cta_active = (uint32_t)input(inst, sm, "cta_active"),
        .cta_start = (uint32_t)input(inst, sm, "cta_start"),
        .cta_done = (uint32_t)input(inst, sm, "cta_done"),
        .cta_denied = (uint8_t)(input(inst, sm, "cta_denied") | input(inst, sm, "denied")),
        .kernel_start = (uint8_t)input(inst, sm, "kernel_start"),
    };

    issue(bus, inst, sm, slots);
}

/* Everything that the block reads, from this bus and the blocks before it. */
static bool gives_these_inputs(replayed *r, const lockstep_instance *found)
{
    const lockstep_instance *inst = last(r);

    lockstep_models(&r->ls, r->buses);
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind == PORT_IN && block_port_get(port, inst->in) != block_port_get(port, found->in))
            return false;
    }
    return true;
}

/* A block that reads a class of the cycle wants warps in some state. */
static bool find_bus(replayed *r, const lockstep_instance *found)
{
    const unsigned slots = lockstep_param(&r->ls, "NumSlots", 2), warps = lockstep_param(&r->ls, "NumWarps", 1);

    for (unsigned state = 0; state < BALLAST_WARP_STATES; state++) {
        for (unsigned sm = 0; sm < r->ls.num_sms; sm++) {
            bus_of_ports(&r->bus[sm], found, sm, slots);
            for (unsigned warp = 0; state && warp < warps; warp++)
                sm_obs_set_warp_state(&r->bus[sm].obs, warp, state);
        }
        if (gives_these_inputs(r, found))
            return true;
    }
    return false;
}

/* ---- the recording ------------------------------------------------------------------- */

static void take_over_mismatch(replayed *r, const lockstep *found)
{
    lockstep_instance *inst = &r->ls.instances[r->ls.num_instances - 1];
    const lockstep_instance *was = &found->instances[0];

    r->ls.index = found->index ? found->index - 1 : 0; /* the cycle is over */
    r->ls.mismatch = found->mismatch;
    r->ls.mismatch.instance = inst;
    if (found->mismatch.port)
        r->ls.mismatch.port = inst->ports.ports + (found->mismatch.port - was->ports.ports);
    memcpy(inst->in, was->in, inst->sizes.in);
    memcpy(inst->view[SIDE_MODEL].before, was->view[SIDE_MODEL].before, inst->sizes.state);
}

static void write_recording(replayed *r, const lockstep *found, const char *prefix, const char *program, FILE *out)
{
    trace_meta meta = {.geometry = {.warps = (uint16_t)lockstep_param(&r->ls, "NumWarps", BALLAST_MAX_WARPS),
                                    .slots = (uint16_t)lockstep_param(&r->ls, "NumSlots", 8),
                                    .sms = (uint16_t)r->ls.num_sms,
                                    .issue_width = 2},
                       .kernel = "fuzz", .config = "a cycle that fuzzing found", .recorder = "ballast fuzz"};
    const session_options options = {.blocks = r->blocks, .seed = 1, .faults = found->faults,
                                     .num_faults = found->num_faults, .settings = r->settings,
                                     .num_settings = r->num_settings, .explain_prefix = prefix, .program = program,
                                     .meta = &meta};
    recorder rec;

    take_over_mismatch(r, found);
    if (!recorder_open(&rec, &r->ls)) {
        fprintf(out, "No recording: out of memory\n");
        return;
    }
    recorder_add(&rec, &r->ls, r->buses, 0);
    reproduce(&options, &r->ls, &rec, out);
    recorder_close(&rec);
}

static void try_recording(replayed *r, fuzz_block *f, const char *prefix, const char *program, FILE *out)
{
    const lockstep *found = &f->ls;
    const lockstep_instance *inst = &found->instances[0];
    char err[512];
    bool carried;

    add_block(r, f->real);
    add_settings(r, inst);
    if (!lockstep_open(&r->ls, r->blocks, 0, 1, err, sizeof err)) {
        fprintf(out, "No recording: %s\n", err);
        return;
    }
    for (unsigned s = 0; s < r->num_settings; s++)
        if (!lockstep_set(&r->ls, r->settings[s], err, sizeof err))
            fprintf(out, "%s\n", err);
    lockstep_reset(&r->ls);
    for (unsigned sm = 0; sm < FUZZ_MAX_SMS; sm++)
        r->buses[sm] = &r->bus[sm].obs;
    for (unsigned sm = 0; fuzz_block_bus(f) && sm < FUZZ_MAX_SMS; sm++)
        sm_keep(&r->bus[sm], &fuzz_block_bus(f)[sm].obs);
    carried = fuzz_block_bus(f) ? gives_these_inputs(r, inst) : find_bus(r, inst);
    if (carried)
        write_recording(r, found, prefix, program, out);
    else
        fprintf(out, "No recording: no observation bus gives the block these inputs; replay the input itself.\n");
    lockstep_close(&r->ls);
}

/* ---- in words ------------------------------------------------------------------------ */

static void print_mismatch(const fuzz_block *f, FILE *out)
{
    const lockstep *ls = &f->ls;
    const lockstep_mismatch *m = &ls->mismatch;
    char name[PORT_NAME + 4] = "an assertion";

    if (m->port)
        port_full_name(m->port, name, sizeof name);
    fprintf(out, "FOUND %s: cycle %" PRIu64 " of the input, %" PRIu64 " after reset: ", f->real->name,
            f->cycles, m->index);
    if (m->port)
        fprintf(out, "%s: model %" PRIu64 ", RTL %" PRIu64 "\n", name, m->expected, m->actual);
    else
        fprintf(out, "%s failed: %s\n", name, m->text);
}

static void print_inputs(const lockstep_instance *inst, FILE *out)
{
    fprintf(out, "inputs that are not 0:");
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind == PORT_IN && block_port_get(port, inst->in))
            fprintf(out, " %s=0x%" PRIx64, port->name, block_port_get(port, inst->in));
    }
    fprintf(out, "\n");
}

void fuzz_explain(fuzz_block *f, const uint8_t *data, size_t size, const char *prefix, const char *program, FILE *out)
{
    replayed *r = calloc(1, sizeof *r);

    if (fuzz_block_run_closely(f, data, size)) {
        fprintf(out, "FOUND %s: a difference that a second run of the same input does not show: the RTL remembers something "
                     "that reset and its registers do not hold\n", f->real->name);
    } else {
        print_mismatch(f, out);
        print_inputs(&f->ls.instances[0], out);
        /* A difference in the reset itself has no cycle to record. */
        if (r && prefix && f->ls.index > 0)
            try_recording(r, f, prefix, program, out);
    }
    free(r);
    fflush(out);
}
