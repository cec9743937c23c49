/* SPDX-License-Identifier: Apache-2.0 */
#include "dpi/named_model.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_PARAMETER = 1 << 20 }; /* no value of a parameter is larger; what is too large for a model shows in its ports */

/* The first word that is not Name=Number; NULL: there is none. */
static const char *malformed(const char *parameters)
{
    for (const char *word = parameters; *word;) {
        const size_t length = strcspn(word, " ");
        const char *equals = memchr(word, '=', length);
        const size_t digits = equals ? strspn(equals + 1, "0123456789") : 0;

        if (!digits || equals + 1 + digits != word + length || strtoul(equals + 1, NULL, 10) > MOST_PARAMETER)
            return word;
        word += length;
        word += strspn(word, " ");
    }
    return NULL;
}

/* Ports' widths are computed from numbers of things, from intervals and their cycles, by division, too: none of them is 0. */
static bool counts_nothing(const named_model *m)
{
    block_param params[BLOCK_MAX_PARAMS];
    const unsigned num = m->model->list_params(m->cfg, params, BLOCK_MAX_PARAMS);
    bool nothing = false;

    for (unsigned n = 0; n < num; n++)
        nothing |= !params[n].value && (!strncmp(params[n].name, "Num", 3) || strstr(params[n].name, "Interval") || strstr(params[n].name, "Cycles"));
    return nothing;
}

/* Whether the model has room for each port: for other parameters than those of the block's page it need not. */
static bool ports_fit(const named_model *m)
{
    const block_sizes sizes = m->model->sizes(m->cfg);

    for (unsigned p = 0; p < m->ports.num; p++) {
        const block_port *port = &m->ports.ports[p];
        const size_t room = port->kind == PORT_IN ? sizes.in : port->kind == PORT_OUT ? sizes.out : sizes.state;

        if (!port->width || port->width > 8 * port->size || port->offset + port->size > room)
            return false;
    }
    return true;
}

static bool configure(named_model *m, const char *block_name, const char *parameters, char *why, size_t why_size)
{
    const char *wrong = malformed(parameters);
    char bad[64] = "";

    m->model = find_block_model(block_name);
    if (m->model && !wrong)
        m->model->configure(m->cfg, parameters, bad, sizeof bad);
    if (!m->model)
        snprintf(why, why_size, "ballast: there is no block '%s'", block_name);
    else if (wrong)
        snprintf(why, why_size, "ballast %s: '%.*s' is not Name=Number, with a number up to %d", block_name, (int)strcspn(wrong, " "), wrong, MOST_PARAMETER);
    else if (bad[0])
        snprintf(why, why_size, "ballast %s: parameter '%s' is none of this block's", block_name, bad);
    return m->model && !wrong && !bad[0];
}

bool named_model_open(named_model *m, const char *block_name, const char *parameters, char *why, size_t why_size)
{
    memset(m, 0, sizeof *m);
    if (!configure(m, block_name, parameters, why, why_size))
        return false;
    if (!counts_nothing(m))
        m->model->list_ports(m->cfg, &m->ports);
    if (m->ports.failed)
        snprintf(why, why_size, "ballast %s: no memory", block_name);
    else if (!m->ports.num || !ports_fit(m))
        snprintf(why, why_size, "ballast %s: no model for these parameters (%s); the block's page has their ranges", block_name, parameters);
    else
        return true;
    named_model_close(m);
    return false;
}

void named_model_close(named_model *m)
{
    port_list_free(&m->ports);
}
