/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_params: the power parameters of a GPU for the ipp models. Two sets are built in: gtx280
 * (IPP-8, IPP-9, IPP-10, TEMP-2: Tables 8 and 9) and gtx580 (FERMI-1: Table 11).
 *
 * Source: Hong, PhD thesis 2012, Chapter III. doc/papers/ipp.md has every equation and reading.
 *
 * A set is a plain struct. To change one, copy it:
 *
 *     ipp_params mine = *ipp_params_find("gtx280");
 *     mine.unit[IPP_FP].max_power = 0.3;
 *
 * or set a value by its name (analytic/ipp_keys.h). Every model of this family checks the set it
 * is given, so a set that cannot be is refused at its first use.
 */
#ifndef BALLAST_ANALYTIC_IPP_PARAMS_H
#define BALLAST_ANALYTIC_IPP_PARAMS_H

#include <stdint.h>

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IPP_SMS_MAX = 4096 };    /* more SMs than that are taken for a slip            */
#define IPP_COLDEST (-273.15)  /* degrees C, least and most that a temperature may be */
#define IPP_HOTTEST 1e4

/* What can be accessed and costs power. Table 7 says which instruction accesses what. */
enum ipp_component {
    IPP_INT,     /* integer units, RP_Int                            */
    IPP_FP,      /* floating point units, RP_Fp                      */
    IPP_SFU,     /* special function units, RP_Sfu                   */
    IPP_ALU,     /* logic, shifts, moves, conversions, RP_Alu        */
    IPP_TEXTURE, /* texture cache, RP_Texture_Cache                  */
    IPP_CONST,   /* constant cache, RP_Const_Cache                   */
    IPP_SHARED,  /* shared memory, RP_Shared                         */
    IPP_REG,     /* register file, RP_Reg                            */
    IPP_FDS,     /* fetch, decode, schedule: every instruction       */
    IPP_L1,      /* L1 data cache (Fermi)                            */
    IPP_L2,      /* L2 cache, one for all SMs (Fermi)                */
    IPP_GLOBAL,  /* global memory: DRAM, RP_GlobalMem                */
    IPP_LOCAL,   /* local memory: the same DRAM, RP_LocalMem         */
    IPP_COMPONENTS
};

/* One row of Table 8 or 11. */
typedef struct ipp_unit {
    double max_power;    /* W at access rate 1: of one SM if per_sm, else of the chip (Eq. 39)  */
    bool exists;         /* on this GPU; accesses to a unit that does not exist are refused     */
    bool per_sm;         /* a term of Eq. 37; else of Eq. 43 (memory system)                    */
    bool on_chip;        /* Table 8's column; no equation uses it                               */
    bool special_linear; /* Table 8's column: the access rate goes through spec_slope, _offset  */
} ipp_unit;

/* Table 9 and section 3.2.7. */
typedef struct ipp_thermal {
    bool known;       /* false: no temperatures for this GPU, the other fields are not looked at   */
    double mu;        /* degrees C per W of run-time power (Eq. 53)                                */
    double lambda;    /* degrees C (Eq. 53)                                                        */
    double rho;       /* degrees C per memory instruction and other instruction (Eq. 53)           */
    double rc_rise;   /* s, time constant of warming up (Eq. 49)                                   */
    double rc_decay;  /* s, time constant of cooling down (Eq. 50)                                 */
    double sigma;     /* W per degree C: more static power in a warmer chip (Eq. 56)               */
    double idle_temp; /* degrees C, of a cold chip                                                 */
} ipp_thermal;

typedef struct ipp_params {
    const char *name;              /* "gtx280"; not copied                                        */
    uint32_t num_sms;              /* of the chip, 1..IPP_SMS_MAX                                 */
    ipp_unit unit[IPP_COMPONENTS]; /* Tables 8 and 11                                             */
    double const_sm;               /* W of an active SM, whatever it does (RP_Const_SM)           */
    double activation;             /* W, once, as soon as one SM is active (Fermi, Table 11)      */
    double idle_power;             /* W of the GPU while nothing runs (Eq. 35)                    */
    double system_idle_power;      /* W of the machine around the GPU while it idles; 0: unknown  */
    double issue_interval;         /* cycles from one instruction of an SM to the next (Eq. 40)   */
    double beta;                   /* of the logarithm (Eq. 47), 1..10                            */
    bool log_cores;                /* power over active SMs: Eq. 44 (log10), or a line (Fermi)    */
    double spec_slope;             /* Spec.Linear: slope * ln(rate) + offset (section 3.2.4)      */
    double spec_offset;
    ipp_thermal thermal;
} ipp_params;

/* A built-in set; NULL if there is none of this name. */
const ipp_params *ipp_params_find(const char *name);

/* "int", "fp", ...; NULL if there is no such component. */
const char *ipp_component_name(unsigned component);

/* True if a GPU can be like that; err names the value that cannot. */
bool ipp_params_check(const ipp_params *params, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
