/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's files: read right, and refused with one line that names file and line when they are damaged. Every case is a set
 * of sound files with one of them replaced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/data.h"
#include "report/report.h"

typedef struct file {
    const char *name, *text;
} file;

#define STEP "{\"cycle\":9,\"where\":\"SM0\",\"rule\":\"PS-9\",\"event\":\"sample\",\"inputs\":{\"stalled\":5,\"row\":\"1\"}," \
             "\"before\":{\"limit\":1,\"state\":\"A\"},\"after\":{\"limit\":2,\"state\":\"A\"},\"words\":\"one more\"}\n"
#define START                                                                                                                \
    "{\"cycle\":1,\"where\":\"SM0\",\"rule\":\"PS-5\",\"event\":\"kernel_start\",\"inputs\":{},\"before\":{\"limit\":2},"    \
    "\"after\":{\"limit\":1},\"words\":\"kernel start\"}\n"
#define LEVEL                                                                                                                \
    "{\"cycle\":7,\"where\":\"chip\",\"rule\":\"EQ-14\",\"event\":\"level\",\"before\":{\"level\":\"normal\",\"limit\":1},"  \
    "\"after\":{\"level\":\"low\",\"limit\":3},\"words\":\"SM domain is at low\"}\n"

static const file sound[] = {
    {"run.json", "{\"finished\":\"today\",\"manifest\":\"m.csv\",\"chip\":\"NumSms=2\"}"},
    {"verdicts.csv",
     "recording,mode,sm,blocks,cycles,comparisons,verdict,limit,converged,why\n"
     "k.n1,open,0,perfsat,10,20,pass,1,0,\n\"k,n2\",open,0,perfsat,11,21,MISMATCH,2,1,\"it \"\"differs\"\"\"\n"},
    {"kernels.csv", "kernel,words,nmax,best\nk,\"some, words\",2,2\n"},
    {"policies.csv",
     "kernel,nmax,best,model_limit,static_limit,static_percent,static_settled,static_cycle,perfsat_limit,perfsat_percent,"
     "perfsat_settled,perfsat_cycle,lcs_limit,lcs_percent,lcs_settled,lcs_cycle,equalizer_limit,equalizer_percent,"
     "equalizer_settled,equalizer_cycle,dyncta_limit,dyncta_percent,dyncta_settled,dyncta_cycle\n"
     "k,2,2,0,2,100.0,1,2,2,99.5,1,9,1,50.0,1,3,2,100.0,0,0,2,100.0,1,4\n"},
    {"runs.csv",
     "kernel,run,scope,cycles,last_limit,converged,moves,decisions\nk,perfsat,sm0,100,2,1,1,k.perfsat.sm0.model.jsonl\n"
     "k,energy,chip,50,2,0,0,k.energy.chip.model.jsonl\nk,lcs,sm0,40,2,0,0,\n"},
    {"stalls.csv", "kernel,limit,cycles,instructions,active,pipeline_alu,pipeline_mem,scoreboard_alu,scoreboard_mem,idle\n"
                   "k,1,10,5,1,2,3,4,0,0\nk,2,8,8,8,0,0,0,0,0\n"},
    {"k.perfsat.dat", "2 1\n10 2\n100 2\n"},
    {"k.lcs.dat", "2 2\n40 2\n"},
    {"k.energy.sm.dat", "1 1\n8 0\n50 0\n"},
    {"k.energy.mem.dat", "1 1\n50 1\n"},
    {"k.perfsat.sm0.model.jsonl", START STEP},
    {"k.energy.chip.model.jsonl", STEP LEVEL},
};
enum { FILES = sizeof sound / sizeof sound[0] };

static char dir[64];

static void put(const char *name, const char *text)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
    if (!text)
        return;
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/ballast-test-report-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    for (unsigned i = 0; i < FILES; i++)
        put(sound[i].name, sound[i].text);
    return 0;
}

static int tear_down(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command);
}

static void sound_files_are_read(void **state)
{
    trace_err err = {.text = ""};
    const data_kernel *k;
    report_data d;

    (void)state;
    assert_true(data_read(&d, dir, &err));
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
    assert_int_equal(data_last_cycle(k), 100);
    assert_int_equal(data_watched(k), 50); /* the longest that does not end */
    assert_false(k->runs[0].there);
    assert_int_equal(k->runs[1].track[0].num, 3);
    data_free(&d);
}

static void decisions_that_move_are_numbered(void **state)
{
    trace_err err = {.text = ""};
    const run_log *log;
    report_data d;

    (void)state;
    assert_true(data_read(&d, dir, &err));
    log = &d.kernels[0].runs[1].log;
    assert_int_equal(log->num, 2);
    assert_int_equal(log->moved, 1);
    assert_int_equal(log->items[0].number, 0); /* a kernel's first limit is no move */
    assert_int_equal(log->items[1].number, 1);
    assert_int_equal(log->items[1].value, 2);
    assert_string_equal(log->items[1].inputs, "stalled 5, row 1");
    assert_string_equal(log->items[1].change, "limit 1 \xe2\x86\x92 2");
    log = &d.kernels[0].runs[6].log; /* of a chip, levels count and limits do not */
    assert_int_equal(log->moved, 1);
    assert_int_equal(log->items[1].number, 1);
    assert_int_equal(log->items[1].value, 0);
    data_free(&d);
}

