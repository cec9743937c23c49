/* SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave save files. The numbers after @ are GTKWave's trace flags: 22 hexadecimal, 24
 * decimal, 28 binary, 200 a heading, 8000 analog steps, 20000 extends an analog trace, and
 * 100000000 shows the names that the FST file holds for a value.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/wave.h"

enum { ANALOG_ROWS = 3 };

static void write_heading(FILE *f, const char *text)
{
    fprintf(f, "@200\n-%s\n", text);
}

/* Counts are worth a curve, masks and planes are not. */
static bool is_count(const block_port *p)
{
    return p->kind != PORT_IN && !p->names && p->width > 1;
}

static void write_trace(FILE *f, const char *scope, const block_port *p)
{
    static const char suffix[] = {[PORT_IN] = 'i', [PORT_OUT] = 'o', [PORT_REG] = 'q'};
    char name[256];

    if (p->width > 1)
        snprintf(name, sizeof name, "%s.%s_%c[%u:0]", scope, p->name, suffix[p->kind], p->width - 1);
    else
        snprintf(name, sizeof name, "%s.%s_%c", scope, p->name, suffix[p->kind]);
    if (p->names)
        fprintf(f, "@100000028\n%s\n", name);
    else if (is_count(p) && p->kind == PORT_OUT) {
        fprintf(f, "@24\n%s\n@8024\n%s\n@20000\n", name, name);
        for (int row = 0; row < ANALOG_ROWS; row++)
            fprintf(f, "-\n");
    } else
        fprintf(f, "@%s\n%s\n", p->width == 1 ? "28" : is_count(p) ? "24" : "22", name);
}

static void write_ports(FILE *f, const lockstep_instance *inst, const char *sm, const char *side,
                        bool inputs)
{
    char scope[192], heading[192];

    snprintf(scope, sizeof scope, "%s.%s.%s", sm, inst->block->name, side);
    snprintf(heading, sizeof heading, "%s %s", inst->block->name,
             inputs ? "inputs" : !strcmp(side, "rtl") ? "RTL" : "C model");
    write_heading(f, heading);
    for (unsigned p = 0; p < inst->num_ports; p++)
        if ((inst->ports[p].kind == PORT_IN) == inputs)
            write_trace(f, scope, &inst->ports[p]);
}

/* GTKWave's zoom is the logarithm of the time that 200 pixels show, negated. The second number
 * is the marker: the names column shows the values there. */
static void write_zoom(FILE *f, uint64_t first, uint64_t last)
{
    const double trace_pixels = 1230, cycles = last > first ? (double)(last - first) : 1;

    fprintf(f, "*%f %" PRIu64, -log2(200 * cycles / trace_pixels), last);
    for (int mark = 0; mark < 26; mark++)
        fprintf(f, " -1");
    fprintf(f, "\n");
}

void wave_save_header(FILE *f, const char *fst_path, const char *title, uint64_t first, uint64_t last)
{
    char *absolute = realpath(fst_path, NULL);

    fprintf(f, "[*] Ballast: %s. One time unit is one cycle.\n", title);
    fprintf(f, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1600 1080\n[pos] -1 -1\n",
            absolute ? absolute : fst_path, first);
    write_zoom(f, first, last);
    fprintf(f, "[sst_width] 1\n[signals_width] 300\n[sst_expanded] 0\n");
    free(absolute);
}

bool wave_save_file(const char *path, const char *fst_path, const lockstep *ls,
                    const char *block_name, uint64_t first, uint64_t last)
{
    FILE *f = fopen(path, "w");
    char sm[16];

    if (!f)
        return false;
    snprintf(sm, sizeof sm, "SM%u", ls->sm);
    wave_save_header(f, fst_path, block_name, first, last);
    fprintf(f, "@24\n%s.cycle\n", sm);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        if (strcmp(inst->block->name, block_name) != 0)
            continue;
        write_ports(f, inst, sm, "in", true);
        write_ports(f, inst, sm, "rtl", false);
        write_ports(f, inst, sm, "model", false);
    }
    return fclose(f) == 0;
}
