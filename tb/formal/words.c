/* SPDX-License-Identifier: Apache-2.0
 *
 * words STEM PARAMS DIR: lays a block's ports and registers out as words of 64 bits, for tb/formal/step.c and for the tools
 * that compare. Everything is taken from the block's port list as the lockstep engine has it.
 *
 * Writes DIR/step_words.h, and DIR/bits with a line per bit:
 *   in WORD BIT LABEL      free: rst_ni, the inputs, the registers
 *   out WORD BIT LABEL     must be equal on both sides: the outputs
 *   next WORD BIT LABEL    ... and the registers after the edge, REGISTER.next
 *   zero WORD BIT LABEL    of the model only: must be 0
 *   assume WORD 0 LABEL    of the model only: what is taken for granted before the edge
 * The label of an input begins with its place in the order that suits decision diagrams, "i00012.": ABC sorts by name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"

#ifndef MODELS
#define MODELS /* of the build: MODEL(stem) MODEL(stem) ... */
#endif
#define MODEL(stem) extern const block_model stem##_model;
MODELS
#undef MODEL
#define MODEL(stem) &stem##_model,
static const block_model *const models[] = {MODELS NULL};

/* Words of tb/formal/step.c that are no port's. */
enum { WORD_RESET, FIRST_IN };
enum { WORD_ASSUME, WORD_INVARIANT, WORD_BEYOND, FIRST_OUT };

typedef struct bit {
    unsigned word, bit;
    bool narrow; /* not a bit per warp */
    char name[PORT_NAME + 4];
} bit;

static const block_model *find_model(const char *stem)
{
    for (const block_model *const *m = models; *m; m++)
        if (!strcmp((*m)->stem, stem))
            return *m;
    return NULL;
}

static uint64_t mask_of(const block_port *port)
{
    return port->width < 64 ? (UINT64_C(1) << port->width) - 1 : ~UINT64_C(0);
}

/* ---- step_words.h ------------------------------------------------------------------- */

static void write_ports(FILE *f, const char *macro, const port_list *ports, unsigned kinds, unsigned word)
{
    fprintf(f, "#define %s(W)", macro);
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];

        if (kinds >> port->kind & 1)
            fprintf(f, " \\\n    W(%s, %u, %zu, uint%zu_t, UINT64_C(0x%" PRIx64 "))",
                    (const char *[]){"in", "out", "state"}[port->kind], word++, port->offset, 8 * port->size,
                    mask_of(port));
    }
    fprintf(f, "\n");
}

static void write_header(FILE *f, const unsigned char *cfg, size_t cfg_size, const port_list *ports)
{
    fprintf(f, "/* Made by words.c */\n#define STEP_CFG");
    for (size_t i = 0; i < cfg_size; i++)
        fprintf(f, "%s%u", i ? "," : " ", cfg[i]);
    fprintf(f, "\n/* W(struct, word, offset, type, mask) */\n");
    write_ports(f, "STEP_IN", ports, 1u << PORT_IN | 1u << PORT_REG, FIRST_IN);
    write_ports(f, "STEP_OUT", ports, 1u << PORT_OUT | 1u << PORT_REG, FIRST_OUT);
}

/* ---- bits --------------------------------------------------------------------------- */

static unsigned widest_input(const port_list *ports)
{
    unsigned widest = 32;

    for (unsigned p = 0; p < ports->num; p++)
        if (ports->ports[p].kind == PORT_IN && ports->ports[p].width > widest)
            widest = ports->ports[p].width;
    return widest;
}

/* What is added or compared bit by bit stands together, and a warp's bits do, those first. */
static int by_place(const void *a, const void *b)
{
    const bit *x = a, *y = b;

    if (x->narrow != y->narrow)
        return x->narrow - y->narrow;
    if (x->bit != y->bit)
        return x->bit < y->bit ? -1 : 1;
    return strcmp(x->name, y->name);
}

static unsigned list_inputs(const port_list *ports, bit *bits)
{
    const unsigned widest = widest_input(ports);
    unsigned n = 0, word = FIRST_IN;

    bits[n++] = (bit){.word = WORD_RESET, .narrow = true, .name = "rst_ni"};
    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];

        if (port->kind == PORT_OUT)
            continue;
        for (unsigned i = 0; i < port->width; i++) {
            bits[n] = (bit){.word = word, .bit = i, .narrow = port->kind != PORT_IN || port->width != widest};
            port_full_name(port, bits[n].name, sizeof bits[n].name);
            n++;
        }
        word++;
    }
    qsort(bits, n, sizeof *bits, by_place);
    return n;
}

static void write_outputs(FILE *f, const port_list *ports)
{
    unsigned word = FIRST_OUT;

    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        const bool next = port->kind == PORT_REG;
        char name[PORT_NAME + 4];

        if (port->kind == PORT_IN)
            continue;
        port_full_name(port, name, sizeof name);
        for (unsigned i = 0; i < port->width; i++)
            fprintf(f, "%s %u %u %s%s[%u]\n", next ? "next" : "out", word, i, name, next ? ".next" : "", i);
        word++;
    }
    for (unsigned i = 0; i < 64; i++)
        fprintf(f, "zero %d %u invariant_broken[%u]\n", WORD_INVARIANT, i, i);
    fprintf(f, "assume %d 0 invariant\nzero %d 0 beyond_width\n", WORD_ASSUME, WORD_BEYOND);
}

static bool write_bits(FILE *f, const port_list *ports)
{
    bit *bits = calloc(64 * ((size_t)ports->num + 1), sizeof *bits);
    const unsigned n = bits ? list_inputs(ports, bits) : 0;

    for (unsigned i = 0; i < n; i++)
        fprintf(f, "in %u %u i%05u.%s[%u]\n", bits[i].word, bits[i].bit, i, bits[i].name, bits[i].bit);
    write_outputs(f, ports);
    free(bits);
    return n != 0;
}

/* ---- the program -------------------------------------------------------------------- */

static FILE *create(const char *dir, const char *name)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    if (!f)
        fprintf(stderr, "words: cannot write %s\n", path);
    return f;
}

static bool write_files(const char *dir, const unsigned char *cfg, size_t cfg_size, const port_list *ports)
{
    FILE *header = create(dir, "step_words.h"), *bits = header ? create(dir, "bits") : NULL;
    bool ok = bits != NULL;

    if (ok) {
        write_header(header, cfg, cfg_size, ports);
        ok = write_bits(bits, ports);
        ok &= !ferror(header) && !ferror(bits);
    }
    ok &= !header || fclose(header) == 0;
    ok &= !bits || fclose(bits) == 0;
    return ok;
}

int main(int argc, char **argv)
{
    const block_model *model = argc == 4 ? find_model(argv[1]) : NULL;
    lockstep_values cfg = {{0}};
    port_list ports = {.num = 0};
    char bad[64];
    bool ok;

    if (!model) {
        fprintf(stderr, argc == 4 ? "words: no block '%s'\n" : "usage: words STEM PARAMS DIR\n", argv[1]);
        return 2;
    }
    model->configure(&cfg, argv[2], bad, sizeof bad);
    if (bad[0]) {
        fprintf(stderr, "words: %s has no parameter '%s'\n", argv[1], bad);
        return 2;
    }
    model->list_ports(&cfg, &ports);
    ok = !ports.failed && write_files(argv[3], cfg.bytes, sizeof cfg.bytes, &ports);
    port_list_free(&ports);
    return ok ? 0 : 2;
}
