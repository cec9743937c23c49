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

/* Of the test that runs. */
static char dir[400], file_a[PATH], file_b[PATH];
static loop_job job; /* records to a */
static loop_result played;
static trace_reader *r;

static int set_up(void **state)
{
    scratch_make(dir, sizeof dir);
    snprintf(file_a, PATH, "%s/a.blt", dir);
    snprintf(file_b, PATH, "%s/b.blt", dir);
    job = job_of("chip_governor_top");
    assert_int_equal(job.request.machine.sms, SMS);
    job.request.policy = BALLAST_POLICY_EQUALIZER;
    job.record = file_a;
    (void)state;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trace_close(r);
    r = NULL;
    return scratch_remove(dir);
}

#define RECORD_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void record_to(const char *path)
{
    run_result result;
    char err[LOOP_ERR];

    job.record = path;
    assert_true(loop_run_models(&job, NULL, &result, err));
    assert_string_equal(err, "");
}

static bool same_bytes(void)
{
    size_t na, nb;
    uint8_t *pa = fixture_slurp(file_a, &na), *pb = fixture_slurp(file_b, &nb);
    const bool same = na > 0 && na == nb && !memcmp(pa, pb, na);

    free(pa);
    free(pb);
    return same;
}

static void reopen(void)
{
    trace_err err = {.text = ""};

    trace_close(r);
    r = trace_open(file_a, NULL, &err);
    assert_string_equal(err.text, "");
    assert_non_null(r);
}

/* ---- what it holds ---------------------------------------------------------------- */

/* What each SM showed. */
typedef struct shown {
    uint64_t digest[SMS], instructions[SMS];
    uint64_t busy; /* cycles up to the last in which SM 0 held a CTA */
} shown;

static shown s; /* in the last run, ...  */
static run_result result; /* ... and its result */

static const char *show_cycle(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    (void)self;
    (void)out;
    for (unsigned i = 0; i < SMS; i++) {
        s.digest[i] = bus_digest(s.digest[i], obs[i], true);
        s.instructions[i] += (unsigned)__builtin_popcountll(sm_obs_issued(obs[i]));
    }
    if (obs[0]->cta_active)
        s.busy = cycle + 1;
    return NULL;
}

static void run_shown(void)
{
    char err[LOOP_ERR];
    loop_run run;

    memset(&s, 0, sizeof s);
    assert_true(loop_run_open(&run, &job, err));
    closed_loop_tap(&run.loop, (loop_tap){NULL, show_cycle});
    assert_true(closed_loop_models(&run.loop, run.models, NULL));
    assert_true(loop_run_close(&run, true, &result, err));
}

static void expect_sm(unsigned index, unsigned sm)
{
    const trace_sm_info *info = trace_get_sm(r, index);
    trace_err err = {.text = ""};
    uint64_t digest = 0, cycle = 0;
    const sm_obs *obs;

    assert_int_equal(info->sm, sm);
    assert_int_equal(info->cycles, result.counts.cycles);
    assert_int_equal(info->first_cycle, 0);
    assert_int_equal(info->instructions, s.instructions[sm]);
    assert_true(trace_select_sm(r, sm, &err));
    while ((obs = trace_next(r, &err))) {
        assert_int_equal(trace_cycle(r), cycle++);
        digest = bus_digest(digest, obs, true);
    }
    assert_string_equal(err.text, "");
    assert_int_equal(digest, s.digest[sm]);
}

RECORD_TEST(it_holds_what_the_sms_showed)
{
    for (unsigned policy = 0; policy < BALLAST_POLICIES; policy++) {
        job.request.policy = (uint8_t)policy;
        run_shown();
        reopen();
        assert_int_equal(trace_num_sms(r), SMS);
        for (unsigned i = 0; i < SMS; i++)
            expect_sm(i, i);
        assert_false(trace_has_class(r));
    }
}

RECORD_TEST(only_the_sms_asked_for)
{
    job.num_record_sms = 2;
    job.record_sms[0] = 2;
    job.record_sms[1] = 0;
    run_shown();
    reopen();
    assert_int_equal(trace_num_sms(r), 2);
    assert_int_equal(trace_get_meta(r)->geometry.sms, SMS);
    expect_sm(0, 0);
    expect_sm(1, 2);
}

