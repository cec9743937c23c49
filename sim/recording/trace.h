/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded SM activity in Ballast's native format: streaming writer, streaming reader
 * with seek. doc/use/trace_format.md describes the bytes.
 *
 * Errors: functions that can fail take a trace_err and return NULL / false; the text is
 * one line that says what is wrong, where (file, byte offset) and what to do.
 * Not thread-safe per object; objects are independent of each other.
 */
#ifndef BALLAST_TRACE_H
#define BALLAST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/sm_obs.h"

#define TRACE_TEXT 128       /* size of name fields, with the closing NUL */
#define TRACE_MAX_SMS 256    /* SM streams in one file                    */
#define TRACE_MAX_LAUNCHES 4096
#define TRACE_NO_LAUNCH UINT32_MAX

typedef struct trace_err {
    char text[512];
    uint64_t offset; /* byte offset in the file, or UINT64_MAX when none applies */
} trace_err;

/* One kernel launch in a recording. */
typedef struct trace_launch {
    char name[TRACE_TEXT]; /* kernel name as the recorder gave it      */
    ballast_kernel_desc desc;
    uint8_t limit;         /* CTA limit in force: min(configured, nmax) */
    uint64_t start_cycle;  /* cycle of its kernel_start                 */
} trace_launch;

/* A grid that has rows is 2-D, and made of whole ones (of all its planes, should it have depth). */
static inline bool trace_rows_fit(const ballast_kernel_desc *d)
{
    return !d->grid_x || (d->is_2d && d->grid_x <= d->grid_ctas && d->grid_ctas % d->grid_x == 0);
}

typedef struct trace_geometry {
    uint16_t warps;       /* warp slots per SM                */
    uint16_t slots;       /* CTA slots per SM                 */
    uint16_t sms;         /* SMs of the recorded chip         */
    uint16_t issue_width; /* instructions per SM and cycle    */
} trace_geometry;

typedef struct trace_meta {
    trace_geometry geometry;
    char kernel[TRACE_TEXT];   /* what was run, e.g. "pathfinder"                   */
    char config[TRACE_TEXT];   /* simulated configuration, e.g. "SM2_GTX480, 4 CTAs" */
    char recorder[TRACE_TEXT]; /* program and version that recorded it              */
    uint8_t config_limit;      /* configured CTA limit, 0 = none                    */
    uint16_t num_launches;
    trace_launch *launches;    /* num_launches entries                              */
} trace_meta;

/* What a file holds of one SM. */
typedef struct trace_sm_info {
    uint16_t sm;
    uint64_t cycles;
    uint64_t first_cycle; /* cycle number of its first cycle (the recorder's count) */
    uint64_t instructions;
    uint64_t ctas_done;
} trace_sm_info;

/* ---- writer --------------------------------------------------------------------- */

typedef struct trace_writer trace_writer;

/* Writes to a file beside it (files/placed_file.h) and renames in trace_writer_close, so that no
 * partial file is left. meta is copied. */
trace_writer *trace_writer_open(const char *path, const trace_meta *meta, trace_err *err);
/* zstd level of the frames that follow, 19 unless set: a simulator that records while it
 * runs may prefer 3, which packs many times faster into files some 8 % larger. */
void trace_writer_set_level(trace_writer *w, int level);
/* One SM's cycles, in order: `cycle` must grow by exactly one within an SM. SMs may be
 * interleaved. recorded_class: the recorder's own class of the cycle (enum ballast_ps_class) or
 * TRACE_NO_CLASS. obs->cta_active is not stored but derived: a slot is active from its
 * cta_start to its cta_done; obs->setup->warp_slot is stored per launch of a CTA; kernel_start is
 * due exactly at the start cycles of meta->launches. A difference between them and what the
 * reader will derive is an error.
 * An SM may begin anywhere, also inside a launch (the cut-out of a longer recording): then
 * its first cycle says which CTAs and kernel it has, and progress counts from there. */
#define TRACE_NO_CLASS 0xff
bool trace_writer_cycle(trace_writer *w, unsigned sm, uint64_t cycle, const sm_obs *obs,
                        uint8_t recorded_class, trace_err *err);
/* The SM's next cycle does not continue the one before (a replay that went on in another
 * recording, say): which slots are active and which warps belong to them is taken from it, as
 * in a stream's first cycle. Cycle numbers, launches and progress go on. Before the first
 * cycle and when it is called twice, it changes nothing. */
