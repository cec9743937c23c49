/* SPDX-License-Identifier: Apache-2.0
 *
 * The experiments in which kernels run at once: what they plan, and what they make of given results.
 */
#include <stdlib.h>
#include <string.h>

#include "analytic/pairs.h"
#include "engine/suite_fixture.h"
#include "replay/scratch_fixture.h"
#include "studies/experiment_papers.h"

static experiment e;
static experiment_pool pool;
static experiment_report report;

static void open_paper(const experiment_paper *paper)
{
    char err[256];

    experiment_free_report(&report);
    pool_close(&pool);
    if (!experiment_open(&e, paper, 0, err, sizeof err))
        fail_msg("%s", err);
}

static void add(const char *name, uint32_t ctas)
{
    const workload_target nothing = {0};
    workload w = {.ctas = ctas, .threads_per_cta = 64, .regs_per_thread = 16, .launches = 1, .insts = 100, .alu_distance = 1, .load_distance = 1, .lines = 1};
    char err[256];

    snprintf(w.name, sizeof w.name, "%s", name);
    if (!experiment_add(&e, &w, &nothing, err, sizeof err))
        fail_msg("%s", err);
}

static const char *cell(unsigned grid, const char *what, unsigned column)
{
    for (unsigned row = 1; row < report.grids[grid].rows; row++)
        if (!strcmp(report.grids[grid].cells[row][0], what))
            return report.grids[grid].cells[row][column];
    fail_msg("no row %s", what);
    return "";
}

static void judge_and_report(void)
{
    char err[256];

    if (!experiment_judge(&e, err, sizeof err))
        fail_msg("%s", err);
    experiment_make_report(&e, &report);
}

/* ---- mCKE ------------------------------------------------------------------------- */

enum { APART, MIXED, APART_PAPER, MIXED_PAPER, LEFTOVER, WAYS };

/* LCS alone: at `ipc`, with these limits on even and odd SMs. */
static void answer_probe(unsigned study, double ipc, unsigned even, unsigned odd)
{
    run_result *r = &pool.results[e.studies[study].probe];

    *r = (run_result){.ok = true, .ipc = ipc};
    for (unsigned i = 0; i < MACHINE_MAX_SMS; i++)
        r->limits[i] = (uint8_t)(i % 2 ? odd : even);
}

static const run_request *planned(unsigned mix, unsigned way)
{
    return &pool.requests[e.mix_run[mix][way]];
}

/* KMN-SRAD is the last of the table's mixes. */
enum { KMN_SRAD = 5 };

static void begin_kmn_srad(void)
{
    open_paper(&mcke_mixes);
    add("KMN", 1000);
    add("SRAD", 20000);
    add("CP", 100); /* its mixes have kernels that are not there */
    assert_true(experiment_plan_probes(&e, &pool));
    assert_int_equal(pool.num, 2);
    answer_probe(0, 1, 1, 2);
    answer_probe(1, 2, 3, 3);
    pool.ran = 2;
    assert_true(experiment_plan_runs(&e, &pool, 1));
    assert_int_equal(pool.num, 2 + WAYS);
}

TEST(cke_1_quotas_are_what_lcs_chose_for_each_kernel_alone)
{
    const run_request *alone;

    begin_kmn_srad();
    for (unsigned k = 0; k < 2; k++) {
        alone = &pool.requests[e.studies[k].probe];
        assert_int_equal(alone->policy, BALLAST_POLICY_LCS);
        assert_int_equal(alone->mix.num_others, 0);
        assert_int_equal(alone->workload.ctas, k ? 10000 : 500); /* 14 of 28 SMs */
        assert_int_equal(alone->max_cycles, 1000000);
    }
    for (unsigned way = 0; way < WAYS; way++) {
        const run_request *r = planned(KMN_SRAD, way);
        const bool lcs = way == APART || way == MIXED, paper = way == APART_PAPER || way == MIXED_PAPER;

        assert_string_equal(r->workload.name, "KMN");
        assert_string_equal(r->mix.others[0].name, "SRAD");
        assert_int_equal(r->mix.num_others, 1);
        assert_int_equal(r->mix.background, 0);
        assert_int_equal(r->policy, BALLAST_POLICY_STATIC);
        assert_int_equal(r->mix.mode, way == LEFTOVER ? MCKE_LEFTOVER : way == APART || way == APART_PAPER ? MCKE_APART : MCKE_QUOTAS);
        for (unsigned i = 0; i < 14; i++) {
            assert_int_equal(r->mix.quota[0][i], lcs ? 1 + i % 2 : paper ? 1 : 8);
            assert_int_equal(r->mix.quota[1][i], lcs ? 3 : paper ? 5 : 8);
        }
    }
}

