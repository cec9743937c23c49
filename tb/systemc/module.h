// SPDX-License-Identifier: Apache-2.0
//
// A block's pins and its C model as a SystemC module, from its port list. No include guard: <block>_sc.h includes its block's
// list, then this file, then shim/ports_end.h, which forgets the list, so that several blocks can stand in one program.
//
//   <block>_in_pins<Pin, V>, <block>_out_pins<Pin, V>
//                         a Pin<T> per input or output: sc_in, sc_out or ballast_sc::wire (a signal); T as in V, the class
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

// What is done with each entry of a port list; SUFFIX is the list's: _i or _o.
#define PIN(field) PASTE(field, SUFFIX)
#define DECLARE(field, ...) \
    Pin<ballast_sc::value_of<decltype(V::PIN(field))>> PIN(field){(prefix + #field TEXT(SUFFIX)).c_str()};
#define CONNECT(field, ...) module.PIN(field)(PIN(field));
#define EACH(field, width, ...) f(#field TEXT(SUFFIX), PIN(field), width);
#define EACH_LANES(field, width, ...) f(#field TEXT(SUFFIX), PIN(field), (width) * BLOCK_LANES(cfg));
#define WRITE(field, ...) PIN(field).write(static_cast<ballast_sc::value_of<decltype(PIN(field))>>(values->field));
#define WRITE_WIDE(field, width) ballast_sc::write_words(PIN(field), values->field, width);
#define WRITE_LANES(field, width, ...) \
    ballast_sc::write_lanes(PIN(field), BLOCK_LANES(cfg), width, [values](unsigned n) { return values->sm[n].field; });
#define READ(field, ...) values->field = PIN(field).read();
#define READ_WIDE(field, width) ballast_sc::read_words(PIN(field), values->field, width);
#define READ_LANES(field, width, ...) \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) values->sm[n].field = ballast_sc::lane(PIN(field), n, width);
#define EQUAL(field, ...) equal &= values->field == PIN(field).read();
#define EQUAL_LANES(field, width, ...) \
    for (unsigned n = 0; n < BLOCK_LANES(cfg); n++) equal &= values->sm[n].field == ballast_sc::lane(PIN(field), n, width);

#define SUFFIX _i

template <template <class> class Pin, class V> struct PINS_IN {
    const std::string prefix;

    explicit PINS_IN(const char *prefix_ = "") : prefix{prefix_} {}

    BLOCK_INPUTS(DECLARE)
    BLOCK_WIDE_INPUTS(DECLARE)
    BLOCK_LANE_INPUTS(DECLARE)

    // f(name, pin, width)
    template <class F> void each_input(const CFG_T *cfg, F f)
    {
        BLOCK_INPUTS(EACH)
        BLOCK_WIDE_INPUTS(EACH)
        BLOCK_LANE_INPUTS(EACH_LANES)
        (void)cfg;
    }

    template <class Module> void connect_inputs(Module &module)
    {
        BLOCK_INPUTS(CONNECT)
        BLOCK_WIDE_INPUTS(CONNECT)
        BLOCK_LANE_INPUTS(CONNECT)
    }

    void write_inputs(const CFG_T *cfg, const IN_T *values)
    {
        BLOCK_INPUTS(WRITE)
        BLOCK_WIDE_INPUTS(WRITE_WIDE)
        BLOCK_LANE_INPUTS(WRITE_LANES)
        (void)cfg;
    }

    void read_inputs(const CFG_T *cfg, IN_T *values) const
    {
        BLOCK_INPUTS(READ)
        BLOCK_WIDE_INPUTS(READ_WIDE)
        BLOCK_LANE_INPUTS(READ_LANES)
        (void)cfg;
    }

private:
    static unsigned width_of(unsigned most) { return most ? 32 - __builtin_clz(most) : 0; }
};

#undef SUFFIX
#define SUFFIX _o

template <template <class> class Pin, class V> struct PINS_OUT {
    const std::string prefix;

    explicit PINS_OUT(const char *prefix_ = "") : prefix{prefix_} {}

    BLOCK_OUTPUTS(DECLARE)
    BLOCK_LANE_OUTPUTS(DECLARE)

    template <class F> void each_output(const CFG_T *cfg, F f)
    {
        BLOCK_OUTPUTS(EACH)
        BLOCK_LANE_OUTPUTS(EACH_LANES)
        (void)cfg;
    }

    template <class Module> void connect_outputs(Module &module)
    {
        BLOCK_OUTPUTS(CONNECT)
        BLOCK_LANE_OUTPUTS(CONNECT)
    }

    void write_outputs(const CFG_T *cfg, const OUT_T *values)
    {
        BLOCK_OUTPUTS(WRITE)
        BLOCK_LANE_OUTPUTS(WRITE_LANES)
        (void)cfg;
    }

    bool outputs_equal(const CFG_T *cfg, const OUT_T *values) const
    {
        bool equal = true;

        BLOCK_OUTPUTS(EQUAL)
        BLOCK_LANE_OUTPUTS(EQUAL_LANES)
        (void)cfg;
        return equal;
    }

    void read_outputs(const CFG_T *cfg, OUT_T *values) const
    {
        std::memset(values, 0, BLOCK_SIZE_OF_OUT(cfg));
        BLOCK_OUTPUTS(READ)
        BLOCK_LANE_OUTPUTS(READ_LANES)
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

    void copy(STATE_T *to, const STATE_T *from) const { std::memcpy(to, from, BLOCK_SIZE_OF_STATE(&cfg)); }

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
#undef DECLARE
#undef CONNECT
#undef EACH
#undef EACH_LANES
#undef WRITE
#undef WRITE_WIDE
#undef WRITE_LANES
#undef READ
#undef READ_WIDE
#undef READ_LANES
#undef EQUAL
#undef EQUAL_LANES
#undef SUFFIX
