// SPDX-License-Identifier: Apache-2.0
//
// Plays a recording onto a block's input signals. Inputs change at the beginning of a cycle, a quarter period after the rising
// edge that ended the one before, when that one has been judged. Included by bench.cpp, for one block.
#ifndef BALLAST_SYSTEMC_STIMULUS_H
#define BALLAST_SYSTEMC_STIMULUS_H

template <class V> class stimulus_module : public sc_core::sc_module, public BLOCK_FN(_in_pins)<sc_core::sc_out, V> {
public:
    sc_core::sc_out<bool> rst_no{"rst_no"};
    sc_core::sc_out<uint64_t> cycle_o{"cycle_o"};  // the recording's number of the cycle
    sc_core::sc_event go;                          // the next cycle may begin
    std::function<void(uint64_t)> on_cycle;        // told the cycle of the run, before its inputs change

    const lockstep_turns *turns = nullptr;  // of the run in progress; without one `idle` and `reset` are played
    const sm_obs *const *obs = nullptr;     // the buses in this cycle
    uint64_t cycle = 0;
    std::unique_ptr<IN_T> idle{new IN_T()};
    bool reset = false;

    SC_HAS_PROCESS(stimulus_module);
    stimulus_module(sc_core::sc_module_name name, const CFG_T &config) : sc_module{name}, cfg{config}
    {
        SC_METHOD(play);
        this->sensitive << go;
        this->dont_initialize();
    }

private:
    const CFG_T &cfg;

    void play()
    {
        if (turns) {
            // A family replay asks for the model's limit: what the checker sampled at the last edge.
            obs = turns->next(turns->self, &cycle);
            if (!obs) {
                sc_core::sc_pause();
                return;
            }
            lockstep_instance *inst = &turns->ls->instances[0];
            on_cycle(turns->ls->index);
            inst->block->model->bind(inst->in, &cfg, obs, inst->needs);
            this->write_inputs(&cfg, static_cast<const IN_T *>(inst->in));
            cycle_o.write(cycle);
        } else {
            this->write_inputs(&cfg, idle.get());
        }
        rst_no.write(!reset);
    }
};

#endif
