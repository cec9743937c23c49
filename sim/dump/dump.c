/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle ends at an edge of the clock, and its values are those before the edge; or, without a clock, it has the values with which its
 * time ends.
 */
#include "dump/dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/dump_map.h"
#include "recording/format.h"
#include "recording/input.h"
#include "dump/vcd.h"

enum { WORD_BITS = 64, NAME_BYTES = 512 };

/* Bits low to low + width - 1 of a variable, counted from its least significant one; and their value, as of so many changes of the
 * variable. */
typedef struct tap {
    const vcd_name *of;
    unsigned low, width;
    bool known;
    uint64_t changes, value;
} tap;

/* One field of an SM: a tap for each of its elements, or of the SM's chip. */
typedef struct taps {
    tap *tap;
    unsigned num; /* 0: the map has no such signal */
} taps;

typedef struct tapped_sm {
    unsigned number;
    taps field[DUMP_CLASS + 1];
} tapped_sm;

struct dump {
    const raw_import_options *opt;
    dump_map map;
    vcd *file;
    tapped_sm *sm;
    unsigned num_sms;
    taps starts, when, clock;
    bool any, ended; /* a cycle has been returned; the waveform is over */
    uint64_t cycle, complete; /* cycles before `complete` have their values; without a clock */
};

bool dump_fail(const dump *d, trace_err *err, const char *what, ...)
{
    char text[400], line[32] = "";
    va_list args;

    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    if (dump_line(d))
        snprintf(line, sizeof line, "line %lu: ", dump_line(d));
    return import_fail(err, d->opt->dump_path, UINT64_MAX, "%scycle %llu: %s", line, (unsigned long long)d->cycle, text);
}

/* ---- names ------------------------------------------------------------------------ */

/* The map's name with numbers in the places of {sm}, {warp} and {slot}. */
static bool expand(const dump *d, const char *pattern, unsigned sm, unsigned element, char name[NAME_BYTES], trace_err *err)
{
    static const char *const marks[] = {"{sm}", "{warp}", "{slot}"};
    size_t n = 0;

    for (const char *p = pattern; *p; n = strlen(name)) {
        unsigned which = 0;

        while (which < 3 && strncmp(p, marks[which], strlen(marks[which])) != 0)
            which++;
        if (which == 3 && *p == '{')
            return dump_map_fail(&d->map, err, "\"%.200s\": a { begins {sm}, {warp} or {slot}", pattern);
        if (which < 3)
            snprintf(name + n, NAME_BYTES - n, "%u", which == 0 ? sm : element);
        else
            snprintf(name + n, NAME_BYTES - n, "%c", *p);
        p += which < 3 ? strlen(marks[which]) : 1;
    }
    return true;
}

/* Takes "[7:4]" or "[5]" off the end of a name; false: it has none. */
static bool take_slice(char *name, long long *left, long long *right)
{
    char *open = strrchr(name, '[');
    int used = 0;

    if (open && sscanf(open, "[%9lld:%9lld]%n", left, right, &used) == 2 && used && !open[used]) {
        *open = '\0';
        return true;
    }
    used = 0;
    if (!open || sscanf(open, "[%9lld]%n", left, &used) != 1 || !used || open[used])
        return false;
    *right = *left;
    *open = '\0';
    return true;
}

/* How far a numbered bit is from the least significant one; negative or too far: it has none of that number. */
static long long place(const vcd_name *n, long long bit) { return n->left >= n->right ? bit - n->right : n->right - bit; }

static bool slice(const dump *d, const char *name, long long left, long long right, tap *t, trace_err *err)
{
    const long long high = place(t->of, left), low = place(t->of, right);

    if (high < low || low < 0 || high >= t->of->width)
        return dump_map_fail(&d->map, err, "%.200s: the signal is [%lld:%lld] in %.100s, give bits of these in this order", name,
                             (long long)t->of->left, (long long)t->of->right, d->opt->dump_path);
    t->low = (unsigned)low;
    t->width = (unsigned)(high - low + 1);
    return true;
}

/* A signal of this whole name, or bits of one. */
static bool find(const dump *d, const char *full, dump_field field, tap *t, trace_err *err)
{
    char name[NAME_BYTES];
    long long left = 0, right = 0;
    bool sliced = false;

    snprintf(name, sizeof name, "%s", full);
    *t = (tap){.of = vcd_find(d->file, name)};
    if (!t->of && (sliced = take_slice(name, &left, &right)))
        t->of = vcd_find(d->file, name);
    if (!t->of)
        return import_fail(err, d->opt->dump_path, UINT64_MAX, "no signal \"%.200s\", which %.100s has as %s; give its name with all scopes", full,
                           d->map.path, dump_field_names[field]);
    if (!t->of->is_bits)
        return dump_map_fail(&d->map, err, "%.200s is a real number or a text, and %s is bits", full, dump_field_names[field]);
    t->width = t->of->width;
    return (!sliced || slice(d, full, left, right, t, err)) &&
           (vcd_want(d->file, t->of->variable) || dump_map_fail(&d->map, err, "out of memory"));
}

