/* SPDX-License-Identifier: Apache-2.0
 *
 * cke_resources: what the CTAs of several kernels hold of an SM's slots, warps, registers and shared memory (GWDE-2, CKE-A1).
 * One instance per SM, inside mcke. doc/blocks/cke_resources.md; rtl/sm/cke_resources.sv is the twin.
 */
#ifndef BALLAST_CKE_RESOURCES_H
#define BALLAST_CKE_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BALLAST_CKE_MAX_KERNELS 4

/* Elaboration parameters: what the SM has, and how many kernels may share it. */
typedef struct cke_resources_cfg {
    uint32_t num_kernels; /* 2..BALLAST_CKE_MAX_KERNELS, default 2             */
    uint32_t num_slots;   /* CTA slots, 1..32, default 8                       */
    uint32_t num_warps;   /* 1..64, default 48                                 */
    uint32_t reg_units;   /* 1..65534, default 1024                            */
    uint32_t smem_units;  /* 1..65534, default 384                             */
} cke_resources_cfg;

/* A field per kernel, kernel 0 in the lowest bits: ballast_cke_field reads one, ballast_cke_with_field writes one. */
typedef struct cke_resources_in {
    uint64_t regs;     /* what one CTA needs: fields of register units,        */
    uint64_t smem;     /* of shared memory units,                              */
    uint32_t warps;    /* of warps                                             */
    uint32_t cta_done; /* slots whose CTA finishes in this cycle               */
    uint8_t may;       /* a bit per kernel: it may come here, but for the room */
    uint8_t take;      /* a CTA that fits is launched, if a slot is free,      */
    uint8_t kernel;    /* of this kernel                                       */
} cke_resources_in;

typedef struct cke_resources_out {
    uint64_t owner;     /* a field per slot: the kernel of its CTA             */
    uint32_t ctas;      /* a field per kernel: its CTAs that are counted       */
    uint32_t active;    /* slots whose CTA has not finished before this cycle  */
    uint16_t free_regs; /* register units that nobody holds                    */
    uint16_t free_smem; /* shared memory units                                 */
    uint8_t fits;       /* a bit per kernel: an entire CTA of it fits          */
    uint8_t ready;      /* a bit per kernel: one of it may come now            */
    uint8_t taken;      /* one came in the cycle before and is not counted yet */
    uint8_t slot;       /* where it goes, 0 if no slot is free                 */
    uint8_t count;      /* CTAs of all kernels that are counted                */
    uint8_t due;        /* a CTA has finished, and what it took comes back     */
} cke_resources_out;

typedef struct cke_resources_state {
    uint64_t owner;     /* a field per slot: the kernel that holds it          */
    uint32_t held;      /* slots whose CTA holds resources                     */
    uint32_t returning; /* of these, those whose CTA has finished; and the one that has just returned */
    uint16_t regs;      /* free register units                                 */
    uint16_t smem;      /* free shared memory units                            */
    uint8_t warps;      /* free warps                                          */
    uint8_t ready;      /* a bit per kernel: one of its CTAs may come now      */
    uint8_t move;       /* the bit of the kernel whose CTA came or went last, and is to be counted */
    uint8_t taken;      /* it came                                             */
    uint8_t ctas[BALLAST_CKE_MAX_KERNELS]; /* CTAs of each kernel that are counted */
} cke_resources_state;

/* How many bits say any number up to `most`. */
static inline unsigned ballast_cke_width(uint32_t most)
{
    unsigned width = most != 0;

    for (unsigned half = 16; half; half /= 2) /* five steps: it is asked many times in a cycle */
        if (most >> half) {
            most >>= half;
            width += half;
        }
    return width;
}

/* Field `n` of fields that hold numbers up to `most`. */
static inline uint32_t ballast_cke_field(uint64_t fields, unsigned n, uint32_t most)
{
    const unsigned width = ballast_cke_width(most);

    return (uint32_t)(fields >> n * width & ((UINT64_C(1) << width) - 1));
}

static inline uint64_t ballast_cke_with_field(uint64_t fields, unsigned n, uint32_t most, uint32_t value)
{
    const unsigned width = ballast_cke_width(most);
    const uint64_t ones = (UINT64_C(1) << width) - 1;

    return (fields & ~(ones << n * width)) | (value & ones) << n * width;
}

cke_resources_cfg cke_resources_cfg_default(void);
void cke_resources_reset(cke_resources_state *state, const cke_resources_cfg *cfg);
/* The outputs of a cycle, which do not depend on `may`, `take` and `kernel`. */
void cke_resources_look(const cke_resources_state *state, const cke_resources_cfg *cfg, const cke_resources_in *in,
                        cke_resources_out *out);
/* Outputs for this cycle, then one rising edge. */
void cke_resources_step(cke_resources_state *state, const cke_resources_cfg *cfg, const cke_resources_in *in,
                        cke_resources_out *out);

#ifdef __cplusplus
}
#endif
#endif
