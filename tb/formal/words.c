/* SPDX-License-Identifier: Apache-2.0
 *
 * words BLOCK PARAMS DIR [PART PARAMS FIELDS]...: lays a block's ports and registers out as words of 64 bits, for
 * tb/formal/step.c and for the tools that compare. Everything is taken from the block's port list as the lockstep engine has
 * it. With a PART, the block's FIELDS, "lcs" or "sm[0],sm[1]", are blocks of that kind, whose steps are free (tb/formal/part.c):
 * what each takes and gives is laid out behind the block's own words.
 *
 * Writes DIR/step_words.h, with a PART DIR/step_part.h, and DIR/bits with a line per bit:
 *   in WORD BIT LABEL      free: rst_ni, the inputs, the registers
 *   out WORD BIT LABEL     must be equal on both sides: the outputs
 *   next WORD BIT LABEL    ... and the registers after the edge, REGISTER.next
 *   zero WORD BIT LABEL    of the model only: must be 0; look_differs, of a block with BLOCK_LATE: a look and the step give
 *                          different outputs
 *   allowed WORD 0 LABEL   of the model only: the inputs are what the surroundings may give
 *   before WORD BIT LABEL  of the model only: what is violated of the invariant before the edge
 *   read WORD BIT LABEL    of the model only: an input with a range is read
 * Of a part: FIELD.gives.OUTPUT and FIELD.gives.REGISTER.next are free, FIELD.takes.INPUT and .takes.REGISTER must be equal, as
 * must FIELD.takes.rst_ni of one with registers; FIELD.takes_wrong is a zero.
 * The label of an input begins with its place in the order that suits decision diagrams, "i00012.": ABC sorts by name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/block_models.h"
#include "engine/lockstep.h"

/* Words of tb/formal/step.c that are no port's. */
enum { WORD_RESET, FIRST_IN };
enum { WORD_ALLOWED, WORD_BEFORE, WORD_INVARIANT, WORD_BEYOND, WORD_READ, WORD_LOOK, FIRST_OUT };

enum { MOST_PARTS = 16 }; /* kinds */

/* What a kind of parts adds to the words: as many words per instance. */
typedef struct part {
    const char *block_name;
    char *fields[256];
    unsigned count;
    bool clocked, looks;
    unsigned takes, gives;           /* words of an instance */
    unsigned first_take, first_give; /* among words_out, words_in */
    port_list ports;
} part;

typedef struct part_list {
    part parts[MOST_PARTS];
    unsigned num;
} part_list;

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

static void place_parts(part_list *l, const port_list *whole)
{
    unsigned give = FIRST_IN + count_ports(whole, INWARD), take = FIRST_OUT + count_ports(whole, OUTWARD);

    for (part *p = l->parts; p < l->parts + l->num; p++) {
        p->clocked = count_ports(&p->ports, 1u << PORT_REG) != 0;
        p->gives = count_ports(&p->ports, OUTWARD);
        p->takes = FIRST_IN + count_ports(&p->ports, INWARD) + 1; /* as its own words_in; what is wrong with them */
        p->first_give = give;
        p->first_take = take;
        give += p->count * p->gives;
        take += p->count * p->takes;
    }
}

static void write_parts(FILE *f, const part_list *l)
{
    fprintf(f, "/* Made by words.c */\nenum { PART_FIRST_OUT = %d };\n", FIRST_OUT);
    fprintf(f, "/* P(block, instances, words that one takes, gives, the first of all among words_out, words_in) */\n"
               "#define STEP_PARTS(P)");
    for (const part *p = l->parts; p < l->parts + l->num; p++)
        fprintf(f, " \\\n    P(%s, %u, %u, %u, %u, %u)", p->block_name, p->count, p->takes, p->gives, p->first_take,
                p->first_give);
    fprintf(f, "\n");
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

    snprintf(text, sizeof text, "%s.%s", p->fields[index], what);
    return text;
}

