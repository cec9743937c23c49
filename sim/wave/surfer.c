/* SPDX-License-Identifier: Apache-2.0
 *
 * Surfer's command files: a command on a line, "#" begins a comment, ";" the next command. There are commands for neither plots nor
 * an exact range: a plot is its number here, and the window is the range's or up to twice as wide. A command for an item is for the
 * one in focus; item_focus takes the item's number, in hexadecimal digits from 'a' to 'p', with a '_' behind it.
 */
#include <inttypes.h>

#include "wave/viewer.h"

static const char *const formats[] = {
    [WAVE_NUMBER] = "Unsigned", [WAVE_MASK] = "Hexadecimal", [WAVE_STEP] = "Unsigned", [WAVE_COUNT] = "Number of ones", [WAVE_TEXT] = NULL};
static const char *const colors[] = {
    [WAVE_RTL] = NULL, [WAVE_MODEL] = "Orange", [WAVE_INPUT] = "Yellow", [WAVE_DIFFERS] = "Red", [WAVE_WHY] = "Violet"};

/* A text without what would end it; of a word without spaces, too. */
static void print_text(FILE *f, const char *text, bool word)
{
    for (const char *c = text; *c; c++)
        putc(*c == ';' || *c == '#' ? ',' : word && *c == ' ' ? '_' : *c, f);
}

static void print_line(FILE *f, const char *command, const char *text)
{
    fprintf(f, "%s ", command);
    print_text(f, text, false);
    putc('\n', f);
}

static void begin(wave_page *page)
{
    fprintf(page->file, "# Ballast: %s. One time unit is one cycle.\n# surfer --command-file %s %s\n", page->head->title,
            wave_file_name(page->head->save_path), wave_file_name(page->head->fst_path));
}

/* The item that came last. */
static void print_focus(const wave_page *page)
{
    unsigned shift = 0;

    while ((page->items - 1) >> shift >> 4)
        shift += 4;
    fputs("item_focus ", page->file);
    for (;; shift -= 4) {
        putc('a' + (int)((page->items - 1) >> shift & 15), page->file);
        if (!shift)
            break;
    }
    fputs("_\n", page->file);
}

static void signal(wave_page *page, const wave_signal *s)
{
    const char *format = s->width > 1 ? formats[s->format] : NULL;

    if (page->depth) /* the group has them all */
        return;
    print_line(page->file, "variable_add", s->path);
    page->items++;
    if (page->grouped) /* what is in groups counts among the items, and nobody knows how many they are */
        return;
    print_focus(page);
    if (s->label)
        print_line(page->file, "item_rename", s->label);
    if (colors[s->color])
        print_line(page->file, "item_set_color", colors[s->color]);
    if (format)
        print_line(page->file, "item_set_format", format);
}

static void heading(wave_page *page, const char *text)
{
    print_line(page->file, "divider_add", text);
    page->items++;
    if (!page->grouped)
        print_focus(page);
}

static void group(wave_page *page, bool begins, const char *name, const char *scope)
{
    (void)name;
    page->depth += begins ? 1 : -1U;
    if (!begins || !scope)
        return;
    page->grouped = true;
    fputs("item_unfocus\n", page->file);
    print_line(page->file, "scope_add_as_group", scope);
}

/* The letter that GTKWave has, where there is no room for a text. */
static void print_marks(FILE *f, const wave_marks *marks)
{
    for (unsigned m = 0; marks && m < WAVE_MARKERS && m < marks->num; m++) {
        const char letter[] = {(char)('A' + m), '\0'};

        fputs("marker_set ", f);
        print_text(f, marks->mark[m].text[0] ? marks->mark[m].text : letter, true);
        fprintf(f, " %" PRIu64 "\n", marks->mark[m].time);
    }
}

/* As often as leaves the range room; then its middle comes into view, and the cursor to its place. */
static void print_zoom(FILE *f, const wave_range *range)
{
    const uint64_t span = range->last > range->first ? range->last - range->first : 1;

    fputs("zoom_fit\n", f);
    for (uint64_t shown = range->end / 2; shown >= span; shown /= 2)
        fputs("zoom_in\n", f);
    fprintf(f, "scroll_to_start\ncursor_set %" PRIu64 "\ncursor_set %" PRIu64 "\n", range->first + span / 2, range->marker);
}

static void end(wave_page *page)
{
    fputs("item_unfocus\ngroup_fold_all\n", page->file);
    print_marks(page->file, page->head->marks);
    print_zoom(page->file, page->head->range);
}

const wave_viewer surfer_viewer = {.suffix = "sucl", .begin = begin, .signal = signal, .heading = heading, .group = group, .end = end};
