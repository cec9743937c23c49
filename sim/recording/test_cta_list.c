/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches and exits of all SMs, from tables and from traces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "recording/cta_list.h"
#include "recording/format.h"
#include "recording/raw_fixture.h"
#include "recording/trace_fixture.h"

/* Of the test that runs. */
static world w;
static raw_import_options opt;
static trace_err err;
static cta_list list;

static int set_up(void **state)
{
    (void)state;
    world_make(&w, &opt);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cta_list_free(&list);
    world_free(&w);
    return 0;
}

#define LIST_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void read_trace(const char *path)
{
    trace_reader *r = fixture_open_trace(path);

    cta_list_free(&list);
    if (!cta_list_of_trace(&list, r, path, &err))
        fail_msg("%s", err.text);
    trace_close(r);
}

static int by_place(const void *a, const void *b)
{
    const cta_event *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->sm != y->sm)
        return (int)x->sm - y->sm;
    return x->slot != y->slot ? (int)x->slot - y->slot : (int)x->done - y->done;
}

/* The tables say the same as the trace that is made of them, but for the order within a cycle. */
LIST_TEST(tables_and_their_trace_are_the_same_list)
{
    cta_list of_trace;

    assert_true(raw_import(&opt, &err));
    read_trace(w.out);
    of_trace = list;
    list = (cta_list){.num_events = 0};
    assert_true(cta_list_of_tables(&list, &opt, &err));
    assert_int_equal(list.num_launches, 2);
    assert_int_equal(of_trace.num_launches, 2);
    assert_int_equal(list.config_limit, LIMIT);
    assert_int_equal(of_trace.config_limit, LIMIT);
    assert_int_equal(list.num_events, of_trace.num_events);
    assert_true(list.num_events > 50);
    qsort(list.events, list.num_events, sizeof *list.events, by_place);
    qsort(of_trace.events, of_trace.num_events, sizeof *of_trace.events, by_place);
    for (size_t i = 0; i < list.num_events; i++) {
        const cta_event *a = &list.events[i], *b = &of_trace.events[i];

        assert_int_equal(by_place(a, b), 0);
        assert_true(a->done || (a->launch == b->launch && a->cta == CTA_UNKNOWN && b->cta == CTA_UNKNOWN));
    }
    cta_list_free(&of_trace);
}

LIST_TEST(tables_keep_the_order_of_their_lines_and_the_numbers_of_ctas)
{
    static const unsigned sms[] = {7, 2, 2, 9};

    w.cta.n = 0;
    world_line(&w.cta, "cta,cycle,sm,slot,event,kernel,warps_per_cta\n1,5,7,0,launch,1,2\n0,5,2,0,launch,1,2\n0,9,2,0,done,1,2\n"
                       "2,9,9,1,launch,1,2\n");
    world_write(&w);
    assert_true(cta_list_of_tables(&list, &opt, &err));
    assert_int_equal(list.num_events, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(list.events[i].sm, sms[i]);
        assert_int_equal(list.events[i].done, i == 2);
    }
    assert_int_equal(list.events[0].cta, 1);
    assert_int_equal(list.events[3].cta, 2);
}

LIST_TEST(tables_that_cannot_be_read_are_named)
{
    remove(world_path(&w, "cta.csv"));
    assert_false(cta_list_of_tables(&list, &opt, &err));
    assert_non_null(strstr(err.text, "cta.csv: cannot open"));
    opt.geometry.sms = 0;
    assert_false(cta_list_of_tables(&list, &opt, &err));
    assert_non_null(strstr(err.text, "1 to 256 SMs"));
}

LIST_TEST(tables_that_contradict_each_other_are_refused_with_a_line)
{
    static const struct {
        const char *rows, *why;
    } tables[] = {
        {"4,0,0,launch,1,2\n", "cta.csv: line 2: cycle 4 is before kernel 1 begins"},
        {"5,0,0,launch,1,2\n199,0,1,launch,2,4\n", "cta.csv: line 3: cycle 199 is before kernel 2 begins"},
        {"5,0,0,launch,1,2\n300,0,0,done,2,4\n", "cta.csv: line 3: the CTA that ends is not one of kernel 2"},
        {"5,0,0,launch,1,2\n5,0,15,launch,1,2\n", "line 3: column slot is \"15\""},
        {"5,0,0,launch,1,2\n5,15,0,launch,1,2\n", "line 3: column sm is \"15\""},
        {"7,0,0,launch,1,2\n6,1,0,launch,1,2\n", "line 3: cycle 6 is earlier"},
        {"7,0,0,launch,1,2\n7,0", "line 3:"},
    };

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        w.cta.n = 0;
        world_line(&w.cta, "cycle,sm,slot,event,kernel,warps_per_cta\n%s", tables[i].rows);
        world_write(&w);
        assert_false(cta_list_of_tables(&list, &opt, &err));
        if (!strstr(err.text, tables[i].why) || strchr(err.text, '\n'))
            fail_msg("\"%s\", not \"%s\"", err.text, tables[i].why);
    }
}

