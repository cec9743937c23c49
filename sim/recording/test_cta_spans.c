/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of CTAs: written and read again, in order, and refused with a line where they cannot be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "recording/cta_spans.h"

static cta_spans list;
static trace_err err;
static char path[64];

static int set_up(void **state)
{
    int fd;

    (void)state;
    snprintf(path, sizeof path, "/tmp/cta_spans.XXXXXX");
    fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int tear_down(void **state)
{
    (void)state;
    cta_spans_free(&list);
    return unlink(path);
}

#define SPANS_TEST(name) TEST_BETWEEN(name, set_up, tear_down)

static void put(const char *text)
{
    FILE *f = fopen(path, "w");

    fputs(text, f);
    fclose(f);
}

static void read_text(const char *text)
{
    put(text);
    cta_spans_free(&list);
    if (!cta_spans_read(&list, path, &err))
        fail_msg("%s", err.text);
}

SPANS_TEST(a_list_comes_back_as_it_was_written)
{
    static const char *const text = "sm,slot,start,end,cta,kernel,pair\n"
                                    "0,0,5,9,4,\"a, b\",2\n0,0,9,9,0,k,\n0,1,1,2,,k,\n131,31,0,9223372036854775807,4294967294,,4294967294\n";
    char *again = NULL;
    size_t size;
    FILE *f = open_memstream(&again, &size);

    read_text(text);
    assert_int_equal(list.num, 4);
    assert_int_equal(list.num_kernels, 3);
    assert_int_equal(list.span[1].pair, CTA_ALONE);
    assert_int_equal(list.span[2].cta, CTA_UNKNOWN);
    assert_int_equal(list.span[3].pair, CTA_ALONE - 1);
    cta_spans_write(&list, f);
    fclose(f);
    assert_string_equal(again, text);
    free(again);
}

SPANS_TEST(columns_that_are_not_there_say_nothing)
{
    read_text("end,start,slot,sm,more\n7,3,1,2,x\n");
    assert_int_equal(list.num, 1);
    assert_int_equal(list.span[0].start, 3);
    assert_int_equal(list.span[0].end, 7);
    assert_int_equal(list.span[0].sm, 2);
    assert_int_equal(list.span[0].cta, CTA_UNKNOWN);
    assert_int_equal(list.span[0].pair, CTA_ALONE);
    assert_string_equal(list.kernel[0], "");
}

SPANS_TEST(it_is_in_order)
{
    read_text("sm,slot,start,end,cta\n1,0,3,4,3\n0,1,4,5,2\n0,0,6,7,1\n0,0,5,6,0\n");
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(list.span[i].cta, i);
    cta_spans_order(&list);
    assert_int_equal(list.span[0].cta, 3);
    assert_int_equal(list.span[1].cta, 2);
    assert_int_equal(list.span[2].cta, 0);
    assert_int_equal(list.span[3].cta, 1);
}

SPANS_TEST(what_cannot_be_is_refused_with_a_line)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "is empty"},
        {"sm,slot,start\n0,0,1\n", "no column \"end\""},
        {"sm,slot,start,end\n", "no CTA is in it"},
        {"sm,slot,start,end\n0,0,1,2\n0,0,x,2\n", "line 3: column start is \"x\""},
        {"sm,slot,start,end\n0,0,1\n", "line 2: column end is \"\""},
        {"sm,slot,start,end\n256,0,1,2\n", "line 2: column sm is \"256\""},
        {"sm,slot,start,end\n0,32,1,2\n", "line 2: column slot is \"32\""},
        {"sm,slot,start,end\n0,0,2,1\n", "line 2: the CTA ends before it begins"},
        {"sm,slot,start,end,cta\n0,0,1,2,4294967295\n", "line 2: column cta is"},
        {"sm,slot,start,end,pair\n0,0,1,2,-1\n", "line 2: column pair is"},
        {"sm,slot,start,end\n0,0,1,20\n0,0,19,30\n", "SM 0, slot 0, cycle 19: a CTA is launched into a slot that holds one"},
        {"sm,slot,start,end,kernel\n0,0,1,2,\"k\n", "line 2: a quoted field does not end"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cta_spans_free(&list);
        put(cases[i].text);
        assert_false(cta_spans_read(&list, path, &err));
        if (!strstr(err.text, cases[i].why) || !strstr(err.text, path) || strchr(err.text, '\n'))
            fail_msg("\"%s\", not \"%s\"", err.text, cases[i].why);
    }
    read_text("sm,slot,start,end\n0,0,1,20\n0,0,20,30\n0,1,19,30\n1,0,19,30\n"); /* none of these is one */
}
