/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs that fuzzing has kept, each once more: through the blocks in lockstep, and through the readers of files under the
 * sanitizers. The build has unpacked them (tb/fuzz/fuzz.py), a folder per target, and named the blocks' targets. And the way of an input itself: every byte means something, runs are deterministic, a
 * planted fault is found and explained, a recording survives being taken apart.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/random.h"
#include "fuzz/files.h"
#include "fuzz/finding.h"
#include "fuzz/trace_parts.h"
#include "recording/trace_fixture.h"

#ifndef FUZZ_CORPUS /* the makefile's */
#define FUZZ_CORPUS "build/fermi/fuzz/corpus"
#endif
#define TARGETS FUZZ_CORPUS "/targets"

typedef bool input_fn(void *self, const uint8_t *data, size_t size);

/* Every file of the folder; how many there were. */
static unsigned each_input(const char *target, input_fn *run, void *self)
{
    char path[768];
    struct dirent *entry;
    unsigned num = 0;
    DIR *dir;

    snprintf(path, sizeof path, FUZZ_CORPUS "/%s", target);
    dir = opendir(path);
    if (!dir)
        fail_msg("%s: not there; 'make tests' unpacks it", path);
    while (dir && (entry = readdir(dir))) {
        uint8_t *data;
        size_t size;

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, FUZZ_CORPUS "/%s/%s", target, entry->d_name);
        data = fixture_slurp(path, &size);
        if (!run(self, data, size))
            fail_msg("%s", path);
        free(data);
        num++;
    }
    if (dir)
        closedir(dir);
    if (!num)
        fail_msg("%s: no inputs are kept; 'make fuzz BLOCKS=%s', then 'make fuzz-update BLOCKS=%s'", target, target, target);
    return num;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* The blocks' targets one by one; false at the end. */
static bool next_target(FILE *f, char *variant, size_t size)
{
    if (!fgets(variant, (int)size, f))
        return false;
    variant[strcspn(variant, "\n")] = '\0';
    return true;
}

static FILE *open_targets(void)
{
    FILE *f = fopen(TARGETS, "r");

    if (!f)
        fail_msg("%s: not there; 'make tests' unpacks it", TARGETS);
    return f;
}

static bool run_block(void *self, const uint8_t *data, size_t size)
{
    if (fuzz_block_run(self, data, size))
        return true;
    fuzz_explain(self, data, size, NULL, "", stderr);
    return false;
}

static void blocks_agree_on_every_input(void **t)
{
    FILE *list = open_targets();
    char variant[256], err[BLOCK_TEXT];
    unsigned targets = 0;

    (void)t;
    while (next_target(list, variant, sizeof variant)) {
        fuzz_block *f = fuzz_block_open(variant, err, sizeof err);

        if (!f)
            fail_msg("%s", err);
        assert_true(each_input(variant, run_block, f) > 0);
        fuzz_block_close(f);
        targets++;
    }
    fclose(list);
    assert_true(targets >= 11);
}

/* Every block's block_name has a target: a new block is fuzzed, too. */
static void every_block_is_a_target(void **t)
{
    (void)t;
    for (const block *const *b = block_registry; *b; b++) {
        FILE *f = open_targets();
        char variant[256];
        bool there = false;

        while (next_target(f, variant, sizeof variant)) {
            const block *target = block_find(variant);

            if (!target)
                fail_msg("%s: this build has no %s", TARGETS, variant);
            there |= target && !strcmp(target->model->block_name, (*b)->model->block_name);
        }
        fclose(f);
        if (!there)
            fail_msg("%s names no variant of %s", TARGETS, (*b)->model->block_name);
    }
}

static fuzz_block *open_block(const char *variant)
{
    char err[BLOCK_TEXT] = "";
    fuzz_block *f = fuzz_block_open(variant, err, sizeof err);

    if (!f)
        fail_msg("%s", err);
    return f;
}

/* Any bytes; the same ones give as many cycles and the same registers. */
static void runs_are_deterministic(void **t)
{
    uint64_t seed = 0xf22;

    (void)t;
    for (unsigned n = 0; n < 200; n++) {
        static fuzz_block *f;
        uint8_t data[96];
        lockstep_values first;
        uint64_t cycles;

        if (n % 50 == 0)
            f = open_block(n % 100 ? "sm_governor_fast" : "perfsat_narrow");
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)random_next(&seed);
        assert_true(run_block(f, data, sizeof data));
        cycles = f->cycles;
        assert_in_range(cycles, 1, FUZZ_MAX_CYCLES);
        memcpy(&first, f->ls.instances[0].state, f->ls.instances[0].sizes.state);
        assert_true(fuzz_block_run_closely(f, data, sizeof data));
        assert_int_equal(f->cycles, cycles);
        assert_memory_equal(&first, f->ls.instances[0].state,
                            f->ls.instances[0].sizes.state);
        if (n % 50 == 49)
            fuzz_block_close(f);
    }
}

