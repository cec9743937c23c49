/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "plot/gnuplot.h"
#include "report/sections.h"

enum {
    WIDTH = 960,
    LANE = 78,    /* height of a policy's lane, pixels */
    LEVELS = 92,  /* of the VF levels                  */
    GAP = 12,     /* between lanes                     */
    HEAD = 14,
    FOOT = 46,    /* the time axis                     */
    LEFT = 190,
    RIGHT = 30,
    PER_NUMBER = 17 /* pixels that a number needs      */
};

/* Okabe and Ito's colours, darker where white paper asks for it. */
const struct draw_style draw_styles[DATA_RUNS] = {{"#767676", "solid"}, {"#0072B2", "solid"}, {"#D55E00", "(14,3)"}, {"#009E73", "solid"},
                       {"#B5529C", "(14,3,3,3)"},  {"#8A6D00", "solid"}, {"#0072B2", "solid"}, {"#0072B2", "solid"}};
static const char *const memory_color = "#D55E00";

static unsigned height_of(unsigned lane)
{
    return data_names[lane].chip ? LEVELS : LANE;
}

unsigned draw_height(void)
{
    unsigned height = HEAD + FOOT;

    for (unsigned lane = 0; lane < DATA_RUNS; lane++)
        height += height_of(lane) + GAP;
    return height;
}

void draw_place(unsigned lane, unsigned *top, unsigned *height)
{
    *top = HEAD;
    for (unsigned above = 0; above < lane; above++)
        *top += height_of(above) + GAP;
    *height = height_of(lane);
}

/* The value that the track has from this cycle on. */
static unsigned value_at(const data_track *track, uint64_t cycle)
{
    unsigned value = track->num ? track->points[0].value : 0;

    for (unsigned i = 0; i < track->num && track->points[i].cycle <= cycle; i++)
        value = track->points[i].value;
    return value;
}

/* A data block: no file's name has to stand in gnuplot's quotes. */
void draw_track(FILE *plot, const data_track *track, const char *name, uint64_t last)
{
    fprintf(plot, "$%s << END\n", name);
    for (unsigned i = 0; i < track->num && track->points[i].cycle <= last; i++)
        fprintf(plot, "%" PRIu64 " %u\n", track->points[i].cycle, track->points[i].value);
    if (track->num && track->points[track->num - 1].cycle > last)
        fprintf(plot, "%" PRIu64 " %u\n", last, value_at(track, last));
    fprintf(plot, "END\n");
}

/* All marks, and the numbers of those that have place for one. False without marks. */
static bool put_marks(FILE *plot, const run_log *log, uint64_t last)
{
    const double per_pixel = (double)last / (WIDTH - LEFT - RIGHT);
    double place = -1e18;
    bool some = false;

    fprintf(plot, "$marks << END\n");
    for (unsigned i = 0; i < log->num; i++) {
        const run_log_entry *e = &log->items[i];
        const bool room = (double)e->cycle - place >= PER_NUMBER * per_pixel;

        if (!e->number || e->cycle > last)
            continue;
        some = true;
        if (room)
            place = (double)e->cycle;
        fprintf(plot, "%" PRIu64 " %u ", e->cycle, e->value);
        if (room)
            fprintf(plot, "%u\n", e->number);
        else
            fprintf(plot, "\"\"\n");
    }
    fprintf(plot, "END\n");
    return some;
}

static void put_plot_of_marks(FILE *plot, const char *color)
{
    fprintf(plot, ", $marks using 1:2 with points pointtype 7 pointsize 0.55 linecolor rgb '%s' notitle"
                  ", $marks using 1:2:3 with labels font 'sans,11' offset 0.8,0.75 notitle", color);
}

/* What has been decided stays when nobody watches any more. */
static bool put_stays(FILE *plot, const data_run *run, uint64_t last)
{
    const bool stays = run->converged && run->cycles < last;

    if (stays)
        fprintf(plot, "$stays << END\n%" PRIu64 " %" PRIu64 "\n%" PRIu64 " %" PRIu64 "\nEND\n", run->cycles, run->last_limit, last, run->last_limit);
    return stays;
}

