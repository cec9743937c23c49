/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/state_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/placed_file.h"

bool state_file_save(const char *path, const lockstep *ls, const void *const *states)
{
    placed_file placed;
    FILE *f = placed_open(&placed, path) ? placed.file : NULL;

    if (!f)
        return false;
    fprintf(f, "# registers before the first cycle; load with --state\n");
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        for (unsigned p = 0; p < inst->ports.num; p++) {
            char name[PORT_NAME + 4];

            if (inst->ports.ports[p].kind != PORT_REG)
                continue;
            port_full_name(&inst->ports.ports[p], name, sizeof name);
            fprintf(f, "%s.%s = %" PRIu64 "\n", inst->block->name, name,
                    block_port_get(&inst->ports.ports[p], states[i]));
        }
    }
    return placed_close(&placed, true);
}

/* What a file has named so far of one instance. */
typedef struct registers {
    void *values;
    bool *set; /* per port */
    unsigned num_set, num_registers;
} registers;

static const lockstep_instance *find_block(const lockstep *ls, const char *name)
{
    for (unsigned i = 0; i < ls->num_instances; i++)
        if (!strcmp(ls->instances[i].block->name, name))
            return &ls->instances[i];
    return NULL;
}

/* What is wrong with the line, or NULL. */
static const char *read_line(const char *line, const lockstep *ls, registers *all)
{
    static const char *const no_register = "not a register of this run's blocks and a value that fits it";
    char instance[64], name[PORT_NAME + 4];
    const lockstep_instance *inst;
    const block_port *port;
    registers *r;
    uint64_t value;
    int used = 0;

    if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#')
        return NULL;
    if (sscanf(line, " %63[a-z0-9_].%51[][a-z0-9_.] = %" SCNu64 " %n", instance, name, &value, &used) != 3 ||
        line[used] != '\0' || !(inst = find_block(ls, instance)))
        return no_register;
    port = port_find(&inst->ports, name);
    if (!port || port->kind != PORT_REG || (port->width < 64 && value >> port->width))
        return no_register;
    r = &all[inst - ls->instances];
    if (r->set[port - inst->ports.ports])
        return "this register was named before";
    block_port_set(port, r->values, value);
    r->set[port - inst->ports.ports] = true;
    r->num_set++;
    return NULL;
}

/* As much of a line as can be shown on a terminal. */
static int printable(const char *line)
{
    int n = 0;

    while (line[n] >= ' ' && line[n] <= '~')
        n++;
    return n;
}

static bool read_lines(FILE *f, const char *path, const lockstep *ls, registers *all, char *err, size_t err_size)
{
    unsigned number = 0;
    char line[256];

    while (fgets(line, sizeof line, f)) {
        const char *wrong = read_line(line, ls, all);

        number++;
        if (wrong) {
            snprintf(err, err_size, "%s:%u: %s: %.*s", path, number, wrong, printable(line), line);
            return false;
        }
    }
    if (ferror(f))
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
    return !ferror(f);
}

/* A block is named with all of its registers or not at all; a file that names none is no state
 * file, unless there are none to name. */
static bool check_complete(const char *path, const lockstep *ls, const registers *all, char *err, size_t err_size)
{
    bool any = false, named = false;

    for (unsigned i = 0; i < ls->num_instances; i++) {
        const registers *r = &all[i];

        any |= r->num_registers != 0;
        named |= r->num_set != 0;
        if (r->num_set && r->num_set != r->num_registers) {
            snprintf(err, err_size, "%s: %u of %u registers of %s are missing", path,
                     r->num_registers - r->num_set, r->num_registers, ls->instances[i].block->name);
            return false;
        }
    }
    if (any && !named)
        snprintf(err, err_size, "%s: names no register of this run's blocks", path);
    return !any || named;
}

static bool open_registers(const lockstep *ls, registers *all)
{
    bool ok = true;

    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        all[i].values = calloc(1, inst->sizes.state + 1);
        all[i].set = calloc(inst->ports.num + 1u, sizeof *all[i].set);
        ok &= all[i].values && all[i].set;
        for (unsigned p = 0; p < inst->ports.num; p++)
            all[i].num_registers += inst->ports.ports[p].kind == PORT_REG;
    }
    return ok;
}

bool state_file_load(const char *path, lockstep *ls, char *err, size_t err_size)
{
    registers all[LOCKSTEP_MAX_BLOCKS] = {{.values = NULL}};
    FILE *f = fopen(path, "r");
    bool ok = f && open_registers(ls, all);

    if (!ok)
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
    ok = ok && read_lines(f, path, ls, all, err, err_size) && check_complete(path, ls, all, err, err_size);
    for (unsigned i = 0; i < ls->num_instances; i++) {
        if (ok && all[i].num_set)
            lockstep_load(&ls->instances[i], all[i].values);
        free(all[i].values);
        free(all[i].set);
    }
    if (f)
        fclose(f);
    return ok;
}
