/* SPDX-License-Identifier: Apache-2.0
 *
 * Power: from instructions to accesses (Table 7, Eq. 41) and to access rates (Eq. 40, 42, 61), what stands for
 * them in Eq. 39, active SMs, the whole, and the figures that the thesis prints.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/ipp_power.h"
#include "analytic/ipp_ptx.h"
#include "analytic/ipp_temperature.h"

typedef struct request {
    ipp_params params;
    ipp_activity activity;
    ipp_options options;
    double rate, all_power;
    uint32_t component, threads, threads_per_warp, blocks, num_sms;
} request;
#define IN(path, value) {MEMBER(request, path), value}
#define SMS(num) IN(activity.active_sms, num)
#define LINEAR IN(options.form, IPP_FORM_LINEAR)
#define LOG10 IN(options.form, IPP_FORM_LOG10)
#define WHOLE_MEMORY IN(options.memory, IPP_MEMORY_WHOLE)
#define ZERO_LOG IN(options.zero_sms_log, true)
#define AT_MOST_1 IN(options.effective_max_one, true)
#define OUT(path, expected) WANT(ipp_power, path, expected, 1e-12)
#define NEARLY(path, expected, distance) WANT_WITHIN(ipp_power, path, expected, distance)

static MODEL(power, request, ipp_power_compute(&in->params, &in->activity, &in->options, out, why))
static MODEL(factor, request, ipp_sms_factor(&in->params, in->activity.active_sms, &in->options, out, why))
static MODEL(effective, request,
      ipp_effective_rate(&in->params, (enum ipp_component)in->component, in->rate, &in->options, out, why))
static MODEL(warps, request,
      ipp_warps_per_sm(in->threads, in->threads_per_warp, in->blocks, in->activity.active_sms, &in->options,
                       out, why))
static MODEL(gated, request, ipp_power_gated(in->all_power, in->num_sms, in->activity.active_sms, out, why))

#define UNIT(name) (1U << IPP_##name)
enum { ALL_UNITS = (1 << IPP_COMPONENTS) - 1 };

/* All SMs run 1 warp for as many cycles that 1000 accesses, of each of these units that there is, are a rate
 * of 1. */
static request running(const char *gpu, unsigned units)
{
    const ipp_params *params = ipp_params_find(gpu);
    request r = {.params = *params, .options = ipp_options_default(), .rate = 1, .all_power = 120, .threads = 256,
                 .threads_per_warp = 32, .blocks = 30, .num_sms = 30};

    r.activity = (ipp_activity){.warps_per_sm = 1, .exec_cycles = 1000 * params->issue_interval,
                                .active_sms = params->num_sms};
    for (unsigned i = 0; i < IPP_COMPONENTS; i++)
        r.activity.accesses[i] = (units >> i & 1) && params->unit[i].exists ? 1000 : 0;
    return r;
}

#define assert_on(gpu, units, call, rows) results_on(running(gpu, units), call, rows, LENGTH(rows))
static void results_on(request good, analytic_call call, const result *rows, size_t num)
{
    const subject model = {call, &good, sizeof good};

    analytic_results(&model, rows, num);
}

static ipp_power power_of(const request *r)
{
    ipp_power p;

    must(power(r, &p, &err));
    return p;
}

static double watts(const char *gpu, unsigned units, uint32_t sms, enum ipp_memory_power memory)
{
    request r = running(gpu, units);

    r.activity.active_sms = sms;
    r.options.memory = memory;
    return power_of(&r).gpu_power;
}

/* ---- IPP-6: accesses and rates ------------------------------------------------------------------- */

/* Table 7: all words of a row, each with the suffix, access the unit. The register file's row, as printed, is
 * without types, and without fma, lg2, ex2 and st_shared. */
