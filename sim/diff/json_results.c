/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/json_results.h"

#include <stdlib.h>
#include <string.h>

#include "diff/whole_file.h"

#define PROOFS_REMEDY "'make formal' writes it anew"

/* How long a proof took is no result of it. */
const result_form json_proofs = {DIFF_PROOF, "formal/status.json", {{"block", ""}, {"proof", ""}}, "status", {"seconds"}, PROOFS_REMEDY};

cJSON *json_read(const char *path, const char *remedy, trace_err *err)
{
    char *text = diff_read(path, remedy, err);
    cJSON *object;

    if (!text)
        return NULL;
    object = cJSON_Parse(text);
    free(text);
    if (cJSON_IsObject(object))
        return object;
    cJSON_Delete(object);
    diff_fail(err, path, 0, "no JSON object", remedy);
    return NULL;
}

const char *json_text(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(item) ? item->valuestring : "";
}

/* A string without its quotes; to be freed. */
static char *value_of(const cJSON *item)
{
    return cJSON_IsString(item) ? strdup(item->valuestring) : cJSON_PrintUnformatted(item);
}

static void compare_values(const cJSON *old, const cJSON *new, diff_kind kind, const char *file, changes *c)
{
    char *before = old ? value_of(old) : strdup("none"), *after = new ? value_of(new) : strdup("gone"), added[512];

    if (!before || !after) {
        c->no_memory = true;
    } else if (!old) {
        snprintf(added, sizeof added, "added: %s", after);
        changes_add(c, kind, before, added, "%s: %s", file, new->string);
    } else if (!new || strcmp(before, after) != 0) {
        changes_add(c, kind, before, after, "%s: %s", file, old->string);
    }
    free(before);
    free(after);
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

void json_compare(const cJSON *before, const cJSON *after, diff_kind kind, const char *file, const char *const *left_out, changes *c)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, before)
        if (!is_one_of(item->string, left_out))
            compare_values(item, cJSON_GetObjectItemCaseSensitive(after, item->string), kind, file, c);
    cJSON_ArrayForEach(item, after)
        if (!is_one_of(item->string, left_out) && !cJSON_GetObjectItemCaseSensitive(before, item->string))
            compare_values(NULL, item, kind, file, c);
}

/* ---- proofs -------------------------------------------------------------------------------- */

static bool take_proof(result_table *t, const cJSON *proof)
{
    result_row *row = result_add(t);
    const cJSON *item;
    int column;

    if (!row)
        return false;
    cJSON_ArrayForEach(item, proof) {
        column = result_column(t, item->string);
        if (column < 0)
            return false;
        free(row->field[column]);
        row->field[column] = value_of(item);
        if (!row->field[column])
            return false;
    }
    return result_name(t, row);
}

static bool is_proof(const cJSON *proof)
{
    return cJSON_IsObject(proof) && *json_text(proof, "block") && *json_text(proof, "proof") && *json_text(proof, "status");
}

bool json_read_proofs(result_table *t, const cJSON *status, const char *path, trace_err *err)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(status, "blocks"), *proof;

    *t = (result_table){.form = &json_proofs, .there = true};
    if (!cJSON_IsArray(all))
        return diff_fail(err, path, 0, "no JSON object with an array \"blocks\"", PROOFS_REMEDY);
    cJSON_ArrayForEach(proof, all) {
        if (!is_proof(proof))
            return diff_fail(err, path, 0, "a proof without block, proof or status", PROOFS_REMEDY);
        if (!take_proof(t, proof))
            return diff_fail(err, path, 0, "too many fields, or out of memory", PROOFS_REMEDY);
    }
    return true;
}
