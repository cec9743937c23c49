/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs side by side: every one is done once, no more at a time than asked for, a failure and Ctrl-C end
 * them all.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "gpu/parallel.h"
#include "replay/interrupt.h"

enum { MOST = 16 };

/* Shared by the processes. */
typedef struct board {
    int done[MOST], stopped[MOST];
    pid_t pid[MOST];
    int running, most;       /* at once              */
    int fail_at, crash_at;   /* index, -1: none      */
    bool wait;               /* until interrupted ... */
    int together;            /* ... when so many run */
    unsigned calls;          /* of note_end, in the parent */
    int reported[MOST], status[MOST];
    bool go_on;              /* after a failure      */
} board;

static board *b; /* of the test that runs */

static int set_up(void **state)
{
    (void)state;
    b = parallel_shared(sizeof *b);
    assert_non_null(b);
    b->fail_at = b->crash_at = -1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    parallel_unshare(b, sizeof *b);
    return 0;
}

static void nap(long ms)
{
    const struct timespec t = {0, ms * 1000000};

    nanosleep(&t, NULL);
}

static bool job(void *user, unsigned index)
{
    board *on = user;
    const int now = __atomic_add_fetch(&on->running, 1, __ATOMIC_SEQ_CST);

    if (now > on->most)
        on->most = now;
    on->pid[index] = getpid();
    if (on->crash_at == (int)index)
        raise(SIGKILL);
    if (on->fail_at == (int)index) { /* before the others have ended */
        on->done[index]++;
        __atomic_sub_fetch(&on->running, 1, __ATOMIC_SEQ_CST);
        return false;
    }
    for (unsigned i = 0; on->wait && index == 0 && on->running < on->together && i < 2000; i++)
        nap(1);
    if (on->wait && index == 0)
        kill(getppid(), SIGINT); /* as if the user had, but only to the parent */
    for (unsigned i = 0; on->wait && !interrupted && i < 2000; i++)
        nap(5);
    on->stopped[index] = interrupted != 0;
    nap(10);
    on->done[index]++;
    __atomic_sub_fetch(&on->running, 1, __ATOMIC_SEQ_CST);
    return true;
}

static bool note_end(void *user, const parallel_end *end)
{
    board *on = user;

    assert_int_equal(end->ended, ++on->calls);
    assert_true(end->ended <= end->num);
    assert_int_equal(on->reported[end->index]++, 0);
    on->status[end->index] = end->status;
    return on->go_on || end->status == 0;
}

TEST_BETWEEN(every_job_is_done_once_in_a_process_of_its_own, set_up, tear_down)
{
    assert_true(parallel(MOST, 3, job, note_end, b));
    for (unsigned i = 0; i < MOST; i++) {
        assert_int_equal(b->done[i], 1);
        assert_int_not_equal(b->pid[i], getpid());
        assert_true(i == 0 || b->pid[i] != b->pid[i - 1]);
    }
    assert_int_equal(b->calls, MOST);
    for (unsigned i = 0; i < MOST; i++)
        assert_true(b->reported[i] && b->status[i] == 0);
    assert_in_range(b->most, 2, 3);
}

TEST_BETWEEN(one_at_a_time, set_up, tear_down)
{
    assert_true(parallel(4, 1, job, NULL, b));
    assert_int_equal(b->most, 1);
}

TEST_BETWEEN(more_places_than_jobs_and_as_many_as_cores, set_up, tear_down)
{
    assert_true(parallel(2, 1000, job, NULL, b));
    assert_true(parallel(2, 0, job, NULL, b));
    assert_int_equal(b->done[0], 2);
    assert_int_equal(b->done[1], 2);
    assert_true(parallel(0, 0, job, note_end, b));
    assert_int_equal(b->calls, 0);
}

static bool nothing(void *user, unsigned index)
{
    (void)user;
    return index < 1000;
}

TEST_BETWEEN(there_is_a_bound, set_up, tear_down)
{
    assert_true(parallel(300, 1000, nothing, NULL, NULL));
}

TEST_BETWEEN(a_failure_ends_it, set_up, tear_down)
{
    b->fail_at = 1;
    assert_false(parallel(4, 1, job, note_end, b));
    assert_int_equal(b->done[1], 1);
    assert_int_equal(b->done[2], 0);
    assert_int_equal(b->calls, 2);
    b->fail_at = 3; /* the last one */
    assert_false(parallel(4, 4, job, NULL, b));
    assert_int_equal(b->done[2], 1);
    b->fail_at = 0; /* what ends well after it does not make it good */
    assert_false(parallel(6, 3, job, NULL, b));
    assert_int_equal(b->done[2], 2);
    assert_int_equal(b->done[4], 0);
}

TEST_BETWEEN(a_crash_is_a_failure, set_up, tear_down)
{
    b->crash_at = 2;
    assert_false(parallel(4, 1, job, NULL, b));
    assert_int_equal(b->done[1], 1);
    assert_int_equal(b->done[3], 0);
}

TEST_BETWEEN(after_a_crash_the_others_may_go_on, set_up, tear_down)
{
    b->crash_at = 1;
    b->fail_at = 2;
    b->go_on = true;
    assert_true(parallel(5, 2, job, note_end, b));
    assert_int_equal(b->calls, 5);
    assert_true(WIFSIGNALED(b->status[1]) && WTERMSIG(b->status[1]) == SIGKILL);
    assert_true(WIFEXITED(b->status[2]) && WEXITSTATUS(b->status[2]) == 1);
    assert_int_equal(b->done[4], 1);
}

TEST_BETWEEN(ctrl_c_goes_on_to_those_that_run, set_up, tear_down)
{
    interrupt_install();
    b->wait = true;
    assert_false(parallel(8, 3, job, NULL, b));
    assert_true(b->stopped[0]);
    for (unsigned i = 0; i < 3; i++) /* those that had been started were told, and all have ended */
        assert_int_equal(b->done[i], b->stopped[i]);
    assert_int_equal(b->done[3], 0);
    assert_int_equal(b->running, 0);
    assert_false(parallel(1, 1, job, NULL, b)); /* nothing begins after it */
    assert_int_equal(b->done[0], 1);
    interrupted = 0;
}

/* Nobody can tell whether what has ended then is whole. */
TEST_BETWEEN(ctrl_c_is_no_success_even_if_all_had_begun, set_up, tear_down)
{
    interrupt_install();
    b->wait = true;
    b->together = 3;
    assert_false(parallel(3, 3, job, NULL, b));
    assert_int_equal(b->done[2], 1);
    interrupted = 0;
}
