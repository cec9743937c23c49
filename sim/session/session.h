/* SPDX-License-Identifier: Apache-2.0
 *
 * One lockstep run from a stimulus: decision logs, waveform, and, when the twins disagree, the
 * explanation (report, waveform of the window, reproducer).
 */
#ifndef BALLAST_SESSION_H
#define BALLAST_SESSION_H

#include "engine/lockstep.h"
#include "trace/trace.h"

enum session_verdict {
    SESSION_PASS,
    SESSION_MISMATCH,  /* the twins differ, or an assertion of the RTL failed */
    SESSION_BAD_INPUT, /* the stimulus, an option or a file is no good         */
    SESSION_STOPPED    /* interrupted by the user                              */
};

typedef struct session_options {
    const block *const *blocks; /* NULL-terminated, needs first */
    unsigned sm;
    uint32_t seed;
    const fault *faults;
    unsigned num_faults;
    uint64_t max_cycles;        /* 0: to the end                                       */
    const char *initial_state;  /* file with the registers to start from, or NULL      */
    const char *wave_path;      /* waveform of the whole run, or NULL                  */
    const char *log_prefix;     /* decision logs go to PREFIX.<block>.{model,rtl}.log  */
    const char *explain_prefix; /* PREFIX.{txt,fst,gtkw,blt,state} after a mismatch    */
    unsigned history;           /* cycles of inputs that the report shows              */
    const char *program;        /* for the rerun line                                  */
    const trace_meta *meta;     /* of the recording, for the reproducer                */
} session_options;

/* The controller's limit from `cycle` of the run on. */
typedef struct session_limit {
    uint64_t cycle;
    unsigned limit;
} session_limit;

enum { SESSION_MAX_LIMITS = 4096 }; /* changes beyond are not kept */

typedef struct session_result {
    enum session_verdict verdict;
    uint64_t cycles;
    uint64_t comparisons;
    double seconds;     /* of the run itself, without the explanation */
    unsigned limit;     /* the controller's last                      */
    bool converged;
    unsigned decisions;
    bool logs_equal;    /* both sides' decision logs are the same text */
    char *log;          /* the model's, malloc'ed; "" without decisions */
    session_limit *limits; /* malloc'ed, num_limits entries */
    unsigned num_limits;
    char text[512];     /* one line: why the verdict is not PASS       */
} session_result;

/* Free the result with session_result_free. */
void session_run(const session_options *options, const stimulus *s, session_result *result);
void session_result_free(session_result *result);

#endif
