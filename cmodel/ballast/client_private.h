/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the client share. Not installed, and not seen by who links the library.
 */
#ifndef BALLAST_CLIENT_PRIVATE_H
#define BALLAST_CLIENT_PRIVATE_H

#include <stddef.h>

#include "ballast/client.h"
#include "chip/chip_governor.h"

#pragma GCC visibility push(hidden)

enum { CLIENT_LINE = 256, CLIENT_NAMES = 255 /* numbers that kernel_id can carry, but 0 */ };

/* What the SM's kernel is like. */
typedef struct client_kernel {
    uint8_t nmax, warps_per_cta;
    uint32_t number; /* of the launch, from 1; 0: none has started */
} client_kernel;

/* One SM. What is said of the cycle that goes on, and what is known from those before it. */
typedef struct client_sm {
    /* the cycle that goes on */
    uint64_t ws[BALLAST_STATE_PLANES];
    uint64_t issued, to_memory;
    uint64_t paused;
    uint32_t start, done;
    uint64_t start_warps[BALLAST_MAX_SLOTS]; /* of the CTAs that start; 0: the usual ones */
    uint32_t start_cta[BALLAST_MAX_SLOTS];
    bool paused_said, kernel_start, denied, class_said, stray_said;
    uint8_t ps_class;
    client_kernel next_kernel; /* with kernel_start */
    /* since before */
    client_kernel kernel;
    uint32_t held;                       /* slots with a CTA        */
    uint32_t late;                       /* slots whose CTA has finished in the cycle of its launch */
    uint64_t warps[BALLAST_MAX_SLOTS];   /* of the slots' CTAs      */
    uint32_t launch[BALLAST_MAX_SLOTS];  /* number of their kernels */
    uint32_t cta[BALLAST_MAX_SLOTS];
    uint8_t per_cta[BALLAST_MAX_SLOTS];  /* warps of a CTA of these */
    ballast_client_decision decision;
} client_sm;

struct client_record;

struct ballast_client {
    ballast_client_settings settings;
    chip_governor_cfg cfg;
    uint64_t cycle;     /* the one that goes on, from 0              */
    uint32_t launches;  /* kernels that have started                 */
    uint32_t next_cta;  /* of the kernel that has started last       */
    uint64_t names[CLIENT_NAMES]; /* of the kernels so far, hashed: the first has the number 1 */
    bool early_said;
    /* what the governors see and hold; sm[] has `sms` elements */
    chip_governor_in *in;
    chip_governor_out *out;
    chip_governor_state *state;
    sm_governor_out one; /* of BALLAST_CLIENT_ONE_SM */
    /* complaints */
    uint64_t complaints;
    uint32_t status;
    char last[CLIENT_LINE];
    struct client_record *record; /* NULL: none is written */
    client_sm sm[];
};

static inline uint64_t client_bit(unsigned n)
{
    return UINT64_C(1) << n;
}

static inline unsigned client_lowest(uint64_t mask)
{
    unsigned n = 0;

    while (!(mask >> n & 1))
        n++;
    return n;
}

/* A line that is no complaint, such as why open or a recording fails. */
void ballast_client_say(const ballast_client_settings *settings, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A complaint about the cycle that goes on; SM, slot or warp if >= 0. */
typedef struct client_place {
    int sm, slot, warp;
} client_place;
void ballast_client_complain(ballast_client *client, client_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* All that was said of the SM's cycle is put right and complained about: after it start, done, states and issues are such that a GPU can
 * have them, and start_warps are the warps of who starts. */
void ballast_client_settle(ballast_client *client, unsigned sm);
/* The governor's inputs of a settled cycle. */
void ballast_client_pack(const ballast_client *client, unsigned sm, sm_governor_in *in);
/* Bits of the warps that a CTA has in this cycle, of those that leave and of those that come. */
uint64_t ballast_client_owned(const client_sm *s);

void ballast_client_record_kernel(ballast_client *client, uint32_t sm, const ballast_client_kernel *kernel, const client_kernel *known);
/* Of a settled cycle. */
void ballast_client_record_cycle(ballast_client *client);

#pragma GCC visibility pop

#endif
