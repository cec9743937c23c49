/* SPDX-License-Identifier: Apache-2.0
 *
 * stepir: a step of a block's C model, compiled to LLVM IR, beside the RTL's.
 *   stepir blif DIR               writes DIR/gold.blif (the RTL) and DIR/gate.blif (the model), and DIR/free_gold.blif and
 *                                 DIR/free_gate.blif: the same with fewer conditions; all with 0 for what is undefined. That nothing
 *                                 hangs on it: DIR/flags.blif is 0 (DIR/no_flags.blif), or DIR/anything.blif equal to DIR/zero.blif.
 *                                 DIR/witness.blif: each output can be 1 if what is assumed is not too much
 *   stepir properties DIR [N]     writes DIR/broken.blif, what the RTL breaks of its properties (of the N-th alone), and
 *                                 DIR/none.blif, nothing; prints a line "N OF RULE TEXT", tabs between, per property
 *   stepir test DIR COUNT SEED    the translation beside the compiled step on COUNT patterns
 *   stepir test_properties DIR COUNT SEED   ... beside the compiled properties
 *   stepir show DIR CEX           both sides for the inputs in CEX ("NAME=VALUE ..."), as a file for replay.c
 * DIR has bits and step.ll; step.so for test; rtl.aag for blif and show.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formal/aig.h"
#include "formal/bits.h"
#include "formal/ir.h"
#include "formal/patterns.h"
#include "formal/vec.h"

typedef struct step {
    aig g;
    bits bits;
    const char *dir;
    lit *in, *out; /* of the model's step, 64 per word */
    lit undefined; /* the model does what C does not define */
    lit reset;   /* in reset */
    lit allowed; /* the inputs are what the surroundings may give */
    lit before[64]; /* violated of the invariant before the step */
    lit holds;   /* the invariant, and the inputs are allowed */
} step;

static const char *file_of(const step *s, const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", s->dir, name);
    return path;
}

/* ---- both sides --------------------------------------------------------------------- */

static void open_model(step *s, const char *dir)
{
    s->dir = dir;
    aig_open(&s->g);
    bits_read(&s->bits, file_of(s, "bits"));
    s->in = arena(64 * (size_t)s->bits.words_in * sizeof *s->in);
    s->out = arena(64 * (size_t)s->bits.words_out * sizeof *s->out);
    for (unsigned i = 0; i < s->bits.num; i++) {
        bit *b = &s->bits.bits[i];

        if (b->kind == BIT_IN)
            b->model = b->rtl = s->in[64 * b->word + b->bit] = aig_input(&s->g);
    }
    s->reset = aig_not(s->in[0]);
    s->undefined = ir_translate(&s->g, file_of(s, "step.ll"), "step_words", s->in, s->bits.words_in, s->out, s->bits.words_out);
    for (unsigned i = 0; i < s->bits.num; i++) {
        bit *b = &s->bits.bits[i];

        if (b->kind != BIT_IN)
            b->model = s->out[64 * b->word + b->bit];
        if (b->kind == BIT_ALLOWED)
            s->allowed = b->model;
        if (b->kind == BIT_BEFORE)
            s->before[b->bit] = b->model;
    }
    s->holds = s->allowed;
    for (unsigned i = 0; i < 64; i++)
        s->holds = aig_and(&s->g, s->holds, aig_not(s->before[i]));
}

static void close_step(step *s)
{
    aig_close(&s->g);
    bits_free(&s->bits);
    arena_close();
}

static bool is_output(const bit *b)
{
    return b->kind == BIT_OUT || b->kind == BIT_NEXT;
}

static lit find_input(void *self, const char *name)
{
    const bit *b = bits_find(self, name);

    if (!b || b->kind != BIT_IN)
        give_up("the RTL has an input %s that the block's port list does not have", name);
    return b->model;
}

static void found_output(void *self, const char *name, lit function)
{
    bit *b = bits_find(self, name);

    if (!b || !is_output(b))
        give_up("the RTL has an output %s that the block's port list does not have", name);
    b->rtl = function;
}

static void read_rtl(step *s)
{
    for (unsigned i = 0; i < s->bits.num; i++)
        if (is_output(&s->bits.bits[i]))
            s->bits.bits[i].rtl = AIG_INPUT; /* not found yet */
    aig_read_aiger(&s->g, file_of(s, "rtl.aag"), &(aig_reader){&s->bits, find_input, found_output});
    for (unsigned i = 0; i < s->bits.num; i++)
        if (s->bits.bits[i].rtl == AIG_INPUT)
            give_up("%s of the port list is not in the RTL", s->bits.bits[i].label);
}

