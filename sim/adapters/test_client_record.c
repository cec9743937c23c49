/* SPDX-License-Identifier: Apache-2.0
 *
 * The client's recorder: what is imported from it is what the simulator itself records of the same run, its class is the classifier's in
 * every cycle, the bytes are those of the page, and a recording is whole or absent.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "adapters/foreign_fixture.h"
#include "engine/suite_fixture.h"
#include "gpu/loop_run.h"
#include "recording/trace.h"
#include "replay/scratch_fixture.h"
#include "sm/stall_classifier.h"

enum { PATH = 500, TEXT = 4096 };

static char dir[400], heard[TEXT];

static void hear(void *user, const char *line)
{
    (void)user;
    snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s\n", line);
}

static int set_up(void **state)
{
    scratch_make(dir, sizeof dir);
    heard[0] = '\0';
    (void)state;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return scratch_remove(dir);
}

#define RECORD_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static unsigned recorded_files(void)
{
    return scratch_count(dir, "cyc.bin") + scratch_count(dir, "ker.csv") + scratch_count(dir, "cta.csv");
}

/* ---- beside the simulator's own recording ---------------------------------------------- */

static void simulate(const machine *m, const workload *w, unsigned policy, const char *path)
{
    loop_job job = {.request = run_default(m, w), .record = path};
    run_result result;
    char err[LOOP_ERR] = "";

    job.request.policy = (uint8_t)policy;
    if (!loop_run_models(&job, NULL, &result, err))
        fail_msg("%s", err);
}

static void record(const machine *m, const workload *w, unsigned policy, const uint32_t *sms, unsigned num)
{
    ballast_client_settings settings = foreign_settings(m);
    static foreign f;

    settings.policy = policy;
    settings.complain = hear;
    foreign_open(&f, m, w, &settings);
    f.says_class = true;
    assert_true(ballast_client_record(f.clients[0], dir, sms, num));
    while (foreign_step(&f)) {
    }
    assert_int_equal(scratch_count(dir, "cyc.bin.tmp"), 1);
    assert_true(ballast_client_record_end(f.clients[0]));
    assert_string_equal(heard, "");
    foreign_close(&f);
    assert_int_equal(recorded_files(), 3);
    assert_int_equal(scratch_count(dir, ".tmp"), 0);
}

static void open_both(trace_reader *r[2], const char *const paths[2])
{
    for (unsigned i = 0; i < 2; i++) {
        trace_err err = {.text = ""};

        r[i] = trace_open(paths[i], NULL, &err);
        if (!r[i])
            fail_msg("%s", err.text);
    }
}

static void compare_launches(const trace_meta *a, const trace_meta *b)
{
    assert_int_equal(a->num_launches, b->num_launches);
    for (unsigned i = 0; i < a->num_launches; i++) {
        assert_int_equal(a->launches[i].start_cycle, b->launches[i].start_cycle);
        assert_int_equal(a->launches[i].limit, b->launches[i].limit);
        assert_true(ballast_kernel_desc_equal(&a->launches[i].desc, &b->launches[i].desc));
    }
}

/* Of warps that are there. Which slot an empty one belonged to last is nobody's business. */
static bool same_owners(const sm_obs *a, const sm_obs *b)
{
    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++)
        if (sm_obs_warp_state(a, w) && a->setup->warp_slot[w] != b->setup->warp_slot[w])
            return false;
    return true;
}

static bool same_cycle(const sm_obs *a, const sm_obs *b)
{
    return !memcmp(a->ws, b->ws, sizeof a->ws) && a->cta_active == b->cta_active && a->cta_start == b->cta_start && a->cta_done == b->cta_done &&
           a->kernel_start == b->kernel_start && ballast_kernel_desc_equal(&a->setup->kernel, &b->setup->kernel) && same_owners(a, b);
}

/* The class in the cycle that was read last is that of the classifier; none is noted of an empty SM. */
static bool agrees(trace_reader *r, const sm_obs *obs, const machine *m)
{
    stall_classifier_cfg cfg = stall_classifier_cfg_default();
    const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    stall_classifier_out out;
    trace_err err = {.text = ""};
    uint8_t class;

    cfg.num_warps = m->warps;
    out = stall_classifier_of(&cfg, &in);
    assert_true(trace_recorded_class(r, &class, &err));
    return obs->cta_active ? class == out.ps_class : class > BALLAST_PS_ACTIVE;
}

