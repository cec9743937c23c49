/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings of simulated runs: what they hold is what the SMs showed, the same run gives the same
 * bytes, they replay, and one that fails is not there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "gpu/loop_fixture.h"
#include "replay/family.h"
#include "replay/open_loop.h"
#include "replay/scratch_fixture.h"
#include "replay/sweep.h"
#include "replay/interrupt.h"
#include "recording/trace_fixture.h"

enum { PATH = 500, SMS = 3 };

typedef struct world {
    char dir[400];
    char a[PATH], b[PATH];
    loop_job job; /* records to a */
} world;

static world *w; /* of the test that runs */

static int set_up(void **state)
{
    w = calloc(1, sizeof *w);
    assert_non_null(w);
    scratch_make(w->dir, sizeof w->dir);
    snprintf(w->a, PATH, "%s/a.blt", w->dir);
    snprintf(w->b, PATH, "%s/b.blt", w->dir);
    w->job = job_of("ballast_chip_top");
    assert_int_equal(w->job.request.machine.sms, SMS);
    w->job.request.policy = POLICY_EQUALIZER;
    w->job.record = w->a;
    (void)state;
    return 0;
}

static int tear_down(void **state)
{
    const int status = scratch_remove(w->dir);

    (void)state;
    free(w);
    return status;
}

static loop_result played;

static void record(const loop_job *job)
{
    run_result result;
    char err[LOOP_ERR];

    assert_true(loop_run_models(job, NULL, &result, err));
    assert_string_equal(err, "");
}

static bool same_bytes(const char *a, const char *b)
{
    size_t na, nb;
    uint8_t *pa = fixture_slurp(a, &na), *pb = fixture_slurp(b, &nb);
    const bool same = na > 0 && na == nb && !memcmp(pa, pb, na);

    free(pa);
    free(pb);
    return same;
}

static trace_reader *reopen(const char *path)
{
    trace_err err = {.text = ""};
    trace_reader *r = trace_open(path, NULL, &err);

    assert_string_equal(err.text, "");
    assert_non_null(r);
    return r;
}

/* ---- what it holds ---------------------------------------------------------------- */

/* What each SM showed. */
typedef struct shown {
    uint64_t digest[SMS], instructions[SMS];
    uint64_t busy; /* cycles up to the last in which SM 0 held a CTA */
} shown;

static const char *show_cycle(void *self, uint64_t cycle, const sm_obs *const *obs, const ballast_chip_out *out)
{
    shown *s = self;

    (void)out;
    for (unsigned i = 0; i < SMS; i++) {
        s->digest[i] = bus_digest(s->digest[i], obs[i], true);
        s->instructions[i] += (unsigned)__builtin_popcountll(sm_obs_issued(obs[i]));
    }
    if (obs[0]->cta_active)
        s->busy = cycle + 1;
    return NULL;
}

static void run_shown(const loop_job *job, shown *s, run_result *result)
{
    char err[LOOP_ERR];
    loop_run run;

    memset(s, 0, sizeof *s);
    assert_true(loop_run_open(&run, job, err));
    closed_loop_tap(&run.loop, (loop_tap){s, show_cycle});
    assert_true(closed_loop_models(&run.loop, run.models, NULL));
    assert_true(loop_run_close(&run, true, result, err));
}

static void expect_sm(trace_reader *r, unsigned index, unsigned sm, const shown *s, uint64_t cycles)
{
    const trace_sm_info *info = trace_get_sm(r, index);
    trace_err err = {.text = ""};
    uint64_t digest = 0, cycle = 0;
    const sm_obs *obs;

    assert_int_equal(info->sm, sm);
    assert_int_equal(info->cycles, cycles);
    assert_int_equal(info->first_cycle, 0);
    assert_int_equal(info->instructions, s->instructions[sm]);
    assert_true(trace_select_sm(r, sm, &err));
    while ((obs = trace_next(r, &err))) {
        assert_int_equal(trace_cycle(r), cycle++);
        digest = bus_digest(digest, obs, true);
    }
    assert_string_equal(err.text, "");
    assert_int_equal(digest, s->digest[sm]);
}