static void write_inputs(FILE *f, const port_list *ports, const part_list *parts)
{
    bit_list l = {.num = 0};

    for (const part *p = parts->parts; p < parts->parts + parts->num; p++) {
        unsigned word = p->first_give;

        for (unsigned i = 0; i < p->count; i++)
            word = add_ports(&l, "in", word, &p->ports, OUTWARD, 0, of_part(p, i, "gives."));
    }
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

static void add_takes(bit_list *l, const part *p)
{
    unsigned word = p->first_take;

    for (unsigned i = 0; i < p->count; i++) {
        if (p->clocked)
            add_bits(l, "next", word, 1, true, of_part(p, i, "takes.rst_ni"));
        word = add_ports(l, "next", word + 1, &p->ports, INWARD, 0, of_part(p, i, "takes."));
        add_bits(l, "zero", word++, p->looks ? 7 : 6, true, of_part(p, i, "takes_wrong"));
    }
}

static void write_outputs(FILE *f, const port_list *ports, const part_list *parts, bool looks)
{
    bit_list l = {.num = 0};

    add_ports(&l, NULL, FIRST_OUT, ports, OUTWARD, 0, "");
    add_bits(&l, "zero", WORD_INVARIANT, 64, true, "invariant_broken");
    add_bits(&l, "before", WORD_BEFORE, 64, true, "violated");
    for (const part *p = parts->parts; p < parts->parts + parts->num; p++)
        add_takes(&l, p);
    for (unsigned i = 0; i < l.num; i++)
        fprintf(f, "%s %u %u %s[%u]\n", l.bits[i].kind, l.bits[i].word, l.bits[i].bit, l.bits[i].name, l.bits[i].bit);
    fprintf(f, "allowed %d 0 inputs\nzero %d 0 beyond_width\n", WORD_ALLOWED, WORD_BEYOND);
    if (looks)
        fprintf(f, "zero %d 0 look_differs\n", WORD_LOOK);
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

static bool write_files(const char *dir, const unsigned char *cfg, size_t cfg_size, const port_list *ports, bool looks, part_list *l)
{
    FILE *header = create(dir, "step_words.h"), *bits = create(dir, "bits"), *parts = l->num ? create(dir, "step_part.h") : NULL;
    bool ok = header && bits && (parts || !l->num);

    place_parts(l, ports);
    if (ok) {
        write_header(header, cfg, cfg_size, ports);
        write_inputs(bits, ports, l);
        write_outputs(bits, ports, l, looks);
    }
    if (ok && parts)
        write_parts(parts, l);
    ok &= !parts || close_file(parts);
    ok &= close_file(header);
    return close_file(bits) && ok;
}

/* The block's ports with these parameters; says what is wrong. */
static bool lay_out(const char *block_name, const char *params, lockstep_values *cfg, port_list *ports, bool *looks)
{
    const block_model *model = find_block_model(block_name);
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
    *looks = model->looks;
    return !ports->failed;
}

/* PART PARAMS FIELDS. */
static bool read_part(char **words, part *p)
{
    lockstep_values cfg = {{0}};

    p->block_name = words[0];
    for (char *field = strtok(words[2], ","); field; field = strtok(NULL, ",")) {
        if (p->count == sizeof p->fields / sizeof *p->fields) {
            fprintf(stderr, "words: more than %u parts %s\n", p->count, p->block_name);
            return false;
        }
        p->fields[p->count++] = field;
    }
    return p->count && lay_out(words[0], words[1], &cfg, &p->ports, &p->looks);
}

int main(int argc, char **argv)
{
    static part_list parts;
    lockstep_values cfg = {{0}};
    port_list ports = {.num = 0};
    bool ok, looks;

    if (argc < 4 || (argc - 4) % 3 || (argc - 4) / 3 > MOST_PARTS) {
        fprintf(stderr, "usage: words BLOCK PARAMS DIR [PART PARAMS FIELDS]...\n");
        return 2;
    }
    ok = lay_out(argv[1], argv[2], &cfg, &ports, &looks);
    for (int i = 4; ok && i < argc; i += 3)
        ok = read_part(argv + i, &parts.parts[parts.num++]);
    ok = ok && write_files(argv[3], cfg.bytes, sizeof cfg.bytes, &ports, looks, &parts);
    port_list_free(&ports);
    for (unsigned i = 0; i < parts.num; i++)
        port_list_free(&parts.parts[i].ports);
    return ok ? 0 : 2;
}
