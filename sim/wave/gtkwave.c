/* SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave save files. The numbers after @ are GTKWave's trace flags: 22 hexadecimal, 24
 * decimal, 28 binary, 200 a heading, 820 a text; 8000 makes a plot in steps of a number, 20000000
 * counts its bits; 100000000 shows the names that the FST file holds for a
 * value. "+{name} signal" gives a signal another name, "[color] N" colours the next one.
 * "[markername] Atext" names marker A. The waveform is looked for in the folder of the save file.
 */
#include <inttypes.h>
#include <math.h>

#include "wave/viewer.h"

static const char *const flags[] = {[WAVE_BIT] = "28", [WAVE_NUMBER] = "24", [WAVE_MASK] = "22", [WAVE_NAMES] = "100000028", [WAVE_TEXT] = "820",
                                    [WAVE_STEP] = "8024", [WAVE_COUNT] = "20008024"};
static const unsigned colors[] = {[WAVE_RTL] = 0, [WAVE_MODEL] = 2, [WAVE_INPUT] = 3, [WAVE_DIFFERS] = 1, [WAVE_WHY] = 6};

enum { WINDOW = 1600, SIGNALS = 480, BESIDE = 70 }; /* pixels: the window, names with values, what is neither those nor waves */

/* GTKWave's zoom is the logarithm of the time that 200 pixels show, negated. The second number
 * is the marker: the names column shows the values there. Then come the times of markers A to Z. */
static void write_zoom(FILE *f, const wave_range *range, const wave_marks *marks)
{
    const double trace_pixels = WINDOW - SIGNALS - BESIDE;
    const double cycles = range->last > range->first ? (double)(range->last - range->first) : 1;

    fprintf(f, "*%f %" PRIu64, -log2(200 * cycles / trace_pixels), range->marker);
    for (unsigned m = 0; m < WAVE_MARKERS; m++) {
        if (marks && m < marks->num)
            fprintf(f, " %" PRIu64, marks->mark[m].time);
        else
            fprintf(f, " -1");
    }
    fprintf(f, "\n");
    for (unsigned m = 0; m < WAVE_MARKERS && marks && m < marks->num; m++)
        if (marks->mark[m].text[0])
            fprintf(f, "[markername] %c%s\n", 'A' + m, marks->mark[m].text);
}

static void begin(wave_page *page)
{
    const wave_head *head = page->head;
    FILE *f = page->file;

    fprintf(f, "[*] Ballast: %s. One time unit is one cycle.\n", head->title);
    fprintf(f, "[dumpfile] \"%s\"\n[savefile] \"%s\"\n[timestart] %" PRIu64 "\n[size] %d 1080\n[pos] -1 -1\n",
            wave_file_name(head->fst_path), wave_file_name(head->save_path), head->range->first, WINDOW);
    write_zoom(f, head->range, head->marks);
    fprintf(f, "[sst_width] 1\n[signals_width] %d\n[sst_expanded] 0\n", SIGNALS);
}

static void signal(wave_page *page, const wave_signal *s)
{
    FILE *f = page->file;

    fprintf(f, "@%s\n", flags[s->format]);
    if (colors[s->color])
        fprintf(f, "[color] %u\n", colors[s->color]);
    if (s->label)
        fprintf(f, "+{%s} ", s->label);
    fputs(s->path, f);
    if (s->width > 1)
        fprintf(f, "[%u:0]", s->width - 1);
    fprintf(f, "\n");
    for (unsigned i = 0; i < s->lines; i++)
        fprintf(f, "@20000\n-\n");
}

static void heading(wave_page *page, const char *text)
{
    fprintf(page->file, "@200\n-%s\n", text);
}

static void group(wave_page *page, bool begins, const char *name, const char *scope)
{
    (void)scope;
    fprintf(page->file, "@%s\n-%s\n", begins ? "c00200" : "1401200", name);
}

static void end(wave_page *page)
{
    (void)page;
}

const wave_viewer gtkwave_viewer = {.suffix = "gtkw", .begin = begin, .signal = signal, .heading = heading, .group = group, .end = end};
