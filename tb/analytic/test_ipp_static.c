/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations 31 to 34.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/ipp_static.h"

typedef struct numbers {
    double a, b, c, d;
} numbers;
#define NUMBER(name, value) {MEMBER(numbers, name), value}

static MODEL(total, numbers, ipp_total_power(in->a, in->b, out, why))
static MODEL(leaking, numbers, ipp_static_power(in->a, in->b, in->c, in->d, out, why))

/* Dynamic and static power; supply, transistors, design, leakage of each. */
TEST(eq_31_total_and_eq_33_static_power)
{
    static const result sums[] = {
        {{UNCHANGED}, {VALUE(85)}}, {{NUMBER(a, 0), NUMBER(b, 0)}, {VALUE(0)}}};
    static const result products[] = {
        {{NUMBER(a, 1.1), NUMBER(b, 1.4e9), NUMBER(c, 2), NUMBER(d, 3e-9)}, {VALUE(1.1 * 1.4 * 2 * 3)}},
        {{NUMBER(a, 0), NUMBER(b, 0), NUMBER(c, 0), NUMBER(d, 0)}, {VALUE(0)}},
    };
    static const refusal sum_too_large[] = {{"total power", {NUMBER(a, 1.7e308), NUMBER(b, 1.7e308)}}};
    static const refusal product_too_large[] = {{"static power", {NUMBER(a, 1e200), NUMBER(b, 1e200)}}};
    static const struct {
        const char *in_31, *in_33;
        member of;
    } rows[] = {{"dynamic_power is ", "vcc is ", MEMBER(numbers, a)},
                {"static_power is ", "transistors is ", MEMBER(numbers, b)},
                {NULL, "k_design is ", MEMBER(numbers, c)}, {NULL, "i_leak is ", MEMBER(numbers, d)}};
    static const wild_member wild_members[] = {{MEMBER(numbers, a), 0}, {MEMBER(numbers, b), 0},
                                               {MEMBER(numbers, c), 0}, {MEMBER(numbers, d), 0}};
    static const wild anything = {0x1cc, 20000, 4, sizeof(double), assert_finite_value};
    static const numbers good = {60, 25, 1, 1};
    static const subject eq_31 = {total, &good, sizeof good}, eq_33 = {leaking, &good, sizeof good};

    assert_results(&eq_31, sums);
    assert_results(&eq_33, products);
    assert_refusals(&eq_31, sum_too_large);
    assert_refusals(&eq_33, product_too_large);
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (unsigned k = 0; k < negative.num; k++) {
            const change one = {rows[i].of, negative.value[k]};
            const refusal of_31[] = {{rows[i].in_31, {one}}}, of_33[] = {{rows[i].in_33, {one}}};

            assert_refusals(&eq_33, of_33);
            if (rows[i].in_31)
                assert_refusals(&eq_31, of_31);
        }
    assert_wild(&eq_31, &anything, wild_members);
    assert_wild(&eq_33, &anything, wild_members);
}

TEST(eq_32_isci_martonosi)
{
    const ipp_isci_unit units[] = {{0.5, 2, 10, 1}, {0.25, 1, 8, 0.5}}, nothing = {0, 0, 0, 0};
    double watts = 0;

    must(ipp_isci_power(units, 2, 20, &watts, &err));
    assert_same(watts, 0.5 * 2 * 10 + 1 + 0.25 * 8 + 0.5 + 20);
    must(ipp_isci_power(&nothing, 1, 0, &watts, &err));
    assert_true(watts == 0);
    must(ipp_isci_power(NULL, 0, 20, &watts, &err));
    assert_same(watts, 20);
}

static MODEL(isci, ipp_isci_unit, ipp_isci_power(in, 1, 20, out, why))

TEST(eq_32_refusals)
{
#define UNIT(path, value) {MEMBER(ipp_isci_unit, path), value}
    static const ipp_isci_unit good = {0.5, 2, 10, 1};
    static const subject model = {isci, &good, sizeof good};
    static const bad_member members[] = {
        UNIT(access_rate, &negative), UNIT(scaling, &negative), UNIT(max_power, &negative),
        UNIT(non_gated_clock, &negative),
    };
    static const refusal rows[] = {
        {"access_rate is 1.1", {UNIT(access_rate, 1.1)}},
        {"total power", {UNIT(access_rate, 1), UNIT(max_power, 1.7e308)}},
    };
    static const wild_member wild_members[] = {{MEMBER(ipp_isci_unit, scaling), 0},
                                               {MEMBER(ipp_isci_unit, access_rate), 0},
                                               {MEMBER(ipp_isci_unit, max_power), 0}};
    static const wild anything = {0x1cc, 20000, 4, sizeof(double), assert_finite_value};
    double watts = 42;

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_wild(&model, &anything, wild_members);
    for (unsigned i = 0; i < negative.num; i++)
        assert_refused(ipp_isci_power(&good, 1, negative.value[i], &watts, &err), "idle_power");
    assert_same(watts, 42);
}