LIST_TEST(tables_may_have_dos_lines)
{
    w.cta.n = 0;
    world_line(&w.cta, "cycle,sm,slot,event,kernel,warps_per_cta\r\n5,0,0,launch,1,2\r\n9,0,0,done,1,2\r\n");
    world_write(&w);
    assert_true(cta_list_of_tables(&list, &opt, &err));
    assert_int_equal(list.num_events, 2);
}

/* ---- traces ----------------------------------------------------------------------- */

enum { TRACE_CYCLES = 40 };

/* A trace of three SMs with the launches and exits of `text`, e.g. "1+2.0 5-2.0": cycle, launch or exit, SM, slot. */
static const char *write_trace(const char *text)
{
    static const char *path;
    trace_launch launch = {.desc = {.grid_ctas = 9, .threads_per_cta = 64, .warps_per_cta = 2, .nmax = 4}, .limit = 4};
    const trace_meta meta = {.geometry = {.warps = 8, .slots = 4, .sms = 3, .issue_width = 1}, .num_launches = 1, .launches = &launch};
    trace_writer *out;

    path = fixture_path("cta_list");
    out = trace_writer_open(path, &meta, &err);
    assert_non_null(out);
    for (unsigned sm = 0; sm < 3; sm++) {
        sm_setup setup = {.kernel = launch.desc};
        uint32_t active = 0;

        for (unsigned cycle = 0; cycle < TRACE_CYCLES; cycle++) {
            sm_obs obs = {.setup = &setup, .kernel_start = cycle == 0};

            for (const char *p = text; *p; p += strspn(p, " ")) {
                unsigned at, of, slot;
                char sign;
                int n = 0;

                assert_int_equal(sscanf(p, "%u%c%u.%u%n", &at, &sign, &of, &slot, &n), 4);
                p += n;
                if (at != cycle || of != sm)
                    continue;
                *(sign == '+' ? &obs.cta_start : &obs.cta_done) |= UINT32_C(1) << slot;
                if (sign == '+')
                    setup.warp_slot[(size_t)2 * slot] = setup.warp_slot[(size_t)2 * slot + 1] = (uint8_t)slot;
            }
            obs.cta_active = active | obs.cta_start;
            if (!trace_writer_cycle(out, sm, cycle, &obs, TRACE_NO_CLASS, &err))
                fail_msg("%s", err.text);
            active = active_after(active, obs.cta_start, obs.cta_done);
        }
    }
    assert_true(trace_writer_close(out, &err));
    return path;
}

static void expect_order(const char *text, const char *order)
{
    char said[512] = "";
    const char *path = write_trace(text);

    read_trace(path);
    remove(path);
    for (size_t i = 0; i < list.num_events; i++) {
        const cta_event *e = &list.events[i];
        const size_t used = strlen(said);

        snprintf(said + used, sizeof said - used, "%s%u%c%u.%u", i ? " " : "", (unsigned)e->cycle, e->done ? '-' : '+', e->sm, e->slot);
    }
    if (strcmp(said, order) != 0)
        fail_msg("\"%s\", not \"%s\"", said, order);
}

/* In a cycle: launches in turn behind the last one, then exits; exits first where slots are filled as they are left. */
LIST_TEST(within_a_cycle_of_a_trace_launches_go_in_turn)
{
    expect_order("1+1.0", "1+1.0");
    expect_order("1+2.0 1+0.0 1+1.0", "1+0.0 1+1.0 1+2.0");
    expect_order("1+1.0 2+0.0 2+1.1 2+2.0", "1+1.0 2+2.0 2+0.0 2+1.1");
    expect_order("1+0.0 1+1.0 3-0.0 3+2.0 4-1.0 4+2.1", "1+0.0 1+1.0 3+2.0 3-0.0 4+2.1 4-1.0");
    expect_order("1+0.0 1+1.0 3-0.0 3+2.0 4-1.0 4+1.0", "1+0.0 1+1.0 3-0.0 3+2.0 4-1.0 4+1.0");
    expect_order("1+0.0 3-0.0 3+0.0 5+1.0 5-1.0 5-0.0", "1+0.0 3-0.0 3+0.0 5-0.0 5+1.0 5-1.0");
}

/* The cut-out of a recording: nobody knows when its CTAs came. */
LIST_TEST(a_trace_that_begins_in_the_middle_is_refused)
{
    const fixture_shape shape = {.warps = 10, .slots = 3, .cycles = 60, .launches = 1, .busy = 300};
    recording *rec = fixture_make(&shape, 3); /* its SM 1 begins with CTAs */
    const char *path = fixture_path("cta_list");
    trace_reader *r;

    fixture_write(rec, path);
    r = fixture_open_trace(path);
    assert_false(cta_list_of_trace(&list, r, path, &err));
    assert_non_null(strstr(err.text, "SM 1 holds CTAs when the recording begins"));
    trace_close(r);
    remove(path);
    fixture_free(rec);
}
