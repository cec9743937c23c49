/* SPDX-License-Identifier: Apache-2.0 */
#include "wave/wave.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fstapi.h"

/* One variable of the waveform: where its value comes from, and what was written last. */
typedef struct wave_var {
    fstHandle handle;
    const block_port *port;
    const void *values; /* the struct that holds it */
    uint64_t last;
    bool written;
} wave_var;

struct wave {
    void *fst;
    char path[4096], temporary[4096 + 8];
    wave_var *vars;
    unsigned num_vars;
    fstHandle cycle;
    uint64_t time;
};

/* ---- declaring ------------------------------------------------------------------- */

/* FST wants each value as a string of bits. */
static fstEnumHandle declare_names(void *fst, const block_port *port)
{
    const char *values[64];
    char text[64][9];
    char *names[64];
    fstEnumHandle handle;
    char table[96];

    for (unsigned i = 0; i < port->num_names && i < 64; i++) {
        for (unsigned b = 0; b < port->width; b++)
            text[i][b] = (i >> (port->width - 1 - b) & 1) ? '1' : '0';
        text[i][port->width] = '\0';
        values[i] = text[i];
        names[i] = (char *)(uintptr_t)port->names[i];
    }
    snprintf(table, sizeof table, "%s_names", port->name);
    handle = fstWriterCreateEnumTable(fst, table, port->num_names, port->width, (const char **)names,
                                      values);
    return handle;
}

void wave_port_name(const block_port *port, char *text, size_t size)
{
    char full[PORT_NAME + 4];
    size_t n = 0;

    port_full_name(port, full, sizeof full);
    for (const char *c = full; *c && n + 1 < size; c++)
        if (*c != ']')
            text[n++] = (char)(*c == '[' ? '_' : *c);
    text[n] = '\0';
}

/* Closes and opens scopes on the way from one signal to the next: "sm_3.perfsat." */
static void move_scope(wave *w, char *scope, size_t size, const char *name)
{
    const char *last = strrchr(name, '.');
    const size_t length = last ? (size_t)(last + 1 - name) : 0;
    char part[PORT_NAME];

    if (strlen(scope) == length && !strncmp(scope, name, length))
        return;
    for (const char *c = scope; *c; c++)
        if (*c == '.')
            fstWriterSetUpscope(w->fst);
    snprintf(scope, size, "%.*s", (int)length, name);
    for (const char *c = scope; *c; c += strlen(part) + 1) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(c, "."), c);
        fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, part, NULL);
    }
}

static void declare(wave *w, const block_port *port, const void *values, const char *name)
{
    wave_var *var = &w->vars[w->num_vars++];
    const char *last = strrchr(name, '.');

    if (port->names)
        fstWriterEmitEnumTableRef(w->fst, declare_names(w->fst, port));
    *var = (wave_var){.port = port, .values = values};
    var->handle = fstWriterCreateVar(w->fst, port->kind == PORT_REG ? FST_VT_VCD_REG : FST_VT_VCD_WIRE,
                                     FST_VD_IMPLICIT, port->width, last ? last + 1 : name, 0);
}

/* All ports of the kinds that `values` has a struct for. */
static void declare_ports(wave *w, const lockstep_instance *inst, const char *group, const void *const *values)
{
    char scope[2 * PORT_NAME] = "", name[PORT_NAME + 4];

    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, group, NULL);
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (!values[port->kind])
            continue;
        wave_port_name(port, name, sizeof name);
        move_scope(w, scope, sizeof scope, name);
        declare(w, port, values[port->kind], name);
    }
    move_scope(w, scope, sizeof scope, "");
    fstWriterSetUpscope(w->fst);
}

static void declare_side(wave *w, const lockstep_instance *inst, enum lockstep_side side)
{
    const void *const values[] = {[PORT_IN] = NULL, [PORT_OUT] = inst->view[side].out,
                                  [PORT_REG] = inst->view[side].before};

    declare_ports(w, inst, lockstep_side_names[side], values);
}