/* Where the two must agree: the outputs when the invariant holds, the registers after the edge also after reset. */
static lit counts(step *s, const bit *b)
{
    return b->kind == BIT_OUT ? s->holds : aig_or(&s->g, s->holds, s->reset);
}

/* A bit of an invariant is often kept by what is close to it: bits 0 to 39 and 63 belong together, others stand alone. */
static bool belong_together(unsigned a, unsigned b)
{
    return a == b || ((a < 40 || a == 63) && (b < 40 || b == 63));
}

/* What an output often hangs on: bits that stand alone. */
static bool stands_alone(unsigned a)
{
    return a >= 40 && a < 63;
}

/* The same or more, without what most bits do not hang on: a proof for these is one for `counts`, and easier for diagrams. */
static lit counts_free(step *s, const bit *b)
{
    lit condition = s->allowed;

    for (unsigned i = 0; i < 64; i++)
        if (b->kind == BIT_ZERO ? belong_together(b->bit, i) : stands_alone(i))
            condition = aig_and(&s->g, condition, aig_not(s->before[i]));
    return b->kind == BIT_OUT ? condition : aig_or(&s->g, condition, s->reset);
}

/* ---- blif --------------------------------------------------------------------------- */

#define UNKNOWN_LABEL "z_undefined[%u]"

typedef struct circuit {
    const char *name; /* of its file */
    aig_name *outputs;
    unsigned num;
    bool anything; /* what is undefined is an input; else it is 0 */
} circuit;

static void add_unknowns(const step *s, const circuit *c, aig_name *inputs, unsigned *num)
{
    bool *reached = aig_reached(&s->g, c->outputs, c->num);

    for (uint32_t n = 1; n < s->g.num; n++)
        if (aig_is_unknown(&s->g, n) && reached[n]) {
            char *label = arena(24);

            snprintf(label, 24, UNKNOWN_LABEL, n);
            inputs[(*num)++] = (aig_name){label, 2 * n};
        }
    free(reached);
}

/* `inputs_of`: the circuit whose inputs it has, for circuits that are compared have the same. */
static void write_circuit(const step *s, const circuit *c, const circuit *inputs_of)
{
    aig_name *inputs = arena(((size_t)s->bits.num + s->g.num) * sizeof *inputs);
    unsigned num = 0, used;
    FILE *f = fopen(file_of(s, c->name), "w");

    if (!f)
        give_up("%s: %s", file_of(s, c->name), strerror(errno));
    for (unsigned i = 0; i < s->bits.num; i++)
        if (s->bits.bits[i].kind == BIT_IN)
            inputs[num++] = (aig_name){s->bits.bits[i].label, s->bits.bits[i].model};
    used = num;
    if (inputs_of->anything)
        add_unknowns(s, inputs_of, inputs, &num);
    aig_write_blif(&s->g, f, inputs, num, c->anything ? num : used, c->outputs, c->num);
    if (fclose(f) != 0)
        give_up("%s: %s", file_of(s, c->name), strerror(errno));
}

static bool compared(const bit *b)
{
    return is_output(b) || b->kind == BIT_ZERO;
}

typedef lit where(step *s, const bit *b);

/* The outputs of a side, on where they count. */
static circuit side_of(step *s, const char *name, bool rtl, where *condition)
{
    circuit c = {name, arena((s->bits.num + 1) * sizeof *c.outputs), 0, false};

    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (compared(b))
            c.outputs[c.num++] = (aig_name){b->label, aig_and(&s->g, condition(s, b), rtl ? b->rtl : b->model)};
    }
    c.outputs[c.num++] = (aig_name){"undefined_behaviour", rtl ? AIG_FALSE : aig_and(&s->g, s->holds, s->undefined)};
    return c;
}

/* Both sides, under names of their own. */
static circuit both_of(const char *name, const circuit *rtl, const circuit *model)
{
    circuit c = {name, arena((rtl->num + (size_t)model->num) * sizeof *c.outputs), 0, true};

    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < rtl->num; i++) {
            const aig_name *from = side ? &model->outputs[i] : &rtl->outputs[i];
            char *label = arena(strlen(from->name) + 8);

            sprintf(label, "%s.%s", side ? "model" : "rtl", from->name);
            c.outputs[c.num++] = (aig_name){label, from->function};
        }
    return c;
}

