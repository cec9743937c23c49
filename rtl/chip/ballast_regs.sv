// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ballast_regs: what software sees of the chip, over APB4: the settings of chip_governor and gwde, their
// status, counters of what they decided, sticky errors, an interrupt. A write out of range is refused,
// so the settings are legal at any time (REG-1 to REG-8). One per chip.
//
// Timing: no wait states. An access takes effect at the edge of its ACCESS phase, and a setting shows
// in the next cycle. `prdata_o` and `pslverr_o` are combinational, all other outputs from registers.
//
// The signals of the SMs are vectors with one field per SM, SM 0 in the lowest bits.
//
// doc/blocks/ballast_regs.md

`default_nettype none

module ballast_regs #(
  parameter int NumSms     = 15,    // 1..256
  parameter int NumSlots   = 8,     // CTA slots of an SM, 1..32
  parameter int DynPeriod  = 2048,  // 2..65536, the largest threshold
  parameter int WatchSlots = 1      // 1 launches into a slot in use are found, 0 they are not
) (
  input  wire                                clk_i,  // PCLK, and that of the SMs
  input  wire                                rst_ni,

  // APB4
  input  wire                                psel_i,
  input  wire                                penable_i,
  input  wire                                pwrite_i,
  input  wire  [2:0]                         pprot_i,  // ignored
  input  wire  [11:0]                        paddr_i,
  input  wire  [31:0]                        pwdata_i,
  input  wire  [3:0]                         pstrb_i,
  output logic [31:0]                        prdata_o,
  output logic                               pready_o,
  output logic                               pslverr_o,
  output logic                               irq_o,

  // Settings, of chip_governor and, the last one, of gwde
  output logic [2:0]                         policy_o,
  output logic [$clog2(NumSlots+1)-1:0]      static_limit_o,
  output logic [$clog2(DynPeriod+1)-1:0]     t_idle_o,
  output logic [$clog2(DynPeriod+1)-1:0]     t_mem_l_o,
  output logic [$clog2(DynPeriod+1)-1:0]     t_mem_h_o,
  output logic                               mode_o,
  output logic                               bcs_o,

  // Status, of chip_governor
  input  wire  [1:0]                         sm_level_i,
  input  wire  [1:0]                         mem_level_i,
  input  wire                                sm_busy_i,
  input  wire                                mem_busy_i,
  input  wire                                sm_stall_i,
  input  wire                                mem_stall_i,
  input  wire  [NumSms*$clog2(NumSlots+1)-1:0] limit_i,
  input  wire  [NumSms-1:0]                  done_i,

  // and of gwde
  input  wire                                start_i,  // its input
  input  wire                                idle_i,
  input  wire                                exhausted_i,
  input  wire                                too_big_i,
  input  wire                                start_valid_i,
  input  wire  [NumSms-1:0]                  denied_i,
  input  wire  [NumSms*NumSlots-1:0]         cta_start_i,
  input  wire  [NumSms*NumSlots-1:0]         cta_active_i,
  input  wire  [NumSms*NumSlots-1:0]         cta_done_i  // of the SMs
);

  localparam int LimitW  = $clog2(NumSlots + 1);
  localparam int DynW    = $clog2(DynPeriod + 1);
  localparam int EventW  = $clog2(NumSms + 1);  // of a cycle
  localparam int Sticky  = 6;                   // bits of PENDING
  localparam int DoneMax = 256;                 // SMs of a whole window

  logic                setup_q;
  logic [2:0]          policy_q, policy_d;
  logic [LimitW-1:0]   static_limit_q, static_limit_d;
  logic [DynW-1:0]     t_idle_q, t_idle_d;
  logic [DynW-1:0]     t_mem_l_q, t_mem_l_d;
  logic [DynW-1:0]     t_mem_h_q, t_mem_h_d;
  logic                mode_q, mode_d;
  logic                bcs_q, bcs_d;
  logic [5:0]          pending_q, pending_d;
  logic [5:0]          enable_q, enable_d;
  logic [31:0]         sm_changes_q, sm_changes_d;
  logic [31:0]         mem_changes_q, mem_changes_d;
  logic [31:0]         limit_changes_q, limit_changes_d;
  logic [31:0]         launches_q, launches_d;
  logic [31:0]         denials_q, denials_d;
  logic [31:0]         kernels_q, kernels_d;
  logic                sm_busy_q;
  logic                mem_busy_q;
  logic                started_q;
  logic                running_q;
  (* mem2reg *)                           // Yosys makes registers of it without a warning
  logic [LimitW-1:0]   last_limit_q [NumSms];
  (* mem2reg *)
  logic [NumSlots-1:0] held_q [NumSms];

  logic unused_prot;
  assign unused_prot = ^pprot_i;

  //////////////////////////////////////////////////////////////////////////////
  // The SMs: what changed, what is wrong, what the windows show (REG-5, REG-6, REG-8)

  logic [NumSms-1:0]        changed, above, in_use, no_cta;
  logic [NumSms-1:0]        shown;       // whose limit is read
  logic [LimitW*NumSms-1:0] shown_bits;  // a row of SMs per bit
  logic [LimitW-1:0]        limit_word;

  for (genvar i = 0; i < NumSms; i++) begin : gen_sm
    logic [LimitW-1:0]   limit;
    logic [NumSlots-1:0] start, active, done, held_d;

    assign limit  = limit_i[i*LimitW+:LimitW];
    assign start  = cta_start_i[i*NumSlots+:NumSlots];
    assign active = cta_active_i[i*NumSlots+:NumSlots];
    assign done   = cta_done_i[i*NumSlots+:NumSlots];

    assign changed[i] = limit != last_limit_q[i];
    assign above[i]   = 32'(limit) > NumSlots;
    assign in_use[i]  = (start & ~done & held_q[i]) != '0;
    assign no_cta[i]  = (done & ~active) != '0;
    assign shown[i]   = paddr_i[9:2] == 8'(i);
    for (genvar j = 0; j < LimitW; j++) begin : gen_bit
      assign shown_bits[j*NumSms+i] = shown[i] & limit[j];
    end

    // A CTA that finishes leaves its slot, unless another one takes its place
    assign held_d = WatchSlots == 1 ? (active & ~done) | (active & start & held_q[i]) : '0;

    always_ff @(posedge clk_i) begin : p_limit
      if (!rst_ni) last_limit_q[i] <= '0;
      else         last_limit_q[i] <= limit;
    end

    always_ff @(posedge clk_i) begin : p_held
      if (!rst_ni) held_q[i] <= '0;
      else         held_q[i] <= held_d;
    end
  end

  for (genvar j = 0; j < LimitW; j++) begin : gen_limit_word
    assign limit_word[j] = shown_bits[j*NumSms+:NumSms] != '0;
  end

  logic [DoneMax-1:0] done_all;
  logic [31:0]        done_word;
  logic [7:0]         done_first;  // the SM of its lowest bit
  assign done_all   = DoneMax'(done_i);
  assign done_first = {paddr_i[4:2], 5'd0};
  assign done_word  = done_all[done_first+:32];

  //////////////////////////////////////////////////////////////////////////////
  // The address: what is there, and whether it would take this word (REG-2)

  logic        there, fits;
  logic [31:0] value;
  logic        word, in_done, in_limit;      // of a window
  logic        flag, sticky, zero, dyn_most;  // what would fit
  logic [31:0] domains, kernel;

  assign word     = paddr_i[1:0] == '0;
  assign in_done  = word && paddr_i[11:5] == ballast_regs_pkg::AddrDone[11:5];
  assign in_limit = word && paddr_i[11:10] == ballast_regs_pkg::AddrLimit[11:10];
  assign flag     = pwdata_i[31:1] == '0;
  assign sticky   = pwdata_i[31:Sticky] == '0;
  assign zero     = pwdata_i == '0;
  assign dyn_most = pwdata_i <= 32'(DynPeriod);

  // Status
  assign domains[ballast_regs_pkg::DomainsSmLevel+:2]  = sm_level_i;
  assign domains[ballast_regs_pkg::DomainsMemLevel+:2] = mem_level_i;
  assign domains[ballast_regs_pkg::DomainsSmBusy]      = sm_busy_i;
  assign domains[ballast_regs_pkg::DomainsMemBusy]     = mem_busy_i;
  assign domains[ballast_regs_pkg::DomainsSmStall]     = sm_stall_i;
  assign domains[ballast_regs_pkg::DomainsMemStall]    = mem_stall_i;
  assign domains[31:8]                                 = '0;
  assign kernel[ballast_regs_pkg::KernelIdle]          = idle_i;
  assign kernel[ballast_regs_pkg::KernelExhausted]     = exhausted_i;
  assign kernel[ballast_regs_pkg::KernelTooBig]        = too_big_i;
  assign kernel[31:3]                                  = '0;

  always_comb begin : p_decode
    there = 1'b1;
    fits  = 1'b0;  // read only
    value = '0;
    case (paddr_i)
      ballast_regs_pkg::AddrId:        value = ballast_regs_pkg::ResetId;
      ballast_regs_pkg::AddrVersion:   value = ballast_regs_pkg::ResetVersion;
      ballast_regs_pkg::AddrNumSms:    value = 32'(NumSms);
      ballast_regs_pkg::AddrNumSlots:  value = 32'(NumSlots);
      ballast_regs_pkg::AddrDynPeriod: value = 32'(DynPeriod);
      ballast_regs_pkg::AddrPolicy: begin
        value = 32'(policy_q);
        fits  = pwdata_i <= 32'd4;
      end
      ballast_regs_pkg::AddrStaticLimit: begin
        value = 32'(static_limit_q);
        fits  = pwdata_i <= 32'(NumSlots);
      end
      ballast_regs_pkg::AddrTIdle: begin
        value = 32'(t_idle_q);
        fits  = dyn_most;
      end
      ballast_regs_pkg::AddrTMemL: begin
        value = 32'(t_mem_l_q);
        fits  = pwdata_i <= 32'(t_mem_h_q);
      end
      ballast_regs_pkg::AddrTMemH: begin
        value = 32'(t_mem_h_q);
        fits  = dyn_most && pwdata_i >= 32'(t_mem_l_q);
      end
      ballast_regs_pkg::AddrMode: begin
        value = 32'(mode_q);
        fits  = flag;
      end
      ballast_regs_pkg::AddrBcs: begin
        value = 32'(bcs_q);
        fits  = flag;
      end
      ballast_regs_pkg::AddrDomains:   value = domains;
      ballast_regs_pkg::AddrKernel:    value = kernel;
      ballast_regs_pkg::AddrPending: begin
        value = 32'(pending_q);
        fits  = sticky;
      end
      ballast_regs_pkg::AddrEnable: begin
        value = 32'(enable_q);
        fits  = sticky;
      end
      ballast_regs_pkg::AddrSmChanges: begin
        value = sm_changes_q;
        fits  = zero;
      end
      ballast_regs_pkg::AddrMemChanges: begin
        value = mem_changes_q;
        fits  = zero;
      end
      ballast_regs_pkg::AddrLimitChanges: begin
        value = limit_changes_q;
        fits  = zero;
      end
      ballast_regs_pkg::AddrLaunches: begin
        value = launches_q;
        fits  = zero;
      end
      ballast_regs_pkg::AddrDenials: begin
        value = denials_q;
        fits  = zero;
      end
      ballast_regs_pkg::AddrKernels: begin
        value = kernels_q;
        fits  = zero;
      end
      default: begin
        // The windows: of 256 SMs a bit, and a word each
        there = (in_done && 32'(done_first) < NumSms) || (in_limit && shown != '0);
        value = in_done ? done_word : 32'(limit_word);
      end
    endcase
  end

  //////////////////////////////////////////////////////////////////////////////
  // The access (REG-1, REG-3, REG-4)

  logic access, refused, write;

  assign access    = psel_i && penable_i;
  assign refused   = access && !(setup_q && there && (!pwrite_i || (fits && pstrb_i == '1)));
  assign write     = access && !refused && pwrite_i;
  assign prdata_o  = (access && !refused && !pwrite_i) ? value : '0;
  assign pslverr_o = refused;
  assign pready_o  = 1'b1;

  always_comb begin : p_settings
    policy_d       = policy_q;
    static_limit_d = static_limit_q;
    t_idle_d       = t_idle_q;
    t_mem_l_d      = t_mem_l_q;
    t_mem_h_d      = t_mem_h_q;
    mode_d         = mode_q;
    bcs_d          = bcs_q;
    enable_d       = enable_q;
    if (write) begin
      case (paddr_i)
        ballast_regs_pkg::AddrPolicy:      policy_d = 3'(pwdata_i);
        ballast_regs_pkg::AddrStaticLimit: static_limit_d = LimitW'(pwdata_i);
        ballast_regs_pkg::AddrTIdle:       t_idle_d = DynW'(pwdata_i);
        ballast_regs_pkg::AddrTMemL:       t_mem_l_d = DynW'(pwdata_i);
        ballast_regs_pkg::AddrTMemH:       t_mem_h_d = DynW'(pwdata_i);
        ballast_regs_pkg::AddrMode:        mode_d = 1'(pwdata_i);
        ballast_regs_pkg::AddrBcs:         bcs_d = 1'(pwdata_i);
        ballast_regs_pkg::AddrEnable:      enable_d = Sticky'(pwdata_i);
        default: ;
      endcase
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Counters (REG-5)

  // What a counter becomes: it stays at its end.
  function automatic [31:0] counted(input [31:0] old, input clear, input [EventW-1:0] events);
    logic [32:0] sum;
    sum     = {1'b0, clear ? 32'd0 : old} + 33'(events);
    counted = sum[31:0] | {32{sum[32]}};
  endfunction

  logic [5:0]        clears;  // a counter each
  logic              kernel_start;
  logic [EventW-1:0] num_changed, num_denied;

  assign clears = {6{write}} & {paddr_i == ballast_regs_pkg::AddrKernels, paddr_i == ballast_regs_pkg::AddrDenials,
                               paddr_i == ballast_regs_pkg::AddrLaunches, paddr_i == ballast_regs_pkg::AddrLimitChanges,
                               paddr_i == ballast_regs_pkg::AddrMemChanges, paddr_i == ballast_regs_pkg::AddrSmChanges};

  assign kernel_start = start_i && idle_i;
  assign num_changed  = EventW'($countones(changed));
  assign num_denied   = EventW'($countones(denied_i));

  assign sm_changes_d    = counted(sm_changes_q, clears[0], EventW'(sm_busy_i && !sm_busy_q));
  assign mem_changes_d   = counted(mem_changes_q, clears[1], EventW'(mem_busy_i && !mem_busy_q));
  assign limit_changes_d = counted(limit_changes_q, clears[2], num_changed);
  assign launches_d      = counted(launches_q, clears[3], EventW'(start_valid_i));
  assign denials_d       = counted(denials_q, clears[4], num_denied);
  assign kernels_d       = counted(kernels_q, clears[5], EventW'(kernel_start));

  //////////////////////////////////////////////////////////////////////////////
  // Sticky bits and the interrupt (REG-6, REG-7): what happens wins over a clear

  logic [Sticky-1:0] cause, cleared;

  assign cause[ballast_regs_pkg::PendingRefused]   = refused;
  assign cause[ballast_regs_pkg::PendingTooBig]    = started_q && too_big_i;
  assign cause[ballast_regs_pkg::PendingInUse]     = in_use != '0;
  assign cause[ballast_regs_pkg::PendingNoCta]     = no_cta != '0;
  assign cause[ballast_regs_pkg::PendingLimit]     = above != '0;
  assign cause[ballast_regs_pkg::PendingKernelEnd] = running_q && idle_i;

  assign cleared   = (write && paddr_i == ballast_regs_pkg::AddrPending) ? pwdata_i[Sticky-1:0] : '0;
  assign pending_d = (pending_q & ~cleared) | cause;
  assign irq_o     = (pending_q & enable_q) != '0;

  //////////////////////////////////////////////////////////////////////////////

  localparam int IdleReset = DynPeriod < ballast_regs_pkg::ResetTIdle ? DynPeriod : ballast_regs_pkg::ResetTIdle;
  localparam int LowReset  = DynPeriod < ballast_regs_pkg::ResetTMemL ? DynPeriod : ballast_regs_pkg::ResetTMemL;
  localparam int HighReset = DynPeriod < ballast_regs_pkg::ResetTMemH ? DynPeriod : ballast_regs_pkg::ResetTMemH;

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      setup_q         <= 1'b0;
      policy_q        <= '0;
      static_limit_q  <= '0;
      t_idle_q        <= DynW'(IdleReset);
      t_mem_l_q       <= DynW'(LowReset);
      t_mem_h_q       <= DynW'(HighReset);
      mode_q          <= ballast_regs_pkg::ResetMode[0];
      bcs_q           <= 1'b0;
      pending_q       <= '0;
      enable_q        <= '0;
      sm_changes_q    <= '0;
      mem_changes_q   <= '0;
      limit_changes_q <= '0;
      launches_q      <= '0;
      denials_q       <= '0;
      kernels_q       <= '0;
      sm_busy_q       <= 1'b0;
      mem_busy_q      <= 1'b0;
      started_q       <= 1'b0;
      running_q       <= 1'b0;
    end else begin
      setup_q         <= psel_i && !penable_i;
      policy_q        <= policy_d;
      static_limit_q  <= static_limit_d;
      t_idle_q        <= t_idle_d;
      t_mem_l_q       <= t_mem_l_d;
      t_mem_h_q       <= t_mem_h_d;
      mode_q          <= mode_d;
      bcs_q           <= bcs_d;
      pending_q       <= pending_d;
      enable_q        <= enable_d;
      sm_changes_q    <= sm_changes_d;
      mem_changes_q   <= mem_changes_d;
      limit_changes_q <= limit_changes_d;
      launches_q      <= launches_d;
      denials_q       <= denials_d;
      kernels_q       <= kernels_d;
      sm_busy_q       <= sm_busy_i;
      mem_busy_q      <= mem_busy_i;
      started_q       <= kernel_start;
      running_q       <= !idle_i;
    end
  end

  assign policy_o       = policy_q;
  assign static_limit_o = static_limit_q;
  assign t_idle_o       = t_idle_q;
  assign t_mem_l_o      = t_mem_l_q;
  assign t_mem_h_o      = t_mem_h_q;
  assign mode_o         = mode_q;
  assign bcs_o          = bcs_q;

`ifdef VERILATOR
  // REG-3: what leaves here is legal.
  SettingsLegal: assert property (@(posedge clk_i) disable iff (!rst_ni)
      policy_o <= 3'd4 && 32'(static_limit_o) <= NumSlots && 32'(t_idle_o) <= DynPeriod &&
      t_mem_l_o <= t_mem_h_o && 32'(t_mem_h_o) <= DynPeriod);
  // REG-2, REG-4: only a write that is taken changes a setting.
  OnlyWrites: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && !(psel_i && penable_i && pwrite_i && !pslverr_o)) |=>
      $stable({policy_o, static_limit_o, t_idle_o, t_mem_l_o, t_mem_h_o, mode_o, bcs_o, enable_q}));
  // REG-1: a refusal is the end of an access, and so is data; no access without a SETUP phase.
  OnlyInAccess: assert property (@(posedge clk_i) disable iff (!rst_ni)
      psel_i && penable_i || !pslverr_o && prdata_o == '0);
  SetupFirst: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && !(psel_i && !penable_i)) |=> (psel_i && penable_i) == pslverr_o);
  // REG-6: a bit goes only where software clears it.
  Sticks: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rst_ni && !write) |=> ($past(pending_q) & ~pending_q) == '0);
  // REG-7
  Interrupt: assert property (@(posedge clk_i) disable iff (!rst_ni)
      irq_o == |(pending_q & enable_q));
`endif

endmodule

`default_nettype wire
