/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const block_rules *rules_of(const block *blk)
{
    for (const block_rules *const *r = rules_registry; *r; r++)
        if (!strcmp((*r)->block_name, blk->model->block_name))
            return *r;
    return NULL;
}

void rules_watch_see(rules_watch *w, const lockstep_instance *inst, unsigned i, enum lockstep_side side, const lockstep_view *view,
                     uint64_t cycle)
{
    const uint64_t broken = w->rules[i]->cycle(w->history[i][side], &inst->cfg, view->before, inst->in, view->out, view->after);

    w->cycles++;
    w->all[i] |= broken;
    if (!broken || w->broken)
        return;
    w->broken = broken;
    w->block = inst;
    w->side = side;
    w->cycle = cycle;
}

static void see_cycle(void *self, const lockstep *ls, const sm_obs *const *obs, uint64_t cycle)
{
    rules_watch *w = self;

    (void)obs;
    for (unsigned i = 0; i < ls->num_instances; i++)
        for (int side = 0; side < LOCKSTEP_SIDES; side++)
            rules_watch_see(w, &ls->instances[i], i, (enum lockstep_side)side, &ls->instances[i].view[side], cycle);
}

bool rules_watch_start(rules_watch *w, lockstep *ls)
{
    *w = (rules_watch){.cycles = 0};
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        w->rules[i] = rules_of(inst->block);
        for (int side = 0; w->rules[i] && side < LOCKSTEP_SIDES; side++) {
            w->history[i][side] = malloc(w->rules[i]->history_size);
            if (w->history[i][side])
                w->rules[i]->reset(w->history[i][side], &inst->cfg);
        }
        if (!w->history[i][SIDE_MODEL] || !w->history[i][SIDE_RTL])
            return false;
    }
    ls->careful = true;
    ls->observer = (lockstep_observer){.self = w, .cycle = see_cycle};
    return true;
}

void rules_watch_stop(rules_watch *w)
{
    for (unsigned i = 0; i < LOCKSTEP_MAX_BLOCKS; i++)
        for (int side = 0; side < LOCKSTEP_SIDES; side++)
            free(w->history[i][side]);
}

const char *rules_text(const block *blk, unsigned bit, char *text, size_t size)
{
    const char *name = strchr(rules_of(blk)->names[bit - 1], '\t') + 1, *tab = strchr(name, '\t');

    snprintf(text, size, "%.*s: %s", (int)(tab - name), name, tab + 1);
    return text;
}

const char *rules_watch_text(const rules_watch *w, char *text, size_t size)
{
    unsigned bit = 1;

    text[0] = '\0';
    if (!w->broken)
        return text;
    while (!(w->broken >> bit & 1))
        bit++;
    return rules_text(w->block->block, bit, text, size);
}
