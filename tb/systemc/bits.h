// SPDX-License-Identifier: Apache-2.0
//
// Values of SystemC ports as plain ones: a number of up to 64 bits stays what it is, a wider sc_bv becomes the array of words
// that shim/rtl_bits.h can take apart.
#ifndef BALLAST_SYSTEMC_BITS_H
#define BALLAST_SYSTEMC_BITS_H

#include <systemc>

#include "shim/rtl_bits.h"

namespace ballast_sc {

template <class T> struct plain_value {
    using type = T;
    static T from(const T &value) { return value; }
    static T to(const type &plain) { return plain; }
};

template <int Width> struct plain_value<sc_dt::sc_bv<Width>> {
    static constexpr int words = (Width + 31) / 32;
    using type = VlWide<words>;

    static type from(const sc_dt::sc_bv<Width> &value)
    {
        type plain;

        for (int i = 0; i < words; i++) plain.m_storage[i] = value.get_word(i);
        return plain;
    }
    static sc_dt::sc_bv<Width> to(const type &plain)
    {
        sc_dt::sc_bv<Width> value;

        for (int i = 0; i < words; i++) value.set_word(i, plain.m_storage[i]);
        return value;
    }
};

// What a pin (port or signal) carries.
template <class Pin> using value_of = typename std::decay_t<Pin>::data_type;
template <class Pin> using plain_of = plain_value<value_of<Pin>>;
// Of a vector with a field of `width` bits per SM, a field.
template <class Pin> uint64_t lane(const Pin &pin, unsigned n, unsigned width)
{
    return get_bits(plain_of<Pin>::from(pin.read()), n * width, width);
}
template <class Pin, class Field> void write_lanes(Pin &pin, unsigned lanes, unsigned width, Field field)
{
    typename plain_of<Pin>::type value{};

    for (unsigned n = 0; n < lanes; n++) put_bits(value, n * width, width, field(n));
    pin.write(plain_of<Pin>::to(value));
}
// A vector as words of 64 bits, lowest first.
template <class Pin> void read_words(const Pin &pin, uint64_t *words, unsigned width)
{
    const auto value = plain_of<Pin>::from(pin.read());

    for (unsigned done = 0; done < width; done += 64)
        words[done / 64] = get_bits(value, done, width - done < 64 ? width - done : 64);
}
template <class Pin> void write_words(Pin &pin, const uint64_t *words, unsigned width)
{
    typename plain_of<Pin>::type value{};

    put_words(value, words, width);
    pin.write(plain_of<Pin>::to(value));
}
// What value_of wants of a pin, for a signal, which has no data_type.
template <class T> struct wire : sc_core::sc_signal<T> {
    using data_type = T;
    using sc_core::sc_signal<T>::sc_signal;
    using sc_core::sc_signal<T>::operator=;
};

}  // namespace ballast_sc

#endif