/* When a function is not known, for each of a circuit's: 1 there is an output that hangs on something undefined, or seems to. */
static circuit flags_of(step *s, const char *name, const circuit *of)
{
    circuit c = {name, arena(of->num * sizeof *c.outputs), of->num, false};
    lit *when = aig_unknown_when(&s->g);

    for (unsigned i = 0; i < of->num; i++)
        c.outputs[i] = (aig_name){of->outputs[i].name, when[of->outputs[i].function >> 1]};
    free(when);
    return c;
}

static circuit nothing_of(const char *name, const circuit *of)
{
    circuit c = {name, arena(of->num * sizeof *c.outputs), of->num, false};

    for (unsigned i = 0; i < of->num; i++)
        c.outputs[i] = (aig_name){of->outputs[i].name, AIG_FALSE};
    return c;
}

/* What must be possible, or a proof says nothing: a step out of reset under all that is assumed, and one that reads an input with a
 * range, for each of them. */
static circuit witness_of(step *s, const char *name)
{
    circuit c = {name, arena((s->bits.num + 1) * sizeof *c.outputs), 0, false};
    const lit runs = aig_and(&s->g, s->holds, aig_not(s->reset));

    c.outputs[c.num++] = (aig_name){"a_step", runs};
    for (unsigned i = 0; i < s->bits.num; i++)
        if (s->bits.bits[i].kind == BIT_READ)
            c.outputs[c.num++] = (aig_name){s->bits.bits[i].label, aig_and(&s->g, runs, s->bits.bits[i].model)};
    return c;
}

/* Three questions. Are the sides equal with 0 for what is undefined? Does no output hang on it: is its flag never 1, or, if that
 * cannot be said, is it the same for anything as for 0? Together they say that the sides are equal whatever it is, and each is easier
 * than that. */
static int blif(step *s, char **words)
{
    circuit rtl, model, free_rtl, free_model, anything, zero, flags, nothing, witness;

    (void)words;
    read_rtl(s);
    rtl = side_of(s, "gold.blif", true, counts);
    model = side_of(s, "gate.blif", false, counts);
    free_rtl = side_of(s, "free_gold.blif", true, counts_free);
    free_model = side_of(s, "free_gate.blif", false, counts_free);
    anything = both_of("anything.blif", &rtl, &model);
    zero = anything;
    zero.name = "zero.blif";
    zero.anything = false;
    flags = flags_of(s, "flags.blif", &anything);
    nothing = nothing_of("no_flags.blif", &anything);
    witness = witness_of(s, "witness.blif");
    write_circuit(s, &witness, &witness);
    write_circuit(s, &flags, &flags);
    write_circuit(s, &nothing, &flags);
    write_circuit(s, &rtl, &rtl);
    write_circuit(s, &model, &model);
    write_circuit(s, &free_rtl, &free_rtl);
    write_circuit(s, &free_model, &free_model);
    write_circuit(s, &anything, &anything);
    write_circuit(s, &zero, &anything);
    return 0;
}

/* ---- properties --------------------------------------------------------------------- */

static void *symbol_of(const step *s, const char *name)
{
    void *library = dlopen(file_of(s, "step.so"), RTLD_LAZY | RTLD_LOCAL), *symbol = library ? dlsym(library, name) : NULL;

    if (!symbol)
        give_up("%s", dlerror());
    return symbol;
}

enum { MOST_PROPERTIES = 64 };
enum { PROPERTY_WORDS = 2 }; /* that property_words writes; the first one counts */

/* Where property_words has the step's words_out: behind its inputs and the block's history. */
static unsigned first_word_out(const step *s)
{
    return s->bits.words_in + *(const unsigned *)symbol_of(s, "property_more");
}

/* What property_words makes of the RTL's step. The history may be any: it is like something undefined. */
static void break_properties(step *s, lit *broken)
{
    const unsigned first_out = first_word_out(s), words_in = first_out + s->bits.words_out;
    lit *in = arena(64 * (size_t)words_in * sizeof *in);
    lit undefined;

    for (unsigned i = 64 * s->bits.words_in; i < 64 * first_out; i++)
        in[i] = aig_unknown(&s->g, i % 64);
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (b->kind == BIT_IN)
            in[64 * b->word + b->bit] = b->model;
        else if (is_output(b))
            in[64 * (first_out + b->word) + b->bit] = b->rtl;
    }
    undefined = ir_translate(&s->g, file_of(s, "step.ll"), "property_words", in, words_in, broken, PROPERTY_WORDS);
    broken[0] = aig_or(&s->g, broken[0], undefined);
}

