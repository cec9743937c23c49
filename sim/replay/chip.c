/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "replay/open_loop.h"

/* One stream of buses. In open loop several SMs share it, each some cycles later than the one
 * before, so its last cycles are kept. */
typedef struct chip_stream {
    trace_reader *reader; /* open loop */
    open_loop player;
    family *family;
    stimulus source;
    uint64_t first; /* cycle of the run in which it begins */
    sm_obs *ring;
    sm_setup *setups; /* of the ring's buses: as many places, and a new one only when the setup changes */
    unsigned ring_size;
    uint64_t num_setups;
    uint64_t produced; /* cycles in the ring so far, idle ones included */
    uint64_t length;   /* of these, up to the end of the source         */
    bool ended;
} chip_stream;

typedef struct chip_sm {
    unsigned stream;
    unsigned delay;
} chip_sm;

struct chip_player {
    unsigned num_sms, num_streams;
    chip_stream streams[CHIP_MAX_SMS];
    chip_sm sms[CHIP_MAX_SMS];
    const sm_obs *buses[CHIP_MAX_SMS];
    uint64_t time;
    trace_err err;
};

/* ---- opening --------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool fail(trace_err *err, const char *text, ...)
{
    va_list args;

    va_start(args, text);
    err->offset = UINT64_MAX;
    vsnprintf(err->text, sizeof err->text, text, args);
    va_end(args);
    return false;
}

static bool check_size(unsigned num_sms, unsigned skew, trace_err *err)
{
    if (num_sms == 0 || num_sms > CHIP_MAX_SMS)
        return fail(err, "a chip of %u SMs: it can have 1 to %d", num_sms, CHIP_MAX_SMS);
    if (skew > CHIP_MAX_SKEW)
        return fail(err, "%u cycles between SMs: at most %d", skew, CHIP_MAX_SKEW);
    return true;
}

static chip_player *create(unsigned num_sms, unsigned skew, unsigned num_recorded, unsigned most_streams,
                           trace_err *err)
{
    chip_player *p;

    if (!check_size(num_sms, skew, err))
        return NULL;
    p = calloc(1, sizeof *p);
    if (!p) {
        fail(err, "out of memory");
        return NULL;
    }
    p->num_sms = num_sms;
    p->num_streams = most_streams < num_sms ? most_streams : num_sms;
    for (unsigned i = 0; i < num_sms; i++) {
        p->sms[i].stream = i % p->num_streams;
        p->sms[i].delay = i / num_recorded * skew;
    }
    return p;
}

static bool give_ring(chip_player *p, chip_stream *s, trace_err *err)
{
    unsigned most = 0;

    for (unsigned i = 0; i < p->num_sms; i++)
        if (&p->streams[p->sms[i].stream] == s && p->sms[i].delay > most)
            most = p->sms[i].delay;
    s->ring_size = most + 1;
    s->ring = calloc(s->ring_size, sizeof *s->ring);
    s->setups = calloc(s->ring_size, sizeof *s->setups);
    return (s->ring && s->setups) || fail(err, "out of memory for %u cycles", s->ring_size);
}

static bool open_stream(chip_player *p, unsigned index, const char *path, uint64_t *first, trace_err *err)
{
    chip_stream *s = &p->streams[index];
    const trace_sm_info *info;

    s->reader = trace_open(path, NULL, err);
    if (!s->reader)
        return false;
    info = trace_get_sm(s->reader, index);
    if (!open_loop_start(&s->player, s->reader, info->sm)) {
        *err = s->player.err;
        return false;
    }
    s->source = open_loop_stimulus(&s->player);
    s->first = info->first_cycle;
    *first = s->first < *first ? s->first : *first;
    return give_ring(p, s, err);
}

/* How many, and their numbers. */
static unsigned recorded_sms(const char *path, unsigned *numbers, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    const unsigned n = r ? trace_num_sms(r) : 0;

    if (r && !n)
        fail(err, "%s: records no SM", path);
    for (unsigned i = 0; i < n; i++)
        numbers[i] = trace_get_sm(r, i)->sm;
    trace_close(r);
    return n;
}

chip_player *chip_open(const char *path, unsigned num_sms, unsigned skew, trace_err *err)
{
    unsigned numbers[TRACE_MAX_SMS];
    const unsigned recorded = recorded_sms(path, numbers, err);
    chip_player *p = recorded ? create(num_sms, skew, recorded, recorded, err) : NULL;
    uint64_t first = UINT64_MAX;
    bool ok = p != NULL;

    for (unsigned i = 0; ok && i < p->num_streams; i++)
        ok = open_stream(p, i, path, &first, err);
    if (!ok) {
        chip_close(p);
        return NULL;
    }
    for (unsigned i = 0; i < p->num_streams; i++)
        p->streams[i].first -= first;
    return p;
}

