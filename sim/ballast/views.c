/* SPDX-License-Identifier: Apache-2.0 */
#include "ballast/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"
#include "wave/wave.h"

/* The width of the port that `name` ("limit_q[3:0]") means, 0 if the block has none such. */
static unsigned width_of(const block *b, const char *name)
{
    static const char suffix[] = {[PORT_IN] = 'i', [PORT_OUT] = 'o', [PORT_REG] = 'q'};
    const size_t length = strcspn(name, "[\n");
    block_port ports[LOCKSTEP_MAX_PORTS];
    lockstep_values cfg;
    char bad[64];
    unsigned n;

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    n = b->model->list_ports(&cfg, ports, LOCKSTEP_MAX_PORTS);
    for (unsigned p = 0; p < n; p++)
        if (length == strlen(ports[p].name) + 2 && !strncmp(name, ports[p].name, length - 2) &&
            name[length - 1] == suffix[ports[p].kind])
            return ports[p].width;
    return 0;
}

/* "...SM0.<block>.<side>.<port>[range]" gets the variant's name and its range; what is not a
 * signal stays as it is. */
static void copy_line(FILE *out, const block *b, const char *line)
{
    const char *scope = strstr(line, "SM0.");
    const char *side = scope ? strchr(scope + 4, '.') : NULL;
    const char *port = side ? strchr(side + 1, '.') : NULL;
    const unsigned width = port ? width_of(b, port + 1) : 0;

    if (width == 0) {
        fputs(line, out);
        return;
    }
    fprintf(out, "%.*sSM0.%s%.*s", (int)(scope - line), line, b->name, (int)(port + 1 - side), side);
    fprintf(out, "%.*s", (int)strcspn(port + 1, "[\n"), port + 1);
    if (width > 1)
        fprintf(out, "[%u:0]", width - 1);
    fprintf(out, "\n");
}

bool view_make(const char *source, const char *target, const block *b, const char *fst_path,
               const wave_range *range)
{
    FILE *in = fopen(source, "r");
    FILE *out = in ? fopen(target, "w") : NULL;
    char line[1024];
    bool ok = out != NULL;

    if (ok)
        wave_save_header(out, fst_path, b->name, range);
    while (ok && fgets(line, sizeof line, in))
        copy_line(out, b, line);
    if (in)
        fclose(in);
    if (out)
        ok &= fclose(out) == 0;
    return ok;
}
