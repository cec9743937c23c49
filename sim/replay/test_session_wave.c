/* SPDX-License-Identifier: Apache-2.0
 *
 * The waveforms that a session writes, read back: values, and the names of states.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fstapi.h"
#include "replay/session_fixture.h"

/* ---- waveforms ------------------------------------------------------------------------- */

enum { MAX_STEPS = 64, STATE_NAMES = 8 };

typedef struct wave_content {
    void *fst;
    fstHandle limit_rtl, limit_model, state_rtl;
    unsigned state_names; /* of perfsat's states, found in a table of names */
    struct {
        uint64_t time;
        uint64_t value;
    } step[2][MAX_STEPS]; /* of limit_q, model and RTL */
    unsigned steps[2];
} wave_content;

static void note_variable(wave_content *c, const char *scope, const struct fstHierVar *var)
{
    char name[512];

    snprintf(name, sizeof name, "%s.%s", scope, var->name);
    if (!strcmp(name, "SM0.perfsat.rtl.limit_q"))
        c->limit_rtl = var->handle;
    else if (!strcmp(name, "SM0.perfsat.model.limit_q"))
        c->limit_model = var->handle;
    else if (!strcmp(name, "SM0.perfsat.rtl.state_q"))
        c->state_rtl = var->handle;
}

/* A table of names reads "<name> <count> <names> <values>". */
static void note_names(wave_content *c, const char *table)
{
    static const char *const states[STATE_NAMES] = {"StWait",      "StMeasure", "StFirst",     "StWeakInc",
                                                    "StStrongInc", "StWeakDec", "StStrongDec", "StDone"};
    struct fstETab *names = fstUtilityExtractEnumTableFromString(table);

    assert_non_null(names);
    if (!strcmp(names->name, "state_names")) {
        assert_int_equal(names->elem_count, STATE_NAMES);
        for (unsigned i = 0; i < STATE_NAMES; i++) {
            assert_string_equal(names->literal_arr[i], states[i]);
            assert_int_equal(strtoul(names->val_arr[i], NULL, 2), i);
        }
        c->state_names = names->elem_count;
    }
    fstUtilityFreeEnumTable(names);
}

static void read_hierarchy(wave_content *c)
{
    const char *scope = "";
    struct fstHier *h;

    while ((h = fstReaderIterateHier(c->fst))) {
        if (h->htyp == FST_HT_SCOPE)
            scope = fstReaderPushScope(c->fst, h->u.scope.name, NULL);
        else if (h->htyp == FST_HT_UPSCOPE)
            scope = fstReaderPopScope(c->fst);
        else if (h->htyp == FST_HT_VAR)
            note_variable(c, scope, &h->u.var);
        else if (h->htyp == FST_HT_ATTRBEGIN && h->u.attr.subtype == FST_MT_ENUMTABLE && h->u.attr.name_length)
            note_names(c, h->u.attr.name);
    }
}

static void on_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    wave_content *c = user;
    const int side = handle == c->limit_rtl;

    if (handle != c->limit_rtl && handle != c->limit_model)
        return;
    assert_true(c->steps[side] < MAX_STEPS);
    c->step[side][c->steps[side]].time = time;
    c->step[side][c->steps[side]++].value = strtoul((const char *)value, NULL, 2);
}

static void read_wave(wave_content *c, const char *path)
{
    *c = (wave_content){.fst = fstReaderOpen(path)};
    if (!c->fst)
        fail_msg("%s cannot be read back", path);
    read_hierarchy(c);
    assert_true(c->limit_rtl && c->limit_model && c->state_rtl);
    fstReaderSetFacProcessMaskAll(c->fst);
    assert_int_equal(fstReaderIterBlocks(c->fst, on_change, c, NULL), 1);
}

/* limit_q of both sides is what the log says: unset until the first decision, then its steps. */
static void expect_limits(const wave_content *c)
{
    for (int side = 0; side < 2; side++) {
        assert_int_equal(c->steps[side], 1 + session.result.tracks[0].num_points);
        assert_int_equal(c->step[side][0].time, 0);
        assert_int_equal(c->step[side][0].value, 0);
        for (unsigned i = 0; i < session.result.tracks[0].num_points; i++) {
            /* Cycles of the run count from 1, times from 0. */
            assert_int_equal(c->step[side][i + 1].time, session.result.tracks[0].points[i].cycle - 1);
            assert_int_equal(c->step[side][i + 1].value, session.result.tracks[0].points[i].value);
        }
    }
}

SESSION_TEST(a_waveform_can_be_read_back)
{
    wave_content c;

    session.options.wave_path = session.wave;
    run();
    expect_pass(trace_get_sm(session.reader, 0)->cycles);
    assert_int_equal(files_with(".tmp"), 0);
    read_wave(&c, session.wave);
    expect_limits(&c);
    assert_int_equal(c.state_names, STATE_NAMES);
    assert_int_equal(fstReaderGetEndTime(c.fst), session.result.cycles);
    fstReaderClose(c.fst);
}