/* Alone, one after the other, they would take 500 x 200 / 14 + 10000 x 200 / 28 cycles: within what is affordable. */
TEST(grids_are_cut_by_the_same_part)
{
    const double cycles = 500 * 200 / 14.0 + 10000 * 200 / 28.0;

    begin_kmn_srad();
    assert_int_equal(planned(KMN_SRAD, MIXED)->workload.ctas, 500);
    assert_int_equal(planned(KMN_SRAD, MIXED)->mix.others[0].ctas, 10000);
    answer_probe(0, 0.2, 1, 1); /* five times as slow, and so is the other one: then 0.39 million */
    answer_probe(1, 0.4, 3, 3);
    assert_true(experiment_plan_runs(&e, &pool, 0.5));
    assert_int_equal(planned(KMN_SRAD, MIXED)->workload.ctas, 250);
    answer_probe(0, 0.01, 1, 1);
    answer_probe(1, 0.02, 3, 3);
    assert_true(experiment_plan_runs(&e, &pool, 1));
    assert_int_equal(planned(KMN_SRAD, MIXED)->workload.ctas, (uint32_t)(500 * 6e5 / (100 * cycles)));
    assert_int_equal(planned(KMN_SRAD, MIXED)->mix.others[0].ctas, (uint32_t)(10000 * 6e5 / (100 * cycles)));
}

TEST(mcke_numbers)
{
    static const double seconds[WAYS] = {[APART] = 120, [MIXED] = 100, [APART_PAPER] = 90, [MIXED_PAPER] = 100, [LEFTOVER] = 110};

    begin_kmn_srad();
    for (unsigned way = 0; way < WAYS; way++) {
        run_result *r = &pool.results[e.mix_run[KMN_SRAD][way]];

        *r = (run_result){.ok = true, .finished = true, .seconds = seconds[way]};
        r->kernels[0].cycles = 1000;
        r->kernels[1].cycles = way == APART ? 250 : 4000;
    }
    judge_and_report();
    assert_int_equal(report.grids[0].rows, 2);
    assert_string_equal(cell(0, "KMN-SRAD", 1), "1, 5");
    assert_string_equal(cell(0, "KMN-SRAD", 2), "1.5, 3.0");
    assert_string_equal(cell(0, "KMN-SRAD", 3), "+27 %");
    assert_string_equal(cell(0, "KMN-SRAD", 4), "+20.0 %");
    assert_string_equal(cell(0, "KMN-SRAD", 5), "-10.0 %");
    assert_string_equal(cell(0, "KMN-SRAD", 6), "+10.0 %");
    assert_string_equal(cell(0, "KMN-SRAD", 7), "25 %");
    assert_string_equal(cell(0, "KMN-SRAD", 8), "25 %");
}

static void expect_wrong(const char *why)
{
    char err[256] = "";

    assert_false(experiment_judge(&e, err, sizeof err));
    if (!strstr(err, why))
        fail_msg("\"%s\" has no \"%s\"", err, why);
}

TEST(a_mix_that_went_wrong)
{
    begin_kmn_srad();
    for (unsigned way = 0; way < WAYS; way++)
        pool.results[e.mix_run[KMN_SRAD][way]] = (run_result){.ok = true, .finished = way != LEFTOVER};
    expect_wrong("KMN, SRAD: comes to no end");
    pool.results[e.mix_run[KMN_SRAD][MIXED]] = (run_result){.err = "it broke"};
    expect_wrong("KMN, SRAD: it broke");
    pool.results[e.studies[1].probe] = (run_result){.err = "that, too"};
    expect_wrong("SRAD, alone: that, too");
}

/* ---- leftover --------------------------------------------------------------------- */

enum { ALONE, IN_LEFTOVER, DEPTH_FIRST };