/* ---- taps ------------------------------------------------------------------------- */

static unsigned elements(const dump *d, dump_field field)
{
    if (field <= DUMP_PAUSED)
        return d->opt->geometry.warps;
    return field <= DUMP_CTA_ACTIVE ? d->opt->geometry.slots : 1;
}

static bool right_width(const dump *d, dump_field field, const char *name, unsigned width, unsigned count, trace_err *err)
{
    const bool wide = field == DUMP_STATE || field == DUMP_CLASS;
    const unsigned each = width / count;

    if (each && width % count == 0 && each <= (wide ? 32 : 1))
        return true;
    return dump_map_fail(&d->map, err, "%.150s has %u bits, and %s needs %s for each of %u; name a part of it as [7:0], or give --warps and --slots",
                         name, width, dump_field_names[field], wide ? "1 to 32" : "1", count);
}

/* One signal for all elements, element 0 in the lowest bits. */
static bool split(const dump *d, dump_field field, const char *name, tap whole, taps *to, trace_err *err)
{
    if (!right_width(d, field, name, whole.width, to->num, err))
        return false;
    whole.width /= to->num;
    for (unsigned i = 0; i < to->num; i++)
        to->tap[i] = (tap){.of = whole.of, .low = whole.low + i * whole.width, .width = whole.width};
    return true;
}

static bool tap_field(const dump *d, dump_field field, unsigned sm, taps *to, trace_err *err)
{
    const char *pattern = d->map.signal[field], *mark = field <= DUMP_PAUSED ? "{warp}" : "{slot}";
    const bool each = strstr(pattern, mark) != NULL;
    char name[NAME_BYTES];

    if (!pattern[0])
        return true;
    if (strstr(pattern, field <= DUMP_PAUSED ? "{slot}" : "{warp}") || (each && field > DUMP_CTA_ACTIVE))
        return dump_map_fail(&d->map, err, "%s has a number of warps or CTA slots in its name that it has not", dump_field_names[field]);
    to->num = elements(d, field);
    to->tap = calloc(to->num, sizeof *to->tap);
    if (!to->tap)
        return dump_map_fail(&d->map, err, "out of memory");
    for (unsigned i = 0; i < (each ? to->num : 1); i++) {
        tap one;

        if (!expand(d, pattern, sm, i, name, err) || !find(d, name, field, &one, err))
            return false;
        if (!each)
            return split(d, field, name, one, to, err);
        if (!right_width(d, field, name, one.width, 1, err))
            return false;
        to->tap[i] = one;
    }
    return true;
}

static bool has_sms(const dump *d) { return strstr(d->map.signal[DUMP_STATE], "{sm}") != NULL; }

/* By its first warp's state. */
static bool is_dumped(const dump *d, unsigned sm)
{
    char name[NAME_BYTES];
    trace_err ignored;
    tap one;

    return expand(d, d->map.signal[DUMP_STATE], sm, 0, name, &ignored) && find(d, name, DUMP_STATE, &one, &ignored);
}

static bool wanted(const dump *d, unsigned sm)
{
    if (!d->opt->num_sms)
        return has_sms(d) ? is_dumped(d, sm) : sm == 0;
    return memchr(d->opt->sms, (int)sm, d->opt->num_sms) != NULL;
}

static bool tap_sms(dump *d, trace_err *err)
{
    d->sm = calloc(TRACE_MAX_SMS, sizeof *d->sm);
    if (!d->sm)
        return dump_map_fail(&d->map, err, "out of memory");
    for (unsigned number = 0; number < d->opt->geometry.sms; number++) {
        tapped_sm *sm = &d->sm[d->num_sms];

        if (!wanted(d, number))
            continue;
        d->num_sms++;
        sm->number = number;
        for (dump_field f = 0; f <= DUMP_CLASS; f++)
            if (!tap_field(d, f, number, &sm->field[f], err))
                return false;
    }
    if (d->num_sms > 1 && !has_sms(d))
        return dump_map_fail(&d->map, err, "without {sm} in the names there is one SM; give one with --sm");
    if (d->num_sms)
        return true;
    return tap_field(d, DUMP_STATE, 0, &d->sm[d->num_sms++].field[DUMP_STATE], err) /* which says what is missing */ &&
           dump_map_fail(&d->map, err, "no SM to import; give --sm");
}

