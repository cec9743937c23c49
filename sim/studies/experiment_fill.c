/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/experiment_fill.h"

#include <string.h>

#include "studies/experiment_papers.h"

enum { FILL_SMS = 14, FILL_CTAS = 84, FILL_CYCLES = 1000 };

/* The rows of Fig. 3: CTAs with numbers in a row, on SMs with numbers in a row. */
static const struct {
    uint8_t cta, sm, num;
} printed[] = {{0, 0, 8},  {8, 0, 14},  {22, 0, 14}, {39, 0, 8},  {36, 8, 3}, {47, 11, 3},
               {50, 8, 6}, {56, 0, 14}, {70, 0, 14}};

typedef struct fill {
    uint8_t sm_of[FILL_CTAS];
    unsigned launched;
} fill;

static void read_printed(fill *f)
{
    f->launched = FILL_CTAS;
    for (unsigned row = 0; row < sizeof printed / sizeof printed[0]; row++)
        for (unsigned n = 0; n < printed[row].num; n++)
            f->sm_of[printed[row].cta + n] = (uint8_t)(printed[row].sm + n);
}

/* CTAs are launched in the order of their numbers, one in a cycle. */
static void note_launches(fill *f, const sm_obs *const *obs)
{
    for (unsigned sm = 0; sm < FILL_SMS; sm++)
        if (obs[sm]->cta_start && f->launched < FILL_CTAS)
            f->sm_of[f->launched++] = (uint8_t)sm;
}

/* False if there are no 84 launches: the kernel is not one that fills 14 SMs six deep. */
static bool simulate(const experiment *e, const workload *w, fill *f)
{
    static sim_control control;
    machine m;
    char err[256];
    chip_sim *sim = NULL;
    const sm_obs *const *obs;

    f->launched = 0;
    for (unsigned i = 0; i < FILL_SMS; i++)
        control.sm[i].req = true;
    control.sm_level = control.mem_level = BALLAST_VF_NORMAL;
    if (machine_slice(machine_find(e->paper->machine), FILL_SMS, &m, err, sizeof err))
        sim = sim_open(&m, w, 1, err, sizeof err);
    for (unsigned c = 0; sim && c < FILL_CYCLES && (obs = sim_step(sim, &control)); c++)
        note_launches(f, obs);
    sim_close(sim);
    return f->launched == FILL_CTAS;
}

/* Numbers of a spread over the SMs: fewest and most CTAs of an SM; CTAs that went to the SM after that of the CTA before. */
typedef struct spread {
    unsigned least, most, in_turn;
} spread;

static spread spread_of(const fill *f)
{
    spread s = {.least = FILL_CTAS};

    for (unsigned sm = 0; sm < FILL_SMS; sm++) {
        unsigned ctas = 0;

        for (unsigned cta = 0; cta < FILL_CTAS; cta++)
            ctas += f->sm_of[cta] == sm;
        s.least = ctas < s.least ? ctas : s.least;
        s.most = ctas > s.most ? ctas : s.most;
    }
    for (unsigned cta = 1; cta < FILL_CTAS; cta++)
        s.in_turn += f->sm_of[cta] == (f->sm_of[cta - 1] + 1) % FILL_SMS;
    return s;
}

static void row(experiment_grid *g, const char *what, unsigned paper, unsigned measured)
{
    grid_row(g);
    grid_cell(g, "%s", what);
    grid_cell(g, "%u", paper);
    grid_cell(g, "%u", measured);
    grid_cell(g, "1");
}

void report_fill(const experiment *e, experiment_report *report)
{
    for (unsigned i = 0; i < e->num; i++) {
        const workload *w = &e->studies[i].workload;
        fill ours, theirs;
        spread o, t;
        experiment_grid *g;

        if (strcmp(w->name, "VADD") != 0 || !simulate(e, w, &ours))
            continue;
        read_printed(&theirs);
        o = spread_of(&ours);
        t = spread_of(&theirs);
        g = summary_grid(report, "LCS, Fig. 3, the first 84 CTAs of VADD on 14 SMs: the paper's numbers");
        row(g, "CTAs of an SM, fewest", t.least, o.least);
        row(g, "CTAs of an SM, most", t.most, o.most);
        row(g, "CTAs on the SM after that of the CTA before, of 83", t.in_turn, o.in_turn);
    }
}
