/* SPDX-License-Identifier: Apache-2.0
 *
 * What viewers show of a mismatch: the port that differs on top, then the inputs, then everything else, both sides next to each other.
 */
#include "wave/viewer.h"
#include "wave/wave.h"

enum { PATH = 256, NARROW = 8 };

static void print_signal(wave_page *page, const lockstep *ls, const block_port *p, const char *side, enum wave_color color)
{
    char shown[PORT_NAME + 4], name[PORT_NAME + 4], top[16], label[PORT_NAME + 16], path[PATH];

    lockstep_where(ls, top, sizeof top);
    port_full_name(p, shown, sizeof shown);
    wave_port_name(p, name, sizeof name);
    snprintf(label, sizeof label, "%s   %s", shown, side);
    snprintf(path, sizeof path, "%s.%s.%s.%s", top, ls->mismatch.instance->block->name, side, name);
    page->viewer->signal(page, &(wave_signal){.label = label, .path = path, .width = p->width, .format = wave_format_of(p, NARROW), .color = color});
}

static void print_pair(wave_page *page, const lockstep *ls, const block_port *p)
{
    print_signal(page, ls, p, lockstep_side_names[SIDE_RTL], WAVE_RTL);
    print_signal(page, ls, p, lockstep_side_names[SIDE_MODEL], WAVE_MODEL);
}

static void print_top(wave_page *page, const lockstep *ls)
{
    char top[16], path[PATH];

    lockstep_where(ls, top, sizeof top);
    snprintf(path, sizeof path, "%s.cycle", top);
    page->viewer->signal(page, &(wave_signal){.path = path, .format = WAVE_NUMBER});
    snprintf(path, sizeof path, "%s.%s.differs", top, ls->mismatch.instance->block->name);
    page->viewer->signal(page, &(wave_signal){.label = "a signal differs", .path = path, .format = WAVE_BIT, .color = WAVE_DIFFERS});
}

typedef struct shown {
    const lockstep *ls;
} shown;

static bool print(wave_page *page, void *context)
{
    const lockstep *ls = ((const shown *)context)->ls;
    const port_list *ports = &ls->mismatch.instance->ports;
    const block_port *culprit = ls->mismatch.port;
    char text[PATH];

    print_top(page, ls);
    if (culprit) {
        page->viewer->heading(page, "differs first");
        print_pair(page, ls, culprit);
    }
    snprintf(text, sizeof text, "%s inputs", ls->mismatch.instance->block->name);
    page->viewer->heading(page, text);
    for (unsigned p = 0; p < ports->num; p++)
        if (ports->ports[p].kind == PORT_IN && port_is_near(&ports->ports[p], culprit))
            print_signal(page, ls, &ports->ports[p], "in", WAVE_INPUT);
    snprintf(text, sizeof text, "%s RTL and C model", ls->mismatch.instance->block->name);
    page->viewer->heading(page, text);
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];

        if (port->kind != PORT_IN && port != culprit && port_is_near(port, culprit))
            print_pair(page, ls, port);
    }
    return true;
}

bool wave_save_mismatch(const char *path, const char *fst_path, const lockstep *ls, const wave_range *range)
{
    const wave_head head = {.title = ls->mismatch.instance->block->name, .fst_path = fst_path, .range = range};

    return wave_save_all(path, &head, print, &(shown){ls});
}
