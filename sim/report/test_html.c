/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of a page: nothing from a file becomes markup; gnuplot's pictures become parts of the page.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "replay/scratch_fixture.h"
#include "report/html.h"

static void expect(FILE *f, const char *want)
{
    assert_string_equal(scratch_text(f), want);
}

TEST(markup_is_taken_out_of_force)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"<a href=\"x\" id='y'>R&D</a>", "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;R&amp;D&lt;/a&gt;"},
        {"a\x01\x1b[0mb\x7f \xc2\xb5m\n", "a\xef\xbf\xbd\xef\xbf\xbd[0mb\xef\xbf\xbd \xc2\xb5m\n"},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *f = scratch_stream();

        html_text(f, cases[i].text);
        expect(f, cases[i].want);
    }
}

TEST(every_way_into_a_table_escapes)
{
    static const char *const head[] = {"<x>", ">a&b", NULL};
    FILE *f = scratch_stream();

    html_cell(f, "%s", "<b>");
    html_cell_right(f, "%d%s", 5, "&");
    html_row_head(f, "%s", "\"");
    html_print(f, "%s-%u", "<", 7u);
    expect(f, "<td>&lt;b&gt;</td><td class=\"n\">5&amp;</td><th scope=\"row\">&quot;</th>&lt;-7");
    f = scratch_stream();
    html_table_open(f, head, "<b>ours</b>", "t%d", 4);
    expect(f, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"t4-caption\"><table id=\"t4\">"
              "<caption><span id=\"t4-caption\"><b>ours</b></span></caption>\n"
              "<thead><tr><th scope=\"col\">&lt;x&gt;</th><th scope=\"col\" class=\"n\">a&amp;b</th></tr></thead>\n<tbody>\n");
}

TEST(numbers_are_grouped)
{
    static const struct {
        uint64_t number;
        const char *want;
    } cases[] = {{0, "0"}, {999, "999"}, {1000, "1\xe2\x80\xaf" "000"}, {1234567, "1\xe2\x80\xaf" "234\xe2\x80\xaf" "567"}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *f = scratch_stream();

        html_count(f, cases[i].number);
        expect(f, cases[i].want);
    }
}

/* ---- pictures -------------------------------------------------------------------------- */

/* What becomes of a picture in a file; "" if it is refused. */
static const char *taken_in(const char *svg)
{
    char dir[256];
    FILE *f = scratch_stream();
    const char *text;
    bool taken;

    scratch_make(dir, sizeof dir);
    scratch_spew(scratch_path(dir, "x.svg"), svg);
    taken = html_svg(f, scratch_path(dir, "x.svg"), "k0", "A <picture>");
    scratch_remove(dir);
    text = scratch_text(f);
    assert_int_equal(taken, *text != '\0');
    return text;
}

TEST(a_picture_becomes_part_of_the_page)
{
    static const char *const gone[] = {"xml", "Gnuplot", "Produced", "curve", "#ffffff", "<g fill=\"none\">"};
    const char *text =
        taken_in("<?xml version=\"1.0\"?>\n<svg \n width=\"9\" height=\"8\"\n viewBox=\"0 0 9 8\"\n "
                 "xmlns=\"http://www.w3.org/2000/svg\"\n>\n"
                 "<title>Gnuplot</title>\n<desc>Produced by</desc>\n<rect x=\"0\" y=\"0\" width=\"9\" height=\"8\" "
                 "fill=\"#ffffff\"/>\n"
                 "<g fill=\"none\">\n</g>\n<g id=\"g1\"><title>curve</title>\n<path id='p' fill='url(#q)'/><use "
                 "xlink:href='#p'/></g>\n</svg>\n");

    assert_non_null(strstr(text, "<svg role=\"img\" aria-labelledby=\"k0-title\" viewBox=\"0 0 9 8\">\n"
                                 "<title id=\"k0-title\">A &lt;picture&gt;</title>"));
    assert_non_null(strstr(text, "<g id=\"k0-g1\">\n<path id='k0-p' fill='url(#k0-q)'/><use xlink:href='#k0-p'/></g>"));
    for (unsigned i = 0; i < sizeof gone / sizeof gone[0]; i++)
        if (strstr(text, gone[i]))
            fail_msg("%s is still there", gone[i]);
}

TEST(what_is_no_picture_is_left_out)
{
    static const char *const bad[] = {"", "no picture", "<svg", "<svg>", "<svg viewBox=\"0 0 1 1\""};

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_string_equal(taken_in(bad[i]), "");
    assert_false(html_svg(stdout, "/nowhere/x.svg", "k0", "x"));
}
