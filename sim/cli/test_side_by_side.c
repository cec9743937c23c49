/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays side by side: what they say comes out in their order, counts are added up, tracks stay, and none is lost without a word.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "cli/side_by_side.h"
#include "engine/suite_fixture.h"
#include "gpu/parallel.h"

enum { REPLAYS = 7, CRASHES = 4 };

typedef struct given {
    side_by_side side;
    session_result *results; /* shared */
    int crash, exit_status;  /* of replay CRASHES */
    bool lose;               /* what is said has no place */
    char said[4096], complaints[4096], copy[4096], csv[4096];
    table table;
    int status;
} given;

static given g;
static unsigned rounds; /* complain remembers what was said in those before */

/* The later ones are over first. */
static int play_one(void *user, unsigned index, table *t, side_answer *answer)
{
    const struct timespec nap = {0, (REPLAYS - (long)index) * 5000000};
    session_result *result = ((given *)user)->results ? &((given *)user)->results[index] : NULL;

    nanosleep(&nap, NULL);
    printf("said %u\n", index);
    fprintf(t->copy, "copy %u\n", index);
    fprintf(t->csv, "csv %u\n", index);
    complain("all say this in round %u", rounds);
    complain("round %u, own %u", rounds, index);
    if (index == CRASHES && g.crash)
        raise(g.crash);
    t->rows = 2;
    t->passed = 1;
    t->cycles = index;
    t->comparisons = 10;
    if (result) {
        result->num_tracks = 2;
        for (unsigned i = 0; i < 2; i++) {
            result->tracks[i].points = calloc(SESSION_MAX_POINTS, sizeof *result->tracks[i].points);
            result->tracks[i].num_points = i ? SESSION_MAX_POINTS : 1;
            result->tracks[i].points[result->tracks[i].num_points - 1] = (session_point){UINT64_C(100) * index, i};
        }
        result->log = strdup("the log");
        side_keep(answer, result);
    }
    return index == CRASHES ? g.exit_status : EXIT_PASS;
}

/* Standard output and error into files while it plays. */
static void read_all(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    text[fread(text, 1, size - 1, f)] = '\0';
    fclose(f);
}

static void play(unsigned jobs)
{
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    char dir[] = "/tmp/side_by_side_XXXXXX", path[64];
    char *copy = NULL, *csv = NULL;
    size_t size;
    FILE *f[2];

    rounds++;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/out", dir);
    fflush(NULL);
    assert_non_null(freopen(path, "w", stdout));
    snprintf(path, sizeof path, "%s/err", dir);
    assert_non_null(freopen(path, "w", stderr));
    f[0] = open_memstream(&copy, &size);
    f[1] = open_memstream(&csv, &size);
    table_begin(&g.table, f[0], f[1]);
    snprintf(path, sizeof path, "%s%s", dir, g.lose ? "/nothing" : "");
    g.status = side_open(&g.side, REPLAYS, jobs, path) ? side_play(&g.side, play_one, &g, &g.table) : EXIT_BAD_INPUT;
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    fclose(f[0]);
    fclose(f[1]);
    snprintf(g.copy, sizeof g.copy, "%s", copy);
    snprintf(g.csv, sizeof g.csv, "%s", csv);
    free(copy);
    free(csv);
    snprintf(path, sizeof path, "%s/err", dir);
    read_all(path, g.complaints, sizeof g.complaints);
    unlink(path);
    snprintf(path, sizeof path, "%s/out", dir);
    read_all(path, g.said, sizeof g.said);
    unlink(path);
    assert_int_equal(rmdir(dir), 0); /* nothing of theirs is left */
}

static int set_up(void **state)
{
    (void)state;
    memset(&g, 0, sizeof g);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    side_close(&g.side);
    parallel_unshare(g.results, REPLAYS * sizeof *g.results);
    return 0;
}

