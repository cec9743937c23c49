/* SPDX-License-Identifier: Apache-2.0
 *
 * Waveforms as recordings: what was exported comes back byte by byte; a bench's waveform with a clock, packed signals and codes of its own
 * gives the same recording as its raw form; and what is wrong with a waveform or its map.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/raw_dump.h"
#include "engine/suite_fixture.h"
#include "recording/raw_fixture.h"
#include "recording/trace_fixture.h"
#include "recording/vcd_export.h"

#define EXPORTED "doc/use/exported.map"

/* Of the test that runs. */
static world w;
static raw_import_options opt;
static trace_err err;
static trace_reader *r;
static char vcd_path[500], map_path[500], ker_path[500], again[500];

static void name_files(void)
{
    snprintf(vcd_path, sizeof vcd_path, "%s", world_path(&w, "x.vcd"));
    snprintf(map_path, sizeof map_path, "%s", world_path(&w, "x.map"));
    snprintf(ker_path, sizeof ker_path, "%s", world_path(&w, "k.csv"));
    snprintf(again, sizeof again, "%s", world_path(&w, "again.blt"));
}

static int set_up_1(void **state)
{
    (void)state;
    world_make(&w, &opt);
    name_files();
    return 0;
}

static int set_up_2(void **state)
{
    (void)state;
    world_make_2(&w, &opt);
    name_files();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trace_close(r);
    r = NULL;
    remove(vcd_path);
    remove(map_path);
    remove(ker_path);
    remove(again);
    remove(world_path(&w, "x.fst"));
    world_free(&w);
    return 0;
}

static void spew(const char *name, const char *text) { world_spew(&w, name, text, strlen(text)); }

/* ---- what was exported -------------------------------------------------------------- */

static void export_from(const char *path)
{
    static const trace_walk_options options = {.progress = NULL};
    FILE *vcd = fopen(vcd_path, "w"), *ker = fopen(ker_path, "w");
    const bool ok = vcd_export(path, vcd, ker, &options, &err);

    if (!ok)
        fail_msg("%s", err.text);
    fclose(vcd);
    fclose(ker);
}

static void from_waveform(const char *path, const char *map)
{
    opt.dir = NULL;
    opt.source = &raw_dump_source;
    opt.dump_path = path;
    opt.map_path = map;
    opt.ker_path = ker_path;
    opt.out_path = again;
}

static bool same(const char *one, const char *other)
{
    size_t n, m;
    uint8_t *a = fixture_slurp(one, &n), *b = fixture_slurp(other, &m);
    const bool equal = n == m && memcmp(a, b, n) == 0;

    free(a);
    free(b);
    return equal;
}

static void expect_again(const char *path, const char *waveform, const char *map)
{
    from_waveform(waveform, map);
    world_import(&opt, &r);
    assert_true(same(path, again));
}

TEST_BETWEEN(records_of_version_2_come_back, set_up_2, tear_down)
{
    world_import(&opt, &r);
    export_from(w.out);
    expect_again(w.out, vcd_path, EXPORTED);
    world_expect(&w, r);
}

TEST_BETWEEN(records_of_version_1_come_back, set_up_1, tear_down)
{
    world_import(&opt, &r);
    export_from(w.out);
    expect_again(w.out, vcd_path, EXPORTED);
    world_expect(&w, r);
}

/* A shipped recording, which the import gets the texts and the geometry of. */
static void expect_shipped(const char *path)
{
    world_like(&opt, path);
    export_from(path);
    expect_again(path, vcd_path, EXPORTED);
    trace_close(r);
    r = NULL;
}

TEST_BETWEEN(shipped_recordings_come_back, set_up_2, tear_down)
{
    expect_shipped("vectors/volta/fma.n16.blt");
    expect_shipped("vectors/volta/srad.n8.blt"); /* two kernels */
    expect_shipped("vectors/hotspot.n2.blt");    /* SMs that end in different cycles, a 2-D grid */
}

