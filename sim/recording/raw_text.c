/* SPDX-License-Identifier: Apache-2.0
 *
 * A warp keeps its state until its next line or the end of its CTA, and an SM its class. So between two lines of an SM there is a
 * record for each cycle in which cta.csv says that it holds a CTA.
 */
#include "recording/raw_text.h"

#include <stdlib.h>
#include <string.h>

#include "recording/csv.h"
#include "recording/format.h"
#include "recording/raw_source.h"

enum { T_CYCLE, T_SM, T_WARP, T_STATE, T_COUNT };
static const char *const columns[T_COUNT] = {"cycle", "sm", "warp", "state"};

static const char *const state_names[BALLAST_WARP_STATES] = {
    [BALLAST_WARP_EMPTY] = "empty",          [BALLAST_WARP_BARRIER] = "barrier",         [BALLAST_WARP_NO_INST] = "no_inst",
    [BALLAST_WARP_WAIT_ALU] = "wait_alu",    [BALLAST_WARP_WAIT_MEM] = "wait_mem",       [BALLAST_WARP_ALU_LOST] = "alu_lost",
    [BALLAST_WARP_ALU_BLOCKED] = "alu_blocked", [BALLAST_WARP_MEM_LOST] = "mem_lost",    [BALLAST_WARP_MEM_BLOCKED] = "mem_blocked",
    [BALLAST_WARP_ISSUED_ALU] = "issued_alu", [BALLAST_WARP_ISSUED_MEM] = "issued_mem"};
enum { CLASSES = 5, NONE = 4 };
static const char *const class_names[CLASSES] = {"idle", "scoreboard", "pipeline", "active", [NONE] = "none"};

const char *raw_text_state(unsigned state) { return state_names[state]; }

const char *raw_text_class(uint8_t cls) { return class_names[cls == TRACE_NO_CLASS ? NONE : cls]; }

/* `count` if it is none of these. */
static unsigned find(const char *word, const char *const *names, unsigned count)
{
    unsigned i = 0;

    while (i < count && strcmp(word, names[i]) != 0)
        i++;
    return i;
}

bool raw_text_find_state(const char *word, unsigned *state)
{
    *state = find(word, state_names, BALLAST_WARP_STATES);
    return *state < BALLAST_WARP_STATES;
}

bool raw_text_find_class(const char *word, unsigned *cls)
{
    const unsigned found = find(word, class_names, CLASSES);

    *cls = found == NONE ? TRACE_NO_CLASS : found;
    return found < CLASSES;
}

/* One SM on its way. */
typedef struct text_sm {
    bool known;             /* it has had a line */
    uint64_t cycle;         /* of its next record */
    uint64_t quiet_since;   /* its last line or event */
    size_t event, event_end;
    uint32_t active, done;  /* CTA slots after this cycle; finished in it */
    uint64_t owned[BALLAST_MAX_SLOTS]; /* warps */
    uint64_t leaving;       /* warps that are empty from the next cycle on */
    uint8_t cls, states[BALLAST_MAX_WARPS / 2];
} text_sm;

typedef struct text_line {
    uint64_t cycle;
    unsigned sm, warp, code;
    bool is_class;
} text_line;

typedef struct raw_text {
    csv file;
    const raw_tables *tables;
    const raw_import_options *opt;
    bool has_line;
    text_line line; /* the first that was not applied yet */
    text_sm sm[TRACE_MAX_SMS];
    unsigned known[TRACE_MAX_SMS], num_known; /* SMs that have had a line */
    uint8_t shown[BALLAST_MAX_WARPS / 2]; /* states of the record that was returned last */
} raw_text;

/* ---- lines ------------------------------------------------------------------------ */

static bool code_of(const csv *c, const char *const *names, unsigned count, const char *what, unsigned *code, trace_err *err)
{
    const char *text = csv_text(c, T_STATE);
    uint64_t number;

    *code = find(text, names, count);
    if (*code < count)
        return true;
    if (text[0] >= '0' && text[0] <= '9' && csv_number(c, T_STATE, count - 1, &number, err)) {
        *code = (unsigned)number;
        return true;
    }
    return csv_fail(c, err, "\"%.40s\" is no %s; give %s to %s, or 0 to %u", text, what, names[0], names[count - 1], count - 1);
}