static ipp_leak transistor(void)
{
    return (ipp_leak){.mu0 = 0.03, .cox = 0.02, .w_over_l = 2, .b = 1.5, .vdd = 1.1, .vdd0 = 1.0, .vth = -0.2,
                      .voff = -0.08, .swing = 1.4, .temperature = 26.85};
}

static double current_of(const ipp_leak *leak)
{
    ipp_leak_result r = {0};

    must(ipp_leak_current(leak, &r, &err));
    return r.current;
}

TEST(eq_34_leakage_current)
{
    const ipp_leak leak = transistor();
    ipp_leak_result r;

    must(ipp_leak_current(&leak, &r, &err));
    assert_within(r.v_t, 0.025852, 5e-7); /* kT/q at 300 K */
    const double expected = 0.03 * 0.02 * 2 * exp(1.5 * 0.1) * r.v_t * r.v_t * (1 - exp(-1.1 / r.v_t)) *
                            exp(-(0.2 + 0.08) / (1.4 * r.v_t));
    assert_within(r.current / expected, 1, 1e-12);
}

/* "The leakage power quadratically increases with temperature" through v_t^2; no supply, no leakage;
 * the threshold counts by its size. */
TEST(eq_34_what_it_depends_on)
{
    const ipp_leak p_type = transistor();
    ipp_leak cold = transistor(), hot = transistor(), off = transistor(), n_type = transistor();

    cold.vth = hot.vth = cold.voff = hot.voff = 0; /* leaves v_t^2 */
    cold.temperature = 300 - 273.15;
    hot.temperature = 600 - 273.15;
    assert_within(current_of(&hot) / current_of(&cold), 4, 1e-6);
    off.vdd = 0;
    assert_true(current_of(&off) == 0);
    n_type.vth = 0.2;
    assert_within(current_of(&n_type) / current_of(&p_type), 1, 1e-12);
}

TEST(eq_34_low_supply)
{
    ipp_leak leak = transistor();
    const double high = current_of(&leak);

    leak.vdd = leak.vdd0 = 0.01; /* a supply as small as v_t: 1 - e^(-Vdd/v_t) is far from 1 */
    assert_within(current_of(&leak) / high, (1 - exp(-0.01 / 0.0258520)) / exp(1.5 * 0.1), 1e-6);
}

static MODEL(leak_current, ipp_leak, ipp_leak_current(in, out, why))

static void sound_leak(const void *of, const void *out)
{
    (void)of;
    assert_finite_from(out, (const ipp_leak_result *)out + 1);
}

TEST(eq_34_refusals)
{
#define LEAK(path, value) {MEMBER(ipp_leak, path), value}
    static const bad_values no_number = {3, {NAN, INFINITY, -INFINITY}};
    static const bad_member members[] = {
        LEAK(mu0, &not_positive), LEAK(cox, &not_positive), LEAK(w_over_l, &not_positive),
        LEAK(swing, &not_positive), LEAK(b, &negative), LEAK(vdd, &negative), LEAK(vdd0, &negative),
        LEAK(vth, &no_number), LEAK(temperature, &no_number),
    };
    static const refusal rows[] = {
        {"vth is -0.2 and voff is nan", {LEAK(voff, NAN)}},
        {"vth is -0.2 and voff is inf", {LEAK(voff, INFINITY)}},
        {"vth is -0.2 and voff is -inf", {LEAK(voff, -INFINITY)}},
        {"temperature is -273.15", {LEAK(temperature, -273.15)}},
        {"leakage current", {LEAK(voff, 1000)}},
    };
    static const wild_member wild_members[] = {{MEMBER(ipp_leak, mu0), 0}, {MEMBER(ipp_leak, b), 0},
                                               {MEMBER(ipp_leak, vdd), 0},
                                               {MEMBER(ipp_leak, vth), 0}, {MEMBER(ipp_leak, voff), 0},
                                               {MEMBER(ipp_leak, swing), 0}, {MEMBER(ipp_leak, temperature), 0}};
    static const wild anything = {0x1cc, 20000, 7, sizeof(ipp_leak_result), sound_leak};
    static const member may_be_0[] = {MEMBER(ipp_leak, b), MEMBER(ipp_leak, vdd), MEMBER(ipp_leak, vdd0)};
    const ipp_leak good = transistor();
    const subject model = {leak_current, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_wild(&model, &anything, wild_members);
    for (size_t i = 0; i < LENGTH(may_be_0); i++) {
        const result row[] = {{{{may_be_0[i], 0}}, {WANT(ipp_leak_result, v_t, 0.025852, 1e-4)}}};

        assert_results(&model, row);
    }
}
