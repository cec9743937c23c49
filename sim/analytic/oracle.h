/* SPDX-License-Identifier: Apache-2.0
 *
 * What the analytic models predict for a kernel, next to what was recorded (or simulated) of it at every CTA
 * limit and to the limits that policies chose: an oracle beside the hardware.
 */
#ifndef BALLAST_ORACLE_H
#define BALLAST_ORACLE_H

#include <stdio.h>

#include "analytic/predict.h"
#include "replay/sweep.h"

enum { ORACLE_CHOICES = 8, ORACLE_ERR = 512 }; /* choices: as many as a picture has marks */

/* Whose prediction, by which rules. */
typedef struct oracle_source {
    const char *kernels;     /* directory of NAME.kernel                 */
    const analytic_gpu *gpu; /* the one that made the recordings         */
    analytic_predict_options options;
} oracle_source;

typedef struct oracle {
    char name[128];
    analytic_prediction prediction;
    sweep measured;
    bool simulated; /* measured by the activity simulator, else by recordings */
    unsigned num_choices;
    const char *chooser[ORACLE_CHOICES];
    unsigned choice[ORACLE_CHOICES]; /* CTA limits; 0: not known */
} oracle;

enum oracle_status { ORACLE_FINE, ORACLE_NO_PROFILE, ORACLE_BAD };

/* Predicts kernel `name`; the caller fills measured and the choices. ORACLE_NO_PROFILE: there is no
 * file of that name; ORACLE_BAD: err (ORACLE_ERR bytes) says what is wrong. */
enum oracle_status oracle_predict(oracle *o, const oracle_source *source, const char *name, char *err);

/* Mean of |predicted - recorded| IPC over the recorded limits, percent of the recorded. */
double oracle_error(const oracle *o);

/* One line per kernel, below a line of names: all of the same choosers. */
void oracle_print_header(FILE *f, const oracle *o);
void oracle_print(FILE *f, const oracle *o);
/* One line per kernel and limit. */
void oracle_csv_header(FILE *f, const oracle *o);
void oracle_csv(FILE *f, const oracle *o);

/* The curves of `num` kernels side by side, into an SVG file; false without gnuplot. */
bool oracle_draw(const oracle *const *all, unsigned num, const char *path);

#endif
