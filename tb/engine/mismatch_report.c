/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/mismatch_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of a chip the SM that differs, if it is one of them. */
static void print_sm(FILE *out, const lockstep *ls)
{
    const lockstep_mismatch *m = &ls->mismatch;
    unsigned sm = ls->sm;

    if (!m->instance->block->model->per_chip || (m->port && sscanf(m->port->name, "sm[%u]", &sm) == 1))
        fprintf(out, " on SM%u", sm);
}

static void print_headline(FILE *out, const lockstep *ls)
{
    const lockstep_mismatch *m = &ls->mismatch;
    char name[80], expected[PORT_VALUE_TEXT], actual[PORT_VALUE_TEXT], unknown[PORT_UNKNOWN_TEXT];

    fprintf(out, "MISMATCH in %s", m->instance->block->name);
    print_sm(out, ls);
    fprintf(out, ", cycle %" PRIu64 " (cycle %" PRIu64 " of the run)\n", m->cycle, m->index);
    if (!m->port) {
        fprintf(out, "  an assertion of the RTL failed: %s\n", m->text);
        return;
    }
    port_value_text(expected, m->port, m->expected, 0);
    port_value_text(actual, m->port, m->actual, m->unknown);
    port_full_name(m->port, name, sizeof name);
    port_unknown_text(m->unknown, unknown);
    fprintf(out, "  %s %s%s %s\n", m->port->kind == PORT_OUT ? "output" : "register", name, unknown,
            m->port->kind == PORT_OUT ? "in this cycle" : "after this cycle's rising edge");
    fprintf(out, "  expected (model) %s\n  actual   (RTL)   %s\n", expected, actual);
}

/* Of a chip only what concerns the SM that differs. */
static bool shows(const lockstep *ls, const block_port *port)
{
    return port_is_near(port, ls->mismatch.port);
}

static void print_inputs(FILE *out, const lockstep *ls, const recorder *r, unsigned history)
{
    const lockstep_instance *inst = ls->mismatch.instance;
    const unsigned which = (unsigned)(inst - ls->instances);
    unsigned n = recorder_size(r) < history ? recorder_size(r) : history;

    fprintf(out, "\nInputs of %s in the last %u cycles:\n%12s", inst->block->name, n, "cycle");
    for (unsigned p = 0; p < inst->ports.num; p++)
        if (shows(ls, &inst->ports.ports[p]) && inst->ports.ports[p].kind == PORT_IN)
            fprintf(out, " %*s_i", inst->ports.ports[p].width > 8 ? 18 : 14, inst->ports.ports[p].name);
    fprintf(out, "\n");
    while (n-- > 0) {
        const recorded_cycle *c = recorder_get(r, n);

        fprintf(out, "%12" PRIu64, c->cycle);
        for (unsigned p = 0; p < inst->ports.num; p++) {
            const block_port *port = &inst->ports.ports[p];
            char text[PORT_VALUE_TEXT];

            if (port->kind != PORT_IN || !shows(ls, port))
                continue;
            port_value_text(text, port, block_port_get(port, recorder_in(r, n, which)), 0);
            fprintf(out, " %*s", port->width > 8 ? 20 : 16, text);
        }
        fprintf(out, "%s\n", n == 0 ? "  <- here" : "");
    }
}

static void print_row(FILE *out, int width, const block_port *port, const void *model, const void *rtl,
                      const void *before, uint64_t unknown)
{
    const uint64_t expected = block_port_get(port, model), actual = block_port_get(port, rtl);
    char name[80], left[PORT_VALUE_TEXT], right[PORT_VALUE_TEXT], was[PORT_VALUE_TEXT] = "";

    port_full_name(port, name, sizeof name);
    port_value_text(left, port, expected, 0);
    port_value_text(right, port, actual, unknown);
    if (before)
        port_value_text(was, port, block_port_get(port, before), 0);
    fprintf(out, "  %-*s %24s %24s %24s%s\n", width, name, was, left, right,
            unknown || expected != actual ? "   <--" : "");
}

/* Of the column of names. */
static int name_width(const lockstep *ls)
{
    const port_list *ports = &ls->mismatch.instance->ports;
    size_t width = 16;

    for (unsigned p = 0; p < ports->num; p++) {
        const size_t length = strlen(ports->ports[p].name) + strlen("_q");

        if (shows(ls, &ports->ports[p]) && length > width)
            width = length;
    }
    return (int)width;
}

static void print_side_by_side(FILE *out, const lockstep *ls)
{
    const int width = name_width(ls);
    const lockstep_instance *inst = ls->mismatch.instance;
    const lockstep_view *model = &inst->view[SIDE_MODEL], *rtl = &inst->view[SIDE_RTL];

    fprintf(out, "\n%s in this cycle:\n  %-*s %24s %24s %24s\n", inst->block->name, width, "", "before (model)",
            "model", "RTL");
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind == PORT_OUT && shows(ls, port))
            print_row(out, width, port, model->out, rtl->out, NULL, lockstep_unknown(inst, p));
        else if (port->kind == PORT_REG && shows(ls, port))
            print_row(out, width, port, model->after, rtl->after, model->before, lockstep_unknown(inst, p));
    }
}

void mismatch_report(FILE *out, const lockstep *ls, const recorder *r, unsigned history)
{
    print_headline(out, ls);
    print_side_by_side(out, ls);
    print_inputs(out, ls, r, history);
}

void mismatch_after_reset(const lockstep *ls, uint32_t seed, char *text, size_t size)
{
    const lockstep_mismatch *m = &ls->mismatch;
    char name[PORT_NAME + 4] = "an assertion failed", unknown[PORT_UNKNOWN_TEXT];

    if (m->port)
        port_full_name(m->port, name, sizeof name);
    port_unknown_text(m->unknown, unknown);
    if (m->unknown) {
        snprintf(text, size, "%s after reset: register %s%s, model %llu", m->instance->block->name, name, unknown,
                 (unsigned long long)m->expected);
        return;
    }
    snprintf(text, size, "%s differs after reset (--seed %u): %s model %llu, RTL %llu %s", m->instance->block->name, seed, name,
             (unsigned long long)m->expected, (unsigned long long)m->actual, m->text);
}
