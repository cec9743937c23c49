/* SPDX-License-Identifier: Apache-2.0
 *
 * The readings of the analytic models as switches NAME=VALUE of the command line: where a paper's
 * text and its formula leave a choice. doc/use/analytic.md lists them.
 */
#ifndef BALLAST_SWITCHES_H
#define BALLAST_SWITCHES_H

#include <stdbool.h>
#include <stdio.h>

#include "analytic/predict.h"
#include "analytic/slowdown.h"

enum { SWITCHES_ERR = 256 };

typedef struct model_switches {
    analytic_predict_options predict;
    slowdown_options slowdown;
} model_switches;

model_switches switches_default(void);
/* "FILL=DF"; false with one line in err (SWITCHES_ERR bytes). Names and values ignore case. */
bool switches_set(model_switches *switches, const char *text, char *err);
/* Whether both have the same value of the switch `name`; false if there is none of this name. */
bool switches_same(const model_switches *a, const model_switches *b, const char *name);
bool switches_has(const char *name);
/* One line per switch: name, values with the default marked, what it is. */
void switches_list(FILE *f);

#endif
