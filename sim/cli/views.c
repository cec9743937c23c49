/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"

enum { LOW_PLOT = 1, HIGH_PLOT = 3 }; /* lines more than one */
enum { LINE = 512, TOP = 16,
       PATH = 256, NARROW = 16,
       GROUP_SMS = 16 /* a viewer takes long to open all signals of 132 SMs */ };

/* A view as it is made. */
typedef struct maker {
    const view *view;
    FILE *in;
    wave_page *page;
    char top[TOP];
    port_list ports[LOCKSTEP_MAX_BLOCKS]; /* of the run's blocks */
    unsigned line;
    char *err;
} maker;

/* A line of the source, taken apart. */
typedef struct view_line {
    char kind[16], rest[LINE];     /* rest: all after the kind           */
    char side[64], port[64];       /* of a signal                        */
    char label[LINE];
} view_line;

static bool fail(const maker *m, const char *what, const char *name)
{
    snprintf(m->err, VIEW_ERR, "%s:%u: %s%s%s", m->view->source, m->line, what, name ? " " : "", name ? name : "");
    return false;
}

/* ---- blocks and ports ---------------------------------------------------------------- */

static void list_ports(const block *b, port_list *ports)
{
    lockstep_values cfg;
    char bad[64];

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    b->model->list_ports(&cfg, ports);
}

/* Index in the run, -1: not in it. */
static int find_block(const maker *m, const char *block_name)
{
    for (int i = 0; m->view->blocks[i]; i++)
        if (!strcmp(m->view->blocks[i]->model->block_name, block_name))
            return i;
    return -1;
}

/* Whether this geometry only has fewer of a port that there is: index 0 of the same name exists. */
static bool is_beyond(const port_list *ports, const char *name)
{
    char first[128];
    size_t n = 0;

    for (const char *c = name; *c && n + 2 < sizeof first; c++) {
        first[n++] = *c;
        if (*c == '[') {
            first[n++] = '0';
            c += strcspn(c, "]") - 1;
        }
    }
    first[n] = '\0';
    return strcmp(first, name) != 0 && port_find(ports, first);
}

/* ---- traces ---------------------------------------------------------------------------- */

static void print_trace(const maker *m, const block *b, const block_port *p, const char *side, enum wave_format format, unsigned lines,
                        const char *label)
{
    char name[PORT_NAME + 4], path[PATH];

    wave_port_name(p, name, sizeof name);
    snprintf(path, sizeof path, "%s.%s.%s.%s", m->top, b->name, side, name);
    m->page->viewer->signal(m->page, &(wave_signal){.label = label, .path = path, .width = p->width, .format = format, .lines = lines,
                                                    .color = !strcmp(side, "model") ? WAVE_MODEL : !strcmp(side, "in") ? WAVE_INPUT : WAVE_RTL});
}

/* What is no port: below the block's scope. */
static void print_other(const maker *m, const block *b, const char *name, const char *label, enum wave_format format, enum wave_color color)
{
    char path[PATH];

    snprintf(path, sizeof path, "%s.%s.%s", m->top, b->name, name);
    m->page->viewer->signal(m->page, &(wave_signal){.label = label, .path = path, .format = format, .color = color});
}

static void print_signal(const maker *m, const view_line *l, const block *b, const block_port *p, const char *side,
                         bool named_side)
{
    const bool high = !strcmp(l->kind, "tall"), popcount = !strcmp(l->kind, "count");
    const bool plot = high || popcount || !strcmp(l->kind, "step");
    const enum wave_format format = popcount ? WAVE_COUNT : plot ? WAVE_STEP : !strcmp(l->kind, "mask") ? WAVE_MASK : wave_format_of(p, NARROW);
    char full[PORT_NAME + 4], label[LINE + 80];

    port_full_name(p, full, sizeof full);
    snprintf(label, sizeof label, "%s%s", l->label[0] ? l->label : full,
             !named_side ? "" : !strcmp(side, "model") ? "   C model" : "   RTL");
    print_trace(m, b, p, side, format, !plot ? 0 : high ? HIGH_PLOT : LOW_PLOT, label);
}

/* ---- the kinds of lines ------------------------------------------------------------------ */

static bool do_signal(const maker *m, view_line *l, const block *unused)
{
    char *dot, *side;
    const block_port *p;
    bool both;
    int b;

    (void)unused;
    l->label[0] = '\0';
    if (sscanf(l->rest, "%63s %63s %511[^\n]", l->side, l->port, l->label) < 2)
        return fail(m, "a signal is '[BLOCK.]SIDE PORT TEXT', not", l->rest);
    dot = strchr(l->side, '.');
    side = dot ? dot + 1 : l->side;
    if (dot)
        *dot = '\0';
    b = find_block(m, dot ? l->side : m->view->block_name);
    if (b < 0)
        return fail(m, "the run of this view has no block", dot ? l->side : m->view->block_name);
    both = !strcmp(side, "both");
    if (!both && strcmp(side, "rtl") != 0 && strcmp(side, "model") != 0 && strcmp(side, "in") != 0)
        return fail(m, "a side is in, rtl, model or both, not", side);
    p = port_find(&m->ports[b], l->port);
    if (!p && is_beyond(&m->ports[b], l->port))
        return true;
    if (!p || (p->kind == PORT_IN) != !strcmp(side, "in"))
        return fail(m, "there is no such signal on this side:", l->port);
    print_signal(m, l, m->view->blocks[b], p, both ? "rtl" : side, both);
    if (both)
        print_signal(m, l, m->view->blocks[b], p, "model", both);
    return true;
}

