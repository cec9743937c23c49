/* SPDX-License-Identifier: Apache-2.0
 *
 * "block.input=value": an input that software sets, by number or by the value's name.
 */
#ifndef BALLAST_SETTING_H
#define BALLAST_SETTING_H

#include "engine/port.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SETTING_TEXT = 64 };

typedef struct setting {
    const char *text; /* as given */
    char block[SETTING_TEXT], input[SETTING_TEXT], value[SETTING_TEXT];
} setting;

/* Both: false with a line in err. */
bool setting_read(setting *s, const char *text, char *err, size_t err_size);
/* Into the inputs of the block, whose ports these are. */
bool setting_apply(const setting *s, const port_list *ports, void *inputs, char *err, size_t err_size);

#ifdef __cplusplus
}
#endif
#endif
