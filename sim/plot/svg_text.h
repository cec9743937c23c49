/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BALLAST_SVG_TEXT_H
#define BALLAST_SVG_TEXT_H

#include <stdio.h>

/* Markup and control characters are taken out of force. */
static inline void svg_text(FILE *f, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        default: putc((unsigned char)*text < ' ' ? '?' : *text, f);
        }
}

#endif
