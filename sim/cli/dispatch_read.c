/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/import_options.h"
#include "cli/say.h"
#include "common/cta_needs.h"

/* The hardware's units; what they cannot count no CTA needs. */
static uint32_t units(uint32_t amount, uint32_t unit)
{
    enum { MOST = 65534 };
    const uint32_t n = amount / unit;

    return n == 0 ? 1 : n < MOST ? n : MOST;
}

gwde_cfg dispatch_gwde(const raw_resources *have, const trace_geometry *geometry)
{
    gwde_cfg cfg = gwde_cfg_default();

    cfg.num_sms = geometry->sms;
    cfg.num_warps = geometry->warps;
    cfg.reg_units = units(have->registers, BALLAST_CTA_REG_UNIT);
    cfg.smem_units = units(have->shared_bytes, BALLAST_CTA_SMEM_UNIT);
    cfg.sm.num_slots = have->slots && have->slots < geometry->slots ? have->slots : geometry->slots;
    return cfg;
}

static bool has_all_sms(const trace_reader *r, const char *name)
{
    const unsigned sms = trace_get_meta(r)->geometry.sms;

    if (trace_num_sms(r) == sms)
        return true;
    fprintf(stderr, "ballast: %s: left out, it has %u of %u SMs\n", name, trace_num_sms(r), sms);
    return false;
}

bool dispatch_read(cta_list *list, const raw_import_options *import, const char *path, const char *name, int *status)
{
    raw_import_options how = *import;
    trace_err err = {.text = ""};
    char ignored[RAW_NAME], kernel[RAW_NAME];
    struct stat info;
    trace_reader *r;
    bool ok;

    *list = (cta_list){.num_events = 0};
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        how.dir = path;
        raw_folder_name(path, ignored, kernel, &how.config_limit);
        ok = cta_list_of_tables(list, &how, &err);
    } else {
        r = trace_open(path, NULL, &err);
        ok = r && has_all_sms(r, name) && cta_list_of_trace(list, r, path, &err);
        trace_close(r);
    }
    *status = err.text[0] ? complain("%s", err.text) : EXIT_PASS;
    return ok;
}
