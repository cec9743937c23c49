/* SPDX-License-Identifier: Apache-2.0
 *
 * A family that is decoded once and played in spans, against the player that goes from cycle to cycle in the files with the same models: recorded
 * families under every policy, and launches of random recordings, decoded as a whole and read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/trace_fixture.h"
#include "replay/breakdown.h"
#include "replay/decision_log.h"
#include "policy/models_family.h"
#include "replay/oracle.h"

enum { MEMBERS = 8, PATH = 100 };

static trace_err err;

static void must(bool done)
{
    if (!done)
        fail_msg("%s", err.text);
}

/* ---- recorded families ---------------------------------------------------------------------- */

typedef struct recorded {
    const char *name;
    unsigned launch, sm;
    enum family_progress progress;
    enum family_restart restart;
    unsigned max_laps;
    uint64_t max_cycles;
} recorded;

static const recorded all[] = {
    {"hotspot", 0, 0, FAMILY_INSTRUCTIONS, FAMILY_CONTINUE, 3, 60000},
    {"hotspot", 0, 1, FAMILY_CTAS, FAMILY_NEW_LAUNCH, 2, 0},
    {"srad", 1, 0, FAMILY_INSTRUCTIONS, FAMILY_NEW_LAUNCH, 2, 50000},
    {"bfs", 11, 0, FAMILY_CTAS, FAMILY_CONTINUE, 3, 40000},
    {"bfs", 0, 1, FAMILY_INSTRUCTIONS, FAMILY_CONTINUE, 40, 40000},
    {"chase", 0, 0, FAMILY_INSTRUCTIONS, FAMILY_CONTINUE, 64, 60000},
    {"invmap", 0, 1, FAMILY_INSTRUCTIONS, FAMILY_CONTINUE, 4, 40000},
    {"fma", 0, 0, FAMILY_CTAS, FAMILY_CONTINUE, 64, 40000},
};

static struct files {
    char path[MEMBERS][PATH];
    const char *paths[MEMBERS];
    unsigned num;
} files;

static void find_files(const char *name)
{
    files.num = 0;
    for (unsigned n = 1; n <= MEMBERS; n++) {
        snprintf(files.path[files.num], PATH, "vectors/%s.n%u.blt", name, n);
        files.paths[files.num] = files.path[files.num];
        files.num += fixture_exists(files.path[files.num]);
    }
}

static family *open_family(const recorded *how, pace *p)
{
    const family_options options = {.sm = how->sm, .launch = how->launch, .progress = how->progress, .restart = how->restart,
                                    .max_laps = how->max_laps, .pace = p};
    family *f;

    find_files(how->name);
    f = family_open(files.paths, files.num, &options, &err);
    must(f);
    return f;
}

/* ---- the model in every cycle of the files ---------------------------------------------------- */

typedef struct stepped {
    session_result result;
    models_told told;
    pace pace;
} stepped;

static void follow(session_track *t, uint64_t cycle, unsigned value)
{
    const unsigned n = t->num_points;

    if (n == 0 ? value != 0 : value != t->points[n - 1].value)
        t->points[t->num_points++] = (session_point){cycle, value};
}

static void step_through(const recorded *how, const models_play *play, stepped *s)
{
    const block_model *model = play->block->model;
    family *f = open_family(how, &s->pace);
    const stimulus cycles = family_stimulus(f);
    lockstep *ls = calloc(1, sizeof *ls);
    const block *const blocks[] = {play->block, NULL};
    decisions taken = {.num = 0};
    lockstep_instance *inst;
    const sm_obs *const *obs;
    unsigned count = 0;
    decision_log log = {.lines = 0};

    memset(s, 0, sizeof *s);
    assert_true(lockstep_open(ls, blocks, how->sm, 1, err.text, sizeof err.text) && decision_log_open(&log, 1, how->sm));
    for (unsigned i = 0; i < play->num_settings; i++)
        assert_true(lockstep_set(ls, play->settings[i], err.text, sizeof err.text));
    assert_true(cycles.rewind(cycles.self) && lockstep_reset(ls));
    for (unsigned t = 0; t < 2; t++)
        s->result.tracks[s->result.num_tracks++].points = calloc(SESSION_MAX_POINTS, sizeof(session_point));
    inst = &ls->instances[0];
    while ((!play->max_cycles || ls->index < play->max_cycles) && (obs = lockstep_next(ls, &cycles))) {
        lockstep_values before;

        memcpy(&before, inst->state, inst->sizes.state);
        if (model->cycle(&before, inst->state, &inst->cfg, obs, inst->needs, inst->in, inst->out)) {
            decisions_clear(&taken);
            model->describe(&taken, &count, &inst->cfg, &before, inst->in, inst->out, inst->state);
            if (taken.num)
                decision_log_add(&log, SIDE_MODEL, play->block->name, cycles.cycle(cycles.self), &taken);
        }
        ls->index++;
        follow(&s->result.tracks[0], ls->index, ((uint8_t *)inst->out)[model->limit_offset]);
        follow(&s->result.tracks[1], ls->index, ((uint8_t *)inst->out)[model->done_offset]);
    }
    assert_string_equal(cycles.error(cycles.self), "");
    s->result.cycles = ls->index;
    s->result.limit = ((uint8_t *)inst->out)[model->limit_offset];
    s->result.converged = ((uint8_t *)inst->out)[model->done_offset];
    s->result.decisions = log.lines;
    s->result.log = decision_log_take(&log);
    s->told.laps = family_laps(f);
    s->told.moves = family_moves(f);
    memcpy(&s->told.state, inst->state, inst->sizes.state);
    decision_log_close(&log);
    decisions_free(&taken);
    lockstep_close(ls);
    free(ls);
    family_close(f);
}

