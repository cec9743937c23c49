/* SPDX-License-Identifier: Apache-2.0
 *
 * One lockstep run from a stimulus: decision logs, waveform, and, when the twins disagree, the
 * explanation (report, waveform of the window, reproducer).
 */
#ifndef BALLAST_SESSION_H
#define BALLAST_SESSION_H

#include "engine/lockstep.h"
#include "recording/trace.h"
#include "wave/extent.h"
#include "wave/marks.h"

enum session_verdict {
    SESSION_PASS,
    SESSION_MISMATCH,  /* the twins differ, or an assertion of the RTL failed */
    SESSION_BAD_INPUT, /* the stimulus, an option or a file is no good         */
    SESSION_NO_FAULT,  /* equal, but a fault was to be injected after the end  */
    SESSION_STOPPED    /* interrupted by the user                              */
};

typedef struct session_options {
    const block *const *blocks; /* NULL-terminated, needs first */
    unsigned sm;
    uint32_t seed;
    const fault *faults;
    unsigned num_faults;
    const char *const *settings; /* "block.input=value" */
    unsigned num_settings;
    uint64_t max_cycles;        /* 0: to the end                                       */
    uint64_t stir_seed;          /* 0, or settings change at random                    */
    const char *initial_state;  /* file with the registers to start from, or NULL      */
    const char *wave_path;      /* waveform, or NULL                                   */
    const wave_extent *extent;  /* what of the run it holds; NULL: everything           */
    const char *log_prefix;     /* decision logs go to PREFIX.{model,rtl}.{log,jsonl}   */
    const char *explain_prefix; /* PREFIX.{txt,fst,gtkw,sucl,blt,state} after a mismatch    */
    const char *explain_told;   /* that prefix as it will be when all is written; NULL: as it is */
    unsigned history;           /* cycles of inputs that the report shows              */
    const char *const *tracks;  /* more outputs of the controller to follow, full names */
    unsigned num_tracks;
    const char *program;        /* for the rerun line                                  */
    const trace_meta *meta;     /* of the recording, for the reproducer                */
} session_options;

/* An output's value from `cycle` of the run on. */
typedef struct session_point {
    uint64_t cycle;
    unsigned value;
} session_point;

enum { SESSION_MAX_POINTS = 4096, /* changes beyond are not kept */
       SESSION_MAX_TRACKS = 8 };

/* How one output went. */
typedef struct session_track {
    char name[PORT_NAME + 4]; /* limit_o */
    session_point *points;    /* malloc'ed, num_points entries */
    unsigned num_points;
} session_track;

typedef struct session_result {
    enum session_verdict verdict;
    uint64_t cycles;
    uint64_t comparisons;
    double seconds;     /* of the run itself, without the explanation */
    unsigned limit;     /* the controller's last                      */
    bool converged;
    unsigned decisions;
    bool logs_equal;    /* of two sides: they decided the same, in every field */
    char *log;          /* the model's, malloc'ed; "" without decisions */
    session_track tracks[SESSION_MAX_TRACKS]; /* the controller's limit, then those asked for */
    unsigned num_tracks;
    wave_marks marks;   /* the decisions that the waveform shows       */
    bool wave_full;     /* its size limit ended it after wave_last     */
    uint64_t wave_last;
    char text[512];     /* one line: why the verdict is not PASS       */
    bool unwritten;     /* a file of it could not be written           */
    char lost[256];     /* one line: what could not be written of a run that has a verdict; or "" */
} session_result;

/* Free the result with session_result_free. */
void session_run(const session_options *options, const stimulus *s, session_result *result);
/* How the controller's limit went; without a controller a track without points. */
const session_track *session_limit_track(const session_result *result);
void session_result_free(session_result *result);
/* Seconds of a clock that nobody sets. */
double session_clock(void);

#endif
