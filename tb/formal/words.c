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
enum { WORD_ALLOWED, WORD_BEFORE, WORD_INVARIANT, WORD_BEYOND, FIRST_OUT };

/* What a part adds to the words: as many words per instance. */
typedef struct part {
    const char *field;
    unsigned count;
    unsigned takes, gives;           /* words of an instance */
    unsigned first_take, first_give; /* among words_out, words_in */
    port_list ports;
} part;

typedef struct bit {
    unsigned word, bit;
    bool narrow; /* not a bit per warp */
    char name[PORT_NAME + 24];
} bit;

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
            write_ports(f, "STEP_IN", ports, 1u << PORT_IN | 1u << PORT_REG, FIRST_IN));
    fprintf(f, "#define STEP_WORDS_OUT %u\n",
            write_ports(f, "STEP_OUT", ports, 1u << PORT_OUT | 1u << PORT_REG, FIRST_OUT));
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
    const unsigned in = 1u << PORT_IN | 1u << PORT_REG, out = 1u << PORT_OUT | 1u << PORT_REG;

    p->first_give = FIRST_IN + count_ports(whole, in);
    p->first_take = FIRST_OUT + count_ports(whole, out);
    p->gives = count_ports(&p->ports, out);
    p->takes = FIRST_IN + count_ports(&p->ports, in) + 1; /* as its own words_in; what is wrong with them */
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

/* What the parts give. */
static unsigned list_given(const part *p, bit *bits)
{
    unsigned n = 0, word = p->first_give;
    char name[PORT_NAME + 4];

    for (unsigned i = 0; i < p->count; i++)
        for (unsigned k = 0; k < p->ports.num; k++) {
            const block_port *port = &p->ports.ports[k];

            if (port->kind == PORT_IN)
                continue;
            port_full_name(port, name, sizeof name);
            for (unsigned b = 0; b < port->width; b++) {
                bits[n] = (bit){.word = word, .bit = b, .narrow = true};
                snprintf(bits[n++].name, sizeof bits->name, "%s[%u].gives.%s%s", p->field, i, name,
                         port->kind == PORT_REG ? ".next" : "");
            }
            word++;
        }
    return n;
}

static void write_taken(FILE *f, const part *p)
{
    unsigned word = p->first_take;
    char name[PORT_NAME + 4];

    for (unsigned i = 0; i < p->count; i++) {
        fprintf(f, "next %u 0 %s[%u].takes.rst_ni[0]\n", word++, p->field, i);
        for (unsigned k = 0; k < p->ports.num; k++) {
            const block_port *port = &p->ports.ports[k];

            if (port->kind == PORT_OUT)
                continue;
            port_full_name(port, name, sizeof name);
            for (unsigned b = 0; b < port->width; b++)
                fprintf(f, "next %u %u %s[%u].takes.%s[%u]\n", word, b, p->field, i, name, b);
            word++;
        }
        for (unsigned b = 0; b < 4; b++)
            fprintf(f, "zero %u %u %s[%u].takes_wrong[%u]\n", word, b, p->field, i, b);
        word++;
    }
}

static unsigned list_inputs(const port_list *ports, const part *parts, bit *bits)
{
    const unsigned widest = widest_input(ports);
    unsigned n = list_given(parts, bits), word = FIRST_IN;

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
        fprintf(f, "zero %d %u invariant_broken[%u]\nbefore %d %u violated[%u]\n", WORD_INVARIANT, i, i, WORD_BEFORE, i, i);
    fprintf(f, "allowed %d 0 inputs\nzero %d 0 beyond_width\n", WORD_ALLOWED, WORD_BEYOND);
}

static bool write_bits(FILE *f, const port_list *ports, const part *p)
{
    bit *bits = calloc(64 * (ports->num + (size_t)p->count * p->ports.num + 1), sizeof *bits);
    const unsigned n = bits ? list_inputs(ports, p, bits) : 0;

    for (unsigned i = 0; i < n; i++)
        fprintf(f, "in %u %u i%05u.%s[%u]\n", bits[i].word, bits[i].bit, i, bits[i].name, bits[i].bit);
    write_outputs(f, ports);
    write_taken(f, p);
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
        ok = write_bits(bits, ports, p);
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
