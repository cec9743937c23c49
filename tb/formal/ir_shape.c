/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a function: its blocks in an order, its loops, and which blocks are reached together.
 *
 * Order: behind a block come those that it leads to; the blocks of a loop stand together, its first one (header) first.
 *
 * Nodes: a block, or a whole loop as those around it see it. A region is a graph without loops: of the nodes that are in the same loop, or in
 * none. In it a node is reached when its immediate dominator is, if all ways from there lead through it. Its condition is
 * then the dominator's, and not an "or" over all the ways between, of which nobody sees that it is the same: what is
 * stored behind a branch would no longer be a constant. Ways into something undefined are not counted: that they are not taken
 * is proved.
 */
#include "formal/ir_private.h"

#define NOWHERE UINT32_MAX

/* While it is being found: everything by the place of a block in `blocks`. */
typedef struct finder {
    const ir *t;
    LLVMBasicBlockRef *blocks;
    unsigned num;
    enum { NEW, OPEN, DONE } *visited;
    bool **inside;   /* of a header: which blocks are in its loop; otherwise NULL */
    unsigned *order; /* of those that are done, the last one first */
    unsigned done;
} finder;

static unsigned successors(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static unsigned successor(const ir *t, LLVMBasicBlockRef block, unsigned i)
{
    return ir_find(t, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), i))->rank;
}

static void number_blocks(ir *t, LLVMBasicBlockRef *blocks, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        ir_bind(t, blocks[i])->rank = i;
}

/* ---- loops -------------------------------------------------------------------------- */

static bool leads_into(const finder *f, unsigned block, unsigned header)
{
    for (unsigned i = 0; i < successors(f->blocks[block]); i++) {
        const unsigned to = successor(f->t, f->blocks[block], i);

        if (to != header && f->inside[header][to])
            return true;
    }
    return false;
}

/* From the blocks that lead back to a header to all that lead to them. */
static void spread(const finder *f, unsigned header)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned b = f->num; b-- > 0;)
            if (b != header && f->visited[b] != NEW && !f->inside[header][b] && leads_into(f, b, header))
                more = f->inside[header][b] = true;
    }
}

static void find_headers(finder *f, unsigned block)
{
    f->visited[block] = OPEN;
    for (unsigned i = 0; i < successors(f->blocks[block]); i++) {
        const unsigned to = successor(f->t, f->blocks[block], i);

        if (f->visited[to] == OPEN) {
            if (!f->inside[to])
                f->inside[to] = arena(f->num * sizeof(bool));
            f->inside[to][to] = f->inside[to][block] = true;
        } else if (f->visited[to] == NEW) {
            find_headers(f, to);
        }
    }
    f->visited[block] = DONE;
}

static void find_loops(finder *f)
{
    find_headers(f, 0);
    for (unsigned h = 0; h < f->num; h++)
        if (f->inside[h])
            spread(f, h);
}

/* ---- the order ---------------------------------------------------------------------- */

static void visit(finder *f, unsigned block);

static void visit_successors(finder *f, unsigned block, const bool *but)
{
    for (unsigned i = 0; i < successors(f->blocks[block]); i++) {
        const unsigned to = successor(f->t, f->blocks[block], i);

        if (f->visited[to] == NEW && !(but && but[to]))
            visit(f, to);
    }
}

/* Where a loop leads to is visited before the loop is: so it comes behind all of it. */
static void visit(finder *f, unsigned block)
{
    f->visited[block] = OPEN;
    for (unsigned b = 0; f->inside[block] && b < f->num; b++)
        if (f->inside[block][b])
            visit_successors(f, b, f->inside[block]);
    visit_successors(f, block, NULL);
    f->visited[block] = DONE;
    f->order[f->done++] = block;
}

static void check_together(const finder *f, const shape *s, unsigned header, const unsigned *rank)
{
    for (unsigned b = 0; b < f->num; b++)
        if (f->inside[header][b] && (rank[b] < rank[header] || rank[b] >= s->end[rank[header]]))
            ir_unknown(LLVMGetBasicBlockTerminator(f->blocks[b]), "a jump into the middle of a loop");
}

