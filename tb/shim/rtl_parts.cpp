// SPDX-License-Identifier: Apache-2.0
#include "shim/rtl_parts.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

namespace {

unsigned size_class(std::size_t bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

[[noreturn]] void give_up(const std::string &what, const char *port)
{
    std::fprintf(stderr, "ballast: register %s of the port list is not in the RTL (%s)\n", port, what.c_str());
    std::abort();
}

// "sm[3].perfsat.state" is the register state_q of gen_sm[3].u_sm.u_perfsat.
struct rtl_name {
    std::string scope, variable;
    unsigned element = 0;

    rtl_name(const std::string &top, const std::string &name) : scope{top}
    {
        std::size_t at = 0, dot;

        for (; (dot = name.find('.', at)) != std::string::npos; at = dot + 1) {
            const std::string part = name.substr(at, dot - at);
            const std::size_t index = part.find('[');

            if (index != std::string::npos)
                scope += ".gen_" + part + ".u_" + part.substr(0, index);
            else
                scope += ".u_" + part;
        }
        variable = name.substr(at);
        const std::size_t index = variable.find('[');
        if (index != std::string::npos) {
            element = static_cast<unsigned>(std::strtoul(variable.c_str() + index + 1, nullptr, 10));
            variable.erase(index);
        }
        variable += "_q";
    }
};

}  // namespace

void rtl_parts::find(const std::string &top, const port_list *ports)
{
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port &port = ports->ports[p];

        if (!port_is_part_register(&port)) continue;
        const rtl_name name{top, port.name};
        const VerilatedScope *scope = Verilated::threadContextp()->scopeFind(name.scope.c_str());
        VerilatedVar *var = scope ? scope->varFind(name.variable.c_str()) : nullptr;

        if (!var) give_up(name.scope + "." + name.variable, port.name);
        if (var->entSize() > 8) give_up("wider than 64 bits", port.name);
        void *data = static_cast<unsigned char *>(var->datap()) + name.element * var->entSize();
        places[size_class(var->entSize())][size_class(port.size)].push_back(
            {data, static_cast<uint32_t>(port.offset)});
        found = true;
    }
}

// Calls f(RTL variable, C field) for every register.
#define FOR_SIZES(rtl_class, rtl_t)                                                       \
    for (const place &p : places[rtl_class][0]) f(*(rtl_t *)p.rtl, *(uint8_t *)(base + p.offset));  \
    for (const place &p : places[rtl_class][1]) f(*(rtl_t *)p.rtl, *(uint16_t *)(base + p.offset)); \
    for (const place &p : places[rtl_class][2]) f(*(rtl_t *)p.rtl, *(uint32_t *)(base + p.offset)); \
    for (const place &p : places[rtl_class][3]) f(*(rtl_t *)p.rtl, *(uint64_t *)(base + p.offset));
#define FOR_ALL                                                                     \
    FOR_SIZES(0, uint8_t) FOR_SIZES(1, uint16_t) FOR_SIZES(2, uint32_t) FOR_SIZES(3, uint64_t)

bool rtl_parts::equal(const void *state) const
{
    unsigned char *base = static_cast<unsigned char *>(const_cast<void *>(state));
    uint64_t differs = 0;
    const auto f = [&differs](auto &rtl, auto &model) { differs |= static_cast<uint64_t>(rtl) ^ model; };

    FOR_ALL
    return differs == 0;
}

void rtl_parts::read(void *state) const
{
    unsigned char *base = static_cast<unsigned char *>(state);
    const auto f = [](auto &rtl, auto &model) { model = static_cast<std::decay_t<decltype(model)>>(rtl); };

    FOR_ALL
}

void rtl_parts::load(const void *state) const
{
    unsigned char *base = static_cast<unsigned char *>(const_cast<void *>(state));
    const auto f = [](auto &rtl, auto &model) { rtl = static_cast<std::decay_t<decltype(rtl)>>(model); };

    FOR_ALL
}
