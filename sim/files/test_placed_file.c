/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that appear as a whole: writers at once, what a killed one leaves, what stands in the way.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "files/placed_file.h"

enum { PATH = 256, TEXT = 1 << 16 };

static char folder[32], path[PATH], beside[PATH], next[PATH];
static placed_file a, b;

static int make_folder(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 && !folder[0]; i++) { /* a thousand renames a second, if there is memory to keep them in */
        snprintf(folder, sizeof folder, "%s/placed.XXXXXX", i ? "/tmp" : "/dev/shm");
        if (!mkdtemp(folder))
            folder[0] = '\0';
    }
    if (!folder[0])
        return -1;
    snprintf(path, sizeof path, "%s/x", folder);
    snprintf(beside, sizeof beside, "%s/x.tmp", folder);
    snprintf(next, sizeof next, "%s/x.1.tmp", folder);
    umask(022);
    return 0;
}

/* Names in the folder; they go. */
static unsigned empty(void)
{
    DIR *all = opendir(folder);
    const struct dirent *one;
    char name[PATH + 300];
    unsigned num = 0;

    while ((one = readdir(all)))
        if (one->d_name[0] != '.') {
            snprintf(name, sizeof name, "%s/%s", folder, one->d_name);
            assert_int_equal(remove(name), 0);
            num++;
        }
    closedir(all);
    return num;
}

static int remove_folder(void **state)
{
    (void)state;
    empty();
    return rmdir(folder);
}

static void put(const char *name, const char *text, mode_t mode)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(name, mode), 0);
}

static void expect(const char *name, const char *text, mode_t mode)
{
    char there[64] = "";
    struct stat info;
    FILE *f = fopen(name, "r");

    assert_non_null(f);
    assert_true(fread(there, 1, sizeof there - 1, f) > 0);
    fclose(f);
    assert_string_equal(there, text);
    assert_int_equal(stat(name, &info), 0);
    assert_int_equal(info.st_mode & 07777, mode);
}

TEST(the_old_file_is_there_until_the_new_one_is_whole)
{
    put(path, "old", 0600);
    assert_true(placed_open(&a, path));
    assert_string_equal(a.temporary, beside);
    fputs("new", a.file);
    expect(path, "old", 0600);
    assert_true(placed_finish(&a));
    expect(path, "old", 0600);
    expect(beside, "new", 0644);
    assert_true(placed_close(&a, true));
    expect(path, "new", 0644);
    assert_int_equal(empty(), 1);
}

TEST(what_is_not_kept_leaves_nothing_and_the_reason)
{
    put(path, "old", 0600);
    assert_true(placed_open(&a, path));
    errno = EPERM;
    assert_false(placed_close(&a, false));
    assert_int_equal(errno, EPERM);
    assert_false(placed_close(&a, true)); /* there is nothing to keep */
    expect(path, "old", 0600);
    assert_int_equal(empty(), 1);
}

TEST(the_permissions_of_a_new_file_are_those_of_any)
{
    umask(027);
    assert_true(placed_open(&a, path));
    fputs("new", a.file);
    assert_true(placed_close(&a, true));
    umask(022);
    expect(path, "new", 0640);
    empty();
}

TEST(writers_at_once_do_not_share_a_file_and_the_last_one_counts)
{
    assert_true(placed_open(&a, path));
    assert_true(placed_open(&b, path));
    assert_string_equal(b.temporary, next);
    fputs("first", a.file);
    fputs("second", b.file);
    assert_true(placed_close(&b, true));
    expect(path, "second", 0644);
    assert_true(placed_close(&a, true));
    expect(path, "first", 0644);
    assert_int_equal(empty(), 1);
}

/* In its place, but not closed yet by its writer: the name is free, the lock is not on what comes there. */
TEST(a_name_is_taken_until_the_file_is_in_its_place)
{
    assert_true(placed_open(&a, path));
    fputs("first", a.file);
    assert_true(placed_finish(&a));
    assert_true(placed_open(&b, path));
    assert_string_equal(b.temporary, next);
    assert_true(placed_close(&a, true));
    expect(path, "first", 0644);
    assert_false(placed_close(&b, false));
    assert_int_equal(empty(), 1);
}

TEST(what_a_killed_writer_left_goes)
{
    put(beside, "half of a much longer file", 0600);
    assert_true(placed_open(&a, path));
    assert_string_equal(a.temporary, beside);
    fputs("new", a.file);
    assert_true(placed_close(&a, true));
    expect(path, "new", 0644);
    assert_int_equal(empty(), 1);
}

TEST(what_is_no_left_file_stays_and_is_not_written_to)
{
    char other[PATH + 8];

    snprintf(other, sizeof other, "%s/other", folder);
    put(other, "precious", 0644);
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(kind == 0 ? symlink(other, beside) : kind == 1 ? mkfifo(beside, 0600) : mkdir(beside, 0700), 0);
        assert_true(placed_open(&a, path));
        assert_string_equal(a.temporary, next);
        fputs("new", a.file);
        assert_true(placed_close(&a, true));
        expect(path, "new", 0644);
        expect(other, "precious", 0644);
        assert_int_equal(remove(beside), 0);
    }
    assert_int_equal(empty(), 2);
}

