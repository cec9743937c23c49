/* SPDX-License-Identifier: Apache-2.0
 *
 * Another program: what it reads, how it ends, and that its complaints stay away.
 */
#include <stdio.h>
#include <unistd.h>

#include "engine/suite_fixture.h"
#include "files/run_quietly.h"

static int shell(const char *line, FILE *input)
{
    char *const words[] = {"sh", "-c", (char *)line, NULL};

    return run_quietly(words, input);
}

TEST(how_a_program_ends_is_told)
{
    char *const none[] = {"no-such-program", NULL};

    assert_int_equal(shell("exit 0", NULL), 0);
    assert_int_equal(shell("exit 3", NULL), 3);
    assert_int_equal(shell("kill -9 $$", NULL), NOT_ENDED);
    assert_int_equal(run_quietly(none, NULL), NOT_STARTED);
}

TEST(it_reads_the_file_from_its_beginning)
{
    FILE *input = tmpfile();

    fputs("first\nlast\n", input);
    fflush(input);
    assert_int_equal(shell("read line && [ \"$line\" = first ]", input), 0);
    assert_int_equal(shell("read line && [ \"$line\" = first ]", input), 0); /* once more */
    fclose(input);
}

TEST(its_complaints_go_nowhere)
{
    FILE *heard = tmpfile();
    const int before = dup(STDERR_FILENO);

    dup2(fileno(heard), STDERR_FILENO);
    assert_int_equal(shell("echo no >&2", NULL), 0);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_int_equal(fseek(heard, 0, SEEK_END), 0);
    assert_int_equal(ftell(heard), 0);
    fclose(heard);
}
