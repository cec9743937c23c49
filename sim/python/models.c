/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "dpi/named_model.h"
#include "python/tables.h"

struct kit_model {
    named_model named;
    char *table;
};

const char *kit_block(unsigned n)
{
    for (unsigned b = 0; block_models[b]; b++)
        if (b == n)
            return block_models[b]->block_name;
    return NULL;
}

static void put_port(FILE *out, const block_port *p)
{
    static const char *const kinds[] = {[PORT_IN] = "in", [PORT_OUT] = "out", [PORT_REG] = "state"};

    fprintf(out, "{\"name\": \"%s\", \"kind\": \"%s\", \"width\": %u, \"offset\": %zu, \"size\": %zu, \"setting\": %s, \"values\": [", p->name,
            kinds[p->kind], p->width, p->offset, p->size, p->setting ? "true" : "false");
    for (unsigned n = 0; n < p->num_names; n++)
        fprintf(out, "%s\"%s\"", n ? ", " : "", p->names[n] ? p->names[n] : "");
    fprintf(out, "]}");
}

static void put_table(FILE *out, const void *user)
{
    const named_model *m = user;
    const block_sizes sizes = m->model->sizes(m->cfg);
    block_param params[BLOCK_MAX_PARAMS];
    const unsigned num = m->model->list_params(m->cfg, params, BLOCK_MAX_PARAMS);

    fprintf(out, "{\"parameters\": {");
    for (unsigned n = 0; n < num; n++)
        fprintf(out, "%s\"%s\": %" PRIu32, n ? ", " : "", params[n].name, params[n].value);
    fprintf(out, "}, \"sizes\": {\"in\": %zu, \"out\": %zu, \"state\": %zu}, \"ports\": [", sizes.in, sizes.out, sizes.state);
    for (unsigned p = 0; p < m->ports.num; p++) {
        fprintf(out, p ? ", " : "");
        put_port(out, &m->ports.ports[p]);
    }
    fprintf(out, "]}");
}

kit_model *kit_model_open(const char *block_name, const char *parameters, char *err)
{
    kit_model *m = calloc(1, sizeof *m);

    snprintf(err, KIT_ERR, "no memory");
    if (m && !named_model_open(&m->named, block_name, parameters, err, KIT_ERR)) {
        free(m);
        return NULL;
    }
    if (m && (m->table = kit_text(put_table, &m->named)))
        return m;
    kit_model_close(m);
    return NULL;
}

void kit_model_close(kit_model *m)
{
    if (!m)
        return;
    named_model_close(&m->named);
    free(m->table);
    free(m);
}

const char *kit_model_table(const kit_model *m)
{
    return m->table;
}

void kit_model_reset(const kit_model *m, void *state)
{
    m->named.model->reset(state, m->named.cfg);
}

void kit_model_defaults(const kit_model *m, void *in)
{
    m->named.model->defaults(in);
}

/* The contract does not say what comes of a value beyond its range. */
static bool in_range(const named_model *m, const void *in, char *err)
{
    for (unsigned p = 0; p < m->ports.num; p++) {
        const block_port *port = &m->ports.ports[p];
        const uint64_t value = port->range ? block_port_get(port, in) : 0, most = port->range ? m->model->most(m->cfg, in, port) : 0;

        if (value <= most)
            continue;
        snprintf(err, KIT_ERR, "%s: %s is %" PRIu64 ", but at most %" PRIu64 " where it is read", m->model->block_name, port->name, value, most);
        return false;
    }
    return true;
}

bool kit_model_step(const kit_model *m, void *state, const void *in, void *out, char *err)
{
    if (!in_range(&m->named, in, err))
        return false;
    m->named.model->step(state, m->named.cfg, in, out);
    return true;
}
