/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/perfetto_events.h"

#include <inttypes.h>

void perfetto_text(const perfetto *p, const char *text)
{
    putc('"', p->f);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fprintf(p->f, "\\%c", c);
        else if (c < ' ')
            fprintf(p->f, "\\u%04x", c);
        else
            putc(c, p->f);
    }
    putc('"', p->f);
}

void perfetto_begin(perfetto *p, char kind, const char *name, uint64_t cycle)
{
    fputs(p->begun ? ",\n" : "\n", p->f);
    p->begun = true;
    fprintf(p->f, "{\"ph\":\"%c\",\"pid\":%u,\"ts\":%" PRIu64 ",\"name\":", kind, p->pid, cycle);
    perfetto_text(p, name);
}

static void put_name(perfetto *p, const char *what, unsigned tid, const char *name)
{
    perfetto_begin(p, 'M', what, 0);
    fprintf(p->f, ",\"tid\":%u,\"args\":{\"name\":", tid);
    perfetto_text(p, name);
    fputs("}}", p->f);
}

void perfetto_process(perfetto *p, const char *name) { put_name(p, "process_name", 0, name); }

void perfetto_thread(perfetto *p, unsigned tid, const char *name) { put_name(p, "thread_name", tid, name); }

void perfetto_slice(perfetto *p, unsigned tid, const char *name, uint64_t from, uint64_t cycles, const char *args)
{
    perfetto_begin(p, 'X', name, from);
    fprintf(p->f, ",\"tid\":%u,\"dur\":%" PRIu64, tid, cycles);
    if (args)
        fprintf(p->f, ",\"args\":%s", args);
    putc('}', p->f);
}

void perfetto_instant(perfetto *p, unsigned tid, const char *name, uint64_t cycle)
{
    perfetto_begin(p, 'i', name, cycle);
    fprintf(p->f, ",\"tid\":%u,\"s\":\"t\"}", tid);
}

void perfetto_counter(perfetto *p, const char *where, const char *name, uint64_t cycle, double value)
{
    char track[160];

    snprintf(track, sizeof track, "%s %s", where, name);
    perfetto_begin(p, 'C', track, cycle);
    fprintf(p->f, ",\"args\":{\"value\":%.10g}}", value);
}
