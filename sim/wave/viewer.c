/* SPDX-License-Identifier: Apache-2.0 */
#include "wave/viewer.h"

#include <string.h>

#include "files/placed_file.h"

enum { PATH = 4096 };

const wave_viewer *const wave_viewers[] = {&gtkwave_viewer, &surfer_viewer, NULL};

enum wave_format wave_format_of(const block_port *port, unsigned narrow)
{
    if (port->names)
        return WAVE_NAMES;
    if (port->width == 1)
        return WAVE_BIT;
    return port->kind == PORT_IN && port->width > narrow ? WAVE_MASK : WAVE_NUMBER;
}

const char *wave_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void own_path(char *own, const char *path, const wave_viewer *viewer)
{
    const char *dot = strrchr(wave_file_name(path), '.');

    snprintf(own, PATH, "%.*s.%s", (int)(dot ? dot - path : (long)strlen(path)), path, viewer->suffix);
}

static bool save(const char *path, const wave_viewer *viewer, const wave_head *head, bool (*print)(wave_page *page, void *context), void *context)
{
    char own[PATH];
    placed_file placed;
    wave_head here = *head;
    wave_page page = {.viewer = viewer, .head = &here};
    bool ok;

    own_path(own, path, viewer);
    here.save_path = own;
    ok = placed_open(&placed, own);
    page.file = placed.file;
    if (ok) {
        viewer->begin(&page);
        ok = print(&page, context);
        viewer->end(&page);
    }
    return placed_close(&placed, ok);
}

bool wave_save_all(const char *path, const wave_head *head, bool (*print)(wave_page *page, void *context), void *context)
{
    bool ok = true;

    for (const wave_viewer *const *viewer = wave_viewers; ok && *viewer; viewer++)
        ok = save(path, *viewer, head, print, context);
    return ok;
}
