// SPDX-License-Identifier: Apache-2.0
#include "standin_bench.h"

#include <algorithm>
#include <cstdio>

#include "ballast_gpgpusim.h"
#include "shader.h"

namespace {

// Registers of each warp. The first ones are loaded and computed in turn, so that what is known of them must change.
enum { CHANGING = 4, SHORT_ONLY = 9, REGISTERS = 10 };
enum { SCHEDULERS = 2, KERNELS = 3, WARPS = 64 };
enum { SP, DP, SFU, INTEGER, TENSOR, SPECIAL, ALU_PIPES };

struct lab_sm {
    shader_core_ctx core;
    shd_warp_t warps[WARPS];
    warp_inst_t next[WARPS];
    Scoreboard board;
    bool is_long[WARPS][REGISTERS]; // what reserved the register last
};

shader_core_config config;
std::vector<lab_sm> sms;
kernel_info_t kernels[KERNELS];
char fault[200];
unsigned odd; // pipe of this cycle

void blame(const char *what, unsigned sm, unsigned warp)
{
    if (!fault[0])
        snprintf(fault, sizeof fault, "SM %u, warp %u: %s", sm, warp, what);
}

unsigned below(uint64_t *seed, unsigned n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

bool is_issue(unsigned state)
{
    return state == BALLAST_WARP_ISSUED_ALU || state == BALLAST_WARP_ISSUED_MEM;
}

bool is_blocked(unsigned state)
{
    return state == BALLAST_WARP_ALU_BLOCKED || state == BALLAST_WARP_MEM_BLOCKED;
}

int any_of(uint64_t *seed, std::initializer_list<int> of)
{
    return of.begin()[below(seed, (unsigned)of.size())];
}

// ---- what makes a warp have a state ---------------------------------------------------------------------------------------------

void wait_for(lab_sm &sm, unsigned w, unsigned reg, uint64_t *seed)
{
    warp_inst_t &inst = sm.next[w];

    sm.board.pending[w] |= 1u << reg;
    switch (below(seed, 5)) {
    case 0: inst.pred = (int)reg; break;
    case 1: inst.ar1 = (int)reg; break;
    case 2: inst.ar2 = (int)reg; break;
    case 3: inst.out[inst.outcount++] = reg; break;
    default: inst.in[inst.incount++] = reg; break;
    }
}

void wait_for_load(lab_sm &sm, unsigned w, uint64_t *seed)
{
    unsigned reg = 1 + below(seed, CHANGING);

    for (unsigned tries = 0; tries < CHANGING && !sm.is_long[w][reg]; tries++)
        reg = reg % CHANGING + 1;
    if (!sm.is_long[w][reg])
        return blame("waits for memory, but has loaded nothing", sm.core.sid, w);
    wait_for(sm, w, reg, seed);
    if (below(seed, 2)) { // for an ALU as well
        sm.board.pending[w] |= 1u << SHORT_ONLY;
        sm.next[w].in[sm.next[w].incount++] = SHORT_ONLY;
    }
}

// Also of a register that was loaded before. It may read loaded registers that are there, and others may be under way that it does not need.
void wait_for_alu(lab_sm &sm, unsigned w, uint64_t *seed)
{
    const unsigned reg = 1 + below(seed, CHANGING), other = 1 + below(seed, CHANGING);

    wait_for(sm, w, sm.is_long[w][reg] ? (unsigned)SHORT_ONLY : reg, seed);
    if (other != reg && below(seed, 2))
        sm.board.pending[w] |= 1u << other;
    else
        sm.next[w].in[sm.next[w].incount++] = sm.board.pending[w] >> other & 1 ? (unsigned)SHORT_ONLY : other;
}

void no_instruction(shd_warp_t &warp, warp_inst_t &inst, uint64_t *seed)
{
    switch (below(seed, 4)) {
    case 0: warp.exited = warp.held = true; break;
    case 1: warp.top_pc = inst.pc + 8; break;
    case 2:
        inst.m_is_cdp = 1;
        warp.m_cdp_latency = 3;
        break;
    default: warp.next = NULL; break;
    }
}

// The pipes of scheduler 0 have room, but for the odd one; of those of scheduler 1 only that one has. Every pipe is odd at times.
int alu_op(bool room, bool first, uint64_t *seed)
{
    switch (room == first ? (odd + 1 + below(seed, ALU_PIPES - 1)) % ALU_PIPES : odd) {
    case SP: return SP_OP;
    case DP: return DP_OP;
    case SFU: return SFU_OP;
    case TENSOR: return TENSOR_CORE_OP;
    case SPECIAL: return SPEC_UNIT_START_ID;
    default: return any_of(seed, {ALU_OP, INTP_OP, ALU_SFU_OP, BRANCH_OP, BARRIER_OP});
    }
}

int memory_op(uint64_t *seed)
{
    return any_of(seed, {LOAD_OP, STORE_OP, MEMORY_BARRIER_OP, TENSOR_CORE_LOAD_OP, TENSOR_CORE_STORE_OP});
}

void make_ready(lab_sm &sm, unsigned w, unsigned state, bool first, uint64_t *seed)
{
    const bool memory = state == BALLAST_WARP_MEM_LOST || state == BALLAST_WARP_MEM_BLOCKED || state == BALLAST_WARP_ISSUED_MEM;

    sm.next[w].op = memory ? memory_op(seed) : alu_op(!is_blocked(state), first, seed);
    if (below(seed, 2))
        sm.board.pending[w] |= 2u << below(seed, CHANGING); // which it does not need
}

void make_state(lab_sm &sm, unsigned w, unsigned state, bool first, uint64_t *seed)
{
    shd_warp_t &warp = sm.warps[w];

    sm.next[w] = warp_inst_t();
    sm.next[w].pc = below(seed, 1000) * 8;
    sm.board.pending[w] = 0;
    warp = {w, sm.next[w].pc, state != BALLAST_WARP_EMPTY, false, false, &sm.next[w], 0};
    switch (state) {
    case BALLAST_WARP_EMPTY: break;
    case BALLAST_WARP_BARRIER: warp.held = true; break;
    case BALLAST_WARP_NO_INST: no_instruction(warp, sm.next[w], seed); break;
    case BALLAST_WARP_WAIT_ALU: wait_for_alu(sm, w, seed); break;
    case BALLAST_WARP_WAIT_MEM: wait_for_load(sm, w, seed); break;
    default: make_ready(sm, w, state, first, seed); break;
    }
}

// ---- an instruction that is issued ----------------------------------------------------------------------------------------------

warp_inst_t load(lab_sm &sm, unsigned w, uint64_t *seed)
{
    const unsigned reg = 1 + below(seed, CHANGING);
    warp_inst_t inst;

    inst.op = any_of(seed, {LOAD_OP, TENSOR_CORE_LOAD_OP});
    inst.space.type = any_of(seed, {global_space, local_space, param_space_kernel, param_space_local, param_space_unclassified, tex_space});
    inst.out[inst.outcount++] = reg;
    sm.is_long[w][reg] = true;
    return inst;
}

bool has_loaded(const lab_sm &sm, unsigned w, unsigned but)
{
    for (unsigned reg = 1; reg <= CHANGING; reg++)
        if (reg != but && sm.is_long[w][reg])
            return true;
    return false;
}

// Writes a register, which is then no loaded one any more; but a warp keeps one that is.
warp_inst_t quick(lab_sm &sm, unsigned w, int op, int space, uint64_t *seed)
{
    const unsigned reg = 1 + below(seed, CHANGING);
    warp_inst_t inst;

    inst.op = op;
    inst.space.type = space;
    if (!has_loaded(sm, w, reg))
        return inst;
    inst.out[inst.outcount++] = reg;
    sm.is_long[w][reg] = false;
    return inst;
}

warp_inst_t issued_inst(lab_sm &sm, unsigned w, bool to_memory, uint64_t *seed)
{
    if (to_memory && has_loaded(sm, w, 0) && below(seed, 4) == 0)
        return quick(sm, w, LOAD_OP, any_of(seed, {shared_space, const_space}), seed);
    return to_memory ? load(sm, w, seed) : quick(sm, w, alu_op(true, true, seed), global_space, seed);
}

// ---- a scheduler ----------------------------------------------------------------------------------------------------------------

struct pipes {
    register_set alu[ALU_PIPES], memory;
};

scheduler_unit scheduler_of(lab_sm &sm, pipes &p, unsigned number)
{
    scheduler_unit s;

    s.m_shader = &sm.core;
    s.m_scoreboard = &sm.board;
    s.m_sp_out = &p.alu[SP];
    s.m_dp_out = &p.alu[DP];
    s.m_sfu_out = &p.alu[SFU];
    s.m_int_out = &p.alu[INTEGER];
    s.m_tensor_core_out = &p.alu[TENSOR];
    s.m_spec_cores_out.assign(1, &p.alu[SPECIAL]);
    s.m_mem_out = &p.memory;
    s.m_id = (int)number;
    for (unsigned pipe = 0; pipe < ALU_PIPES; pipe++)
        p.alu[pipe].room[pipe == odd ? 0 : 1] = false;
    p.memory.room[1] = false;
    return s;
}

// A warp that is paused comes last with a soft pause, and is passed over with another.
void judge_pauses(const scheduler_unit &s, unsigned sm, const uint8_t *states)
{
    const ballast_client_decision todo = ballast_decision(sm);
    bool late = false;

    for (const shd_warp_t *warp : s.m_next_cycle_prioritized_warps) {
        const bool paused = todo.paused_warps >> warp->id & 1;

        if (ballast_is_paused(sms[sm].core, warp->id) != (paused && !todo.pause_soft))
            blame("is passed over, or is not", sm, warp->id);
        if (!paused && late && todo.pause_soft && warp->there)
            blame("comes behind a paused one", sm, warp->id);
        if (ballast_is_paused(sms[sm].core, warp->id) && is_issue(states[warp->id]))
            blame("is paused and issues", sm, warp->id);
        late |= paused && warp->there;
    }
    if (s.m_next_cycle_prioritized_warps.size() != s.m_supervised_warps.size())
        blame("warps are lost, up to", sm, (unsigned)s.m_next_cycle_prioritized_warps.size());
}

void run(scheduler_unit &s, lab_sm &sm, const uint8_t *states, uint64_t *seed)
{
    bool valid = false, ready = false, issued = false;

    s.m_next_cycle_prioritized_warps = s.m_supervised_warps;
    s.ballast_look();
    judge_pauses(s, sm.core.sid, states);
    for (const shd_warp_t *warp : s.m_next_cycle_prioritized_warps) {
        const unsigned state = states[warp->id];

        valid |= state >= BALLAST_WARP_WAIT_ALU;
        ready |= state >= BALLAST_WARP_ALU_LOST;
        issued |= is_issue(state);
        if (is_issue(state))
            ballast_warp_issued(sm.core, warp->id, issued_inst(sm, warp->id, state == BALLAST_WARP_ISSUED_MEM, seed));
    }
    ballast_scheduler_done(sm.core, valid, ready, issued);
}

} // namespace

bool Scoreboard::checkCollision(unsigned warp, const inst_t *inst) const
{
    unsigned regs = 1u << inst->pred | 1u << inst->ar1 | 1u << inst->ar2;

    for (unsigned i = 0; i < inst->outcount; i++)
        regs |= 1u << inst->out[i];
    for (unsigned i = 0; i < inst->incount; i++)
        regs |= 1u << inst->in[i];
    return (regs & pending[warp]) != 0;
}

// ---- for the test ---------------------------------------------------------------------------------------------------------------

void standin_open(const standin_machine *m)
{
    config = shader_core_config();
    config.shaders = m->sms;
    config.max_warps_per_shader = m->warps;
    config.max_cta_per_core = m->slots;
    config.gpgpu_num_sched_per_core = m->schedulers;
    config.gpgpu_max_insn_issue_per_warp = m->issues_per_warp;
    config.gpgpu_concurrent_kernel_sm = m->concurrent;
    config.sub_core_model = true;
    sms.assign(m->sms, lab_sm());
    for (unsigned i = 0; i < m->sms; i++) {
        sms[i].core.sid = i;
        sms[i].core.config = &config;
        sms[i].core.warps = sms[i].warps;
    }
    fault[0] = '\0';
}

void standin_close(void)
{
    ballast_close();
}

const char *standin_fault(void)
{
    return fault;
}

void standin_set_kernel(unsigned which, const standin_kernel *k)
{
    kernel_info_t &to = kernels[which];

    to.uid = k->uid;
    to.what = k->name;
    to.grid = {k->grid[0], k->grid[1], k->grid[2]};
    to.cta = {k->block[0], k->block[1], k->block[2]};
    to.fit = k->fit;
    to.code.info = {k->regs, k->smem};
}

bool standin_asks(unsigned sm, unsigned which)
{
    return ballast_may_launch(sms[sm].core, kernels[which]);
}

void standin_started(unsigned sm, unsigned which, unsigned slot, unsigned cta)
{
    ballast_cta_started(sms[sm].core, kernels[which], slot, cta);
}

void standin_finished(unsigned sm, unsigned slot)
{
    ballast_cta_finished(sms[sm].core, slot);
}

// Warps whose memory pipe must be full are the second scheduler's, and those that must find room there the first one's.
void standin_schedule(unsigned sm, const uint8_t *states, uint64_t *seed)
{
    lab_sm &lab = sms[sm];
    pipes p;

    odd = below(seed, ALU_PIPES);
    scheduler_unit s[SCHEDULERS] = {scheduler_of(lab, p, 0), scheduler_of(lab, p, 1)};

    for (unsigned w = 0; w < config.max_warps_per_shader; w++) {
        const bool must_first = states[w] == BALLAST_WARP_MEM_LOST || states[w] == BALLAST_WARP_ISSUED_MEM;
        const bool first = must_first || (states[w] != BALLAST_WARP_MEM_BLOCKED && below(seed, 2));

        make_state(lab, w, states[w], first, seed);
        s[first ? 0 : 1].m_supervised_warps.push_back(&lab.warps[w]);
    }
    for (scheduler_unit &one : s)
        run(one, lab, states, seed);
}

void standin_issues_again(unsigned sm, unsigned warp, bool to_memory)
{
    uint64_t seed = 1;

    ballast_warp_issued(sms[sm].core, warp, issued_inst(sms[sm], warp, to_memory, &seed));
}

bool standin_paused(unsigned sm, unsigned warp)
{
    return ballast_is_paused(sms[sm].core, warp);
}

void standin_cycle_end(void)
{
    ballast_cycle_end();
}

ballast_client_decision standin_decision(unsigned sm)
{
    return ballast_decision(sm);
}

double standin_period(bool memory)
{
    return memory ? ballast_memory_period(1) : ballast_core_period(1);
}