TEST(a_change_is_made_by_one_at_a_time)
{
    put(path, "old", 0600);
    assert_true(placed_change(&a, path));
    assert_false(placed_change(&b, path));
    assert_int_equal(errno, EBUSY);
    assert_false(placed_close(&b, true));
    fputs("new", a.file);
    assert_true(placed_close(&a, true));
    expect(path, "new", 0600);
    assert_true(placed_change(&b, path));
    assert_false(placed_close(&b, false));
    assert_int_equal(empty(), 1);
    assert_false(placed_change(&a, path));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(empty(), 0);
}

TEST(a_change_through_a_link_changes_the_file)
{
    char link[PATH + 8];
    struct stat info;

    snprintf(link, sizeof link, "%s/link", folder);
    put(path, "old", 0640);
    assert_int_equal(symlink("x", link), 0);
    assert_true(placed_change(&a, link));
    fputs("new", a.file);
    assert_true(placed_close(&a, true));
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect(path, "new", 0640);
    assert_int_equal(empty(), 2);
}

TEST(two_changes_that_belong_together)
{
    char other[PATH + 8];

    snprintf(other, sizeof other, "%s/other", folder);
    for (int fails = 0; fails < 2; fails++) {
        put(path, "old", 0600);
        put(other, "old", 0600);
        assert_true(placed_change(&a, path));
        assert_true(placed_change(&b, other));
        fputs("new", a.file);
        fputs("new", b.file);
        assert_true(placed_finish(&a));
        assert_true(placed_finish(&b));
        expect(path, "old", 0600);
        expect(other, "old", 0600);
        if (fails)
            assert_int_equal(remove(a.temporary), 0);
        assert_int_equal(placed_close_both(&a, &b), !fails);
        expect(path, fails ? "old" : "new", 0600);
        expect(other, fails ? "old" : "new", 0600);
        assert_int_equal(empty(), 2);
    }
}

TEST(a_place_can_be_had_alone)
{
    assert_true(placed_reserve_alone(&a, path));
    assert_null(a.file);
    assert_false(placed_reserve_alone(&b, path));
    assert_int_equal(errno, EBUSY);
    assert_true(placed_reserve(&b, path));
    put(b.temporary, "of another program", 0644);
    assert_true(placed_close(&b, true));
    expect(path, "of another program", 0644);
    assert_false(placed_close(&a, false));
    assert_true(placed_reserve_alone(&b, path));
    assert_false(placed_close(&b, false));
    assert_int_equal(empty(), 1);
}

TEST(what_is_no_file_is_not_replaced)
{
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(placed_open(&a, path));
    assert_int_equal(errno, EISDIR);
    assert_false(placed_change(&a, path));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(empty(), 1);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(placed_open(&a, path));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(empty(), 1);
}

/* ---- processes ---------------------------------------------------------------------- */

enum { WRITERS = 4 };

/* The exit status is that of a writer who could not write. */
static void write_on(char mine, size_t size, unsigned times)
{
    static char text[TEXT];

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive a test that fails */
    memset(text, mine, sizeof text);
    for (unsigned i = 0; i < times; i++) {
        bool ok = placed_open(&a, path);

        ok = ok && fwrite(text, 1, size, a.file) == size;
        if (!placed_close(&a, ok))
            _exit(1);
    }
    _exit(0);
}

/* They come and go all the time, so that one finds what another one is just about to rename. */
TEST(writers_at_once_all_write)
{
    enum { TIMES = 6000 };
    pid_t writer[WRITERS];
    int status;

    for (unsigned i = 0; i < WRITERS; i++) {
        writer[i] = fork();
        if (writer[i] == 0)
            write_on((char)('a' + i), 1 + i, TIMES);
    }
    for (unsigned i = 0; i < WRITERS; i++) {
        assert_int_equal(waitpid(writer[i], &status, 0), writer[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(empty(), 1);
}

static void expect_whole(void)
{
    static char text[TEXT + 1];
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    assert_int_equal(fread(text, 1, sizeof text, f), TEXT);
    fclose(f);
    for (size_t i = 1; i < TEXT; i++)
        assert_int_equal(text[i], text[0]);
}

TEST(writers_at_once_that_are_killed_leave_a_whole_file)
{
    enum { KILLS = 60 };
    pid_t writer[WRITERS];
    int status;

    assert_true(placed_open(&a, path));
    for (unsigned i = 0; i < TEXT; i++)
        putc('-', a.file);
    assert_true(placed_close(&a, true));
    for (unsigned i = 0; i < KILLS + WRITERS; i++) {
        pid_t *one = &writer[i % WRITERS];

        if (i >= WRITERS) {
            usleep(3000 + i * 37);
            kill(*one, SIGKILL);
            assert_int_equal(waitpid(*one, &status, 0), *one);
            assert_true(WIFSIGNALED(status)); /* it has written all the time */
            expect_whole();
        }
        *one = i < KILLS ? fork() : -1;
        if (*one == 0)
            write_on((char)('a' + i % 26), TEXT, UINT_MAX);
    }
    assert_true(empty() <= 1 + 2 * WRITERS);
}

int main(void)
{
    return suite_run(make_folder, remove_folder);
}