TEST(table_7_units_and_register_file)
{
    static const struct {
        const char *words, *suffix;
        enum ipp_component unit;
    } rows[] = {
        {"add sub addc subc sad div rem abs mul mad mul24 mad24 min neg", "_int", IPP_INT},
        {"add sub mul fma neg min lg2 ex2 mad div abs", "_fp", IPP_FP},
        {"sin cos rcp sqrt rsqrt", "_fp", IPP_SFU},
        {"xor cnot shl shr mov cvt set setp selp slct and or", "", IPP_ALU},
        {"st_global ld_global", "", IPP_GLOBAL},
        {"st_local ld_local", "", IPP_LOCAL},
        {"tex", "", IPP_TEXTURE},
        {"ld_const", "", IPP_CONST},
        {"ld_shared st_shared", "", IPP_SHARED},
        {"other", "", IPP_FDS},
    };
    static const char row_of_reg[] =
        " setp selp slct and or xor shr mov cvt st_global ld_global ld_const add mad24 sad div rem abs"
        " neg shl min sin cos rcp sqrt rsqrt set mul24 sub addc subc mul mad cnot ld_shared st_local ld_local tex ";

    for (size_t i = 0; i < LENGTH(rows); i++) {
        char text[256], name[64], *rest = NULL;

        snprintf(text, sizeof text, "%s", rows[i].words);
        for (const char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            snprintf(name, sizeof name, "%s%s", word, rows[i].suffix);
            const ipp_ptx *row = ipp_ptx_find(name);
            snprintf(name, sizeof name, " %s ", word);
            if (row == NULL || row->unit != rows[i].unit || row->reg != (strstr(row_of_reg, name) != NULL))
                fail_msg("%s", name);
        }
    }
    assert_null(ipp_ptx_find("max_fp"));
}

enum { COUNTS = 8 };
typedef struct code {
    ipp_inst_count counts[COUNTS];
    ipp_options options;
    uint32_t num;
} code;
#define CODE(path, value) {MEMBER(code, path), value}
#define ACCESSES(component, expected) {{#component, (component) * sizeof(double), sizeof(double), false}, expected, 0, 0}

static MODEL(accesses, code, ipp_ptx_accesses(in->counts, in->num, &in->options, out, why))

static void finite_accesses(const void *of, const void *dac)
{
    (void)of;
    assert_finite_num(dac, IPP_COMPONENTS);
}

TEST(eq_41_accesses)
{
    static const result rows[] = {
        {{UNCHANGED},
         {ACCESSES(IPP_INT, 13), ACCESSES(IPP_FP, 26), ACCESSES(IPP_GLOBAL, 4), ACCESSES(IPP_SHARED, 5),
          ACCESSES(IPP_FDS, 55), ACCESSES(IPP_REG, 37), /* without st_shared, fma and other */
          ACCESSES(IPP_TEXTURE, 0), ACCESSES(IPP_SFU, 0), ACCESSES(IPP_ALU, 0), ACCESSES(IPP_CONST, 0),
          ACCESSES(IPP_LOCAL, 0), ACCESSES(IPP_L1, 0), ACCESSES(IPP_L2, 0)}},
        {{CODE(options.reg_all, true)}, {ACCESSES(IPP_REG, 48), ACCESSES(IPP_FDS, 55)}},
        {{CODE(num, 0)}, {ACCESSES(IPP_FDS, 0)}},
    };
    static const bad_values negative_tex = {5, {-1, -1e-300, NAN, INFINITY, -INFINITY}};
    static const refusal refused[] = {
        {"form is 9", {CODE(options.form, 9)}},
        {"the sum of all instructions", {CODE(counts[0].per_warp, 1.7e308), CODE(counts[1].per_warp, 1.7e308)}},
    };
    static const wild_member wild_members[] = {
        {MEMBER(code, counts[0].per_warp), 0}, {MEMBER(code, counts[1].per_warp), 0},
        {MEMBER(code, counts[2].per_warp), 0}, {MEMBER(code, options.form), 4},
        {MEMBER(code, options.reg_all), 2},    {MEMBER(code, num), COUNTS + 1},
    };
    static const wild anything = {0x1cc, 20000, 6, IPP_COMPONENTS * sizeof(double), finite_accesses};
    code good = {{{"add_int", 10}, {"mad_fp", 20}, {"add_int", 3}, {"ld_global", 4}, {"st_shared", 5}, {"fma_fp", 6},
                  {"other", 7}, {"tex", 0}}, ipp_options_default(), COUNTS};
    const subject model = {accesses, &good, sizeof good};
    double dac[IPP_COMPONENTS] = {42};

    assert_results(&model, rows);
    assert_refusals(&model, refused);
    assert_wild(&model, &anything, wild_members);
    for (unsigned i = 0; i < negative_tex.num; i++) {
        const refusal tex[] = {{"tex is ", {CODE(counts[7].per_warp, negative_tex.value[i])}}};

        assert_refusals(&model, tex);
    }
    good.counts[1].name = "ad_int";
    assert_refused(accesses(&good, dac, &err), "ad_int is no instruction of Table 7");
    assert_same(dac[0], 42);
}

