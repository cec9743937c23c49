/* SPDX-License-Identifier: Apache-2.0
 *
 * rup CNF PROOF: checks a solver's proof that a CNF (DIMACS) cannot be satisfied. PROOF is a DRAT trace in text: a line of literals
 * ended by 0 adds a clause, "d" before it deletes one. Each clause that is added must follow by unit propagation alone from those
 * that are there (RUP), and the proof must come to a contradiction. A step that needs more than that (RAT) is refused: CaDiCaL makes
 * none for these questions. It knows nothing of any solver.
 *
 * Deletions are kept to, but for clauses that are the reason of a value: to have more clauses than the solver had is no fault, for
 * all of them follow from the CNF.
 *
 * Exit 0 and "verified": checked; 1: not a proof; 2: a file cannot be read.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct clause {
    unsigned size;
    bool deleted;
    uint64_t sum; /* of its literals, in whatever order */
    int *literals;
} clause;

typedef struct list {
    unsigned *items;
    unsigned num, max;
} list;

typedef struct checker {
    int variables;
    clause *clauses;
    unsigned num, max;
    list *watches;      /* clauses by a literal that they watch */
    list *buckets;      /* clauses by sum */
    signed char *value; /* by literal */
    unsigned *reason;   /* of a value by variable: its clause + 1; 0 none */
    int *trail;
    unsigned assigned, propagated;
    bool contradiction;
} checker;

#define BUCKETS (1u << 16)

__attribute__((noreturn)) static void give_up(int status, const char *why, const char *what)
{
    fprintf(status == 1 ? stdout : stderr, "rup: %s%s\n", why, what);
    exit(status);
}

static void *grown(void *old, size_t count, size_t size)
{
    void *made = realloc(old, count * size);

    if (!made)
        give_up(2, "out of memory", "");
    return made;
}

static void append(list *to, unsigned item)
{
    if (to->num == to->max) {
        to->max = to->max ? 2 * to->max : 4;
        to->items = grown(to->items, to->max, sizeof *to->items);
    }
    to->items[to->num++] = item;
}

/* Literals as indices: 2 * variable, + 1 for a negative one. */
static unsigned at(int literal)
{
    return literal > 0 ? 2 * (unsigned)literal : 2 * (unsigned)-literal + 1;
}

/* ---- values --------------------------------------------------------------------------- */

static void assign(checker *c, int literal, unsigned reason)
{
    c->value[at(literal)] = 1;
    c->value[at(-literal)] = -1;
    c->reason[abs(literal)] = reason;
    c->trail[c->assigned++] = literal;
}

static void take_back(checker *c, unsigned assigned)
{
    while (c->assigned > assigned) {
        const int literal = c->trail[--c->assigned];

        c->value[at(literal)] = c->value[at(-literal)] = 0;
        c->reason[abs(literal)] = 0;
    }
    c->propagated = c->assigned;
}

/* Brings a literal that is not false to place 1, if there is one. */
static bool watch_another(checker *c, clause *k, unsigned number)
{
    for (unsigned i = 2; i < k->size; i++)
        if (c->value[at(k->literals[i])] >= 0) {
            const int other = k->literals[i];

            k->literals[i] = k->literals[1];
            k->literals[1] = other;
            append(&c->watches[at(other)], number);
            return true;
        }
    return false;
}

/* A clause of which `wrong`, now false, is watched. Whether it goes on watching it; *conflict: all of it is false. */
static bool visit(checker *c, unsigned number, int wrong, bool *conflict)
{
    clause *k = &c->clauses[number];

    if (k->deleted)
        return false;
    if (k->literals[0] == wrong) {
        k->literals[0] = k->literals[1];
        k->literals[1] = wrong;
    }
    if (c->value[at(k->literals[0])] > 0)
        return true;
    if (watch_another(c, k, number))
        return false;
    if (c->value[at(k->literals[0])] < 0)
        *conflict = true;
    else
        assign(c, k->literals[0], number + 1);
    return true;
}