static void declare_block(wave *w, const lockstep_instance *inst)
{
    const void *const inputs[] = {[PORT_IN] = inst->in, [PORT_OUT] = NULL, [PORT_REG] = NULL};

    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, inst->block->name, NULL);
    declare_ports(w, inst, "in", inputs);
    declare_side(w, inst, SIDE_RTL);
    declare_side(w, inst, SIDE_MODEL);
    fstWriterSetUpscope(w->fst);
}

static unsigned count_vars(const lockstep *ls)
{
    unsigned n = 0;

    for (unsigned i = 0; i < ls->num_instances; i++)
        n += ls->instances[i].ports.num + ls->instances[i].comparisons; /* both sides */
    return n;
}

wave *wave_open(const char *path, const lockstep *ls, char *err, size_t err_size)
{
    wave *w = calloc(1, sizeof *w);
    char sm[16];

    if (w)
        w->vars = calloc(count_vars(ls) + 1u, sizeof *w->vars);
    if (!w || !w->vars) {
        snprintf(err, err_size, "%s: out of memory", path);
        free(w);
        return NULL;
    }
    snprintf(w->path, sizeof w->path, "%s", path);
    snprintf(w->temporary, sizeof w->temporary, "%s.tmp", path);
    w->fst = fstWriterCreate(w->temporary, 1);
    if (!w->fst) {
        snprintf(err, err_size, "%s: cannot write the waveform (%s)", path, strerror(errno));
        free(w->vars);
        free(w);
        return NULL;
    }
    fstWriterSetPackType(w->fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(w->fst, "1ns");
    fstWriterSetVersion(w->fst, "Ballast lockstep, 1 ns = 1 cycle");
    lockstep_where(ls, sm, sizeof sm);
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, sm, NULL);
    w->cycle = fstWriterCreateVar(w->fst, FST_VT_VCD_INTEGER, FST_VD_IMPLICIT, 64, "cycle", 0);
    for (unsigned i = 0; i < ls->num_instances; i++)
        declare_block(w, &ls->instances[i]);
    fstWriterSetUpscope(w->fst);
    return w;
}

/* ---- values ---------------------------------------------------------------------- */

static void write_var(wave *w, wave_var *var, const void *values)
{
    const uint64_t value = block_port_get(var->port, values);

    if (var->written && var->last == value)
        return;
    fstWriterEmitValueChange64(w->fst, var->handle, var->port->width, value);
    var->last = value;
    var->written = true;
}

void wave_cycle(wave *w, const lockstep *ls, uint64_t cycle)
{
    w->time = ls->index;
    fstWriterEmitTimeChange(w->fst, w->time);
    fstWriterEmitValueChange64(w->fst, w->cycle, 64, cycle);
    for (unsigned v = 0; v < w->num_vars; v++)
        write_var(w, &w->vars[v], w->vars[v].values);
}

/* A difference found after the last edge must be visible, too. */
static void write_final_registers(wave *w, const lockstep *ls)
{
    fstWriterEmitTimeChange(w->fst, w->time + 1);
    for (unsigned v = 0; v < w->num_vars; v++) {
        for (unsigned i = 0; i < ls->num_instances; i++) {
            const lockstep_instance *inst = &ls->instances[i];

            for (int side = 0; side < LOCKSTEP_SIDES; side++)
                if (w->vars[v].values == inst->view[side].before)
                    write_var(w, &w->vars[v], inst->view[side].after);
        }
    }
}

static void destroy(wave *w)
{
    fstWriterClose(w->fst);
    free(w->vars);
}

bool wave_close(wave *w, const lockstep *ls)
{
    bool ok;

    write_final_registers(w, ls);
    destroy(w);
    ok = rename(w->temporary, w->path) == 0;
    if (!ok) {
        const int why = errno;

        remove(w->temporary);
        errno = why;
    }
    free(w);
    return ok;
}

void wave_abort(wave *w)
{
    destroy(w);
    remove(w->temporary);
    free(w);
}