TEST(eq_42_warps_per_sm)
{
    static const result rows[] = {
        {{IN(blocks, 480), SMS(16)}, {VALUE(240)}},
        {{IN(threads, 512)}, {VALUE(16)}},
        {{IN(blocks, 100)}, {VALUE(80.0 / 3)}}, /* an average over SMs */
        {{IN(threads, 100)}, {VALUE(4)}},
        {{IN(threads, 96)}, {VALUE(3)}},
        {{IN(threads, 100), IN(options.whole_warps, false)}, {VALUE(3.125)}}, /* as printed */
        {{IN(threads, UINT32_MAX), IN(blocks, UINT32_MAX), SMS(1)}, {VALUE(4294967296.0 / 32 * 4294967295.0)}},
    };
    static const refusal refused[] = {
        {"threads_per_block", {IN(threads, 0)}}, {"threads_per_warp", {IN(threads_per_warp, 0)}},
        {"blocks", {IN(blocks, 0)}}, {"active_sms", {SMS(0)}}, {"memory", {IN(options.memory, 7)}},
    };
    const request good = running("gtx280", 0);
    const subject model = {warps, &good, sizeof good};

    assert_results(&model, rows);
    assert_refusals(&model, refused);
}

TEST(eq_40_access_rate)
{
#define ALU_100_OF_24_WARPS IN(activity.accesses[IPP_ALU], 100), IN(activity.warps_per_sm, 24)
    static const result rows[] = {
        /* An instruction every 4 of 16000 cycles: 2400 of 4000. */
        {{ALU_100_OF_24_WARPS, IN(activity.exec_cycles, 16000)}, {OUT(component[IPP_ALU].access_rate, 0.6)}},
        /* Eq. 61: predicted to take twice as long */
        {{ALU_100_OF_24_WARPS, IN(activity.exec_cycles, 32000)}, {OUT(component[IPP_ALU].access_rate, 0.3)}},
        {{ALU_100_OF_24_WARPS, IN(activity.exec_cycles, 32000), IN(params.issue_interval, 2)},
         {OUT(component[IPP_ALU].access_rate, 0.15)}},
        /* At most one; rounding errors are no finding. */
        {{IN(activity.accesses[IPP_ALU], 1000), IN(activity.accesses[IPP_SHARED], 1000 * (1 + 5e-10))},
         {OUT(num_limited, 0)}},
        {{IN(activity.accesses[IPP_SFU], 1000 * (1 + 2e-9)), IN(activity.accesses[IPP_FP], 7000)},
         {OUT(num_limited, 2), OUT(component[IPP_FP].access_rate, 7), OUT(component[IPP_FP].limited_rate, 1),
          OUT(component[IPP_FP].effective_rate, 1.001375), /* of the limited rate, not of 7 */
          OUT(component[IPP_SFU].rp, 0.5)}},
    };

    assert_on("gtx280", 0, power, rows);
}

/* ---- IPP-8: Spec.Linear ---------------------------------------------------------------------- */

