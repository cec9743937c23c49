/* SPDX-License-Identifier: Apache-2.0
 *
 * What software sets has one default: that of the library is that of the port list, and that of the registers after reset.
 */
#include <stdlib.h>
#include <string.h>

#include "chip/ballast_regs.h"
#include "chip/chip_governor.h"
#include "chip/limit_table.h"
#include "chip/vf_scout.h"
#include "engine/lockstep.h"
#include "engine/suite_fixture.h"
#include "sm/scout.h"
#include "sm/warp_scheduler.h"

enum { ROOM = sizeof(chip_governor_in) };

/* Of the blocks for which zeroes would be wrong. */
static bool library_default(const char *name, void *in)
{
#define OF(b)                                 \
    if (!strcmp(name, #b)) {                  \
        const b##_in value = b##_in_default(); \
        memcpy(in, &value, sizeof value);     \
        return true;                          \
    }
    OF(perfsat) OF(lcs) OF(eq_counters) OF(cta_throttle) OF(warp_scheduler) OF(dyncta) OF(scout) OF(limit_table)
    OF(vf_scout) OF(sm_governor) OF(chip_governor)
    return false;
}

/* In a replay the governors' policy is Equalizer when nobody says another, so that there is something to see. In the library, as in
 * the registers, nothing throttles until somebody wants it. */
static void as_the_library_has_it(const char *name, void *in)
{
    if (!strcmp(name, "sm_governor"))
        ((sm_governor_in *)in)->policy = BALLAST_POLICY_STATIC;
    else if (!strcmp(name, "chip_governor"))
        ((chip_governor_in *)in)->policy = BALLAST_POLICY_STATIC;
}

/* Pins of a bus, what other blocks say, and which half of a pair `gwde` is at: nobody sets them once for a run. */
static bool is_no_software(const char *name)
{
    static const char *const names[] = {"ballast_chip", "ballast_regs", "bcs"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static void compare(const block *b, const void *listed, const void *library)
{
    static lockstep_values cfg;
    port_list ports = {.num = 0};
    char bad[BLOCK_TEXT];

    b->model->configure(&cfg, b->params, bad, sizeof bad);
    b->model->list_ports(&cfg, &ports);
    for (unsigned i = 0; i < ports.num; i++)
        if (ports.ports[i].setting && block_port_get(&ports.ports[i], listed) != block_port_get(&ports.ports[i], library))
            fail_msg("%s: the library's default of %s is not that of its port list", b->name, ports.ports[i].name);
    port_list_free(&ports);
}

TEST(the_librarys_defaults_are_those_of_the_port_lists)
{
    static unsigned char listed[ROOM], library[ROOM];
    unsigned compared = 0;

    for (const block *const *b = block_registry; *b; b++) {
        const char *name = (*b)->model->block_name;

        memset(listed, 0, ROOM);
        memset(library, 0, ROOM);
        (*b)->model->defaults(listed);
        as_the_library_has_it(name, listed);
        compared += library_default(name, library);
        if (!is_no_software(name))
            compare(*b, listed, library);
    }
    assert_true(compared >= 8);
}

TEST(registers_after_reset_have_the_librarys_defaults)
{
    const ballast_regs_cfg cfg = ballast_regs_cfg_default();
    const sm_governor_in sm = sm_governor_in_default();
    static chip_governor_in chip;
    static ballast_regs_state regs;

    chip = chip_governor_in_default();
    ballast_regs_reset(&regs, &cfg);
    assert_int_equal(regs.policy, chip.policy);
    assert_int_equal(regs.static_limit, chip.static_limit);
    assert_int_equal(regs.t_idle, chip.t_idle);
    assert_int_equal(regs.t_mem_l, chip.t_mem_l);
    assert_int_equal(regs.t_mem_h, chip.t_mem_h);
    assert_int_equal(regs.mode, chip.mode);
    assert_int_equal(sm.policy, chip.policy);
    assert_int_equal(sm.t_idle, chip.t_idle);
    assert_int_equal(sm.t_mem_l, chip.t_mem_l);
    assert_int_equal(sm.t_mem_h, chip.t_mem_h);
}

/* A caller may have allocated fewer SMs than there can be. */
TEST(nothing_is_written_from_the_first_sm_on)
{
    chip_governor_in *in = malloc(sizeof *in);
    const unsigned char *sms;

    assert_non_null(in);
    memset(in, 0xff, sizeof *in);
    chip_governor_set_defaults(in);
    assert_int_equal(in->policy, BALLAST_POLICY_STATIC);
    assert_int_equal(in->static_limit, 0);
    assert_int_equal(in->t_idle, 16);
    assert_int_equal(in->mode, BALLAST_VF_PERFORMANCE);
    sms = (const unsigned char *)in->sm;
    for (size_t i = 0; i < sizeof in->sm; i++)
        assert_int_equal(sms[i], 0xff);
    free(in);
}