/* Whether it is one of those that are named, or none is. */
static bool is_wanted(unsigned property, char **words)
{
    bool found = !words[0];

    for (; words[0]; words++)
        found |= strtoul(words[0], NULL, 10) == property;
    return found;
}

static int properties(step *s, char **words)
{
    const char *const *names = symbol_of(s, "property_names");
    aig_name outputs[MOST_PROPERTIES], none[MOST_PROPERTIES];
    circuit broken;
    char labels[MOST_PROPERTIES][32];
    lit literals[64 * PROPERTY_WORDS];
    unsigned num = 0, number = 0;

    read_rtl(s);
    break_properties(s, literals);
    for (; names[number]; number++)
        printf("%u\t%s\n", number, names[number]);
    if (number > MOST_PROPERTIES)
        give_up("more than 64 properties");
    for (unsigned i = 0; i < number; i++) {
        if (!is_wanted(i, words))
            continue;
        snprintf(labels[num], sizeof labels[num], "property[%u]", i);
        outputs[num] = (aig_name){labels[num], literals[i]};
        none[num] = (aig_name){labels[num], AIG_FALSE};
        num++;
    }
    broken = (circuit){"broken.blif", outputs, num, true};
    write_circuit(s, &broken, &broken);
    write_circuit(s, &(circuit){"none.blif", none, num, false}, &broken);
    return 0;
}

/* ---- test --------------------------------------------------------------------------- */

static words_function *open_function(const step *s, const char *name)
{
    void *symbol = symbol_of(s, name);
    words_function *function;

    memcpy(&function, &symbol, sizeof function);
    return function;
}

static const char *output_at(const step *s, pattern_bit at)
{
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (b->kind != BIT_IN && b->word == at.word && b->bit == at.bit)
            return b->label;
    }
    return "a bit that no port has";
}

static bool hangs_on_unknown(const step *s, lit function)
{
    bool *reached = aig_reached(&s->g, &(aig_name){NULL, function}, 1), hangs = false;

    for (uint32_t n = 1; n < s->g.num; n++)
        hangs |= reached[n] && aig_is_unknown(&s->g, n);
    free(reached);
    return hangs;
}

/* COUNT patterns from SEED. */
static bool agree(const patterns *p, char **words, pattern_bit *at)
{
    const bool equal = patterns_agree(p, strtoull(words[0], NULL, 10), strtoull(words[1], NULL, 10), at);

    if (equal)
        printf("%s patterns\n", words[0]);
    return equal;
}

static int test(step *s, char **words)
{
    const patterns p = {.g = &s->g, .ignored = s->undefined, .in = s->in, .words_in = s->bits.words_in, .out = s->out, .words_out = s->bits.words_out,
                        .compiled = open_function(s, "step_words")};
    pattern_bit at;

    if (agree(&p, words, &at))
        return 0;
    printf("%s is %u in the translation and not in the compiled step%s\n", output_at(s, at), at.translated,
           hangs_on_unknown(s, s->out[64 * (size_t)at.word + at.bit]) ? "; it hangs on something undefined" : "");
    return 1;
}

/* The rules as functions of history and step's words before and after, which are free here. */
static int test_properties(step *s, char **words)
{
    const unsigned first_out = first_word_out(s), words_in = first_out + s->bits.words_out;
    lit *in = arena(64 * (size_t)words_in * sizeof *in), broken[64 * PROPERTY_WORDS];
    patterns p = {.g = &s->g, .in = in, .words_in = words_in, .out = broken, .words_out = PROPERTY_WORDS,
                  .compiled = open_function(s, "property_words"),
                  .first = open_function(s, "step_words"), .first_in = first_out, .first_undefined = s->undefined};
    pattern_bit at;

    memcpy(in, s->in, 64 * (size_t)s->bits.words_in * sizeof *in);
    for (unsigned i = 64 * s->bits.words_in; i < 64 * first_out; i++)
        in[i] = aig_input(&s->g);
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (is_output(b))
            in[64 * (first_out + b->word) + b->bit] = aig_input(&s->g);
    }
    p.ignored = aig_or(&s->g, s->undefined,
                       ir_translate(&s->g, file_of(s, "step.ll"), "property_words", in, words_in, broken, PROPERTY_WORDS));
    if (agree(&p, words, &at))
        return 0;
    printf("property %u is %s in the translation and not as compiled\n", at.bit, at.translated ? "broken" : "kept");
    return 1;
}

/* ---- show --------------------------------------------------------------------------- */

/* A counterexample's values are in pattern 0. In the other 63 the inputs are the same, and what is undefined is something else: 0 in
 * some, all ones in others, anything in the rest. */
