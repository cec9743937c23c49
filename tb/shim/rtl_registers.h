// SPDX-License-Identifier: Apache-2.0
//
// The registers of a Verilated block, from its port list: compared, read and written. The including file has defined
// VARIANT and included the list, shim/ports.h and what Verilator generated (verilated_all.inc), plain or as SystemC.
#ifndef BALLAST_RTL_REGISTERS_H
#define BALLAST_RTL_REGISTERS_H

#include <cstring>
#include <string>

#include "shim/rtl_bits.h"
#include "shim/rtl_parts.h"

#define TOP_T PASTE(V, VARIANT)
// The block's scope below the model's instance, where registers live: the top module, or what is in the module around it. There
// Verilator does not know that registers are written, and is told to evaluate all combinational logic, as before the first cycle.
#ifdef BLOCK_EDGE
#define BLOCK_SCOPE "." TEXT(BLOCK_NAME) "_edge." TEXT(BLOCK_NAME)
#define REG_NAME_(block_name, field) block_name##_edge__DOT__##block_name##__DOT__##field##_q
#define SETTLE_ALL PASTE(TOP_T, ___024root___eval_settle)
#else
#define BLOCK_SCOPE "." TEXT(BLOCK_NAME)
#define REG_NAME_(block_name, field) block_name##__DOT__##field##_q
#define SETTLE_ALL(root) (void)(root)
#endif
#define REG_NAME(block_name, field) REG_NAME_(block_name, field)

namespace {

inline bool has_parts(const port_list *ports)
{
    for (unsigned p = 0; p < ports->num; p++)
        if (port_is_part_register(&ports->ports[p])) return true;
    return false;
}

// `name`: of the Verilated model's instance.
inline void find_parts(rtl_parts *parts, const std::string &name, const port_list *ports)
{
    if (has_parts(ports)) parts->find(name + BLOCK_SCOPE, ports);
}

inline bool equal_registers(const TOP_T &top, const rtl_parts &parts, const void *registers)
{
    const STATE_T *state = static_cast<const STATE_T *>(registers);
    uint64_t differs = 0;

#define COMPARE_REG(field, width, names) \
    differs |= (uint64_t)(top.rootp->REG_NAME(BLOCK_NAME, field) ^ state->field);
#define COMPARE_ARRAY(field, count, width, names)                                         \
    for (unsigned n = 0; n < elements_of(top.rootp->REG_NAME(BLOCK_NAME, field)); n++)    \
        differs |= (uint64_t)(top.rootp->REG_NAME(BLOCK_NAME, field)[n] ^ state->field[n]);
    BLOCK_REGISTERS(COMPARE_REG)
    BLOCK_REGISTER_ARRAYS(COMPARE_ARRAY)
    (void)state;
    return differs == 0 && (!parts.any() || parts.equal(registers));
}

inline void read_registers(const TOP_T &top, const rtl_parts &parts, const CFG_T *cfg, void *registers)
{
    STATE_T *state = static_cast<STATE_T *>(registers);

    std::memset(registers, 0, BLOCK_SIZE_OF_STATE(cfg));
#define READ_REG(field, width, names) \
    state->field = top.rootp->REG_NAME(BLOCK_NAME, field);
#define READ_ARRAY(field, count, width, names)                                            \
    for (unsigned n = 0; n < elements_of(top.rootp->REG_NAME(BLOCK_NAME, field)); n++)    \
        state->field[n] = top.rootp->REG_NAME(BLOCK_NAME, field)[n];
    BLOCK_REGISTERS(READ_REG)
    BLOCK_REGISTER_ARRAYS(READ_ARRAY)
    parts.read(registers);
    (void)cfg;
    (void)state;
}

inline void load_registers(TOP_T &top, const rtl_parts &parts, const CFG_T *cfg, const void *registers)
{
    const STATE_T *state = static_cast<const STATE_T *>(registers);

#define WRITE_REG(field, width, names) \
    top.rootp->REG_NAME(BLOCK_NAME, field) = state->field;
#define WRITE_ARRAY(field, count, width, names)                                           \
    for (unsigned n = 0; n < elements_of(top.rootp->REG_NAME(BLOCK_NAME, field)); n++)    \
        top.rootp->REG_NAME(BLOCK_NAME, field)[n] = state->field[n];
    BLOCK_REGISTERS(WRITE_REG)
    BLOCK_REGISTER_ARRAYS(WRITE_ARRAY)
    parts.load(registers);
    SETTLE_ALL(top.rootp);
    (void)cfg;
    (void)state;
}

}  // namespace

#endif