/* "what 0\nwhat 1\n..." without the one that crashes. */
static void assert_in_order(const char *text, const char *what, bool crashed)
{
    for (unsigned i = 0; i < REPLAYS; i++) {
        char line[32];

        if (crashed && i == CRASHES)
            continue;
        snprintf(line, sizeof line, "%s %u\n", what, i);
        text = strstr(text, line);
        if (!text) {
            fail_msg("'%s' is not there, or not in its place", line);
            return;
        }
    }
}

static void comes_in_order(void **state)
{
    (void)state;
    for (unsigned jobs = 0; jobs <= REPLAYS; jobs += 3) {
        play(jobs);
        assert_int_equal(g.status, EXIT_PASS);
        assert_int_equal(strncmp(g.said, "recording", 9), 0); /* the line of names, once */
        assert_null(strstr(g.said + 1, "\nrecording"));
        assert_in_order(g.said, "said", false);
        assert_in_order(g.copy, "copy", false);
        assert_in_order(g.csv, "csv", false);
        assert_int_equal(g.table.rows, 2 * REPLAYS);
        assert_int_equal(g.table.passed, REPLAYS);
        assert_int_equal(g.table.cycles, REPLAYS * (REPLAYS - 1) / 2);
        assert_int_equal(g.table.comparisons, 10 * REPLAYS);
        side_close(&g.side);
    }
}

static void complains_once(void **state)
{
    (void)state;
    play(2);
    assert_non_null(strstr(g.complaints, "ballast: all say this"));
    assert_null(strstr(strstr(g.complaints, "all say this") + 1, "all say this"));
    assert_in_order(g.complaints, "own", false);
}

static void keeps_tracks(void **state)
{
    (void)state;
    g.results = parallel_shared(REPLAYS * sizeof *g.results);
    assert_non_null(g.results);
    play(3);
    assert_int_equal(g.status, EXIT_PASS);
    for (unsigned i = 0; i < REPLAYS; i++)
        for (unsigned t = 0; t < 2; t++) {
            const session_track *track = &g.results[i].tracks[t];

            assert_null(g.results[i].log);
            assert_int_equal(track->num_points, t ? SESSION_MAX_POINTS : 1);
            assert_int_equal(track->points[track->num_points - 1].cycle, 100 * i);
            assert_int_equal(track->points[track->num_points - 1].value, t);
        }
}

/* The others play on; what was counted does not hide that one is missing. */
static void tells_of_a_crash(void **state)
{
    (void)state;
    g.crash = SIGKILL;
    play(2);
    assert_int_equal(g.status, EXIT_BAD_INPUT);
    assert_non_null(strstr(g.complaints, "replay 5 of 7 was ended by signal 9 (Killed)\n"));
    assert_in_order(g.said, "said", true);
    assert_null(strstr(g.said, "said 4"));
    assert_int_equal(g.table.rows, 2 * (REPLAYS - 1));
}

static void has_the_worst_status(void **state)
{
    (void)state;
    g.exit_status = EXIT_MISMATCH;
    play(2);
    assert_int_equal(g.status, EXIT_MISMATCH);
    assert_in_order(g.said, "said", false);
    side_close(&g.side);
    g.exit_status = EXIT_STOPPED; /* no more begin */
    play(1);
    assert_int_equal(g.status, EXIT_STOPPED);
    assert_non_null(strstr(g.said, "said 4\n"));
    assert_null(strstr(g.said, "said 5\n"));
}

/* What cannot be written for the parent is no pass, and all say so at once. */
static void wants_its_scratch(void **state)
{
    (void)state;
    g.lose = true;
    play(2);
    assert_int_equal(g.status, EXIT_BAD_INPUT);
    assert_int_equal(g.table.rows, 0);
    assert_non_null(strstr(g.complaints, "/nothing: cannot write what a replay says (No such file or directory)\n"));
    assert_null(strstr(strstr(g.complaints, "/nothing") + 1, "/nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(comes_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(complains_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_tracks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_of_a_crash, set_up, tear_down),
        cmocka_unit_test_setup_teardown(has_the_worst_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wants_its_scratch, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("side_by_side", tests, NULL, NULL);
}
