/* SPDX-License-Identifier: Apache-2.0
 *
 * `ballast import-folder`: all raw recordings of a folder, and a manifest of what is there.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/import_options.h"
#include "cli/manifest.h"
#include "cli/say.h"
#include "recording/csv.h"
#include "files/placed_file.h"
#include "recording/sha256.h"
#include "replay/interrupt.h"
#include "files/out_dir.h"
#include "replay/progress.h"

enum { FOLDER_PATH = 4096 };

typedef struct folder_command {
    import_command import;
    const char *out, *programs;
    placed_file manifest;
    unsigned num;
    int status;
} folder_command;

static const option_row rows[] = {
    {"out", 'o', "DIR", "Where the recordings and MANIFEST.csv go", MEMBER(folder_command, out)},
    {"programs", 0, "FILE.csv", "What the kernels are: columns kernel, program (in words) and grid_x (CTAs in a row of a 2-D grid; may be left out)", MEMBER(folder_command, programs)},
    {"config", 'c', "TEXT", "Simulated configuration, for all", MEMBER(folder_command, import.how.config)},
    {"recorder", 'r', "TEXT", "Program and version that recorded them", MEMBER(folder_command, import.how.recorder)},
    IMPORT_FORMAT_ROW, IMPORT_GAP_ROW, IMPORT_MACHINE_ROWS, {0}};

static void check(void *user, arguments *given, const struct argp_state *state)
{
    (void)given;
    if (!((const folder_command *)user)->out)
        argp_failure(state, EXIT_USAGE, 0, "no --out");
}

/* "n3" */
static bool is_limit(const char *name, uint8_t *limit)
{
    unsigned long value;
    char *end;

    if (name[0] != 'n' || name[1] < '1' || name[1] > '9')
        return false;
    value = strtoul(name + 1, &end, 10);
    if (*end || value > BALLAST_MAX_SLOTS)
        return false;
    *limit = (uint8_t)value;
    return true;
}

static const char *base_of(const char *path, size_t length)
{
    const char *slash = memrchr(path, '/', length);

    return slash ? slash + 1 : path;
}

bool raw_folder_name(const char *path, char name[RAW_NAME], char kernel[RAW_NAME], uint8_t *limit)
{
    const char *base = base_of(path, strlen(path)), *n;

    snprintf(name, RAW_NAME, "%s", base);
    if (is_limit(base, limit) && base > path) {
        const char *folder = base_of(path, (size_t)(base - 1 - path));

        snprintf(kernel, RAW_NAME, "%.*s", (int)(base - 1 - folder), folder);
        return kernel[0] && snprintf(name, RAW_NAME, "%s.%s", kernel, base) < RAW_NAME;
    }
    n = strrchr(name, '.');
    if (!n || n == name || !is_limit(n + 1, limit))
        return false;
    snprintf(kernel, RAW_NAME, "%.*s", (int)(n - name), name);
    return true;
}

typedef struct program {
    char words[MANIFEST_TEXT];
    uint32_t grid_x;
} program;

static bool take_program(const csv *file, program *p, trace_err *err)
{
    enum { PROGRAM = 1, GRID_X = 2 };
    uint64_t grid_x = 0;

    if (csv_text(file, GRID_X)[0] && !csv_number(file, GRID_X, UINT32_MAX, &grid_x, err))
        return false;
    snprintf(p->words, sizeof p->words, "%s", csv_text(file, PROGRAM));
    p->grid_x = (uint32_t)grid_x;
    return true;
}

/* Nothing if the file does not name the kernel, or there is no file. False with one line. */
static bool program_of(const folder_command *command, const char *kernel, program *p)
{
    static const char *const columns[] = {"kernel", "program", "grid_x"};
    trace_err err = {.text = ""};
    csv file;

    *p = (program){.grid_x = 0};
    if (!command->programs)
        return true;
    if (csv_open(&file, command->programs, columns, 2, 3, &err)) {
        while (csv_row(&file, &err))
            if (!strcmp(csv_text(&file, 0), kernel) && !take_program(&file, p, &err))
                break;
        csv_close(&file);
    }
    return !err.text[0] || (complain("%s", err.text), false);
}

