/* SPDX-License-Identifier: Apache-2.0 */
#include "python/tables.h"

#include <stddef.h>

void kit_put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            putc(*text, out);
    putc('"', out);
}

/* ---- structs -------------------------------------------------------------------------- */

enum field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_BYTES, FIELD_START, FIELD_STEP, FIELD_DESCRIBE, FIELD_CHIP };

typedef struct field {
    const char *name;
    enum field_kind kind;
    size_t offset, size, count;
} field;

typedef struct layout {
    const char *name;
    size_t size;
    const field *fields; /* one without a name ends them */
} layout;

#define KIND(member) \
    _Generic((member), const char *: FIELD_TEXT, const uint8_t *: FIELD_BYTES, kit_start *: FIELD_START, kit_step *: FIELD_STEP, \
             kit_describe *: FIELD_DESCRIBE, kit_chip *: FIELD_CHIP, default: FIELD_NUMBER)
#define ONE(type, name) {#name, KIND(((type *)0)->name), offsetof(type, name), sizeof(((type *)0)->name), 1},
#define MANY(type, name) \
    {#name, FIELD_NUMBER, offsetof(type, name), sizeof(((type *)0)->name[0]), sizeof(((type *)0)->name) / sizeof(((type *)0)->name[0])},
#define OF_CYCLE(type, name) ONE(kit_cycle, name)
#define OF_SIMULATION(type, name) ONE(kit_simulation, name)
#define OF_REPLAY(type, name) ONE(kit_replay, name)

static const field cycle_fields[] = {KIT_CYCLE(OF_CYCLE){NULL}};
static const field simulation_fields[] = {KIT_SIMULATION(OF_SIMULATION){NULL}};
static const field replay_fields[] = {KIT_REPLAY(OF_REPLAY){NULL}};
/* The structs of a published header have no list: the test compares these with what stands there. */
#define P(name) ONE(ballast_policy_place, name)
static const field place_fields[] = {P(sm) P(sms) P(warps) P(slots) P(issue_width) P(options){NULL}};
#define I(name) ONE(ballast_policy_in, name)
static const field in_fields[] = {
    MANY(ballast_policy_in, ws) I(paused) I(warp_slot) I(cta_start) I(cta_done) I(cta_active) I(cta_paused) I(heard) I(kernel_id) I(issued)
    MANY(ballast_policy_in, issue_slot) I(ps_class) I(lcs_class) I(kernel_start) I(nmax) I(warps_per_cta) I(cta_denied) I(mode)
    I(sm_level) I(mem_level) I(sm_busy) I(mem_busy){NULL}};
#define O(name) ONE(ballast_policy_out, name)
static const field out_fields[] = {O(share) O(limit) O(pause) O(pause_soft) O(done) O(sm_ask) O(mem_ask){NULL}};

#define LAYOUT(type, fields) {#type, sizeof(type), fields}
static const layout layouts[] = {
    LAYOUT(kit_cycle, cycle_fields), LAYOUT(kit_simulation, simulation_fields), LAYOUT(kit_replay, replay_fields),
    LAYOUT(ballast_policy_place, place_fields), LAYOUT(ballast_policy_in, in_fields), LAYOUT(ballast_policy_out, out_fields)};

static void put_layout(FILE *out, const layout *l)
{
    static const char *const kinds[] = {
        [FIELD_NUMBER] = "number", [FIELD_TEXT] = "text", [FIELD_BYTES] = "bytes", [FIELD_START] = "start", [FIELD_STEP] = "step",
        [FIELD_DESCRIBE] = "describe", [FIELD_CHIP] = "chip"};

    fprintf(out, "\"%s\": {\"size\": %zu, \"fields\": [", l->name, l->size);
    for (const field *f = l->fields; f->name; f++)
        fprintf(out, "%s{\"name\": \"%s\", \"kind\": \"%s\", \"offset\": %zu, \"size\": %zu, \"count\": %zu}", f == l->fields ? "" : ", ", f->name,
                kinds[f->kind], f->offset, f->size, f->count);
    fprintf(out, "]}");
}

static void put_structs(FILE *out, const void *user)
{
    (void)user;
    fprintf(out, "{\"KIT_ERR\": %d", KIT_ERR);
    for (unsigned i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        fprintf(out, ", ");
        put_layout(out, &layouts[i]);
    }
    fprintf(out, "}");
}

char *kit_text(void (*put)(FILE *out, const void *user), const void *user)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    put(out, user);
    return fclose(out) == 0 ? text : NULL;
}

const char *kit_structs(void)
{
    static char *text; /* for as long as the process lives */

    if (!text)
        text = kit_text(put_structs, NULL);
    return text;
}
