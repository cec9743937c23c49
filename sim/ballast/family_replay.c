/* SPDX-License-Identifier: Apache-2.0 */
#include "ballast/family_replay.h"

#include <stdio.h>
#include <string.h>

#include "ballast/commands.h"
#include "ballast/explained.h"
#include "ballast/table.h"

int family_replay(const replay_options *replay, const char *const *paths, unsigned num_paths,
                  const family_options *options, const char *name, session_result *result)
{
    char prefix[4096], wave_path[4096 + 8];
    session_result own;
    session_options session;
    trace_err err = {.text = ""};
    family *f = family_open(paths, num_paths, options, &err);
    stimulus s;

    if (result)
        memset(result, 0, sizeof *result);
    if (!f) {
        fprintf(stderr, "ballast: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    snprintf(prefix, sizeof prefix, "%s/%s.sm%u", replay->out, name, options->sm);
    replay_session_options(replay, options->sm, family_meta(f), prefix, wave_path, sizeof wave_path,
                           &session);
    session.explain_prefix = explain_prefix(prefix);
    s = family_stimulus(f);
    session_run(&session, &s, &own);
    table_row(stdout, name, "family", &session, &own);
    if (replay->print_log && own.log) {
        fputs(own.log, stdout);
        if (own.verdict == SESSION_PASS)
            printf("%u passes over the kernel, %llu changes of recording%s\n", family_laps(f),
                   (unsigned long long)family_moves(f),
                   own.converged ? "" : "; not converged, allow more with --max-laps");
    }
    print_failure(&session, &own);
    family_close(f);
    if (result)
        *result = own;
    else
        session_result_free(&own);
    return replay_exit_status(own.verdict);
}