TEST(ipp_8_special_linear)
{
#define RATE(unit, value) IN(component, unit), IN(rate, value)
    const result rows[] = {
        {{RATE(IPP_FP, 1)}, {VALUE(1.001375)}},
        {{RATE(IPP_FP, 1), AT_MOST_1}, {VALUE(1)}},
        {{RATE(IPP_FP, 0.5)}, {VALUE(0.1365 * log(0.5) + 1.001375)}},
        {{RATE(IPP_FP, 0.5), AT_MOST_1}, {VALUE(0.1365 * log(0.5) + 1.001375)}},
        {{RATE(IPP_GLOBAL, 0.01)}, {VALUE_WITHIN(0.37277, 5e-6)}},
        /* Crosses 0 at 6.516e-4; below, and where the logarithm has no value, it is 0. */
        {{RATE(IPP_REG, 6.517e-4)}, {VALUE(0.1365 * log(6.517e-4) + 1.001375)}},
        {{RATE(IPP_REG, 6.515e-4)}, {VALUE(0)}},
        {{RATE(IPP_REG, 1e-300)}, {VALUE(0)}},
        {{RATE(IPP_REG, 0)}, {VALUE(0)}},
        {{RATE(IPP_ALU, 0)}, {VALUE(0)}},
    };
    static const bad_values no_rate = {4, {-0.1, 1.1, NAN, INFINITY}};
    static const bad_member members[] = {IN(rate, &no_rate)};
    static const refusal refused[] = {
        {"component is 13", {IN(component, IPP_COMPONENTS)}},
        {"form is 7", {IN(options.form, 7)}},
        {"beta is 0", {IN(params.beta, 0)}},
    };
    const request good = running("gtx280", 0);
    const subject model = {effective, &good, sizeof good};

    assert_results(&model, rows);
    assert_true(rows[5].want[0].expected > 0 && rows[5].want[0].expected < 1e-4);
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        const double special = 0.1365 * log(0.3) + 1.001375;
        const result each[] = {{{RATE(i, 0.3)}, {VALUE(good.params.unit[i].special_linear ? special : 0.3)}}};

        assert_results(&model, each);
    }
    assert_bad_members(&model, members);
    assert_refusals(&model, refused);
}

/* ---- IPP-9: active SMs ----------------------------------------------------------------------- */

/* W of an SM with all rates 1 (Table 8): 5.063, and 3.5 mW more, as Spec.Linear of 1 is 1.001375. The same of
 * the memory. */
#define SM_WATTS (5.063 + 2.55 * 0.001375)
#define MEMORY_WATTS (104 * 1.001375)

TEST(ipp_9_log10_of_active_sms)
{
    const double half = log10(8.9 / 30 * 15 + 1.1);
    const result rows[] = {
        {{SMS(1)}, {VALUE_WITHIN(0.1451, 5e-5)}},
        {{SMS(10)}, {VALUE_WITHIN(0.6092, 5e-5)}},
        {{SMS(15)}, {VALUE_WITHIN(0.7443, 5e-5)}},
        {{SMS(20)}, {VALUE_WITHIN(0.8472, 5e-5)}},
        {{SMS(29)}, {VALUE_WITHIN(0.9869, 5e-5)}},
        {{SMS(30)}, {VALUE(1)}},
        /* HG-A13: Eq. 44 has 0.0414 of all power at no active SM; the default has none. And the forms. */
        {{SMS(0)}, {VALUE(0)}},
        {{SMS(0), ZERO_LOG}, {VALUE_WITHIN(0.0414, 5e-5)}},
        {{SMS(1), ZERO_LOG}, {VALUE_WITHIN(0.1451, 5e-5)}},
        {{SMS(15), LINEAR}, {VALUE(0.5)}},
        {{SMS(15), LOG10}, {VALUE(half)}},
        {{SMS(15)}, {VALUE(half)}},
    };
    const result fermi[] = {
        {{SMS(8)}, {VALUE(0.5)}},
        {{SMS(8), LINEAR}, {VALUE(0.5)}},
        {{SMS(8), LOG10}, {VALUE(log10((10 - 1.1) / 16 * 8 + 1.1))}},
    };
    static const refusal refused[] = {
        {"active_sms is 31", {SMS(31)}},
        {"rounding is 7", {IN(options.rounding, 7)}},
        {"num_sms is 0", {SMS(0), IN(params.num_sms, 0)}},
    };
    const request good = running("gtx280", 0);
    const subject model = {factor, &good, sizeof good};

    assert_results(&model, rows);
    assert_on("gtx580", 0, factor, fermi);
    assert_refusals(&model, refused);
}

