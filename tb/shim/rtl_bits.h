// SPDX-License-Identifier: Apache-2.0
//
// Verilator's ports are integers of 8 to 64 bits, or arrays of 32-bit words when they are wider.
// These give both one face, for vectors whose width depends on the geometry.
#ifndef BALLAST_RTL_BITS_H
#define BALLAST_RTL_BITS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "verilated.h"

template <class T, std::size_t Depth> constexpr std::size_t elements_of(const VlUnpacked<T, Depth> &) { return Depth; }

inline uint64_t low_bits(unsigned width) { return width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0); }

template <class Port> inline uint64_t get_bits(const Port &port, unsigned lsb, unsigned width)
{
    return static_cast<uint64_t>(port) >> lsb & low_bits(width);
}

template <class Port> inline void put_bits(Port &port, unsigned lsb, unsigned width, uint64_t value)
{
    const uint64_t mask = low_bits(width) << lsb;

    port = static_cast<Port>((port & ~mask) | (value << lsb & mask));
}

// Up to 64 bits at any place lie in at most three words.
template <std::size_t Words>
inline uint64_t get_bits(const VlWide<Words> &port, unsigned lsb, unsigned width)
{
    const unsigned word = lsb / 32, shift = lsb % 32;
    uint64_t value = port.m_storage[word];

    if (word + 1 < Words) value |= static_cast<uint64_t>(port.m_storage[word + 1]) << 32;
    value >>= shift;
    if (shift + width > 64) value |= static_cast<uint64_t>(port.m_storage[word + 2]) << (64 - shift);
    return value & low_bits(width);
}

template <std::size_t Words>
inline void put_bits(VlWide<Words> &port, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned done = 0; done < width;) {
        const unsigned word = (lsb + done) / 32, shift = (lsb + done) % 32;
        const unsigned here = width - done < 32 - shift ? width - done : 32 - shift;
        const uint32_t mask = static_cast<uint32_t>(low_bits(here) << shift);

        port.m_storage[word] = (port.m_storage[word] & ~mask) | (static_cast<uint32_t>(value >> done << shift) & mask);
        done += here;
    }
}

template <class Port> inline void put_words(Port &port, const uint64_t *words, unsigned width)
{
    for (unsigned done = 0; done < width; done += 64)
        put_bits(port, done, width - done < 64 ? width - done : 64, words[done / 64]);
}

#endif
