// SPDX-License-Identifier: Apache-2.0
#include "shim/rtl_cover.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "verilated.h"
#include "verilated_cov.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

namespace {

// Every model lives until the end of the program, and so does this.
std::vector<const rtl_toggles *> &all_toggles()
{
    static auto *all = new std::vector<const rtl_toggles *>;
    return *all;
}

bool starts_with(const std::string &text, const std::string &head) { return text.compare(0, head.size(), head) == 0; }

// "gen_period.high" of the scope "rtl.perfsat.gen_period" in the block "rtl.perfsat"; Verilator writes
// brackets and dots in words.
std::string plain_name(const std::string &path)
{
    static const char *const words[][2] = {{"__DOT__", "."}, {"__BRA__", "["}, {"__KET__", "]"}};
    std::string name = path;

    for (const auto &word : words)
        for (std::size_t at; (at = name.find(word[0])) != std::string::npos;)
            name.replace(at, std::strlen(word[0]), word[1]);
    return name;
}

// Of the design, as far as names tell: not a part's, not Verilator's own, not for show.
bool of_the_block(const std::string &name)
{
    const std::size_t dot = name.rfind('.');
    const std::string leaf = dot == std::string::npos ? name : name.substr(dot + 1);

    return name.find("u_") != 0 && name.find(".u_") == std::string::npos && name.find("__V") == std::string::npos &&
           name.find("unnamedblk") == std::string::npos && leaf.find("unused_") != 0 && leaf != "clk_i" && leaf != "rst_ni";
}

unsigned class_of(unsigned bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

}  // namespace

void rtl_toggles::add(const std::string &name, const void *at, unsigned width, unsigned bytes, bool wide)
{
    const unsigned size = wide ? 2 : class_of(bytes), step = wide ? 4 : bytes, count = wide ? (width + 31) / 32 : 1;
    const char *p = static_cast<const char *>(at);

    signals.push_back({name, width, size, static_cast<unsigned>(words[size].size()), count, step * 8});
    for (unsigned w = 0; w < count; w++) words[size].push_back({p + w * step, 0, 0, 0});
}

void rtl_toggles::find(const std::string &scope, const char *block_name, const char *variant)
{
    block = std::string(block_name) + " " + variant;
    for (const auto &entry : *Verilated::threadContextp()->scopeNameMap()) {
        const std::string path = entry.first;

        if (path != scope && !starts_with(path, scope + ".")) continue;
        if (!entry.second->varsp()) continue;
        for (const auto &item : *entry.second->varsp()) {
            const VerilatedVar &var = item.second;
            const std::string name =
                plain_name(path == scope ? var.name() : path.substr(scope.size() + 1) + "." + var.name());
            const unsigned width = var.packed().elements() > 1 ? static_cast<unsigned>(var.packed().elements()) : 1;
            const bool wide = var.vltype() == VLVT_WDATA;
            const unsigned bytes = static_cast<unsigned>(var.entSize());

            if (var.isParam() || !of_the_block(name) || var.udims() > 1) continue;
            if (var.udims() == 0) {
                add(name, var.datap(), width, bytes, wide);
                continue;
            }
            for (int i = 0; i < var.unpacked().elements(); i++)
                add(name + "[" + std::to_string(i) + "]", static_cast<char *>(var.datap()) + i * static_cast<int>(bytes), width,
                    bytes, wide);
        }
    }
    all_toggles().push_back(this);
}

void rtl_toggles::sample()
{
    const bool counts = !quiet && !fresh;

#define SAMPLE(size, type)                                                     \
    for (word &w : words[size]) {                                              \
        const uint64_t now = *static_cast<const type *>(w.at), last = w.last;  \
        w.risen |= counts ? now & ~last : 0;                                    \
        w.fallen |= counts ? ~now & last : 0;                                   \
        w.last = now;                                                          \
    }
    SAMPLE(0, uint8_t) SAMPLE(1, uint16_t) SAMPLE(2, uint32_t) SAMPLE(3, uint64_t)
    fresh = false;
}

// Of instances of the same variant, what any of them has seen.
void rtl_toggles::collect(std::map<std::string, std::string> *lines) const
{
    for (const signal &s : signals) {
        std::string &line = (*lines)[block + " " + s.name + " " + std::to_string(s.width)];
        std::string risen, fallen;

        for (unsigned w = 0; w < s.words; w++) {
            const word &from = words[s.size_class][s.first + w];

            for (unsigned bit = 0; bit < s.word_bits && w * s.word_bits + bit < s.width; bit++) {
                risen += from.risen >> bit & 1 ? '1' : '0';
                fallen += from.fallen >> bit & 1 ? '1' : '0';
            }
        }
        const std::string both = risen + " " + fallen;  // bit 0 first
        if (line.empty()) line = both;
        for (std::size_t i = 0; i < both.size(); i++)
            if (both[i] == '1') line[i] = '1';
    }
}

bool rtl_toggles::write(const char *path)
{
    std::map<std::string, std::string> lines;
    std::FILE *f = std::fopen(path, "w");

    if (!f) return false;
    for (const rtl_toggles *t : all_toggles()) t->collect(&lines);
    for (const auto &line : lines) std::fprintf(f, "toggle %s %s\n", line.first.c_str(), line.second.c_str());
    std::fputs("end\n", f);
    return std::fclose(f) == 0;
}

// So that a file that was cut short shows.
static bool end_with(const char *path, const char *line)
{
    std::FILE *f = std::fopen(path, "a");
    const bool ok = f && std::fputs(line, f) >= 0;

    return (!f || std::fclose(f) == 0) && ok;
}

static void write_all()
{
    const char *prefix = std::getenv("BALLAST_COVERAGE");
    if (!prefix) return;
    const std::string path = std::string(prefix) + "." + std::to_string(getpid());
    const std::string temporary = path + ".tmp";

    Verilated::threadContextp()->coveragep()->write(temporary.c_str());
    if (!end_with(temporary.c_str(), "# end\n") || std::rename(temporary.c_str(), (path + ".dat").c_str()) != 0 ||
        !rtl_toggles::write(temporary.c_str()) ||
        std::rename(temporary.c_str(), (path + ".toggles").c_str()) != 0)
        std::fprintf(stderr, "ballast: %s: cannot write the coverage\n", path.c_str());
}

// Not that of a process which was forked since.
static const pid_t program = getpid();

void rtl_cover_at_exit()
{
    static const bool once = std::atexit(write_all) == 0;
    (void)once;
}

void rtl_cover_in_child()
{
    if (program != getpid()) write_all();
}