RECORD_TEST(it_says_what_it_is)
{
    const machine *m = &job.request.machine;
    const trace_meta *meta;
    ballast_kernel_desc desc;

    record_to(file_a);
    reopen();
    meta = trace_get_meta(r);
    assert_int_equal(meta->geometry.warps, m->warps);
    assert_int_equal(meta->geometry.slots, m->slots);
    assert_int_equal(meta->geometry.issue_width, m->schedulers);
    assert_string_equal(meta->kernel, "some");
    assert_string_equal(meta->config, "fermi, 3 SMs, equalizer, seed 7");
    assert_int_equal(strncmp(meta->recorder, "ballast sim ", 12), 0);
    assert_int_equal(meta->config_limit, 0);
    assert_int_equal(meta->num_launches, 1);
    workload_describe(&job.request.workload, m, &desc);
    assert_int_equal(meta->launches[0].limit, desc.nmax);
    assert_int_equal(meta->launches[0].desc.nmax, desc.nmax);
    assert_int_equal(meta->launches[0].desc.grid_ctas, job.request.workload.ctas);
    assert_int_equal(meta->launches[0].start_cycle, 0);
    assert_string_equal(meta->launches[0].name, "some");
}

static void expect_limits(uint8_t policy, uint8_t set, unsigned config, unsigned in_force)
{
    job.request.policy = policy;
    job.request.static_limit = set;
    job.request.max_cycles = 100;
    record_to(file_a);
    reopen();
    assert_int_equal(trace_get_meta(r)->config_limit, config);
    assert_int_equal(trace_get_meta(r)->launches[0].limit, in_force);
}

RECORD_TEST(its_limit_is_the_one_in_force)
{
    const unsigned nmax = workload_nmax(&job.request.workload, &job.request.machine);

    expect_limits(BALLAST_POLICY_STATIC, 2, 2, 2);
    expect_limits(BALLAST_POLICY_STATIC, 0, 0, nmax);
    expect_limits(BALLAST_POLICY_STATIC, BALLAST_MAX_SLOTS, BALLAST_MAX_SLOTS, nmax);
    expect_limits(BALLAST_POLICY_PERFSAT, 2, 0, nmax); /* not its limit */
}

/* Where they start is known beforehand only from another pass. */
RECORD_TEST(several_launches)
{
    trace_err err = {.text = ""};

    job.request.workload.launches = 3;
    job.request.workload.ctas /= 3;
    run_shown();
    assert_int_equal(result.counts.ctas, 3 * job.request.workload.ctas);
    reopen();
    assert_int_equal(trace_get_meta(r)->num_launches, 3);
    for (unsigned i = 0; i < SMS; i++)
        expect_sm(i, i);
    assert_true(trace_select_sm(r, 1, &err));
    for (unsigned l = 0; l < 3; l++) {
        assert_true(trace_seek_launch(r, l, &err));
        assert_true(trace_next(r, &err)->kernel_start);
        assert_int_equal(trace_cycle(r), trace_get_meta(r)->launches[l].start_cycle);
    }
}

/* Of those that a cut-off run does not reach, nothing is said. */
RECORD_TEST(launches_beyond_the_cut)
{
    uint64_t second;

    job.request.workload.launches = 3;
    job.request.workload.ctas /= 3;
    record_to(file_a);
    reopen();
    second = trace_get_meta(r)->launches[1].start_cycle;
    job.request.max_cycles = second;
    record_to(file_a);
    reopen();
    assert_int_equal(trace_get_meta(r)->num_launches, 1);
    assert_int_equal(trace_get_sm(r, 0)->cycles, second);
    job.request.max_cycles++;
    record_to(file_a);
    reopen();
    assert_int_equal(trace_get_meta(r)->num_launches, 2);
}

/* ---- the same bytes --------------------------------------------------------------- */

RECORD_TEST(twice_the_same_bytes)
{
    record_to(file_a);
    record_to(file_b);
    assert_true(same_bytes());
    job.request.seed++;
    record_to(file_a);
    assert_false(same_bytes());
}

RECORD_TEST(both_sides_the_same_bytes)
{
    for (unsigned launches = 1; launches <= 2; launches++) {
        job.request.workload.launches = launches;
        record_to(file_a);
        job.record = file_b;
        play_rtl_of(&job, 0, NULL, &played);
        assert_string_equal(played.err, "");
        assert_true(same_bytes());
    }
}

/* ---- replay ----------------------------------------------------------------------- */

static void replay(const stimulus *source, const char *const *names)
{
    const block *blocks[8] = {NULL};
    const session_options options = {.blocks = blocks, .seed = 1};
    session_result replayed;

    for (unsigned i = 0; names[i]; i++)
        blocks[i] = block_find(names[i]);
    session_run(&options, source, &replayed);
    assert_string_equal(replayed.text, "");
    assert_int_equal(replayed.verdict, SESSION_PASS);
    assert_true(replayed.cycles > 1000);
    session_result_free(&replayed);
}