/* Paused warps fit into a waveform, and not into raw records. */
TEST_BETWEEN(paused_warps_come_back, set_up_1, tear_down)
{
    enum { FROM = 5, CYCLES_OF_IT = 12 };
    trace_launch launch = {.name = "k", .desc = {.grid_ctas = 1, .threads_per_cta = 64, .warps_per_cta = 2, .nmax = 4}, .limit = 4,
                           .start_cycle = FROM};
    const trace_meta meta = {.geometry = {.warps = 48, .slots = 8, .sms = 1, .issue_width = 2}, .num_launches = 1, .launches = &launch};
    trace_writer *writer = trace_writer_open(w.out, &meta, &err);

    for (unsigned i = 0; i < CYCLES_OF_IT; i++) {
        sm_setup setup = {.kernel = launch.desc};
        sm_obs obs = {.kernel_start = i == 0, .cta_start = i == 1, .cta_active = i >= 1, .cta_done = i == CYCLES_OF_IT - 1, .setup = &setup};

        for (unsigned warp = 0; warp < 16; warp++)
            setup.warp_slot[warp] = (uint8_t)(warp / 2);
        sm_obs_set_warp_state(&obs, 1, i > 1 ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_EMPTY);
        obs.paused = i >= 4 && i < 8 ? 3 : 0;
        if (!trace_writer_cycle(writer, 0, FROM + i, &obs, TRACE_NO_CLASS, &err))
            fail_msg("%s", err.text);
    }
    assert_true(trace_writer_close(writer, &err));
    opt.geometry = meta.geometry;
    opt.kernel = opt.config = opt.recorder = NULL;
    opt.config_limit = 0;
    export_from(w.out);
    from_waveform(vcd_path, EXPORTED);
    world_import(&opt, &r);
    for (unsigned i = 0; i < CYCLES_OF_IT; i++)
        assert_int_equal(trace_next(r, &err)->paused, i >= 4 && i < 8 ? 3 : 0);
}

/* ---- a bench's waveform ------------------------------------------------------------- */

/* Registers change at the rising edge of the clock, 5 behind each multiple of 10; before reset they are x. States are packed, the first
 * warp in the highest bits, and coded as 15 minus the code; who issues is in signals of its own, beside a state that means nothing. */
static const char bench_map[] =
    "clock = \"tb.clk\"; when = \"tb.rst_n\"; kernel_start = \"tb.start\";\n"
    "state = \"tb.sm{sm}.gen[{warp}].state\"; issued_alu = \"tb.sm{sm}.issued[0:47]\"; issued_mem = \"tb.sm{sm}.issued[48:95]\";\n"
    "cta_start = \"tb.sm{sm}.cta[7:0]\"; cta_done = \"tb.sm{sm}.cta[15:8]\"; class = \"tb.sm{sm}.class\";\n"
    "states = { empty = 15; barrier = 14; no_inst = 13; wait_alu = 12; wait_mem = 11; alu_lost = 10; alu_blocked = 9; mem_lost = [8, 20];\n"
    "           mem_blocked = 7; };\n"
    "classes = { idle = 1; scoreboard = 2; pipeline = 3; active = 0; none = [4, 7]; };\n";

enum { BENCH_WARPS = 48, BENCH_END = CYCLES };

static void put_bits(FILE *f, uint64_t value, unsigned width)
{
    for (unsigned i = width; i-- > 0;)
        putc(value >> i & 1 ? '1' : '0', f);
}


