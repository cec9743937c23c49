/* SPDX-License-Identifier: Apache-2.0
 *
 * Import of raw per-cycle recordings: cyc.bin (records of 32 or 48 bytes), ker.csv and cta.csv, each
 * optionally packed with xz. doc/use/import_raw.md describes them; any simulator may write them. Or a waveform in place of the first two
 * (doc/use/import_vcd.md).
 */
#ifndef BALLAST_RAW_IMPORT_H
#define BALLAST_RAW_IMPORT_H

#include "recording/trace.h"

/* What an SM has to offer, for Nmax. Registers of a thread are given out in multiples of register_unit, to whole warps, a multiple of
 * warp_unit on an SM; a CTA's shared memory in multiples of shared_unit bytes. */
typedef struct raw_resources {
    uint32_t threads, registers, shared_bytes, slots, register_unit, shared_unit, warp_unit;
} raw_resources;

/* An SM may be idle for long, but one flipped bit in a cycle number must not become a recording of years. */
enum { RAW_MAX_GAP = 1 << 24 };

typedef struct raw_import_options {
    const char *dir;                 /* holds the three files, with or without .xz; or ... */
    const char *cyc_path, *ker_path, *cta_path; /* ... each by name (they win over dir)    */
    const char *text_path;           /* warps.csv, the text form, in place of cyc.bin; in dir if that is not there */
    const struct raw_source *source; /* in place of cyc.bin and cta.csv; NULL: those */
    const char *dump_path, *map_path; /* of a waveform as source (dump/raw_dump.h): the VCD or FST, and what its signals are */
    const char *out_path;
    const char *kernel, *config, *recorder;     /* texts for the header, NULL: none        */
    uint8_t config_limit;                       /* configured CTAs per SM, 0: none         */
    uint32_t grid_x;                 /* CTAs in a row of every launch; 0: as ker.csv says  */
    uint8_t format;                  /* version of the records; 0: by what the geometry needs */
    trace_geometry geometry;
    raw_resources resources;
    uint64_t max_gap;                           /* longest stretch of an SM without records    */
    const uint8_t *sms;              /* SMs to import, num_sms of them; 0: all found       */
    unsigned num_sms;
    /* Called now and then with the bytes of cyc.bin read and in total; false stops the
     * import. NULL: none. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* What was found strange and imported nevertheless, a line. NULL: none. */
    void (*warn)(void *context, const char *line);
    void *context;
} raw_import_options;

/* Fermi: 48 warps, 8 CTA slots, 15 SMs, dual issue; 1536 threads, 32768 registers, 48 KiB. */
void raw_import_defaults(raw_import_options *opt);
/* Writes out_path, or nothing at all and says in *err what is wrong where. */
bool raw_import(const raw_import_options *opt, trace_err *err);

#endif
