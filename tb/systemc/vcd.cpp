// SPDX-License-Identifier: Apache-2.0
#include "systemc/vcd.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

vcd_window vcd;

bool vcd_window::plan(const std::string &path_, uint64_t from_, uint64_t to_, std::string *why)
{
    path = path_;
    from = from_;
    to = to_;
    if (path.empty()) return true;
    // SystemC's own complaint would come in the middle of the run.
    std::FILE *probe = std::fopen(partial().c_str(), "w");
    if (probe) {
        std::fclose(probe);
        std::remove(partial().c_str());
    } else {
        *why = path + ": cannot write the VCD (" + std::strerror(errno) + ")";
    }
    return probe != nullptr;
}

void vcd_window::begin_cycle(uint64_t index, const std::function<void(sc_core::sc_trace_file *)> &add)
{
    if (file && index > to) close();
    if (path.empty() || done || file || index != from) return;
    // Nothing to say about the time scale
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    file = sc_core::sc_create_vcd_trace_file(block_name().c_str());
    file->set_time_unit(1, sc_core::SC_NS);
    add(file);
}

// SystemC says nothing of a full disk; but a file that it has closed ends with the time.
static bool complete(const std::string &path)
{
    const uint64_t now = static_cast<uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS));
    const std::string last = "#" + std::to_string(now) + "\n";
    std::string end(last.size(), 0);
    std::FILE *f = std::fopen(path.c_str(), "r");
    const bool read = f && std::fseek(f, -static_cast<long>(last.size()), SEEK_END) == 0 &&
                      std::fread(end.data(), 1, end.size(), f) == end.size();

    if (f) std::fclose(f);
    return read && end == last;
}

bool vcd_window::close()
{
    if (!file) return !failed;
    sc_core::sc_close_vcd_trace_file(file);
    file = nullptr;
    done = true;
    failed = !complete(partial()) || std::rename(partial().c_str(), path.c_str()) != 0;
    if (failed) {
        std::fprintf(stderr, "ballast: %s: cannot write the VCD to its end\n", path.c_str());
        std::remove(partial().c_str());
    }
    return !failed;
}
