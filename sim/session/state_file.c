/* SPDX-License-Identifier: Apache-2.0 */
#include "session/state_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool state_file_save(const char *path, const lockstep *ls, const lockstep_values *states)
{
    FILE *f = fopen(path, "w");

    if (!f)
        return false;
    fprintf(f, "# registers before the first cycle; load with --state\n");
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        for (unsigned p = 0; p < inst->num_ports; p++)
            if (inst->ports[p].kind == PORT_REG)
                fprintf(f, "%s.%s_q = %" PRIu64 "\n", inst->block->name, inst->ports[p].name,
                        block_port_get(&inst->ports[p], &states[i]));
    }
    return fclose(f) == 0;
}

static bool find_register(lockstep *ls, const char *block_name, const char *name, unsigned *instance,
                          const block_port **port)
{
    for (unsigned i = 0; i < ls->num_instances; i++) {
        const lockstep_instance *inst = &ls->instances[i];

        if (strcmp(inst->block->name, block_name) != 0)
            continue;
        for (unsigned p = 0; p < inst->num_ports; p++) {
            char full[80];

            snprintf(full, sizeof full, "%s_q", inst->ports[p].name);
            if (inst->ports[p].kind == PORT_REG && !strcmp(full, name)) {
                *instance = i;
                *port = &inst->ports[p];
                return true;
            }
        }
    }
    return false;
}

static bool read_line(const char *line, lockstep *ls, lockstep_values *states, unsigned *set)
{
    char block_name[64], name[64];
    const block_port *port;
    unsigned instance;
    uint64_t value;
    int used = 0;

    if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#')
        return true;
    if (sscanf(line, " %63[a-z0-9_].%63[a-z0-9_] = %" SCNu64 " %n", block_name, name, &value, &used) != 3 ||
        line[used] != '\0' || !find_register(ls, block_name, name, &instance, &port) ||
        (port->width < 64 && value >> port->width))
        return false;
    block_port_set(port, &states[instance], value);
    set[instance]++;
    return true;
}

static unsigned count_registers(const lockstep_instance *inst)
{
    unsigned n = 0;

    for (unsigned p = 0; p < inst->num_ports; p++)
        n += inst->ports[p].kind == PORT_REG;
    return n;
}

bool state_file_load(const char *path, lockstep *ls, char *err, size_t err_size)
{
    lockstep_values states[LOCKSTEP_MAX_BLOCKS];
    unsigned set[LOCKSTEP_MAX_BLOCKS] = {0}, number = 0;
    FILE *f = fopen(path, "r");
    char line[256];
    bool ok = true;

    if (!f) {
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
        return false;
    }
    memset(states, 0, sizeof states);
    while (ok && fgets(line, sizeof line, f)) {
        number++;
        ok = read_line(line, ls, states, set);
        if (!ok)
            snprintf(err, err_size, "%s:%u: not a register of this run's blocks and a value that fits it: %.*s",
                     path, number, (int)strcspn(line, "\n"), line);
    }
    fclose(f);
    for (unsigned i = 0; ok && i < ls->num_instances; i++) {
        if (set[i] == count_registers(&ls->instances[i])) {
            lockstep_load(&ls->instances[i], &states[i]);
        } else if (set[i]) {
            snprintf(err, err_size, "%s: %u of %u registers of %s are missing or named twice", path,
                     count_registers(&ls->instances[i]) - set[i], count_registers(&ls->instances[i]),
                     ls->instances[i].block->name);
            ok = false;
        }
    }
    return ok;
}
