/* SPDX-License-Identifier: Apache-2.0
 *
 * words BLOCK PARAMS DIR [PART PARAMS FIELD COUNT]: lays a block's ports and registers out as words of 64 bits, for
 * tb/formal/step.c and for the tools that compare. Everything is taken from the block's port list as the lockstep engine has
 * it. With a PART, the block's FIELD[0] to FIELD[COUNT-1] are blocks of that kind, whose steps are free (tb/formal/part.c):
 * what each takes and gives is laid out behind the block's own words.
 *
 * Writes DIR/step_words.h, with a PART DIR/step_part.h, and DIR/bits with a line per bit:
 *   in WORD BIT LABEL      free: rst_ni, the inputs, the registers
 *   out WORD BIT LABEL     must be equal on both sides: the outputs
 *   next WORD BIT LABEL    ... and the registers after the edge, REGISTER.next
 *   zero WORD BIT LABEL    of the model only: must be 0
 *   allowed WORD 0 LABEL   of the model only: the inputs are what the surroundings may give
 *   before WORD BIT LABEL  of the model only: what is violated of the invariant before the edge
 *   read WORD BIT LABEL    of the model only: an input with a range is read
 * Of a part: FIELD[i].gives.OUTPUT and FIELD[i].gives.REGISTER.next are free, FIELD[i].takes.INPUT and .takes.REGISTER must be
 * equal, as must FIELD[i].takes.rst_ni.
 * The label of an input begins with its place in the order that suits decision diagrams, "i00012.": ABC sorts by name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"

#ifndef MODELS
#define MODELS /* of the build: MODEL(block_name) MODEL(block_name) ... */
#endif
#define MODEL(block_name) extern const block_model block_name##_model;
MODELS
#undef MODEL
#define MODEL(block_name) &block_name##_model,
static const block_model *const models[] = {MODELS NULL};

/* Words of tb/formal/step.c that are no port's. */
enum { WORD_RESET, FIRST_IN };
enum { WORD_ALLOWED, WORD_BEFORE, WORD_INVARIANT, WORD_BEYOND, WORD_READ, FIRST_OUT };

/* What a part adds to the words: as many words per instance. */
typedef struct part {
    const char *field;
    unsigned count;
    unsigned takes, gives;           /* words of an instance */
    unsigned first_take, first_give; /* among words_out, words_in */
    port_list ports;
} part;

typedef struct bit {
    const char *kind;
    unsigned word, bit;
    bool narrow; /* not a bit per warp */
    char name[PORT_NAME + 24];
} bit;

typedef struct bit_list {
    bit *bits;
    unsigned num, max;
} bit_list;

enum { INWARD = 1u << PORT_IN | 1u << PORT_REG, OUTWARD = 1u << PORT_OUT | 1u << PORT_REG };

static const block_model *find_model(const char *block_name)
{
    for (const block_model *const *m = models; *m; m++)
        if (!strcmp((*m)->block_name, block_name))
            return *m;
    return NULL;
}

static uint64_t mask_of(const block_port *port)
{
    return port->width < 64 ? (UINT64_C(1) << port->width) - 1 : ~UINT64_C(0);
}

/* ---- step_words.h ------------------------------------------------------------------- */

static unsigned write_ports(FILE *f, const char *macro, const port_list *ports, unsigned kinds, unsigned word)
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
    return word;
}

static void write_header(FILE *f, const unsigned char *cfg, size_t cfg_size, const port_list *ports)
{
    fprintf(f, "/* Made by words.c */\n#define STEP_CFG");
    for (size_t i = 0; i < cfg_size; i++)
        fprintf(f, "%s%u", i ? "," : " ", cfg[i]);
    fprintf(f, "\n/* W(struct, word, offset, type, mask) */\n");
    fprintf(f, "#define STEP_WORDS_IN %u\n",
            write_ports(f, "STEP_IN", ports, INWARD, FIRST_IN));
    fprintf(f, "#define STEP_WORDS_OUT %u\n",
            write_ports(f, "STEP_OUT", ports, OUTWARD, FIRST_OUT));
}

