/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernel's CTA the dispatcher of several kernels launches: turns and modes, and the mixes of Table 3.
 */
#include "blocks/mcke/bench.h"

/* ---- which kernel -------------------------------------------------------------------------- */

RULE(cke_a1_in_turn, "CKE-A1: the kernels in turn, each with a turn of its own among the SMs", "mcke_two")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    start(b, 0, 9);
    start(b, 1, 9);
    quota(b, 0, 2);
    quota(b, 1, 2);
    ask(b, 1);
    cycles(b, 3);
    expect_order(b, "0:0 1:1"); /* SM 0 was just served */
    expect_no_launch(b, 2);
    expect_order(b, "0:0 1:1"); /* and is ready before SM 1 again */
    expect_no_launch(b, 2);
    expect_order(b, "1:0 0:1");
    expect_no_launch(b, 8);
    expect(b, "sm[0].ctas_o=6 sm[1].ctas_o=9");
}

RULE(cke_a1_alone_on_an_sm, "CKE-A1: kernels that share one SM get it in turn, and each turn waits for its kernel", "mcke_three")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    for (unsigned k = 0; k < 3; k++)
        start(b, k, 30);
    b->in.sm[2].req = 1;
    cycles(b, 3);
    for (unsigned n = 0; n < 6; n++) {
        cycle(b);
        expect(b, "start_valid_o=1 start_kernel_o=%u start_sm_o=2 turn_q=%u", n % 3, (n + 1) % 3);
        expect_no_launch(b, 3);
        expect(b, "turn_q=%u", (n + 2) % 3); /* the next one has been chosen */
    }
}

/* One turn for all would give SM 0 to kernel 0 and SM 1 to kernel 1. */
RULE(cke_a1_turns, "CKE-A1: the turn moves behind the kernel that got a launch, and only then", "mcke_three")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    for (unsigned k = 0; k < 3; k++)
        start(b, k, 30);
    cycles(b, 5);
    expect(b, "turn_q=0 after_q[0]=0 after_q[1]=0 after_q[2]=0 after_q[3]=0");
    quota(b, 0, 0); /* kernel 0 is passed */
    b->in.sm[2].req = 1;
    cycle(b);
    b->in.sm[2].req = 0;
    cycles(b, 2);
    expect(b, "turn_q=2 after_q[0]=0 after_q[1]=0 after_q[2]=0 after_q[3]=2");
    quota(b, 0, 8);
    cycles(b, 4);
    expect(b, "turn_q=2");
    ask(b, 1);
    cycles(b, 3);
    expect_order(b, "2:0 0:1 1:3 2:2 0:0 1:1 2:3 0:2");
}

RULE(cke_a1_run_starts_anew, "CKE-A1: with all kernels idle, a run begins with kernel 0 and SM 0", "mcke_two")
{
    needs(b, 1, 1, 1);
    start(b, 0, 1);
    cycles(b, 4);
    expect_launch(b, 0, 0, 0, 0);
    expect(b, "turn_q=1 after_q[1]=1");
    finish(b, 0, 1);
    cycle(b);
    start(b, 1, 2); /* kernel 0 is idle, so all are */
    expect(b, "turn_q=0 after_q[0]=0 after_q[1]=1");
    cycles(b, 3);
    expect(b, "turn_q=0 after_q[0]=0 after_q[1]=3"); /* behind the last kernel comes the first */
    start(b, 0, 2); /* kernel 1 holds something: the turn stays */
    expect(b, "after_q[1]=0 start_valid_o=1 turn_q=0"); /* kernel 1 has gone round */
}

/* A kernel that starts beside one that has had its turn: the turn is not moved. */
RULE(cke_a1_start_beside, "CKE-A1: a start beside a kernel that runs leaves the turn", "mcke_two")
{
    needs(b, 1, 1, 1);
    start(b, 0, 9);
    cycles(b, 3);
    expect(b, "turn_q=1");
    ask(b, 0);
    start(b, 1, 9);
    expect(b, "turn_q=1 left_q[1]=9");
}

