/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines: of what is wrong, where, and what to do about it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ballast/client_private.h"

enum { LINES = 20 }; /* of complaints: who is wrong once may be so in every cycle */

static void put(const ballast_client_settings *s, const char *line)
{
    if (s->complain)
        s->complain(s->user, line);
    else
        fprintf(stderr, "%s\n", line);
}

void ballast_client_say(const ballast_client_settings *settings, const char *format, ...)
{
    char line[CLIENT_LINE] = "ballast client: ";
    const size_t begin = strlen(line);
    va_list args;

    va_start(args, format);
    vsnprintf(line + begin, sizeof line - begin, format, args);
    va_end(args);
    put(settings, line);
}

static void add_place(char *line, size_t size, const char *name, int number)
{
    const size_t at = strlen(line);

    if (number >= 0)
        snprintf(line + at, size - at, ", %s %d", name, number);
}

void ballast_client_complain(ballast_client *client, client_place place, const char *format, ...)
{
    ballast_client *c = client;
    size_t at;
    va_list args;

    if (!c->settings.check)
        return;
    c->complaints++;
    c->status |= BALLAST_CLIENT_COMPLAINED;
    snprintf(c->last, sizeof c->last, "ballast client: cycle %llu", (unsigned long long)c->cycle);
    add_place(c->last, sizeof c->last, "SM", place.sm);
    add_place(c->last, sizeof c->last, "slot", place.slot);
    add_place(c->last, sizeof c->last, "warp", place.warp);
    at = strlen(c->last);
    at += (size_t)snprintf(c->last + at, sizeof c->last - at, ": ");
    va_start(args, format);
    vsnprintf(c->last + at, sizeof c->last - at, format, args);
    va_end(args);
    if (c->complaints <= LINES)
        put(&c->settings, c->last);
    if (c->complaints == LINES)
        ballast_client_say(&c->settings, "more complaints are counted, and not written");
}

uint32_t ballast_client_status(const ballast_client *client)
{
    return client ? client->status : 0;
}

uint64_t ballast_client_complaints(const ballast_client *client)
{
    return client ? client->complaints : 0;
}

const char *ballast_client_last_complaint(const ballast_client *client)
{
    return client ? client->last : "";
}