TEST(power_of_active_sms)
{
    const double half = log10(8.9 / 30 * 15 + 1.1);
    const result rows[] = {
        {{UNCHANGED}, {NEARLY(alpha, 0.296667, 5e-7)}},
        {{SMS(0)}, {OUT(runtime_power, 0), OUT(gpu_power, 83)}},
        {{SMS(0), WHOLE_MEMORY}, {OUT(runtime_power, 0)}},
        {{SMS(0), ZERO_LOG}, {NEARLY(runtime_power, (151.9 + 104) * 0.0414, 0.2)}},
        {{SMS(15), LINEAR}, {OUT(rp_sms, 15 * SM_WATTS), OUT(max_sm, 30 * SM_WATTS)}}, /* Eq. 38 */
        /* Eq. 36 with RP_SMs of Eq. 44, against Eq. 48. */
        {{SMS(15)}, {OUT(rp_memory, MEMORY_WATTS), OUT(memory_power, MEMORY_WATTS * half)}},
        {{SMS(15), WHOLE_MEMORY},
         {OUT(memory_power, MEMORY_WATTS), OUT(memory_factor, 1), OUT(rp_sms, 30 * SM_WATTS * half)}},
        {{SMS(30), WHOLE_MEMORY}, {OUT(gpu_power, 30 * SM_WATTS + MEMORY_WATTS + 83)}},
        {{SMS(30)}, {OUT(gpu_power, 30 * SM_WATTS + MEMORY_WATTS + 83)}},
        {{SMS(1), WHOLE_MEMORY}, {OUT(memory_factor, 1)}},
        /* Table 8: 5.063 W per SM, 151.9 W. */
        {{AT_MOST_1},
         {NEARLY(sum_sm_component, 5.063, 5e-7), NEARLY(max_sm, 151.9, 0.05), OUT(rp_memory, 104),
          OUT(gpu_power, 30 * 5.063 + 104 + 83)}},
        {{UNCHANGED}, {NEARLY(sum_sm_component, SM_WATTS, 5e-7)}},
    };
    static const result fermi[] = {/* not activated */
        {{SMS(0)}, {OUT(gpu_power, 27)}},
        {{SMS(0), ZERO_LOG}, {OUT(runtime_power, 0)}},
    };
    static const result idle[] = {/* IPP-5: RP_Const_SM does not depend on what the SM does */
        {{UNCHANGED}, {OUT(sum_sm_component, 0.813), OUT(runtime_power, 30 * 0.813)}},
        {{IN(activity.warps_per_sm, 0), IN(activity.exec_cycles, 1)}, {OUT(runtime_power, 30 * 0.813)}},
    };

    assert_on("gtx280", ALL_UNITS, power, rows);
    assert_on("gtx580", ALL_UNITS, power, fermi);
    assert_on("gtx280", 0, power, idle);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Every equation once more, by hand, with another rate for each component. */
TEST(eq_35_to_48_step_by_step)
{
    request r = running("gtx280", 0);
    double rp[IPP_COMPONENTS] = {0}, sum = 0.813;

    r.activity.active_sms = 12;
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        const ipp_unit *unit = &r.params.unit[i];
        const double rate = unit->exists ? 0.05 + 0.07 * i : 0;

        r.activity.accesses[i] = 1000 * rate;
        if (unit->exists)
            rp[i] = unit->max_power * (unit->special_linear ? 0.1365 * log(rate) + 1.001375 : rate);
        if (i != IPP_GLOBAL && i != IPP_LOCAL)
            sum += rp[i];
    }
    const double memory = rp[IPP_GLOBAL] + rp[IPP_LOCAL], log_factor = log10(8.9 / 30 * 12 + 1.1);
    const ipp_power got = power_of(&r);
    for (unsigned i = 0; i < IPP_COMPONENTS; i++)
        assert_same(got.component[i].rp, rp[i]);
    assert_each(SAME(got.sum_sm_component, sum), SAME(got.max_sm, 30 * sum), SAME(got.rp_memory, memory),
                SAME(got.sms_factor, log_factor), SAME(got.rp_sms, 30 * sum * log_factor),
                SAME(got.memory_power, memory * log_factor), SAME(got.activation_power, 0),
                SAME(got.runtime_power, (30 * sum + memory) * log_factor), SAME(got.idle_power, 83),
                SAME(got.gpu_power, (30 * sum + memory) * log_factor + 83),
                SAME(got.system_power, got.gpu_power + 159));
}