TEST_BETWEEN(it_holds_what_the_sms_showed, set_up, tear_down)
{
    trace_reader *r;
    run_result result;
    shown s;

    for (unsigned policy = 0; policy < POLICIES; policy++) {
        w->job.request.policy = (uint8_t)policy;
        run_shown(&w->job, &s, &result);
        r = reopen(w->a);
        assert_int_equal(trace_num_sms(r), SMS);
        for (unsigned i = 0; i < SMS; i++)
            expect_sm(r, i, i, &s, result.counts.cycles);
        assert_false(trace_has_class(r));
        trace_close(r);
    }
}

TEST_BETWEEN(only_the_sms_asked_for, set_up, tear_down)
{
    trace_reader *r;
    run_result result;
    shown s;

    w->job.num_record_sms = 2;
    w->job.record_sms[0] = 2;
    w->job.record_sms[1] = 0;
    run_shown(&w->job, &s, &result);
    r = reopen(w->a);
    assert_int_equal(trace_num_sms(r), 2);
    assert_int_equal(trace_get_meta(r)->geometry.sms, SMS);
    expect_sm(r, 0, 0, &s, result.counts.cycles);
    expect_sm(r, 1, 2, &s, result.counts.cycles);
    trace_close(r);
}

TEST_BETWEEN(it_says_what_it_is, set_up, tear_down)
{
    const machine *m = &w->job.request.machine;
    const trace_meta *meta;
    kernel_desc desc;
    trace_reader *r;

    record(&w->job);
    r = reopen(w->a);
    meta = trace_get_meta(r);
    assert_int_equal(meta->geometry.warps, m->warps);
    assert_int_equal(meta->geometry.slots, m->slots);
    assert_int_equal(meta->geometry.issue_width, m->schedulers);
    assert_string_equal(meta->kernel, "some");
    assert_string_equal(meta->config, "fermi, 3 SMs, equalizer, seed 7");
    assert_int_equal(strncmp(meta->recorder, "ballast sim ", 12), 0);
    assert_int_equal(meta->config_limit, 0);
    assert_int_equal(meta->num_launches, 1);
    workload_describe(&w->job.request.workload, m, &desc);
    assert_int_equal(meta->launches[0].limit, desc.nmax);
    assert_int_equal(meta->launches[0].desc.nmax, desc.nmax);
    assert_int_equal(meta->launches[0].desc.grid_ctas, w->job.request.workload.ctas);
    assert_int_equal(meta->launches[0].start_cycle, 0);
    assert_string_equal(meta->launches[0].name, "some");
    trace_close(r);
}

static void expect_limits(uint8_t policy, uint8_t set, unsigned config, unsigned in_force)
{
    trace_reader *r;

    w->job.request.policy = policy;
    w->job.request.static_limit = set;
    w->job.request.max_cycles = 100;
    record(&w->job);
    r = reopen(w->a);
    assert_int_equal(trace_get_meta(r)->config_limit, config);
    assert_int_equal(trace_get_meta(r)->launches[0].limit, in_force);
    trace_close(r);
}

TEST_BETWEEN(its_limit_is_the_one_in_force, set_up, tear_down)
{
    const unsigned nmax = workload_nmax(&w->job.request.workload, &w->job.request.machine);

    expect_limits(POLICY_STATIC, 2, 2, 2);
    expect_limits(POLICY_STATIC, 0, 0, nmax);
    expect_limits(POLICY_STATIC, BALLAST_MAX_SLOTS, BALLAST_MAX_SLOTS, nmax);
    expect_limits(POLICY_PERFSAT, 2, 0, nmax); /* not its limit */
}

/* Where they start is known beforehand only from another pass. */
TEST_BETWEEN(several_launches, set_up, tear_down)
{
    trace_err err = {.text = ""};
    trace_reader *r;
    run_result result;
    shown s;

    w->job.request.workload.launches = 3;
    w->job.request.workload.ctas /= 3;
    run_shown(&w->job, &s, &result);
    assert_int_equal(result.counts.ctas, 3 * w->job.request.workload.ctas);
    r = reopen(w->a);
    assert_int_equal(trace_get_meta(r)->num_launches, 3);
    for (unsigned i = 0; i < SMS; i++)
        expect_sm(r, i, i, &s, result.counts.cycles);
    assert_true(trace_select_sm(r, 1, &err));
    for (unsigned l = 0; l < 3; l++) {
        assert_true(trace_seek_launch(r, l, &err));
        assert_true(trace_next(r, &err)->kernel_start);
        assert_int_equal(trace_cycle(r), trace_get_meta(r)->launches[l].start_cycle);
    }
    trace_close(r);
}

