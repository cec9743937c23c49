/* SPDX-License-Identifier: Apache-2.0 */
#include "formal/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[BIT_KINDS] = {"in", "out", "next", "allowed", "before", "zero", "read"};

enum { MAX_WORDS = 1 << 16 };

static void add(bits *b, const bit *added)
{
    unsigned *words = added->kind == BIT_IN ? &b->words_in : &b->words_out;

    if (b->num == b->max) {
        b->max = b->max ? 2 * b->max : 1024;
        b->bits = realloc(b->bits, b->max * sizeof *b->bits);
        if (!b->bits)
            give_up("out of memory");
    }
    b->bits[b->num++] = *added;
    if (*words <= added->word)
        *words = added->word + 1;
}

static int by_label(const void *a, const void *b)
{
    return strcmp((*(bit *const *)a)->label, (*(bit *const *)b)->label);
}

static int has_label(const void *label, const void *b)
{
    return strcmp(label, (*(bit *const *)b)->label);
}

static void sort_labels(bits *b)
{
    b->sorted = malloc(b->num * sizeof(bit *));
    if (!b->sorted)
        give_up("out of memory");
    for (unsigned i = 0; i < b->num; i++)
        b->sorted[i] = &b->bits[i];
    qsort(b->sorted, b->num, sizeof(bit *), by_label);
}

void bits_read(bits *b, const char *path)
{
    FILE *f = fopen(path, "r");
    bit read = {.model = AIG_FALSE, .rtl = AIG_FALSE};
    char kind[8];

    *b = (bits){.num = 0};
    if (!f)
        give_up("%s: %s", path, strerror(errno));
    while (fscanf(f, " %7s %u %u %95s", kind, &read.word, &read.bit, read.label) == 4) {
        unsigned k = 0;

        while (k < BIT_KINDS && strcmp(kind, kind_names[k]) != 0)
            k++;
        if (k == BIT_KINDS || read.word >= MAX_WORDS || read.bit >= 64)
            give_up("%s: '%s %u %u' is no bit of a step", path, kind, read.word, read.bit);
        read.kind = (enum bit_kind)k;
        add(b, &read);
    }
    if (!feof(f) || !b->num)
        give_up("%s: no list of bits, or a damaged one", path);
    fclose(f);
    sort_labels(b);
}

void bits_free(bits *b)
{
    free(b->bits);
    free(b->sorted);
}

bit *bits_find(const bits *b, const char *label)
{
    bit **found = bsearch(label, b->sorted, b->num, sizeof(bit *), has_label);

    return found ? *found : NULL;
}

const char *bit_name(const bit *b)
{
    const char *dot = b->kind == BIT_IN ? strchr(b->label, '.') : NULL;

    return dot ? dot + 1 : b->label;
}
