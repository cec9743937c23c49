/* SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave save files. The numbers after @ are GTKWave's trace flags: 22 hexadecimal, 24
 * decimal, 28 binary, 200 a heading; 100000000 shows the names that the FST file holds for a
 * value. "+{name} signal" gives a signal another name, "[color] N" colours the next one.
 * "[markername] Atext" names marker A.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "files/placed_file.h"
#include "wave/wave.h"

enum { RTL_COLOR = 0, MODEL_COLOR = 2, INPUT_COLOR = 3 };

enum { MARKERS = 26 }; /* A to Z */

/* GTKWave's zoom is the logarithm of the time that 200 pixels show, negated. The second number
 * is the marker: the names column shows the values there. Then come the times of markers A to Z. */
static void write_zoom(FILE *f, const wave_range *range, const wave_marks *marks)
{
    const double trace_pixels = 1130;
    const double cycles = range->last > range->first ? (double)(range->last - range->first) : 1;

    fprintf(f, "*%f %" PRIu64, -log2(200 * cycles / trace_pixels), range->marker);
    for (unsigned m = 0; m < MARKERS; m++) {
        if (marks && m < marks->num)
            fprintf(f, " %" PRIu64, marks->mark[m].time);
        else
            fprintf(f, " -1");
    }
    fprintf(f, "\n");
    for (unsigned m = 0; m < MARKERS && marks && m < marks->num; m++)
        if (marks->mark[m].text[0])
            fprintf(f, "[markername] %c%s\n", 'A' + m, marks->mark[m].text);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

void wave_save_header(FILE *f, const char *save_path, const char *fst_path, const char *title, const wave_range *range,
                      const wave_marks *marks)
{
    fprintf(f, "[*] Ballast: %s. One time unit is one cycle.\n", title);
    fprintf(f, "[dumpfile] \"%s\"\n[savefile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1600 1080\n[pos] -1 -1\n",
            base_of(fst_path), base_of(save_path), range->first);
    write_zoom(f, range, marks);
    fprintf(f, "[sst_width] 1\n[signals_width] 400\n[sst_expanded] 0\n");
}

static const char *format_of(const block_port *p)
{
    if (p->names)
        return "100000028";
    if (p->width == 1)
        return "28";
    return p->kind == PORT_IN && p->width > 8 ? "22" : "24";
}

static void write_signal(FILE *f, const lockstep *ls, const lockstep_instance *inst, const block_port *p,
                         const char *side, int color)
{
    char shown[PORT_NAME + 4], name[PORT_NAME + 4], top[16];

    lockstep_where(ls, top, sizeof top);
    port_full_name(p, shown, sizeof shown);
    wave_port_name(p, name, sizeof name);
    fprintf(f, "@%s\n", format_of(p));
    if (color)
        fprintf(f, "[color] %d\n", color);
    fprintf(f, "+{%s   %s} %s.%s.%s.%s", shown, side, top, inst->block->name, side, name);
    if (p->width > 1)
        fprintf(f, "[%u:0]", p->width - 1);
    fprintf(f, "\n");
}

static void write_pair(FILE *f, const lockstep *ls, const lockstep_instance *inst, const block_port *p)
{
    write_signal(f, ls, inst, p, lockstep_side_names[SIDE_RTL], RTL_COLOR);
    write_signal(f, ls, inst, p, lockstep_side_names[SIDE_MODEL], MODEL_COLOR);
}

bool wave_save_mismatch(const char *path, const char *fst_path, const lockstep *ls, const wave_range *range)
{
    const lockstep_instance *inst = ls->mismatch.instance;
    const block_port *culprit = ls->mismatch.port;
    placed_file placed;
    FILE *f = placed_open(&placed, path) ? placed.file : NULL;
    char top[16];

    if (!f)
        return false;
    wave_save_header(f, path, fst_path, inst->block->name, range, NULL);
    lockstep_where(ls, top, sizeof top);
    fprintf(f, "@24\n%s.cycle\n", top);
    fprintf(f, "@28\n[color] 1\n+{a signal differs} %s.%s.differs\n", top, inst->block->name);
    if (culprit) {
        fprintf(f, "@200\n-differs first\n");
        write_pair(f, ls, inst, culprit);
    }
    fprintf(f, "@200\n-%s inputs\n", inst->block->name);
    for (unsigned p = 0; p < inst->ports.num; p++)
        if (inst->ports.ports[p].kind == PORT_IN && port_is_near(&inst->ports.ports[p], culprit))
            write_signal(f, ls, inst, &inst->ports.ports[p], "in", INPUT_COLOR);
    fprintf(f, "@200\n-%s RTL and C model\n", inst->block->name);
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind != PORT_IN && port != culprit && port_is_near(port, culprit))
            write_pair(f, ls, inst, port);
    }
    return placed_close(&placed, true);
}