static bool parse(const raw_text *t, text_line *line, trace_err *err)
{
    const csv *c = &t->file;
    uint64_t sm, warp = 0;

    if (!csv_number(c, T_CYCLE, UINT64_MAX, &line->cycle, err) || !csv_number(c, T_SM, t->opt->geometry.sms - 1u, &sm, err))
        return false;
    line->is_class = !strcmp(csv_text(c, T_WARP), "class");
    if (!line->is_class && !csv_number(c, T_WARP, t->opt->geometry.warps - 1u, &warp, err))
        return false;
    line->sm = (unsigned)sm;
    line->warp = (unsigned)warp;
    return line->is_class ? code_of(c, class_names, CLASSES, "class", &line->code, err)
                          : code_of(c, state_names, BALLAST_WARP_STATES, "state", &line->code, err);
}

static bool next_line(raw_text *t, trace_err *err)
{
    const uint64_t before = t->has_line ? t->line.cycle : 0;

    t->has_line = false;
    if (!csv_row(&t->file, err))
        return !err->text[0];
    if (!parse(t, &t->line, err))
        return false;
    if (t->line.cycle < before)
        return csv_fail(&t->file, err, "cycle %llu is earlier than that of the line before", (unsigned long long)t->line.cycle);
    t->has_line = true;
    return true;
}

static void set_state(text_sm *s, unsigned warp, unsigned code)
{
    uint8_t *byte = &s->states[warp / 2];

    *byte = (uint8_t)(warp % 2 ? (*byte & 0x0f) | code << 4 : (*byte & 0xf0) | code);
}

/* ---- cycles ----------------------------------------------------------------------- */

static void take_event(text_sm *s, const raw_tables *t, const raw_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->slot;

    if (e->done) {
        s->done |= bit;
        s->active &= ~bit;
        s->leaving |= s->owned[e->slot];
        return;
    }
    s->active |= bit;
    s->owned[e->slot] = low_bits(t->kernels[e->kernel].launch.desc.warps_per_cta) << e->first_warp;
}

/* To `cycle`, with its events. */
static void enter(raw_text *t, text_sm *s, uint64_t cycle)
{
    for (unsigned w = 0; s->leaving; w++, s->leaving >>= 1)
        if (s->leaving & 1)
            set_state(s, w, BALLAST_WARP_EMPTY);
    s->cycle = cycle;
    s->done = 0;
    for (; s->event < s->event_end && t->tables->events[s->event].cycle <= cycle; s->event++) {
        take_event(s, t->tables, &t->tables->events[s->event]);
        s->quiet_since = cycle;
    }
}

static bool is_busy(const text_sm *s) { return s->active || s->done; }

static bool has_events(const text_sm *s) { return s->event < s->event_end; }

static uint64_t next_event(const raw_text *t, const text_sm *s)
{
    return t->tables->events[s->event].cycle;
}

static text_sm *sm_of(raw_text *t, unsigned number)
{
    text_sm *s = &t->sm[number];

    if (!s->known) {
        s->known = true;
        t->known[t->num_known++] = number;
        s->cls = TRACE_NO_CLASS;
        raw_tables_range(t->tables, number, &s->event, &s->event_end);
        enter(t, s, has_events(s) ? next_event(t, s) : t->line.cycle);
    }
    return s;
}