/* The parts of a breakdown as in Fig. 36 are the whole, on both GPUs and with both memory readings. */
TEST(breakdown_adds_up)
{
    for (unsigned i = 0; i < 4; i++) {
        request r = running(i / 2 ? "gtx580" : "gtx280", ALL_UNITS);

        r.activity.exec_cycles /= 0.4;
        r.activity.active_sms = 7;
        r.options.memory = i % 2 ? IPP_MEMORY_WHOLE : IPP_MEMORY_WITH_SMS;
        const ipp_power got = power_of(&r);
        double memory = 0, sms = got.const_power;
        for (unsigned c = 0; c < IPP_COMPONENTS; c++)
            *(r.params.unit[c].per_sm ? &sms : &memory) += got.component[c].power;
        assert_each(SAME(sms, got.rp_sms), SAME(memory, got.memory_power),
                    SAME(sms + memory + got.activation_power, got.runtime_power),
                    SAME(got.const_power, r.params.const_sm * r.params.num_sms * got.sms_factor));
    }
}

/* "The maximum delta between using only one SM versus all SMs is 37 watts": the benchmark's mix is
 * not printed. The model has this delta for run-time power of 43.3 W on 30 SMs. */
TEST(ipp_10_delta_of_37_watts)
{
#define ALL_WATTS (30 * (0.813 + 0.63))
    const double of_one = log10(8.9 / 30 + 1.1);
    const result rows[] = {
        {{IN(activity.accesses[IPP_SHARED], 630)}, {OUT(runtime_power, ALL_WATTS), NEARLY(runtime_power, 43.3, 0.05)}},
        {{IN(activity.accesses[IPP_SHARED], 630), SMS(1)}, {OUT(runtime_power, ALL_WATTS * of_one)}},
    };

    assert_on("gtx280", 0, power, rows);
    assert_within(ALL_WATTS * (1 - of_one), 37, 0.05);
}

/* ---- FERMI-1 --------------------------------------------------------------------------------- */

/* 93 W with one SM: 27 idle, 64 constant, about 2 of the SM, here one that computes at full rate. */
TEST(fermi_1_one_sm_is_93_watts)
{
    static const result rows[] = {
        {{SMS(1)},
         {OUT(activation_power, 64), NEARLY(rp_sms, 2.5, 0.05), NEARLY(gpu_power, 93, 0.6),
          NEARLY(runtime_power, 66, 0.6), /* "an increase of about 66 watts" */
          NEARLY(system_power, 93, 0.6)}},
    };

    assert_on("gtx580", UNIT(FP) | UNIT(REG) | UNIT(FDS), power, rows);
}

/* Each further SM adds the same, and the activation is paid once. */
TEST(fermi_1_linear_in_active_sms)
{
    const double all = watts("gtx580", ALL_UNITS, 16, IPP_MEMORY_WITH_SMS) - 27 - 64;

    for (uint32_t active = 1; active <= 16; active++)
        assert_same(watts("gtx580", ALL_UNITS, active, IPP_MEMORY_WITH_SMS), 27 + 64 + all * active / 16);
}

/* From 1 to 16 SMs, "computations-only delta is about 60 W": 4 W per SM, and INT, FP, REG and FDS have
 * 3.6. Memory kernels: "170 W", which the set does not reach with L1, L2 and DRAM at rate 1. */