static void put_in_order(const finder *f, shape *s)
{
    unsigned *rank = arena(f->num * sizeof *rank);

    s->num = f->done;
    for (unsigned i = 0; i < s->num; i++) {
        s->blocks[i] = f->blocks[f->order[s->num - 1 - i]];
        rank[f->order[s->num - 1 - i]] = i;
    }
    for (unsigned h = 0; h < f->num; h++) {
        if (!f->inside[h])
            continue;
        s->end[rank[h]] = rank[h];
        for (unsigned b = 0; b < f->num; b++)
            s->end[rank[h]] += f->inside[h][b];
        check_together(f, s, h, rank);
    }
}

static void find_order(ir *t, LLVMValueRef function, shape *s)
{
    const unsigned num = LLVMCountBasicBlocks(function);
    finder f = {t, arena(num * sizeof(LLVMBasicBlockRef)), num, arena(num * sizeof *f.visited), arena(num * sizeof(bool *)),
                arena(num * sizeof *f.order), 0};

    LLVMGetBasicBlocks(function, f.blocks);
    number_blocks(t, f.blocks, num);
    find_loops(&f);
    for (unsigned b = 0; b < num; b++)
        f.visited[b] = NEW;
    visit(&f, 0);
    put_in_order(&f, s);
    for (unsigned b = 0; b < num; b++)
        ir_bind(t, f.blocks[b])->rank = NOWHERE; /* some are never reached */
    number_blocks(t, s->blocks, s->num);
}

/* ---- regions ------------------------------------------------------------------------ */

typedef struct regions {
    const ir *t;
    const shape *s;
    unsigned *loop;  /* of a block: the header of the innermost loop that it is in, or NOWHERE */
    unsigned *outer; /* of a header: that of the loop around */
    unsigned *before, *after; /* of a node: immediate dominator, immediate post-dominator, within its region */
} regions;

static bool is_in(const shape *s, unsigned header, unsigned block)
{
    return header == NOWHERE || (header <= block && block < s->end[header]);
}

static void find_nesting(regions *r)
{
    unsigned open = NOWHERE;

    for (unsigned i = 0; i < r->s->num; i++) {
        while (!is_in(r->s, open, i))
            open = r->outer[open];
        if (r->s->end[i]) {
            r->outer[i] = open;
            open = i;
        }
        r->loop[i] = open;
    }
}

static unsigned place_of(const regions *r, unsigned node)
{
    return node == ir_end_node(r->s) ? r->s->num : node % r->s->num;
}

/* Which node of region `in` stands for a block that is reached from there: the end, if it is out of it or begins it again. */
static unsigned node_of(const regions *r, unsigned in, unsigned block)
{
    unsigned h = r->loop[block];

    if (block == in || !is_in(r->s, in, block))
        return ir_end_node(r->s);
    if (h == in)
        return block;
    while (r->outer[h] != in)
        h = r->outer[h];
    return ir_loop_node(r->s, h);
}

static unsigned region_of(const regions *r, unsigned node)
{
    return node < r->s->num ? r->loop[node] : r->outer[node - r->s->num];
}

/* All ways out of a node: of a loop, out of its blocks. */
static void each_way(const regions *r, unsigned node, void (*what)(const regions *r, unsigned from, unsigned block))
{
    const unsigned first = place_of(r, node), behind = node < r->s->num ? first + 1 : r->s->end[first];

    for (unsigned b = first; b < behind; b++)
        for (unsigned i = 0; i < successors(r->s->blocks[b]); i++) {
            const unsigned to = successor(r->t, r->s->blocks[b], i);

            if (node < r->s->num || !is_in(r->s, first, to))
                what(r, node, to);
        }
}

