/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The suffix says what kind of port it is, as in the RTL. */
static bool split_suffix(fault *f)
{
    const size_t length = strlen(f->port);

    if (length < 3 || f->port[length - 2] != '_')
        return false;
    if (f->port[length - 1] == 'q')
        f->kind = PORT_REG;
    else if (f->port[length - 1] == 'o')
        f->kind = PORT_OUT;
    else
        return false;
    f->port[length - 2] = '\0';
    return true;
}

bool fault_parse(fault *f, const char *text)
{
    char side[8];
    int used = 0;

    memset(f, 0, sizeof *f);
    if (sscanf(text, "%7[a-z]:%63[a-z0-9_].%63[a-z0-9_][%u]@%" SCNu64 "%n", side, f->block, f->port,
               &f->bit, &f->index, &used) != 5 ||
        text[used] != '\0')
        return false;
    f->in_rtl = !strcmp(side, "rtl");
    return (f->in_rtl || !strcmp(side, "model")) && split_suffix(f);
}

void fault_print(const fault *f, char *text, size_t size)
{
    snprintf(text, size, "%s:%s.%s_%c[%u]@%" PRIu64, f->in_rtl ? "rtl" : "model", f->block, f->port,
             f->kind == PORT_REG ? 'q' : 'o', f->bit, f->index);
}
