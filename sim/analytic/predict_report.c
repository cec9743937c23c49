/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/predict_report.h"

#include "plot/gnuplot.h"

/* ---- text ------------------------------------------------------------------------- */

static void put_occupancy(FILE *f, const analytic_gpu *gpu, const analytic_prediction *p)
{
    fprintf(f, "  %-16s %u CTAs per SM, %u of %u warps; the limit: %s\n", "fits", (unsigned)p->nmax,
            (unsigned)p->occupancy.active_warps, (unsigned)gpu->occupancy.max_warps,
            occupancy_limiter_name(p->occupancy.limiter));
}

static void put_points(FILE *f, const analytic_gpu *gpu, const analytic_prediction *p)
{
    fprintf(f, "  %5s %12s %8s %8s %5s %7s %7s %10s", "CTAs", "cycles", "CPI", "IPC/SM", "case", "MWP", "CWP", "time us");
    fprintf(f, gpu->has_power ? " %8s %10s\n" : "\n", "power W", "energy mJ");
    for (uint32_t n = 1; n <= p->nmax; n++) {
        const analytic_prediction_point *at = &p->point[n];

        fprintf(f, "  %4u%c %12.0f %8.3f %8.3f %5d %7.2f %7.2f %10.2f", (unsigned)n, n == p->best_limit ? '*' : ' ', at->cycles,
                at->cpi, at->ipc, (int)at->time.case_number, at->time.mwp, at->time.cwp, 1e6 * at->seconds);
        if (gpu->has_power)
            fprintf(f, " %8.1f %10.4f", at->power.gpu_power, 1e3 * at->energy);
        fprintf(f, "\n");
    }
}

static void put_best(FILE *f, const analytic_gpu *gpu, const analytic_prediction *p)
{
    fprintf(f, "  %-16s %u: the fewest CTAs that no higher limit beats by 2 %%\n", "best limit", (unsigned)p->best_limit);
    fprintf(f, "  %-16s %u of %u by Eq. 63: %s\n", "best SMs", (unsigned)p->eq63.cores, (unsigned)gpu->occupancy.num_sms,
            ipp_limit_text(p->eq63.limit));
    if (gpu->has_power)
        fprintf(f, "  %-16s %u by work per joule: %.1f %% of the energy saved, %.2f times the time\n", "",
                (unsigned)p->per_watt.best.cores, p->per_watt.saving, p->per_watt.slowdown);
    if (p->has_heat)
        fprintf(f, "  %-16s %.1f degrees C after a long run, then %.1f W\n", "temperature", p->heat.max_temp, p->heat.gpu_power);
}

static void put_category(FILE *f, const analytic_gpu *gpu, const analytic_prediction *p)
{
    if (!p->has_category) {
        fprintf(f, "  %-16s computation: no memory instruction\n", "bottleneck");
        return;
    }
    fprintf(f, "  %-16s category %u: %s\n", "bottleneck", (unsigned)p->throughput.category,
            throughput_category_name(p->throughput.category));
    fprintf(f, "  %-16s %s\n", "suggestion", throughput_suggestion(p->throughput.category));
    if (p->core_advice.applies)
        fprintf(f, "  %-16s %u of %u SMs keep the memory busy (Eq. 86), or N = %u per SM (Eq. 91)\n", "",
                (unsigned)p->core_advice.cores, (unsigned)gpu->occupancy.num_sms, (unsigned)p->n_advice.n);
    if (p->freq_advice.applies)
        fprintf(f, "  %-16s SM clock %.3f GHz, that is by %.2f (Eq. 93)\n", "", p->freq_advice.freq, p->freq_advice.divisor);
}

void predict_report_text(FILE *f, const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p)
{
    fprintf(f, "%s on %s: %u CTAs of %u threads\n", kernel->name, gpu->name, (unsigned)kernel->blocks,
            (unsigned)kernel->threads_per_block);
    put_occupancy(f, gpu, p);
    put_points(f, gpu, p);
    put_best(f, gpu, p);
    put_category(f, gpu, p);
}

/* ---- CSV -------------------------------------------------------------------------- */

void predict_report_csv_header(FILE *f)
{
    fprintf(f, "kernel,gpu,limit,cycles,cpi,ipc_per_sm,case,mwp,cwp,seconds,watts,joules,nmax,best_limit,best_sms_eq63,"
               "best_sms_per_joule,max_temp,category,advised_sms,advised_warps,advised_ghz\n");
}

/* What is not known is left empty. */
static void put_if(FILE *f, bool known, const char *format, double value)
{
    fputc(',', f);
    if (known)
        fprintf(f, format, value);
}

