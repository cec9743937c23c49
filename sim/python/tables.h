/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this room share.
 */
#ifndef BALLAST_KIT_TABLES_H
#define BALLAST_KIT_TABLES_H

#include "python/kit.h"

/* What `put` writes, malloc'ed; NULL: no memory. */
char *kit_text(void (*put)(FILE *out, const void *user), const void *user);

#endif
