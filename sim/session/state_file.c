/* SPDX-License-Identifier: Apache-2.0 */
#include "session/state_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/popcount.h"

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

static const block_port *find_register(lockstep *ls, const char *block_name, const char *name, unsigned *instance)
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
                return &inst->ports[p];
            }
        }
    }
    return NULL;
}

/* What a file has named so far; bit p of set[i] is port p of instance i. */
typedef struct registers {
    lockstep_values values[LOCKSTEP_MAX_BLOCKS];
    uint64_t set[LOCKSTEP_MAX_BLOCKS];
} registers;

_Static_assert(LOCKSTEP_MAX_PORTS <= 64, "a bit for every port");

/* What is wrong with the line, or NULL. */
static const char *read_line(const char *line, lockstep *ls, registers *r)
{
    char block_name[64], name[64];
    const block_port *port;
    unsigned instance;
    uint64_t value, bit;
    int used = 0;

    if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#')
        return NULL;
    if (sscanf(line, " %63[a-z0-9_].%63[a-z0-9_] = %" SCNu64 " %n", block_name, name, &value, &used) != 3 ||
        line[used] != '\0' || !(port = find_register(ls, block_name, name, &instance)) ||
        (port->width < 64 && value >> port->width))
        return "not a register of this run's blocks and a value that fits it";
    bit = UINT64_C(1) << (port - ls->instances[instance].ports);
    if (r->set[instance] & bit)
        return "this register was named before";
    block_port_set(port, &r->values[instance], value);
    r->set[instance] |= bit;
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

static bool read_lines(FILE *f, const char *path, lockstep *ls, registers *r, char *err, size_t err_size)
{
    unsigned number = 0;
    char line[256];

    while (fgets(line, sizeof line, f)) {
        const char *wrong = read_line(line, ls, r);

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

static uint64_t all_registers(const lockstep_instance *inst)
{
    uint64_t all = 0;

    for (unsigned p = 0; p < inst->num_ports; p++)
        if (inst->ports[p].kind == PORT_REG)
            all |= UINT64_C(1) << p;
    return all;
}

/* A block is named with all of its registers or not at all; a file that names none is no state
 * file, unless there are none to name. */
static bool check_complete(const char *path, const lockstep *ls, const registers *r, char *err, size_t err_size)
{
    uint64_t any = 0, named = 0;

    for (unsigned i = 0; i < ls->num_instances; i++) {
        const uint64_t all = all_registers(&ls->instances[i]);

        any |= all;
        named |= r->set[i];
        if (r->set[i] && r->set[i] != all) {
            snprintf(err, err_size, "%s: %u of %u registers of %s are missing", path,
                     popcount64(all & ~r->set[i]), popcount64(all), ls->instances[i].block->name);
            return false;
        }
    }
    if (any && !named)
        snprintf(err, err_size, "%s: names no register of this run's blocks", path);
    return !any || named;
}

bool state_file_load(const char *path, lockstep *ls, char *err, size_t err_size)
{
    FILE *f = fopen(path, "r");
    registers r;
    bool ok;

    if (!f) {
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
        return false;
    }
    memset(&r, 0, sizeof r);
    ok = read_lines(f, path, ls, &r, err, err_size);
    fclose(f);
    ok = ok && check_complete(path, ls, &r, err, err_size);
    for (unsigned i = 0; ok && i < ls->num_instances; i++)
        if (r.set[i])
            lockstep_load(&ls->instances[i], &r.values[i]);
    return ok;
}
