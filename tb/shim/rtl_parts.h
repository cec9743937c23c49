// SPDX-License-Identifier: Apache-2.0
//
// The registers of a block's parts. They lie somewhere in the hierarchy of the Verilated model,
// so they are looked up by name once and compared through pointers.
#ifndef BALLAST_RTL_PARTS_H
#define BALLAST_RTL_PARTS_H

#include <cstdint>
#include <string>
#include <vector>

#include "engine/port.h"

class rtl_parts {
public:
    // `top`: hierarchical name of the block in the model, e.g. "rtl3.sm_governor". A register that
    // is in the list and not in the RTL ends the program: the build is inconsistent.
    void find(const std::string &top, const port_list *ports);
    bool any() const { return found; }
    bool equal(const void *state) const;
    void read(void *state) const;
    void load(const void *state) const;

private:
    struct place {
        void *rtl;
        uint32_t offset;  // in the model's state
    };
    // By size of the RTL's variable and of the C field (1, 2, 4, 8 bytes each): tight loops.
    std::vector<place> places[4][4];
    bool found = false;
};

#endif
