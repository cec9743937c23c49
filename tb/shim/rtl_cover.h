// SPDX-License-Identifier: Apache-2.0
//
// What a build for coverage measures beside Verilator's own counts (tb/cover). In every other build
// none of this does anything.
#ifndef BALLAST_RTL_COVER_H
#define BALLAST_RTL_COVER_H

#include <cstdint>
#include <string>
#include <vector>

#if VM_COVERAGE

#include <map>

// Which bits of a block's own signals have risen and fallen. Verilator's --coverage-toggle counts the
// change from the random start to the reset value, does not tell a rise from a fall and is 20 times
// slower. Cycles of the reset and the jump of a load count for nothing here.
class rtl_toggles {
public:
    // `scope`: the block in the model, "rtl3.perfsat". What is in a part of it is the part's.
    void find(const std::string &scope, const char *block_name, const char *variant);
    void sample();                     // before a rising edge: inputs and all that follows from them
    void reset(bool on) { quiet = on; }
    void jump() { fresh = true; }      // the next sample is not the consequence of the last one
    // All signals of all blocks, as lines "toggle BLOCK VARIANT SIGNAL WIDTH RISEN FALLEN".
    static bool write(const char *path);

private:
    struct word {
        const void *at;
        uint64_t last, risen, fallen;
    };
    struct signal {
        std::string name;
        unsigned width, size_class, first, words, word_bits;
    };
    std::string block;            // "BLOCK VARIANT"
    std::vector<word> words[4];   // by size: 1, 2, 4, 8 bytes
    std::vector<signal> signals;
    bool fresh = true, quiet = false;

    void add(const std::string &name, const void *at, unsigned width, unsigned bytes, bool wide);
    void collect(std::map<std::string, std::string> *lines) const;
};

// A model that is done with is kept for the next who asks for one: its counts stay where Verilator's
// list of them points to.
template <typename T> std::vector<T *> &rtl_idle()
{
    static std::vector<T *> *idle = new std::vector<T *>;
    return *idle;
}
template <typename T> T *rtl_take_idle()
{
    if (rtl_idle<T>().empty()) return nullptr;
    T *kept = rtl_idle<T>().back();
    rtl_idle<T>().pop_back();
    return kept;
}
template <typename T> bool rtl_keep(T *model)
{
    rtl_idle<T>().push_back(model);
    return true;
}

// At the end of the program everything goes to files whose names begin with $BALLAST_COVERAGE. A process of several that replay side by
// side ends without such ceremony, so it writes when it is done with a model.
void rtl_cover_at_exit();
void rtl_cover_in_child();
constexpr bool rtl_covers = true;

#else

class rtl_toggles {
public:
    void find(const std::string &, const char *, const char *) {}
    void sample() {}
    void reset(bool) {}
    void jump() {}
};
template <typename T> T *rtl_take_idle() { return nullptr; }
template <typename T> bool rtl_keep(T *) { return false; }
inline void rtl_cover_at_exit() {}
inline void rtl_cover_in_child() {}
constexpr bool rtl_covers = false;

#endif
#endif