static bool tap_all(dump *d, trace_err *err)
{
    const unsigned first = d->num_sms ? d->sm[0].number : 0;

    return tap_field(d, DUMP_KERNEL_START, first, &d->starts, err) && tap_field(d, DUMP_WHEN, first, &d->when, err) &&
           tap_field(d, DUMP_CLOCK, first, &d->clock, err);
}

/* ---- cycles ----------------------------------------------------------------------- */

static uint64_t time_in_cycles(const dump *d) { return vcd_time(d->file) / d->map.period; }

static bool is_edge(const dump *d)
{
    const tap *t = d->clock.tap;
    const unsigned at = t->of->width - 1 - t->low;
    const char was = vcd_before(d->file, t->of->variable)[at], is = vcd_behind(d->file, t->of->variable)[at];

    return d->map.falling ? was == '1' && is == '0' : was == '0' && is == '1';
}

/* To the next time at which a cycle ends. */
static bool step(dump *d, trace_err *err)
{
    bool end = false;

    do {
        vcd_apply(d->file);
        if (!vcd_next(d->file, &end, err))
            return false;
    } while (!end && d->clock.num && !is_edge(d));
    d->ended = end;
    return true;
}

static bool next_edge(dump *d, bool *end, trace_err *err)
{
    if (!step(d, err))
        return false;
    *end = d->ended;
    d->cycle = d->any ? d->cycle + !*end : d->map.first_cycle;
    d->any = true;
    return true;
}

static bool next_period(dump *d, bool *end, trace_err *err)
{
    if (!d->any) {
        if (!step(d, err))
            return false;
        d->complete = d->cycle = d->ended ? 0 : time_in_cycles(d);
        d->any = true;
    } else {
        d->cycle++;
    }
    while (d->cycle >= d->complete && !d->ended) {
        if (!step(d, err))
            return false;
        d->complete = d->ended ? d->complete : time_in_cycles(d);
        if (d->complete > d->cycle && d->complete - d->cycle > d->opt->max_gap)
            return dump_fail(d, err, "nothing changes up to cycle %llu; if that is so, allow it with --max-gap", (unsigned long long)d->complete);
    }
    *end = d->cycle >= d->complete;
    return true;
}

/* 0 or 1, or 'x'. */
static int bit_of(const dump *d, const tap *t)
{
    const char bit = vcd_before(d->file, t->of->variable)[t->of->width - 1 - t->low];

    return bit == '0' || bit == '1' ? bit - '0' : 'x';
}

bool dump_next(dump *d, bool *end, trace_err *err)
{
    do
        if (!(d->clock.num ? next_edge(d, end, err) : next_period(d, end, err)))
            return false;
    while (!*end && d->when.num && bit_of(d, d->when.tap) != 1);
    return true;
}

/* ---- values ----------------------------------------------------------------------- */

static bool read_value(const dump *d, tap *t, dump_field field, trace_err *err)
{
    const char *bits = vcd_before(d->file, t->of->variable) + t->of->width - t->low - t->width;

    t->value = 0;
    for (unsigned i = 0; i < t->width; i++) {
        if (bits[i] != '0' && bits[i] != '1')
            return dump_fail(d, err, "%.200s (%s) is x or z; leave out such cycles with the key when, such as a reset's", t->of->name,
                             dump_field_names[field]);
        t->value = t->value << 1 | (bits[i] == '1');
    }
    t->known = true;
    t->changes = vcd_changes(d->file, t->of->variable);
    return true;
}

static bool value_of(const dump *d, tap *t, dump_field field, uint64_t *value, trace_err *err)
{
    if ((!t->known || t->changes != vcd_changes(d->file, t->of->variable)) && !read_value(d, t, field, err))
        return false;
    *value = t->value;
    return true;
}

/* One bit for each element. */
static bool mask_of(const dump *d, const tapped_sm *sm, dump_field field, uint64_t *mask, trace_err *err)
{
    const taps *from = &sm->field[field];

    *mask = 0;
    for (unsigned i = 0; i < from->num; i++) {
        uint64_t bit;

        if (!value_of(d, &from->tap[i], field, &bit, err))
            return false;
        *mask |= bit << i;
    }
    return true;
}