RULE(gwde5_leftover, "GWDE-5: leftover: the first kernel takes all it can, the second one what remains", "mcke_two")
{
    b->in.mode = MCKE_LEFTOVER;
    ask(b, 0);
    needs(b, 3, 1, 1); /* two fit, and leave one warp */
    start(b, 0, 7);
    needs(b, 1, 1, 1);
    start(b, 1, 9);
    ask(b, 1);
    cycles(b, 3);
    expect_order(b, "0:0 0:1");
    expect_no_launch(b, 2);
    expect_order(b, "0:0 0:1");
    expect_no_launch(b, 2);
    expect_order(b, "1:0 1:1");
    expect_no_launch(b, 5);
    finish(b, 1, 4); /* of kernel 1: kernel 0 does not fit */
    expect_no_launch(b, 4);
    expect_order(b, "1:1");
    expect(b, "left_q[0]=3");
    expect_no_launch(b, 3);
    finish(b, 1, 1); /* of kernel 0: both fit, and kernel 0 comes first */
    expect_no_launch(b, 4);
    expect_order(b, "0:1");
    expect_no_launch(b, 5);
    quota(b, 0, 1); /* at its quota: kernel 1 gets the rest */
    finish(b, 0, 2);
    expect_no_launch(b, 4);
    expect_order(b, "1:0");
    expect_no_launch(b, 5);
    expect(b, "left_q[0]=2 sm[0].ctas_o=9");
}

RULE(gwde5_leftover_by_number, "GWDE-5: leftover: the number says who is first, not the start", "mcke_two")
{
    b->in.mode = MCKE_LEFTOVER;
    needs(b, 1, 1, 1);
    ask(b, 0);
    start(b, 1, 9);
    start(b, 0, 2);
    ask(b, 1);
    cycles(b, 3);
    expect_order(b, "0:0 0:1");
    expect_no_launch(b, 2);
    expect_order(b, "1:0 1:1");
    expect_no_launch(b, 2);
    expect_order(b, "1:0 1:1");
}

RULE(gwde5_queue, "GWDE-5: queue: the second kernel begins with the last CTA of the first one", "mcke_three")
{
    b->in.mode = MCKE_QUEUE;
    ask(b, 0);
    needs(b, 24, 1, 1); /* two fit */
    start(b, 0, 9);
    needs(b, 1, 1, 1);
    start(b, 1, 3);
    start(b, 2, 99);
    ask(b, 1);
    cycles(b, 3);
    expect_order(b, "0:0 0:1 0:2 0:3 0:0 0:1 0:2 0:3");
    expect_no_launch(b, 5);
    expect(b, "left_q[0]=1 left_q[1]=3 left_q[2]=99 sm[0].denied_o=7"); /* no warp is free */
    quota(b, 0, 0);
    finish(b, 2, 1); /* there is room, and kernel 0 keeps it */
    expect_no_launch(b, 6);
    expect(b, "sm[2].denied_o=0");
    quota(b, 0, 8);
    cycles(b, 3);
    expect_order(b, "0:2");
    expect_no_launch(b, 5);
    finish(b, 3, 1); /* all chosen: the next ones come, in order */
    expect_no_launch(b, 4);
    expect_order(b, "1:3");
    expect_no_launch(b, 3);
    expect_order(b, "1:3");
    expect_no_launch(b, 3);
    expect_order(b, "1:3");
    expect_no_launch(b, 3);
    expect_order(b, "2:3");
}

RULE(cke2_apart, "CKE-2: apart: different kernels on different SMs", "mcke_three")
{
    b->in.mode = MCKE_APART;
    ask(b, 0);
    needs(b, 24, 1, 1);
    for (unsigned k = 0; k < 3; k++)
        start(b, k, 20);
    ask(b, 1);
    cycles(b, 3);
    expect_order(b, "0:0 1:1 2:2 0:3 0:0 1:1 2:2 0:3");
    expect_no_launch(b, 9);
    expect(b, "sm[0].denied_o=7 sm[1].denied_o=7 sm[3].ctas_o=2"); /* full, or another kernel's */
    finish(b, 1, 1);
    expect(b, "sm[1].denied_o=5 sm[0].denied_o=7");
    expect_no_launch(b, 4);
    expect_order(b, "1:1");
    expect_no_launch(b, 4);
    b->in.mode = MCKE_QUOTAS; /* what an SM holds stays; the next ones go anywhere */
    finish(b, 1, 1);
    expect_no_launch(b, 4);
    expect_order(b, "2:1");
    cycle(b);
    expect(b, "sm[1].ctas_o=272");
}

/* ---- Table 3 --------------------------------------------------------------------------------- */

