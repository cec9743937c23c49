/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the activity simulator: a machine and a kernel with easy numbers, one SM with a program
 * written by hand, and the rules that the observation bus keeps in every cycle.
 */
#ifndef BALLAST_ACTIVITY_FIXTURE_H
#define BALLAST_ACTIVITY_FIXTURE_H

#include <stddef.h>

#include "gpu/chip_sim.h"

/* One SM of 8 warp and 4 CTA slots with one scheduler, and a memory whose cycles are as long as the SM's. */
machine fixture_machine(void);
/* One CTA of one warp, 100 instructions of the ALU, each needs the result of the one before. */
workload fixture_workload(void);

/* A number of a machine or workload that a row of a table changes: offsetof(machine, warps), say; 0 ends a list. */
typedef struct fixture_set {
    size_t at;
    uint32_t to;
} fixture_set;

#define M(member) offsetof(machine, member)
#define W(member) offsetof(workload, member)
void fixture_change(void *machine_or_workload, const fixture_set *changes);

typedef struct fixture_limit {
    const char *name;
    size_t member;
    int64_t least, most;
} fixture_limit;

typedef bool fixture_accepts(const fixture_set *change, char *err, unsigned size);
/* Both ends of each range are accepted, and what lies beyond is refused with one line "NAME is ...; give ...". */
void fixture_limits(const fixture_limit *limits, unsigned num, fixture_accepts *accepts);

/* ---- one SM ----------------------------------------------------------------------- */

enum {
    LAB_CYCLES = 4096,
    LAB_FIRST = 4,                     /* the cycle in which new warps can issue: one is fetched until then */
    LAB_MISS = 10 + 13 + 17 + 2 + 10   /* cycles that the fixture's memory takes for a line, without load   */
};

typedef struct sm_lab {
    const char *name; /* in messages */
    machine m;
    workload w;
    program p;
    memory mem;
    ballast_kernel_desc desc;
    sim_sm sm;
    sm_control control;
    uint64_t now;
    unsigned cycles; /* that have been run                                          */
    char states[BALLAST_MAX_WARPS][LAB_CYCLES + 1]; /* what each warp did, a letter each */
    sm_obs seen[LAB_CYCLES];
    sm_setup setups[LAB_CYCLES]; /* of seen[] */
} sm_lab;

/* A warp's states as letters: . empty, B barrier, N no instruction, A waits for the ALU, M for memory,
 * l and x ready for the ALU and lost or blocked, k and y the same for memory, I issued, L issued to memory. */
extern const char lab_letters[BALLAST_WARP_STATES + 1];

/* An SM with this body: a ALU, s SFU, j branch, l load, w store, m shared memory, | barrier. Nothing uses
 * anything, loads go anywhere in the kernel's data; the test changes lab->p.body. A warp executes it once. Machine NULL: the
 * fixture's. The lab holds until the next one is opened. */
sm_lab *lab_open(const machine *m, const workload *w, const char *body);
/* The fixture's kernel with CTAs of `warps` warps, the first `ctas` of them launched. */
sm_lab *lab_begin(const machine *m, unsigned warps, unsigned ctas, const char *body);
/* CTA number `cta` comes in with the next cycle. */
void lab_launch(sm_lab *lab, uint32_t cta);
void lab_run(sm_lab *lab, unsigned cycles);
/* Until the SM is empty; fails after LAB_CYCLES. */
void lab_run_out(sm_lab *lab);
/* What the warp did from LAB_FIRST on begins with these letters; the lab goes on that long. */
void lab_expect(sm_lab *lab, unsigned warp, const char *states);
/* The warps that issue from LAB_FIRST on, one digit per cycle, - for none; the lab goes on that long. */
void lab_expect_order(sm_lab *lab, const char *order);
/* The cycle in which the warp shows one of the letters for the nth time, from 0. */
unsigned lab_cycle_of(const sm_lab *lab, unsigned warp, const char *letters, unsigned nth);

/* A program, and what its warps do with it. A member that is 0 or NULL is not looked at. */
typedef struct lab_row {
    const char *name, *body;
    unsigned warps, ctas; /* of a CTA; that are launched; 0: one */
    fixture_set machine[7], workload[3];
    struct {
        uint8_t at, uses, uses_load;
    } uses[3];              /* of instruction `at` of the body */
    sm_control control;
    unsigned cycles;        /* to run; 0: until the SM is empty */
    const char *states[4];  /* of warps 0 to 3, for lab_expect  */
    const char *order;
    unsigned done;          /* the only cycle in which a CTA finishes      */
    unsigned took;          /* from warp 0's first access to its first ALU instruction */
    uint64_t reads, writes; /* of the memory                               */
    uint64_t l1_lines;
} lab_row;

void lab_check(const lab_row *rows, unsigned num);
#define LAB_CHECK(rows) lab_check(rows, sizeof(rows) / sizeof(rows)[0])

/* ---- the chip --------------------------------------------------------------------- */

/* Everybody asks for CTAs all the time, nothing is paused, nominal levels. */
sim_control fixture_control(void);
chip_sim *fixture_open(const machine *m, const workload *w, uint64_t seed);

/* What the bus of one SM showed in the cycle before. */
typedef struct bus_rules {
    unsigned schedulers;
    uint32_t held; /* CTA slots after the last cycle */
    unsigned ctas; /* that have finished             */
    uint64_t issued;
} bus_rules;

/* Fails if the bus breaks a rule of sm_obs.h or doc/blocks/timing.md in this cycle. */
void bus_check(bus_rules *b, const sm_obs *obs, const sm_control *control);

/* To the end with the bus checked on every SM; fails after `most` cycles. Returns the cycles. */
uint64_t fixture_run_checked(chip_sim *sim, const sim_control *control, uint64_t most);
/* The same with a control that `steer` changes after every cycle. */
typedef void fixture_steer(sim_control *control, uint64_t cycle);
uint64_t fixture_run_steered(chip_sim *sim, sim_control *control, fixture_steer *steer, uint64_t most);

#endif
