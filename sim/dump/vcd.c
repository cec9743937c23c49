/* SPDX-License-Identifier: Apache-2.0 */
#include "dump/vcd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/bytes.h"
#include "dump/vcd_words.h"

enum { MOST_NAMES = 1 << 22, NAME_BYTES = 4096, MOST_SCOPES = 256, DIGITS = 20 };

/* A variable. Its short name in the file is its code. */
typedef struct variable {
    char *code;
    uint32_t width;
    char *before, *behind; /* NULL: nobody wants its values */
    bool changed;
    uint64_t changes;
} variable;

struct vcd {
    vcd_words words;
    char scope[NAME_BYTES]; /* with a dot behind each */
    size_t scope_at[MOST_SCOPES]; /* where each begins */
    unsigned depth;
    vcd_name *names;   /* by name */
    char **codes;      /* of names, while they are declared */
    size_t num_names, name_room, code_room;
    variable *variables; /* by code */
    unsigned num_variables;
    unsigned *changed, num_changed, wanted;
    uint64_t time, next_time;
    unsigned long line, next_line; /* of the words that say these */
    bool began, has_next; /* a time stamp has been read; the next one has been, too */
};

#define vcd_fail(v, ...) vcd_words_fail(&(v)->words, __VA_ARGS__)

const char *vcd_path(const vcd *v) { return input_path(v->words.in); }
uint64_t vcd_consumed(const vcd *v) { return v->words.child ? 0 : input_consumed(v->words.in); }
uint64_t vcd_size(const vcd *v) { return input_size(v->words.in); }
unsigned long vcd_line(const vcd *v) { return v->words.child ? 0 : v->line; }

/* ---- declarations ----------------------------------------------------------------- */

/* Decimal digits and nothing else. */
static bool number(const char *text, uint64_t *value)
{
    const size_t n = strspn(text, "0123456789");

    if (n == 0 || n > DIGITS || text[n])
        return false;
    *value = strtoull(text, NULL, 10);
    return n < DIGITS || *value >= UINT64_C(10000000000000000000);
}

static bool enter_scope(vcd *v, trace_err *err)
{
    const size_t n = strlen(v->scope);
    const char *word;

    if (!vcd_word_due(&v->words, err)) /* module, begin, ... */
        return false;
    word = vcd_word_due(&v->words, err);
    if (!word)
        return false;
    if (n + strlen(word) + 2 > sizeof v->scope || v->depth == MOST_SCOPES)
        return vcd_fail(v, err, "scopes of more than %d characters together, or more than %d of them", NAME_BYTES, MOST_SCOPES);
    v->scope_at[v->depth++] = n;
    snprintf(v->scope + n, sizeof v->scope - n, "%s.", word);
    return vcd_skip_to_end(&v->words, err);
}

static bool leave_scope(vcd *v, trace_err *err)
{
    if (!v->depth)
        return vcd_fail(v, err, "$upscope without a $scope");
    v->scope[v->scope_at[--v->depth]] = '\0';
    return vcd_skip_to_end(&v->words, err);
}

/* "[7:0]" at the end of a name, which it leaves; a single "[3]" is part of the name. */
static void take_range(char *name, vcd_name *n)
{
    char *open = strrchr(name, '[');
    long long left, right;
    int used = 0;

    n->left = (int64_t)n->width - 1;
    n->right = 0;
    if (!open || sscanf(open, "[%9lld:%9lld]%n", &left, &right, &used) != 2 || !used || open[used])
        return;
    if (llabs(left - right) + 1 != (long long)n->width)
        return;
    *open = '\0';
    n->left = left;
    n->right = right;
}

/* The words of a name up to $end, behind the scopes, without the space before a range. */
static bool read_name(vcd *v, char name[NAME_BYTES], trace_err *err)
{
    const char *word;
    size_t n = (size_t)snprintf(name, NAME_BYTES, "%s", v->scope);

    while ((word = vcd_word_due(&v->words, err)) && strcmp(word, "$end") != 0) {
        if (n + strlen(word) >= NAME_BYTES)
            return vcd_fail(v, err, "a name of more than %d characters", NAME_BYTES);
        memcpy(name + n, word, strlen(word) + 1);
        n += strlen(word);
    }
    return word != NULL;
}

static bool add_name(vcd *v, const vcd_name *n, char *code, trace_err *err)
{
    vcd_name *names = with_room(v->names, v->num_names, &v->name_room, sizeof *names);
    char **codes = names ? with_room(v->codes, v->num_names, &v->code_room, sizeof *codes) : NULL;

    if (names)
        v->names = names;
    if (codes)
        v->codes = codes;
    if (!names || !codes || !n->name || !code) {
        free(n->name);
        free(code);
        return vcd_fail(v, err, "out of memory");
    }
    v->names[v->num_names] = *n;
    v->codes[v->num_names++] = code;
    return v->num_names <= MOST_NAMES || vcd_fail(v, err, "more than %d signals; dump fewer", MOST_NAMES);
}

