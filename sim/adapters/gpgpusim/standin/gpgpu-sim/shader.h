// SPDX-License-Identifier: Apache-2.0
//
// For the test of the adapter: the names of GPGPU-Sim that it uses, and nothing else of the simulator. Where the simulator works something
// out, a test sets the answer. The numbers behind the names are of no consequence.
#ifndef BALLAST_STANDIN_SHADER_H
#define BALLAST_STANDIN_SHADER_H

#include <string>
#include <vector>

#include "../cuda-sim/cuda-sim.h"

enum { MAX_OUTPUT_VALUES = 8, MAX_INPUT_VALUES = 24, SPEC_UNIT_START_ID = 100 };
enum {
    ALU_OP = 1, SFU_OP, TENSOR_CORE_OP, DP_OP, SP_OP, INTP_OP, ALU_SFU_OP, LOAD_OP, TENSOR_CORE_LOAD_OP, TENSOR_CORE_STORE_OP, STORE_OP,
    BRANCH_OP, BARRIER_OP, MEMORY_BARRIER_OP,
};
enum {
    undefined_space, local_space, shared_space, param_space_unclassified, param_space_kernel, param_space_local, const_space, tex_space,
    global_space,
};

struct dim3 {
    unsigned x, y, z;
};

// ---- instructions and what holds them up ----------------------------------------------------------------------------------------

struct memory_space_t {
    int type;

    int get_type() const { return type; }
};

class inst_t {
public:
    unsigned pc = 0;
    int op = ALU_OP, m_is_cdp = 0;
    unsigned out[MAX_OUTPUT_VALUES] = {0}, outcount = 0, in[MAX_INPUT_VALUES] = {0}, incount = 0;
    int pred = 0, ar1 = 0, ar2 = 0;
    memory_space_t space = {undefined_space};

    bool is_load() const { return op == LOAD_OP || op == TENSOR_CORE_LOAD_OP; }
};

class warp_inst_t : public inst_t {};

class Scoreboard {
public:
    unsigned pending[64] = {0}; // of each warp: bit r is register r

    bool checkCollision(unsigned warp, const inst_t *inst) const;
};

class register_set {
public:
    bool room[8] = {true, true, true, true, true, true, true, true}; // of each scheduler's part

    bool has_free(bool parts, unsigned part) const { return room[parts ? part : 0]; }
};

// ---- kernels and the machine ----------------------------------------------------------------------------------------------------

class kernel_info_t {
public:
    unsigned uid;
    std::string what;
    dim3 grid, cta;
    unsigned fit;
    function_info code;

    unsigned get_uid() const { return uid; }
    std::string name() const { return what; }
    dim3 get_grid_dim() const { return grid; }
    dim3 get_cta_dim() const { return cta; }
    size_t num_blocks() const { return (size_t)grid.x * grid.y * grid.z; }
    const function_info *entry() const { return &code; }
};

struct specialized_unit_params {
    unsigned num_units;
};

class shader_core_config {
public:
    unsigned shaders, max_warps_per_shader, max_cta_per_core, gpgpu_num_sched_per_core;
    int gpgpu_max_insn_issue_per_warp = 1;
    bool gpgpu_concurrent_kernel_sm = false, sub_core_model = false;
    unsigned gpgpu_num_sp_units = 1, gpgpu_num_dp_units = 1, gpgpu_num_sfu_units = 1, gpgpu_num_tensor_core_units = 1, gpgpu_num_int_units = 1;
    std::vector<specialized_unit_params> m_specialized_unit = std::vector<specialized_unit_params>(1, specialized_unit_params{1});

    unsigned num_shader() const { return shaders; }
    unsigned max_cta(const kernel_info_t &kernel) const { return kernel.fit; }
};

// ---- an SM ----------------------------------------------------------------------------------------------------------------------

class shd_warp_t {
public:
    unsigned id, top_pc; // where the warp is: elsewhere than its instruction is a control hazard
    bool there, exited, held; // not there: done, and no CTA has it
    const warp_inst_t *next;
    unsigned m_cdp_latency;

    bool done_exit() const { return !there; }
    bool functional_done() const { return exited; }
    bool waiting() { return held; }
    bool ibuffer_empty() const { return !next; }
    const warp_inst_t *ibuffer_next_inst() { return next; }
    unsigned get_warp_id() const { return id; }
};

class shader_core_ctx {
public:
    unsigned sid;
    const shader_core_config *config;
    shd_warp_t *warps;

    unsigned get_sid() const { return sid; }
    const shader_core_config *get_config() const { return config; }

private:
    friend class scheduler_unit;
    void get_pdom_stack_top_info(unsigned warp, const warp_inst_t *, unsigned *pc, unsigned *rpc) { *pc = *rpc = warps[warp].top_pc; }
};

class scheduler_unit {
public:
    void ballast_look();

    std::vector<shd_warp_t *> m_next_cycle_prioritized_warps, m_supervised_warps;
    shader_core_ctx *m_shader;
    Scoreboard *m_scoreboard;
    register_set *m_sp_out, *m_dp_out, *m_sfu_out, *m_int_out, *m_tensor_core_out, *m_mem_out;
    std::vector<register_set *> m_spec_cores_out;
    int m_id;
};

#endif