/* A few bytes: kernel start with Nmax 5 for one cycle, 96 quiet cycles, a reset, 3 cycles, twice the last record. */
static void records_mean_what_they_say(void **t)
{
    static const uint8_t input[] = {0,  0x02, 0x81, 0x0f, 0x02, 5 << 3 | 7, 47 << 2, 63 << 2, 2 << 2, 62 << 2, 1, 2};
    fuzz_block *f = open_block("perfsat");
    const lockstep_instance *inst = &f->ls.instances[0];

    (void)t;
    assert_true(run_block(f, input, 7));
    assert_int_equal(f->cycles, 1 + 96);
    assert_int_equal(block_port_get(port_find(&inst->ports, "nmax_q"), inst->state), 5);
    assert_int_equal(block_port_get(port_find(&inst->ports, "kernel_start_i"), inst->in), 0);
    assert_true(run_block(f, input, sizeof input));
    assert_int_equal(f->cycles, 1 + 96 + 3 * 3);
    assert_int_equal(block_port_get(port_find(&inst->ports, "nmax_q"), inst->state), 0);
    fuzz_block_close(f);
}

/* Nmax is in its range where the block reads it, and anything elsewhere: 12 for one cycle, then 12 and 15 at a kernel's start. */
static void what_is_not_read_has_any_value(void **t)
{
    static const uint8_t not_read[] = {0, 0x01, 0x02, 12 << 3 | 7}, large[] = {0, 0x02, 0x81, 0x0f, 0x02, 12 << 3 | 7},
                         largest[] = {0, 0x02, 0x81, 0x0f, 0x02, 15 << 3 | 7};
    fuzz_block *f = open_block("perfsat");
    const lockstep_instance *inst = &f->ls.instances[0];

    (void)t;
    assert_true(run_block(f, not_read, sizeof not_read));
    assert_int_equal(block_port_get(port_find(&inst->ports, "nmax_i"), inst->in), 12);
    assert_true(run_block(f, large, sizeof large));
    assert_int_equal(block_port_get(port_find(&inst->ports, "nmax_q"), inst->state), 3);
    assert_true(run_block(f, largest, sizeof largest));
    assert_int_equal(block_port_get(port_find(&inst->ports, "nmax_q"), inst->state), 8);
    fuzz_block_close(f);
}

/* In words, with a line that replays it; PREFIX.blt and PREFIX.state are there. */
static void a_planted_fault_is_found_and_explained(void **t)
{
    static const uint8_t quiet[] = {0, 47 << 2};
    const char *prefix = fixture_path("fuzz_finding");
    char text[4096] = "", file[600], err[BLOCK_TEXT];
    FILE *out = fmemopen(text, sizeof text, "w");
    fuzz_block *f = open_block("lcs_narrow");
    fault planted;

    (void)t;
    assert_non_null(out);
    assert_true(fault_parse(&planted, "rtl:lcs_narrow.sum_q[3]@70"));
    assert_true(fuzz_block_run(f, quiet, sizeof quiet));
    assert_true(lockstep_add_fault(&f->ls, &planted, err, sizeof err));
    assert_false(fuzz_block_run(f, quiet, sizeof quiet));
    fuzz_explain(f, quiet, sizeof quiet, prefix, "ballast", out);
    fclose(out);
    assert_non_null(strstr(text, "FOUND lcs_narrow: cycle 71 of the input, 70 after reset: sum_q: model 0, RTL 8\n"));
    assert_non_null(strstr(text, "\n  ballast lockstep --block lcs_narrow --inject 'rtl:lcs_narrow.sum_q[3]@0' --state "));
    for (unsigned i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s.%s", prefix, i ? "blt" : "state");
        assert_true(fixture_exists(file));
        remove(file);
    }
    fuzz_block_close(f);
}

/* ---- readers of files ---------------------------------------------------------------------- */

typedef struct kind_count {
    const fuzz_kind *kind;
    unsigned good;
} kind_count;

static bool read_file(void *self, const uint8_t *data, size_t size)
{
    kind_count *c = self;

    c->good += c->kind->read(data, size);
    return true;
}

static void readers_answer_every_input(void **t)
{
    (void)t;
    for (const fuzz_kind *k = fuzz_kinds; k->name; k++) {
        kind_count c = {k, 0};
        const unsigned num = each_input(k->name, read_file, &c);

        assert_true(num > 0);
        if (c.good == 0 || c.good == num)
            fail_msg("%s: %u of %u inputs are good files; a corpus has both kinds", k->name, c.good, num);
    }
}

static void a_recording_survives_being_taken_apart(void **t)
{
    static const fixture_shape shape = {.warps = 10, .slots = 3, .cycles = 300, .launches = 2, .classes = true, .busy = 300};
    recording *rec = fixture_make(&shape, 5);
    const char *path = fixture_path("fuzz_parts");
    bytes parts = {0}, joined = {0};
    uint8_t *file;
    size_t n;

    (void)t;
    fixture_write(rec, path);
    file = fixture_slurp(path, &n);
    assert_true(trace_parts_split(&parts, file, n));
    trace_parts_join(&joined, parts.p, parts.n);
    fixture_spew(path, joined.p, joined.n);
    fixture_expect(path, rec);
    assert_true(fuzz_kind_find("parts")->read(parts.p, parts.n));
    assert_true(fuzz_kind_find("trace")->read(file, n));
    assert_false(fuzz_kind_find("trace")->read(file, n - 1));
    remove(path);
    free(file);
    bytes_free(&parts);
    bytes_free(&joined);
    fixture_free(rec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_agree_on_every_input),
        cmocka_unit_test(every_block_is_a_target),
        cmocka_unit_test(runs_are_deterministic),
        cmocka_unit_test(records_mean_what_they_say),
        cmocka_unit_test(what_is_not_read_has_any_value),
        cmocka_unit_test(a_planted_fault_is_found_and_explained),
        cmocka_unit_test(readers_answer_every_input),
        cmocka_unit_test(a_recording_survives_being_taken_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
