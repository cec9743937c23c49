/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the client: the activity simulator as a simulator of somebody else, that knows <ballast/client.h> and nothing else of the
 * governors. It says what happens in a cycle in a random order.
 */
#ifndef BALLAST_FOREIGN_FIXTURE_H
#define BALLAST_FOREIGN_FIXTURE_H

#include "ballast/client.h"
#include "gpu/chip_sim.h"

typedef struct foreign {
    chip_sim *sim;
    sim_control control;
    const sm_obs *const *obs; /* of the last cycle            */
    ballast_client *clients[MACHINE_MAX_SMS]; /* one of the chip, or one per SM */
    unsigned num_clients;
    bool by_request_alone; /* its dispatcher knows may_launch, and no limit */
    bool says_class;       /* for a recording                               */
    uint64_t seed;         /* of the order                                  */
} foreign;

/* The geometry of the machine; everything else at its default. */
ballast_client_settings foreign_settings(const machine *m);
/* The settings' scope says whether there is one client, or one per SM. */
void foreign_open(foreign *f, const machine *m, const workload *w, const ballast_client_settings *settings);
/* One cycle; false at the end. */
bool foreign_step(foreign *f);
/* The clients have nothing to complain about. */
void foreign_close(foreign *f);
/* What a client has recorded into the folder, of a chip like this, becomes a trace at `path`. */
void foreign_import(const machine *m, const char *folder, const char *path);

/* A small chip, and kernels that keep governors busy. */
machine foreign_machine(void);
workload foreign_streaming(void);
workload foreign_thrashing(void);
workload foreign_grid_2d(void);

#endif
