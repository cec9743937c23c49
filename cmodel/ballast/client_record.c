/* SPDX-License-Identifier: Apache-2.0
 *
 * The raw recorder: cyc.bin, ker.csv and cta.csv of doc/use/import_raw.md, in format 1 where the geometry fits, else in format 2.
 *
 * Each file is written beside its place, and all of them are renamed at the end, cyc.bin last: without it there is no recording.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/client_private.h"
#include "sm/stall_classifier.h"

enum { FORMAT_1_WARPS = 48, FORMAT_1_SLOTS = 8, FORMAT_1_BYTES = 32, FORMAT_2_BYTES = 48, NO_CLASS = 0x40, NAME_BYTES = 127, MOST_LAUNCHES = 4096 };
enum { KER, CTA, CYC, FILES }; /* in the order in which they get their names */

typedef struct record_file {
    FILE *file;
    char *path, *beside;
} record_file;

struct client_record {
    char *folder;
    record_file files[FILES];
    bool wanted[BALLAST_MAX_SMS];
    bool failed;
    unsigned launches;
    uint64_t records, unsaid; /* unsaid: of these, without ballast_client_sm_class */
    uint64_t last_start;      /* cycle in which the last kernel started                      */
};

static const char *const names[FILES] = {[KER] = "ker.csv", [CTA] = "cta.csv", [CYC] = "cyc.bin"};

/* ---- files ---------------------------------------------------------------------------- */

static char *joined(const char *folder, const char *name, const char *end)
{
    const size_t size = strlen(folder) + strlen(name) + strlen(end) + 2;
    char *path = malloc(size);

    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, end);
    return path;
}

static char *copied(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

/* Nothing that is not in its place is left. */
static void free_record(struct client_record *r)
{
    for (unsigned i = 0; i < FILES; i++) {
        record_file *f = &r->files[i];

        if (f->file) {
            fclose(f->file);
            remove(f->beside);
        }
        free(f->path);
        free(f->beside);
    }
    free(r->folder);
    free(r);
}

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file)
        fclose(file);
    return file != NULL;
}

/* A file that is there is never written over: it is somebody's recording, or is being written. */
static bool open_file(const ballast_client *c, struct client_record *r, unsigned which)
{
    record_file *f = &r->files[which];

    f->path = joined(r->folder, names[which], "");
    f->beside = joined(r->folder, names[which], ".tmp");
    if (!f->path || !f->beside) {
        ballast_client_say(&c->settings, "%s: out of memory", r->folder);
        return false;
    }
    if (is_there(f->path)) {
        ballast_client_say(&c->settings, "%s is there already; name another folder, or remove it", f->path);
        return false;
    }
    f->file = fopen(f->beside, "wbx");
    if (f->file)
        return true;
    ballast_client_say(&c->settings, "%s: cannot create: %s; %s", f->beside, strerror(errno),
                       errno == EEXIST ? "somebody writes it, or has left it: then remove it" : "is the folder there?");
    return false;
}

/* One line, and no recording is left. The simulation goes on. */
static void fail(ballast_client *c, const char *why)
{
    struct client_record *r = c->record;

    if (r->failed)
        return;
    r->failed = true;
    c->status |= BALLAST_CLIENT_RECORD_FAILED;
    ballast_client_say(&c->settings, "cycle %llu: %s: %s; the recording is given up", (unsigned long long)c->cycle, r->folder, why);
    for (unsigned i = 0; i < FILES; i++)
        if (r->files[i].file) {
            fclose(r->files[i].file);
            r->files[i].file = NULL;
            remove(r->files[i].beside);
        }
}

static bool is_fine(ballast_client *c, unsigned which)
{
    if (c->record->failed)
        return false;
    if (!ferror(c->record->files[which].file))
        return true;
    fail(c, "cannot write (is the disk full?)");
    return false;
}

/* ---- ker.csv -------------------------------------------------------------------------- */

static const char kernel_head[] = "kernel,name,grid_ctas,threads_per_cta,warps_per_cta,regs,smem,cta_per_sm,cycle,is_2d,grid_x,grid_y,grid_z,block_x,"
                                  "block_y,block_z,nmax\n";

