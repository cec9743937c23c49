/* SPDX-License-Identifier: Apache-2.0 */
#include "wave/wave.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/decision.h"
#include "fstapi.h"
#include "wave/fst_files.h"

enum { HALF_LINES = WAVE_LINES / 2,
       VAR_BYTES = 64,      /* at most, of the tables that the end of the file holds */
       LEAST_CHUNK = 1 << 16, /* the file's size is known after this many bytes, at least */
       MOST_CHUNK = 1 << 20 };

const wave_extent wave_everything = {.first = 0, .last = UINT64_MAX, .limit = 0};

/* One variable of the waveform: where its value comes from, and what was written last. */
typedef struct wave_var {
    fstHandle handle;
    const block_port *port;
    const void *values; /* the struct that holds it */
    const void *after;  /* of a register: the one that holds it after the edge */
    uint64_t last;
    bool written;
} wave_var;

/* What is to be written on the next lines at the end of the cycle. */
typedef struct wave_why {
    char text[WAVE_LINES][DECISION_WORDS + 32];
    unsigned num;
} wave_why;

/* A block of the run: its own variables, not those of its ports. */
typedef struct wave_block {
    const block *block;
    unsigned first[LOCKSTEP_SIDES], num; /* of vars: both sides have the same in the same order */
    fstHandle differs, decision[LOCKSTEP_SIDES], line[WAVE_LINES];
    unsigned next_line;
    bool lower; /* half of the lines, for the next decisions of one cycle */
    char *words[LOCKSTEP_SIDES]; /* the last ones of a side, until the end of the cycle; or NULL */
    wave_why why;
    int different; /* as written; -1: nothing yet */
} wave_block;

struct wave {
    void *fst;
    char path[4096], temporary[4096 + 8];
    wave_extent extent;
    wave_var *vars;
    unsigned num_vars, num_blocks;
    wave_block blocks[LOCKSTEP_MAX_BLOCKS];
    fstHandle cycle;
    uint64_t time;
    bool begun, full;
    uint64_t pending, chunk, frame; /* bytes since the last flush, from one to the next, of a snapshot */
    wave_marks marks;
};

/* ---- declaring ------------------------------------------------------------------- */

/* FST wants each value as a string of bits. */
static fstEnumHandle declare_names(void *fst, const block_port *port)
{
    const char *values[64];
    char text[64][9], table[96];

    for (unsigned i = 0; i < port->num_names && i < 64; i++) {
        for (unsigned b = 0; b < port->width; b++)
            text[i][b] = (i >> (port->width - 1 - b) & 1) ? '1' : '0';
        text[i][port->width] = '\0';
        values[i] = text[i];
    }
    snprintf(table, sizeof table, "%s_names", port->name);
    return fstWriterCreateEnumTable(fst, table, port->num_names, port->width, (const char **)(uintptr_t)port->names, values);
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

static void declare(wave *w, const block_port *port, const void *values, const void *after, const char *name)
{
    wave_var *var = &w->vars[w->num_vars++];
    const char *last = strrchr(name, '.');

    if (port->names)
        fstWriterEmitEnumTableRef(w->fst, declare_names(w->fst, port));
    *var = (wave_var){.port = port, .values = values, .after = after};
    var->handle = fstWriterCreateVar(w->fst, port->kind == PORT_REG ? FST_VT_VCD_REG : FST_VT_VCD_WIRE,
                                     FST_VD_IMPLICIT, port->width, last ? last + 1 : name, 0);
}

/* All ports of the kinds that `values` has a struct for; registers are in `after`, too. */
static void declare_ports(wave *w, const lockstep_instance *inst, const void *const *values, const void *after)
{
    char scope[2 * PORT_NAME] = "", name[PORT_NAME + 4];

    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (!values[port->kind])
            continue;
        wave_port_name(port, name, sizeof name);
        move_scope(w, scope, sizeof scope, name);
        declare(w, port, values[port->kind], port->kind == PORT_REG ? after : NULL, name);
    }
    move_scope(w, scope, sizeof scope, "");
}