static unsigned count_ports(const port_list *ports, unsigned kinds)
{
    unsigned num = 0;

    for (unsigned p = 0; p < ports->num; p++)
        num += kinds >> ports->ports[p].kind & 1;
    return num;
}

static void place_part(part *p, const port_list *whole)
{
    p->first_give = FIRST_IN + count_ports(whole, INWARD);
    p->first_take = FIRST_OUT + count_ports(whole, OUTWARD);
    p->gives = count_ports(&p->ports, OUTWARD);
    p->takes = FIRST_IN + count_ports(&p->ports, INWARD) + 1; /* as its own words_in; what is wrong with them */
}

static void write_part(FILE *f, const part *p)
{
    fprintf(f, "/* Made by words.c */\nenum { PARTS = %u, PART_TAKES = %u, PART_GIVES = %u, PART_FIRST_OUT = %d };\n", p->count,
            p->takes, p->gives, FIRST_OUT);
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

static void add_bits(bit_list *l, const char *kind, unsigned word, unsigned width, bool narrow, const char *name)
{
    for (unsigned i = 0; i < width; i++) {
        if (l->num == l->max) {
            l->max = l->max ? 2 * l->max : 1024;
            l->bits = realloc(l->bits, l->max * sizeof *l->bits);
            if (!l->bits) {
                fprintf(stderr, "words: out of memory\n");
                exit(2);
            }
        }
        l->bits[l->num] = (bit){.kind = kind, .word = word, .bit = i, .narrow = narrow};
        snprintf(l->bits[l->num++].name, sizeof l->bits->name, "%s", name);
    }
}

/* Ports as words from `word` on; returns the word behind them. A register that goes out is the next one. Without a kind, outputs
 * are "out" and registers "next". Inputs as wide as `widest` have a bit per warp. */
static unsigned add_ports(bit_list *l, const char *kind, unsigned word, const port_list *ports, unsigned kinds, unsigned widest,
                          const char *prefix)
{
    char full[PORT_NAME + 4], name[PORT_NAME + 24];

    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        const bool next = port->kind == PORT_REG && kinds == OUTWARD;

        if (!(kinds >> port->kind & 1))
            continue;
        port_full_name(port, full, sizeof full);
        snprintf(name, sizeof name, "%s%s%s", prefix, full, next ? ".next" : "");
        add_bits(l, kind ? kind : next ? "next" : "out", word++, port->width, port->kind != PORT_IN || port->width != widest, name);
    }
    return word;
}

static const char *of_part(const part *p, unsigned index, const char *what)
{
    static char text[PORT_NAME + 24];

    snprintf(text, sizeof text, "%s[%u].%s", p->field, index, what);
    return text;
}

static void write_inputs(FILE *f, const port_list *ports, const part *p)
{
    unsigned word = p->first_give;
    bit_list l = {.num = 0};

    for (unsigned i = 0; i < p->count; i++)
        word = add_ports(&l, "in", word, &p->ports, OUTWARD, 0, of_part(p, i, "gives."));
    add_bits(&l, "in", WORD_RESET, 1, true, "rst_ni");
    add_ports(&l, "in", FIRST_IN, ports, INWARD, widest_input(ports), "");
    qsort(l.bits, l.num, sizeof *l.bits, by_place);
    for (unsigned i = 0; i < l.num; i++)
        fprintf(f, "in %u %u i%05u.%s[%u]\n", l.bits[i].word, l.bits[i].bit, i, l.bits[i].name, l.bits[i].bit);
    free(l.bits);
}