/* r[0] is the simulator's, r[1] the import: the same in every cycle in which there is a CTA, which are in both. */
static unsigned compare_sm(trace_reader *r[2], unsigned sm, const machine *m)
{
    trace_err err = {.text = ""};
    unsigned busy = 0;
    const sm_obs *a, *b;

    for (unsigned i = 0; i < 2; i++)
        assert_true(trace_select_sm(r[i], sm, &err));
    for (uint64_t cycle = 0; (b = trace_next(r[1], &err)); cycle++) {
        a = trace_next(r[0], &err);
        assert_non_null(a);
        if (!same_cycle(a, b))
            fail_msg("SM %u, cycle %llu: the import is not what the simulator has recorded", sm, (unsigned long long)cycle);
        if (!agrees(r[1], b, m))
            fail_msg("SM %u, cycle %llu: another class", sm, (unsigned long long)cycle);
        busy += b->cta_active != 0;
    }
    while ((a = trace_next(r[0], &err)))
        assert_int_equal(a->cta_active, 0);
    assert_string_equal(err.text, "");
    return busy;
}

static void compare_recordings(const machine *m, const workload *w, unsigned policy, const uint32_t *sms, unsigned num)
{
    char own[PATH], imported[PATH];
    trace_reader *r[2];
    unsigned busy = 0;

    snprintf(own, sizeof own, "%s/own.blt", dir);
    snprintf(imported, sizeof imported, "%s/imported.blt", dir);
    simulate(m, w, policy, own);
    record(m, w, policy, sms, num);
    foreign_import(m, dir, imported);
    open_both(r, (const char *const[]){own, imported});
    compare_launches(trace_get_meta(r[0]), trace_get_meta(r[1]));
    assert_int_equal(trace_num_sms(r[1]), num ? num : m->sms);
    for (unsigned i = 0; i < trace_num_sms(r[1]); i++)
        busy += compare_sm(r, trace_get_sm(r[1], i)->sm, m);
    assert_true(busy > 1000);
    trace_close(r[0]);
    trace_close(r[1]);
    scratch_remove(dir);
    scratch_make(dir, sizeof dir);
}

static workload shorter(workload w, uint32_t ctas)
{
    w.ctas = ctas;
    w.insts = 80;
    return w;
}

RECORD_TEST(an_import_is_what_the_simulator_records_itself)
{
    const machine small = foreign_machine();
    machine fermi = *machine_find("fermi"), hopper = *machine_find("hopper");
    const workload w[] = {shorter(foreign_thrashing(), 40), shorter(foreign_grid_2d(), 40), shorter(foreign_streaming(), 20)};

    fermi.sms = 3;
    hopper.sms = 2; /* 64 warps and 32 slots: format 2 */
    for (unsigned i = 0; i < 3; i++) {
        compare_recordings(&small, &w[i], BALLAST_POLICY_STATIC, NULL, 0);
        compare_recordings(&fermi, &w[i], BALLAST_POLICY_STATIC, (const uint32_t[]){2, 0}, 2);
        compare_recordings(&hopper, &w[i], BALLAST_POLICY_STATIC, NULL, 0);
    }
    compare_recordings(&small, &w[0], BALLAST_POLICY_PERFSAT, NULL, 0);
    compare_recordings(&small, &w[1], BALLAST_POLICY_LCS, (const uint32_t[]){1}, 1);
}

/* ---- bytes ----------------------------------------------------------------------------- */

static ballast_client *open_chip(uint32_t warps, uint32_t slots)
{
    ballast_client_settings s = ballast_client_defaults();

    s.warps = warps;
    s.slots = slots;
    s.complain = hear;
    return ballast_client_open(&s);
}