/* The last node that every way to a and to b passes. */
static void comes_before(const regions *r, unsigned from, unsigned block)
{
    unsigned to = node_of(r, region_of(r, from), block), *before = &r->before[to];

    if (to == ir_end_node(r->s))
        return;
    if (*before == NOWHERE)
        *before = from;
    while (*before != from)
        if (place_of(r, *before) > place_of(r, from))
            *before = r->before[*before];
        else
            from = r->before[from];
}

/* The first one that every way from a and from b passes. */
static void comes_after(const regions *r, unsigned from, unsigned block)
{
    unsigned to = node_of(r, region_of(r, from), block), *after = &r->after[from];

    if (place_of(r, from) < block && r->after[block] == NOWHERE) /* there is no way on */
        return;
    if (*after == NOWHERE)
        *after = to;
    while (*after != to)
        if (place_of(r, *after) < place_of(r, to))
            *after = r->after[*after];
        else
            to = r->after[to];
}

static void find_before(const regions *r)
{
    for (unsigned i = 0; i < r->s->num; i++) {
        if (r->before[i] == NOWHERE)
            r->before[i] = i; /* begins its region */
        if (r->s->end[i])
            each_way(r, ir_loop_node(r->s, i), comes_before);
        each_way(r, i, comes_before);
    }
}

static void find_after(const regions *r)
{
    for (unsigned i = r->s->num; i-- > 0;) {
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(r->s->blocks[i])))
            r->after[i] = ir_end_node(r->s);
        each_way(r, i, comes_after);
        if (r->s->end[i])
            each_way(r, ir_loop_node(r->s, i), comes_after);
    }
}

/* ---- values ------------------------------------------------------------------------- */

/* A loop's value is another one in each turn: behind the loop, only a phi may have it. */
static void check_use(const regions *r, LLVMValueRef user, unsigned where, LLVMValueRef used)
{
    unsigned made;

    if (!LLVMIsAInstruction(used) || where == NOWHERE)
        return;
    made = ir_find(r->t, LLVMGetInstructionParent(used))->rank;
    if (made != NOWHERE && !is_in(r->s, r->loop[made], where))
        ir_unknown(user, "a value of a loop is used behind it");
}

static void check_uses(const regions *r)
{
    for (unsigned i = 0; i < r->s->num; i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->s->blocks[i]); v; v = LLVMGetNextInstruction(v))
            for (int o = 0; o < LLVMGetNumOperands(v); o++)
                check_use(r, v, LLVMIsAPHINode(v) ? ir_find(r->t, LLVMGetIncomingBlock(v, (unsigned)o))->rank : i,
                          LLVMGetOperand(v, (unsigned)o));
}

/* ---- the shape ---------------------------------------------------------------------- */

static void find_same(const ir *t, shape *s)
{
    const unsigned nodes = ir_end_node(s);
    regions r = {t, s, arena(s->num * sizeof *r.loop), arena(s->num * sizeof *r.outer), arena(nodes * sizeof *r.before),
                 arena(nodes * sizeof *r.after)};

    for (unsigned i = 0; i < nodes; i++)
        r.before[i] = r.after[i] = NOWHERE;
    find_nesting(&r);
    find_before(&r);
    find_after(&r);
    check_uses(&r);
    for (unsigned i = 0; i < nodes; i++)
        s->same[i] = r.before[i] != NOWHERE && r.after[r.before[i]] == i ? r.before[i] : i;
}

shape *ir_shape(ir *t, LLVMValueRef function)
{
    const size_t most = LLVMCountBasicBlocks(function);
    shape *s;

    if (ir_bind(t, function)->shape)
        return ir_find(t, function)->shape;
    s = arena(sizeof *s);
    *s = (shape){0, arena(most * sizeof(LLVMBasicBlockRef)), arena(most * sizeof *s->end), arena(2 * most * sizeof *s->same), false};
    find_order(t, function, s);
    find_same(t, s);
    ir_bind(t, function)->shape = s;
    return s;
}