/* A bit per range, which has its input's name, on a chip without an SM. */
static void write_ranges(FILE *f, const port_list *ports)
{
    unsigned written = 0;

    for (unsigned p = 0; p < ports->num; p++) {
        const block_port *port = &ports->ports[p];
        const char *dot = strrchr(port->name, '.');

        if (port->range > written)
            fprintf(f, "read %d %u %s_is_read\n", WORD_READ, written++, dot ? dot + 1 : port->name);
    }
}

static void write_outputs(FILE *f, const port_list *ports, const part *p)
{
    unsigned word = p->first_take;
    bit_list l = {.num = 0};

    add_ports(&l, NULL, FIRST_OUT, ports, OUTWARD, 0, "");
    add_bits(&l, "zero", WORD_INVARIANT, 64, true, "invariant_broken");
    add_bits(&l, "before", WORD_BEFORE, 64, true, "violated");
    for (unsigned i = 0; i < p->count; i++) {
        add_bits(&l, "next", word++, 1, true, of_part(p, i, "takes.rst_ni"));
        word = add_ports(&l, "next", word, &p->ports, INWARD, 0, of_part(p, i, "takes."));
        add_bits(&l, "zero", word++, 4, true, of_part(p, i, "takes_wrong"));
    }
    for (unsigned i = 0; i < l.num; i++)
        fprintf(f, "%s %u %u %s[%u]\n", l.bits[i].kind, l.bits[i].word, l.bits[i].bit, l.bits[i].name, l.bits[i].bit);
    fprintf(f, "allowed %d 0 inputs\nzero %d 0 beyond_width\n", WORD_ALLOWED, WORD_BEYOND);
    write_ranges(f, ports);
    free(l.bits);
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

static bool close_file(FILE *f)
{
    const bool ok = f && !ferror(f);

    return f && fclose(f) == 0 && ok;
}

static bool write_files(const char *dir, const unsigned char *cfg, size_t cfg_size, const port_list *ports, part *p)
{
    FILE *header = create(dir, "step_words.h"), *bits = create(dir, "bits"), *parts = p->count ? create(dir, "step_part.h") : NULL;
    bool ok = header && bits && (parts || !p->count);

    place_part(p, ports);
    if (ok) {
        write_header(header, cfg, cfg_size, ports);
        write_inputs(bits, ports, p);
        write_outputs(bits, ports, p);
    }
    if (ok && parts)
        write_part(parts, p);
    ok &= !parts || close_file(parts);
    ok &= close_file(header);
    return close_file(bits) && ok;
}

/* The block's ports with these parameters; says what is wrong. */
static bool lay_out(const char *block_name, const char *params, lockstep_values *cfg, port_list *ports)
{
    const block_model *model = find_model(block_name);
    char bad[64];

    if (!model) {
        fprintf(stderr, "words: no block '%s'\n", block_name);
        return false;
    }
    model->configure(cfg, params, bad, sizeof bad);
    if (bad[0]) {
        fprintf(stderr, "words: %s has no parameter '%s'\n", block_name, bad);
        return false;
    }
    model->list_ports(cfg, ports);
    return !ports->failed;
}

int main(int argc, char **argv)
{
    lockstep_values cfg = {{0}}, part_cfg = {{0}};
    port_list ports = {.num = 0};
    part p = {.count = 0};
    bool ok;

    if (argc != 4 && argc != 8) {
        fprintf(stderr, "usage: words BLOCK PARAMS DIR [PART PARAMS FIELD COUNT]\n");
        return 2;
    }
    ok = lay_out(argv[1], argv[2], &cfg, &ports);
    if (ok && argc == 8) {
        p.field = argv[6];
        p.count = (unsigned)strtoul(argv[7], NULL, 10);
        ok = p.count && lay_out(argv[4], argv[5], &part_cfg, &p.ports);
    }
    ok = ok && write_files(argv[3], cfg.bytes, sizeof cfg.bytes, &ports, &p);
    port_list_free(&ports);
    port_list_free(&p.ports);
    return ok ? 0 : 2;
}