static void begin_pairs_of(const experiment_paper *paper, unsigned pairs, unsigned ways)
{
    char err[256];

    open_paper(paper);
    if (!experiment_add_own(&e, err, sizeof err))
        fail_msg("%s", err);
    assert_int_equal(e.num, pairs);
    assert_true(experiment_plan_probes(&e, &pool));
    assert_int_equal(pool.num, 0);
    assert_true(experiment_plan_runs(&e, &pool, 1));
    assert_int_equal(pool.num, ways * pairs);
}

static void begin_pairs(void)
{
    begin_pairs_of(&leftover_pairs, 50, 2);
}

static void begin_rodinia(void)
{
    begin_pairs_of(&leftover_rodinia, 7, 3);
}

static const run_request *of_pair(unsigned pair, unsigned way)
{
    return &pool.requests[e.mix_run[pair][way]];
}

TEST(qc_10_the_machine_is_that_of_the_model)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");

    open_paper(&leftover_pairs);
    assert_int_equal(e.machine.sms, gpu->num_sms);
    assert_int_equal(e.machine.slots, gpu->max_blocks);
    assert_int_equal(e.machine.warps, gpu->max_warps);
    assert_int_equal(e.machine.registers, gpu->registers);
    assert_int_equal(e.machine.shared_bytes, gpu->shared_bytes);
}

TEST(pairs_are_those_of_the_table)
{
    begin_pairs();
    for (unsigned i = 0; i < 50; i++) {
        const pairs_printed *printed = &pairs_6_3.row[i];
        const run_request *alone = of_pair(i, ALONE), *both = of_pair(i, IN_LEFTOVER);
        pairs_row model;
        analytic_err err;

        assert_true(pairs_row_compute(printed, NULL, &model, &err));
        assert_string_equal(alone->workload.name, printed->name);
        assert_int_equal(alone->workload.ctas, printed->k2.blocks);
        assert_int_equal(alone->workload.threads_per_cta, printed->k2.threads_per_block);
        assert_int_equal(alone->workload.shared_per_cta, printed->k2.shared_per_block);
        assert_int_equal(alone->mix.num_others, 0);
        assert_memory_equal(&both->mix.others[0], &alone->workload, sizeof alone->workload);
        assert_int_equal(both->workload.ctas, model.ours.resident_k1);
        assert_int_equal(both->workload.threads_per_cta, printed->k1.threads_per_block);
        assert_int_equal(both->workload.insts, 1 << 24); /* QC-14 */
        assert_int_equal(both->mix.background, 1);
        assert_int_equal(both->mix.mode, MCKE_LEFTOVER);
        assert_int_equal(alone->steady, 100000);
        assert_int_equal(both->steady, 100000);
        assert_int_equal(both->mix.quota[0][0], 16);
        assert_int_equal(both->mix.quota[1][14], 16);
    }
    assert_int_equal(of_pair(12, IN_LEFTOVER)->workload.ctas, 150 - 120); /* S25: the last wave of two */
}

/* k2 alone takes 100000 cycles, in what k1 leaves over so many times as long. */
static void answer_pair(unsigned pair, unsigned way, double slowdown)
{
    run_result *alone = &pool.results[e.mix_run[pair][ALONE]], *both = &pool.results[e.mix_run[pair][way]];

    *alone = *both = (run_result){.ok = true, .finished = true};
    alone->kernels[0] = (sim_kernel_counts){.first = 2, .cycles = 100002, .finished = true};
    both->kernels[1] = (sim_kernel_counts){.first = 150, .cycles = 150 + (uint64_t)(slowdown * 100000 + 0.5), .finished = true};
}

