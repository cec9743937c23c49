/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_replays.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "gpu/parallel.h"
#include "replay/interrupt.h"

/* Of a family, in this order. */
enum { PERFSAT, MEASURE, FIRST_POLICY, PIECES = FIRST_POLICY + POLICIES_REPLAYS };

/* ---- one replay, in its process --------------------------------------------------------- */

static int play_recording(const run_replays *r, unsigned index, table *t)
{
    replay_options replay = *r->plan->replay;
    const char *paths[MANIFEST_MAX];
    char name[128];

    replay.print_log = false;
    for (unsigned i = 0; i <= index; i++)
        paths[i] = r->plan->manifest->entries[i].path;
    own_name(name, sizeof name, paths, index);
    return replay_recording(&replay, paths[index], name, false, t);
}

/* With its decisions, a waveform and views of that. */
static int play_perfsat(const run_replays *r, unsigned number, table *t)
{
    const kernel_family *f = &r->families[number].family;
    const family_options how = {.launch = f->launch, .max_laps = r->plan->max_laps};
    replay_options replay = *r->plan->replay;
    session_result result;
    int status;

    replay_options_perfsat(&replay);
    replay.wave = replay.print_log = true;
    status = replay_family(&replay, f->paths, f->num_paths, &how, f->name, t, &result);
    r->changes[number] = session_limit_track(&result)->num_points;
    if (status == EXIT_PASS && !show_family(r->plan->views, &replay, f, &result))
        status = EXIT_BAD_INPUT;
    session_result_free(&result);
    return status;
}

static int play_policy(const run_replays *r, unsigned number, unsigned which, table *t, side_answer *answer)
{
    policies_kernel *kernel = &r->kernels[number];
    const int status = policies_replay(kernel, which, r->plan->replay, &r->families[number].family, r->plan->max_laps, t);

    side_keep(answer, policies_result(kernel, which));
    return status;
}

static int play(void *user, unsigned index, table *t, side_answer *answer)
{
    const run_replays *r = user;
    const unsigned recordings = r->plan->manifest->num;
    const unsigned number = (index - recordings) / PIECES, piece = (index - recordings) % PIECES;

    if (index < recordings)
        return play_recording(r, index, t);
    if (piece == PERFSAT)
        return play_perfsat(r, number, t);
    if (piece == MEASURE)
        return policies_measure(&r->kernels[number], r->plan->replay, &r->families[number].family, t);
    return play_policy(r, number, piece - FIRST_POLICY, t, answer);
}

/* ---- all -------------------------------------------------------------------------------- */

static bool add_family(void *user, const kernel_family *f)
{
    run_replays *r = user;
    run_family *more = realloc(r->families, (r->num + 1) * sizeof *more);

    if (!more)
        return false;
    r->families = more;
    more[r->num].family = *f;
    memcpy(more[r->num++].paths, f->paths, f->num_paths * sizeof *f->paths);
    return true;
}

static bool open_families(run_replays *r, int *status)
{
    const unsigned recordings = r->plan->manifest->num;

    *status = worse(*status, families_each(r->plan->manifest, add_family, r));
    for (unsigned f = 0; f < r->num; f++)
        r->families[f].family.paths = r->families[f].paths;
    r->kernels = parallel_shared((r->num + 1) * sizeof *r->kernels);
    r->changes = parallel_shared((r->num + 1) * sizeof *r->changes);
    if (!r->kernels || !r->changes)
        return complain("out of memory"), false;
    return side_open(&r->side, recordings + PIECES * r->num, r->plan->jobs, r->plan->replay->out);
}

int run_replays_play(run_replays *r, const run_plan *plan, table *t)
{
    int status = EXIT_PASS;

    *r = (run_replays){.plan = plan};
    if (!open_families(r, &status))
        return EXIT_BAD_INPUT;
    status = worse(status, side_play(&r->side, play, r, t));
    for (unsigned f = 0; f < r->num && status != EXIT_STOPPED; f++) {
        policies_regret(&r->kernels[f]);
        status = worse(status, policies_predict(&r->kernels[f], plan->model));
    }
    return status;
}

void run_replays_close(run_replays *r)
{
    side_close(&r->side);
    parallel_unshare(r->kernels, (r->num + 1) * sizeof *r->kernels);
    parallel_unshare(r->changes, (r->num + 1) * sizeof *r->changes);
    free(r->families);
}

/* ---- what shows the blocks ---------------------------------------------------------------- */

typedef struct showing {
    const run_replays *r;
    show show;
} showing;

static int show_one(void *user, unsigned index, table *t, side_answer *answer)
{
    const showing *s = user;

    (void)answer;
    return show_block(&s->show, s->r->plan->replay, index, t);
}

bool run_replays_show(const run_replays *r, int *status)
{
    showing s = {.r = r, .show = {.views = r->plan->views}};
    table quiet = {.silent = true};
    side_by_side side;

    for (unsigned f = 0; f < r->num; f++) {
        const session_track *equalizers = session_limit_track(&r->kernels[f].policy[BALLAST_POLICY_EQUALIZER].result);

        show_remember(&s.show.perfsat, &r->families[f].family, r->changes[f]);
        show_remember(&s.show.others, &r->families[f].family, equalizers->num_points);
    }
    if (!r->num)
        return true;
    if (side_open(&side, show_num_blocks(), r->plan->jobs, r->plan->replay->out))
        *status = worse(*status, side_play(&side, show_one, &s, &quiet));
    else
        *status = EXIT_BAD_INPUT;
    side_close(&side);
    return !quiet.unwritten;
}
