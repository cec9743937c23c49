/* SPDX-License-Identifier: Apache-2.0
 *
 * A libconfig file read into a struct by a table of its keys. A key that is unknown, missing,
 * of the wrong type or out of range is one line "FILE:LINE: ..." that says what to do.
 */
#ifndef BALLAST_FIELDS_H
#define BALLAST_FIELDS_H

#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>

enum field_kind { FIELD_COUNT, FIELD_NUMBER, FIELD_TEXT }; /* uint32_t, double, char[] */

typedef struct field {
    const char *key;
    enum field_kind kind;
    unsigned offset; /* in the struct                         */
    unsigned size;   /* of a text's array; otherwise unused   */
    bool required;   /* otherwise the struct keeps what it has */
} field;

enum { FIELDS_ERR = 512 };

/* Parses `path`; false and err, and then there is nothing to destroy. */
bool fields_open(config_t *config, const char *path, char *err);
/* A number, or a truth value as 0 and 1; false for anything else. */
bool fields_number(const config_setting_t *s, double *value);
/* Copies the keys of `group` that `fields` (num) lists into `into`. Every other key of the
 * group but those in `groups` (NULL-terminated names, or NULL) is refused. */
bool fields_read(const config_setting_t *group, const char *path, const field *fields, unsigned num,
                 const char *const *groups, void *into, char *err);

#endif