static fstHandle declare_text(wave *w, const char *name)
{
    return fstWriterCreateVar(w->fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name, 0);
}

static void declare_side(wave *w, wave_block *b, const lockstep_instance *inst, enum lockstep_side side)
{
    const void *const values[] = {[PORT_IN] = NULL, [PORT_OUT] = inst->view[side].out,
                                  [PORT_REG] = inst->view[side].before};

    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, lockstep_side_names[side], NULL);
    b->decision[side] = declare_text(w, "decision");
    b->first[side] = w->num_vars;
    declare_ports(w, inst, values, inst->view[side].after);
    b->num = w->num_vars - b->first[side];
    fstWriterSetUpscope(w->fst);
}

static void declare_why(wave *w, wave_block *b)
{
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, "why", NULL);
    for (unsigned i = 0; i < WAVE_LINES; i++) {
        char name[16];

        snprintf(name, sizeof name, "line_%u", i);
        b->line[i] = declare_text(w, name);
    }
    fstWriterSetUpscope(w->fst);
}

static void declare_block(wave *w, const lockstep_instance *inst)
{
    const void *const inputs[] = {[PORT_IN] = inst->in, [PORT_OUT] = NULL, [PORT_REG] = NULL};
    wave_block *b = &w->blocks[w->num_blocks++];

    b->block = inst->block;
    b->different = -1;
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, inst->block->name, NULL);
    b->differs = fstWriterCreateVar(w->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "differs", 0);
    declare_why(w, b);
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, "in", NULL);
    declare_ports(w, inst, inputs, NULL);
    fstWriterSetUpscope(w->fst);
    declare_side(w, b, inst, SIDE_RTL);
    declare_side(w, b, inst, SIDE_MODEL);
    fstWriterSetUpscope(w->fst);
}

static void declare_all(wave *w, const lockstep *ls)
{
    char top[16];

    fstWriterSetPackType(w->fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(w->fst, "1ns");
    fstWriterSetVersion(w->fst, "Ballast lockstep, 1 ns = 1 cycle");
    lockstep_where(ls, top, sizeof top);
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, top, NULL);
    w->cycle = fstWriterCreateVar(w->fst, FST_VT_VCD_INTEGER, FST_VD_IMPLICIT, 64, "cycle", 0);
    for (unsigned i = 0; i < ls->num_instances; i++)
        declare_block(w, &ls->instances[i]);
    fstWriterSetUpscope(w->fst);
}

static unsigned count_vars(const lockstep *ls)
{
    unsigned n = 0;

    for (unsigned i = 0; i < ls->num_instances; i++)
        n += ls->instances[i].ports.num + ls->instances[i].comparisons; /* both sides */
    return n;
}

/* How much is written before the file's size is looked at. */
static void plan_size(wave *w)
{
    const uint64_t tables = (uint64_t)VAR_BYTES * (w->num_vars + w->num_blocks * (WAVE_LINES + 3u)) + 4096;
    const uint64_t part = w->extent.limit / 32;

    for (unsigned v = 0; v < w->num_vars; v++)
        w->frame += w->vars[v].port->width / 4u + 1;
    w->chunk = part < LEAST_CHUNK ? LEAST_CHUNK : part > MOST_CHUNK ? MOST_CHUNK : part;
    if (w->extent.limit)
        w->extent.limit = w->extent.limit > tables ? w->extent.limit - tables : 1;
}

