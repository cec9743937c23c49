/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/model_result.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT, DONE, TRACKS };

bool model_result_refuse(session_result *result, enum session_verdict verdict, const char *format, ...)
{
    va_list arguments;

    result->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(result->text, sizeof result->text, format, arguments);
    va_end(arguments);
    return false;
}

bool model_result_open(session_result *result)
{
    static const char *const names[TRACKS] = {[LIMIT] = "limit_o", [DONE] = "done_o"};

    memset(result, 0, sizeof *result);
    for (unsigned t = 0; t < TRACKS; t++) {
        session_track *track = &result->tracks[t];

        snprintf(track->name, sizeof track->name, "%s", names[t]);
        track->points = calloc(SESSION_MAX_POINTS, sizeof *track->points);
        result->num_tracks = t + 1;
        if (!track->points)
            return model_result_refuse(result, SESSION_BAD_INPUT, "out of memory");
    }
    return true;
}

static void follow(session_track *t, uint64_t cycle, unsigned value)
{
    const unsigned n = t->num_points;

    if ((n == 0 ? value != 0 : value != t->points[n - 1].value) && n < SESSION_MAX_POINTS)
        t->points[t->num_points++] = (session_point){cycle, value};
}

void model_result_follow(session_result *result, unsigned limit, bool done)
{
    follow(&result->tracks[LIMIT], result->cycles, limit);
    follow(&result->tracks[DONE], result->cycles, done);
}
