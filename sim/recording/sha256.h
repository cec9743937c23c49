/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 (FIPS 180-4) of a file, for manifests.
 */
#ifndef BALLAST_SHA256_H
#define BALLAST_SHA256_H

#include <stdbool.h>

enum { SHA256_TEXT = 65 };

/* In hexadecimal; false with errno. */
bool sha256_file(const char *path, char text[SHA256_TEXT]);

#endif
