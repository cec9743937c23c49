/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/sm_private.h"

/* Note 0 is no note: it ends the lists. */
void notes_clear(sim_sm *s)
{
    for (unsigned n = 1; n < SM_NOTES; n++)
        s->notes[n].next = (uint16_t)(n + 1 < SM_NOTES ? n + 1 : 0);
    s->free_notes = 1;
    s->num_free_notes = SM_NOTES - 1;
    for (unsigned i = 0; i < MACHINE_MAX_LATENCY; i++)
        s->wheel[i] = 0;
}

void note_add(sim_sm *s, uint16_t *list, enum note_kind kind, unsigned warp, unsigned window)
{
    const uint16_t n = s->free_notes;
    sm_note *note = &s->notes[n];

    s->free_notes = note->next;
    s->num_free_notes--;
    note->warp = (uint8_t)warp;
    note->window = (uint8_t)window;
    note->kind = (uint8_t)kind;
    note->next = *list;
    *list = n;
}

bool notes_left(const sim_sm *s)
{
    return s->num_free_notes > SM_RESULTS;
}

void note_in(sim_sm *s, unsigned cycles, enum note_kind kind, unsigned warp, unsigned window)
{
    note_add(s, &s->wheel[(s->cycle + cycles) % MACHINE_MAX_LATENCY], kind, warp, window);
}

/* A warp that waits for something else has to wait on. */
static void happen(sim_sm *s, const sm_note *note)
{
    sm_warp *w = &s->warps[note->warp];
    uint64_t waiting = s->issued_all;

    switch ((enum note_kind)note->kind) {
    case RESULT:
        w->pending_alu &= ~bit(note->window);
        waiting |= s->status[WAIT_ALU];
        break;
    case FETCHED:
        if (s->machine->ibuffer) {
            s->hungry |= bit(note->warp);
            return;
        }
        w->fetching = false;
        waiting |= s->status[NO_INST];
        break;
    case LINE:
        if (--s->lines_left[note->warp][note->window])
            return;
        w->pending_mem &= ~bit(note->window);
        waiting |= s->status[WAIT_MEM];
        break;
    }
    s->dirty |= bit(note->warp) & waiting;
}

void notes_do(sim_sm *s, uint16_t *list)
{
    while (*list) {
        const uint16_t n = *list;

        *list = s->notes[n].next;
        happen(s, &s->notes[n]);
        s->notes[n].next = s->free_notes;
        s->free_notes = n;
        s->num_free_notes++;
    }
}

void notes_of_cycle(sim_sm *s)
{
    notes_do(s, &s->wheel[s->cycle % MACHINE_MAX_LATENCY]);
}