static void damaged_files_are_named(void **state)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"run.json", NULL, "run.json: there is no finished run; make one with 'make run'"},
        {"run.json", "[1]", "run.json: no JSON object"},
        {"run.json", "", "run.json: no JSON object"},
        {"verdicts.csv", NULL, "verdicts.csv: No such file"},
        {"verdicts.csv", "", "verdicts.csv"},
        {"verdicts.csv", "recording,mode\nx,y\n", "no column \"sm\""},
        {"verdicts.csv",
         "recording,mode,sm,blocks,cycles,comparisons,verdict,limit,converged,why\nk,open,0,p,-1,2,pass,1,0,\n", "line 2"},
        {"verdicts.csv",
         "recording,mode,sm,blocks,cycles,comparisons,verdict,limit,converged,why\n\"k,open,0,p,1,2,pass,1,0,\n", "line 2"},
        {"kernels.csv", "kernel,words,nmax,best\nk,,33,2\n", "kernels.csv: line 2"},
        {"kernels.csv", "kernel,words,nmax,best\nk,,2,3\n", "kernels.csv: line 2"},
        {"kernels.csv", "kernel,words,nmax,best\nother,,2,2\n", "is not in kernels.csv"},
        {"runs.csv", "kernel,run,scope,cycles,last_limit,converged,moves,decisions\nk,guess,sm0,1,1,1,1,\n",
         "no run \"guess\""},
        {"stalls.csv",
         "kernel,limit,cycles,instructions,active,pipeline_alu,pipeline_mem,scoreboard_alu,scoreboard_mem,idle\n"
         "k,1,10,5,1,2,3,4,1,0\n",
         "do not add up"},
        {"stalls.csv",
         "kernel,limit,cycles,instructions,active,pipeline_alu,pipeline_mem,scoreboard_alu,scoreboard_mem,idle\n"
         "k,9,10,5,1,2,3,4,0,0\n",
         "stalls.csv: line 2"},
        {"k.perfsat.dat", NULL, "k.perfsat.dat: No such file"},
        {"k.perfsat.dat", "", "k.perfsat.dat"},
        {"k.perfsat.dat", "2 1\n1 2\n", "k.perfsat.dat"},
        {"k.energy.mem.dat", "2 1\nx\n", "k.energy.mem.dat"},
        {"k.perfsat.sm0.model.jsonl", NULL, "k.perfsat.sm0.model.jsonl: No such file"},
        {"k.perfsat.sm0.model.jsonl", START "{\"cycle\":\n", "k.perfsat.sm0.model.jsonl: line 2: no decision"},
        {"k.perfsat.sm0.model.jsonl", START STEP "[]\n", "line 3: no decision"},
        {"k.perfsat.sm0.model.jsonl", "{\"cycle\":1,\"words\":\"x\"}\n", "line 1: no decision"},
        {"k.perfsat.sm0.model.jsonl", "{\"cycle\":\"1\",\"words\":\"x\",\"after\":{}}\n", "line 1: no decision"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        trace_err err = {.text = ""};
        report_data d;

        put(cases[i].name, cases[i].text);
        assert_false(data_read(&d, dir, &err));
        data_free(&d);
        if (!strstr(err.text, cases[i].want) || strchr(err.text, '\n'))
            fail_msg("case %u: '%s' instead of '%s'", i, err.text, cases[i].want);
        for (unsigned s = 0; s < FILES; s++)
            if (!strcmp(sound[s].name, cases[i].name))
                put(sound[s].name, sound[s].text);
    }
}

static char *page(void)
{
    char path[512], *text = NULL;
    size_t size = 0;
    FILE *f;

    snprintf(path, sizeof path, "%s/report.html", dir);
    f = fopen(path, "r");
    if (!f)
        return NULL;
    assert_true(getdelim(&text, &size, '\0', f) > 0);
    fclose(f);
    return text;
}

static void the_page_is_whole_or_the_old_one_stays(void **state)
{
    const report_options how = {.out = dir, .build = dir};
    char err[REPORT_ERR] = "", *first, *second;

    (void)state;
    if (!report_write(&how, err))
        fail_msg("%s", err);
    first = page();
    assert_non_null(first);
    assert_non_null(strstr(first, "1 of 2 replays did not pass"));
    assert_non_null(strstr(first, "it &quot;differs&quot;"));
    assert_non_null(strstr(first, "</html>"));
    put("stalls.csv", "kernel\n");
    assert_false(report_write(&how, err));
    second = page();
    assert_non_null(second);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void a_report_that_cannot_be_written_is_known_before(void **state)
{
    char err[REPORT_ERR] = "";

    (void)state;
    assert_true(report_possible(dir, err));
    assert_false(report_possible("/nowhere/at/all", err));
    assert_non_null(strstr(err, "/nowhere/at/all/report.html.tmp"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sound_files_are_read),
        TEST(decisions_that_move_are_numbered),
        TEST(damaged_files_are_named),
        TEST(the_page_is_whole_or_the_old_one_stays),
        TEST(a_report_that_cannot_be_written_is_known_before),
    };

    return cmocka_run_group_tests_name("report data", tests, NULL, NULL);
}