/* Two kernels on SM 2, a slot that is left and taken in one cycle, the highest slot and warp. */
static void play(ballast_client *c, uint32_t slots, bool class)
{
    const uint32_t last = slots - 1, per_cta = slots == 8 ? 6 : 2;
    const ballast_client_kernel first = {.name = "a \"quoted\", name", .nmax = slots, .warps_per_cta = per_cta, .grid = {5, 2}, .block = {16, 3}, .regs_per_thread = 7,
                                         .smem_per_cta = 100},
                                second = {.nmax = 2, .grid = {3}, .block = {per_cta * 32}};

    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &first);
    ballast_client_cta_start(c, 2, 1, 0);
    ballast_client_step(c); /* 0 */
    ballast_client_issued(c, 2, per_cta, true);
    ballast_client_warp_state(c, 2, per_cta + 1, BALLAST_WARP_WAIT_ALU);
    ballast_client_cta_start(c, 2, last, 1);
    if (class)
        ballast_client_sm_class(c, 2, BALLAST_PS_ACTIVE);
    ballast_client_step(c); /* 1 */
    ballast_client_warp_state(c, 2, last * per_cta + per_cta - 1, BALLAST_WARP_MEM_BLOCKED);
    ballast_client_cta_done(c, 2, 1);
    ballast_client_cta_start(c, 2, 1, BALLAST_CLIENT_NEXT_CTA);
    if (class)
        ballast_client_sm_class(c, 2, BALLAST_PS_PIPELINE);
    ballast_client_step(c); /* 2 */
    ballast_client_cta_done(c, 2, 1);
    ballast_client_cta_done(c, 2, last);
    ballast_client_step(c); /* 3 */
    ballast_client_step(c); /* 4: nobody is there */
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &second);
    ballast_client_step(c); /* 5 */
    ballast_client_cta_start(c, 2, 0, 9);
    ballast_client_step(c); /* 6 */
    ballast_client_cta_done(c, 2, 0);
    ballast_client_step(c); /* 7 */
}

static void expect_text(const char *name, const char *text)
{
    char *found = scratch_slurp(scratch_path(dir, name));

    assert_string_equal(found, text);
    free(found);
}

static const char *hex_of(const char *name)
{
    static char text[TEXT];
    FILE *f = fopen(scratch_path(dir, name), "rb");
    unsigned n = 0;

    assert_non_null(f);
    for (int byte = fgetc(f); byte != EOF; byte = fgetc(f), n += 2)
        snprintf(text + n, sizeof text - n, "%02x", (unsigned)byte);
    fclose(f);
    return text;
}

RECORD_TEST(the_bytes_of_format_1)
{
    ballast_client *c = open_chip(48, 8);

    assert_true(ballast_client_record(c, dir, (const uint32_t[]){2}, 1));
    play(c, 8, true);
    assert_true(ballast_client_record_end(c));
    expect_text("ker.csv", "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle,is_2d,grid_x,grid_y,grid_z,block_x,block_y,block_z,nmax\n"
                           "1,\"a \"\"quoted\"\", name\",10,48,6,7,100,8,0,1,5,2,1,16,3,1,8\n"
                           "2,\"\",3,192,6,0,0,2,5,0,3,1,1,192,1,1,2\n");
    expect_text("cta.csv", "cycle,sm,slot,event,kernel,warps_per_cta,cta\n"
                           "0,2,1,launch,1,6,0\n1,2,7,launch,1,6,1\n2,2,1,done,1,6,0\n2,2,1,launch,1,6,2\n3,2,1,done,1,6,2\n3,2,7,done,1,6,1\n"
                           "6,2,0,launch,2,6,9\n7,2,0,done,2,6,9\n");
    assert_string_equal(hex_of("cyc.bin"),
                        "00000000" "02" "00" "02" "00" "000000000000000000000000000000000000000000000000"
                        "01000000" "02" "30" "82" "00" "0000003a0000000000000000000000000000000000000000"
                        "02000000" "02" "20" "82" "02" "000000000000000000000000000000000000000000000080"
                        "03000000" "02" "00" "00" "82" "000000000000000000000000000000000000000000000000"
                        "06000000" "02" "00" "01" "00" "000000000000000000000000000000000000000000000000"
                        "07000000" "02" "00" "00" "01" "000000000000000000000000000000000000000000000000");
    assert_string_equal(ballast_client_last_complaint(c), "");
    ballast_client_close(c);
}