wave *wave_open(const char *path, const lockstep *ls, const wave_extent *extent, char *err, size_t err_size)
{
    wave *w = calloc(1, sizeof *w);
    wave_var *vars = calloc(count_vars(ls) + 1u, sizeof *vars);

    if (w && vars) {
        w->extent = *extent;
        w->vars = vars;
        snprintf(w->path, sizeof w->path, "%s", path);
        snprintf(w->temporary, sizeof w->temporary, "%s.tmp", path);
        fst_files_begin();
        w->fst = fstWriterCreate(w->temporary, 1);
    }
    if (!w || !w->fst) {
        snprintf(err, err_size, "%s: cannot write the waveform (%s)", path, strerror(errno));
        free(vars);
        free(w);
        return NULL;
    }
    declare_all(w, ls);
    plan_size(w);
    return w;
}

bool wave_wants(const wave *w, uint64_t index)
{
    return !w->full && !fst_files_error() && index >= w->extent.first && index <= w->extent.last;
}

bool wave_is_full(const wave *w, uint64_t *last)
{
    *last = w->time;
    return w->full;
}

/* ---- decisions --------------------------------------------------------------------- */

static wave_block *block_of(wave *w, const block *blk)
{
    for (unsigned i = 0; i < w->num_blocks; i++)
        if (w->blocks[i].block == blk)
            return &w->blocks[i];
    return NULL;
}

/* Where more is decided in one cycle than there are lines, the last line stays for the last. */
static char *next_why(wave_why *why)
{
    if (why->num < WAVE_LINES)
        why->num++;
    return why->text[why->num - 1];
}

/* Of the single SMs of a chip one line, and none for kernels that start, SM after SM. */
static void note_why(wave_block *b, const struct decisions *list)
{
    const decision *of_sm = NULL;
    unsigned sms = 0;

    b->why.num = 0;
    for (unsigned i = 0; i < list->num; i++) {
        const decision *d = &list->taken[i];

        if (d->sm == DECISION_NO_SM)
            snprintf(next_why(&b->why), sizeof b->why.text[0], "%s: %s", d->rule, d->words);
        else if (strcmp(d->event, "kernel_start") != 0 && !sms++)
            of_sm = d;
    }
    if (sms > 1)
        snprintf(next_why(&b->why), sizeof b->why.text[0], "%s: %s; %u more SMs", of_sm->rule, of_sm->words, sms - 1);
    else if (sms)
        snprintf(next_why(&b->why), sizeof b->why.text[0], "%s: %s", of_sm->rule, of_sm->words);
}

void wave_decided(wave *w, const lockstep *ls, enum lockstep_side side, const block *blk, const struct decisions *list)
{
    wave_block *b = block_of(w, blk);
    size_t size;
    char *text = NULL;
    FILE *out = b && list->num && !w->full ? open_memstream(&text, &size) : NULL;

    if (!out)
        return;
    decisions_print_reasons(list, out);
    fclose(out);
    free(b->words[side]);
    b->words[side] = text;
    if (side == SIDE_RTL)
        note_why(b, list);
    else if (wave_wants(w, ls->index))
        wave_marks_add(&w->marks, ls->index, blk, list);
}

static void write_text(wave *w, fstHandle handle, const char *text)
{
    const size_t length = strlen(text);

    fstWriterEmitVariableLengthValueChange(w->fst, handle, text, (uint32_t)length);
    w->pending += length + 8;
}

static void write_words(wave *w, wave_block *b)
{
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        if (b->words[side])
            write_text(w, b->decision[side], b->words[side]);
        free(b->words[side]);
        b->words[side] = NULL;
    }
    /* What is decided together takes the upper and the lower half in turn, so that it stays for as long as possible. */
    if (b->why.num > 1) {
        b->next_line = b->lower ? HALF_LINES : 0;
        b->lower = !b->lower;
    }
    for (unsigned i = 0; i < b->why.num; i++)
        write_text(w, b->line[b->next_line++ % WAVE_LINES], b->why.text[i]);
    b->why.num = 0;
}

