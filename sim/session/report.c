/* SPDX-License-Identifier: Apache-2.0
 *
 * The mismatch report: what differs, what came in, both sides' values next to each other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "session/session_private.h"

enum { VALUE_TEXT = 40 };

static void value_text(char *text, const block_port *port, uint64_t value)
{
    if (port->names && value < port->num_names)
        snprintf(text, VALUE_TEXT, "%s (%" PRIu64 ")", port->names[value], value);
    else if (port->kind == PORT_IN && port->width > 8)
        snprintf(text, VALUE_TEXT, "0x%0*" PRIx64, (int)(port->width + 3) / 4, value);
    else
        snprintf(text, VALUE_TEXT, "%" PRIu64, value);
}

static const char *port_full_name(char *text, size_t size, const block_port *port)
{
    static const char suffix[] = {[PORT_IN] = 'i', [PORT_OUT] = 'o', [PORT_REG] = 'q'};

    snprintf(text, size, "%s_%c", port->name, suffix[port->kind]);
    return text;
}

static void print_headline(FILE *out, const lockstep *ls)
{
    const lockstep_mismatch *m = &ls->mismatch;
    char name[80], expected[VALUE_TEXT], actual[VALUE_TEXT];

    fprintf(out, "MISMATCH in %s on SM%u, cycle %" PRIu64 " (cycle %" PRIu64 " of the run)\n",
            m->instance->block->name, ls->sm, m->cycle, m->index);
    if (!m->port) {
        fprintf(out, "  an assertion of the RTL failed: %s\n", m->text);
        return;
    }
    value_text(expected, m->port, m->expected);
    value_text(actual, m->port, m->actual);
    fprintf(out, "  %s %s %s\n", m->port->kind == PORT_OUT ? "output" : "register",
            port_full_name(name, sizeof name, m->port),
            m->port->kind == PORT_OUT ? "in this cycle" : "after this cycle's rising edge");
    fprintf(out, "  expected (model) %s\n  actual   (RTL)   %s\n", expected, actual);
}

static unsigned instance_index(const lockstep *ls, const lockstep_instance *inst)
{
    return (unsigned)(inst - ls->instances);
}

static void print_inputs(FILE *out, const lockstep *ls, const recorder *r, unsigned history)
{
    const lockstep_instance *inst = ls->mismatch.instance;
    const unsigned which = instance_index(ls, inst);
    unsigned n = recorder_size(r) < history ? recorder_size(r) : history;

    fprintf(out, "\nInputs of %s in the last %u cycles:\n%12s", inst->block->name, n, "cycle");
    for (unsigned p = 0; p < inst->num_ports; p++)
        if (inst->ports[p].kind == PORT_IN)
            fprintf(out, " %*s_i", inst->ports[p].width > 8 ? 18 : 14, inst->ports[p].name);
    fprintf(out, "\n");
    while (n-- > 0) {
        const recorded_cycle *c = recorder_get(r, n);

        fprintf(out, "%12" PRIu64, c->cycle);
        for (unsigned p = 0; p < inst->num_ports; p++) {
            char text[VALUE_TEXT];

            if (inst->ports[p].kind != PORT_IN)
                continue;
            value_text(text, &inst->ports[p], block_port_get(&inst->ports[p], &c->in[which]));
            fprintf(out, " %*s", inst->ports[p].width > 8 ? 20 : 16, text);
        }
        fprintf(out, "%s\n", n == 0 ? "  <- here" : "");
    }
}

static void print_row(FILE *out, const block_port *port, const void *model, const void *rtl,
                      const void *before)
{
    const uint64_t expected = block_port_get(port, model), actual = block_port_get(port, rtl);
    char name[80], left[VALUE_TEXT], right[VALUE_TEXT], was[VALUE_TEXT] = "";

    value_text(left, port, expected);
    value_text(right, port, actual);
    if (before)
        value_text(was, port, block_port_get(port, before));
    fprintf(out, "  %-16s %24s %24s %24s%s\n", port_full_name(name, sizeof name, port), was, left,
            right, expected != actual ? "   <--" : "");
}

static void print_side_by_side(FILE *out, const lockstep_instance *inst)
{
    const lockstep_view *model = &inst->view[SIDE_MODEL], *rtl = &inst->view[SIDE_RTL];

    fprintf(out, "\n%s in this cycle:\n  %-16s %24s %24s %24s\n", inst->block->name, "", "before (model)",
            "model", "RTL");
    for (unsigned p = 0; p < inst->num_ports; p++) {
        if (inst->ports[p].kind == PORT_OUT)
            print_row(out, &inst->ports[p], &model->out, &rtl->out, NULL);
        else if (inst->ports[p].kind == PORT_REG)
            print_row(out, &inst->ports[p], &model->after, &rtl->after, &model->before);
    }
}

void report_mismatch(FILE *out, const lockstep *ls, const recorder *r, unsigned history)
{
    print_headline(out, ls);
    print_side_by_side(out, ls->mismatch.instance);
    print_inputs(out, ls, r, history);
}
