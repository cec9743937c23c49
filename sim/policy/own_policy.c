/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/own_policy.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/guard.h"

enum { NAME = 32, MOST_BYTES = 1 << 24 };

static const char ending[] = ".so", options_follow[] = ".so:";

__attribute__((format(printf, 3, 4))) static bool refuse(const own_policy *p, char *err, const char *format, ...)
{
    const int used = snprintf(err, OWN_ERR, "%.300s: ", p->path);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(err + used, (size_t)(OWN_ERR - used), format, arguments);
    va_end(arguments);
    return false;
}

/* ---- file and options ---------------------------------------------------------------- */

bool own_policy_is_file(const char *text)
{
    const size_t length = strlen(text);

    return strchr(text, '/') || strstr(text, options_follow) || (length >= strlen(ending) && !strcmp(text + length - strlen(ending), ending));
}

/* dlopen looks for a name without a slash elsewhere than here. */
static bool name_file(own_policy *p, const char *text, char *err)
{
    const char *colon = strstr(text, options_follow);
    const size_t length = colon ? (size_t)(colon - text) + strlen(ending) : strlen(text);
    struct stat file;

    p->options = colon ? colon + strlen(options_follow) : "";
    if (snprintf(p->path, OWN_PATH, "%s%.*s", memchr(text, '/', length) ? "" : "./", (int)length, text) >= OWN_PATH) {
        snprintf(err, OWN_ERR, "--policy: the file's name is too long");
        return false;
    }
    if (stat(p->path, &file) != 0)
        return refuse(p, err, "cannot open (%s)", strerror(errno));
    if (!S_ISREG(file.st_mode))
        return refuse(p, err, "is no file; name a shared object");
    return true;
}

/* ---- what it holds ------------------------------------------------------------------- */

static bool check_name(const own_policy *p, char *err)
{
    const char *name = p->functions->name;

    if (!name || !*name || strnlen(name, NAME + 1) > NAME)
        return refuse(p, err, "its name has no letter, or more than %d", (int)NAME);
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '-' && *name != '_' && *name != '.')
            return refuse(p, err, "its name must be of letters, digits, '-', '_' and '.'");
    return true;
}

static bool check_sizes(const own_policy *p, char *err)
{
    const ballast_policy_functions *f = p->functions;

    if (f->cfg_size > MOST_BYTES || f->state_size > MOST_BYTES || f->chip_size > MOST_BYTES)
        return refuse(p, err, "wants more than %d bytes for cfg_size, state_size or chip_size", (int)MOST_BYTES);
    if (f->cfg_size && !f->cfg)
        return refuse(p, err, "has cfg_size %u, but no function cfg that would fill it", (unsigned)f->cfg_size);
    if (f->chip_size && !f->chip)
        return refuse(p, err, "has chip_size %u, but no function chip", (unsigned)f->chip_size);
    return true;
}

/* The first two words stand at the same place in all versions. */
static bool check_functions(const own_policy *p, char *err)
{
    const ballast_policy_functions *f = p->functions;

    if (f->version != BALLAST_POLICY_VERSION)
        return refuse(p, err, "is of version %u of the interface, this program of %d; compile it with this version's ballast/policy.h",
                      (unsigned)f->version, BALLAST_POLICY_VERSION);
    if (f->size != sizeof *f || f->in_size != sizeof(ballast_policy_in) || f->out_size != sizeof(ballast_policy_out))
        return refuse(p, err, "has structs of %u, %u and %u bytes, this program of %zu, %zu and %zu; begin " BALLAST_POLICY_ENTRY
                      " with BALLAST_POLICY_INTERFACE", (unsigned)f->size, (unsigned)f->in_size, (unsigned)f->out_size, sizeof *f,
                      sizeof(ballast_policy_in), sizeof(ballast_policy_out));
    if (!f->reset || !f->step)
        return refuse(p, err, "has no function %s", f->reset ? "step" : "reset");
    return check_name(p, err) && check_sizes(p, err);
}

/* ---- loading ------------------------------------------------------------------------- */

static void open_object(void *user)
{
    own_policy *p = user;

    p->handle = dlopen(p->path, RTLD_NOW | RTLD_LOCAL);
    if (p->handle)
        p->functions = dlsym(p->handle, BALLAST_POLICY_ENTRY);
}

/* The loader's own words begin with the path. */
static const char *loader_words(const own_policy *p)
{
    const char *words = dlerror();
    const size_t length = strlen(p->path);

    if (!words)
        return "no reason given";
    return !strncmp(words, p->path, length) && !strncmp(words + length, ": ", 2) ? words + length + 2 : words;
}

static bool load(own_policy *p, char *err)
{
    const char *died;

    guard_begin();
    died = guard_call(open_object, p);
    if (died)
        return refuse(p, err, "%s while it was loaded; nothing was run", died);
    if (!p->handle)
        return refuse(p, err, "cannot be loaded (%s); build it with cc -shared -fPIC", loader_words(p));
    if (!p->functions)
        return refuse(p, err, "has no symbol " BALLAST_POLICY_ENTRY "; define it with BALLAST_POLICY_EXPORT (ballast/policy.h)");
    return check_functions(p, err);
}

bool own_policy_load(own_policy *p, const char *text, char err[OWN_ERR])
{
    memset(p, 0, sizeof *p);
    if (!name_file(p, text, err))
        return false;
    if (!load(p, err)) {
        own_policy_unload(p);
        return false;
    }
    snprintf(p->label, sizeof p->label, "%s%s%.60s", p->functions->name, *p->options ? ":" : "", p->options);
    return true;
}

void own_policy_unload(own_policy *p)
{
    if (p->handle)
        dlclose(p->handle);
    p->handle = NULL;
    p->functions = NULL;
}
