// SPDX-License-Identifier: Apache-2.0
//
// GPGPU-Sim's words for what its SMs do, turned into the client's. There is one chip in a process, as in the simulator.
#include "ballast_gpgpusim.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "../cuda-sim/cuda-sim.h"
#include "gpu-sim.h"
#include "shader.h"

namespace {

typedef std::vector<bool> registers; // as long as needed

struct kernel_account {
    unsigned long long grid, started, started_before; // CTAs; before: when this cycle began
    unsigned warps_per_cta;
    std::string name; // the client does not keep it
};

struct sm_account {
    unsigned kernel;                       // uid of the one it has, or had last; 0: none
    unsigned resident;                     // CTAs
    unsigned launched;                     // in this cycle
    bool kernel_starts;                    // in this cycle
    int best;                              // class of the schedulers of this cycle; -1: none has run
    uint64_t issued;                       // in this cycle
    unsigned owed[BALLAST_MAX_WARPS][2];   // instructions that are told later, to memory or not
    registers loaded[BALLAST_MAX_WARPS];   // reserved last by a load that counts as memory
    ballast_client_decision todo;
};

struct chip {
    ballast_client *client;
    FILE *log;
    bool asked; // the environment has been read
    unsigned long long cycle;
    double core_scale, memory_scale; // of a clock's period
    std::vector<sm_account> sm;
    std::map<unsigned, kernel_account> kernels;