TEST(fermi_1_delta_of_all_sms)
{
    const unsigned computing = UNIT(INT) | UNIT(FP) | UNIT(REG) | UNIT(FDS);
    const unsigned memory = computing | UNIT(L1) | UNIT(L2) | UNIT(GLOBAL);
    const double one = watts("gtx580", memory, 1, IPP_MEMORY_WITH_SMS);

    assert_within(watts("gtx580", computing, 16, IPP_MEMORY_WITH_SMS) -
                      watts("gtx580", computing, 1, IPP_MEMORY_WITH_SMS), 54.1, 0.05);
    assert_within(watts("gtx580", memory, 16, IPP_MEMORY_WITH_SMS) - one, 115.7, 0.05);
    assert_within(one, 98.7, 0.05);
    assert_within(watts("gtx580", memory, 1, IPP_MEMORY_WHOLE), 136.3, 0.05); /* not the 93 W that were measured */
}

/* ---- PG-1 ------------------------------------------------------------------------------------ */

TEST(pg_1_power_gating)
{
    static const result rows[] = {
        {{SMS(1)}, {VALUE(4)}}, /* "if 30 SMs consume 120 watts ... each core consumes 4 watts" */
        {{SMS(20)}, {VALUE(80)}},
        {{SMS(30)}, {VALUE(120)}},
        {{SMS(0)}, {VALUE(0)}},
        {{IN(all_power, 0)}, {VALUE(0)}},
        {{SMS(1), IN(num_sms, 1)}, {VALUE(120)}},
    };
    static const bad_member members[] = {IN(all_power, &negative)};
    static const refusal refused[] = {
        {"num_sms", {SMS(0), IN(num_sms, 0)}},
        {"num_sms", {SMS(0), IN(num_sms, IPP_SMS_MAX + 1)}},
        {"active_sms", {SMS(31)}},
        {"gated power", {IN(all_power, DBL_MAX)}}, /* rounded up */
    };
    const request good = running("gtx280", 0);
    const subject model = {gated, &good, sizeof good};

    assert_results(&model, rows);
    assert_bad_members(&model, members);
    assert_refusals(&model, refused);
}

/* ---- doc/papers/ipp.md ------------------------------------------------------------------------------ */

TEST(example_of_the_page)
{
    static const ipp_inst_count insts[] = {
        {"mad_fp", 320}, {"add_int", 64}, {"ld_global", 32}, {"other", 16}};
    request r = running("gtx280", 0);
    ipp_point end;

    r.activity.exec_cycles = 1.2e6;
    must(ipp_ptx_accesses(insts, 4, NULL, r.activity.accesses, &err));
    must(ipp_warps_per_sm(256, 32, 1500, 30, NULL, &r.activity.warps_per_sm, &err));
    const ipp_power p = power_of(&r);
    assert_within(p.gpu_power, 169.6, 0.05);
    assert_within(p.memory_power, 29.7, 0.05);
    const ipp_run run = {
        .runtime_power = p.runtime_power, .mem_insts = 32, .nonmem_insts = 400, .run_seconds = 600};
    must(ipp_point_at(&r.params, &run, 600, NULL, &end, &err));
    assert_within(end.temperature, 74.6, 0.05);
    assert_within(end.gpu_power, 177.6, 0.05);
}

/* ---- any input -------------------------------------------------------------------------------- */