static bool declare(vcd *v, trace_err *err)
{
    char name[NAME_BYTES], *code;
    uint64_t width = 0;
    vcd_name n = {.is_bits = true};
    const char *word = vcd_word_due(&v->words, err);

    if (!word)
        return false;
    n.is_bits = strncmp(word, "real", 4) != 0 && strcmp(word, "string") != 0;
    word = vcd_word_due(&v->words, err);
    if (!word)
        return false;
    if (!number(word, &width) || width > VCD_MAX_WIDTH)
        return vcd_fail(v, err, "a signal of \"%.40s\" bits; they may have 1 to %d", word, VCD_MAX_WIDTH);
    n.is_bits &= width > 0;
    n.width = (uint32_t)width;
    word = vcd_word_due(&v->words, err);
    if (!word)
        return false;
    code = strdup(word);
    if (!read_name(v, name, err)) {
        free(code);
        return false;
    }
    take_range(name, &n);
    n.name = strdup(name);
    return add_name(v, &n, code, err);
}

/* One $keyword and what belongs to it. *end: it was the last one. */
static bool declaration(vcd *v, const char *word, bool *end, trace_err *err)
{
    if (word[0] != '$')
        return vcd_fail(v, err, "\"%.40s\" among the declarations; is this a VCD?", word);
    if (!strcmp(word, "$scope"))
        return enter_scope(v, err);
    if (!strcmp(word, "$upscope"))
        return leave_scope(v, err);
    if (!strcmp(word, "$var"))
        return declare(v, err);
    *end = !strcmp(word, "$enddefinitions");
    return vcd_skip_to_end(&v->words, err);
}

static bool declarations(vcd *v, trace_err *err)
{
    bool end = false;

    while (!end) {
        const char *word = vcd_word_due(&v->words, err);

        if (!word || !declaration(v, word, &end, err))
            return false;
    }
    return true;
}

/* ---- variables -------------------------------------------------------------------- */

typedef struct by_code {
    char *code;
    size_t name;
} by_code;

static int compare_codes(const void *a, const void *b) { return strcmp(((const by_code *)a)->code, ((const by_code *)b)->code); }

static int compare_variables(const void *a, const void *b) { return strcmp(((const variable *)a)->code, ((const variable *)b)->code); }

static int compare_names(const void *a, const void *b) { return strcmp(((const vcd_name *)a)->name, ((const vcd_name *)b)->name); }

/* The variables of sorted codes. Names that share a code share a variable. */
static bool join(vcd *v, const by_code *sorted, trace_err *err)
{
    for (size_t i = 0; i < v->num_names; i++) {
        vcd_name *n = &v->names[sorted[i].name];
        variable *last = v->num_variables ? &v->variables[v->num_variables - 1] : NULL;

        // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): make_variables has set the code of every name
        if (!last || strcmp(last->code, sorted[i].code) != 0)
            v->variables[v->num_variables++] = (variable){.code = sorted[i].code, .width = n->width};
        else if (last->width != n->width)
            return vcd_fail(v, err, "%.200s has %u bits, and another signal of the same code \"%.20s\" has %u", n->name, n->width, last->code,
                            last->width);
        n->variable = v->num_variables - 1;
    }
    return true;
}

static bool make_variables(vcd *v, trace_err *err)
{
    by_code *sorted = calloc(v->num_names + 1, sizeof *sorted);
    bool ok;

    v->variables = calloc(v->num_names + 1, sizeof *v->variables);
    if (!sorted || !v->variables) {
        free(sorted);
        return vcd_fail(v, err, "out of memory");
    }
    for (size_t i = 0; i < v->num_names; i++)
        sorted[i] = (by_code){v->codes[i], i};
    qsort(sorted, v->num_names, sizeof *sorted, compare_codes);
    ok = join(v, sorted, err);
    free(sorted);
    if (ok && v->names)
        qsort(v->names, v->num_names, sizeof *v->names, compare_names);
    return ok;
}

const vcd_name *vcd_find(const vcd *v, const char *name)
{
    const vcd_name key = {.name = (char *)(uintptr_t)name};

    return v->num_names ? bsearch(&key, v->names, v->num_names, sizeof key, compare_names) : NULL;
}

bool vcd_want(vcd *v, unsigned index)
{
    variable *one = &v->variables[index];
    unsigned *changed;

    if (one->before)
        return true;
    changed = realloc(v->changed, (v->wanted + 1u) * sizeof *changed);
    if (changed)
        v->changed = changed;
    one->before = changed ? malloc(2 * ((size_t)one->width + 1)) : NULL;
    if (!one->before)
        return false;
    one->behind = one->before + one->width + 1;
    memset(one->before, 'x', one->width);
    one->before[one->width] = '\0';
    memcpy(one->behind, one->before, one->width + 1u);
    v->wanted++;
    return true;
}

/* ---- values ----------------------------------------------------------------------- */