    ~chip() { ballast_close(); }
} the;

// ---- the environment ------------------------------------------------------------------------------------------------------------

// A simulation takes hours: better none than one of something else than was meant.
void give_up(const char *variable, const char *value, const char *what)
{
    fprintf(stderr, "ballast: %s=%s: %s\n", variable, value, what);
    exit(2);
}

uint32_t word_of(const char *variable, uint32_t otherwise, const std::vector<const char *> &words)
{
    const char *value = getenv(variable);
    std::string all;

    if (!value)
        return otherwise;
    for (uint32_t i = 0; i < words.size(); i++) {
        if (!strcmp(value, words[i]))
            return i;
        all += std::string(i ? ", " : "give one of ") + words[i];
    }
    give_up(variable, value, all.c_str());
    return 0;
}

// Numbers with commas between them.
std::vector<uint32_t> numbers_of(const char *variable)
{
    const char *value = getenv(variable), *at = value;
    std::vector<uint32_t> numbers;

    while (at && *at) {
        char *end;
        const unsigned long number = strtoul(at, &end, 10);

        if (*at < '0' || *at > '9' || (*end && *end != ',') || number > UINT32_MAX)
            give_up(variable, value, "give numbers, with a comma between two");
        numbers.push_back((uint32_t)number);
        at = *end ? end + 1 : end;
    }
    return numbers;
}

void read_dyncta(ballast_client_settings &s)
{
    const std::vector<uint32_t> n = numbers_of("BALLAST_DYNCTA");

    if (n.empty())
        return;
    if (n.size() != 3)
        give_up("BALLAST_DYNCTA", getenv("BALLAST_DYNCTA"), "give three: cycles idle, waiting at least, waiting at most");
    s.t_idle = n[0];
    s.t_mem_l = n[1];
    s.t_mem_h = n[2];
}

void read_limit(ballast_client_settings &s)
{
    const std::vector<uint32_t> n = numbers_of("BALLAST_LIMIT");

    if (n.size() > 1)
        give_up("BALLAST_LIMIT", getenv("BALLAST_LIMIT"), "give one number of CTAs");
    s.static_limit = n.empty() ? 0 : n[0];
}

void read_environment(ballast_client_settings &s)
{
    s.policy = word_of("BALLAST_POLICY", BALLAST_POLICY_STATIC, {"static", "perfsat", "lcs", "equalizer", "dyncta"});
    s.mode = word_of("BALLAST_MODE", BALLAST_VF_PERFORMANCE, {"energy", "performance"});
    s.check = word_of("BALLAST_CHECK", 1, {"0", "1"}) != 0;
    read_limit(s);
    read_dyncta(s);
}

void read_geometry(ballast_client_settings &s, const shader_core_config &config)
{
    s.sms = config.num_shader();
    s.warps = config.max_warps_per_shader;
    s.slots = config.max_cta_per_core;
    s.issue_width = std::min(8u, (unsigned)config.gpgpu_num_sched_per_core * (unsigned)config.gpgpu_max_insn_issue_per_warp);
}

// ---- begin ----------------------------------------------------------------------------------------------------------------------

void begin_files()
{
    const char *folder = getenv("BALLAST_RECORD"), *log = getenv("BALLAST_LOG");
    const std::vector<uint32_t> sms = numbers_of("BALLAST_RECORD_SMS");

    if (folder && !ballast_client_record(the.client, folder, sms.data(), (uint32_t)sms.size()))
        exit(2); // the client has said why
    the.log = log ? fopen(log, "w") : NULL;
    if (log && !the.log)
        give_up("BALLAST_LOG", log, "cannot be written");
}

void begin(const shader_core_config &config)
{
    ballast_client_settings s = ballast_client_defaults();

    read_environment(s);
    read_geometry(s, config);
    if (config.gpgpu_concurrent_kernel_sm)
        give_up("-gpgpu_concurrent_kernel_sm", "1", "an SM must have one kernel at a time");
    the.client = ballast_client_open(&s);
    if (!the.client)
        exit(2); // the client has said why
    the.sm.assign(s.sms, sm_account());
    for (sm_account &sm : the.sm)
        sm.best = -1;
    the.core_scale = the.memory_scale = 1;
    begin_files();
}

bool governs(const shader_core_ctx &core)
{
    if (!the.asked) {
        the.asked = true;
        if (getenv("BALLAST_POLICY") || getenv("BALLAST_RECORD"))
            begin(*core.get_config());
    }
    return the.client != NULL;
}

sm_account &account_of(const shader_core_ctx &core)
{
    return the.sm[core.get_sid()];
}

// ---- kernels --------------------------------------------------------------------------------------------------------------------

kernel_account &keep_kernel(kernel_info_t &kernel, const ballast_client_kernel &k)
{
    const uint32_t threads = k.block[0] * k.block[1] * k.block[2];

    return the.kernels[kernel.get_uid()] = {kernel.num_blocks(), 0, 0, (threads + 31) / 32, kernel.name()};
}

ballast_client_kernel kernel_of(const shader_core_ctx &core, kernel_info_t &kernel)
{
    const struct gpgpu_ptx_sim_info *needs = ptx_sim_kernel_info(kernel.entry());
    const dim3 grid = kernel.get_grid_dim(), block = kernel.get_cta_dim();
    ballast_client_kernel k = ballast_client_kernel();

    // Of a small grid the simulator makes fewer CTAs than would fit. More can never come, so that is what a policy may count with.
    k.nmax = core.get_config()->max_cta(kernel);
    for (unsigned i = 0; i < 3; i++) {
        k.grid[i] = i == 0 ? grid.x : i == 1 ? grid.y : grid.z;
        k.block[i] = i == 0 ? block.x : i == 1 ? block.y : block.z;
    }
    k.regs_per_thread = needs->regs;
    k.smem_per_cta = needs->smem;
    return k;
}

// No SM has a CTA, and no kernel that has begun has any left to launch.
bool chip_is_idle()
{
    for (const sm_account &sm : the.sm)
        if (sm.resident || (sm.kernel && the.kernels[sm.kernel].started < the.kernels[sm.kernel].grid))
            return false;
    return true;
}

// On all SMs. While the kernel before still runs on others, this SM is the first, and each other one follows when it asks.
void start_kernel(const shader_core_ctx &core, kernel_info_t &kernel)
{
    ballast_client_kernel k = kernel_of(core, kernel);
    const bool all = chip_is_idle();
    const bool known = the.kernels.count(kernel.get_uid()) != 0;
    const kernel_account &account = known ? the.kernels[kernel.get_uid()] : keep_kernel(kernel, k);

    k.name = account.name.c_str();
    for (unsigned i = 0; i < the.sm.size(); i++)
        if (all || i == core.get_sid()) {
            the.sm[i].kernel = kernel.get_uid();
            the.sm[i].kernel_starts = true;
        }
    ballast_client_kernel_start(the.client, all ? BALLAST_CLIENT_ALL_SMS : core.get_sid(), &k);
}

// ---- the state of a warp --------------------------------------------------------------------------------------------------------

bool is_memory(const inst_t &inst)
{
    return inst.op == LOAD_OP || inst.op == STORE_OP || inst.op == MEMORY_BARRIER_OP || inst.op == TENSOR_CORE_LOAD_OP ||
           inst.op == TENSOR_CORE_STORE_OP;
}

// The simulator's long operations. Shared and constant memory answer as quickly as an ALU.
bool is_long_load(const warp_inst_t &inst)
{
    const int space = inst.space.get_type();

    return inst.is_load() && (space == global_space || space == local_space || space == param_space_kernel || space == param_space_local ||
                              space == param_space_unclassified || space == tex_space);
}

// The scoreboard answers for instructions only, so one is made of the register.
bool is_pending(const Scoreboard &board, unsigned warp, unsigned reg)
{
    static inst_t probe;

    probe.outcount = 0;
    probe.incount = 1;
    probe.in[0] = reg;
    probe.pred = probe.ar1 = probe.ar2 = 0;
    return board.checkCollision(warp, &probe);
}

// Scoreboard::islongop is not asked: its marks outlive the load, so that a wait for an ALU would be taken for one for memory.
bool waits_for_memory(const Scoreboard &board, const registers &loaded, unsigned warp, const inst_t &inst)
{
    const auto is_it = [&](unsigned reg) { return reg < loaded.size() && loaded[reg] && is_pending(board, warp, reg); };

    return std::any_of(inst.out, inst.out + inst.outcount, is_it) || std::any_of(inst.in, inst.in + inst.incount, is_it) ||
           (inst.pred > 0 && is_it((unsigned)inst.pred)) || (inst.ar1 > 0 && is_it((unsigned)inst.ar1)) ||
           (inst.ar2 > 0 && is_it((unsigned)inst.ar2));
}

// As the scoreboard reserves them.
void note_reserved(registers &loaded, const warp_inst_t &inst)
{
    for (unsigned i = 0; i < MAX_OUTPUT_VALUES; i++) {
        const unsigned reg = inst.out[i];

        if (reg >= loaded.size())
            loaded.resize(reg + 1);
        loaded[reg] = reg > 0 && is_long_load(inst);
    }
}

// Without an instruction that the scoreboard could be asked for: BARRIER or NO_INST. -1: it has one.
int state_without(shd_warp_t &warp)
{
    const warp_inst_t *inst = warp.ibuffer_next_inst();

    if (warp.functional_done())
        return BALLAST_WARP_NO_INST; // it has exited, and what it has written is still under way
    if (warp.waiting())
        return BALLAST_WARP_BARRIER;
    if (warp.ibuffer_empty() || !inst || (inst->m_is_cdp && warp.m_cdp_latency > 0))
        return BALLAST_WARP_NO_INST;
    return -1;
}

} // namespace