/* Whether there is no conflict. */
static bool propagate(checker *c)
{
    bool conflict = false;

    while (!conflict && c->propagated < c->assigned) {
        const int wrong = -c->trail[c->propagated++];
        list *watching = &c->watches[at(wrong)];
        unsigned kept = 0, i = 0;

        for (; i < watching->num && !conflict; i++)
            if (visit(c, watching->items[i], wrong, &conflict))
                watching->items[kept++] = watching->items[i];
        while (i < watching->num)
            watching->items[kept++] = watching->items[i++];
        watching->num = kept;
    }
    return !conflict;
}

/* ---- clauses -------------------------------------------------------------------------- */

static uint64_t sum_of(const int *literals, unsigned size)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < size; i++)
        sum += (at(literals[i]) + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15) ^ at(literals[i]);
    return sum;
}

/* Not false ones first. */
static void order(const checker *c, int *literals, unsigned size)
{
    unsigned front = 0;

    for (unsigned i = 0; i < size && front < 2; i++)
        if (c->value[at(literals[i])] >= 0) {
            const int literal = literals[i];

            literals[i] = literals[front];
            literals[front++] = literal;
        }
}

/* A literal twice, or both signs of a variable, would confuse the watches. */
static unsigned without_twins(int *literals, unsigned size, bool *always)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < size; i++) {
        bool twice = false;

        for (unsigned j = 0; j < kept; j++) {
            twice |= literals[j] == literals[i];
            *always |= literals[j] == -literals[i];
        }
        if (!twice)
            literals[kept++] = literals[i];
    }
    return kept;
}

static void add(checker *c, const int *literals, unsigned size)
{
    clause k = {.literals = grown(NULL, size + 1u, sizeof(int))};
    bool always = false;

    for (unsigned i = 0; i < size; i++)
        k.literals[i] = literals[i];
    k.size = without_twins(k.literals, size, &always);
    if (always) {
        free(k.literals);
        return;
    }
    k.sum = sum_of(k.literals, k.size);
    order(c, k.literals, k.size);
    if (c->num == c->max) {
        c->max = c->max ? 2 * c->max : 1024;
        c->clauses = grown(c->clauses, c->max, sizeof *c->clauses);
    }
    c->clauses[c->num] = k;
    append(&c->buckets[k.sum % BUCKETS], c->num);
    if (k.size > 1)
        for (unsigned i = 0; i < 2; i++)
            append(&c->watches[at(k.literals[i])], c->num);
    c->num++;
    if (k.size == 0 || c->value[at(k.literals[0])] < 0)
        c->contradiction = true;
    else if ((k.size == 1 || c->value[at(k.literals[1])] < 0) && c->value[at(k.literals[0])] == 0)
        assign(c, k.literals[0], c->num);
    if (!propagate(c))
        c->contradiction = true;
}

static bool same(const clause *k, const int *literals, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        bool found = false;

        for (unsigned j = 0; j < k->size; j++)
            found |= k->literals[j] == literals[i];
        if (!found)
            return false;
    }
    return k->size == size;
}

static void delete(checker *c, int *literals, unsigned size)
{
    bool always = false;
    list *bucket;
    uint64_t sum;

    size = without_twins(literals, size, &always);
    sum = sum_of(literals, size);
    bucket = &c->buckets[sum % BUCKETS];
    for (unsigned i = 0; i < bucket->num; i++) {
        clause *k = &c->clauses[bucket->items[i]];

        if (k->sum != sum || !same(k, literals, size))
            continue;
        if (size > 1 && c->reason[abs(k->literals[0])] != bucket->items[i] + 1) {
            k->deleted = true;
            free(k->literals);
            bucket->items[i] = bucket->items[--bucket->num];
        }
        return;
    }
}