static bool do_heading(const maker *m, view_line *l, const block *unused)
{
    (void)unused;
    m->page->viewer->heading(m->page, l->rest);
    return true;
}

static bool do_why(const maker *m, view_line *l, const block *b)
{
    (void)l;
    for (unsigned i = 0; i < WAVE_LINES; i++) {
        char name[32];

        snprintf(name, sizeof name, "why.line_%u", i);
        print_other(m, b, name, i ? "-" : "rule: why", WAVE_TEXT, WAVE_WHY);
    }
    return true;
}

static bool do_decision(const maker *m, view_line *l, const block *b)
{
    (void)l;
    print_other(m, b, "rtl.decision", "all of this cycle", WAVE_TEXT, WAVE_WHY);
    return true;
}

static bool do_differs(const maker *m, view_line *l, const block *b)
{
    (void)l;
    print_other(m, b, "differs", "model and RTL differ", WAVE_BIT, WAVE_DIFFERS);
    return true;
}

/* The SM that a port of a chip belongs to: "sm[3]." of sm[3].perfsat.state. */
static size_t sm_part(const char *name)
{
    const char *dot = strchr(name, '.');

    return dot && !strncmp(name, "sm[", 3) ? (size_t)(dot - name) : 0;
}

/* Those of one SM, in a group of their own; sm "": those of none. */
static void print_sm_signals(const maker *m, const block *b, const port_list *ports, const char *side, const char *sm)
{
    const bool inputs = !strcmp(side, "in");
    char full[PORT_NAME + 4];

    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];

        if ((port->kind == PORT_IN) != inputs || sm_part(port->name) != strlen(sm) || strncmp(port->name, sm, strlen(sm)) != 0)
            continue;
        port_full_name(port, full, sizeof full);
        print_trace(m, b, port, side, wave_format_of(port, NARROW), 0, full);
    }
}

static void print_group(const maker *m, const block *b, const port_list *ports, const char *side, const char *title)
{
    const wave_viewer *viewer = m->page->viewer;
    char sm[PORT_NAME], scope[PATH], decided[32];

    snprintf(scope, sizeof scope, "%s.%s.%s", m->top, b->name, side);
    snprintf(decided, sizeof decided, "%s.decision", side);
    viewer->group(m->page, true, title, scope);
    if (strcmp(side, "in") != 0)
        print_other(m, b, decided, "decision", WAVE_TEXT, WAVE_RTL);
    print_sm_signals(m, b, ports, side, "");
    for (unsigned i = 0; i < m->view->num_sms && i < GROUP_SMS && b->model->sees_all_sms; i++) {
        snprintf(sm, sizeof sm, "sm[%u]", i);
        viewer->group(m->page, true, sm, NULL);
        print_sm_signals(m, b, ports, side, sm);
        viewer->group(m->page, false, sm, NULL);
    }
    viewer->group(m->page, false, title, NULL);
}

static bool do_groups(const maker *m, view_line *l, const block *b)
{
    static const char *const sides[] = {"rtl", "model", "in"}, *const titles[] = {"RTL", "C model", "inputs"};
    const port_list *ports = &m->ports[find_block(m, l->rest)];

    for (int s = 0; s < 3; s++) {
        char title[80];

        snprintf(title, sizeof title, "%s: all of %s", l->rest, titles[s]);
        print_group(m, b, ports, sides[s], title);
    }
    return true;
}

static const struct {
    const char *name;
    bool (*print)(const maker *m, view_line *l, const block *b); /* NULL: a line for the run */
    bool of_block;                                               /* the line names one       */
} kinds[] = {
    {"picture", NULL, false}, {"random", NULL, false}, {"run", NULL, false}, {"set", NULL, false}, {"marks", NULL, false}, {"around", NULL, false},
    {"open", NULL, false}, {"decisions", NULL, false},
    {"value", do_signal, false}, {"mask", do_signal, false}, {"step", do_signal, false}, {"tall", do_signal, false},
    {"count", do_signal, false}, {"heading", do_heading, false},
    {"why", do_why, true}, {"decision", do_decision, true}, {"differs", do_differs, true}, {"groups", do_groups, true},
};

