/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/families.h"

#include <stdio.h>
#include <string.h>

#include "replay/family.h"

static unsigned members_of(const manifest *m, const char *program, const char **paths)
{
    unsigned n = 0;

    for (unsigned i = 0; i < m->num; i++)
        if (!strcmp(m->entries[i].kernel, program))
            paths[n++] = m->entries[i].path;
    return n;
}

static bool name_seen(const trace_meta *meta, unsigned launch)
{
    for (unsigned i = 0; i < launch; i++)
        if (!strcmp(meta->launches[i].name, meta->launches[launch].name))
            return true;
    return false;
}

static unsigned distinct_kernels(const trace_meta *meta)
{
    unsigned n = 0;

    for (unsigned l = 0; l < meta->num_launches; l++)
        n += !name_seen(meta, l);
    return n;
}

static bool program_seen(const manifest *m, unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(m->entries[i].kernel, m->entries[index].kernel))
            return true;
    return false;
}

static void name_family(family *f, const trace_meta *meta)
{
    if (distinct_kernels(meta) == 1)
        snprintf(f->name, sizeof f->name, "%s", f->program);
    else
        snprintf(f->name, sizeof f->name, "%s.launch%u", f->program, f->launch + 1);
}

/* False in *go_on when the visitor has had enough. */
static bool visit_program(const manifest *m, const manifest_entry *first, family_visit visit, void *user, bool *go_on,
                          trace_err *err)
{
    const char *paths[MANIFEST_MAX];
    family f = {.program = first->kernel, .words = first->program, .paths = paths};
    trace_reader *reader;
    const trace_meta *meta;

    f.num_paths = members_of(m, first->kernel, paths);
    reader = trace_open(paths[0], NULL, err);
    if (!reader)
        return false;
    meta = trace_get_meta(reader);
    for (unsigned launch = 0; launch < meta->num_launches && *go_on; launch++) {
        if (name_seen(meta, launch))
            continue;
        f.launch = family_longest_launch(reader, meta->launches[launch].name);
        name_family(&f, meta);
        *go_on = visit(user, &f);
    }
    trace_close(reader);
    return true;
}

bool families_each(const manifest *m, family_visit visit, void *user, trace_err *err)
{
    bool ok = true, go_on = true;

    for (unsigned i = 0; i < m->num && go_on; i++)
        if (!program_seen(m, i))
            ok &= visit_program(m, &m->entries[i], visit, user, &go_on, err);
    return ok;
}
