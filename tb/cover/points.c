/* SPDX-License-Identifier: Apache-2.0 */
#include "cover/points.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const cover_kind_names[COVER_KINDS] = {"line", "toggle", "functional"};

static void *grown(void *old, size_t bytes)
{
    void *now = realloc(old, bytes);

    if (!now)
        abort();
    return now;
}

cover_block *cover_block_of(cover_data *d, const char *block_name)
{
    cover_block *b;

    for (unsigned i = 0; i < d->num; i++)
        if (strcmp(d->blocks[i].block_name, block_name) == 0)
            return &d->blocks[i];
    d->blocks = grown(d->blocks, (d->num + 1) * sizeof *d->blocks);
    b = &d->blocks[d->num++];
    memset(b, 0, sizeof *b);
    snprintf(b->block_name, sizeof b->block_name, "%s", block_name);
    return b;
}

static int compare_points(const void *x, const void *y)
{
    const cover_point *a = x, *b = y;
    int names;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    names = strcmp(a->name, b->name);
    if (names)
        return names;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return a->bit < b->bit ? -1 : a->bit > b->bit;
}

/* Points come file by file in the same order: the search begins where the last one ended. */
cover_point *cover_point_of(cover_block *b, cover_kind kind, const char *name, unsigned line, unsigned column, unsigned bit)
{
    static size_t last;
    cover_point *p;

    for (size_t i = 0; i < b->num; i++) {
        p = &b->points[(last + i) % b->num];
        if (p->kind == kind && p->line == line && p->column == column && p->bit == bit && strcmp(p->name, name) == 0) {
            last = (size_t)(p - b->points) + 1;
            return p;
        }
    }
    if (b->num == b->room) {
        b->room = b->room ? 2 * b->room : 256;
        b->points = grown(b->points, b->room * sizeof *b->points);
    }
    p = &b->points[b->num++];
    memset(p, 0, sizeof *p);
    p->kind = kind;
    p->line = line;
    p->column = column;
    p->bit = bit;
    snprintf(p->name, sizeof p->name, "%s", name);
    last = b->num;
    return p;
}

/* What stands in the part for checks, or nowhere: no hardware. */
static bool is_hardware(const cover_block *b, const cover_point *p)
{
    if (p->kind == COVER_FUNCTIONAL)
        return true;
    return p->line != 0 && p->line <= b->rtl.num && !b->rtl.checks[p->line - 1];
}

/* The bits of a signal are those that it has in the block as the configuration sets it; a signal that only variants have
 * counts as they have it. */
static bool of_a_wider_variant(const cover_point *p, const bool *in_base)
{
    return p->kind == COVER_TOGGLE && !p->base && in_base[p->line];
}

static void finish_points(cover_block *b)
{
    bool *in_base = calloc(b->rtl.num + 1, sizeof *in_base); /* by the signals' lines */
    size_t kept = 0;

    if (!in_base)
        abort();
    for (size_t i = 0; i < b->num; i++) {
        cover_point *p = &b->points[i];

        if (p->kind != COVER_TOGGLE)
            continue;
        p->line = cover_declared(&b->rtl, p->name);
        in_base[p->line] |= p->base;
        for (unsigned s = 0; s < COVER_SUITES; s++)
            p->hits[s] = p->risen[s] && p->fallen[s];
    }
    for (size_t i = 0; i < b->num; i++)
        if (is_hardware(b, &b->points[i]) && !of_a_wider_variant(&b->points[i], in_base))
            b->points[kept++] = b->points[i];
    free(in_base);
    b->num = kept;
    qsort(b->points, b->num, sizeof *b->points, compare_points);
}

static int compare_blocks(const void *x, const void *y)
{
    return strcmp(((const cover_block *)x)->block_name, ((const cover_block *)y)->block_name);
}

static bool is_one_of(const char *block_name, char *const *stems)
{
    while (*stems && strcmp(*stems, block_name) != 0)
        stems++;
    return *stems;
}

bool cover_choose(cover_data *d, char *const *stems, char *err)
{
    unsigned kept = 0;

    if (!*stems)
        return true;
    for (unsigned i = 0; i < d->num; i++)
        if (is_one_of(d->blocks[i].block_name, stems))
            d->blocks[kept++] = d->blocks[i];
        else
            free(d->blocks[i].points);
    d->num = kept;
    for (; *stems; stems++) {
        bool there = false;

        for (unsigned i = 0; i < d->num; i++)
            there |= strcmp(d->blocks[i].block_name, *stems) == 0;
        if (!there)
            return snprintf(err, COVER_ERR, "%s: nothing has been counted of this block", *stems), false;
    }
    return true;
}

bool cover_finish(cover_data *d, char *err)
{
    static const char *const folders[] = {"sm", "chip", "common"};
    char path[COVER_TEXT + 64];

    if (d->num == 0)
        return snprintf(err, COVER_ERR, "no counts at all: no program of a build for coverage has run"), false;
    qsort(d->blocks, d->num, sizeof *d->blocks, compare_blocks);
    for (unsigned i = 0; i < d->num; i++) {
        cover_block *b = &d->blocks[i];
        bool found = false;

        for (unsigned f = 0; f < sizeof folders / sizeof folders[0] && !found; f++) {
            snprintf(path, sizeof path, "rtl/%s/%s.sv", folders[f], b->block_name);
            found = cover_source_read(&b->rtl, path);
        }
        if (!found)
            return snprintf(err, COVER_ERR, "%s: there is no rtl/*/%s.sv; run it from the repository root", b->block_name, b->block_name),
                   false;
        snprintf(path, sizeof path, "tb/blocks/%s/cover.sv", b->block_name);
        cover_source_read(&b->points_file, path);
        finish_points(b);
    }
    return true;
}

void cover_free(cover_data *d)
{
    for (unsigned i = 0; i < d->num; i++) {
        cover_source_free(&d->blocks[i].rtl);
        cover_source_free(&d->blocks[i].points_file);
        free(d->blocks[i].points);
        free(d->blocks[i].exclusions);
    }
    free(d->blocks);
}

bool cover_is_hole(const cover_point *p, cover_suite suite)
{
    return !p->excluded && p->hits[suite] == 0;
}

cover_figure cover_count(const cover_block *b, cover_kind kind, cover_suite suite)
{
    cover_figure figure = {0, 0, 0};

    for (size_t i = 0; i < b->num; i++) {
        const cover_point *p = &b->points[i];

        if (p->kind != kind)
            continue;
        if (p->excluded) {
            figure.excluded++;
            continue;
        }
        figure.total++;
        figure.hit += p->hits[suite] != 0;
    }
    return figure;
}

double cover_percent(cover_figure figure)
{
    const uint64_t tenths = figure.total ? figure.hit * UINT64_C(1000) / figure.total : 0;

    return figure.total ? (double)tenths / 10 : -1;
}

const char *cover_file(const cover_block *b, const cover_point *p)
{
    return p->kind == COVER_FUNCTIONAL ? b->points_file.path : b->rtl.path;
}

bool cover_write(const char *path, bool (*put)(void *to, const cover_data *d), const cover_data *d, char *err)
{
    char temporary[4096];
    bool ok;
    FILE *f;

    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    f = fopen(temporary, "w");
    ok = f && put(f, d);
    if (f) {
        ok &= !ferror(f);
        ok &= fclose(f) == 0;
    }
    if (ok && rename(temporary, path) == 0)
        return true;
    snprintf(err, COVER_ERR, "%s: cannot be written (%s)", path, strerror(errno));
    unlink(temporary);
    return false;
}