static bool do_line(const maker *m, view_line *l)
{
    int b = 0;

    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kinds[k].name, l->kind) != 0)
            continue;
        if (kinds[k].of_block)
            b = find_block(m, l->rest);
        if (b < 0)
            return fail(m, "the run of this view has no block", l->rest);
        return !kinds[k].print || kinds[k].print(m, l, m->view->blocks[b]);
    }
    return fail(m, "a view has no lines of the kind", l->kind);
}

/* ---- files ------------------------------------------------------------------------------- */

/* The next line that says something; false at the end. */
static bool next_line(FILE *in, unsigned *number, view_line *l)
{
    char line[LINE];

    while (fgets(line, sizeof line, in)) {
        ++*number;
        l->rest[0] = l->side[0] = '\0';
        if (sscanf(line, "%15s %511[^\n]", l->kind, l->rest) >= 1 && l->kind[0] != '#')
            return true;
    }
    return false;
}

static FILE *open_source(const char *source, char err[VIEW_ERR])
{
    FILE *in = fopen(source, "r");

    if (!in)
        snprintf(err, VIEW_ERR, "%s: cannot be read (%m)", source);
    return in;
}

static bool fits(const char *text, char *to, size_t size)
{
    return (size_t)snprintf(to, size, "%s", text) < size;
}

static bool read_marks(view_run *run, view_line *l)
{
    const bool ok = sscanf(l->rest, "%31s %15s", run->marks, l->side) >= 1;

    run->marks_sms = !strcmp(l->side, "sms");
    return ok && (run->marks_sms || !l->side[0]);
}

static bool read_run_line(view_run *run, view_line *l)
{
    char *rest = NULL;
    bool ok = true;

    if (!strcmp(l->kind, "marks"))
        return read_marks(run, l);
    if (!strcmp(l->kind, "open"))
        return sscanf(l->rest, "%" SCNu64 " %" SCNu64, &run->first, &run->last) == 2;
    if (!strcmp(l->kind, "random"))
        return sscanf(l->rest, "%" SCNu64, &run->random) == 1 && run->random > 0;
    if (!strcmp(l->kind, "decisions"))
        return sscanf(l->rest, "%u", &run->decisions) == 1;
    if (!strcmp(l->kind, "around"))
        return sscanf(l->rest, "%u", &run->around) == 1;
    if (!strcmp(l->kind, "set"))
        return run->num_settings < REPLAY_MAX_SETTINGS &&
               fits(l->rest, run->settings[run->num_settings++], sizeof run->settings[0]);
    if (!strcmp(l->kind, "run"))
        for (char *name = strtok_r(l->rest, " \t", &rest); ok && name; name = strtok_r(NULL, " \t", &rest))
            ok = run->num_blocks < LOCKSTEP_MAX_BLOCKS && fits(name, run->blocks[run->num_blocks++], VIEW_NAME);
    return ok;
}

bool view_read_run(const char *source, const char *block_name, view_run *run, char err[VIEW_ERR])
{
    FILE *in = open_source(source, err);
    unsigned number = 0;
    bool ok = in != NULL;
    view_line l;

    *run = (view_run){.num_blocks = 0};
    snprintf(run->marks, sizeof run->marks, "%s", block_name);
    while (ok && next_line(in, &number, &l)) {
        ok = read_run_line(run, &l);
        if (!ok)
            snprintf(err, VIEW_ERR, "%s:%u: wrong or too much in a line of the kind %s", source, number, l.kind);
    }
    if (ok && !run->num_blocks)
        fits(block_name, run->blocks[run->num_blocks++], VIEW_NAME);
    if (in)
        fclose(in);
    return ok;
}

/* The whole source, for one viewer. */
static bool print_view(wave_page *page, void *context)
{
    maker *m = context;
    view_line l;
    bool ok = true;

    m->page = page;
    m->line = 0;
    rewind(m->in);
    while (ok && next_line(m->in, &m->line, &l))
        ok = do_line(m, &l);
    return ok;
}

bool view_make(const view *v, const char *target, const wave_range *range, const wave_marks *marks, char err[VIEW_ERR])
{
    const wave_head head = {.title = v->block_name, .fst_path = v->fst_path, .range = range, .marks = marks};
    maker m = {.view = v, .in = open_source(v->source, err), .err = err};
    bool ok;

    if (!m.in)
        return false;
    err[0] = '\0';
    lockstep_name_where(v->num_sms, v->sm, m.top, sizeof m.top);
    for (unsigned b = 0; v->blocks[b]; b++)
        list_ports(v->blocks[b], &m.ports[b]);
    ok = wave_save_all(target, &head, print_view, &m);
    if (!ok && !err[0])
        snprintf(err, VIEW_ERR, "%s: cannot be written (%m)", target);
    for (unsigned b = 0; v->blocks[b]; b++)
        port_list_free(&m.ports[b]);
    fclose(m.in);
    return ok;
}
