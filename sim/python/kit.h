/* SPDX-License-Identifier: Apache-2.0
 *
 * What the Python package calls, through ctypes: plain functions on plain data. Tables as JSON say where which field is: of the ports of
 * a block's structs (from its port list), and of the structs below (from the lists that they are made of). Python knows no offsets.
 *
 * A function that can fail returns NULL, false or a negative number, and has one line in `err` (KIT_ERR bytes).
 */
#ifndef BALLAST_KIT_H
#define BALLAST_KIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ballast/policy.h"

enum { KIT_ERR = 768 };

/* ---- tables --------------------------------------------------------------------------- */

/* The structs of this file and of ballast/policy.h: sizes, fields. */
const char *kit_structs(void);
/* A text of JSON, of any bytes. */
void kit_put_text(FILE *out, const char *text);

#define KIT_MEMBER(type, name) type name;

/* ---- models --------------------------------------------------------------------------- */

typedef struct kit_model kit_model;

/* The name of block number n; NULL behind the last. */
const char *kit_block(unsigned n);
kit_model *kit_model_open(const char *block_name, const char *parameters, char *err);
void kit_model_close(kit_model *m);
/* Parameters, sizes of the structs, ports. */
const char *kit_model_table(const kit_model *m);
void kit_model_reset(const kit_model *m, void *state);
/* What software sets, in an `in` that is 0 else. */
void kit_model_defaults(const kit_model *m, void *in);
/* One cycle. False: an input is beyond its range where it is read; nothing has changed. */
bool kit_model_step(const kit_model *m, void *state, const void *in, void *out, char *err);

/* ---- recordings ----------------------------------------------------------------------- */

typedef struct kit_recording kit_recording;

/* A cycle of a recorded SM. `launch` counts from 1 on; 0: before the first. ps_class: the recorder's own, 255: it has none. */
#define KIT_CYCLE(F) \
    F(uint64_t, cycle) F(uint64_t, ws0) F(uint64_t, ws1) F(uint64_t, ws2) F(uint64_t, ws3) F(uint64_t, paused) F(uint64_t, instructions) \
    F(uint32_t, launch) F(uint32_t, ctas_done) F(uint32_t, cta_active) F(uint32_t, cta_start) F(uint32_t, cta_done) \
    F(uint8_t, issued) F(uint8_t, kernel_start) F(uint8_t, ps_class)
typedef struct kit_cycle {
    KIT_CYCLE(KIT_MEMBER)
} kit_cycle;

kit_recording *kit_recording_open(const char *path, bool salvage, char *err);
void kit_recording_close(kit_recording *r);
/* Header, launches and SMs; `damage` of a salvaged file. */
const char *kit_recording_table(const kit_recording *r);
bool kit_recording_select(kit_recording *r, uint32_t sm, char *err);
/* At most `most` cycles, each value to its column, in the order of the fields above; columns grow from `from` on. How many there were. */
int kit_recording_read(kit_recording *r, void *const *columns, uint64_t from, uint32_t most, char *err);

/* ---- runs ----------------------------------------------------------------------------- */

/* A policy in the caller's language, whose functions are those of ballast_policy_functions. Anything but 0 ends the run. */
typedef int kit_start(uint32_t sm, const ballast_policy_place *place);
typedef int kit_step(uint32_t sm, const ballast_policy_in *in, ballast_policy_out *out);
/* 1: the cycle is worth a line, and `line` has it; 0: it is not. Anything else ends the run. */
typedef int kit_describe(uint32_t sm, const ballast_policy_in *in, char *line, uint32_t size);
typedef int kit_chip(const uint32_t *said, uint32_t *heard, uint32_t sms);

/* All NULL: none. `describe` and `chip` alone may be NULL. */
#define KIT_CALLS(F) F(kit_start *, start) F(kit_step *, step) F(kit_describe *, describe) F(kit_chip *, chip)
typedef struct kit_calls {
    KIT_CALLS(KIT_MEMBER)
} kit_calls;
/* Those of a request. */
#define KIT_CALLS_OF(k) ((kit_calls){(k)->start, (k)->step, (k)->describe, (k)->chip})

/* In a text of several, each ends with a line feed. */
#define KIT_SIMULATION(F) \
    F(const char *, kernel) F(const char *, machine) F(const char *, policy) F(const char *, scheduler) F(const char *, mode) \
    KIT_CALLS(F) F(uint64_t, seed) F(uint64_t, max_cycles) F(uint32_t, sms) F(uint32_t, limit) \
    F(uint8_t, bcs) F(uint8_t, log)
typedef struct kit_simulation {
    KIT_SIMULATION(KIT_MEMBER)
} kit_simulation;

/* Recordings: as a family under its controller, or one as recorded. One SM of them, or a chip of SMs that play what is recorded `skew` cycles
 * one after the other. Blocks' models, or a policy of one's own. */
#define KIT_REPLAY(F) \
    F(const char *, paths) F(const char *, block) F(const char *, parameters) F(const char *, settings) F(const char *, policy) \
    KIT_CALLS(F) F(uint64_t, max_cycles) F(uint32_t, sm) F(uint32_t, launch) F(uint32_t, max_passes) F(uint32_t, sms) \
    F(uint32_t, skew) F(uint8_t, family) F(uint8_t, of_chip)
typedef struct kit_replay {
    KIT_REPLAY(KIT_MEMBER)
} kit_replay;

/* Each writes its answer, or one line of why there is none, to the file `fd`: lines of text. With `apart` in a process of its own,
 * whose id comes back at once; it ends with 0, or 1 after a line. Else 0 or 1 comes back; -1: there is no process. */
int kit_simulate(const kit_simulation *request, int fd, bool apart);
int kit_play(const kit_replay *request, int fd, bool apart);

#endif
