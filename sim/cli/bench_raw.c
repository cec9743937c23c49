/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench_raw.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { RECORD_BYTES = 32, STATES_AT = 8, MAX_SMS = 16 };

typedef struct stream {
    trace_reader *reader;
    const sm_obs *obs;
} stream;

static bool advance(stream *s, trace_err *err)
{
    s->obs = trace_next(s->reader, err);
    return err->text[0] == '\0';
}

static bool write_record(FILE *f, stream *s, unsigned sm, trace_err *err)
{
    unsigned char record[RECORD_BYTES] = {0};
    const uint64_t cycle = trace_cycle(s->reader);
    uint8_t cls;

    if (!trace_recorded_class(s->reader, &cls, err))
        return false;
    for (int b = 0; b < 4; b++)
        record[b] = (unsigned char)(cycle >> 8 * b);
    record[4] = (unsigned char)sm;
    record[5] = (unsigned char)((cls & 3) << 4);
    record[6] = (unsigned char)(s->obs->cta_active & ~s->obs->cta_done);
    record[7] = (unsigned char)s->obs->cta_done;
    for (unsigned w = 0; w < 2 * (RECORD_BYTES - STATES_AT); w++)
        record[STATES_AT + w / 2] |= (unsigned char)(sm_obs_warp_state(s->obs, w) << (w & 1 ? 4 : 0));
    return fwrite(record, 1, sizeof record, f) == sizeof record;
}

/* The stream whose next cycle is the earliest; -1 when all have ended. */
static int earliest(const stream *s, unsigned n)
{
    int best = -1;

    for (unsigned i = 0; i < n; i++)
        if (s[i].obs && (best < 0 || trace_cycle(s[i].reader) < trace_cycle(s[best].reader)))
            best = (int)i;
    return best;
}

static bool write_all(FILE *f, stream *s, unsigned n, trace_err *err)
{
    bool ok = true;
    int i;

    for (unsigned k = 0; k < n && ok; k++)
        ok = trace_select_sm(s[k].reader, trace_get_sm(s[k].reader, k)->sm, err) && advance(&s[k], err);
    while (ok && (i = earliest(s, n)) >= 0) {
        if (s[i].obs->cta_active)
            ok = write_record(f, &s[i], trace_get_sm(s[i].reader, (unsigned)i)->sm, err);
        ok = ok && advance(&s[i], err);
    }
    return ok;
}

bool bench_write_raw(const char *recording, const char *path, trace_err *err)
{
    stream streams[MAX_SMS] = {{NULL, NULL}};
    FILE *f = NULL;
    unsigned n = 1;
    bool ok = true;

    err->text[0] = '\0';
    for (unsigned i = 0; ok && i < n && i < MAX_SMS; i++) {
        streams[i].reader = trace_open(recording, NULL, err);
        ok = streams[i].reader != NULL;
        n = ok ? trace_num_sms(streams[i].reader) : 0;
    }
    /* Nothing is made of a recording that is not there. */
    ok = ok && (f = fopen(path, "wb")) != NULL && write_all(f, streams, n < MAX_SMS ? n : MAX_SMS, err);
    if (f)
        ok &= fclose(f) == 0;
    if (!ok && !err->text[0])
        snprintf(err->text, sizeof err->text, "%s: cannot write: %s", path, strerror(errno));
    for (unsigned i = 0; i < MAX_SMS; i++)
        trace_close(streams[i].reader);
    return ok;
}