// A scheduler's own warps, before it looks for one to issue.
void scheduler_unit::ballast_look()
{
    const shader_core_config &config = *m_shader->get_config();
    const auto has_room = [&](register_set *pipe, unsigned units) { return units > 0 && pipe->has_free(config.sub_core_model, m_id); };
    const auto alu_has_room = [&](int op) {
        if (op >= SPEC_UNIT_START_ID)
            return has_room(m_spec_cores_out[op - SPEC_UNIT_START_ID], config.m_specialized_unit[op - SPEC_UNIT_START_ID].num_units);
        if (op == TENSOR_CORE_OP)
            return has_room(m_tensor_core_out, config.gpgpu_num_tensor_core_units);
        if (op == DP_OP && config.gpgpu_num_dp_units > 0)
            return has_room(m_dp_out, config.gpgpu_num_dp_units);
        if (op == DP_OP || op == SFU_OP)
            return has_room(m_sfu_out, config.gpgpu_num_sfu_units);
        if (config.gpgpu_num_int_units > 0 && op != SP_OP)
            return has_room(m_int_out, config.gpgpu_num_int_units);
        return has_room(m_sp_out, config.gpgpu_num_sp_units);
    };
    const auto state_of = [&](shd_warp_t &warp) -> int {
        const unsigned id = warp.get_warp_id();
        const warp_inst_t *inst = warp.ibuffer_next_inst();
        const int without = state_without(warp);
        unsigned pc, rpc;

        if (without >= 0)
            return without;
        m_shader->get_pdom_stack_top_info(id, inst, &pc, &rpc);
        if (pc != inst->pc)
            return BALLAST_WARP_NO_INST; // a control hazard
        if (m_scoreboard->checkCollision(id, inst))
            return waits_for_memory(*m_scoreboard, account_of(*m_shader).loaded[id], id, *inst) ? BALLAST_WARP_WAIT_MEM : BALLAST_WARP_WAIT_ALU;
        if (is_memory(*inst))
            return has_room(m_mem_out, 1) ? BALLAST_WARP_MEM_LOST : BALLAST_WARP_MEM_BLOCKED;
        return alu_has_room(inst->op) ? BALLAST_WARP_ALU_LOST : BALLAST_WARP_ALU_BLOCKED;
    };

    if (!governs(*m_shader))
        return;
    for (shd_warp_t *warp : m_supervised_warps)
        if (warp && !warp->done_exit())
            ballast_client_warp_state(the.client, m_shader->get_sid(), warp->get_warp_id(), (uint32_t)state_of(*warp));
    const ballast_client_decision &todo = account_of(*m_shader).todo;
    if (todo.pause_soft && todo.paused_warps)
        std::stable_partition(m_next_cycle_prioritized_warps.begin(), m_next_cycle_prioritized_warps.end(), [&](shd_warp_t *warp) {
            return !warp || warp->done_exit() || !(todo.paused_warps >> warp->get_warp_id() & 1);
        });
}