bool trace_writer_cut(trace_writer *w, unsigned sm, trace_err *err);
/* Whether obs continues the SM's last cycle in cta_active and warp_slot, so that
 * trace_writer_cycle takes it without a cut. */
bool trace_writer_follows(const trace_writer *w, unsigned sm, const sm_obs *obs);
bool trace_writer_close(trace_writer *w, trace_err *err); /* frees w, also on failure */
void trace_writer_abort(trace_writer *w);                 /* frees w, leaves no file  */

/* Says in the header of the file at `path` how wide the grid of launch `launch` is, or of all launches if that is
 * TRACE_NO_LAUNCH: grid_x CTAs in a row; 0: it is 1-D. Every frame is checked and stays as it is. The file is replaced as a
 * whole or not at all. */
bool trace_set_grid(const char *path, unsigned launch, uint32_t grid_x, trace_err *err);
struct placed_file;
/* The same, up to its last step: the new file is complete beside the old one (to->temporary), and placed_close puts it in its
 * place. After a failure nothing of it is there. */
bool trace_write_grid(const char *path, unsigned launch, uint32_t grid_x, struct placed_file *to, trace_err *err);

/* ---- reader --------------------------------------------------------------------- */

typedef struct trace_reader trace_reader;

typedef struct trace_open_options {
    bool salvage; /* a damaged file: replay what precedes the damage instead of refusing */
} trace_open_options;

/* options may be NULL. With salvage, *err (when non-NULL) says what was damaged although
 * the reader opens: err->text is "" when nothing was. */
trace_reader *trace_open(const char *path, const trace_open_options *options, trace_err *err);
void trace_close(trace_reader *r);

const trace_meta *trace_get_meta(const trace_reader *r);
unsigned trace_num_sms(const trace_reader *r);
const trace_sm_info *trace_get_sm(const trace_reader *r, unsigned index); /* by SM number */
bool trace_has_class(const trace_reader *r); /* the recorder's own classes are in the file */
unsigned trace_num_frames(const trace_reader *r);    /* of all SMs; each decodes on its own */
uint64_t trace_file_bytes(const trace_reader *r);

/* Chooses the SM whose cycles trace_next returns, and rewinds. */
bool trace_select_sm(trace_reader *r, unsigned sm, trace_err *err);

/* The next cycle of the selected SM; NULL at the end (err->text "") or on an error. The
 * result is owned by the reader and holds until the next call. */
const sm_obs *trace_next(trace_reader *r, trace_err *err);
/* So many of the next cycles are the one that trace_next returned last again, for whoever wants to take them at once: same bus, no
 * pulses. There may be more. */
uint32_t trace_repeats(const trace_reader *r);
/* The last `n` <= trace_repeats of them have gone by as if trace_next had returned each. False on an error. */
bool trace_repeat(trace_reader *r, uint32_t n, trace_err *err);
/* What stands in obs->setup may be other than in the cycle before: it changes in no other cycle. */
bool trace_may_have_new_setup(const trace_reader *r);
/* About the cycle that trace_next returned last. */
uint64_t trace_cycle(const trace_reader *r);        /* the recorder's cycle number       */
unsigned trace_launch_index(const trace_reader *r); /* index into meta->launches, or
                                                       TRACE_NO_LAUNCH before the first  */
uint64_t trace_launch_instructions(const trace_reader *r); /* issued by this SM in this
                                                       launch, this cycle included       */
uint64_t trace_launch_ctas(const trace_reader *r);  /* finished on this SM in this launch */
/* Its recorded class or TRACE_NO_CLASS. Decodes the class section on first use. */
bool trace_recorded_class(trace_reader *r, uint8_t *cls, trace_err *err);

/* Seek the selected SM so that trace_next returns ... */
bool trace_seek_cycle(trace_reader *r, uint64_t cycle, trace_err *err); /* this cycle */
/* ... the first cycle of launch `launch` that is not before its kernel_start (launch is
 * an index into meta->launches), */
bool trace_seek_launch(trace_reader *r, unsigned launch, trace_err *err);
/* ... the first cycle of that launch by whose end the SM had issued at least
 * `instructions` in it / finished at least `ctas` in it. Past the launch's end: its last
 * cycle. */
bool trace_seek_instructions(trace_reader *r, unsigned launch, uint64_t instructions, trace_err *err);
bool trace_seek_ctas(trace_reader *r, unsigned launch, uint64_t ctas, trace_err *err);

#endif