/* Bit 6 of byte 5: the simulator has noted no class. */
RECORD_TEST(the_bytes_of_format_2)
{
    ballast_client *c = open_chip(64, 32);

    assert_true(ballast_client_record(c, dir, (const uint32_t[]){2}, 1));
    play(c, 32, true);
    assert_true(ballast_client_record_end(c));
    expect_text("cta.csv", "cycle,sm,slot,event,kernel,warps_per_cta,cta\n"
                           "0,2,1,launch,1,2,0\n1,2,31,launch,1,2,1\n2,2,1,done,1,2,0\n2,2,1,launch,1,2,2\n3,2,1,done,1,2,2\n3,2,31,done,1,2,1\n"
                           "6,2,0,launch,2,2,9\n7,2,0,done,2,2,9\n");
#define ROW(cycle, class, resident, done, first, second, last) cycle "000000" "02" class "0000" resident done first second "00000000000000000000000000000000000000000000000000000000" last
    assert_string_equal(hex_of("cyc.bin"),
                        ROW("00", "40", "02000000", "00000000", "00", "00", "0000")
                        ROW("01", "30", "02000080", "00000000", "00", "3a", "0000")
                        ROW("02", "20", "02000080", "02000000", "00", "00", "0080")
                        ROW("03", "40", "00000000", "02000080", "00", "00", "0000")
                        ROW("06", "40", "01000000", "00000000", "00", "00", "0000")
                        ROW("07", "40", "00000000", "01000000", "00", "00", "0000"));
    ballast_client_close(c);
}

RECORD_TEST(a_missing_class_is_said_at_the_end)
{
    ballast_client *c = open_chip(48, 8);
    char want[TEXT];

    assert_true(ballast_client_record(c, dir, NULL, 0));
    play(c, 8, true);
    assert_true(ballast_client_record_end(c));
    snprintf(want, sizeof want, "ballast client: %s: in 4 of 6 records the simulator's own class is missing; 'ballast agree' cannot judge these: call "
                                "ballast_client_sm_class in every cycle\n", dir);
    assert_string_equal(heard, want);
    assert_int_equal(ballast_client_status(c), 0);
    ballast_client_close(c);
}

/* ---- whole or absent --------------------------------------------------------------------- */

static void expect_failure(ballast_client *c, const char *why)
{
    char want[TEXT];

    assert_false(ballast_client_record_end(c));
    snprintf(want, sizeof want, "%s; the recording is given up\n", why);
    if (!strstr(heard, want))
        fail_msg("'%s' is not in '%s'", want, heard);
    assert_int_equal(ballast_client_status(c), BALLAST_CLIENT_RECORD_FAILED);
    assert_int_equal(recorded_files(), 0);
    assert_string_equal(ballast_client_last_complaint(c), "");
    ballast_client_close(c);
}

static const ballast_client_kernel plain = {.nmax = 4, .warps_per_cta = 2, .grid = {9}, .block = {64}};

static ballast_client *begin(void)
{
    ballast_client *c = open_chip(48, 8);

    assert_true(ballast_client_record(c, dir, NULL, 0));
    return c;
}

static ballast_client *begin_kernel(void)
{
    ballast_client *c = begin();

    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &plain);
    return c;
}

RECORD_TEST(ctas_that_are_still_there)
{
    ballast_client *c = begin_kernel();

    ballast_client_cta_start(c, 0, 0, 0);
    ballast_client_step(c);
    expect_failure(c, "an SM still holds a CTA; end a recording when all have finished");
}

RECORD_TEST(nothing_happens)
{
    ballast_client *c = begin_kernel();

    ballast_client_step(c);
    expect_failure(c, "there was no CTA on the SMs to be recorded");
}

RECORD_TEST(a_kernel_on_one_sm)
{
    ballast_client *c = begin();

    ballast_client_kernel_start(c, 3, &plain);
    ballast_client_step(c);
    expect_failure(c, "a kernel starts on one SM; recordings have kernels that start on BALLAST_CLIENT_ALL_SMS");
}

RECORD_TEST(a_kernel_without_a_grid)
{
    ballast_client *c = begin();
    ballast_client_kernel k = plain;

    k.grid[0] = 0;
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &k);
    expect_failure(c, "the kernel's grid[0] or block[0] is 0; a recording needs both");
}

RECORD_TEST(a_kernel_that_is_too_large)
{
    ballast_client *c = begin();
    ballast_client_kernel k = plain;

    k.block[0] = 70000;
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &k);
    expect_failure(c, "the kernel's grid, block or regs_per_thread is more than a recording can hold");
}