/* Whether the clause follows: with all of it false, propagation comes to a conflict. */
static bool follows(checker *c, const int *literals, unsigned size)
{
    const unsigned assigned = c->assigned;
    bool conflict = false;

    for (unsigned i = 0; i < size && !conflict; i++) {
        conflict = c->value[at(literals[i])] > 0;
        if (c->value[at(literals[i])] == 0)
            assign(c, -literals[i], 0);
    }
    conflict = conflict || !propagate(c);
    take_back(c, assigned);
    return conflict;
}

/* ---- files ------------------------------------------------------------------------------ */

typedef struct line {
    int *literals;
    unsigned size, max;
} line;

/* Literals up to 0; false at the end of the file. */
static bool read_literals(const checker *c, FILE *f, const char *path, line *read)
{
    int literal;

    for (read->size = 0; fscanf(f, "%d", &literal) == 1; read->literals[read->size++] = literal) {
        if (!literal)
            return true;
        if (literal > c->variables || literal < -c->variables)
            give_up(1, "a variable that the CNF does not have in ", path);
        if (read->size == read->max) {
            read->max = read->max ? 2 * read->max : 64;
            read->literals = grown(read->literals, read->max, sizeof *read->literals);
        }
    }
    if (read->size)
        give_up(1, "a line that is cut short in ", path);
    return false;
}

static FILE *open_file(const char *path)
{
    FILE *f = fopen(path, "r");

    if (!f) {
        fprintf(stderr, "rup: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    return f;
}

static void read_cnf(checker *c, const char *path)
{
    FILE *f = open_file(path);
    unsigned count, found = 0;
    line l = {.literals = NULL};

    if (fscanf(f, "p cnf %d %u", &c->variables, &count) != 2 || c->variables < 1 || c->variables > 1 << 28)
        give_up(2, "no CNF: ", path);
    c->watches = calloc(2 * (size_t)c->variables + 2, sizeof *c->watches);
    c->value = calloc(2 * (size_t)c->variables + 2, sizeof *c->value);
    c->reason = calloc((size_t)c->variables + 1, sizeof *c->reason);
    c->trail = calloc((size_t)c->variables + 1, sizeof *c->trail);
    c->buckets = calloc(BUCKETS, sizeof *c->buckets);
    if (!c->watches || !c->value || !c->reason || !c->trail || !c->buckets)
        give_up(2, "out of memory", "");
    while (read_literals(c, f, path, &l)) {
        add(c, l.literals, l.size);
        found++;
    }
    if (found != count || !feof(f))
        give_up(2, "other clauses than the CNF says it has: ", path);
    fclose(f);
    free(l.literals);
}

static void check_proof(checker *c, const char *path)
{
    FILE *f = open_file(path);
    line l = {.literals = NULL};
    char kind;

    while (!c->contradiction) {
        const bool deletes = fscanf(f, " %c", &kind) == 1 && kind == 'd';

        if (!deletes && !feof(f))
            ungetc(kind, f);
        if (!read_literals(c, f, path, &l))
            break;
        if (deletes) {
            delete(c, l.literals, l.size);
            continue;
        }
        if (!follows(c, l.literals, l.size))
            give_up(1, "a step that does not follow in ", path);
        add(c, l.literals, l.size);
    }
    fclose(f);
    free(l.literals);
}

static void close_lists(list *lists, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lists[i].items);
    free(lists);
}

static void close_checker(checker *c)
{
    for (unsigned i = 0; i < c->num; i++)
        if (!c->clauses[i].deleted)
            free(c->clauses[i].literals);
    free(c->clauses);
    close_lists(c->watches, 2 * (size_t)c->variables + 2);
    close_lists(c->buckets, BUCKETS);
    free(c->value);
    free(c->reason);
    free(c->trail);
}

int main(int argc, char **argv)
{
    checker c = {.variables = 0};

    if (argc != 3)
        give_up(2, "usage: rup CNF PROOF", "");
    read_cnf(&c, argv[1]);
    check_proof(&c, argv[2]);
    if (!c.contradiction)
        give_up(1, "no contradiction at the end of ", argv[2]);
    close_checker(&c);
    puts("verified");
    return 0;
}