/* The SM's cycle, which is over. */
static bool show(raw_text *t, text_sm *s, raw_record *r, trace_err *err)
{
    const unsigned number = (unsigned)(s - t->sm);

    if (s->cycle > s->quiet_since && s->cycle - s->quiet_since > t->opt->max_gap)
        return import_fail(err, input_path(t->file.in), UINT64_MAX,
                           "SM %u holds a CTA and nothing happens from cycle %llu on; if that is so, allow it with --max-gap", number,
                           (unsigned long long)s->quiet_since);
    memcpy(t->shown, s->states, sizeof t->shown);
    *r = (raw_record){.offset = UINT64_MAX, .cycle = s->cycle, .resident = s->active, .done = s->done, .sm = (uint8_t)number,
                      .cls = s->cls, .states = t->shown};
    enter(t, s, !s->active && has_events(s) ? next_event(t, s) : s->cycle + 1);
    return true;
}

/* All records of the SM up to here have been shown. On an SM without a CTA nothing but the end of what was there can happen. */
static bool apply(raw_text *t, text_sm *s, trace_err *err)
{
    const text_line *line = &t->line;
    const bool held = s->cycle == line->cycle && is_busy(s);

    if (line->is_class)
        s->cls = line->code == NONE ? TRACE_NO_CLASS : (uint8_t)line->code;
    else if (held)
        set_state(s, line->warp, line->code);
    else if (line->code != BALLAST_WARP_EMPTY)
        return csv_fail(&t->file, err, "SM %u holds no CTA in cycle %llu, by cta.csv", line->sm, (unsigned long long)line->cycle);
    if (held)
        s->quiet_since = line->cycle;
    return true;
}

/* Whether the SM has a record before `until`, or, without lines, one that its events ask for. Goes there. */
static bool has_record(raw_text *t, text_sm *s, uint64_t until)
{
    while (s->cycle < until && !is_busy(s) && (has_events(s) || t->has_line))
        enter(t, s, has_events(s) && next_event(t, s) < until ? next_event(t, s) : until);
    if (s->cycle >= until || !is_busy(s))
        return false;
    return t->has_line || has_events(s) || s->cycle <= s->quiet_since;
}

/* The SM with the earliest record before `until`, of one cycle the lowest SM; NULL: there is none. */
static text_sm *earliest(raw_text *t, uint64_t until)
{
    text_sm *found = NULL;

    for (unsigned i = 0; i < t->num_known; i++) {
        text_sm *s = &t->sm[t->known[i]];

        if (has_record(t, s, until) && (!found || s->cycle < found->cycle || (s->cycle == found->cycle && s < found)))
            found = s;
    }
    return found;
}

static bool next_record(void *records, raw_record *r, bool *end, trace_err *err)
{
    raw_text *t = records;
    text_sm *due;

    *end = false;
    while (t->has_line) {
        text_sm *s = sm_of(t, t->line.sm);

        due = earliest(t, t->line.cycle);
        if (due)
            return show(t, due, r, err);
        if (!apply(t, s, err) || !next_line(t, err))
            return false;
    }
    due = earliest(t, UINT64_MAX);
    *end = !due;
    return *end || show(t, due, r, err);
}

/* ----------------------------------------------------------------------------------- */

static void close_text(void *records)
{
    raw_text *t = records;

    csv_close(&t->file);
    free(t);
}

/* The tables say when an SM holds CTAs. */
static void *open_text(const raw_tables *tables, const raw_import_options *opt, const raw_files *files, trace_err *err)
{
    raw_text *t = calloc(1, sizeof *t);

    if (!t) {
        import_fail(err, files->records, UINT64_MAX, "out of memory");
        return NULL;
    }
    t->tables = tables;
    t->opt = opt;
    err->text[0] = '\0';
    if (!csv_open(&t->file, files->records, columns, T_COUNT, T_COUNT, err)) {
        free(t);
        return NULL;
    }
    if (!next_line(t, err)) {
        close_text(t);
        return NULL;
    }
    return t;
}

static const char *path(const void *records) { return input_path(((const raw_text *)records)->file.in); }
static uint64_t consumed(const void *records) { return input_consumed(((const raw_text *)records)->file.in); }
static uint64_t size(const void *records) { return input_size(((const raw_text *)records)->file.in); }

const raw_source raw_text_source = {.tables = raw_source_tables, .open = open_text, .close = close_text, .next = next_record, .path = path,
                                    .consumed = consumed, .size = size};
