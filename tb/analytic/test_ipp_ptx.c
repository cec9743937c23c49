/* SPDX-License-Identifier: Apache-2.0
 *
 * Table 7 and Eq. 41.
 */
#include "analytic/ipp_fixture.h"
#include "analytic/ipp_ptx.h"

/* Words of one row of Table 7, each with `suffix`: all access `unit`. Returns how many. */
static unsigned assert_row(const char *words, const char *suffix, enum ipp_component unit)
{
    char text[256], name[64];
    char *rest = NULL;
    unsigned num = 0;

    snprintf(text, sizeof text, "%s", words);
    for (const char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        snprintf(name, sizeof name, "%s%s", word, suffix);
        const ipp_ptx *row = ipp_ptx_find(name);
        if (row == NULL || row->unit != unit)
            fail_msg("%s", name);
        num++;
    }
    return num;
}

TEST(table_7_units)
{
    unsigned num = 0;

    num += assert_row("add sub addc subc sad div rem abs mul mad mul24 mad24 min neg", "_int", IPP_INT);
    num += assert_row("add sub mul fma neg min lg2 ex2 mad div abs", "_fp", IPP_FP);
    num += assert_row("sin cos rcp sqrt rsqrt", "_fp", IPP_SFU);
    num += assert_row("xor cnot shl shr mov cvt set setp selp slct and or", "", IPP_ALU);
    num += assert_row("st_global ld_global", "", IPP_GLOBAL);
    num += assert_row("st_local ld_local", "", IPP_LOCAL);
    num += assert_row("tex", "", IPP_TEXTURE);
    num += assert_row("ld_const", "", IPP_CONST);
    num += assert_row("ld_shared st_shared", "", IPP_SHARED);
    num += assert_row("other", "", IPP_FDS);
    assert_non_null(ipp_ptx_row(num - 1));
    assert_null(ipp_ptx_row(num));
    assert_null(ipp_ptx_find("max_fp"));
}

/* The register file's row, as printed: without types, and without fma, lg2, ex2 and st_shared. */
TEST(table_7_register_file)
{
    static const char row_of_reg[] =
        " setp selp slct and or xor shr mov cvt st_global ld_global ld_const add mad24 sad div rem abs"
        " neg shl min sin cos rcp sqrt rsqrt set mul24 sub addc subc mul mad cnot ld_shared"
        " st_local ld_local tex ";
    const ipp_ptx *row;

    for (unsigned i = 0; (row = ipp_ptx_row(i)) != NULL; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s", row->name);
        char *type = strstr(word, "_int") ? strstr(word, "_int") : strstr(word, "_fp");
        snprintf(type ? type : word + strlen(word), 2, " ");
        if ((strstr(row_of_reg, word) != NULL) != row->reg)
            fail_msg("%s", row->name);
    }
}

TEST(eq_41_sums_accesses)
{
    static const ipp_inst_count counts[] = {
        {"add_int", 10}, {"mad_fp", 20}, {"add_int", 3}, {"ld_global", 4},
        {"st_shared", 5}, {"fma_fp", 6}, {"other", 7}, {"tex", 0},
    };
    const ipp_options all = {.reg_all = true, .maxtemp_is_delta = true};
    double dac[IPP_COMPONENTS];

    must(ipp_ptx_accesses(counts, LENGTH(counts), NULL, dac, &err));
    assert_each(SAME(dac[IPP_INT], 13), SAME(dac[IPP_FP], 26), SAME(dac[IPP_GLOBAL], 4), SAME(dac[IPP_SHARED], 5),
                SAME(dac[IPP_FDS], 55));
    assert_same(dac[IPP_REG], 37); /* without st_shared, fma and other */
    assert_same(dac[IPP_TEXTURE] + dac[IPP_SFU] + dac[IPP_ALU] + dac[IPP_CONST] + dac[IPP_LOCAL], 0);
    assert_same(dac[IPP_L1] + dac[IPP_L2], 0);
    must(ipp_ptx_accesses(counts, LENGTH(counts), &all, dac, &err));
    assert_same(dac[IPP_REG], 48);
    assert_same(dac[IPP_FDS], 55);
    must(ipp_ptx_accesses(NULL, 0, NULL, dac, &err));
    assert_same(dac[IPP_FDS], 0);
}

TEST(eq_41_refusals)
{
    const ipp_options wrong = {.form = (enum ipp_form)9};
    ipp_inst_count counts[] = {{"add_int", 1}, {"ad_int", 1}};
    double dac[IPP_COMPONENTS] = {42};

    assert_refused(ipp_ptx_accesses(counts, 2, NULL, dac, &err), "ad_int");
    assert_refused(ipp_ptx_accesses(counts, 1, &wrong, dac, &err), "form");
    counts[1].name = "tex";
    for (unsigned i = 0; i < negative.num; i++) {
        counts[1].per_warp = negative.value[i];
        assert_refused(ipp_ptx_accesses(counts, 2, NULL, dac, &err), "tex");
    }
    counts[0].per_warp = counts[1].per_warp = 1.7e308;
    assert_refused(ipp_ptx_accesses(counts, 2, NULL, dac, &err), "the sum of all instructions");
    assert_same(dac[0], 42);
}

TEST_MAIN("ipp_ptx")