static bool code_of(const dump *d, tap *t, dump_field field, unsigned *code, trace_err *err)
{
    const dump_codes *codes = field == DUMP_STATE ? &d->map.states : &d->map.classes;
    uint64_t value;

    if (!value_of(d, t, field, &value, err))
        return false;
    return dump_code(codes, value, field == DUMP_STATE ? BALLAST_WARP_STATES - 1 : BALLAST_PS_ACTIVE, code) ||
           dump_fail(d, err, "%.200s is %llu, which is no %s; %s", t->of->name, (unsigned long long)value, dump_field_names[field],
                     codes->num ? "add it to the map" : "say in the map which value means what");
}

static void put_state(dump_sm *sm, unsigned warp, unsigned code) { sm->states[warp / 2] |= (uint8_t)(code << 4 * (warp % 2)); }

static bool look_at_warps(const dump *d, const tapped_sm *from, dump_sm *sm, trace_err *err)
{
    uint64_t alu, mem;

    if (!mask_of(d, from, DUMP_ISSUED_ALU, &alu, err) || !mask_of(d, from, DUMP_ISSUED_MEM, &mem, err) ||
        !mask_of(d, from, DUMP_PAUSED, &sm->paused, err))
        return false;
    for (unsigned w = 0; w < d->opt->geometry.warps; w++) {
        unsigned code;

        if (!code_of(d, &from->field[DUMP_STATE].tap[w], DUMP_STATE, &code, err))
            return false;
        if (alu >> w & 1)
            code = BALLAST_WARP_ISSUED_ALU;
        if (mem >> w & 1)
            code = BALLAST_WARP_ISSUED_MEM;
        put_state(sm, w, code);
    }
    return true;
}

bool dump_starts(const dump *d, bool *starts, trace_err *err)
{
    uint64_t bit = 0;

    *starts = false;
    if (d->starts.num && !value_of(d, d->starts.tap, DUMP_KERNEL_START, &bit, err))
        return false;
    *starts = bit;
    return true;
}

bool dump_look(const dump *d, unsigned index, dump_sm *sm, trace_err *err)
{
    const tapped_sm *from = &d->sm[index];
    uint64_t start, done, active;
    unsigned cls = TRACE_NO_CLASS;

    *sm = (dump_sm){.cls = TRACE_NO_CLASS};
    if (!mask_of(d, from, DUMP_CTA_START, &start, err) || !mask_of(d, from, DUMP_CTA_DONE, &done, err) ||
        !mask_of(d, from, DUMP_CTA_ACTIVE, &active, err) || !look_at_warps(d, from, sm, err))
        return false;
    if (from->field[DUMP_CLASS].num && !code_of(d, from->field[DUMP_CLASS].tap, DUMP_CLASS, &cls, err))
        return false;
    sm->start = (uint32_t)start;
    sm->done = (uint32_t)done;
    sm->active = (uint32_t)active;
    sm->cls = (uint8_t)cls;
    return true;
}

/* ----------------------------------------------------------------------------------- */

dump *dump_open(const raw_import_options *opt, trace_err *err)
{
    dump *d = calloc(1, sizeof *d);

    if (!d) {
        import_fail(err, opt->dump_path, UINT64_MAX, "out of memory");
        return NULL;
    }
    d->opt = opt;
    if (dump_map_read(&d->map, opt->map_path, err) && (d->file = vcd_open(opt->dump_path, err)) && tap_sms(d, err) && tap_all(d, err))
        return d;
    dump_close(d);
    return NULL;
}

void dump_close(dump *d)
{
    if (!d)
        return;
    for (unsigned i = 0; i < d->num_sms; i++)
        for (unsigned f = 0; f <= DUMP_CLASS; f++)
            free(d->sm[i].field[f].tap);
    free(d->sm);
    free(d->starts.tap);
    free(d->when.tap);
    free(d->clock.tap);
    vcd_close(d->file);
    free(d);
}

const char *dump_path(const dump *d) { return d->opt->dump_path; }
uint64_t dump_consumed(const dump *d) { return vcd_consumed(d->file); }
uint64_t dump_size(const dump *d) { return vcd_size(d->file); }
unsigned dump_num_sms(const dump *d) { return d->num_sms; }
unsigned dump_sm_number(const dump *d, unsigned index) { return d->sm[index].number; }
bool dump_has_starts(const dump *d) { return d->starts.num > 0; }
bool dump_has_active(const dump *d) { return d->sm[0].field[DUMP_CTA_ACTIVE].num > 0; }
uint64_t dump_cycle(const dump *d) { return d->cycle; }
unsigned long dump_line(const dump *d) { return vcd_line(d->file); }
