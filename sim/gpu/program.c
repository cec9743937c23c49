/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/program.h"

#include <string.h>

/* A number from 0 to 2^64 - 1 that depends on all of its arguments and nothing else. */
static uint64_t hash(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1b54a32d192ed03) + c * UINT64_C(0x8cb92ba72f3d8dd7);

    x ^= x >> 31;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* 0 to 1, 1 not included. */
static double part(uint64_t number)
{
    return (double)(number >> 11) * 0x1p-53;
}

/* ---- the body --------------------------------------------------------------------- */

/* Deals places out by shares: the one furthest behind its share is next, so that every count is right to
 * within one place at any time. */
typedef struct quota {
    double share, behind;
} quota;

static void pass_place(quota *all, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        all[i].behind += all[i].share;
}

static unsigned next_of(quota *all, unsigned num)
{
    unsigned most = 0;

    pass_place(all, num);
    for (unsigned i = 1; i < num; i++)
        if (all[i].behind > all[most].behind)
            most = i;
    all[most].behind -= 1;
    return most;
}

/* A distance with this mean, from half of it to one and a half, from 1 to what a warp keeps track of. */
static unsigned distance(double mean, uint64_t number)
{
    const double d = mean * (0.5 + part(number)) + 0.5;
    const unsigned most = PROGRAM_WINDOW - 1;

    return d < 1 ? 1 : d > most ? most : (unsigned)d;
}

static bool is_barrier(const workload *w, unsigned at)
{
    /* The body has whole periods only if they divide it; elsewhere the nearest place does. */
    return w->barrier_every && at % w->barrier_every == w->barrier_every - 1;
}

static bool gives_result(const program *p, unsigned at)
{
    const uint8_t op = p->body[at % PROGRAM_BODY].op;

    return op == OP_ALU || op == OP_SFU || op == OP_SHARED;
}

/* The distance nearest to the one drawn at which there is a result of the ALU, SFU or shared memory: loads
 * have a distance of their own. 0: nowhere. */
static uint8_t result_near(const program *p, unsigned at, unsigned drawn)
{
    for (unsigned off = 0; off < PROGRAM_WINDOW; off++) {
        if (drawn > off && gives_result(p, at + PROGRAM_BODY - (drawn - off)))
            return (uint8_t)(drawn - off);
        if (drawn + off < PROGRAM_WINDOW && gives_result(p, at + PROGRAM_BODY - (drawn + off)))
            return (uint8_t)(drawn + off);
    }
    return 0;
}

static bool free_to_use(const program *p, unsigned at)
{
    return !p->body[at % PROGRAM_BODY].uses_load;
}

/* An instruction near `drawn` after the load works on its data; each works on one load's at most. */
static void connect_load(program *p, unsigned at, unsigned drawn)
{
    for (unsigned off = 0; off < PROGRAM_WINDOW; off++) {
        unsigned d = 0;

        if (drawn + off < PROGRAM_WINDOW && free_to_use(p, at + drawn + off))
            d = drawn + off;
        else if (drawn > off && free_to_use(p, at + drawn - off))
            d = drawn - off;
        if (d) {
            p->body[(at + d) % PROGRAM_BODY].uses_load = (uint8_t)d;
            return;
        }
    }
}

static void connect(program *p)
{
    const workload *w = p->workload;

    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        instruction *i = &p->body[at];

        if (i->op != OP_BARRIER && i->op != OP_BRANCH)
            i->uses = result_near(p, at, distance(w->alu_distance, hash(p->seed, 2, at)));
        if (i->op == OP_LOAD)
            connect_load(p, at, distance(w->load_distance, hash(p->seed, 3, at)));
    }
}

/* The first register is that of the result it waits for. The others are some of the few that live long: addresses, bounds, constants. */
enum { LONG_LIVED = 4 };

static void connect_operands(program *p)
{
    const double mean = p->workload->operands > 0 ? p->workload->operands : 2;
    double behind = 0;

    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        instruction *i = &p->body[at];

        if (i->op != OP_ALU)
            continue;
        behind += mean;
        i->operands = (uint8_t)(behind + 0.5);
        behind -= i->operands;
        for (unsigned n = 0; n < i->operands; n++)
            i->reads[n] = (uint8_t)(hash(p->seed, 7 + n, at) % LONG_LIVED);
        if (i->uses)
            i->reads[0] = program_register(at - i->uses);
    }
}

static double rest(double a, double b, double c, double d, double e)
{
    return 1 - a - b - c - d - e;
}

