// SPDX-License-Identifier: Apache-2.0
//
// Compares every output and every register of RTL and model in every cycle and has the decisions of both logged. Outputs are
// sampled with the rising edge that ends the cycle, registers a quarter period later; then the cycle is judged, faults are
// planted where they are due, and the next one may begin. Included by bench.cpp, for one block.
#ifndef BALLAST_SYSTEMC_CHECKER_H
#define BALLAST_SYSTEMC_CHECKER_H

template <class V> class checker_module : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    BLOCK_FN(_out_pins)<sc_core::sc_in, V> rtl{"rtl_"}, model{"model_"};
    sc_core::sc_out<bool> mismatch_o{"mismatch_o"};

    const lockstep_turns *turns = nullptr;  // of the run in progress; nothing is compared without one

    SC_HAS_PROCESS(checker_module);
    checker_module(sc_core::sc_module_name name, const CFG_T &config, BLOCK_FN(_model_sc)<V> &golden_,
                   stimulus_module<V> &stimulus_, const sc_core::sc_time &after_edge_)
        : sc_module{name}, cfg{config}, golden{golden_}, stimulus{stimulus_}, after_edge{after_edge_}, before{new STATE_T()}
    {
        SC_METHOD(sample);
        this->sensitive << clk_i.pos();
        this->dont_initialize();
        SC_METHOD(judge);
        this->sensitive << sampled;
        this->dont_initialize();
    }

private:
    const CFG_T &cfg;
    BLOCK_FN(_model_sc)<V> &golden;
    stimulus_module<V> &stimulus;
    const sc_core::sc_time after_edge;
    std::unique_ptr<STATE_T> before;  // the model's registers during the cycle
    sc_core::sc_event sampled;

    lockstep_instance *instance() const { return &turns->ls->instances[0]; }
    size_t state_size() const { return BLOCK_SIZE_OF_STATE(&cfg); }

    // In the clock edge's own delta: signals still hold what they held before the edge. What is a register of the two sides may
    // have changed already, so those come from the end of the cycle before.
    void sample()
    {
        if (!turns) return;
        lockstep_instance *inst = instance();
        const lockstep_view *view = &inst->view[SIDE_RTL];

        model.read_outputs(&cfg, static_cast<OUT_T *>(inst->out));
        rtl.read_outputs(&cfg, static_cast<OUT_T *>(view->out));
        sampled.notify(after_edge);
    }

    void judge()
    {
        lockstep_instance *inst = instance();
        const block *blk = inst->block;
        const lockstep_view *view = &inst->view[SIDE_RTL];

        std::memcpy(before.get(), inst->state, state_size());
        std::memcpy(inst->state, golden.registers(), state_size());
        std::memcpy(view->before, view->after, state_size());
        blk->rtl->registers(inst->rtl, view->after);
        const bool decides = blk->model->decides(&cfg, before.get(), inst->in, inst->out, inst->state);
        const bool equal = lockstep_judge(turns->ls, inst, before.get(), decides, stimulus.cycle);
        // A fault in the model
        if (std::memcmp(inst->state, golden.registers(), state_size()))
            golden.load(static_cast<const STATE_T *>(inst->state));
        lockstep_cycle_done(turns->ls, stimulus.obs, stimulus.cycle);
        mismatch_o.write(!equal);
        if (turns->judged(turns->self, equal))
            stimulus.go.notify(sc_core::SC_ZERO_TIME);
        else
            sc_core::sc_pause();
    }
};

#endif