// ---- the CTA dispatcher ---------------------------------------------------------------------------------------------------------

bool ballast_may_launch(const shader_core_ctx &core, kernel_info_t &kernel)
{
    if (!governs(core))
        return true;
    sm_account &sm = account_of(core);
    if (sm.kernel != kernel.get_uid() && !sm.kernel_starts && !sm.resident)
        start_kernel(core, kernel);
    return sm.kernel == kernel.get_uid() && !sm.kernel_starts && sm.launched < sm.todo.may_launch;
}

void ballast_cta_started(const shader_core_ctx &core, kernel_info_t &kernel, unsigned slot, unsigned cta)
{
    if (!governs(core))
        return;
    account_of(core).launched++;
    account_of(core).resident++;
    the.kernels[kernel.get_uid()].started++;
    ballast_client_cta_start(the.client, core.get_sid(), slot, cta);
}

void ballast_cta_finished(const shader_core_ctx &core, unsigned slot)
{
    if (!governs(core))
        return;
    sm_account &sm = account_of(core);
    const unsigned warps = the.kernels[sm.kernel].warps_per_cta;

    sm.resident--;
    for (unsigned w = slot * warps; w < (slot + 1) * warps && w < BALLAST_MAX_WARPS; w++)
        sm.owed[w][false] = sm.owed[w][true] = 0;
    ballast_client_cta_done(the.client, core.get_sid(), slot);
}

// ---- a scheduler ----------------------------------------------------------------------------------------------------------------

bool ballast_is_paused(const shader_core_ctx &core, unsigned warp)
{
    if (!governs(core))
        return false;
    const ballast_client_decision &todo = account_of(core).todo;
    return !todo.pause_soft && (todo.paused_warps >> warp & 1);
}

