/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs, one and many.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/run.h"
#include "replay/interrupt.h"

enum { NUM = 7 };

static run_request request_of(unsigned limit)
{
    machine m = fixture_machine();
    workload w = fixture_workload();
    run_request r;

    m.sms = 2;
    w.ctas = 24;
    w.loads = 0.1;
    w.spread = 0.2;
    r = run_default(&m, &w);
    r.static_limit = (uint8_t)limit;
    return r;
}

/* Requests that take unlike long, the longest first. */
static void make_requests(run_request requests[NUM])
{
    for (unsigned i = 0; i < NUM; i++) {
        requests[i] = request_of(1 + i % 4);
        requests[i].workload.ctas = 2 * (NUM - i) * (NUM - i);
        requests[i].policy = (uint8_t)(i % BALLAST_POLICIES);
        requests[i].seed = i;
    }
}

/* ---- one -------------------------------------------------------------------------- */

TEST(a_request_has_its_defaults)
{
    const machine m = fixture_machine();
    const workload w = fixture_workload();
    const run_request r = run_default(&m, &w);

    assert_memory_equal(&r.machine, &m, sizeof m);
    assert_memory_equal(&r.workload, &w, sizeof w);
    assert_int_equal(r.seed, 1);
    assert_int_equal(r.policy, BALLAST_POLICY_STATIC);
    assert_int_equal(r.static_limit, 0);
    assert_int_equal(r.sm_level, -1);
    assert_int_equal(r.mem_level, -1);
    assert_int_equal(r.max_cycles, 0);
}

TEST(a_result_says_what_it_is_made_of)
{
    const run_request request = request_of(2);
    run_result r;

    memset(&r, 0xff, sizeof r);
    run_one(&request, &r);
    assert_true(r.ok && r.finished);
    assert_string_equal(r.err, "");
    assert_int_equal(r.counts.ctas, 24);
    assert_int_equal(r.nmax, 4);
    assert_int_equal(r.limit, 2);
    assert_true(fabs(r.ipc - (double)r.counts.instructions / (double)r.counts.cycles / 2) < 1e-12);
    /* 1000 MHz, at the nominal level: a cycle is a nanosecond. */
    assert_true(fabs(r.seconds * 1e9 - (double)r.counts.cycles) < 1e-3);
    assert_true(fabs(r.classes[0] + r.classes[1] + r.classes[2] + r.classes[3] - 1) < 1e-9);
    assert_true(fabs(r.classes[BALLAST_PS_ACTIVE] - r.ipc) < 1e-9); /* one scheduler */
    assert_true(r.mean_limit > 1.9 && r.mean_limit <= 4);
    assert_true(r.mean_resident > 1.2 && r.mean_resident <= 2);
}

TEST(a_static_limit_of_0_or_too_many_is_nmax)
{
    static const unsigned limits[] = {0, 4, 5, 255};
    run_result first;

    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const run_request request = request_of(limits[i]);
        run_result r;

        run_one(&request, &r);
        assert_int_equal(r.limit, 4);
        if (i == 0)
            first = r;
        assert_memory_equal(&r.counts, &first.counts, sizeof r.counts);
    }
}

TEST(a_refused_request_says_why)
{
    run_request request = request_of(1);
    run_result r;

    request.workload.shared_per_cta = 5000;
    run_one(&request, &r);
    assert_false(r.ok || r.finished);
    assert_non_null(strstr(r.err, "shared memory"));
    request = request_of(1);
    request.machine.mshrs = 0;
    run_one(&request, &r);
    assert_false(r.ok || r.finished);
    assert_non_null(strstr(r.err, "mshrs is 0"));
}

TEST(a_run_is_cut_off_at_its_cycles)
{
    run_request request = request_of(0);
    run_result r;
    uint64_t all;

    run_one(&request, &r);
    all = r.counts.cycles;
    request.max_cycles = 100;
    run_one(&request, &r);
    assert_true(r.ok && !r.finished);
    assert_int_equal(r.counts.cycles, 100);
    request.max_cycles = all + 1;
    run_one(&request, &r);
    assert_true(r.ok && r.finished);
    assert_int_equal(r.counts.cycles, all);
}

