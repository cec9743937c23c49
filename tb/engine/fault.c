/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The suffix says what kind of port it is, as in the RTL; an element's index follows it. */
static char suffix_of(const char *port)
{
    const char *last = strrchr(port, '.');
    const char *name = last ? last + 1 : port;
    const size_t length = strcspn(name, "[");

    return (char)(length > 2 && name[length - 2] == '_' ? name[length - 1] : '\0');
}

enum port_kind fault_kind(const fault *f)
{
    return suffix_of(f->port) == 'q' ? PORT_REG : PORT_OUT;
}

/* "port[bit]": the last bracket is the bit, the ones before it belong to the name. */
static bool split_bit(fault *f)
{
    char *bracket = strrchr(f->port, '[');
    int used = 0;

    if (!bracket || sscanf(bracket, "[%u]%n", &f->bit, &used) != 1 || bracket[used] != '\0')
        return false;
    *bracket = '\0';
    return true;
}

bool fault_parse(fault *f, const char *text)
{
    char side[8];
    int used = 0;

    memset(f, 0, sizeof *f);
    if (sscanf(text, "%7[a-z]:%63[a-z0-9_].%51[][a-z0-9_.]@%" SCNu64 "%n", side, f->block, f->port, &f->index,
               &used) != 4 ||
        text[used] != '\0')
        return false;
    f->in_rtl = !strcmp(side, "rtl");
    return (f->in_rtl || !strcmp(side, "model")) && split_bit(f) && suffix_of(f->port) != '\0' &&
           strchr("qo", suffix_of(f->port));
}

void fault_print(const fault *f, char *text, size_t size)
{
    snprintf(text, size, "%s:%s.%s[%u]@%" PRIu64, f->in_rtl ? "rtl" : "model", f->block, f->port, f->bit,
             f->index);
}