// A warp issues once in a cycle, says the client. What it issues beyond that is told of the next cycles.
void ballast_warp_issued(const shader_core_ctx &core, unsigned warp, const warp_inst_t &inst)
{
    if (!governs(core))
        return;
    sm_account &sm = account_of(core);
    note_reserved(sm.loaded[warp], inst);
    if (sm.issued >> warp & 1) {
        sm.owed[warp][is_memory(inst)]++;
        return;
    }
    sm.issued |= UINT64_C(1) << warp;
    ballast_client_issued(the.client, core.get_sid(), warp, is_memory(inst));
}

void ballast_scheduler_done(const shader_core_ctx &core, bool valid, bool ready, bool issued)
{
    if (!governs(core))
        return;
    const int scheduler = issued ? BALLAST_PS_ACTIVE : ready ? BALLAST_PS_PIPELINE : valid ? BALLAST_PS_SCOREBOARD : BALLAST_PS_IDLE;
    account_of(core).best = std::max(account_of(core).best, scheduler);
}

// ---- the end of a cycle ---------------------------------------------------------------------------------------------------------

namespace {

// It was to get a CTA, and when the cycle began the grid had none left. may_launch knows how many fit.
bool was_denied(const sm_account &sm)
{
    if (!sm.todo.may_launch || !sm.kernel || sm.kernel_starts)
        return false;
    return the.kernels[sm.kernel].started_before == the.kernels[sm.kernel].grid;
}

void tell_owed(sm_account &sm, unsigned number)
{
    for (unsigned w = 0; w < BALLAST_MAX_WARPS; w++) {
        unsigned *owed = sm.owed[w];
        const bool to_memory = owed[true] > 0;

        if (!owed[to_memory] || sm.issued >> w & 1)
            continue;
        owed[to_memory]--;
        ballast_client_issued(the.client, number, w, to_memory);
    }
}

void tell_end(sm_account &sm, unsigned number)
{
    tell_owed(sm, number);
    if (was_denied(sm))
        ballast_client_cta_denied(the.client, number);
    if (sm.resident || sm.best >= 0) // the schedulers of an SM do not run in the cycle in which it gets its first CTA
        ballast_client_sm_class(the.client, number, (uint32_t)std::max(sm.best, (int)BALLAST_PS_IDLE));
}

void take_decision(sm_account &sm, unsigned number)
{
    const ballast_client_decision todo = ballast_client_decision_of(the.client, number);

    if (the.log && todo.limit != sm.todo.limit)
        fprintf(the.log, "%llu %u %u\n", the.cycle, number, todo.limit);
    sm.todo = todo;
    sm.launched = 0;
    sm.kernel_starts = false;
    sm.best = -1;
    sm.issued = 0;
}

// EQ-13: 0.85, 1 and 1.15 of the nominal frequency.
double scale_of(unsigned level)
{
    return level == BALLAST_VF_LOW ? 1 / 0.85 : level == BALLAST_VF_HIGH ? 1 / 1.15 : 1;
}

} // namespace

// Cycles before the first kernel are none of the client's.
void ballast_cycle_end()
{
    if (!the.client || the.kernels.empty())
        return;
    for (unsigned i = 0; i < the.sm.size(); i++)
        tell_end(the.sm[i], i);
    ballast_client_step(the.client);
    for (unsigned i = 0; i < the.sm.size(); i++)
        take_decision(the.sm[i], i);
    for (auto &kernel : the.kernels)
        kernel.second.started_before = kernel.second.started;
    const ballast_client_domains d = ballast_client_domains_of(the.client);
    the.core_scale = scale_of(d.sm_level);
    the.memory_scale = scale_of(d.mem_level);
    the.cycle++;
}

double ballast_core_period(double nominal)
{
    return the.client ? nominal * the.core_scale : nominal;
}

double ballast_memory_period(double nominal)
{
    return the.client ? nominal * the.memory_scale : nominal;
}

ballast_client_decision ballast_decision(unsigned sm)
{
    return sm < the.sm.size() ? the.sm[sm].todo : ballast_client_decision();
}

void ballast_close()
{
    ballast_client_close(the.client);
    if (the.log)
        fclose(the.log);
    the.client = NULL;
    the.log = NULL;
    the.asked = false;
    the.cycle = 0;
    the.sm.clear();
    the.kernels.clear();
}