/* Of those that a cut-off run does not reach, nothing is said. */
TEST_BETWEEN(launches_beyond_the_cut, set_up, tear_down)
{
    uint64_t second;
    trace_reader *r;

    w->job.request.workload.launches = 3;
    w->job.request.workload.ctas /= 3;
    record(&w->job);
    r = reopen(w->a);
    second = trace_get_meta(r)->launches[1].start_cycle;
    trace_close(r);
    w->job.request.max_cycles = second;
    record(&w->job);
    r = reopen(w->a);
    assert_int_equal(trace_get_meta(r)->num_launches, 1);
    assert_int_equal(trace_get_sm(r, 0)->cycles, second);
    trace_close(r);
    w->job.request.max_cycles++;
    record(&w->job);
    r = reopen(w->a);
    assert_int_equal(trace_get_meta(r)->num_launches, 2);
    trace_close(r);
}

/* ---- the same bytes --------------------------------------------------------------- */

TEST_BETWEEN(twice_the_same_bytes, set_up, tear_down)
{
    record(&w->job);
    w->job.record = w->b;
    record(&w->job);
    assert_true(same_bytes(w->a, w->b));
    w->job.request.seed++;
    record(&w->job);
    assert_false(same_bytes(w->a, w->b));
}

TEST_BETWEEN(both_sides_the_same_bytes, set_up, tear_down)
{
    for (unsigned launches = 1; launches <= 2; launches++) {
        w->job.request.workload.launches = launches;
        w->job.record = w->a;
        record(&w->job);
        w->job.record = w->b;
        play_rtl_of(&w->job, 0, NULL, &played);
        assert_string_equal(played.err, "");
        assert_true(same_bytes(w->a, w->b));
    }
}

/* ---- replay ----------------------------------------------------------------------- */

static void replay(const stimulus *s, const char *const *names)
{
    const block *blocks[8] = {NULL};
    const session_options options = {.blocks = blocks, .seed = 1};
    session_result result;

    for (unsigned i = 0; names[i]; i++)
        blocks[i] = block_find(names[i]);
    session_run(&options, s, &result);
    assert_string_equal(result.text, "");
    assert_int_equal(result.verdict, SESSION_PASS);
    assert_true(result.cycles > 1000);
    session_result_free(&result);
}

TEST_BETWEEN(it_replays_in_lockstep, set_up, tear_down)
{
    static const char *const blocks[] = {"stall_classifier", "perfsat", "lcs", "sm_governor", "dyncta", NULL};
    trace_reader *r;
    open_loop player;
    stimulus s;

    record(&w->job);
    r = reopen(w->a);
    for (unsigned sm = 0; sm < SMS; sm++) {
        assert_true(open_loop_start(&player, r, sm));
        s = open_loop_stimulus(&player);
        replay(&s, blocks);
    }
    trace_close(r);
}

typedef struct members {
    char path[BALLAST_MAX_SLOTS][PATH];
    const char *paths[BALLAST_MAX_SLOTS];
    double ipc[BALLAST_MAX_SLOTS + 1]; /* of SM 0 */
    unsigned num;
} members;

static void record_members(members *f)
{
    run_result result;
    shown s;

    f->num = workload_nmax(&w->job.request.workload, &w->job.request.machine);
    w->job.request.policy = POLICY_STATIC;
    for (unsigned i = 0; i < f->num; i++) {
        snprintf(f->path[i], PATH, "%s/f.n%u.blt", w->dir, i + 1);
        f->paths[i] = w->job.record = f->path[i];
        w->job.request.static_limit = (uint8_t)(i + 1);
        run_shown(&w->job, &s, &result);
        f->ipc[i + 1] = (double)s.instructions[0] / (double)s.busy;
    }
}

TEST_BETWEEN(runs_at_all_limits_are_a_family, set_up, tear_down)
{
    static const char *const blocks[] = {"stall_classifier", "perfsat", NULL};
    const family_options how = {.max_laps = 4};
    members *f = calloc(1, sizeof *f);
    trace_err err = {.text = ""};
    family *player;
    stimulus s;
    sweep all;

    assert_non_null(f);
    record_members(f);
    assert_true(f->num > 4);
    player = family_open(f->paths, f->num, &how, &err);
    assert_string_equal(err.text, "");
    s = family_stimulus(player);
    replay(&s, blocks);
    assert_true(family_moves(player) > 0);
    family_close(player);
    assert_true(sweep_measure(&all, f->paths, f->num, 0, 0, &err));
    assert_int_equal(all.nmax, f->num);
    assert_memory_equal(all.ipc, f->ipc, sizeof all.ipc);
    assert_true(all.ipc[1] < all.ipc[4]); /* not all the same */
    free(f);
}