void program_make(program *p, const workload *w, uint64_t seed)
{
    /* Barriers stand in places of the ALU's. */
    quota operations[OPERATIONS] = {[OP_ALU] = {rest(w->loads, w->stores, w->shared, w->sfu, w->branches), 0},
                                    [OP_LOAD] = {w->loads, 0}, [OP_STORE] = {w->stores, 0}, [OP_SHARED] = {w->shared, 0},
                                    [OP_SFU] = {w->sfu, 0}, [OP_BRANCH] = {w->branches, 0}};
    quota localities[LOCALITIES] = {[STREAM] = {rest(w->warp_reuse, w->cta_reuse, w->neighbour_reuse, w->random, 0), 0},
                                    [WARP_REUSE] = {w->warp_reuse, 0}, [CTA_REUSE] = {w->cta_reuse, 0},
                                    [NEIGHBOUR_REUSE] = {w->neighbour_reuse, 0}, [RANDOM] = {w->random, 0}};

    memset(p, 0, sizeof *p);
    p->workload = w;
    p->seed = seed;
    p->warps = workload_warps(w);
    p->sharers = w->cta_x && w->cta_x < PROGRAM_ROW ? PROGRAM_ROW / w->cta_x : 1;
    for (unsigned at = 0; at < PROGRAM_BODY; at++) {
        instruction *i = &p->body[at];

        if (is_barrier(w, at)) {
            pass_place(operations, OPERATIONS);
            operations[OP_ALU].behind -= 1;
            i->op = OP_BARRIER;
            continue;
        }
        i->op = (uint8_t)next_of(operations, OPERATIONS);
        if (i->op == OP_LOAD)
            i->locality = (uint8_t)next_of(localities, LOCALITIES);
        if (i->op == OP_LOAD && i->locality == WARP_REUSE)
            i->ordinal = (uint16_t)p->warp_reuses++;
    }
    connect(p);
    connect_operands(p);
}

/* ---- a warp's own ----------------------------------------------------------------- */

uint32_t program_length(const program *p, uint32_t cta)
{
    const double longer = p->workload->spread * (part(hash(p->seed, 5, cta)) - 0.5);
    const double length = p->workload->insts * (1 + longer);

    return length < 1 ? 1 : (uint32_t)length;
}

/* Each kind of data has a region of its own, in the space of its kernel; lines are numbers below 2^62. */
enum { REGION_BITS = 56, SPACE_BITS = 60 };

static uint64_t region(const program *p, enum locality locality)
{
    return (uint64_t)p->kernel << SPACE_BITS | (uint64_t)locality << REGION_BITS;
}

/* The first of the CTAs that share this one's lines. Rows of the grid share nothing. */
static uint32_t first_sharer(const program *p, uint32_t cta)
{
    const uint32_t column = p->workload->grid_x ? cta % p->workload->grid_x : cta;

    return p->sharers > 1 ? cta - column % p->sharers : cta;
}

/* Where the lines begin that the CTA shares with those before and after it in its row: half a set further than those of the one before;
 * rows of the grid do not meet. */
static uint64_t neighbourhood(const workload *w, uint32_t cta)
{
    const uint64_t rows_before = w->grid_x ? cta / w->grid_x : 0;

    return (cta + rows_before) * ((w->neighbour_set + 1) / 2);
}

static uint64_t line_of(const program *p, enum locality locality, uint32_t cta, uint32_t warp, uint32_t at, unsigned n)
{
    const workload *w = p->workload;
    const bool shared = locality == STREAM || locality == CTA_REUSE;
    const uint32_t home = shared ? first_sharer(p, cta) : cta;
    const uint64_t number = hash(p->seed ^ ((uint64_t)home << 32 | warp), at, n);
    const uint64_t stream = ((uint64_t)home * p->warps + warp) * w->insts * 2;
    const uint64_t most = w->lines > w->store_lines ? w->lines : w->store_lines; /* of one access: streams are dense */
    const uint64_t turn = (uint64_t)(at / PROGRAM_BODY) * p->warp_reuses + program_at(p, at)->ordinal;

    switch (locality) {
    /* Around and around, as loops do: LRU holds all of it or nothing. */
    case WARP_REUSE: return region(p, locality) + ((uint64_t)cta * p->warps + warp) * w->warp_set + (turn * w->lines + n) % w->warp_set;
    case CTA_REUSE: return region(p, locality) + (uint64_t)home * w->cta_set + number % w->cta_set;
    case NEIGHBOUR_REUSE: return region(p, locality) + neighbourhood(w, cta) + number % w->neighbour_set;
    case RANDOM: return region(p, locality) + number % w->footprint;
    default: return region(p, STREAM) + ((stream + at) * most + n) % (UINT64_C(1) << REGION_BITS);
    }
}

unsigned program_lines(const program *p, uint32_t cta, uint32_t warp, uint32_t at, uint64_t lines[PROGRAM_LINES])
{
    const instruction *i = program_at(p, at);
    const enum locality locality = (enum locality)i->locality;
    const unsigned stores = p->workload->store_lines;
    const unsigned num = i->op == OP_STORE && stores ? stores : p->workload->lines;

    for (unsigned n = 0; n < num; n++)
        lines[n] = line_of(p, locality, cta, warp, at, n);
    return num;
}
