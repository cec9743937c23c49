/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of a page: nothing from a file becomes markup; gnuplot's pictures become parts of the page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/html.h"

static char *text;
static size_t size;

static FILE *begin(void)
{
    FILE *f = open_memstream(&text, &size);

    assert_non_null(f);
    return f;
}

static void expect(FILE *f, const char *want)
{
    fclose(f);
    assert_string_equal(text, want);
    free(text);
}

static void markup_is_taken_out_of_force(void **state)
{
    FILE *f = begin();

    (void)state;
    html_text(f, "<a href=\"x\" id='y'>R&D</a>");
    expect(f, "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;R&amp;D&lt;/a&gt;");
    f = begin();
    html_text(f, "a\x01\x1b[0mb\x7f \xc2\xb5m\n");
    expect(f, "a\xef\xbf\xbd\xef\xbf\xbd[0mb\xef\xbf\xbd \xc2\xb5m\n");
}

static void every_way_into_a_table_escapes(void **state)
{
    static const char *const head[] = {"<x>", ">a&b", NULL};
    FILE *f = begin();

    (void)state;
    html_cell(f, "%s", "<b>");
    html_cell_right(f, "%d%s", 5, "&");
    html_row_head(f, "%s", "\"");
    expect(f, "<td>&lt;b&gt;</td><td class=\"n\">5&amp;</td><th scope=\"row\">&quot;</th>");
    f = begin();
    html_table_head(f, head);
    expect(f, "<thead><tr><th scope=\"col\">&lt;x&gt;</th><th scope=\"col\" class=\"n\">a&amp;b</th></tr></thead>\n<tbody>\n");
    f = begin();
    html_print(f, "%s-%u", "<", 7u);
    expect(f, "&lt;-7");
}

static void numbers_are_grouped(void **state)
{
    static const struct {
        uint64_t number;
        const char *want;
    } cases[] = {{0, "0"}, {999, "999"}, {1000, "1\xe2\x80\xaf" "000"}, {1234567, "1\xe2\x80\xaf" "234\xe2\x80\xaf" "567"}};

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *f = begin();

        html_count(f, cases[i].number);
        expect(f, cases[i].want);
    }
}

/* ---- pictures -------------------------------------------------------------------------- */

static char path[] = "/tmp/ballast-test-html-XXXXXX";

static void write_picture(const char *svg)
{
    const int fd = mkstemp(strcpy(path, "/tmp/ballast-test-html-XXXXXX"));

    assert_true(fd >= 0);
    assert_int_equal(write(fd, svg, strlen(svg)), (ssize_t)strlen(svg));
    close(fd);
}

static void a_picture_becomes_part_of_the_page(void **state)
{
    FILE *f = begin();

    (void)state;
    write_picture("<?xml version=\"1.0\"?>\n<svg \n width=\"9\" height=\"8\"\n viewBox=\"0 0 9 8\"\n "
                  "xmlns=\"http://www.w3.org/2000/svg\"\n>\n"
                  "<title>Gnuplot</title>\n<desc>Produced by</desc>\n<rect x=\"0\" y=\"0\" width=\"9\" height=\"8\" "
                  "fill=\"#ffffff\"/>\n"
                  "<g fill=\"none\">\n</g>\n<g id=\"g1\"><title>curve</title>\n<path id='p' fill='url(#q)'/><use "
                  "xlink:href='#p'/></g>\n</svg>\n");
    assert_true(html_svg(f, path, "k0", "A <picture>"));
    unlink(path);
    fclose(f);
    assert_non_null(strstr(text, "<svg role=\"img\" aria-labelledby=\"k0-title\" viewBox=\"0 0 9 8\">\n"
                                 "<title id=\"k0-title\">A &lt;picture&gt;</title>"));
    assert_non_null(strstr(text, "<g id=\"k0-g1\">\n<path id='k0-p' fill='url(#k0-q)'/><use xlink:href='#k0-p'/></g>"));
    assert_null(strstr(text, "xml"));
    assert_null(strstr(text, "Gnuplot"));
    assert_null(strstr(text, "curve"));
    assert_null(strstr(text, "#ffffff"));
    assert_null(strstr(text, "<g fill=\"none\">"));
    free(text);
}

static void what_is_no_picture_is_left_out(void **state)
{
    static const char *const bad[] = {"", "no picture", "<svg", "<svg>", "<svg viewBox=\"0 0 1 1\""};

    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FILE *f = begin();

        write_picture(bad[i]);
        assert_false(html_svg(f, path, "k0", "x"));
        unlink(path);
        expect(f, "");
    }
    assert_false(html_svg(stdout, "/nowhere/x.svg", "k0", "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_taken_out_of_force),   cmocka_unit_test(every_way_into_a_table_escapes),
        cmocka_unit_test(numbers_are_grouped),            cmocka_unit_test(a_picture_becomes_part_of_the_page),
        cmocka_unit_test(what_is_no_picture_is_left_out),
    };

    return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