/* Warps of a CTA, and T_new, of each kernel. */
typedef struct mix {
    const char *name;
    unsigned warps[2], ctas[2];
} mix;

static const mix table3[] = {
    {"CP-LPS", {4, 4}, {3, 5}},  {"MMUL-VADD", {8, 8}, {2, 3}}, {"MUM-BLK", {8, 4}, {2, 4}},
    {"MMUL-RAY", {8, 4}, {2, 2}}, {"CP-MADD", {4, 8}, {3, 4}},  {"KMN-SRAD", {8, 8}, {1, 5}},
};

static void start_mix(bench *b, const mix *m)
{
    dut_reset(&b->dut);
    for (unsigned k = 0; k < 2; k++) {
        quota(b, k, m->ctas[k]);
        needs(b, m->warps[k], 0, 0); /* the table says nothing of registers and shared memory */
        start(b, k, 10000);
    }
}

static void expect_mix(bench *b, const mix *m)
{
    for (unsigned i = 0; i < sms(b); i++)
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(resident(b, i, k), m->ctas[k]);
}

RULE(cke3_table3, "CKE-3: the six mixes of Table 3, on every SM, at once and as CTAs come and go", "mcke")
{
    uint64_t seed = 0x7ab1e3;

    for (const mix *m = table3; m < table3 + 6; m++) {
        start_mix(b, m);
        cycles(b, 2 * sms(b) * (m->ctas[0] + m->ctas[1]));
        expect_mix(b, m);
        expect_no_launch(b, 5);
        for (unsigned n = 0; n < 300; n++) {
            for (unsigned i = 0; i < sms(b); i++)
                b->in.sm[i].cta_done = random_set(&seed, 8, 30);
            cycle(b);
            for (unsigned i = 0; i < sms(b); i++)
                for (unsigned k = 0; k < 2; k++)
                    assert_in_range(resident(b, i, k), 0, m->ctas[k]);
        }
        for (unsigned i = 0; i < sms(b); i++)
            b->in.sm[i].cta_done = 0;
        cycles(b, 200);
        expect_mix(b, m);
        expect_no_launch(b, 3);
    }
}

/* The last one is exactly full: 1536 threads. With one thread more per CTA it is not. */
RULE(cke3_exactly_full, "CKE-3: KMN-SRAD fills an SM", "mcke")
{
    start_mix(b, &table3[5]);
    cycles(b, 200);
    expect(b, "sm[0].warps_q=0 sm[14].warps_q=0 sm[0].ctas_o=81 sm[14].ctas_o=81 sm[0].denied_o=3");
    start_mix(b, &(mix){"", {9, 8}, {1, 5}});
    cycles(b, 200);
    expect(b, "sm[0].warps_q=7 sm[14].warps_q=7 sm[0].ctas_o=65 sm[14].ctas_o=65");
}

/* Without quotas, and the first kernel first, the mixes are others. */
RULE(gwde5_table3_leftover, "GWDE-5: leftover without quotas: as many of the first kernel as fit, and then of the second", "mcke")
{
    static const unsigned most[6][2] = {{8, 0}, {6, 0}, {6, 0}, {6, 0}, {8, 0}, {6, 0}};

    b->in.mode = MCKE_LEFTOVER;
    for (unsigned n = 0; n < 6; n++) {
        dut_reset(&b->dut);
        for (unsigned k = 0; k < 2; k++) {
            quota(b, k, 8);
            needs(b, table3[n].warps[k], 0, 0);
            start(b, k, 10000);
        }
        cycles(b, 200);
        for (unsigned i = 0; i < sms(b); i++)
            for (unsigned k = 0; k < 2; k++)
                assert_int_equal(resident(b, i, k), most[n][k]);
    }
}

/* CKE-4: what LCS leaves unused of CP-LPS, if a CTA of CP had 41 register units and one of LPS 30. */
RULE(cke4_unused, "CKE-4: registers and shared memory that nobody holds are reported", "mcke")
{
    quota(b, 0, 3);
    quota(b, 1, 5);
    needs(b, 4, 41, 10);
    start(b, 0, 100);
    needs(b, 4, 30, 7);
    start(b, 1, 100);
    cycles(b, 200);
    expect(b, "sm[0].free_regs_o=751 sm[0].free_smem_o=319 sm[14].free_regs_o=751 sm[14].free_smem_o=319");
}