void predict_report_csv(FILE *f, const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p)
{
    for (uint32_t n = 1; n <= p->nmax; n++) {
        const analytic_prediction_point *at = &p->point[n];

        fprintf(f, "%s,%s,%u,%.10g,%.6g,%.6g,%d,%.6g,%.6g,%.6g", kernel->name, gpu->name, (unsigned)n, at->cycles, at->cpi,
                at->ipc, (int)at->time.case_number, at->time.mwp, at->time.cwp, at->seconds);
        put_if(f, gpu->has_power, "%.6g", at->power.gpu_power);
        put_if(f, gpu->has_power, "%.6g", at->energy);
        fprintf(f, ",%u,%u,%u", (unsigned)p->nmax, (unsigned)p->best_limit, (unsigned)p->eq63.cores);
        put_if(f, gpu->has_power, "%.0f", p->per_watt.best.cores);
        put_if(f, p->has_heat, "%.6g", p->heat.max_temp);
        put_if(f, p->has_category, "%.0f", p->throughput.category);
        put_if(f, p->has_category, "%.0f", p->core_advice.cores);
        put_if(f, p->has_category, "%.0f", p->n_advice.n);
        put_if(f, p->has_category, "%.6g", p->freq_advice.freq);
        fputc('\n', f);
    }
}

/* ---- picture ---------------------------------------------------------------------- */

static void draw_limits(FILE *plot, const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p)
{
    fprintf(plot, "set title '%s on %s' noenhanced\nset xlabel 'CTA limit'\nset ylabel 'IPC per SM'\nset yrange [0:*]\n"
                  "set xrange [0.5:%u.5]\nset arrow 1 from %u, graph 0 to %u, graph 1 nohead dashtype 3\n", kernel->name, gpu->name,
            (unsigned)p->nmax, (unsigned)p->best_limit, (unsigned)p->best_limit);
    if (gpu->has_power)
        fprintf(plot, "set y2label 'GPU power, W'\nset y2range [0:*]\nset y2tics\n");
    fprintf(plot, "plot '-' using 1:2 with linespoints linewidth 2 linecolor rgb '#20639b' title 'IPC'%s\n",
            gpu->has_power ? ", '-' using 1:2 axes x1y2 with linespoints linewidth 2 linecolor rgb '#d1495b' title 'power'" : "");
    for (uint32_t n = 1; n <= p->nmax; n++)
        fprintf(plot, "%u %g\n", (unsigned)n, p->point[n].ipc);
    fprintf(plot, "e\n");
    for (uint32_t n = 1; gpu->has_power && n <= p->nmax; n++)
        fprintf(plot, "%u %g\n", (unsigned)n, p->point[n].power.gpu_power);
    if (gpu->has_power)
        fprintf(plot, "e\n");
}

static void draw_sms(FILE *plot, const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p,
                     const analytic_predict_options *options)
{
    ipp_core_run run, all = {.cores = gpu->occupancy.num_sms};
    analytic_err err;

    if (!analytic_predict_run(gpu, kernel, p->best_limit, options, &all, &err))
        return;
    fprintf(plot, "unset y2tics\nunset y2label\nunset arrow 1\nset xlabel 'active SMs'\nset ylabel 'of all SMs'\nset xrange [0.5:%u.5]\n"
                  "set arrow 1 from %u, graph 0 to %u, graph 1 nohead dashtype 3\nplot '-' using 1:2 with linespoints linewidth 2 "
                  "linecolor rgb '#20639b' title 'speed', '-' using 1:2 with linespoints linewidth 2 linecolor rgb '#2e8b57' "
                  "title 'work per joule'\n", (unsigned)all.cores, (unsigned)p->per_watt.best.cores, (unsigned)p->per_watt.best.cores);
    for (int per_joule = 0; per_joule < 2; per_joule++) {
        for (run.cores = 1; run.cores <= all.cores; run.cores++)
            if (analytic_predict_run(gpu, kernel, p->best_limit, options, &run, &err))
                fprintf(plot, "%u %g\n", (unsigned)run.cores,
                        all.seconds / run.seconds * (per_joule ? all.power / run.power : 1));
        fprintf(plot, "e\n");
    }
}

bool predict_report_draw(const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_prediction *p,
                         const analytic_predict_options *options, const char *path)
{
    FILE *plot = gnuplot_start(path);

    if (!plot)
        return false;
    gnuplot_svg(plot, path, gpu->has_power ? 960 : 520, 340);
    fprintf(plot, "set multiplot layout 1,%d\nset grid\nset key bottom right\n", gpu->has_power ? 2 : 1);
    draw_limits(plot, gpu, kernel, p);
    if (gpu->has_power)
        draw_sms(plot, gpu, kernel, p, options);
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
