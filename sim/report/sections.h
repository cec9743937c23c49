/* SPDX-License-Identifier: Apache-2.0
 *
 * The page from top to bottom. A section that needs a file of its own reads it first, all of it: those return false with one
 * line in err if the file is there but damaged; without the file they say which command makes it.
 */
#ifndef BALLAST_REPORT_SECTIONS_H
#define BALLAST_REPORT_SECTIONS_H

#include "report/data.h"
#include "report/evidence.h"
#include "report/html.h"

extern const char report_style[];
/* sim/report/script.js, and the checksum by which a browser lets it run. */
extern const char report_script[], report_script_sum[];

void section_verdict(FILE *f, const report_data *d, const evidence *e);
/* A line of it, and all of it. */
void evidence_banner(FILE *f, const evidence *e);
void section_evidence(FILE *f, const evidence *e);
void section_reading(FILE *f);
void section_overview(FILE *f, const report_data *d);
/* Kernel `index`, with its pictures. */
void section_kernel(FILE *f, const report_data *d, unsigned index);
/* Its parts: the stall breakdown and the decisions. */
void kernel_stalls(FILE *f, const report_data *d, unsigned index);
void kernel_decisions(FILE *f, const report_data *d, unsigned index);
/* The lanes of its pictures as data for the script. */
void kernel_lanes(FILE *f, const data_kernel *k, unsigned index);
/* How the waveform around a decision of run `r` is had, and where its rules are explained. */
void kernel_waves(FILE *f, const report_data *d, const data_kernel *k, unsigned r);
/* A picture in its box; without one a line that says why. min_width: pixels below which it scrolls. */
void section_picture(FILE *f, const char *path, bool drawn, const char *id, const char *title, unsigned min_width,
                     const char *caption);
/* "cycle 1401915 (pass 16)", or "moving": when a policy decided. */
void section_when(FILE *f, const data_run *run);
/* <td> that says whether it is what it should be. */
void section_verdict_cell(FILE *f, const char *text, const char *good);
/* Draws into an SVG file, false without gnuplot: a lane per policy and per mode of the chip, one time axis up to cycle `last`;
 * decisions that moved something are numbered. */
bool draw_limits(const data_kernel *k, uint64_t last, const char *path);
/* Where in that picture a lane is; the height of all. */
void draw_place(unsigned lane, unsigned *top, unsigned *height);
unsigned draw_height(void);
/* The same: what every policy lost against the oracle, in the first launch and in all, and the oracle's limits. */
bool draw_regret(const data_kernel *k, const char *path);
/* What they share: a run's colour, and dashes for who sees no colours; a track up to a cycle as a data block; some six round steps. */
extern const struct draw_style {
    const char *color, *dashes;
} draw_styles[DATA_RUNS];
void draw_track(FILE *plot, const data_track *track, const char *name, uint64_t last);
void draw_xtics(FILE *plot, uint64_t last, bool labels);
bool section_dispatch(FILE *f, const report_data *d, trace_err *err);
void section_models(FILE *f, const report_data *d);
/* The picture goes to OUT; nothing without a table of a sweep. */
void section_sweep_link(FILE *f, const char *build);
bool section_sweep(FILE *f, const char *out, const char *build, trace_err *err);
bool section_area(FILE *f, const char *build, trace_err *err);
bool section_proofs(FILE *f, const char *build, trace_err *err);
void section_replays(FILE *f, const report_data *d);

#endif