/* Every pair exactly as measured, but for one. */
TEST(leftover_numbers)
{
    begin_pairs();
    for (unsigned i = 0; i < 50; i++)
        answer_pair(i, IN_LEFTOVER, pairs_6_3.row[i].actual);
    pool.results[e.mix_run[1][IN_LEFTOVER]].kernels[1].cycles = 150 + 604000; /* S3-S4: twice what was measured */
    judge_and_report();
    assert_int_equal(report.grids[0].rows, 51);
    assert_string_equal(cell(0, "S1-S2", 1), "11.25");
    assert_string_equal(cell(0, "S1-S2", 2), "11.31");
    assert_string_equal(cell(0, "S1-S2", 3), "11.25");
    assert_string_equal(cell(0, "S1-S2", 4), "11.31");
    assert_string_equal(cell(0, "S3-S4", 4), "6.04");
    assert_string_equal(cell(1, "model against the measured slowdown", 1), "3.49 %");
    assert_string_equal(cell(1, "model against the measured slowdown", 2), "2.42 %"); /* doc/papers/occupancy.md */
    assert_string_equal(cell(1, "model against the measured slowdown", 3), "46 of 50");
    assert_string_equal(cell(1, "simulated against the measured", 2), "2.00 %");
    assert_string_equal(cell(1, "simulated against the measured", 3), "49 of 50");
    assert_string_equal(cell(1, "simulated against the measured", 4), "100.0 % (S3-S4)");
}

TEST(pairs_need_the_whole_machine)
{
    static const experiment_paper *const papers[] = {&leftover_pairs, &leftover_rodinia};

    for (unsigned i = 0; i < 2; i++) {
        char err[256] = "";

        assert_true(experiment_open(&e, papers[i], 5, err, sizeof err));
        assert_false(experiment_add_own(&e, err, sizeof err));
        assert_non_null(strstr(err, "leave --sms out"));
    }
}

/* What PFL may hold on an SM, of the CTAs that the thesis launches. */
static void expect_of_pfl(const run_request *r, unsigned way)
{
    static const uint8_t full[] = {16, 16, 15}; /* 47 CTAs, 16 to an SM */

    assert_int_equal(r->workload.ctas, 47);
    assert_int_equal(r->workload.threads_per_cta, 128);
    assert_int_equal(r->workload.insts, 1 << 24); /* QC-14 */
    assert_int_equal(r->mix.background, 1);
    assert_int_equal(r->mix.mode, MCKE_LEFTOVER);
    for (unsigned sm = 0; sm < 15; sm++) {
        assert_int_equal(r->mix.quota[0][sm], way == IN_LEFTOVER ? 16 : sm < 3 ? full[sm] : 0);
        assert_int_equal(r->mix.quota[1][sm], 16);
    }
}

TEST(qc_16_rodinia_pairs_run_in_turn_and_depth_first)
{
    begin_rodinia();
    for (unsigned i = 0; i < 7; i++) {
        const pairs_printed *printed = &pairs_6_5.row[i];
        const run_request *alone = of_pair(i, ALONE);

        assert_string_equal(alone->workload.name, printed->name);
        assert_int_equal(alone->workload.ctas, printed->k2.blocks);
        assert_int_equal(alone->workload.threads_per_cta, printed->k2.threads_per_block);
        assert_int_equal(alone->workload.shared_per_cta, printed->k2.shared_per_block);
        assert_int_equal(alone->mix.num_others, 0);
        for (unsigned way = IN_LEFTOVER; way <= DEPTH_FIRST; way++) {
            expect_of_pfl(of_pair(i, way), way);
            assert_memory_equal(&of_pair(i, way)->mix.others[0], &alone->workload, sizeof alone->workload);
        }
    }
}

/* The simulator's SM has room for as many CTAs as the model's, HS3's odd number of registers among them; and all are of the same code. */
TEST(qc_4_rodinia_kernels_fill_an_sm_as_in_the_model)
{
    begin_rodinia();
    for (unsigned i = 0; i < 7; i++) {
        const workload *w = &of_pair(i, ALONE)->workload;
        workload code = *w;
        occupancy_result r;
        analytic_err err;

        assert_true(occupancy_compute(occupancy_gpu_find("cc3.5"), &pairs_6_5.row[i].k2, NULL, &r, &err));
        assert_int_equal(workload_nmax(w, &e.machine), r.active_blocks);
        memcpy(code.name, of_pair(0, ALONE)->workload.name, sizeof code.name);
        code.ctas = of_pair(0, ALONE)->workload.ctas;
        code.threads_per_cta = of_pair(0, ALONE)->workload.threads_per_cta;
        code.regs_per_thread = of_pair(0, ALONE)->workload.regs_per_thread;
        code.shared_per_cta = of_pair(0, ALONE)->workload.shared_per_cta;
        assert_memory_equal(&code, &of_pair(0, ALONE)->workload, sizeof code);
    }
    assert_int_equal(workload_nmax(&of_pair(2, ALONE)->workload, &e.machine), 6); /* HS3 */
}