static bool put_row(folder_command *command, const char *path, const char *kernel, const program *what)
{
    char sum[SHA256_TEXT];
    FILE *f = command->manifest.file;
    trace_err err = {.text = ""};
    trace_reader *r = trace_open(path, NULL, &err);
    const trace_meta *meta = r ? trace_get_meta(r) : NULL;
    uint64_t cycles = 0;
    const char *texts[5];

    if (!r)
        return complain("%s", err.text), false;
    if (!sha256_file(path, sum)) {
        trace_close(r);
        return complain("%s: no row in the manifest", path), false;
    }
    texts[0] = strrchr(path, '/') + 1;
    texts[1] = kernel;
    texts[2] = what->words;
    texts[3] = meta->config;
    texts[4] = meta->recorder;
    for (unsigned i = 0; i < 5; i++) {
        csv_put(f, texts[i]);
        putc(',', f);
    }
    fprintf(f, "%u,", meta->config_limit);
    for (unsigned i = 0; i < trace_num_sms(r); i++) {
        fprintf(f, "%s%u", i ? " " : "", trace_get_sm(r, i)->sm);
        cycles += trace_get_sm(r, i)->cycles;
    }
    fprintf(f, ",%llu,%u,%s\n", (unsigned long long)cycles, meta->num_launches, sum);
    trace_close(r);
    command->num++;
    return true;
}

static void import_one(folder_command *command, const char *dir)
{
    char name[RAW_NAME], kernel[RAW_NAME], path[FOLDER_PATH];
    raw_import_options how = command->import.how;
    trace_err err = {.text = ""};
    program what;

    if (!raw_folder_name(dir, name, kernel, &how.config_limit)) {
        command->status = complain("%s: left out; a recording's folder is named KERNEL.nLIMIT or KERNEL/nLIMIT, e.g. pathlong.n3", dir);
        return;
    }
    if (!program_of(command, kernel, &what)) {
        command->status = EXIT_BAD_INPUT;
        return;
    }
    snprintf(path, sizeof path, "%s/%s.blt", command->out, name);
    how.dir = dir;
    how.grid_x = what.grid_x;
    how.kernel = kernel;
    how.out_path = path;
    how.context = &how;
    if (!raw_import(&how, &err))
        command->status = complain("%s", err.text);
    else if (!put_row(command, path, kernel, &what))
        command->status = EXIT_BAD_INPUT;
    progress_clear();
}

typedef void folder_fn(folder_command *command, const char *dir);

/* n2 before n12 */
static int by_number(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* How many folders `pattern` names. */
static size_t each_folder(folder_command *command, folder_fn *visit, const char *dir, const char *pattern)
{
    char path[FOLDER_PATH];
    glob_t found = {.gl_pathc = 0};
    struct stat info;
    size_t folders = 0;

    snprintf(path, sizeof path, "%s/%s", dir, pattern);
    if (glob(path, GLOB_NOSORT, NULL, &found) == 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_number);
        for (size_t i = 0; i < found.gl_pathc && !interrupted; i++)
            if (stat(found.gl_pathv[i], &info) == 0 && S_ISDIR(info.st_mode)) {
                folders++;
                visit(command, found.gl_pathv[i]);
            }
    }
    globfree(&found);
    return folders;
}

/* A recording, or a kernel's folder with one at each limit. */
static void import_either(folder_command *command, const char *dir)
{
    char name[RAW_NAME], kernel[RAW_NAME];
    uint8_t limit;

    if (raw_folder_name(dir, name, kernel, &limit) || !each_folder(command, import_one, dir, "n[1-9]*"))
        import_one(command, dir);
}

static int end(folder_command *command, const char *dir)
{
    const bool keep = command->num && !interrupted;

    if (!placed_close(&command->manifest, keep) && keep)
        return complain("%s: cannot write (%m)", command->manifest.path);
    if (interrupted)
        return EXIT_STOPPED;
    if (!command->num)
        return command->status ? command->status : complain("%s: no recording in it", dir);
    printf("%s: %u recordings\n", command->manifest.path, command->num);
    return command->status;
}

int cmd_import_folder(int argc, char **argv)
{
    static const command_line line = {
        .examples = {"import-folder --out vectors recordings"},
        .rows = rows, .check = check, .args_doc = "DIR", .file = "folder", .example = "recordings", .most = 1,
        .doc = "Converts all raw recordings of a folder, one sub-folder KERNEL.nLIMIT or KERNEL/nLIMIT each, and writes a manifest of them."};
    static folder_command command;
    char path[FOLDER_PATH + 16], err[OUT_DIR_ERR];
    arguments files;

    import_prepare(&command.import);
    files = command_parse(&line, argc, argv, &command);
    interrupt_install();
    snprintf(path, sizeof path, "%s/MANIFEST.csv", command.out);
    if (!out_dir_take(command.out, err))
        return complain("%s", err);
    if (!placed_open(&command.manifest, path))
        return complain("%s: cannot write (%m)", path);
    fprintf(command.manifest.file, "file,kernel,program,configuration,recorder,limit,sms,cycles,launches,sha256\n");
    each_folder(&command, import_either, files.file[0], "*");
    return end(&command, files.file[0]);
}
