/* SPDX-License-Identifier: Apache-2.0
 *
 * stepir: a step of a block's C model, compiled to LLVM IR, beside the RTL's.
 *   stepir blif DIR               writes DIR/gold.blif (the RTL) and DIR/gate.blif (the model), and DIR/free_gold.blif and
 *                                 DIR/free_gate.blif: the same with fewer conditions
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
    lit outside; /* an access outside of its object */
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
    s->outside = ir_translate(&s->g, file_of(s, "step.ll"), "step_words", s->in, s->bits.words_in, s->out, s->bits.words_out);
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

/* The same or more, without what most bits do not hang on: a proof for these is one for `counts`, and easier for diagrams. */
static lit counts_free(step *s, const bit *b)
{
    lit condition = s->allowed;

    if (b->kind != BIT_ZERO)
        return AIG_TRUE;
    for (unsigned i = 0; i < 64; i++)
        if (belong_together(b->bit, i))
            condition = aig_and(&s->g, condition, aig_not(s->before[i]));
    return aig_or(&s->g, condition, s->reset);
}

/* ---- blif --------------------------------------------------------------------------- */

static void write_circuit(step *s, const char *name, const aig_name *outputs, unsigned num)
{
    aig_name *inputs = arena(s->bits.num * sizeof *inputs);
    unsigned num_inputs = 0;
    FILE *f = fopen(file_of(s, name), "w");

    if (!f)
        give_up("%s: %s", file_of(s, name), strerror(errno));
    for (unsigned i = 0; i < s->bits.num; i++)
        if (s->bits.bits[i].kind == BIT_IN)
            inputs[num_inputs++] = (aig_name){s->bits.bits[i].label, s->bits.bits[i].model};
    aig_write_blif(&s->g, f, inputs, num_inputs, outputs, num);
    if (fclose(f) != 0)
        give_up("%s: %s", file_of(s, name), strerror(errno));
}

static bool compared(const bit *b)
{
    return is_output(b) || b->kind == BIT_ZERO;
}

static void write_side(step *s, const char *name, bool rtl, lit (*condition)(step *s, const bit *b))
{
    aig_name *outputs = arena((s->bits.num + 1) * sizeof *outputs);
    unsigned num = 0;

    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (compared(b))
            outputs[num++] = (aig_name){b->label, aig_and(&s->g, condition(s, b), rtl ? b->rtl : b->model)};
    }
    outputs[num++] = (aig_name){"outside_object", rtl ? AIG_FALSE : aig_and(&s->g, s->holds, s->outside)};
    write_circuit(s, name, outputs, num);
}

static int blif(step *s, char **words)
{
    (void)words;
    read_rtl(s);
    write_side(s, "gold.blif", true, counts);
    write_side(s, "gate.blif", false, counts);
    write_side(s, "free_gold.blif", true, counts_free);
    write_side(s, "free_gate.blif", false, counts_free);
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

/* What property_words makes of the RTL's step: 64 literals. */
static void break_properties(step *s, lit *broken)
{
    const unsigned words_in = s->bits.words_in + s->bits.words_out;
    lit *in = arena(64 * (size_t)words_in * sizeof *in);
    lit outside;

    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (b->kind == BIT_IN)
            in[64 * b->word + b->bit] = b->model;
        else if (is_output(b))
            in[64 * (s->bits.words_in + b->word) + b->bit] = b->rtl;
    }
    outside = ir_translate(&s->g, file_of(s, "step.ll"), "property_words", in, words_in, broken, 1);
    broken[0] = aig_or(&s->g, broken[0], outside);
}

static int properties(step *s, char **words)
{
    const char *const *names = symbol_of(s, "property_names");
    aig_name outputs[64], none[64];
    char labels[64][32];
    lit broken[64];
    unsigned num = 0, number = 0;

    read_rtl(s);
    break_properties(s, broken);
    for (; names[number]; number++)
        printf("%u\t%s\n", number, names[number]);
    if (number > 64)
        give_up("more than 64 properties");
    for (unsigned i = 0; i < number; i++) {
        if (words[0] && strtoul(words[0], NULL, 10) != i)
            continue;
        snprintf(labels[num], sizeof labels[num], "property[%u]", i);
        outputs[num] = (aig_name){labels[num], broken[i]};
        none[num] = (aig_name){labels[num], AIG_FALSE};
        num++;
    }
    write_circuit(s, "broken.blif", outputs, num);
    write_circuit(s, "none.blif", none, num);
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
    const patterns p = {.g = &s->g, .in = s->in, .words_in = s->bits.words_in, .out = s->out, .words_out = s->bits.words_out,
                        .compiled = open_function(s, "step_words")};
    pattern_bit at;

    if (agree(&p, words, &at))
        return 0;
    printf("%s is %u in the translation and not in the compiled step\n", output_at(s, at), at.translated);
    return 1;
}

/* The rules as functions of the step's words before and after, which are free here. */
static int test_properties(step *s, char **words)
{
    const unsigned words_in = s->bits.words_in + s->bits.words_out;
    lit *in = arena(64 * (size_t)words_in * sizeof *in), broken[64];
    const patterns p = {.g = &s->g, .in = in, .words_in = words_in, .out = broken, .words_out = 1,
                        .compiled = open_function(s, "property_words"),
                        .first = open_function(s, "step_words"), .first_in = s->bits.words_in};
    pattern_bit at;

    memcpy(in, s->in, 64 * (size_t)s->bits.words_in * sizeof *in);
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (is_output(b))
            in[64 * (s->bits.words_in + b->word) + b->bit] = aig_input(&s->g);
    }
    ir_translate(&s->g, file_of(s, "step.ll"), "property_words", in, words_in, broken, 1);
    if (agree(&p, words, &at))
        return 0;
    printf("property %u is %s in the translation and not as compiled\n", at.bit, at.translated ? "broken" : "kept");
    return 1;
}

/* ---- show --------------------------------------------------------------------------- */

static void read_values(step *s, const char *path, uint64_t *values)
{
    FILE *f = fopen(path, "r");
    char label[96];
    unsigned value, found = 0;

    if (!f)
        give_up("%s: %s", path, strerror(errno));
    while (fscanf(f, " %95[^= \n]=%u", label, &value) == 2) {
        const bit *b = bits_find(&s->bits, label);

        if (!b || b->kind != BIT_IN)
            continue;
        values[b->model >> 1] = value;
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

static int show(step *s, char **words)
{
    uint64_t *values;
    unsigned differing = 0;

    read_rtl(s);
    values = arena(s->g.num * sizeof *values);
    read_values(s, words[0], values);
    aig_simulate(&s->g, values);
    for (unsigned i = 0; i < s->bits.num; i++) {
        const bit *b = &s->bits.bits[i];

        if (b->kind == BIT_IN && b->bit == 0)
            printf("%.*s = %" PRIu64 "\n", name_length(b), bit_name(b), word_of(s, values, b, false));
    }
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
    if (aig_value(values, s->outside) & 1)
        printf("# the model reads or writes outside of an object\n");
    return differing ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int least, most; /* words behind DIR */
        int (*run)(step *s, char **words);
    } commands[] = {{"blif", 0, 0, blif}, {"properties", 0, 1, properties}, {"test", 2, 2, test},
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
    fprintf(stderr, "usage: stepir blif DIR | stepir properties DIR [N] | stepir test|test_properties DIR COUNT SEED | stepir show DIR CEX\n");
    return 2;
}