RECORD_TEST(it_replays_in_lockstep)
{
    static const char *const blocks[] = {"stall_classifier", "perfsat", "lcs", "sm_governor", "dyncta", NULL};
    open_loop player;
    stimulus source;

    record_to(file_a);
    reopen();
    for (unsigned sm = 0; sm < SMS; sm++) {
        assert_true(open_loop_start(&player, r, sm));
        source = open_loop_stimulus(&player);
        replay(&source, blocks);
    }
}

typedef struct members {
    char path[BALLAST_MAX_SLOTS][PATH];
    const char *paths[BALLAST_MAX_SLOTS];
    double ipc[BALLAST_MAX_SLOTS + 1]; /* of SM 0 */
    unsigned num;
} members;

static void record_members(members *f)
{
    f->num = workload_nmax(&job.request.workload, &job.request.machine);
    job.request.policy = BALLAST_POLICY_STATIC;
    for (unsigned i = 0; i < f->num; i++) {
        snprintf(f->path[i], PATH, "%s/f.n%u.blt", dir, i + 1);
        f->paths[i] = job.record = f->path[i];
        job.request.static_limit = (uint8_t)(i + 1);
        run_shown();
        f->ipc[i + 1] = (double)s.instructions[0] / (double)s.busy;
    }
}

RECORD_TEST(runs_at_all_limits_are_a_family)
{
    static const char *const blocks[] = {"stall_classifier", "perfsat", NULL};
    const family_options how = {.max_laps = 4};
    members *f = calloc(1, sizeof *f);
    trace_err err = {.text = ""};
    family *player;
    stimulus source;
    sweep all;

    assert_non_null(f);
    record_members(f);
    assert_true(f->num > 4);
    player = family_open(f->paths, f->num, &how, &err);
    assert_string_equal(err.text, "");
    source = family_stimulus(player);
    replay(&source, blocks);
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

        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        n += access(path, F_OK) == 0;
    }
    return n;
}

static void expect_failure(const char *word)
{
    char err[LOOP_ERR];

    assert_false(loop_run_models(&job, NULL, &result, err));
    assert_non_null(strstr(err, word));
    assert_null(strchr(err, '\n'));
    assert_int_equal(files_in(), 0);
}

RECORD_TEST(sms_that_cannot_be_recorded)
{
    job.num_record_sms = 1;
    job.record_sms[0] = SMS;
    expect_failure("no SM 3 to record");
    job.num_record_sms = 3;
    job.record_sms[0] = job.record_sms[2] = 1;
    expect_failure("SM 1 is to be recorded twice");
    job.num_record_sms = MACHINE_MAX_SMS + 1;
    expect_failure("257 SMs to record");
}

RECORD_TEST(a_place_where_nothing_can_be_written)
{
    char path[PATH + 20];

    snprintf(path, sizeof path, "%s/none/x.blt", dir);
    job.record = path;
    expect_failure(path);
}

RECORD_TEST(ctrl_c_leaves_no_file)
{
    interrupted = 1;
    expect_failure("");
    job.request.workload.launches = 2; /* in the pass beforehand */
    expect_failure("");
    interrupted = 0;
}

RECORD_TEST(a_run_that_fails_leaves_no_file)
{
    play_models_of(&job, 3000, &played);
    assert_false(played.ok);
    assert_int_equal(files_in(), 0);
    play_rtl_of(&job, 3000, NULL, &played);
    assert_false(played.ok);
    assert_int_equal(files_in(), 0);
}

RECORD_TEST(a_mismatch_leaves_no_file)
{
    session_options options = {.seed = 1, .num_faults = 1};
    fault f;

    assert_true(fault_parse(&f, "rtl:chip_governor_top.sm[1].throttle.num_blocks_q[0]@2000"));
    options.faults = &f;
    play_rtl_of(&job, 0, &options, &played);
    assert_int_equal(played.session.verdict, SESSION_MISMATCH);
    assert_int_equal(files_in(), 0);
}

/* What stands there already stays until the new one is whole. */
RECORD_TEST(an_older_file_survives_a_failure)
{
    record_to(file_a);
    record_to(file_b);
    play_models_of(&job, 3000, &played);
    assert_false(played.ok);
    assert_true(same_bytes());
}

/* A bus that contradicts the launches is found by the writer; the run ends there with its words. */
RECORD_TEST(what_the_writer_refuses_ends_the_run)
{
    static launch_starts wrong = {.num = 2, .at = {0, 500}};
    trace_err err = {.text = ""};
    loop_run run;
    char text[LOOP_ERR];
    sim_record *record;

    job.record = NULL;
    assert_true(loop_run_open(&run, &job, text));
    record = sim_record_open(file_a, &job.request, &wrong, NULL, 0, &err);
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