/* Bits to the declared width: a value that is shorter goes on with 0, or with x or z if it begins so. */
static bool take_bits(vcd *v, variable *one, const char *bits, trace_err *err)
{
    const size_t n = strlen(bits);

    if (!one->before)
        return true;
    if (n == 0 || n > one->width || bits[strspn(bits, "01xXzZuUwWhHlL-")])
        return vcd_fail(v, err, "\"%.40s\" is no value of %u bits", bits, one->width);
    memset(one->behind, bits[0] == '0' || bits[0] == '1' ? '0' : 'x', one->width - n);
    for (size_t i = 0; i < n; i++)
        one->behind[one->width - n + i] = (char)(bits[i] == '0' || bits[i] == '1' ? bits[i] : 'x');
    if (!one->changed)
        v->changed[v->num_changed++] = (unsigned)(one - v->variables);
    one->changed = true;
    return true;
}

static variable *find_code(vcd *v, const char *code, trace_err *err)
{
    const variable key = {.code = (char *)(uintptr_t)code};
    variable *one = v->num_variables ? bsearch(&key, v->variables, v->num_variables, sizeof key, compare_variables) : NULL;

    if (!one)
        vcd_fail(v, err, "a value of \"%.40s\", which is no signal's code; is the file whole?", code);
    return one;
}

/* "b0101 code": the bits are kept while the code is read. */
static bool take_vector(vcd *v, const char *word, trace_err *err)
{
    const bool is_bits = word[0] == 'b' || word[0] == 'B';
    char *bits = strdup(word + 1);
    const char *code = bits ? vcd_word_due(&v->words, err) : NULL;
    variable *one = code ? find_code(v, code, err) : NULL;
    const bool ok = one && (!is_bits || take_bits(v, one, bits, err));

    if (!bits)
        vcd_fail(v, err, "out of memory");
    free(bits);
    return ok;
}

static bool take_scalar(vcd *v, const char *word, trace_err *err)
{
    const char bit[] = {word[0], '\0'};
    variable *one = find_code(v, word + 1, err);

    return one && take_bits(v, one, bit, err);
}

static bool take_change(vcd *v, const char *word, trace_err *err)
{
    if (word[0] == '$')
        return strncmp(word, "$dump", 5) == 0 || strcmp(word, "$end") == 0 || vcd_skip_to_end(&v->words, err);
    if (strchr("bBrRsS", word[0]))
        return take_vector(v, word, err);
    if (strchr("01xXzZuUwWhHlL-", word[0]))
        return take_scalar(v, word, err);
    return vcd_fail(v, err, "\"%.40s\" is no change of a value; give a plain VCD", word);
}

/* A time stamp. False: it is that of the changes to come, so this one's are complete; or an error. */
static bool goes_on(vcd *v, const char *word, bool empty, trace_err *err)
{
    uint64_t time;

    if (!number(word + 1, &time))
        return vcd_fail(v, err, "\"%.40s\" is no time", word);
    if (!empty && time < v->time)
        return vcd_fail(v, err, "time goes back from %llu to %llu", (unsigned long long)v->time, (unsigned long long)time);
    if (time == v->time || empty) {
        v->time = time;
        v->line = v->words.line;
        return true;
    }
    v->next_time = time;
    v->next_line = v->words.line;
    v->has_next = true;
    return false;
}

bool vcd_next(vcd *v, bool *end, trace_err *err)
{
    bool empty = !v->began; /* values before the first time stamp are of time 0 */
    const char *word;

    err->text[0] = '\0';
    *end = v->began && !v->has_next;
    v->began = true;
    if (*end)
        return true;
    if (v->has_next) {
        v->time = v->next_time;
        v->line = v->next_line;
    }
    v->has_next = false;
    while ((word = vcd_word(&v->words, err))) {
        if (word[0] == '#') {
            if (!goes_on(v, word, empty, err))
                return !err->text[0];
        } else if (!take_change(v, word, err)) {
            return false;
        }
        empty = false;
    }
    return !err->text[0];
}

uint64_t vcd_time(const vcd *v) { return v->time; }
const char *vcd_before(const vcd *v, unsigned index) { return v->variables[index].before; }
const char *vcd_behind(const vcd *v, unsigned index) { return v->variables[index].behind; }

uint64_t vcd_changes(const vcd *v, unsigned index) { return v->variables[index].changes; }

void vcd_apply(vcd *v)
{
    for (unsigned i = 0; i < v->num_changed; i++) {
        variable *one = &v->variables[v->changed[i]];

        memcpy(one->before, one->behind, one->width);
        one->changed = false;
        one->changes++;
    }
    v->num_changed = 0;
}

/* ----------------------------------------------------------------------------------- */

vcd *vcd_open(const char *path, trace_err *err)
{
    vcd *v = calloc(1, sizeof *v);

    if (!v) {
        import_fail(err, path, UINT64_MAX, "out of memory");
        return NULL;
    }
    if (vcd_words_open(&v->words, path, err) && declarations(v, err) && make_variables(v, err))
        return v;
    vcd_close(v);
    return NULL;
}

void vcd_close(vcd *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->num_names; i++) {
        free(v->names[i].name);
        free(v->codes[i]);
    }
    for (unsigned i = 0; i < v->num_variables; i++)
        free(v->variables[i].before);
    free(v->names);
    free(v->codes);
    free(v->variables);
    free(v->changed);
    vcd_words_close(&v->words);
    free(v);
}