#define ALL_PATTERNS UINT64_MAX
#define PATTERNS_OF_0 UINT64_C(0x00000000000ffffe)
#define PATTERNS_OF_1 UINT64_C(0x000000fffff00000)

static void read_values(const step *s, const char *path, uint64_t *values)
{
    FILE *f = fopen(path, "r");
    char label[96];
    unsigned value, node, found = 0;
    uint64_t state = 1;

    for (uint32_t n = 1; n < s->g.num; n++)
        values[n] = aig_is_unknown(&s->g, n) ? (pattern_random(&state) & ~PATTERNS_OF_0) | PATTERNS_OF_1 : 0;

    if (!f)
        give_up("%s: %s", path, strerror(errno));
    while (fscanf(f, " %95[^= \n]=%u", label, &value) == 2) {
        const bit *b = bits_find(&s->bits, label);

        if (sscanf(label, UNKNOWN_LABEL, &node) == 1 && node < s->g.num && aig_is_unknown(&s->g, node))
            values[node] = (values[node] & ~UINT64_C(1)) | (value & 1);
        if (!b || b->kind != BIT_IN)
            continue;
        values[b->model >> 1] = value ? ALL_PATTERNS : 0;
        found++;
    }
    fclose(f);
    if (!found)
        give_up("%s: no values of the step's inputs", path);
}

/* A whole word of a side: the bits with the same name before "[bit]" stand together in no certain order. */
static uint64_t word_of(const step *s, const uint64_t *values, const bit *of, bool rtl)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if ((b->kind == BIT_IN) == (of->kind == BIT_IN) && b->word == of->word)
            word |= (aig_value(values, rtl ? b->rtl : b->model) & 1) << b->bit;
    }
    return word;
}

static int name_length(const bit *b)
{
    const char *name = bit_name(b), *bracket = strrchr(name, '[');

    return bracket ? (int)(bracket - name) : (int)strlen(name);
}

static bool differs_by_unknowns(const uint64_t *values, lit function)
{
    const uint64_t all = aig_value(values, function);

    return all != 0 && all != ALL_PATTERNS;
}

static unsigned show_undefined(const step *s, const uint64_t *values)
{
    if (aig_value(values, s->undefined) & 1) {
        printf("# undefined: the model does what C does not define (overflow, shift, index, division, return, access)\n");
        return 1;
    }
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (compared(b) && (differs_by_unknowns(values, b->model) || differs_by_unknowns(values, b->rtl))) {
            printf("# undefined: %.*s hangs on a value that is undefined in the %s\n", name_length(b), bit_name(b),
                   differs_by_unknowns(values, b->model) ? "model" : "RTL");
            return 1;
        }
    }
    return 0;
}

static int show(step *s, char **words)
{
    uint64_t *values;
    unsigned differing;

    read_rtl(s);
    values = arena(s->g.num * sizeof *values);
    read_values(s, words[0], values);
    aig_simulate(&s->g, values);
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (b->kind == BIT_IN && b->bit == 0)
            printf("%.*s = %" PRIu64 "\n", name_length(b), bit_name(b), word_of(s, values, b, false));
    }
    differing = show_undefined(s, values);
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];
        uint64_t model, rtl;

        if (!compared(b) || b->bit != 0)
            continue;
        model = word_of(s, values, b, false);
        rtl = word_of(s, values, b, true);
        differing += model != rtl;
        if (model != rtl)
            printf("# %.*s: model %" PRIu64 ", RTL %" PRIu64 "\n", name_length(b), bit_name(b), model, rtl);
    }
    return differing ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int least, most; /* words behind DIR */
        int (*run)(step *s, char **words);
    } commands[] = {{"blif", 0, 0, blif}, {"properties", 0, MOST_PROPERTIES, properties}, {"test", 2, 2, test},
                    {"test_properties", 2, 2, test_properties}, {"show", 1, 1, show}};
    step s = {.holds = AIG_TRUE, .allowed = AIG_TRUE};
    int status;

    for (size_t i = 0; argc >= 3 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) != 0 || argc - 3 < commands[i].least || argc - 3 > commands[i].most)
            continue;
        open_model(&s, argv[2]);
        status = commands[i].run(&s, argv + 3);
        close_step(&s);
        return status;
    }
    fprintf(stderr, "usage: stepir blif DIR | stepir properties DIR [N ...] | stepir test|test_properties DIR COUNT SEED | stepir show DIR CEX\n");
    return 2;
}