/* Bit 0 of [0:95] is the most significant one. Warp w is bit w of its slice, counted from the least significant one. */
static void put_sm(FILE *f, unsigned sm, const expected *e)
{
    static const unsigned class_of[] = {1, 2, 3, 0};
    const sm_obs *o = &e->bus.obs;
    uint64_t alu = 0, mem = 0;

    for (unsigned warp = 0; warp < BENCH_WARPS; warp++) {
        unsigned state = sm_obs_warp_state(o, warp);

        alu |= (uint64_t)(state == BALLAST_WARP_ISSUED_ALU) << warp;
        mem |= (uint64_t)(state == BALLAST_WARP_ISSUED_MEM) << warp;
        if (state >= BALLAST_WARP_ISSUED_ALU)
            state = BALLAST_WARP_ALU_LOST;
        putc('b', f);
        put_bits(f, 15 - state, 5);
        fprintf(f, " s%u_%u\n", sm, warp);
    }
    putc('b', f);
    put_bits(f, alu, BENCH_WARPS);
    put_bits(f, mem, BENCH_WARPS);
    fprintf(f, " i%u\nb", sm);
    put_bits(f, (uint64_t)o->cta_done << 8 | o->cta_start, 16);
    fprintf(f, " c%u\nb", sm);
    put_bits(f, e->cls == TRACE_NO_CLASS ? 7 : class_of[e->cls], 3);
    fprintf(f, " l%u\n", sm);
}

static void put_bench_head(FILE *f)
{
    fputs("$date today $end\n$timescale 1 ps $end\n$scope module tb $end\n$var reg 1 ! clk $end\n$var reg 1 \" rst_n $end\n"
          "$var reg 1 # start $end\n$var real 64 r load $end\n", f);
    for (unsigned sm = 0; sm < SMS; sm++) {
        fprintf(f, "$scope module sm%u $end\n", w.number[sm]);
        for (unsigned warp = 0; warp < BENCH_WARPS; warp++)
            fprintf(f, "$scope module gen[%u] $end\n$var reg 5 s%u_%u state [4:0] $end\n$upscope $end\n", warp, sm, warp);
        fprintf(f, "$var reg 96 i%u issued[0:95] $end\n$var reg 16 c%u cta [15:0] $end\n$var reg 3 l%u class [2:0] $end\n$upscope $end\n", sm, sm,
                sm);
    }
    fputs("$upscope $end\n$enddefinitions $end\n", f);
}

/* `late`: the clock's line comes behind those of the registers that it sets, and says the time again. */
static void put_bench(const char *path, bool late)
{
    FILE *f = fopen(path, "w");

    put_bench_head(f);
    fputs("$dumpvars\n0!\n0\"\nx#\nr0.5 r\n$end\n", f);
    for (unsigned cycle = 0; cycle < BENCH_END; cycle++) { /* its values are there from the edge before it on */
        fprintf(f, "#%u\n", cycle ? 10 * cycle - 5 : 0U);
        if (cycle && !late)
            fputs("1!\n", f);
        if (cycle == 3)
            fputs("1\"\n", f);
        if (cycle >= 3)
            fprintf(f, "%c#\n", cycle == FIRST || cycle == SECOND ? '1' : '0');
        for (unsigned sm = 0; cycle >= FIRST && sm < SMS; sm++)
            put_sm(f, sm, &w.sm[sm][cycle]);
        if (cycle && late)
            fprintf(f, "#%u\n1!\n", 10 * cycle - 5);
        fprintf(f, "$comment between $end\n#%u\n0!\n", 10 * cycle);
    }
    fprintf(f, "#%d\n1!\n", 10 * BENCH_END - 5);
    fclose(f);
}

static void expect_bench(const char *map)
{
    spew("x.map", map);
    spew("k.csv", "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm\n1,first,40,64,2,22,6144,3\n"
                  "2,\"second, \"\"quoted\"\"\",40,128,4,22,6144,3\n");
    expect_again(w.out, vcd_path, map_path);
}

TEST_BETWEEN(the_waveform_of_a_bench_is_the_recording, set_up_1, tear_down)
{
    world_import(&opt, &r);
    put_bench(vcd_path, false);
    expect_bench(bench_map);
    put_bench(vcd_path, true);
    expect_bench(bench_map);
}

