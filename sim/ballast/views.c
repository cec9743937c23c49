/* SPDX-License-Identifier: Apache-2.0 */
#include "ballast/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"
#include "wave/wave.h"

/* The width of the port that `name` ("limit_q[3:0]") means, 0 if the block has none such. */
static unsigned width_of(const port_list *ports, const char *name)
{
    const size_t length = strcspn(name, "[\n");

    for (unsigned p = 0; p < ports->num; p++) {
        char have[PORT_NAME + 4];

        wave_port_name(&ports->ports[p], have, sizeof have);
        if (strlen(have) == length && !strncmp(name, have, length))
            return ports->ports[p].width;
    }
    return 0;
}

/* "...SM0.<block>.<side>.<port>[range]" gets the variant's name and its range; a signal that this
 * geometry does not have is left out; what is not a signal stays as it is. */
static void copy_line(FILE *out, const block *b, const port_list *ports, const char *line)
{
    const char *top = b->model->per_chip ? "chip." : "SM0.";
    const char *scope = strstr(line, top);
    const char *side = scope ? strchr(scope + strlen(top), '.') : NULL;
    const char *port = side ? strchr(side + 1, '.') : NULL;
    const unsigned width = port ? width_of(ports, port + 1) : 0;

    if (!port) {
        fputs(line, out);
        return;
    }
    if (width == 0)
        return;
    fprintf(out, "%.*s%s%s%.*s", (int)(scope - line), line, top, b->name, (int)(port + 1 - side), side);
    fprintf(out, "%.*s", (int)strcspn(port + 1, "[\n"), port + 1);
    if (width > 1)
        fprintf(out, "[%u:0]", width - 1);
    fprintf(out, "\n");
}

static void list_ports(const block *b, port_list *ports)
{
    lockstep_values cfg;
    char bad[64];

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    b->model->list_ports(&cfg, ports);
}

bool view_make(const char *source, const char *target, const block *b, const char *fst_path,
               const wave_range *range)
{
    FILE *in = fopen(source, "r");
    FILE *out = in ? fopen(target, "w") : NULL;
    port_list ports = {.num = 0};
    char line[1024];
    bool ok = out != NULL;

    list_ports(b, &ports);
    if (ok)
        wave_save_header(out, fst_path, b->name, range);
    while (ok && fgets(line, sizeof line, in))
        copy_line(out, b, &ports, line);
    port_list_free(&ports);
    if (in)
        fclose(in);
    if (out)
        ok &= fclose(out) == 0;
    return ok;
}
