/* SPDX-License-Identifier: Apache-2.0
 *
 * The ballast command's subcommands. Each gets argv with argv[0] = "ballast <name>" and
 * returns an exit status.
 */
#ifndef BALLAST_COMMANDS_H
#define BALLAST_COMMANDS_H

enum exit_status {
    EXIT_PASS = 0,
    EXIT_MISMATCH = 1,   /* the twins differ, or two runs              */
    EXIT_USAGE = 2,      /* an option or argument makes no sense       */
    EXIT_BAD_INPUT = 3,  /* a file is missing, damaged or does not fit */
    EXIT_STOPPED = 130   /* interrupted                                */
};

/* Name, function and what it does. */
#define COMMANDS(C) \
    C("run", cmd_run, "all recordings of a manifest through all blocks: table, logs, waveforms, report") \
    C("waves", cmd_waves, "waveform of a block on a recording, or of a part of it, with its GTKWave view") \
    C("report", cmd_report, "write the page of the last run anew, e.g. after 'make area'") \
    C("diff", cmd_diff, "say what has changed from one run to another: verdicts, choices, decisions, area, proofs") \
    C("trend", cmd_trend, "put stored runs side by side, by their dates: verdicts, costs, speed, area, proofs") \
    C("figure", cmd_figure, "write a picture of a run for a paper or a slide: SVG, PDF or PNG") \
    C("lockstep", cmd_lockstep, "replay recordings as recorded, RTL against C model") \
    C("family", cmd_family, "replay one kernel's recordings; the controller's limit picks among them") \
    C("chip", cmd_chip, "replay recordings on all SMs of a chip, with votes and VF domains") \
    C("random", cmd_random, "random stimulus and settings, RTL against C model") \
    C("analytic", cmd_analytic, "predict kernels with the analytic models; compare with recordings and with the papers' tables") \
    C("agree", cmd_agree, "compare stall_classifier with the recorder's own stall class") \
    C("dispatch", cmd_dispatch, "compare the CTA dispatcher with the recorder's own") \
    C("ctas", cmd_ctas, "draw which CTA ran where and when, as recorded or by the CTA dispatchers; list it") \
    C("blocks", cmd_blocks, "list the blocks of this build, their parameters and signals") \
    C("info", cmd_info, "say what a recording holds; check it") \
    C("import", cmd_import, "make a recording from raw per-cycle records and CSV files") \
    C("import-folder", cmd_import_folder, "make recordings of a folder of raw ones, and their manifest") \
    C("export", cmd_export, "write a recording as raw records, CSV or VCD, or for Perfetto") \
    C("grid", cmd_grid, "say in recordings how wide their grids are") \
    C("new-block", cmd_new_block, "write the files of a new block from the skeleton") \
    C("bench", cmd_bench, "measure RTL, lockstep, model and decoder speed") \
    C("sim", cmd_sim, "simulate a kernel with governors in the loop, RTL or models; record it") \
    C("experiment", cmd_experiment, "the papers' experiments in the simulator, the papers' values beside the measured ones") \
    C("sweep", cmd_sweep, "run all points of a study: kernels, policies, parameters, seeds; on all cores or a cluster, resumed after a kill") \
    C("query", cmd_query, "ask the store of sweeps: best policy per kernel, means, failures, what is missing, SQL") \
    C("calibrate", cmd_calibrate, "fit workloads to the published optima, or print how far they are from them") \
    C("validate", cmd_validate, "simulate the recorded kernels and put them beside the recordings") \
    C("bench-sim", cmd_bench_sim, "measure the activity simulator's speed for 1, 15 and 132 SMs") \
    C("bench-chip", cmd_bench_chip, "measure a whole chip's speed for 1, 15 and 132 SMs")

#define DECLARE(name, function, help) int function(int argc, char **argv);
COMMANDS(DECLARE)
#undef DECLARE

#endif
