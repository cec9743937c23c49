/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <time.h>

#include "replay/session.h"

const session_track *session_limit_track(const session_result *result)
{
    static const session_track none = {.num_points = 0};

    return result->num_tracks ? &result->tracks[0] : &none;
}

void session_result_free(session_result *result)
{
    free(result->log);
    wave_marks_free(&result->marks);
    for (unsigned t = 0; t < result->num_tracks; t++)
        free(result->tracks[t].points);
    result->log = NULL;
    result->num_tracks = 0;
}

double session_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
