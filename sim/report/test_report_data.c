/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's files: read right, and refused with one line that names file and line when they are damaged. Every case is a set
 * of sound files with one of them replaced.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "replay/scratch_fixture.h"
#include "report/data.h"
#include "report/report.h"

typedef struct run_file {
    const char *name, *text;
} run_file;

#define STEP "{\"cycle\":9,\"where\":\"SM0\",\"rule\":\"PS-9\",\"event\":\"sample\",\"inputs\":{\"stalled\":5,\"row\":\"1\"}," \
             "\"before\":{\"limit\":1,\"state\":\"A\"},\"after\":{\"limit\":2,\"state\":\"A\"},\"words\":\"one more\"}\n"
#define START                                                                                                                \
    "{\"cycle\":1,\"where\":\"SM0\",\"rule\":\"PS-5\",\"event\":\"kernel_start\",\"inputs\":{},\"before\":{\"limit\":2},"    \
    "\"after\":{\"limit\":1},\"words\":\"kernel start\"}\n"
#define LEVEL                                                                                                                \
    "{\"cycle\":7,\"where\":\"chip\",\"rule\":\"EQ-14\",\"event\":\"level\",\"before\":{\"level\":\"normal\",\"limit\":1},"  \
    "\"after\":{\"level\":\"low\",\"limit\":3},\"words\":\"SM domain is at low\"}\n"

#define REGRET "kernel,policy,regret,cost\n"
#define LOSSES "kernel,policy,cycle,regret\n"
#define VERDICTS "recording,mode,sm,blocks,cycles,comparisons,verdict,limit,converged,why\n"
#define KERNELS "kernel,words,nmax,best\n"
#define RUNS "kernel,run,scope,cycles,last_limit,converged,moves,decisions\n"
#define STALLS "kernel,limit,cycles,instructions,active,pipeline_alu,pipeline_mem,scoreboard_alu,scoreboard_mem,idle\n"

static const run_file sound[] = {
    {"run.json", "{\"finished\":\"today\",\"manifest\":\"m.csv\",\"chip\":\"NumSms=2\"}"},
    {"verdicts.csv",
     VERDICTS "k.n1,open,0,perfsat,10,20,pass,1,0,\n\"k,n2\",open,0,perfsat,11,21,MISMATCH,2,1,\"it \"\"differs\"\"\"\n"},
    {"kernels.csv", KERNELS "k,\"some, words\",2,2\n"},
    {"policies.csv",
     "kernel,nmax,best,model_limit,static_limit,static_percent,static_settled,static_cycle,perfsat_limit,perfsat_percent,"
     "perfsat_settled,perfsat_cycle,lcs_limit,lcs_percent,lcs_settled,lcs_cycle,equalizer_limit,equalizer_percent,"
     "equalizer_settled,equalizer_cycle,dyncta_limit,dyncta_percent,dyncta_settled,dyncta_cycle,scout_limit,scout_percent,"
     "scout_settled,scout_cycle\n"
     "k,2,2,0,2,100.0,1,2,2,99.5,1,9,1,50.0,1,3,2,100.0,0,0,2,100.0,1,4,2,100.0,1,8\n"},
    {"runs.csv",
     RUNS "k,perfsat,sm0,100,2,1,1,k.perfsat.sm0.model.jsonl\n"
     "k,energy,chip,50,2,0,0,k.energy.chip.model.jsonl\nk,lcs,sm0,40,2,0,0,\n"},
    {"stalls.csv", STALLS "k,1,10,5,1,2,3,4,0,0\nk,2,8,8,8,0,0,0,0,0\n"},
    {"dispatch.csv", "list,title,words\nk.ctas.csv,<b>k</b>,\"some, words\"\n"},
    {"k.ctas.csv", "sm,slot,start,end,cta,kernel,pair\n0,0,1,9,0,k,\n1,0,2,7,1,k,\n"},
    {"regret.csv", REGRET "k,oracle,0.0,-5.0\nk,perfsat,20.0,15.5\n"},
    {"k.regret.csv", LOSSES "k,perfsat,10,0\nk,perfsat,20,-3\nk,lcs,5,7\n"},
    {"k.oracle.dat", "0 1\n10 2\n30 2\n"},
    {"k.perfsat.dat", "2 1\n10 2\n100 2\n"},
    {"k.lcs.dat", "2 2\n40 2\n"},
    {"k.energy.sm.dat", "1 1\n8 0\n50 0\n"},
    {"k.energy.mem.dat", "1 1\n50 1\n"},
    {"k.perfsat.sm0.model.jsonl", START STEP},
    {"k.energy.chip.model.jsonl", STEP LEVEL},
};
enum { FILES = sizeof sound / sizeof sound[0] };

static char dir[256];
static report_data d;

static const char *path_in(const char *name)
{
    return scratch_path(dir, name);
}

static void put(const run_file *file)
{
    if (file->text)
        scratch_spew(path_in(file->name), file->text);
    else
        unlink(path_in(file->name));
}