/* ---- refusals --------------------------------------------------------------------- */

static unsigned files_in(void)
{
    static const char *const names[] = {"a.blt", "a.blt.tmp", "b.blt", "b.blt.tmp"};
    unsigned n = 0;

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[PATH + 8];

        snprintf(path, sizeof path, "%s/%s", w->dir, names[i]);
        n += access(path, F_OK) == 0;
    }
    return n;
}

static void expect_failure(const char *word)
{
    char err[LOOP_ERR];
    run_result result;

    assert_false(loop_run_models(&w->job, NULL, &result, err));
    assert_non_null(strstr(err, word));
    assert_null(strchr(err, '\n'));
    assert_int_equal(files_in(), 0);
}

TEST_BETWEEN(sms_that_cannot_be_recorded, set_up, tear_down)
{
    w->job.num_record_sms = 1;
    w->job.record_sms[0] = SMS;
    expect_failure("no SM 3 to record");
    w->job.num_record_sms = 3;
    w->job.record_sms[0] = w->job.record_sms[2] = 1;
    expect_failure("SM 1 is to be recorded twice");
    w->job.num_record_sms = MACHINE_MAX_SMS + 1;
    expect_failure("257 SMs to record");
}

TEST_BETWEEN(a_place_where_nothing_can_be_written, set_up, tear_down)
{
    char path[PATH + 20];

    snprintf(path, sizeof path, "%s/none/x.blt", w->dir);
    w->job.record = path;
    expect_failure(path);
}

TEST_BETWEEN(ctrl_c_leaves_no_file, set_up, tear_down)
{
    interrupted = 1;
    expect_failure("");
    w->job.request.workload.launches = 2; /* in the pass beforehand */
    expect_failure("");
    interrupted = 0;
}

TEST_BETWEEN(a_run_that_fails_leaves_no_file, set_up, tear_down)
{
    play_models_of(&w->job, 3000, &played);
    assert_false(played.ok);
    assert_int_equal(files_in(), 0);
    play_rtl_of(&w->job, 3000, NULL, &played);
    assert_false(played.ok);
    assert_int_equal(files_in(), 0);
}

TEST_BETWEEN(a_mismatch_leaves_no_file, set_up, tear_down)
{
    session_options options = {.seed = 1, .num_faults = 1};
    fault f;

    assert_true(fault_parse(&f, "rtl:ballast_chip_top.sm[1].throttle.num_blocks_q[0]@2000"));
    options.faults = &f;
    play_rtl_of(&w->job, 0, &options, &played);
    assert_int_equal(played.session.verdict, SESSION_MISMATCH);
    assert_int_equal(files_in(), 0);
}

/* What stands there already stays until the new one is whole. */
TEST_BETWEEN(an_older_file_survives_a_failure, set_up, tear_down)
{
    record(&w->job);
    w->job.record = w->b;
    record(&w->job);
    play_models_of(&w->job, 3000, &played);
    assert_false(played.ok);
    assert_true(same_bytes(w->a, w->b));
}

/* A bus that contradicts the launches is found by the writer; the run ends there with its words. */
TEST_BETWEEN(what_the_writer_refuses_ends_the_run, set_up, tear_down)
{
    static launch_starts wrong = {.num = 2, .at = {0, 500}};
    trace_err err = {.text = ""};
    loop_run run;
    char text[LOOP_ERR];
    run_result result;
    sim_record *record;

    w->job.record = NULL;
    assert_true(loop_run_open(&run, &w->job, text));
    record = sim_record_open(w->a, &w->job.request, &wrong, NULL, 0, &err);
    assert_non_null(record);
    closed_loop_tap(&run.loop, sim_record_tap(record));
    assert_false(closed_loop_models(&run.loop, run.models, NULL));
    assert_non_null(strstr(run.loop.err, "cycle 500"));
    assert_int_equal(run.loop.cycles, 501);
    assert_false(sim_record_close(record, &err));
    assert_non_null(strstr(err.text, "cycle 500"));
    assert_true(loop_run_close(&run, false, &result, text));
    assert_int_equal(files_in(), 0);
}
