/* SPDX-License-Identifier: Apache-2.0 */
#include "python/played.h"

#include <stdlib.h>
#include <string.h>

static bool take_paths(played *p, const char *paths, char *err)
{
    p->text = strdup(paths);
    for (char *line = p->text ? strtok(p->text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        if (p->num_paths == PLAYED_PATHS) {
            snprintf(err, KIT_ERR, "more than %d recordings", PLAYED_PATHS);
            return false;
        }
        p->paths[p->num_paths++] = line;
    }
    if (!p->num_paths)
        snprintf(err, KIT_ERR, "no recording");
    return p->num_paths > 0;
}

static bool has_sm(const trace_reader *reader, unsigned sm)
{
    for (unsigned i = 0; i < trace_num_sms(reader); i++)
        if (trace_get_sm(reader, i)->sm == sm)
            return true;
    return false;
}

static void open_sm(played *p, const kit_replay *k, trace_err *why)
{
    p->sms = 1;
    if (!has_sm(p->reader, k->sm))
        snprintf(why->text, sizeof why->text, "%.400s: has no SM %u", p->paths[0], k->sm);
    else if (k->family && (p->family = family_open(p->paths, p->num_paths, &p->how, why)))
        p->stimulus = family_stimulus(p->family);
    else if (!k->family && open_loop_start(&p->open, p->reader, k->sm))
        p->stimulus = open_loop_stimulus(&p->open);
    else if (!why->text[0])
        *why = p->open.err;
}

static void open_chip(played *p, const kit_replay *k, trace_err *why)
{
    p->sms = k->sms ? k->sms : p->geometry.sms;
    if (k->family)
        p->chip = chip_open_family(p->paths, p->num_paths, &p->how, p->sms, k->skew, why);
    else if (p->num_paths > 1)
        snprintf(why->text, sizeof why->text, "%u recordings: of one kernel at several limits they are a family, which a chip plays as one", p->num_paths);
    else
        p->chip = chip_open(p->paths[0], p->sms, k->skew, why);
    if (p->chip)
        p->stimulus = chip_stimulus(p->chip);
}

/* The first recording says how large the SM is, and which launch is the longest. */
bool played_open(played *p, const kit_replay *k, char *err)
{
    trace_err why = {.text = ""};

    *p = (played){.text = NULL};
    if (!take_paths(p, k->paths, err))
        return false;
    p->reader = trace_open(p->paths[0], NULL, &why);
    if (p->reader) {
        p->geometry = trace_get_meta(p->reader)->geometry;
        p->how = (family_options){.sm = k->sm, .launch = k->launch ? k->launch - 1 : family_longest_launch(p->reader, NULL), .max_laps = k->max_passes};
        (k->of_chip ? open_chip : open_sm)(p, k, &why);
    }
    snprintf(err, KIT_ERR, "%s", why.text);
    return !err[0];
}

void played_close(played *p)
{
    chip_close(p->chip);
    family_close(p->family);
    trace_close(p->reader);
    free(p->text);
}
