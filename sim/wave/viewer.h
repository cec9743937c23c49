/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that tell a waveform viewer what to show of a waveform, and how. A page is such a file while it is written: from the top
 * signal to the bottom one. What a viewer cannot show is left out by its writer.
 */
#ifndef BALLAST_VIEWER_H
#define BALLAST_VIEWER_H

#include <stdio.h>

#include "wave/marks.h"

enum { WAVE_MARKERS = 26 }; /* A to Z: so many of the marks have a marker */

enum wave_color { WAVE_RTL, WAVE_MODEL, WAVE_INPUT, WAVE_DIFFERS, WAVE_WHY };
/* STEP is a number as a plot in steps, COUNT the same of how many bits are set; NAMES has names in the waveform. */
enum wave_format { WAVE_BIT, WAVE_NUMBER, WAVE_MASK, WAVE_NAMES, WAVE_TEXT, WAVE_STEP, WAVE_COUNT };

typedef struct wave_signal {
    const char *label; /* NULL: its own name */
    const char *path;  /* SM0.perfsat.rtl.limit_q */
    unsigned width;    /* bits; 0: a text, or a number of no vector */
    enum wave_format format;
    enum wave_color color;
    unsigned lines; /* of a plot, more than one */
} wave_signal;

/* What a window shows at first, in cycles of the run. */
typedef struct wave_range {
    uint64_t first, last, marker;
    uint64_t end; /* the last cycle of the waveform */
} wave_range;

typedef struct wave_head {
    const char *title;
    const char *save_path, *fst_path; /* of this file, and of the waveform; both are in one folder, wherever it is moved to */
    const wave_range *range;
    const wave_marks *marks; /* may be NULL */
} wave_head;

typedef struct wave_page {
    FILE *file;
    const struct wave_viewer *viewer;
    const wave_head *head;
    unsigned items, depth; /* the writer's own: rows so far, groups that are open */
    bool grouped;
} wave_page;

typedef struct wave_viewer {
    const char *suffix;
    void (*begin)(wave_page *page);
    void (*signal)(wave_page *page, const wave_signal *signal);
    void (*heading)(wave_page *page, const char *text);
    /* `scope`: all signals of it are in the group; NULL: of a group in a group, of which that is said already. */
    void (*group)(wave_page *page, bool begins, const char *name, const char *scope);
    void (*end)(wave_page *page);
} wave_viewer;

extern const wave_viewer gtkwave_viewer, surfer_viewer;
/* All of them; NULL-terminated. GTKWave comes first. */
extern const wave_viewer *const wave_viewers[];

/* Of a port that stands for itself; inputs of more than `narrow` bits are masks. */
enum wave_format wave_format_of(const block_port *port, unsigned narrow);
/* Without its folder. */
const char *wave_file_name(const char *path);

/* Writes the file for each viewer: `path` with the viewer's own suffix in the place of its last one. The files appear when they
 * are complete. `print` fills a page between begin and end; false when it cannot. False with errno when a file cannot be written. */
bool wave_save_all(const char *path, const wave_head *head, bool (*print)(wave_page *page, void *context), void *context);

#endif