/* In double quotes, quotes doubled; of a long name, the beginning tells it apart. */
static void put_name(FILE *file, const char *name)
{
    fputc('"', file);
    for (unsigned i = 0; name && name[i] && i < NAME_BYTES; i++) {
        if (name[i] == '"')
            fputc('"', file);
        fputc(name[i] == '\n' || name[i] == '\r' ? ' ' : name[i], file);
    }
    fputc('"', file);
}

static uint64_t product(const uint32_t of[3])
{
    return (uint64_t)of[0] * (of[1] ? of[1] : 1) * (of[2] ? of[2] : 1);
}

static unsigned one_at_least(uint32_t number)
{
    return number ? number : 1;
}

/* NULL, or why there can be no line for this kernel. */
static const char *refused(const ballast_client *c, uint32_t sm, const ballast_client_kernel *k)
{
    const struct client_record *r = c->record;

    if (sm != BALLAST_CLIENT_ALL_SMS && c->settings.sms > 1)
        return "a kernel starts on one SM; recordings have kernels that start on BALLAST_CLIENT_ALL_SMS";
    if (!k->grid[0] || !k->block[0])
        return "the kernel's grid[0] or block[0] is 0; a recording needs both";
    if (product(k->grid) > UINT32_MAX || product(k->block) > UINT16_MAX || k->regs_per_thread > UINT16_MAX)
        return "the kernel's grid, block or regs_per_thread is more than a recording can hold";
    if (r->launches == MOST_LAUNCHES)
        return "more than 4096 kernels; end the recording earlier, and go on in another folder";
    if (r->launches && r->last_start == c->cycle)
        return "two kernels start in one cycle; recordings have one at a time";
    return NULL;
}

static unsigned limit_in_force(const ballast_client_settings *s, unsigned nmax)
{
    return s->policy == BALLAST_POLICY_STATIC && s->static_limit && s->static_limit < nmax ? s->static_limit : nmax;
}

void ballast_client_record_kernel(ballast_client *client, uint32_t sm, const ballast_client_kernel *kernel, const client_kernel *known)
{
    struct client_record *r = client->record;
    const char *why = r->failed ? NULL : refused(client, sm, kernel);
    const uint32_t *grid = kernel->grid, *block = kernel->block;
    FILE *file = r->files[KER].file;

    if (why)
        fail(client, why);
    if (r->failed)
        return;
    r->launches++;
    r->last_start = client->cycle;
    fprintf(file, "%u,", (unsigned)known->number);
    put_name(file, kernel->name);
    fprintf(file, ",%llu,%llu,%u,%u,%u,%u,%llu,%u,%u,%u,%u,%u,%u,%u,%u\n", (unsigned long long)product(grid),
            (unsigned long long)product(block), known->warps_per_cta, (unsigned)kernel->regs_per_thread, (unsigned)kernel->smem_per_cta,
            limit_in_force(&client->settings, known->nmax), (unsigned long long)client->cycle, grid[1] > 1 || grid[2] > 1, (unsigned)grid[0],
            one_at_least(grid[1]), one_at_least(grid[2]), (unsigned)block[0], one_at_least(block[1]), one_at_least(block[2]), known->nmax);
    is_fine(client, KER);
}

/* ---- cta.csv -------------------------------------------------------------------------- */

static void put_event(ballast_client *c, unsigned sm, unsigned slot, const char *event, uint32_t launch, unsigned per_cta, uint32_t cta)
{
    fprintf(c->record->files[CTA].file, "%llu,%u,%u,%s,%u,%u,%u\n", (unsigned long long)c->cycle, sm, slot, event, (unsigned)launch, per_cta,
            (unsigned)cta);
}

/* A slot is left before it is taken. */
static void put_events(ballast_client *c, unsigned sm)
{
    const client_sm *s = &c->sm[sm];

    for (uint32_t left = s->done; left; left &= left - 1) {
        const unsigned slot = client_lowest(left);

        put_event(c, sm, slot, "done", s->launch[slot], s->per_cta[slot], s->cta[slot]);
    }
    for (uint32_t left = s->start; left; left &= left - 1) {
        const unsigned slot = client_lowest(left);

        put_event(c, sm, slot, "launch", s->kernel.number, s->kernel.warps_per_cta, s->start_cta[slot]);
    }
}

