// SPDX-License-Identifier: Apache-2.0
//
// A VCD file of a window of cycles: begun and ended while the simulation runs. It is written under another name and gets its
// own when it is complete.
#ifndef BALLAST_SYSTEMC_VCD_H
#define BALLAST_SYSTEMC_VCD_H

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>

class vcd_window {
public:
    // "" is no file. False with a line of text if it cannot be written.
    bool plan(const std::string &path, uint64_t from, uint64_t to, std::string *why);
    // Before cycle `index` of a run; `add` traces the signals. Only the first run that gets to the window is traced.
    void begin_cycle(uint64_t index, const std::function<void(sc_core::sc_trace_file *)> &add);
    bool open() const { return file != nullptr; }
    // False: it could not be written to its end.
    bool close();
    // Whether the window was never reached.
    bool missed() const { return !path.empty() && !done; }
    const std::string &name() const { return path; }

private:
    std::string path;
    uint64_t from = 0, to = 0;
    sc_core::sc_trace_file *file = nullptr;
    bool done = false, failed = false;

    std::string block_name() const { return path + ".part"; }     // SystemC adds ".vcd"
    std::string partial() const { return block_name() + ".vcd"; }
};

extern vcd_window vcd;

#endif
