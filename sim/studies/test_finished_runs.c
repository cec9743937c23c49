/* SPDX-License-Identifier: Apache-2.0
 *
 * Finished runs in a file: what comes back is what was put there, to the last bit, or it does not come back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "replay/scratch_fixture.h"
#include "studies/finished_runs.h"

enum { RUNS = 20 };

static char dir[600], path[700];
static run_request *requests; /* RUNS of them */
static run_result results[RUNS];
static finished_runs f;

/* Every number of a result is another one; none is zero. */
static void draw(run_result *r)
{
    uint64_t *count = (uint64_t *)&r->counts;

    memset(r, 0, sizeof *r);
    r->ok = r->finished = r->done = true;
    r->seconds = 1.0 / (1 + rand());
    r->ipc = rand() / 3e9;
    r->nmax = UINT32_MAX;
    r->limit = (unsigned)rand();
    r->mean_limit = 0.1;
    r->mean_resident = 1e300 / 3;
    r->settled = UINT64_MAX;
    r->left_out = UINT64_MAX - (unsigned)rand();
    for (unsigned i = 0; i < 4; i++)
        r->classes[i] = rand() / 7.0;
    for (unsigned i = 0; i < MACHINE_MAX_SMS; i++) {
        r->limits[i] = (uint8_t)(1 + rand() % UINT8_MAX);
        r->decided[i] = rand() % 2;
    }
    for (unsigned i = 0; i < sizeof r->counts / sizeof *count; i++)
        count[i] = (uint64_t)rand() << 33 | (uint64_t)rand();
    for (unsigned i = 0; i < PROGRAM_KERNELS; i++) {
        r->kernels[i].first = (uint64_t)rand();
        r->kernels[i].cycles = UINT64_MAX - i;
        r->kernels[i].instructions = (uint64_t)rand() << 32;
        r->kernels[i].ctas = (uint64_t)rand();
        r->kernels[i].finished = i % 2;
    }
}

static void open_file(void)
{
    trace_err err = {.text = ""};

    if (!finished_runs_open(&f, path, &err))
        fail_msg("%s", err.text);
}

static void refused(const char *why)
{
    trace_err err = {.text = ""};

    assert_false(finished_runs_open(&f, path, &err));
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
    finished_runs_close(&f, false);
}

/* A file with all of them. */
static void write_all(void)
{
    requests = calloc(RUNS, sizeof *requests);
    assert_non_null(requests);
    scratch_make(dir, sizeof dir);
    snprintf(path, sizeof path, "%s", scratch_path(dir, "x.csv"));
    open_file();
    for (unsigned i = 0; i < RUNS; i++) {
        snprintf(requests[i].workload.name, sizeof requests[i].workload.name, "kernel, \"%u\"", i);
        requests[i].seed = i;
        draw(&results[i]);
        finished_runs_add(&f, &requests[i], &results[i]);
    }
    assert_false(f.lost);
    finished_runs_close(&f, false);
}

static void expect_run(unsigned i, bool there)
{
    const run_result *r = finished_runs_find(&f, &requests[i]);

    assert_true((r != NULL) == there);
    if (r)
        assert_memory_equal(r, &results[i], sizeof *r);
}

static void end(void)
{
    finished_runs_close(&f, false);
    free(requests);
    assert_int_equal(scratch_remove(dir), 0);
}

TEST(what_was_put_there_comes_back)
{
    write_all();
    open_file();
    assert_int_equal(f.num, RUNS);
    for (unsigned i = 0; i < RUNS; i++)
        expect_run(i, true);
    requests[3].seed = RUNS;
    expect_run(3, false);
    finished_runs_close(&f, true);
    assert_int_equal(scratch_count(dir, ""), 0);
    end();
}

TEST(every_cell_counts)
{
    run_result r, other;

    draw(&r);
    for (unsigned cell = 0; cell < RUN_CELLS; cell++) {
        FILE *text = scratch_stream();

        run_cell_put(text, &r, cell);
        memset(&other, 0, sizeof other);
        assert_true(run_cell_take(&other, cell, scratch_text(text)));
        for (unsigned rest = cell ? 0 : 1; rest < RUN_CELLS; rest += rest + 1 == cell ? 2 : 1) {
            text = scratch_stream();
            run_cell_put(text, &r, rest);
            assert_true(run_cell_take(&other, rest, scratch_text(text)));
        }
        other.ok = true;
        assert_memory_equal(&other, &r, sizeof r);
    }
    assert_null(run_cell_name(RUN_CELLS));
}