TEST(power_refusals)
{
    static const bad_member members[] = {
        IN(activity.warps_per_sm, &negative), IN(activity.exec_cycles, &not_positive),
    };
    static const refusal rows[] = {
        {"active_sms is 31", {SMS(31)}},
        {"accesses[l1] is 1, but gtx280 has no l1", {IN(activity.accesses[IPP_L1], 1)}},
        {"form is 7", {IN(options.form, 7)}},
        {"idle_power is -1", {IN(params.idle_power, -1)}},
        /* Too large for a double. */
        {"access rate of fp",
         {IN(activity.accesses[IPP_FP], 1e200), IN(activity.warps_per_sm, 1e200), IN(activity.exec_cycles, 1)}},
        {"power of all SMs",
         {IN(params.unit[IPP_FP].max_power, 1.7e308), IN(activity.accesses[IPP_FP], 1e200), SMS(0)}},
        /* 1.2e308 of 30 SMs, and as much memory */
        {"power of all SMs", {IN(params.const_sm, 4e306), IN(params.unit[IPP_GLOBAL].max_power, 1.2e308),
                              IN(activity.accesses[IPP_GLOBAL], 1), IN(activity.exec_cycles, 1)}},
        {"system power", {IN(params.idle_power, 1.7e308), IN(params.system_idle_power, 1.7e308)}},
    };
    const request good = running("gtx280", UNIT(FP));
    const subject model = {power, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    for (size_t i = 0; i < negative.num; i++) {
        const refusal of_unit[] = {
            {"accesses[local] is ", {IN(activity.accesses[IPP_LOCAL], negative.value[i])}},
            {"accesses[int] is ", {IN(activity.accesses[IPP_INT], negative.value[i])}},
        };

        assert_refusals(&model, of_unit);
    }
}

static void sound_power(const void *of, const void *out)
{
    const ipp_power *p = out;

    (void)of;
    assert_finite_from(p->component, &p->num_limited);
    assert_finite_from(&p->sum_sm_component, p + 1);
    for (unsigned i = 0; i < IPP_COMPONENTS; i++)
        assert_true(p->component[i].power >= 0 && p->component[i].limited_rate <= 1);
    assert_true(p->runtime_power >= 0 && p->sms_factor >= 0 && p->sms_factor <= 1 + 1e-12);
}

TEST(anything_is_refused_or_gives_numbers)
{
    static const wild_member members[] = {
        {MEMBER(request, params.unit[IPP_FP].max_power), 0},      {MEMBER(request, params.unit[IPP_REG].max_power), 0},
        {MEMBER(request, params.unit[IPP_FP].special_linear), 2}, {MEMBER(request, params.unit[IPP_REG].per_sm), 2},
        {MEMBER(request, params.unit[IPP_GLOBAL].max_power), 0},  {MEMBER(request, params.unit[IPP_SFU].exists), 2},
        {MEMBER(request, params.const_sm), 0},                    {MEMBER(request, params.activation), 0},
        {MEMBER(request, params.idle_power), 0},                  {MEMBER(request, params.system_idle_power), 0},
        {MEMBER(request, params.issue_interval), 0},              {MEMBER(request, params.beta), 0},
        {MEMBER(request, params.spec_slope), 0},                  {MEMBER(request, params.spec_offset), 0},
        {MEMBER(request, params.num_sms), 40},                    {MEMBER(request, params.num_sms), 0},
        {MEMBER(request, activity.accesses), 0},                  {MEMBER(request, activity.warps_per_sm), 0},
        {MEMBER(request, activity.exec_cycles), 0},               {MEMBER(request, activity.active_sms), 40},
        {MEMBER(request, options.form), 4},                       {MEMBER(request, options.memory), 3},
        {MEMBER(request, options.zero_sms_log), 2},               {MEMBER(request, options.effective_max_one), 2},
        {MEMBER(request, options.whole_warps), 2},                {MEMBER(request, component), IPP_COMPONENTS + 1},
        {MEMBER(request, rate), 0},                               {MEMBER(request, all_power), 0},
        {MEMBER(request, threads), 0},                            {MEMBER(request, threads_per_warp), 0},
        {MEMBER(request, blocks), 0},                             {MEMBER(request, num_sms), 0},
    };
    static const struct {
        analytic_call call;
        size_t out_size;
        void (*sound)(const void *input, const void *out);
    } calls[] = {
        {power, sizeof(ipp_power), sound_power},
        {effective, sizeof(double), assert_finite_value},
        {factor, sizeof(double), assert_finite_value},
        {warps, sizeof(double), assert_finite_value},
        {gated, sizeof(double), assert_finite_value},
    };

    for (unsigned i = 0; i < 2 * LENGTH(calls); i++) {
        const request good = running(i % 2 ? "gtx280" : "gtx580", ALL_UNITS);
        const subject model = {calls[i / 2].call, &good, sizeof good};
        const wild anything = {0x1cc + i, 10000, 16, calls[i / 2].out_size, calls[i / 2].sound};

        assert_wild(&model, &anything, members);
    }
}