/* Recordings have the warps of slot s at s W. */
static bool has_usual_warps(const client_sm *s)
{
    const unsigned per_cta = s->kernel.warps_per_cta;

    for (uint32_t left = s->start; left && per_cta; left &= left - 1) {
        const unsigned slot = client_lowest(left), first = slot * per_cta;
        const uint64_t warps = s->start_warps[slot];

        if (!warps || client_lowest(warps) != first || warps >> first != (~UINT64_C(0) >> (BALLAST_MAX_WARPS - per_cta)))
            return false;
    }
    return true;
}

/* ---- cyc.bin -------------------------------------------------------------------------- */

static bool is_format_1(const ballast_client_settings *s)
{
    return s->warps <= FORMAT_1_WARPS && s->slots <= FORMAT_1_SLOTS;
}

/* The byte of the class. Format 2 can say that the simulator has noted none; in format 1 it is then what follows from the states. */
static uint8_t class_of(const ballast_client *c, const client_sm *s)
{
    const stall_classifier_in in = {s->ws[0], s->ws[1], s->ws[2], s->ws[3], 0};

    if (s->class_said)
        return (uint8_t)(s->ps_class << 4);
    c->record->unsaid++;
    if (!is_format_1(&c->settings))
        return NO_CLASS;
    return (uint8_t)(stall_classifier_of(&c->cfg.sm.classifier, &in).ps_class << 4);
}

static void put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> 8 * i);
}

static unsigned state_of(const client_sm *s, unsigned warp)
{
    unsigned state = 0;

    for (unsigned b = 0; b < BALLAST_STATE_PLANES; b++)
        state |= (unsigned)(s->ws[b] >> warp & 1) << b;
    return state;
}

static void put_states(uint8_t *to, const client_sm *s, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(state_of(s, 2 * i) | state_of(s, 2 * i + 1) << 4);
}

static void put_record(ballast_client *c, unsigned sm)
{
    const client_sm *s = &c->sm[sm];
    const uint32_t after = (s->held & ~s->done) | s->start;
    uint8_t record[FORMAT_2_BYTES] = {0};
    const unsigned bytes = is_format_1(&c->settings) ? FORMAT_1_BYTES : FORMAT_2_BYTES;

    put_word(record, (uint32_t)c->cycle);
    record[4] = (uint8_t)sm;
    record[5] = class_of(c, s);
    if (bytes == FORMAT_1_BYTES) {
        record[6] = (uint8_t)after;
        record[7] = (uint8_t)s->done;
        put_states(record + 8, s, FORMAT_1_WARPS / 2);
    } else {
        put_word(record + 8, after);
        put_word(record + 12, s->done);
        put_states(record + 16, s, BALLAST_MAX_WARPS / 2);
    }
    fwrite(record, bytes, 1, c->record->files[CYC].file);
    c->record->records++;
}

/* ---- a cycle -------------------------------------------------------------------------- */

/* NULL, or why this cycle cannot be in a recording. */
static const char *unrecordable(const ballast_client *c, const client_sm *s)
{
    if (s->start && (!s->kernel.number || !c->record->launches))
        return "a CTA starts of a kernel that is not in the recording; call ballast_client_record before the kernel starts";
    if (!has_usual_warps(s))
        return "a CTA has other warps than those of its slot; recordings do not have that";
    if (c->cycle > UINT32_MAX)
        return "more than 4294967295 cycles";
    return NULL;
}

static void record_sm(ballast_client *c, unsigned sm)
{
    const client_sm *s = &c->sm[sm];
    const char *why = unrecordable(c, s);

    if (why) {
        fail(c, why);
        return;
    }
    put_events(c, sm);
    if (c->record->wanted[sm] && (s->held | s->start))
        put_record(c, sm);
}

void ballast_client_record_cycle(ballast_client *client)
{
    for (unsigned i = 0; i < client->settings.sms && !client->record->failed; i++)
        record_sm(client, i);
    (void)(is_fine(client, CTA) && is_fine(client, CYC));
}

/* ---- begin and end -------------------------------------------------------------------- */