/* ---- many ------------------------------------------------------------------------- */

typedef struct calls {
    unsigned num, last, of;
} calls;

static void count_calls(void *user, unsigned ended, unsigned num)
{
    calls *c = user;

    assert_int_equal(ended, c->last + 1);
    c->num++;
    c->last = ended;
    c->of = num;
}

TEST(many_are_each_one_in_their_order)
{
    run_request requests[NUM];
    run_result alone[NUM], many[NUM];

    make_requests(requests);
    for (unsigned i = 0; i < NUM; i++)
        run_one(&requests[i], &alone[i]);
    for (unsigned jobs = 0; jobs <= NUM + 1; jobs += jobs < 3 ? 1 : 5) {
        calls c = {0};

        memset(many, 0xff, sizeof many);
        assert_true(run_many(requests, many, NUM, jobs, count_calls, &c));
        assert_memory_equal(many, alone, sizeof many);
        assert_int_equal(c.num, NUM);
        assert_int_equal(c.of, NUM);
    }
    assert_true(run_many(requests, many, 2, 1000000, NULL, NULL));
    assert_memory_equal(many, alone, 2 * sizeof many[0]);
}

TEST(none_at_all_is_done)
{
    assert_true(run_many(NULL, NULL, 0, 0, NULL, NULL));
}

TEST(one_that_is_refused_does_not_stop_the_others)
{
    run_request requests[NUM];
    run_result results[NUM];

    make_requests(requests);
    requests[1].workload.insts = 0;
    assert_true(run_many(requests, results, NUM, 2, NULL, NULL));
    for (unsigned i = 0; i < NUM; i++)
        assert_int_equal(results[i].ok, i != 1);
    assert_non_null(strstr(results[1].err, "insts is 0"));
}

static void nobody_is_left_behind(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void interrupt_now(void *user, unsigned ended, unsigned num)
{
    (void)num;
    if (ended == *(unsigned *)user)
        interrupted = 1;
}

/* Also the runs that go on for long: they are told. */
TEST(an_interrupted_lot_has_no_results)
{
    run_request requests[NUM];
    run_result results[NUM];

    make_requests(requests);
    for (unsigned i = 1; i < NUM; i++) {
        requests[i].workload.insts = 1 << 24;
        requests[i].workload.ctas = 1 << 20;
    }
    for (unsigned i = 0; i < 3; i++) {
        unsigned after = i > 0;

        interrupted = i == 0; /* before the first, or after it; others wait, or all have begun */
        assert_false(run_many(requests, results, NUM, i == 2 ? NUM : 2, interrupt_now, &after));
        interrupted = 0;
        nobody_is_left_behind();
        for (unsigned r = 0; r < NUM; r++)
            assert_false(results[r].ok);
    }
}

TEST(an_interrupted_run_is_not_finished)
{
    const run_request request = request_of(0);
    run_result r;

    interrupted = 1;
    run_one(&request, &r);
    interrupted = 0;
    assert_false(r.finished);
    assert_true(isfinite(r.ipc) && isfinite(r.seconds) && isfinite(r.mean_limit) && isfinite(r.classes[0]));
}

static bool says_a_signal(const run_result *r)
{
    return !r->ok && strstr(r->err, "signal") != NULL;
}

/* The last of three is killed, the system grants no more than a second; the first goes on after the second. */
TEST(the_process_of_a_run_may_die)
{
    run_request requests[3] = {request_of(1), request_of(1), request_of(1)};
    const struct rlimit second = {1, 1}, no_core = {0, 0};
    run_result r[3];
    pid_t child;
    int status;

    requests[0].workload.insts = 1000;
    requests[1].workload.insts = requests[1].workload.ctas = 1;
    requests[2].workload.insts = 1 << 24;
    child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        setrlimit(RLIMIT_CPU, &second);
        _exit(run_many(requests, r, 3, 2, NULL, NULL) && r[0].ok && r[1].ok && says_a_signal(&r[2]) ? 42 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 42);
}