static unsigned cell_named(const char *name)
{
    unsigned cell = 0;

    while (strcmp(run_cell_name(cell), name) != 0)
        cell++;
    return cell;
}

TEST(only_its_own_numbers_are_a_cell)
{
    static const struct {
        const char *cell, *text;
    } wrong[] = {{"finished", ""}, {"finished", "2"}, {"finished", "-"}, {"finished", "1 1"}, {"finished", "x"}, {"finished", "1x"}, {"finished", "1,"},
                 {"limits", "256"}, {"limits", "1,1"}, {"limits", "1 "}, {"nmax", "4294967296"}, {"settled", "18446744073709551616"}, {"ipc", "1e999"}};
    run_result r;
    FILE *text = scratch_stream();

    memset(&r, 0, sizeof r);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (run_cell_take(&r, cell_named(wrong[i].cell), wrong[i].text))
            fail_msg("%s is '%s'", wrong[i].cell, wrong[i].text);
    memset(&r, 0, sizeof r);
    r.limits[1] = 7;
    run_cell_put(text, &r, cell_named("limits"));
    assert_string_equal(scratch_text(text), "0 7");
}

TEST(runs_of_another_program_are_none)
{
    write_all();
    open_file();
    f.program[1] ^= 1;
    expect_run(0, false);
    f.program[1] ^= 1;
    expect_run(0, true);
    end();
}

TEST(a_damaged_line_counts_for_nothing_and_the_others_do)
{
    char *text, *at;

    write_all();
    text = scratch_slurp(path);
    at = strstr(strchr(text, '\n') + 1, ",1,1,"); /* of the first run: finished and done */
    assert_non_null(at);
    at[3] = '0';
    scratch_spew(path, text);
    free(text);
    open_file();
    expect_run(0, false);
    for (unsigned i = 1; i < RUNS; i++)
        expect_run(i, true);
    end();
}

TEST(what_a_kill_has_cut_off_hides_nothing)
{
    char *text;

    write_all();
    text = scratch_slurp(path);
    text[strlen(text) - 40] = '\0';
    scratch_spew(path, text);
    free(text);
    open_file();
    expect_run(RUNS - 1, false);
    finished_runs_add(&f, &requests[RUNS - 1], &results[RUNS - 1]);
    finished_runs_close(&f, false);
    open_file();
    for (unsigned i = 0; i < RUNS; i++)
        expect_run(i, true);
    end();
}

/* As a query of a store writes them: other columns before and between. */
TEST(columns_may_stand_elsewhere)
{
    char *text, *moved;
    size_t size;
    FILE *to = open_memstream(&moved, &size);

    write_all();
    text = scratch_slurp(path);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *comma = strchr(line, ',');

        *comma = '\0';
        fprintf(to, "%s,%s,%s\n", line == text ? "point" : "7", comma + 1, line);
    }
    fclose(to);
    free(text);
    scratch_spew(path, moved);
    free(moved);
    open_file();
    for (unsigned i = 0; i < RUNS; i++)
        expect_run(i, true);
    requests[5].seed = 99;
    finished_runs_add(&f, &requests[5], &results[5]);
    finished_runs_close(&f, false);
    open_file();
    expect_run(5, true);
    expect_run(6, true);
    end();
}

TEST(another_file_and_one_that_is_in_use_are_refused)
{
    static finished_runs first;
    trace_err err;
    char *text;

    write_all();
    assert_true(finished_runs_open(&first, path, &err));
    refused("another command keeps its runs there");
    finished_runs_close(&first, false);
    scratch_spew(path, "kernel,limit\nfma,3\n");
    refused("no column \"key\"");
    finished_runs_close(&f, true); /* somebody else's */
    text = scratch_slurp(path);
    assert_string_equal(text, "kernel,limit\nfma,3\n");
    free(text);
    end();
    snprintf(path, sizeof path, "/nosuch/x.csv");
    refused("cannot be written (No such file or directory)");
}
