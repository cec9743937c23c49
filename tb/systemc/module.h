// SPDX-License-Identifier: Apache-2.0
//
// A block's pins and its C model as a SystemC module, from its port list. No include guard: <block>_sc.h includes its block's
// list, then this file, then shim/ports_end.h, which forgets the list, so that several blocks can stand in one program.
//
//   <block>_in_pins<Pin, V>, <block>_out_pins<Pin, V>
//                         a Pin<T> per input or output: sc_in, sc_out or ballast_chip_sc::wire (a signal); T as in V, the class
//                         that Verilator makes of the block (--sc)
//   <block>_model_sc<V>   the C model with V's ports
#include <cstring>
#include <memory>
#include <string>
#include <systemc>

#include "shim/ports.h"
#include "systemc/bits.h"

#define PINS_IN BLOCK_FN(_in_pins)
#define PINS_OUT BLOCK_FN(_out_pins)
#define PIN(field) Pin<ballast_chip_sc::value_of<decltype(V::field)>> field{(prefix + #field).c_str()};
#define SET(pin, field) pin.write(static_cast<ballast_chip_sc::value_of<decltype(pin)>>(field));

template <template <class> class Pin, class V> struct PINS_IN {
    const std::string prefix;

    explicit PINS_IN(const char *prefix_ = "") : prefix{prefix_} {}

#define PIN_IN(field, ...) PIN(field##_i)
    BLOCK_INPUTS(PIN_IN)
    BLOCK_WIDE_INPUTS(PIN_IN)
    BLOCK_LANE_INPUTS(PIN_IN)

    // f(name, pin, width)
    template <class F> void each_input(const CFG_T *cfg, F f)
    {
#define EACH_IN(field, width, ...) f(#field "_i", field##_i, width);
#define EACH_IN_LANES(field, width, ...) f(#field "_i", field##_i, (width) * BLOCK_LANES(cfg));
        BLOCK_INPUTS(EACH_IN)
        BLOCK_WIDE_INPUTS(EACH_IN)
        BLOCK_LANE_INPUTS(EACH_IN_LANES)
        (void)cfg;
    }

    template <class Module> void connect_inputs(Module &module)
    {
#define CONNECT_IN(field, ...) module.field##_i(field##_i);
        BLOCK_INPUTS(CONNECT_IN)
        BLOCK_WIDE_INPUTS(CONNECT_IN)
        BLOCK_LANE_INPUTS(CONNECT_IN)
    }

    void write_inputs(const CFG_T *cfg, const IN_T *in)
    {
#define WRITE_IN(field, ...) SET(field##_i, in->field)
#define WRITE_WIDE(field, width)                                                                        \
    {                                                                                                   \
        using plain = ballast_chip_sc::plain_of<decltype(field##_i)>;                                        \
        typename plain::type value{};                                                                   \
        put_words(value, in->field, width);                                                             \
        field##_i.write(plain::to(value));                                                              \
    }
#define WRITE_IN_LANES(field, width, ...)                                                               \
    {                                                                                                   \
        using plain = ballast_chip_sc::plain_of<decltype(field##_i)>;                                        \
        typename plain::type value{};                                                                   \
        for (unsigned n = 0; n < BLOCK_LANES(cfg); n++)                                                 \
            put_bits(value, n * (width), width, in->sm[n].field);                                       \
        field##_i.write(plain::to(value));                                                              \
    }
        BLOCK_INPUTS(WRITE_IN)
        BLOCK_WIDE_INPUTS(WRITE_WIDE)
        BLOCK_LANE_INPUTS(WRITE_IN_LANES)
        (void)cfg;
    }

    void read_inputs(const CFG_T *cfg, IN_T *in) const
    {
#define READ_IN(field, ...) in->field = field##_i.read();
#define READ_WIDE(field, width)                                                                         \
    {                                                                                                   \
        const auto value = ballast_chip_sc::plain_of<decltype(field##_i)>::from(field##_i.read());           \
        for (unsigned done = 0; done < (width); done += 64)                                             \
            in->field[done / 64] = get_bits(value, done, (width)-done < 64 ? (width)-done : 64);        \
    }
#define READ_IN_LANES(field, width, ...)                                                                \
    {                                                                                                   \
        const auto value = ballast_chip_sc::plain_of<decltype(field##_i)>::from(field##_i.read());           \
        for (unsigned n = 0; n < BLOCK_LANES(cfg); n++)                                                 \
            in->sm[n].field = get_bits(value, n * (width), width);                                      \
    }
        BLOCK_INPUTS(READ_IN)
        BLOCK_WIDE_INPUTS(READ_WIDE)
        BLOCK_LANE_INPUTS(READ_IN_LANES)
        (void)cfg;
    }

private:
    static unsigned width_of(unsigned most) { return most ? 32 - __builtin_clz(most) : 0; }
};

template <template <class> class Pin, class V> struct PINS_OUT {
    const std::string prefix;

    explicit PINS_OUT(const char *prefix_ = "") : prefix{prefix_} {}

#define PIN_OUT(field, ...) PIN(field##_o)
    BLOCK_OUTPUTS(PIN_OUT)
    BLOCK_LANE_OUTPUTS(PIN_OUT)

    template <class F> void each_output(const CFG_T *cfg, F f)
    {
#define EACH_OUT(field, width, ...) f(#field "_o", field##_o, width);
#define EACH_OUT_LANES(field, width, ...) f(#field "_o", field##_o, (width) * BLOCK_LANES(cfg));
        BLOCK_OUTPUTS(EACH_OUT)
        BLOCK_LANE_OUTPUTS(EACH_OUT_LANES)
        (void)cfg;
    }

    template <class Module> void connect_outputs(Module &module)
    {
#define CONNECT_OUT(field, ...) module.field##_o(field##_o);
        BLOCK_OUTPUTS(CONNECT_OUT)
        BLOCK_LANE_OUTPUTS(CONNECT_OUT)
    }

    void write_outputs(const CFG_T *cfg, const OUT_T *out)
    {
#define WRITE_OUT(field, ...) SET(field##_o, out->field)
#define WRITE_OUT_LANES(field, width, ...)                                                              \
    {                                                                                                   \
        using plain = ballast_chip_sc::plain_of<decltype(field##_o)>;                                        \
        typename plain::type value{};                                                                   \
        for (unsigned n = 0; n < BLOCK_LANES(cfg); n++)                                                 \
            put_bits(value, n * (width), width, out->sm[n].field);                                      \
        field##_o.write(plain::to(value));                                                              \
    }
        BLOCK_OUTPUTS(WRITE_OUT)
        BLOCK_LANE_OUTPUTS(WRITE_OUT_LANES)
        (void)cfg;
    }

    bool outputs_equal(const CFG_T *cfg, const OUT_T *out) const
    {
        bool equal = true;
#define EQUAL_OUT(field, ...) equal &= out->field == field##_o.read();
#define EQUAL_OUT_LANES(field, width, ...)                                                              \
    {                                                                                                   \
        const auto value = ballast_chip_sc::plain_of<decltype(field##_o)>::from(field##_o.read());           \
        for (unsigned n = 0; n < BLOCK_LANES(cfg); n++)                                                 \
            equal &= out->sm[n].field == get_bits(value, n * (width), width);                           \
    }
        BLOCK_OUTPUTS(EQUAL_OUT)
        BLOCK_LANE_OUTPUTS(EQUAL_OUT_LANES)
        (void)cfg;
        return equal;
    }

    void read_outputs(const CFG_T *cfg, OUT_T *out) const
    {
        std::memset(out, 0, BLOCK_SIZE_OF(OUT_T, cfg));
#define READ_OUT(field, ...) out->field = field##_o.read();
#define READ_OUT_LANES(field, width, ...)                                                               \
    {                                                                                                   \
        const auto value = ballast_chip_sc::plain_of<decltype(field##_o)>::from(field##_o.read());           \
        for (unsigned n = 0; n < BLOCK_LANES(cfg); n++)                                                 \
            out->sm[n].field = get_bits(value, n * (width), width);                                     \
    }
        BLOCK_OUTPUTS(READ_OUT)
        BLOCK_LANE_OUTPUTS(READ_OUT_LANES)
        (void)cfg;
    }

private:
    static unsigned width_of(unsigned most) { return most ? 32 - __builtin_clz(most) : 0; }
};

// Settles whenever an input or a register changes, as the RTL does: outputs may follow inputs of the same cycle. The step
// that gave the outputs has the registers' next values, too; the clock's edge takes them over.
template <class V>
class BLOCK_FN(_model_sc) : public sc_core::sc_module,
                            public PINS_IN<sc_core::sc_in, V>,
                            public PINS_OUT<sc_core::sc_out, V> {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

    SC_HAS_PROCESS(BLOCK_FN(_model_sc));
    BLOCK_FN(_model_sc)(sc_core::sc_module_name name, const CFG_T &config)
        : sc_module{name}, cfg{config}, in{new IN_T()}, out{new OUT_T()}, now{new STATE_T()}, next{new STATE_T()}
    {
        BLOCK_FN(_reset)(now.get(), &cfg);
        SC_METHOD(settle);
        this->each_input(&cfg, [this](const char *, auto &pin, unsigned) { this->sensitive << pin; });
        this->sensitive << changed;
        SC_METHOD(edge);
        this->sensitive << clk_i.pos();
        this->dont_initialize();
    }

    const STATE_T *registers() const { return now.get(); }
    void load(const STATE_T *state)
    {
        copy(now.get(), state);
        changed.notify(sc_core::SC_ZERO_TIME);
    }

private:
    const CFG_T cfg;
    std::unique_ptr<IN_T> in;
    std::unique_ptr<OUT_T> out;
    std::unique_ptr<STATE_T> now, next;
    sc_core::sc_event changed;

    void copy(STATE_T *to, const STATE_T *from) const { std::memcpy(to, from, BLOCK_SIZE_OF(STATE_T, &cfg)); }

    void settle()
    {
        this->read_inputs(&cfg, in.get());
        copy(next.get(), now.get());
        BLOCK_FN(_step)(next.get(), &cfg, in.get(), out.get());
        this->write_outputs(&cfg, out.get());
    }

    void edge()
    {
        if (rst_ni.read())
            std::swap(now, next);
        else
            BLOCK_FN(_reset)(now.get(), &cfg);
        changed.notify(sc_core::SC_ZERO_TIME);
    }
};

#undef PINS_IN
#undef PINS_OUT
#undef PIN
#undef SET
#undef PIN_IN
#undef EACH_IN
#undef EACH_IN_LANES
#undef CONNECT_IN
#undef WRITE_IN
#undef WRITE_WIDE
#undef WRITE_IN_LANES
#undef READ_IN
#undef READ_WIDE
#undef READ_IN_LANES
#undef PIN_OUT
#undef EACH_OUT
#undef EACH_OUT_LANES
#undef CONNECT_OUT
#undef WRITE_OUT
#undef WRITE_OUT_LANES
#undef EQUAL_OUT
#undef EQUAL_OUT_LANES
#undef READ_OUT
#undef READ_OUT_LANES