static bool choose(const ballast_client *c, struct client_record *r, const uint32_t *sms, uint32_t num)
{
    for (uint32_t i = 0; i < c->settings.sms; i++)
        r->wanted[i] = num == 0;
    for (uint32_t i = 0; i < num; i++) {
        if (sms[i] >= c->settings.sms) {
            ballast_client_say(&c->settings, "%s: there is no SM %lu to record; there are 0 to %u", r->folder, (unsigned long)sms[i],
                               (unsigned)c->settings.sms - 1);
            return false;
        }
        r->wanted[sms[i]] = true;
    }
    return true;
}

/* An SM with a CTA, or -1. */
static int busy_sm(const ballast_client *c)
{
    for (unsigned i = 0; i < c->settings.sms; i++)
        if (c->sm[i].held | c->sm[i].start)
            return (int)i;
    return -1;
}

static bool may_begin(const ballast_client *c, const char *folder)
{
    if (!c->record && busy_sm(c) < 0)
        return true;
    if (c->record)
        ballast_client_say(&c->settings, "%s: a recording is written already; call ballast_client_record_end first", folder);
    else
        ballast_client_say(&c->settings, "%s: SM %d holds a CTA; call ballast_client_record before a kernel starts", folder, busy_sm(c));
    return false;
}

bool ballast_client_record(ballast_client *client, const char *folder, const uint32_t *sms, uint32_t num)
{
    struct client_record *r;
    bool ok;

    if (!client || !folder || (num && !sms) || !may_begin(client, folder))
        return false;
    r = calloc(1, sizeof *r);
    ok = r && (r->folder = copied(folder)) != NULL;
    if (!ok) {
        ballast_client_say(&client->settings, "%s: out of memory", folder);
        free(r);
        return false;
    }
    ok = choose(client, r, sms, num);
    for (unsigned i = 0; ok && i < FILES; i++)
        ok = open_file(client, r, i);
    if (!ok) {
        free_record(r);
        return false;
    }
    fputs(kernel_head, r->files[KER].file);
    fputs("cycle,sm,slot,event,kernel,warps_per_cta,cta\n", r->files[CTA].file);
    client->record = r;
    return true;
}

/* All of a file is on its way to the disk, or why not is said. */
static bool finish(ballast_client *c, record_file *f)
{
    const bool written = !ferror(f->file), ok = fclose(f->file) == 0 && written;

    f->file = NULL;
    if (ok)
        return true;
    remove(f->beside);
    fail(c, "cannot write (is the disk full?)");
    return false;
}

/* All or none: those that have their names already lose them again. */
static bool put_in_place(ballast_client *c)
{
    struct client_record *r = c->record;
    unsigned n = 0;

    while (n < FILES && rename(r->files[n].beside, r->files[n].path) == 0)
        n++;
    if (n == FILES)
        return true;
    for (unsigned i = 0; i < FILES; i++)
        remove(i < n ? r->files[i].path : r->files[i].beside);
    fail(c, "cannot put it in its place");
    return false;
}

static bool write_all(ballast_client *c)
{
    struct client_record *r = c->record;

    if (!r->failed && busy_sm(c) >= 0)
        fail(c, "an SM still holds a CTA; end a recording when all have finished");
    if (!r->failed && !r->records)
        fail(c, "there was no CTA on the SMs to be recorded");
    for (unsigned i = 0; i < FILES && !r->failed; i++)
        finish(c, &r->files[i]);
    if (r->failed) {
        for (unsigned i = 0; i < FILES; i++) /* those that were finished before another one failed */
            remove(r->files[i].beside);
        return false;
    }
    return put_in_place(c);
}

bool ballast_client_record_end(ballast_client *client)
{
    struct client_record *r = client ? client->record : NULL;
    bool ok;

    if (!r)
        return false;
    ok = write_all(client);
    if (ok && r->unsaid)
        ballast_client_say(&client->settings, "%s: in %llu of %llu records the simulator's own class is missing; 'ballast agree' cannot judge "
                           "these: call ballast_client_sm_class in every cycle", r->folder, (unsigned long long)r->unsaid,
                           (unsigned long long)r->records);
    client->record = NULL;
    free_record(r);
    return ok;
}