/* `text` with its first `from` as `to`; until the call after the next. */
static const char *edited(const char *text, const char *from, const char *to)
{
    static char made[2][1 << 12];
    static unsigned which;
    const char *at = strstr(text, from);

    which = !which;
    assert_non_null(at);
    snprintf(made[which], sizeof made[which], "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made[which];
}

/* It falls in the middle of a cycle: the first time in cycle 0, before anything. */
TEST_BETWEEN(cycles_end_at_the_edge_that_the_map_names, set_up_1, tear_down)
{
    world_import(&opt, &r);
    put_bench(vcd_path, false);
    expect_bench(edited(bench_map, "clock = \"tb.clk\";", "clock = \"tb.clk\"; edge = \"falling\"; first_cycle = 1;"));
}

static void change_map(const char *from, const char *to)
{
    spew("x.map", edited(bench_map, from, to));
    world_import(&opt, &r);
}

/* With nothing left. */
static void refused(const char *file, const char *why)
{
    remove(again);
    remove(w.out);
    opt.out_path = w.out;
    world_expect_refused(&w, &opt, file, why);
}

static void map_change_refused(const char *from, const char *to, const char *file, const char *why)
{
    spew("x.map", edited(bench_map, from, to));
    refused(file, why);
}

/* Each of these maps is one mistake, and the recording is another one, or none. */
TEST_BETWEEN(a_map_with_a_mistake_gives_another_recording, set_up_1, tear_down)
{
    world_import(&opt, &r);
    put_bench(vcd_path, false);
    expect_bench(bench_map);
    change_map("issued[48:95]", "issued[0:47]");
    assert_false(same(w.out, again));
    change_map("wait_alu = 12; wait_mem = 11;", "wait_alu = 11; wait_mem = 12;");
    assert_false(same(w.out, again));
    change_map("clock = \"tb.clk\";", "clock = \"tb.clk\"; first_cycle = 1;");
    assert_false(same(w.out, again));
    map_change_refused("cta[7:0]", "cta[15:8]", "x.vcd", "a warp is in use that belongs to no CTA");
    map_change_refused("[0:47]", "[47:0]", "x.map", "the signal is [0:95]");
    map_change_refused("when = \"tb.rst_n\";", "", "x.vcd", "tb.start (kernel_start) is x or z");
}

/* ---- FST ---------------------------------------------------------------------------- */

static char fst_path[500];

/* The bench's waveform and its map; the bytes of the file. */
static uint8_t *make_fst(size_t *n)
{
    static char line[8192];

    world_import(&opt, &r);
    put_bench(vcd_path, false);
    expect_bench(bench_map);
    snprintf(fst_path, sizeof fst_path, "%s", world_path(&w, "x.fst"));
    snprintf(line, sizeof line, "vcd2fst '%s' '%s' >/dev/null", vcd_path, fst_path);
    assert_int_equal(system(line), 0); // NOLINT(cert-env33-c): the test's own words
    return fixture_slurp(fst_path, n);
}

TEST_BETWEEN(an_fst_is_its_vcd, set_up_1, tear_down)
{
    size_t n;
    uint8_t *p = make_fst(&n);

    expect_again(w.out, fst_path, map_path);
    for (size_t left = n - 1; left > n / 16; left -= n / 16) {
        world_spew(&w, "x.fst", p, left);
        refused("x.fst", "an FST that does not end where its blocks end");
    }
    free(p);
}

TEST_BETWEEN(a_damaged_fst_gives_a_recording_or_a_line, set_up_1, tear_down)
{
    size_t n;
    uint8_t *p = make_fst(&n);
    uint32_t rnd = 7;
    unsigned lines = 0, damaged = 0;

    from_waveform(fst_path, map_path);
    for (unsigned i = 0; i < 30; i++) {
        const size_t at = 330 + fixture_random(&rnd, (uint32_t)n - 330);

        p[at] ^= 0x55;
        world_spew(&w, "x.fst", p, n);
        p[at] ^= 0x55;
        remove(again);
        if (!raw_import(&opt, &err)) {
            lines++;
            damaged += strstr(err.text, "x.fst: a damaged FST") != NULL;
            assert_null(strchr(err.text, '\n'));
            assert_true(err.text[0]);
        }
    }
    assert_true(lines > 15);
    assert_true(damaged > 0);
    free(p);
}

/* ---- what is wrong ------------------------------------------------------------------ */

static const char small_map[] = "period = 10; kernel_start = \"tb.start\"; cta_start = \"tb.cta_start\"; cta_done = \"tb.cta_done\";\n"
                                "state = \"tb.w{warp}\"; cta_active = \"tb.active\";\n";

static const char small_vcd[] =
    "$timescale 1 ns $end $comment one line $end\n"
    "$scope module tb $end\n"
    "$var wire 1 k start $end\n"
    "$var wire 2 s cta_start [1:0] $end\n"
    "$var wire 2 d cta_done [1:0] $end\n"
    "$var wire 2 v active [1:0] $end\n"
    "$var wire 4 a w0 [3:0] $end\n"
    "$var wire 4 b w1 [3:0] $end\n"
    "$var real 64 r load $end\n"
    "$upscope $end\n"
    "$enddefinitions $end\n"
    "#70\n1k\nb0 s\nb0 d\nb0 v\nb0 a\nb0 b\n"
    "#80\n0k\nb1 s\nb1 v\n"
    "#90\nb0 s\nb100 a\n"
    "#113\nb1001 a\n"
    "#120\nb1 d\n"
    "#130\nb0 d\nb0 a\nb0 v\n"
    "#140\n";

static void small_files(const char *vcd, const char *map)
{
    spew("x.vcd", vcd);
    spew("x.map", map);
    spew("k.csv", "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm\n1,k,1,32,1,8,0,2\n");
    from_waveform(vcd_path, map_path);
    opt.geometry = (trace_geometry){.warps = 2, .slots = 2, .sms = 1, .issue_width = 1};
}

TEST_BETWEEN(without_a_clock_a_cycle_has_the_values_at_its_end, set_up_1, tear_down)
{
    static const unsigned states[] = {0, 0, 4, 4, 9, 9};
    const sm_obs *o;

    small_files(small_vcd, small_map);
    world_import(&opt, &r);
    for (unsigned i = 0; i < sizeof states / sizeof *states; i++) {
        o = trace_next(r, &err);
        assert_non_null(o);
        assert_int_equal(trace_cycle(r), 7 + i);
        assert_int_equal(sm_obs_warp_state(o, 0), states[i]);
        assert_int_equal(o->kernel_start, i == 0);
        assert_int_equal(o->cta_start, i == 1);
        assert_int_equal(o->cta_done, i == 5);
    }
    assert_null(trace_next(r, &err));
}

/* Whichever of its files the line names. */
static void vcd_refused(const char *from, const char *to, const char *why)
{
    small_files(edited(small_vcd, from, to), small_map);
    refused(w.dir, why);
}

static void map_refused(const char *from, const char *to, const char *file, const char *why)
{
    small_files(small_vcd, edited(small_map, from, to));
    refused(file, why);
}

TEST_BETWEEN(what_is_wrong_with_a_waveform, set_up_1, tear_down)
{
    vcd_refused("#90\nb0 s\nb100 a", "#90\nb0 s\nbx a", "line 26: cycle 9: tb.w0 (state) is x or z");
    vcd_refused("b100 a", "bz00 a", "is x or z");
    vcd_refused("b100 a", "b1100 a", "cycle 9: tb.w0 is 12, which is no state");
    vcd_refused("#120\n", "#100\n", "line 28: time goes back from 113 to 100");
    vcd_refused("#120\n", "#12x\n", "\"#12x\" is no time");
    vcd_refused("#120\n", "#99999999999999999999999\n", "is no time");
    vcd_refused("#140\n", "#9999999999999\n", "nothing changes up to cycle");
    vcd_refused("#130\nb0 d\nb0 a\nb0 v\n#140\n", "", "SM 0 still holds CTAs");
    vcd_refused("#120\nb1 d\n#130\nb0 d\nb0 a\nb0 v\n#140\n", "#120\nb1", "line 29: the file ends in the middle");
    vcd_refused("b1 d\n", "b1 ", "which is no signal's code");
    vcd_refused("b1 d\n", "b1 q\n", "line 29: a value of \"q\", which is no signal's code");
    vcd_refused("b1 d\n", "b111 d\n", "\"111\" is no value of 2 bits");
    vcd_refused("b1 d\n", "b12 d\n", "\"12\" is no value of 2 bits");
    vcd_refused("b1 d\n", "qello d\n", "\"qello\" is no change of a value");
    vcd_refused("$enddefinitions $end\n#70", "", "is this a VCD?");
    vcd_refused("$var wire 4 b w1 [3:0] $end\n", "", "no signal \"tb.w1\"");
    vcd_refused("wire 4 b", "wire 4294967300 b", "line 8: a signal of \"4294967300\" bits");
    vcd_refused("wire 4 b w1 [3:0]", "wire 0 b w1", "tb.w1 is a real number or a text");
    vcd_refused("wire 4 b w1 [3:0]", "real 64 b w1", "is a real number or a text");
    vcd_refused("wire 4 b", "wire -4 b", "a signal of \"-4\" bits");
    vcd_refused("wire 2 s cta_start [1:0]", "wire 3 s cta_start [2:0]", "tb.cta_start has 3 bits, and cta_start needs 1 for each of 2");
    vcd_refused("wire 4 b w1", "wire 4 s w1", "another signal of the same code");
    vcd_refused("$upscope $end\n", "$upscope $end $upscope $end\n", "$upscope without a $scope");
    vcd_refused("b1 s\nb1 v", "b1 s\nb10 v", "SM 0: cta_active is 0x2, and by cta_start and cta_done it is 0x1");
    vcd_refused("b1 s\nb1 v", "b1 d\nb0 v", "done, but the slot holds no CTA");
    vcd_refused("1k", "0k", "kernel_start is 1 in 0 cycles");
    vcd_refused("0k", "1k", "kernel_start is 1 in");
}

TEST_BETWEEN(what_is_wrong_with_a_map, set_up_1, tear_down)
{
    map_refused("period = 10;", "", "x.map", "give either clock, a signal, or period");
    map_refused("period = 10;", "period = 10; clock = \"tb.start\";", "x.map", "give either clock, a signal, or period");
    map_refused("period = 10;", "period = 10; edge = \"up\";", "x.map", "edge is \"up\"; give rising or falling");
    map_refused("period = 10;", "period = 10; first_cycle = 4;", "x.map", "go with clock");
    map_refused("period = 10;", "perid = 10;", "x.map", "perid is no key");
    map_refused("period = 10;", "period = \"10\";", "x.map", "period must be a whole number");
    map_refused("state = \"tb.w{warp}\";", "", "x.map", "state is missing");
    map_refused("\"tb.w{warp}\";", "\"tb.w{warp}", "x.map", "syntax error");
    map_refused("w{warp}", "w{wrap}", "x.map", "a { begins {sm}, {warp} or {slot}");
    map_refused("w{warp}", "w{slot}", "x.map", "state has a number of warps or CTA slots in its name that it has not");
    map_refused("tb.cta_done", "tb.cta_dune", "x.vcd", "no signal \"tb.cta_dune\", which");
    map_refused("tb.cta_done", "tb.cta_done[5:4]", "x.map", "the signal is [1:0]");
    map_refused("tb.cta_done", "tb.cta_done[1]", "x.map", "tb.cta_done[1] has 1 bits, and cta_done needs 1 for each of 2");
    map_refused("tb.start", "tb.load", "x.map", "tb.load is a real number or a text");
    map_refused("state =", "states = { wait_mem = 4; waits = 5; }; state =", "x.map", "waits is no such word");
    map_refused("state =", "states = { wait_mem = 4; wait_alu = [3, 4]; }; state =", "x.map", "has a value that another word has");
    map_refused("state =", "states = { wait_mem = \"4\"; }; state =", "x.map", "must be a whole number");
    map_refused("state =", "states = { }; state =", "x.map", "has no word");
    map_refused("state =", "states = 4; state =", "x.map", "must be a group");
    map_refused("state =", "states = { empty = 0; wait_mem = 4; }; state =", "x.vcd", "is 9, which is no state; add it to the map");
    small_files(small_vcd, small_map);
    opt.map_path = "doc/use/none.map";
    refused("none.map", "No such file");
    opt.map_path = map_path;
    spew("k.csv", "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n1,k,1,32,1,8,0,2,6\n");
    refused("k.csv", "starts in cycle 6, and by kernel_start in cycle 7");
}

/* Without kernel_start the table says when. */
TEST_BETWEEN(kernels_start_when_the_table_says, set_up_1, tear_down)
{
    small_files(small_vcd, edited(small_map, "kernel_start = \"tb.start\";", ""));
    refused("k.csv", "no column \"cycle\"");
    spew("k.csv", "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle\n1,k,1,32,1,8,0,2,7\n");
    world_import(&opt, &r);
    assert_true(trace_next(r, &err)->kernel_start);
    assert_int_equal(trace_cycle(r), 7);
}

/* A CTA is of the kernel that had started last when it started, also when it ends. */
TEST_BETWEEN(a_cta_may_end_under_another_kernel, set_up_1, tear_down)
{
    small_files(edited(small_vcd, "#113\n", "#100\n1k\n#110\n0k\n#113\n"), small_map);
    spew("k.csv", "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm\n1,k,1,32,1,8,0,2\n2,l,1,64,2,8,0,1\n");
    world_import(&opt, &r);
    for (unsigned i = 0; i < 6; i++) {
        const sm_obs *o = trace_next(r, &err);

        assert_non_null(o);
        assert_int_equal(o->kernel_start, i == 0 || i == 3);
        assert_int_equal(o->cta_done, i == 5);
    }
}

/* A value that begins with x is x in all bits that it does not name. */
TEST_BETWEEN(an_x_goes_on_to_the_left, set_up_1, tear_down)
{
    static char map[sizeof small_map + 16];

    snprintf(map, sizeof map, "%s", edited(small_map, "tb.active", "tb.active[3:2]"));
    small_files(edited(edited(small_vcd, "2 v active [1:0]", "4 v active [3:0]"), "b1 v", "bx v"), map);
    refused("x.vcd", "tb.active (cta_active) is x or z");
}

/* A warp that issues has the state that says so, whatever else is said of it. */
TEST_BETWEEN(who_issues_may_be_signals_of_its_own, set_up_1, tear_down)
{
    static const char *const keys[] = {"issued_alu = \"tb.active\"; state =", "issued_mem = \"tb.active\"; state ="};

    for (unsigned mem = 0; mem < 2; mem++) {
        const sm_obs *o;

        small_files(small_vcd, edited(small_map, "state =", keys[mem]));
        world_import(&opt, &r);
        for (unsigned i = 0; i < 4; i++)
            o = trace_next(r, &err);
        assert_int_equal(sm_obs_warp_state(o, 0), mem ? BALLAST_WARP_ISSUED_MEM : BALLAST_WARP_ISSUED_ALU);
        assert_int_equal(sm_obs_warp_state(o, 1), BALLAST_WARP_EMPTY);
    }
}
