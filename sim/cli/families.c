/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/families.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "replay/family.h"

static bool name_seen(const trace_meta *meta, unsigned launch)
{
    for (unsigned i = 0; i < launch; i++)
        if (!strcmp(meta->launches[i].name, meta->launches[launch].name))
            return true;
    return false;
}

static bool has_one_kernel(const trace_meta *meta)
{
    for (unsigned l = 1; l < meta->num_launches; l++)
        if (!name_seen(meta, l))
            return false;
    return true;
}

static bool program_seen(const manifest *m, unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(m->entries[i].kernel, m->entries[index].kernel))
            return true;
    return false;
}

/* False in *go_on when the visitor has had enough. */
static int visit_program(const manifest *m, const manifest_entry *first, family_visit visit, void *user, bool *go_on)
{
    const char *paths[MANIFEST_MAX];
    kernel_family f = {.program = first->kernel, .words = first->program, .paths = paths};
    trace_err err = {.text = ""};
    trace_reader *reader;
    const trace_meta *meta;

    for (unsigned i = 0; i < m->num; i++)
        if (!strcmp(m->entries[i].kernel, f.program))
            paths[f.num_paths++] = m->entries[i].path;
    reader = trace_open(paths[0], NULL, &err);
    if (!reader)
        return complain("%s", err.text);
    meta = trace_get_meta(reader);
    f.warps = meta->geometry.warps;
    for (unsigned launch = 0; launch < meta->num_launches && *go_on; launch++) {
        if (name_seen(meta, launch))
            continue;
        f.launch = family_longest_launch(reader, meta->launches[launch].name);
        if (has_one_kernel(meta))
            snprintf(f.name, sizeof f.name, "%s", f.program);
        else
            snprintf(f.name, sizeof f.name, "%s.launch%u", f.program, f.launch + 1);
        *go_on = visit(user, &f);
    }
    trace_close(reader);
    return EXIT_PASS;
}

int families_each(const manifest *m, family_visit visit, void *user)
{
    int status = EXIT_PASS;
    bool go_on = true;

    for (unsigned i = 0; i < m->num && go_on; i++)
        if (!program_seen(m, i))
            status = worse(status, visit_program(m, &m->entries[i], visit, user, &go_on));
    return status;
}

int families_of(const char *path, family_visit visit, void *user)
{
    char err[512];
    manifest m;
    int status;

    if (manifest_read(&m, path, err, sizeof err))
        status = families_each(&m, visit, user);
    else
        status = complain("%s", err);
    manifest_free(&m);
    return status;
}
