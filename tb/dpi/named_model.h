/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference model of a block by name, with parameters as text, checked: those that have no such block or parameter, or for whose
 * values the model has no room, are refused with a line.
 */
#ifndef BALLAST_DPI_NAMED_MODEL_H
#define BALLAST_DPI_NAMED_MODEL_H

#include "engine/block_models.h"

typedef struct named_model {
    const block_model *model;
    uint64_t cfg[BLOCK_MAX_STRUCT / sizeof(uint64_t)];
    port_list ports;
} named_model;

/* Parameters as "NumSlots=8 CountW=16", the others at their defaults. False with one line in `why`, and nothing is open. */
bool named_model_open(named_model *m, const char *block_name, const char *parameters, char *why, size_t why_size);
void named_model_close(named_model *m);

#endif
