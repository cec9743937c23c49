/* SPDX-License-Identifier: Apache-2.0
 *
 * The papers' experiments in the activity simulator: an exhaustive sweep over the static CTA limits
 * of every kernel, then the controllers on the same kernels; tables with the paper's value next to
 * the measured one, and a picture. doc/papers/experiments.md has the results.
 *
 * An experiment goes in steps: load the kernels; plan the probes, run them; plan the runs, run them;
 * report. The runs of several experiments go together into one pool, and what two of them need is run
 * once.
 *
 * How long a kernel runs: its grid is that of its description, cut or lengthened so that all controllers
 * come to an end and yet all is affordable (experiment_length). A slice of a machine gets its part of the
 * grid. A probe of some ten thousand cycles says how fast the kernel is.
 */
#ifndef BALLAST_EXPERIMENT_H
#define BALLAST_EXPERIMENT_H

#include "gpu/energy.h"
#include "studies/experiment_grid.h"
#include "studies/experiment_pool.h"
#include "kernels/kernel_file.h"
#include "replay/sweep.h"

enum {
    EXPERIMENT_KERNELS = 64, /* most of one paper */
    EXPERIMENT_RUNS = 10,    /* most controllers and fixed settings side by side */
    EXPERIMENT_MIXES = 64,   /* most mixes of kernels that run at once */
    EXPERIMENT_GRIDS = 8
};

/* All runs of one kernel on one machine, and what came of them. */
typedef struct experiment_study {
    workload workload;   /* its grid: that of the runs    */
    published published; /* on this machine               */
    uint32_t t_new;      /* that LCS chose, in the paper  */
    unsigned nmax;
    unsigned probe;                            /* in the pool                            */
    unsigned limit_run[BALLAST_MAX_SLOTS + 1]; /* in the pool, by static limit 1..nmax   */
    unsigned baseline;                         /* in the pool: Nmax, to the end          */
    unsigned run[EXPERIMENT_RUNS];             /* in the pool, by the experiment's list  */
    sweep sweep;
} experiment_study;

/* One controller or fixed setting that every kernel runs under. */
typedef struct experiment_setting {
    const char *name;
    uint8_t policy, mode;
    int sm_level, mem_level; /* -1: voted */
} experiment_setting;

/* How a setting schedules, where that is not the machine's own way. */
typedef struct experiment_schedule {
    bool bcs;                         /* CTAs of 2-D kernels go in pairs; for 1-D kernels all is as ever */
    bool other;                       /* warps are scheduled by this one:                                */
    enum machine_scheduler scheduler;
} experiment_schedule;

/* How long kernels run, in one experiment. */
typedef struct experiment_length {
    double ctas_per_square; /* CTAs per SM, times Nmax squared: at least so many          */
    double least_cycles;    /* of the kernel at Nmax: at least, then at most              */
    double most_cycles;
    double sweep_cycles;    /* the runs at static limits are cut off here: their rate is enough */
} experiment_length;

typedef struct experiment_report {
    experiment_grid grids[EXPERIMENT_GRIDS];
    unsigned num;
} experiment_report;

typedef struct experiment experiment;

/* The steps of an experiment that is no sweep over limits. */
typedef struct experiment_steps {
    bool (*kernels)(experiment *e, char *err, unsigned size); /* adds its own; NULL: they are in files */
    bool (*plan_probes)(experiment *e, experiment_pool *pool);
    bool (*plan_runs)(experiment *e, experiment_pool *pool, double length);
    bool (*judge)(experiment *e, char *err, unsigned size);
} experiment_steps;

typedef struct experiment_paper {
    const char *name;     /* "perfsat"                      */
    const char *title;
    const char *folder;   /* of its kernels; NULL: it has its own */
    const char *machine;  /* "fermi"                        */
    uint32_t sms;         /* of the slice without an option */
    experiment_length length;
    const experiment_setting *settings; /* EXPERIMENT_RUNS at most, ends with name NULL */
    const struct experiment_table *tables; /* of the report; ends with title NULL          */
    const struct experiment_panel *panels; /* of the picture; ends with title NULL         */
    /* What else there is to show, and to draw in more panels, inside a multiplot; or NULL. */
    void (*report)(const experiment *e, experiment_report *report);
    unsigned more_panels;
    void (*draw)(const experiment *e, FILE *plot);
    const experiment_schedule *schedules; /* by setting, or NULL */
    bool no_sweep; /* the static limits are not run, and there is no optimum */
    /* What is said of all machines together; NULL: nothing */
    void (*joint)(const experiment *const *all, unsigned num, experiment_report *report);
    const experiment_steps *steps; /* NULL: a sweep over limits, then the settings */
} experiment_paper;

struct experiment {
    const experiment_paper *paper;
    machine machine;    /* the slice    */
    uint32_t whole_sms; /* of its whole */
    bool whole;         /* every CTA is simulated, also of a run that has settled (gpu/steady.h) */
    const experiment_pool *pool;
    experiment_study studies[EXPERIMENT_KERNELS];
    unsigned num;
    unsigned mix_run[EXPERIMENT_MIXES][EXPERIMENT_RUNS]; /* in the pool, of an experiment with mixes, by its lists */
};

/* perfsat on fermi, perfsat on kepler, lcs, lcs-bcs, equalizer, dyncta on Equalizer's kernels, dyncta on those of
 * LCS, mcke, leftover with the pairs of Table 6.3, leftover with those of Rodinia; NULL beyond them. Several have the same name. */
const experiment_paper *experiment_at(unsigned index);

/* An experiment on `sms` SMs of the paper's machine; sms 0: the paper's default. False with err. */
bool experiment_open(experiment *e, const experiment_paper *paper, uint32_t sms, char *err, unsigned size);
/* The kernels of a paper without a folder. False with err. */
bool experiment_add_own(experiment *e, char *err, unsigned size);
/* One more kernel. False with err if it cannot run on the machine, or there are too many. */
bool experiment_add(experiment *e, const workload *w, const workload_target *target, char *err, unsigned size);
/* By the paper's types, otherwise as they were added. Before the plans. */
void experiment_sort(experiment *e);
/* Asks the pool for the probes; after these have run: for the runs, `length` times as long as usual. */
bool experiment_plan_probes(experiment *e, experiment_pool *pool);
bool experiment_plan_runs(experiment *e, experiment_pool *pool, double length);
/* After these have run. False with err if one went wrong. */
bool experiment_judge(experiment *e, char *err, unsigned size);

void experiment_make_report(const experiment *e, experiment_report *report);
/* What there is to say about several machines together; may be nothing. */
void experiment_make_joint_report(const experiment *const *all, unsigned num, experiment_report *report);
void experiment_free_report(experiment_report *report);
void experiment_print(FILE *f, const experiment_report *report, bool csv);
/* All of them in one picture: of one paper, on one or more machines. False without gnuplot. */
bool experiment_draw(const experiment *const *all, unsigned num, const char *path);

#endif