/* ---- both of them ----------------------------------------------------------------------------- */

static void assert_same_registers(const block *b, const lockstep_values *is, const lockstep_values *should)
{
    port_list ports = {.num = 0};
    lockstep_values cfg;
    char bad[64];

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    b->model->list_ports(&cfg, &ports);
    for (unsigned p = 0; p < ports.num; p++)
        if (ports.ports[p].kind == PORT_REG && block_port_get(&ports.ports[p], is) != block_port_get(&ports.ports[p], should))
            fail_msg("%s differs at the end", ports.ports[p].name);
    port_list_free(&ports);
}

static void assert_same(const models_play *how, const stepped *is, const stepped *should)
{
    assert_string_equal(is->result.text, "");
    assert_int_equal(is->result.cycles, should->result.cycles);
    assert_int_equal(is->result.limit, should->result.limit);
    assert_int_equal(is->result.converged, should->result.converged);
    assert_string_equal(is->result.log, should->result.log);
    assert_int_equal(is->result.decisions, should->result.decisions);
    for (unsigned t = 0; t < 2; t++) {
        const session_track *a = &is->result.tracks[t], *b = &should->result.tracks[t];

        assert_int_equal(a->num_points, b->num_points);
        for (unsigned i = 0; i < a->num_points; i++)
            assert_true(a->points[i].cycle == b->points[i].cycle && a->points[i].value == b->points[i].value);
    }
    assert_int_equal(is->told.laps, should->told.laps);
    assert_int_equal(is->told.moves, should->told.moves);
    assert_same_registers(how->block, &is->told.state, &should->told.state);
    assert_memory_equal(&is->pace, &should->pace, sizeof is->pace);
}

static void free_both(stepped *a, stepped *b)
{
    session_result_free(&a->result);
    session_result_free(&b->result);
}

/* The registers are all there: what is stepped does not come to less than a tenth of the cycles by chance. Equalizer steps all cycles of a
 * sample, an eighth of them. */
static void play_both(const recorded *how, const models_family *m, const char *name, const char *const *settings, unsigned num)
{
    static stepped is, each, should;
    const unsigned part = num && strstr(settings[0], "equalizer") ? 6 : 10;
    models_play play = {.block = block_find(name), .settings = settings, .num_settings = num, .max_cycles = how->max_cycles,
                        .pace = &is.pace, .log = true};

    print_message("%s launch %u SM %u: %s %s\n", how->name, how->launch + 1, how->sm, name, num ? settings[0] : "");
    step_through(how, &play, &should);
    memset(&is, 0, sizeof is);
    models_family_play(m, &play, &is.result, &is.told);
    assert_same(&play, &is, &should);
    assert_true(is.told.steps < is.result.cycles / part);
    play.each = true;
    play.pace = &each.pace;
    memset(&each, 0, sizeof each);
    models_family_play(m, &play, &each.result, &each.told);
    assert_same(&play, &each, &should);
    assert_int_equal(each.told.steps, each.result.cycles);
    session_result_free(&each.result);
    free_both(&is, &should);
}

TEST(every_policy_does_the_same_on_recorded_families)
{
    static const char *const settings[][2] = {
        {"sm_governor.policy=static", "sm_governor.static_limit=2"}, {"sm_governor.policy=perfsat"}, {"sm_governor.policy=lcs"},
        {"sm_governor.policy=equalizer"}, {"sm_governor.policy=dyncta", "sm_governor.t_mem_h=700"}, {"sm_governor.policy=scout", "sm_governor.scout_limit=1"}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        family *f = open_family(&all[i], NULL);
        models_family *m = models_family_open(f, &err);

        must(m);
        for (unsigned p = 0; p < BALLAST_POLICIES; p++)
            play_both(&all[i], m, "sm_governor", settings[p], settings[p][1] ? 2 : 1);
        play_both(&all[i], m, "scout", NULL, 0);
        models_family_close(m);
        family_close(f);
    }
}

/* ---- what an exhaustive search finds ------------------------------------------------------------ */

TEST(an_exhaustive_search_finds_the_same)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        static replay_oracle is, should;
        family *f = open_family(&all[i], NULL);
        models_family *m = models_family_open(f, &err);
        breakdown b, of;

        must(m);
        must(breakdown_measure(&b, files.paths, files.num, all[i].sm, all[i].launch, &err));
        must(replay_oracle_measure(&should, &b, files.paths, files.num, all[i].sm, all[i].launch, &err));
        breakdown_of(&of, models_family_members(m), family_launch(f)->desc.nmax);
        replay_oracle_of(&is, &of, models_family_members(m));
        assert_memory_equal(&of, &b, sizeof b);
        assert_memory_equal(&is, &should, sizeof is);
        assert_true(is.reached[is.nmax] == PACE_SEGMENTS);
        models_family_close(m);
        family_close(f);
    }
}

/* ---- mistakes ------------------------------------------------------------------------------------ */

TEST(what_cannot_be_set_is_said)
{
    static const struct {
        const char *setting, *says;
    } wrong[] = {{"policy", "is not a setting"}, {"perfsat.enable=1", "no block perfsat"}, {"sm_governor.warp=1", "no such setting"},
                 {"sm_governor.policy=best", "is no number"}};
    family *f = open_family(&all[0], NULL);
    models_family *m = models_family_open(f, &err);

    must(m);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const models_play play = {.block = block_find("sm_governor"), .settings = &wrong[i].setting, .num_settings = 1};
        session_result result;

        models_family_play(m, &play, &result, NULL);
        assert_int_equal(result.verdict, SESSION_BAD_INPUT);
        assert_non_null(strstr(result.text, wrong[i].says));
        assert_null(strchr(result.text, '\n'));
        session_result_free(&result);
    }
    models_family_close(m);
    family_close(f);
}