/* Texts have no value before their first. */
static void begin_texts(wave *w)
{
    for (unsigned i = 0; i < w->num_blocks; i++) {
        for (int side = 0; side < LOCKSTEP_SIDES; side++)
            write_text(w, w->blocks[i].decision[side], "");
        for (unsigned l = 0; l < WAVE_LINES; l++)
            write_text(w, w->blocks[i].line[l], "");
    }
}

/* ---- values ---------------------------------------------------------------------- */

static void write_var(wave *w, wave_var *var, const void *values)
{
    const uint64_t value = block_port_get(var->port, values);

    if (var->written && var->last == value)
        return;
    fstWriterEmitValueChange64(w->fst, var->handle, var->port->width, value);
    w->pending += var->port->width / 8u + 4;
    var->last = value;
    var->written = true;
}

static void write_differs(wave *w, wave_block *b)
{
    const wave_var *rtl = &w->vars[b->first[SIDE_RTL]], *model = &w->vars[b->first[SIDE_MODEL]];
    bool different = false;

    for (unsigned v = 0; v < b->num; v++)
        different |= rtl[v].last != model[v].last;
    if (b->different != different)
        fstWriterEmitValueChange64(w->fst, b->differs, 1, different);
    b->different = different;
}

/* After the time has moved on, which is when a flush takes place. */
static void look_at_size(wave *w)
{
    struct stat info;

    w->pending = 0;
    if (w->extent.limit && stat(w->temporary, &info) == 0)
        w->full = (uint64_t)info.st_size + w->chunk + w->frame > w->extent.limit;
}

static void move_on(wave *w, uint64_t time)
{
    const bool flush = w->extent.limit && w->pending >= w->chunk;

    if (flush)
        fstWriterFlushContext(w->fst);
    w->time = time;
    fstWriterEmitTimeChange(w->fst, time);
    w->pending += 4;
    if (flush)
        look_at_size(w);
}

void wave_cycle(wave *w, const lockstep *ls, uint64_t cycle)
{
    if (!wave_wants(w, ls->index))
        return;
    move_on(w, ls->index);
    if (!w->begun)
        begin_texts(w);
    w->begun = true;
    fstWriterEmitValueChange64(w->fst, w->cycle, 64, cycle);
    w->pending += 12;
    for (unsigned v = 0; v < w->num_vars; v++)
        write_var(w, &w->vars[v], w->vars[v].values);
    for (unsigned i = 0; i < w->num_blocks; i++) {
        write_words(w, &w->blocks[i]);
        write_differs(w, &w->blocks[i]);
    }
}

wave_marks wave_take_marks(wave *w)
{
    const wave_marks marks = w->marks;

    w->marks = (wave_marks){.num = 0};
    return marks;
}

/* A difference found after the last edge must be visible, too. Not where the run went on beyond. */
static void write_final_registers(wave *w, const lockstep *ls)
{
    if (!w->begun || w->time + 1 != ls->index)
        return;
    fstWriterEmitTimeChange(w->fst, w->time + 1);
    for (unsigned v = 0; v < w->num_vars; v++)
        if (w->vars[v].after)
            write_var(w, &w->vars[v], w->vars[v].after);
    for (unsigned i = 0; i < w->num_blocks; i++)
        write_differs(w, &w->blocks[i]);
}

static void destroy(wave *w)
{
    fstWriterClose(w->fst);
    for (unsigned i = 0; i < w->num_blocks; i++)
        for (int side = 0; side < LOCKSTEP_SIDES; side++)
            free(w->blocks[i].words[side]);
    wave_marks_free(&w->marks);
    free(w->vars);
}

bool wave_close(wave *w, const lockstep *ls)
{
    int why;

    write_final_registers(w, ls);
    destroy(w);
    why = fst_files_error();
    if (!why && rename(w->temporary, w->path) != 0)
        why = errno;
    if (why)
        remove(w->temporary);
    free(w);
    errno = why;
    return !why;
}

void wave_abort(wave *w)
{
    destroy(w);
    remove(w->temporary);
    free(w);
}
