/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/side_by_side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "gpu/parallel.h"
#include "replay/interrupt.h"

enum { SAID, COPY, CSV, COMPLAINTS, TEXTS, /* what a replay leaves: for the terminal, for the table's files, for complain */
       PATH = 4096 + 32 };

/* In memory that the processes share. */
struct side_answer {
    bool over;   /* its process has ended        */
    bool played; /* and had said all             */
    int lost;    /* errno: why that is not so    */
    int status;
    table counts;
    size_t size[TEXTS]; /* in its file, one after the other */
    session_point points[SESSION_MAX_TRACKS][SESSION_MAX_POINTS];
};

typedef struct side_run {
    const side_by_side *side;
    side_replay replay;
    void *user;
    table *table;
    unsigned said; /* the first so many have said what they have to say */
    int status;
} side_run;

bool side_open(side_by_side *s, unsigned num, unsigned jobs, const char *scratch)
{
    *s = (side_by_side){.num = num, .jobs = jobs, .scratch = scratch};
    s->answers = parallel_shared(num * sizeof *s->answers);
    if (num && !s->answers)
        complain("out of memory for %u replays", num);
    return !num || s->answers;
}

void side_close(side_by_side *s)
{
    parallel_unshare(s->answers, s->num * sizeof *s->answers);
    s->answers = NULL;
}

void side_keep(side_answer *answer, session_result *result)
{
    for (unsigned t = 0; t < result->num_tracks; t++) {
        session_track *track = &result->tracks[t];

        memcpy(answer->points[t], track->points, track->num_points * sizeof *track->points);
        free(track->points);
        track->points = answer->points[t];
    }
    free(result->log);
    wave_marks_free(&result->marks);
    result->log = NULL;
}

/* ---- in the replay's process ---------------------------------------------------------- */

static void text_path(const side_by_side *s, unsigned index, char path[PATH])
{
    snprintf(path, PATH, "%s/.replay%u", s->scratch, index);
}

static bool save_texts(const char *path, char *const *text, const size_t *size)
{
    FILE *f = fopen(path, "w");
    bool ok = f != NULL;

    for (unsigned i = 0; ok && i < TEXTS; i++)
        ok = fwrite(text[i], 1, size[i], f) == size[i];
    return (!f || fclose(f) == 0) && ok;
}

static bool play_one(void *user, unsigned index)
{
    const side_run *run = user;
    side_answer *answer = &run->side->answers[index];
    FILE *const terminal = stdout;
    char *text[TEXTS] = {NULL}, path[PATH];
    FILE *f[TEXTS];
    bool ok = true;

    for (unsigned i = 0; i < TEXTS; i++)
        ok = (f[i] = open_memstream(&text[i], &answer->size[i])) && ok;
    if (ok) {
        stdout = f[SAID];
        complain_into(f[COMPLAINTS]);
        answer->counts = (table){.copy = f[COPY], .csv = f[CSV], .headed = true, .silent = run->table->silent};
        answer->status = run->replay(run->user, index, &answer->counts, answer);
        complain_into(NULL);
        stdout = terminal;
    }
    for (unsigned i = 0; i < TEXTS; i++)
        ok = (!f[i] || fclose(f[i]) == 0) && ok;
    text_path(run->side, index, path);
    answer->played = ok && save_texts(path, text, answer->size);
    answer->lost = answer->played ? 0 : errno;
    return answer->played;
}

/* ---- in their order ------------------------------------------------------------------- */

static bool copy_text(FILE *from, size_t size, FILE *to)
{
    char bytes[4096];

    for (size_t n; size; size -= n) {
        n = fread(bytes, 1, size < sizeof bytes ? size : sizeof bytes, from);
        if (!n)
            return false;
        if (to)
            fwrite(bytes, 1, n, to);
    }
    return true;
}

/* Line by line: what another replay has said, too, is said once. */
static bool complain_again(FILE *from, size_t size)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;

    while (size && (length = getline(&line, &room, from)) > 0 && (size_t)length <= size) {
        complain("%.*s", (int)length - (line[length - 1] == '\n'), line);
        size -= (size_t)length;
    }
    free(line);
    return size == 0;
}

/* The rows and what was printed. */
static void say(side_run *run, unsigned index)
{
    const side_answer *answer = &run->side->answers[index];
    FILE *const to[] = {[SAID] = stdout, [COPY] = run->table->copy, [CSV] = run->table->csv};
    char path[PATH];
    FILE *f;
    bool ok;

    run->status = worse(run->status, answer->played ? answer->status : EXIT_BAD_INPUT);
    if (answer->lost)
        complain("%s: cannot write what a replay says (%s)", run->side->scratch, strerror(answer->lost));
    text_path(run->side, index, path);
    f = answer->played ? fopen(path, "r") : NULL;
    ok = f || !answer->played;
    if (f && answer->counts.rows)
        table_head(run->table);
    for (unsigned i = 0; f && ok && i < COMPLAINTS; i++)
        ok = copy_text(f, answer->size[i], to[i]);
    fflush(stdout);
    ok = ok && (!f || complain_again(f, answer->size[COMPLAINTS]));
    if (f)
        fclose(f);
    if (!ok)
        run->status = worse(run->status, complain("%s: cannot read (%m)", path));
    else if (f)
        table_count(run->table, &answer->counts);
    unlink(path);
}

static bool one_over(void *user, const parallel_end *end)
{
    side_run *run = user;

    run->side->answers[end->index].over = true;
    if (WIFSIGNALED(end->status))
        complain("replay %u of %u was ended by signal %d (%s)", end->index + 1, run->side->num, WTERMSIG(end->status),
                 strsignal(WTERMSIG(end->status)));
    while (run->said < run->side->num && run->side->answers[run->said].over)
        say(run, run->said++);
    return run->status != EXIT_STOPPED;
}

int side_play(side_by_side *s, side_replay replay, void *user, table *t)
{
    side_run run = {.side = s, .replay = replay, .user = user, .table = t, .status = EXIT_PASS};
    const bool ok = parallel(s->num, s->jobs, play_one, one_over, &run);

    if (interrupted && run.status != EXIT_STOPPED) { /* between two replays */
        complain("stopped by a signal");
        run.status = EXIT_STOPPED;
    } else if (!ok && run.status != EXIT_STOPPED) {
        run.status = worse(run.status, complain("cannot start a process for a replay (%m)"));
    }
    return run.status;
}
