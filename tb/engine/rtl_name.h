/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BALLAST_RTL_NAME_H
#define BALLAST_RTL_NAME_H

#include "engine/port.h"

enum { RTL_NAME = 256 };

/* What the RTL calls a port: "sm[3].perfsat.state" is gen_sm[3].u_sm.u_perfsat.state_q, "inst[2]" element 2 of inst_q,
 * "sm[3].limit" the fourth field of limit_o, "comp[1]" bits 64 and up of comp_i. */
typedef struct rtl_name {
    char text[RTL_NAME];
    int element;  /* of an array of vectors, or -1 */
    unsigned lsb; /* where in a vector the port begins */
} rtl_name;

rtl_name rtl_name_of(const block_port *port);

#endif
