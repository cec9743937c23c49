/* SPDX-License-Identifier: Apache-2.0 */
#include "session/decision_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool decision_log_open(decision_log *log, const lockstep *ls)
{
    memset(log, 0, sizeof *log);
    lockstep_where(ls, log->where, sizeof log->where);
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        log->side[side].stream = open_memstream(&log->side[side].text, &log->side[side].size);
        if (!log->side[side].stream)
            return false;
    }
    return true;
}

void decision_log_add(decision_log *log, enum lockstep_side side, uint64_t cycle, const char *text)
{
    fprintf(log->side[side].stream, "cycle %" PRIu64 " %s %s\n", cycle, log->where, text);
    log->lines += side == SIDE_MODEL;
}

static void flush(decision_log *log)
{
    for (int side = 0; side < LOCKSTEP_SIDES; side++)
        fflush(log->side[side].stream);
}

bool decision_log_equal(decision_log *log)
{
    flush(log);
    return log->side[SIDE_MODEL].size == log->side[SIDE_RTL].size &&
           !memcmp(log->side[SIDE_MODEL].text, log->side[SIDE_RTL].text, log->side[SIDE_MODEL].size);
}

bool decision_log_save(decision_log *log, const char *prefix)
{
    bool ok = true;

    flush(log);
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        char path[4096];
        FILE *f;

        snprintf(path, sizeof path, "%s.%s.log", prefix, lockstep_side_names[side]);
        f = fopen(path, "w");
        ok &= f && fwrite(log->side[side].text, 1, log->side[side].size, f) == log->side[side].size;
        if (f)
            ok &= fclose(f) == 0;
    }
    return ok;
}

char *decision_log_take(decision_log *log)
{
    flush(log);
    return strdup(log->side[SIDE_MODEL].text);
}

void decision_log_close(decision_log *log)
{
    for (int side = 0; side < LOCKSTEP_SIDES; side++) {
        if (log->side[side].stream)
            fclose(log->side[side].stream);
        free(log->side[side].text);
    }
}