static void put_limit_lane(FILE *plot, const data_kernel *k, unsigned lane, uint64_t last)
{
    const data_run *run = &k->runs[lane];
    const bool stays = put_stays(plot, run, last);
    bool marks;

    draw_track(plot, &run->track[0], "limit", last);
    marks = put_marks(plot, &run->log, last);
    fprintf(plot, "set yrange [0:%g]\nset ytics (1, %" PRIu64 ")\n", (double)k->nmax * 1.5, k->nmax);
    fprintf(plot, "plot %" PRIu64 " with lines dashtype 3 linewidth 1 linecolor rgb 'black' notitle, "
                  "$limit using 1:2 with steps linewidth 2.5 dashtype %s linecolor rgb '%s' notitle",
            k->best, draw_styles[lane].dashes, draw_styles[lane].color);
    if (stays)
        fprintf(plot, ", $stays using 1:2 with lines linewidth 0.8 linecolor rgb '%s' notitle", draw_styles[lane].color);
    if (marks)
        put_plot_of_marks(plot, draw_styles[lane].color);
    fprintf(plot, "\n");
}

static void put_level_lane(FILE *plot, const data_kernel *k, unsigned lane, uint64_t last)
{
    const data_run *run = &k->runs[lane];
    bool marks;

    draw_track(plot, &run->track[0], "sm", last);
    draw_track(plot, &run->track[1], "mem", last);
    marks = put_marks(plot, &run->log, last);
    fprintf(plot, "set yrange [-0.4:3.2]\nset ytics ('low' 0, 'normal' 1, 'high' 2)\n"
                  "plot $sm using 1:2 with steps linewidth 2.5 linecolor rgb '%s' notitle, "
                  "$mem using 1:($2+0.12) with steps linewidth 2.5 dashtype (7,3) linecolor rgb '%s' notitle",
            draw_styles[lane].color, memory_color);
    if (marks)
        put_plot_of_marks(plot, "black");
    fprintf(plot, "\n");
}

/* In the colour of text: those of some curves are too pale for it. */
static void put_name(FILE *plot, unsigned lane)
{
    fprintf(plot, "unset label\n");
    if (!data_names[lane].chip) {
        fprintf(plot, "set label '%s' at screen 0.012, graph 0.45 left font 'sans,14'\n", data_names[lane].title);
        return;
    }
    fprintf(plot, "set label 'VF levels, %s' at screen 0.012, graph 0.85 left font 'sans,12'\n", data_names[lane].key);
    fprintf(plot, "set label '— SMs' at screen 0.012, graph 0.52 left font 'sans,12'\n");
    fprintf(plot, "set label '- - memory' at screen 0.012, graph 0.2 left font 'sans,12'\n");
}

void draw_xtics(FILE *plot, uint64_t last, bool labels)
{
    const char *unit = last >= 1000000 ? "M" : last >= 1000 ? "k" : "";
    const double one = last >= 1000000 ? 1e6 : last >= 1000 ? 1e3 : 1;
    double step = pow(10, floor(log10((double)last)));

    step /= (double)last / step < 1.5 ? 5 : (double)last / step < 3.5 ? 2 : 1;
    fprintf(plot, "set xtics (");
    for (unsigned i = 0; i * step <= (double)last; i++) {
        fprintf(plot, "%s'", i ? ", " : "");
        if (labels)
            fprintf(plot, "%g%s", i * step / one, i ? unit : "");
        fprintf(plot, "' %.0f", i * step);
    }
    fprintf(plot, ")\n");
}

/* The lowest lane has the axis for all. */
static void put_lane(FILE *plot, const data_kernel *k, unsigned lane, uint64_t last)
{
    const double all = draw_height();
    unsigned top, height;

    draw_place(lane, &top, &height);
    fprintf(plot, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1 - top / all, 1 - (top + height) / all);
    draw_xtics(plot, last, lane + 1 == DATA_RUNS);
    if (lane + 1 == DATA_RUNS)
        fprintf(plot, "set xlabel 'cycle of the run' offset 0,0.3\n");
    put_name(plot, lane);
    if (!k->runs[lane].there)
        fprintf(plot, "set ytics ()\nset yrange [0:1]\nplot -1 notitle\n");
    else if (data_names[lane].chip)
        put_level_lane(plot, k, lane, last);
    else
        put_limit_lane(plot, k, lane, last);
}

bool draw_limits(const data_kernel *k, uint64_t last, const char *path)
{
    FILE *plot = gnuplot_start(path);

    if (!plot)
        return false;
    gnuplot_svg(plot, path, WIDTH, draw_height());
    fprintf(plot,
            "set encoding utf8\nset multiplot\nset samples 2\nset xrange [0:%" PRIu64
            "]\nset grid xtics ytics\nunset key\n"
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n",
            last, (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH);
    for (unsigned lane = 0; lane < DATA_RUNS; lane++)
        put_lane(plot, k, lane, last);
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