/* In turn as measured but for HS3, depth first twice as long, and LUD a little more. */
TEST(rodinia_numbers)
{
    static const char *const of_hs3[] = {"PFL-HS3", "1.290", "2.409", "1.167", "1.250", "1.200", "4.818"}; /* doc/papers/occupancy.md */
    static const struct {
        const char *what, *cells[4];
    } rows[] = {
        {"model, in turn, against the measured slowdown", {"-", "16.00 %", "2 of 7", "51.6 % (PFL-HS3)"}},
        {"model, depth first, against the measured", {"10.65 %", "10.87 %", "3 of 7", "48.1 % (PFL-HS3)"}},
        {"simulated, in turn, against the measured", {"-", "7.17 %", "6 of 7", "50.2 % (PFL-HS3)"}},
        {"simulated, depth first, against the measured", {"-", "101.43 %", "0 of 7", "110.0 % (PFL-LUD)"}},
    };

    begin_rodinia();
    for (unsigned i = 0; i < 7; i++) {
        answer_pair(i, IN_LEFTOVER, i == 2 ? 1.2 : pairs_6_5.row[i].actual);
        answer_pair(i, DEPTH_FIRST, (i == 6 ? 2.1 : 2) * pairs_6_5.row[i].actual);
    }
    judge_and_report();
    assert_int_equal(report.num, 2);
    assert_int_equal(report.grids[0].rows, 8);
    for (unsigned column = 1; column < 7; column++)
        assert_string_equal(cell(0, of_hs3[0], column), of_hs3[column]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned column = 0; column < 4; column++)
            assert_string_equal(cell(1, rows[i].what, column + 1), rows[i].cells[column]);
    assert_string_equal(cell(1, "simulated against the model, in turn", 4), "16.5 % (PFL-PF)");
    assert_string_equal(cell(1, "simulated against the model, depth first", 4), "285.4 % (PFL-HS3)");
}

TEST(a_rodinia_pair_that_went_wrong)
{
    begin_rodinia();
    for (unsigned i = 0; i < 7; i++) {
        answer_pair(i, IN_LEFTOVER, 1);
        answer_pair(i, DEPTH_FIRST, 1);
    }
    pool.results[e.mix_run[6][DEPTH_FIRST]] = (run_result){.err = "it broke"};
    expect_wrong("PFL-LUD, k2: it broke");
}

/* ---- pictures --------------------------------------------------------------------- */

static void draw(void)
{
    const experiment *one = &e;
    char dir[256], *picture;
    const char *path;

    scratch_make(dir, sizeof dir);
    path = scratch_path(dir, "x.svg");
    assert_true(experiment_draw(&one, 1, path));
    picture = scratch_slurp(path);
    assert_non_null(strstr(picture, "S1-S2") ? strstr(picture, "simulated") : strstr(picture, "PFL-LUD") ? strstr(picture, "simulated, depth first") : strstr(picture, "KMN-SRAD"));
    free(picture);
    assert_int_equal(scratch_remove(dir), 0);
}

TEST(pictures)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        skip();
    begin_kmn_srad();
    for (unsigned way = 0; way < WAYS; way++)
        pool.results[e.mix_run[KMN_SRAD][way]] = (run_result){.ok = true, .finished = true, .seconds = 1 + way};
    draw();
    begin_pairs();
    for (unsigned i = 0; i < 50; i++) {
        pool.results[e.mix_run[i][ALONE]].kernels[0].cycles = 100;
        pool.results[e.mix_run[i][IN_LEFTOVER]].kernels[1].cycles = 200;
    }
    draw();
    begin_rodinia();
    for (unsigned i = 0; i < 7; i++) {
        answer_pair(i, IN_LEFTOVER, 2);
        answer_pair(i, DEPTH_FIRST, 3);
    }
    draw();
}

int main(void)
{
    const int status = suite_run(NULL, NULL);

    experiment_free_report(&report);
    pool_close(&pool);
    return status;
}