RECORD_TEST(warps_that_are_not_those_of_the_slot)
{
    ballast_client *c = begin_kernel();

    ballast_client_cta_start_in(c, 0, 0, 0, 6);
    ballast_client_step(c);
    expect_failure(c, "a CTA has other warps than those of its slot; recordings do not have that");
}

RECORD_TEST(a_kernel_from_before)
{
    ballast_client *c = open_chip(48, 8);

    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &plain);
    ballast_client_step(c);
    assert_true(ballast_client_record(c, dir, NULL, 0));
    ballast_client_cta_start(c, 0, 0, 0);
    ballast_client_step(c);
    expect_failure(c, "a CTA starts of a kernel that is not in the recording; call ballast_client_record before the kernel starts");
}

/* A file cannot grow any more: what a full disk does, too. The simulation goes on. */
static void record_on_a_full_disk(rlim_t bytes, unsigned cycles)
{
    struct rlimit before, small;
    ballast_client *c = begin_kernel();

    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    for (unsigned slot = 0; slot < 4; slot++)
        ballast_client_cta_start(c, 0, slot, slot);
    for (unsigned n = 0; n < cycles; n++)
        ballast_client_step(c);
    for (unsigned slot = 0; slot < 4; slot++)
        ballast_client_cta_done(c, 0, slot);
    ballast_client_step(c);
    expect_failure(c, "cannot write (is the disk full?)");
    setrlimit(RLIMIT_FSIZE, &before);
    assert_ptr_equal(strchr(heard, '\n'), heard + strlen(heard) - 1); /* one line */
    heard[0] = '\0';
}

RECORD_TEST(a_full_disk)
{
    record_on_a_full_disk(4096, 20000); /* in the middle      */
    record_on_a_full_disk(40, 3);       /* only at the end    */
    record_on_a_full_disk(0, 3);        /* not even the heads */
}

static void expect_refusal(ballast_client *c, const char *folder, const uint32_t *sms, unsigned num, const char *why)
{
    char want[TEXT];

    heard[0] = '\0';
    assert_false(ballast_client_record(c, folder, sms, num));
    snprintf(want, sizeof want, "ballast client: %s%s\n", folder, why);
    assert_string_equal(heard, want);
    assert_int_equal(ballast_client_status(c), 0);
}

RECORD_TEST(no_recording_is_begun)
{
    ballast_client *c = open_chip(48, 8), *other = begin();
    char path[PATH];

    snprintf(path, sizeof path, "%s/none", dir);
    expect_refusal(c, path, NULL, 0, "/ker.csv.tmp: cannot create: No such file or directory; is the folder there?");
    expect_refusal(c, dir, NULL, 0, "/ker.csv.tmp: cannot create: File exists; somebody writes it, or has left it: then remove it");
    expect_refusal(other, dir, NULL, 0, ": a recording is written already; call ballast_client_record_end first");
    ballast_client_close(other);
    assert_int_equal(recorded_files(), 0);
    expect_refusal(c, dir, (const uint32_t[]){1, 15}, 2, ": there is no SM 15 to record; there are 0 to 14");
    assert_int_equal(recorded_files(), 0);
    scratch_spew(scratch_path(dir, "cta.csv"), "somebody's");
    expect_refusal(c, dir, NULL, 0, "/cta.csv is there already; name another folder, or remove it");
    assert_int_equal(recorded_files(), 1);
    expect_text("cta.csv", "somebody's");
    ballast_client_kernel_start(c, BALLAST_CLIENT_ALL_SMS, &plain);
    ballast_client_cta_start(c, 4, 0, 0);
    ballast_client_step(c);
    expect_refusal(c, dir, NULL, 0, ": SM 4 holds a CTA; call ballast_client_record before a kernel starts");
    ballast_client_close(c);
}

/* Closing ends it, and the next one may begin when that is done. */
RECORD_TEST(close_ends_a_recording)
{
    ballast_client *c = begin();

    play(c, 8, false);
    ballast_client_close(c);
    assert_int_equal(recorded_files(), 3);
    assert_int_equal(scratch_count(dir, ".tmp"), 0);
}