chip_player *chip_open_family(const char *const *paths, unsigned num_paths, const family_options *options,
                              unsigned num_sms, unsigned skew, trace_err *err)
{
    unsigned numbers[TRACE_MAX_SMS];
    const unsigned recorded = num_paths ? recorded_sms(paths[0], numbers, err) : 0;
    chip_player *p = recorded ? create(num_sms, skew, recorded, CHIP_FAMILIES, err) : NULL;
    bool ok = p != NULL;

    if (!num_paths)
        fail(err, "no recordings");
    /* A stream begins when its first SM does, the others follow it. */
    for (unsigned i = 0; ok && i < num_sms; i++) {
        chip_stream *s = &p->streams[p->sms[i].stream];

        if (i < p->num_streams)
            s->first = p->sms[i].delay;
        p->sms[i].delay -= (unsigned)s->first;
    }
    for (unsigned i = 0; ok && i < p->num_streams; i++) {
        chip_stream *s = &p->streams[i];
        family_options own = *options;

        own.sm = numbers[i % recorded];
        s->family = family_open(paths, num_paths, &own, err);
        ok = s->family != NULL;
        if (!ok)
            break;
        s->source = family_stimulus(s->family);
        ok = give_ring(p, s, err);
    }
    if (!ok) {
        chip_close(p);
        return NULL;
    }
    return p;
}

void chip_begin_together(chip_player *p)
{
    for (unsigned i = 0; i < p->num_streams; i++)
        p->streams[i].first = 0;
}

void chip_close(chip_player *p)
{
    if (!p)
        return;
    for (unsigned i = 0; i < p->num_streams; i++) {
        family_close(p->streams[i].family);
        trace_close(p->streams[i].reader);
        free(p->streams[i].ring);
        free(p->streams[i].setups);
    }
    free(p);
}

const trace_meta *chip_meta(const chip_player *p)
{
    const chip_stream *s = &p->streams[0];

    return s->family ? family_meta(s->family) : trace_get_meta(s->reader);
}

/* ---- playing --------------------------------------------------------------------- */

static const sm_setup no_kernel;
static const sm_obs nothing_yet = {.setup = &no_kernel};

static bool produce(chip_player *p, chip_stream *s, uint8_t limit)
{
    sm_obs *to = &s->ring[s->produced % s->ring_size];
    const sm_obs *last = s->produced ? &s->ring[(s->produced - 1) % s->ring_size] : &nothing_yet;
    const sm_obs idle = {.setup = last->setup}; /* no warps, no CTAs, nothing happens; the kernel stays known */
    const sm_obs *obs = NULL;

    if (!s->ended && p->time >= s->first) {
        obs = stimulus_next(&s->source, &(feedback){.limits = &limit});
        s->ended = !obs;
        if (!obs && s->source.error(s->source.self)[0]) {
            snprintf(p->err.text, sizeof p->err.text, "%s", s->source.error(s->source.self));
            return false;
        }
    }
    s->num_setups += sm_keep_next(to, obs ? obs : &idle, last, &s->setups[s->num_setups % s->ring_size]);
    s->produced++;
    if (obs)
        s->length = s->produced;
    return true;
}

/* An SM that plays a stream with a delay is empty until then, and until its kernel starts. */
static const sm_obs *bus_of(chip_player *p, chip_sm *sm)
{
    const chip_stream *s = &p->streams[sm->stream];

    if (s->produced <= sm->delay)
        return &nothing_yet;
    return &s->ring[(s->produced - 1 - sm->delay) % s->ring_size];
}

static bool all_over(const chip_player *p)
{
    for (unsigned i = 0; i < p->num_sms; i++) {
        const chip_stream *s = &p->streams[p->sms[i].stream];

        if (!s->ended || s->produced <= s->length + p->sms[i].delay)
            return false;
    }
    return true;
}

static const sm_obs *const *next(void *self, const feedback *last)
{
    chip_player *p = self;

    for (unsigned i = 0; i < p->num_streams; i++)
        if (!produce(p, &p->streams[i], (uint8_t)feedback_limit(last, i)))
            return NULL;
    p->time++;
    if (all_over(p))
        return NULL;
    for (unsigned i = 0; i < p->num_sms; i++)
        p->buses[i] = bus_of(p, &p->sms[i]);
    return p->buses;
}

static uint64_t cycle(void *self)
{
    return ((const chip_player *)self)->time - 1;
}

static int rewind_to_start(void *self)
{
    chip_player *p = self;

    p->time = 0;
    p->err.text[0] = '\0';
    for (unsigned i = 0; i < p->num_streams; i++) {
        chip_stream *s = &p->streams[i];

        s->produced = s->length = s->num_setups = 0;
        s->ended = false;
        if (!s->source.rewind(s->source.self)) {
            snprintf(p->err.text, sizeof p->err.text, "%s", s->source.error(s->source.self));
            return 0;
        }
    }
    return 1;
}

static const char *error(void *self)
{
    return ((const chip_player *)self)->err.text;
}

stimulus chip_stimulus(chip_player *p)
{
    return (stimulus){p, next, cycle, rewind_to_start, error};
}