static int set_up(void **state)
{
    (void)state;
    scratch_make(dir, sizeof dir);
    for (unsigned i = 0; i < FILES; i++)
        put(&sound[i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    data_free(&d);
    return scratch_remove(dir);
}

/* A test of sound files; they are there when the test begins. */
#define FILES_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void read_all(void)
{
    trace_err err = {.text = ""};

    if (!data_read(&d, dir, &err))
        fail_msg("%s", err.text);
}

FILES_TEST(sound_files_are_read)
{
    const data_kernel *k;

    read_all();
    assert_int_equal(d.num_verdicts, 2);
    assert_int_equal(d.passed, 1);
    assert_string_equal(d.verdicts[1].recording, "k,n2");
    assert_string_equal(d.verdicts[1].why, "it \"differs\"");
    assert_int_equal(d.num_kernels, 1);
    assert_false(d.has_models);
    k = &d.kernels[0];
    assert_string_equal(k->words, "some, words");
    assert_int_equal(k->stalls.at[1].part[BREAKDOWN_SCOREBOARD_ALU], 4);
    assert_float_equal(data_ipc(k, 1), 0.5, 1e-9);
    assert_float_equal(data_best_ipc(k), 1, 1e-9);
    assert_float_equal(k->runs[1].percent, 99.5, 1e-9);
    assert_float_equal(k->oracle_cost, -5, 1e-9);
    assert_float_equal(k->runs[1].cost, 15.5, 1e-9);
    assert_true(isnan(k->runs[2].cost));
    assert_int_equal(k->runs[1].num_losses, 2);
    assert_float_equal(k->runs[1].losses[1].cycles, -3, 1e-9);
    assert_int_equal(k->runs[2].losses[0].cycle, 5);
    assert_int_equal(k->oracle.points[1].value, 2);
    assert_int_equal(data_last_cycle(k), 100);
    assert_int_equal(data_watched(k), 50); /* the longest that does not end */
    assert_false(k->runs[0].there);
    assert_int_equal(k->runs[1].track[0].num, 3);
}

FILES_TEST(decisions_that_move_are_numbered)
{
    const run_log *log;

    read_all();
    log = &d.kernels[0].runs[1].log;
    assert_int_equal(log->num, 2);
    assert_int_equal(log->moved, 1);
    assert_int_equal(log->items[0].number, 0); /* a kernel's first limit is no move */
    assert_int_equal(log->items[1].number, 1);
    assert_int_equal(log->items[1].value, 2);
    assert_string_equal(log->items[1].inputs, "stalled 5, row 1");
    assert_string_equal(log->items[1].change, "limit 1 \xe2\x86\x92 2");
    log = &d.kernels[0].runs[7].log; /* of a chip, levels count and limits do not */
    assert_int_equal(log->moved, 1);
    assert_int_equal(log->items[1].number, 1);
    assert_int_equal(log->items[1].value, 0);
}

FILES_TEST(damaged_files_are_named)
{
    static const struct {
        run_file file;
        const char *want;
    } cases[] = {
        {{"run.json", NULL}, "run.json: there is no finished run; make one with 'make run'"},
        {{"run.json", "[1]"}, "run.json: no JSON object"},
        {{"run.json", ""}, "run.json: no JSON object"},
        {{"verdicts.csv", NULL}, "verdicts.csv: No such file"},
        {{"verdicts.csv", ""}, "verdicts.csv"},
        {{"verdicts.csv", "recording,mode\nx,y\n"}, "no column \"sm\""},
        {{"verdicts.csv", VERDICTS "k,open,0,p,-1,2,pass,1,0,\n"}, "line 2"},
        {{"verdicts.csv", VERDICTS "\"k,open,0,p,1,2,pass,1,0,\n"}, "line 2"},
        {{"kernels.csv", KERNELS "k,,33,2\n"}, "kernels.csv: line 2"},
        {{"kernels.csv", KERNELS "k,,2,3\n"}, "kernels.csv: line 2"},
        {{"kernels.csv", KERNELS "other,,2,2\n"}, "is not in kernels.csv"},
        {{"runs.csv", RUNS "k,guess,sm0,1,1,1,1,\n"}, "no run \"guess\""},
        {{"stalls.csv", STALLS "k,1,10,5,1,2,3,4,1,0\n"}, "do not add up"},
        {{"stalls.csv", STALLS "k,9,10,5,1,2,3,4,0,0\n"}, "stalls.csv: line 2"},
        {{"runs.csv", "kernel,run,scope,cycles,last_limit,converged,mov,decisions\n"}, "no column \"moves\""},
        {{"regret.csv", NULL}, "regret.csv: No such file"},
        {{"regret.csv", REGRET "k,guess,1,1\n"}, "regret.csv: line 2: no policy \"guess\""},
        {{"regret.csv", REGRET "k,lcs,1,x\n"}, "regret.csv: line 2"},
        {{"k.regret.csv", NULL}, "k.regret.csv: No such file"},
        {{"k.regret.csv", LOSSES "k,oracle,1,1\n"}, "k.regret.csv: line 2: no policy"},
        {{"k.regret.csv", LOSSES "k,lcs,1,1\nk,lcs,-1,1\n"}, "k.regret.csv: line 3"},
        {{"k.regret.csv", LOSSES "k,lcs,1,nan\n"}, "k.regret.csv: line 2"},
        {{"k.oracle.dat", "10 1\n5 2\n"}, "k.oracle.dat"},
        {{"k.perfsat.dat", NULL}, "k.perfsat.dat: No such file"},
        {{"k.perfsat.dat", ""}, "k.perfsat.dat"},
        {{"k.perfsat.dat", "2 1\n1 2\n"}, "k.perfsat.dat"},
        {{"k.energy.mem.dat", "2 1\nx\n"}, "k.energy.mem.dat"},
        {{"k.perfsat.sm0.model.jsonl", NULL}, "k.perfsat.sm0.model.jsonl: No such file"},
        {{"k.perfsat.sm0.model.jsonl", START "{\"cycle\":\n"}, "k.perfsat.sm0.model.jsonl: line 2: no decision"},
        {{"k.perfsat.sm0.model.jsonl", START STEP "[]\n"}, "line 3: no decision"},
        {{"k.perfsat.sm0.model.jsonl", "{\"cycle\":1,\"words\":\"x\"}\n"}, "line 1: no decision"},
        {{"k.perfsat.sm0.model.jsonl", "{\"cycle\":\"1\",\"words\":\"x\",\"after\":{}}\n"}, "line 1: no decision"},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        trace_err err = {.text = ""};

        put(&cases[i].file);
        assert_false(data_read(&d, dir, &err));
        data_free(&d);
        if (!strstr(err.text, cases[i].want) || strchr(err.text, '\n'))
            fail_msg("case %u: '%s' instead of '%s'", i, err.text, cases[i].want);
        for (unsigned s = 0; s < FILES; s++)
            if (!strcmp(sound[s].name, cases[i].file.name))
                put(&sound[s]);
    }
}

FILES_TEST(the_page_is_whole_or_the_old_one_stays)
{
    const report_options how = {.out = dir, .build = dir};
    char err[REPORT_ERR] = "", *first, *second;

    if (!report_write(&how, err))
        fail_msg("%s", err);
    first = scratch_slurp(path_in("report.html"));
    assert_non_null(strstr(first, "1 of 2 replays did not pass"));
    assert_non_null(strstr(first, "it &quot;differs&quot;"));
    assert_non_null(strstr(first, "</html>"));
    put(&(run_file){"stalls.csv", "kernel\n"});
    assert_false(report_write(&how, err));
    second = scratch_slurp(path_in("report.html"));
    assert_string_equal(first, second);
    free(first);
    free(second);
}

FILES_TEST(a_picture_of_dispatch_comes_with_words_and_a_table)
{
    static const struct {
        run_file file;
        const char *want;
    } cases[] = {
        {{"dispatch.csv", NULL}, "dispatch.csv: No such file"},
        {{"dispatch.csv", "list,title\n"}, "no column \"words\""},
        {{"dispatch.csv", "list,title,words\nother.csv,k,\n"}, "other.csv"},
        {{"dispatch.csv", "list,title,words\n../k.ctas.csv,k,\n"}, "dispatch.csv: line 2: column list is \"../k.ctas.csv\""},
        {{"dispatch.csv", "list,title,words\nnone,k,\n"}, "dispatch.csv: line 2: column list is \"none\""},
        {{"k.ctas.csv", "sm,slot,start,end,cta,kernel,pair\n0,0,9,1,0,k,\n"}, "k.ctas.csv: line 2: the CTA ends before it begins"},
    };
    const report_options how = {.out = dir, .build = dir};
    char err[REPORT_ERR] = "", *page;

    if (!report_write(&how, err))
        fail_msg("%s", err);
    page = scratch_slurp(path_in("report.html"));
    assert_non_null(strstr(page, "<h3>&lt;b&gt;k&lt;/b&gt;</h3>"));
    assert_non_null(strstr(page, "some, words Shown: all 2 CTAs, cycles 0 to 9."));
    assert_non_null(strstr(page, "<tr><th scope=\"row\" class=\"n\">1</th><td class=\"w\"> 1</td></tr>"));
    free(page);
    put(&(run_file){"dispatch.csv", "list,title,words\n"});
    assert_true(report_write(&how, err));
    page = scratch_slurp(path_in("report.html"));
    assert_non_null(strstr(page, "have no list of their CTAs"));
    free(page);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned s = 0; s < FILES; s++)
            put(&sound[s]);
        put(&cases[i].file);
        assert_false(report_write(&how, err));
        if (!strstr(err, cases[i].want) || strchr(err, '\n'))
            fail_msg("case %u: '%s' instead of '%s'", i, err, cases[i].want);
    }
}

FILES_TEST(a_report_that_cannot_be_written_is_known_before)
{
    char err[REPORT_ERR] = "";

    assert_true(report_possible(dir, err));
    assert_false(report_possible("/nowhere/at/all", err));
    assert_non_null(strstr(err, "/nowhere/at/all/report.html.tmp"));
}
