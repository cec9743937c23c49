// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ballast_regs: what software sees of the chip, over APB4: the settings of chip_governor and of the CTA
// dispatcher, the start of kernels, status, counters of what was decided, sticky errors, an interrupt.
// A write out of range is refused, so settings and starts are legal at any time (REG-1 to REG-9). One
// per chip.
//
// Timing: no wait states. An access takes effect at the edge of its ACCESS phase, and a setting shows
// in the next cycle, a start too: for one cycle. A counter is cleared one edge later; a read cannot come before that. What is
// added up over the SMs takes two edges more: groups, then their sum. `prdata_o` and `pslverr_o` are combinational, all
// other outputs from registers.
//
// The signals of the SMs are vectors with one field per SM, SM 0 in the lowest bits; those of the kernels
// likewise.
//
// doc/blocks/ballast_regs.md

`default_nettype none

module ballast_regs #(
  parameter int NumKernels = 2,     // that may run at once, 1..4
  parameter int NumSms     = 15,    // 1..256
  parameter int NumSlots   = 8,     // CTA slots of an SM, 1..32
  parameter int NumWarps   = 48,    // as the dispatcher
  parameter int RegUnits   = 1024,
  parameter int SmemUnits  = 384,
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

  // Settings, of chip_governor and, from bcs_o on, of the dispatcher
  output logic [2:0]                         policy_o,
  output logic [$clog2(NumSlots+1)-1:0]      static_limit_o,
  output logic [$clog2(DynPeriod+1)-1:0]     t_idle_o,
  output logic [$clog2(DynPeriod+1)-1:0]     t_mem_l_o,
  output logic [$clog2(DynPeriod+1)-1:0]     t_mem_h_o,
  output logic                               mode_o,
  output logic                               bcs_o,
  output logic [1:0]                         dispatch_o,
  output logic [NumKernels*$clog2(NumSlots+1)-1:0] quota_o,

  // A kernel starts: its number and description
  output logic                               start_o,
  output logic [$clog2(NumKernels+1/NumKernels)-1:0] kernel_o,
  output logic [31:0]                        grid_o,
  output logic [31:0]                        width_o,
  output logic                               two_d_o,
  output logic [$clog2(NumWarps+2)-1:0]      warps_o,
  output logic [$clog2(RegUnits+2)-1:0]      regs_o,
  output logic [$clog2(SmemUnits+2)-1:0]     smem_o,
  output logic [$clog2(NumSlots+1)-1:0]      nmax_o,
  output logic [7:0]                         kernel_id_o,
  output logic [$clog2(NumWarps+1)-1:0]      wcta_o,  // warps per CTA of the kernel that started last

  // Status, of chip_governor
  input  wire  [1:0]                         sm_level_i,
  input  wire  [1:0]                         mem_level_i,
  input  wire                                sm_busy_i,
  input  wire                                mem_busy_i,
  input  wire                                sm_stall_i,
  input  wire                                mem_stall_i,
  input  wire  [NumSms*$clog2(NumSlots+1)-1:0] limit_i,
  input  wire  [NumSms-1:0]                  done_i,

  // and of the dispatcher
  input  wire  [NumKernels-1:0]              idle_i,
  input  wire  [NumKernels-1:0]              exhausted_i,
  input  wire  [NumKernels-1:0]              too_big_i,
  input  wire                                start_valid_i,
  input  wire  [$clog2(NumKernels+1/NumKernels)-1:0] start_kernel_i,
  input  wire  [NumSms-1:0]                  denied_i,
  input  wire  [NumSms*NumSlots-1:0]         cta_start_i,
  input  wire  [NumSms*NumSlots-1:0]         cta_active_i,
  input  wire  [NumSms*NumSlots-1:0]         cta_done_i  // of the SMs
);

  localparam int LimitW  = $clog2(NumSlots + 1);
  localparam int DynW    = $clog2(DynPeriod + 1);
  localparam int KernW   = $clog2(NumKernels + 1 / NumKernels);  // of a single one a bit, too
  localparam int WarpW   = $clog2(NumWarps + 2);
  localparam int RegW    = $clog2(RegUnits + 2);
  localparam int SmemW   = $clog2(SmemUnits + 2);
  localparam int WctaW   = $clog2(NumWarps + 1);
  localparam int Sticky  = 9;                   // bits of PENDING
  localparam int Group   = 16;                  // SMs that are added up in one cycle
  localparam int Groups  = (NumSms + Group - 1) / Group;
  localparam int GroupW  = $clog2(Group + 1);
  localparam int EventW  = $clog2(Groups * (2 ** GroupW - 1) + 1);  // of a cycle: no sum of groups wraps
  localparam int DoneMax = 256;                 // SMs of a whole window

  logic                setup_q;
  logic [2:0]          policy_q, policy_d;
  logic [LimitW-1:0]   static_limit_q, static_limit_d;
  logic [DynW-1:0]     t_idle_q, t_idle_d;
  logic [DynW-1:0]     t_mem_l_q, t_mem_l_d;
  logic [DynW-1:0]     t_mem_h_q, t_mem_h_d;
  logic                mode_q, mode_d;
  logic                bcs_q, bcs_d;
  logic [1:0]          dispatch_q, dispatch_d;
  (* mem2reg *)                           // Yosys makes registers of it without a warning
  logic [LimitW-1:0]   quota_q [NumKernels];
  logic [31:0]         grid_q, grid_d;
  logic [31:0]         width_q, width_d;
  logic                two_d_q, two_d_d;
  logic [WarpW-1:0]    warps_q, warps_d;
  logic [RegW-1:0]     regs_q, regs_d;
  logic [SmemW-1:0]    smem_q, smem_d;
  logic [LimitW-1:0]   nmax_q, nmax_d;
  logic [7:0]          kernel_id_q, kernel_id_d;
  logic                start_q, start_d;
  logic [KernW-1:0]    kernel_q, kernel_d;
  logic [WctaW-1:0]    wcta_q, wcta_d;
  logic [Sticky-1:0]   pending_q, pending_d;
  logic [Sticky-1:0]   enable_q, enable_d;
  logic [31:0]         sm_changes_q, sm_changes_d;
  logic [31:0]         mem_changes_q, mem_changes_d;
  logic [31:0]         limit_changes_q, limit_changes_d;
  logic [31:0]         denials_q, denials_d;
  logic [31:0]         kernels_q, kernels_d;
  logic [4:0]          clear_q, clear_d;  // a counter each
  logic [NumKernels-1:0] launches_clear_q, launches_clear_d;
  (* mem2reg *)
  logic [GroupW-1:0]   changes_of_q [Groups];
  (* mem2reg *)
  logic [GroupW-1:0]   denials_of_q [Groups];
  logic [EventW-1:0]   num_changes_q, num_changes_d;
  logic [EventW-1:0]   num_denials_q, num_denials_d;
  logic                sm_busy_q;
  logic                mem_busy_q;
  logic                started_q;
  logic [NumKernels-1:0] running_q;
  (* mem2reg *)
  logic [31:0]         launches_q [NumKernels];
  (* mem2reg *)
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
  logic [31:0] domains;

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

  // Of each kernel a word: its quota, its status, its launches
  logic [NumKernels-1:0]    at_quota, at_kernel, at_launches, chosen, started;  // addressed; to be started; so it was
  logic [NumKernels*32-1:0] kernel_words;
  logic [31:0]              kernel_word;

  for (genvar k = 0; k < NumKernels; k++) begin : gen_kernel
    logic [31:0] status;

    assign at_quota[k]    = paddr_i == ballast_regs_pkg::AddrQuota + 12'(4 * k);
    assign at_kernel[k]   = paddr_i == ballast_regs_pkg::AddrKernel + 12'(4 * k);
    assign at_launches[k] = paddr_i == ballast_regs_pkg::AddrLaunches + 12'(4 * k);
    assign chosen[k]      = pwdata_i == 32'(k);
    assign started[k]     = started_q && kernel_q == KernW'(k);

    assign status[ballast_regs_pkg::KernelIdle]      = idle_i[k];
    assign status[ballast_regs_pkg::KernelExhausted] = exhausted_i[k];
    assign status[ballast_regs_pkg::KernelTooBig]    = too_big_i[k];
    assign status[31:3]                              = '0;

    assign kernel_words[k*32+:32] = ({32{at_quota[k]}} & 32'(quota_q[k])) | ({32{at_kernel[k]}} & status) |
                                    ({32{at_launches[k]}} & launches_q[k]);
    assign quota_o[k*LimitW+:LimitW] = quota_q[k];
  end

  for (genvar j = 0; j < 32; j++) begin : gen_kernel_word
    logic [NumKernels-1:0] column;
    for (genvar k = 0; k < NumKernels; k++) begin : gen_column
      assign column[k] = kernel_words[k*32+j];
    end
    assign kernel_word[j] = column != '0;
  end

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
      ballast_regs_pkg::AddrNumKernels: value = 32'(NumKernels);
      ballast_regs_pkg::AddrPolicy: begin
        value = 32'(policy_q);
        fits  = pwdata_i <= 32'd5;
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
      ballast_regs_pkg::AddrDispatch: begin
        value = 32'(dispatch_q);
        fits  = pwdata_i <= 32'd3;
      end
      ballast_regs_pkg::AddrGrid: begin
        value = grid_q;
        fits  = 1'b1;
      end
      ballast_regs_pkg::AddrWidth: begin
        value = width_q;
        fits  = 1'b1;
      end
      ballast_regs_pkg::AddrTwoD: begin
        value = 32'(two_d_q);
        fits  = flag;
      end
      ballast_regs_pkg::AddrWarps: begin
        value = 32'(warps_q);
        fits  = pwdata_i <= 32'(NumWarps + 1);
      end
      ballast_regs_pkg::AddrRegs: begin
        value = 32'(regs_q);
        fits  = pwdata_i <= 32'(RegUnits + 1);
      end
      ballast_regs_pkg::AddrSmem: begin
        value = 32'(smem_q);
        fits  = pwdata_i <= 32'(SmemUnits + 1);
      end
      ballast_regs_pkg::AddrNmax: begin
        value = 32'(nmax_q);
        fits  = !zero && pwdata_i <= 32'(NumSlots);
      end
      ballast_regs_pkg::AddrStart: begin
        value = 32'(kernel_q);
        fits  = (chosen & idle_i) != '0;
      end
      ballast_regs_pkg::AddrPending: begin
        value = 32'(pending_q);
        fits  = sticky;
      end
      ballast_regs_pkg::AddrEnable: begin
        value = 32'(enable_q);
        fits  = sticky;
      end
      ballast_regs_pkg::AddrKernelId: begin
        value = 32'(kernel_id_q);
        fits  = pwdata_i <= 32'd255;
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
      ballast_regs_pkg::AddrDenials: begin
        value = denials_q;
        fits  = zero;
      end
      ballast_regs_pkg::AddrKernels: begin
        value = kernels_q;
        fits  = zero;
      end
      default: begin
        // The windows: of 256 SMs a bit, and a word each; of the kernels
        there = (in_done && 32'(done_first) < NumSms) || (in_limit && shown != '0) ||
                (at_quota | at_kernel | at_launches) != '0;
        fits  = (at_quota != '0 && pwdata_i <= 32'(NumSlots)) || (at_launches != '0 && zero);
        value = in_done ? done_word : in_limit ? 32'(limit_word) : kernel_word;
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
    dispatch_d     = dispatch_q;
    grid_d         = grid_q;
    width_d        = width_q;
    two_d_d        = two_d_q;
    warps_d        = warps_q;
    regs_d         = regs_q;
    smem_d         = smem_q;
    nmax_d         = nmax_q;
    kernel_id_d    = kernel_id_q;
    start_d        = 1'b0;
    kernel_d       = kernel_q;
    wcta_d         = wcta_q;
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
        ballast_regs_pkg::AddrDispatch:    dispatch_d = 2'(pwdata_i);
        ballast_regs_pkg::AddrGrid:        grid_d = pwdata_i;
        ballast_regs_pkg::AddrWidth:       width_d = pwdata_i;
        ballast_regs_pkg::AddrTwoD:        two_d_d = 1'(pwdata_i);
        ballast_regs_pkg::AddrWarps:       warps_d = WarpW'(pwdata_i);
        ballast_regs_pkg::AddrRegs:        regs_d = RegW'(pwdata_i);
        ballast_regs_pkg::AddrSmem:        smem_d = SmemW'(pwdata_i);
        ballast_regs_pkg::AddrNmax:        nmax_d = LimitW'(pwdata_i);
        ballast_regs_pkg::AddrStart: begin
          start_d  = 1'b1;
          kernel_d = KernW'(pwdata_i);
          wcta_d   = 32'(warps_q) > NumWarps ? WctaW'(NumWarps) : WctaW'(warps_q);
        end
        ballast_regs_pkg::AddrKernelId:    kernel_id_d = 8'(pwdata_i);
        ballast_regs_pkg::AddrEnable:      enable_d = Sticky'(pwdata_i);
        default: ;
      endcase
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Counters (REG-5)

  // What a counter becomes: it stays at its end. Events reach the low bits; the high ones get the carry, or stay
  // where there is no place for it. So no bit waits for the carry out of all.
  function automatic [31:0] counted(input [31:0] old, input clear, input [EventW-1:0] events);
    logic [31:0]     from;
    logic [EventW:0] low;
    logic            full;  // the high bits
    from    = clear ? 32'd0 : old;
    low     = {1'b0, from[EventW-1:0]} + {1'b0, events};
    full    = from[31:EventW] == '1;
    counted = {from[31:EventW] + (32 - EventW)'(low[EventW] && !full),
               low[EventW-1:0] | {EventW{low[EventW] && full}}};
  endfunction

  assign clear_d = {5{write}} & {paddr_i == ballast_regs_pkg::AddrKernels, paddr_i == ballast_regs_pkg::AddrDenials,
                                paddr_i == ballast_regs_pkg::AddrLimitChanges, paddr_i == ballast_regs_pkg::AddrMemChanges,
                                paddr_i == ballast_regs_pkg::AddrSmChanges};
  assign launches_clear_d = {NumKernels{write}} & at_launches;

  // Over the SMs: each group by itself, then all groups
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int Members = NumSms - g * Group < Group ? NumSms - g * Group : Group;
    logic [Members-1:0] of_changed, of_denied;
    assign of_changed = changed[g*Group+:Members];
    assign of_denied  = denied_i[g*Group+:Members];

    always_ff @(posedge clk_i) begin : p_group
      if (!rst_ni) begin
        changes_of_q[g] <= '0;
        denials_of_q[g] <= '0;
      end else begin
        changes_of_q[g] <= GroupW'($countones(of_changed));
        denials_of_q[g] <= GroupW'($countones(of_denied));
      end
    end
  end

  always_comb begin : p_groups
    num_changes_d = '0;
    num_denials_d = '0;
    for (int g = 0; g < Groups; g++) begin
      num_changes_d = num_changes_d + EventW'(changes_of_q[g]);
      num_denials_d = num_denials_d + EventW'(denials_of_q[g]);
    end
  end

  assign sm_changes_d    = counted(sm_changes_q, clear_q[0], EventW'(sm_busy_i && !sm_busy_q));
  assign mem_changes_d   = counted(mem_changes_q, clear_q[1], EventW'(mem_busy_i && !mem_busy_q));
  assign limit_changes_d = counted(limit_changes_q, clear_q[2], num_changes_q);
  assign denials_d       = counted(denials_q, clear_q[3], num_denials_q);
  assign kernels_d       = counted(kernels_q, clear_q[4], EventW'(start_q));

  for (genvar k = 0; k < NumKernels; k++) begin : gen_of_kernel
    always_ff @(posedge clk_i) begin : p_launches
      if (!rst_ni) launches_q[k] <= '0;
      else         launches_q[k] <= counted(launches_q[k], launches_clear_q[k],
                                            EventW'(start_valid_i && start_kernel_i == KernW'(k)));
    end

    always_ff @(posedge clk_i) begin : p_quota
      if (!rst_ni)                   quota_q[k] <= LimitW'(NumSlots);
      else if (write && at_quota[k]) quota_q[k] <= LimitW'(pwdata_i);
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // Sticky bits and the interrupt (REG-6, REG-7): what happens wins over a clear

  logic [Sticky-1:0]     cause, cleared;
  logic [NumKernels-1:0] ended;

  assign cause[ballast_regs_pkg::PendingRefused]   = refused;
  assign cause[ballast_regs_pkg::PendingTooBig]    = (started & too_big_i) != '0;
  assign cause[ballast_regs_pkg::PendingInUse]     = in_use != '0;
  assign cause[ballast_regs_pkg::PendingNoCta]     = no_cta != '0;
  assign cause[ballast_regs_pkg::PendingLimit]     = above != '0;
  assign cause[ballast_regs_pkg::PendingKernelEnd+:4] = 4'(ended);

  assign ended     = running_q & idle_i;
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
      dispatch_q      <= '0;
      grid_q          <= '0;
      width_q         <= '0;
      two_d_q         <= 1'b0;
      warps_q         <= '0;
      regs_q          <= '0;
      smem_q          <= '0;
      nmax_q          <= LimitW'(NumSlots);
      kernel_id_q     <= '0;
      start_q         <= 1'b0;
      kernel_q        <= '0;
      wcta_q          <= '0;
      pending_q       <= '0;
      enable_q        <= '0;
      sm_changes_q    <= '0;
      mem_changes_q   <= '0;
      limit_changes_q <= '0;
      denials_q       <= '0;
      kernels_q       <= '0;
      clear_q         <= '0;
      launches_clear_q <= '0;
      num_changes_q   <= '0;
      num_denials_q   <= '0;
      sm_busy_q       <= 1'b0;
      mem_busy_q      <= 1'b0;
      started_q       <= 1'b0;
      running_q       <= '0;
    end else begin
      setup_q         <= psel_i && !penable_i;
      policy_q        <= policy_d;
      static_limit_q  <= static_limit_d;
      t_idle_q        <= t_idle_d;
      t_mem_l_q       <= t_mem_l_d;
      t_mem_h_q       <= t_mem_h_d;
      mode_q          <= mode_d;
      bcs_q           <= bcs_d;
      dispatch_q      <= dispatch_d;
      grid_q          <= grid_d;
      width_q         <= width_d;
      two_d_q         <= two_d_d;
      warps_q         <= warps_d;
      regs_q          <= regs_d;
      smem_q          <= smem_d;
      nmax_q          <= nmax_d;
      kernel_id_q     <= kernel_id_d;
      start_q         <= start_d;
      kernel_q        <= kernel_d;
      wcta_q          <= wcta_d;
      pending_q       <= pending_d;
      enable_q        <= enable_d;
      sm_changes_q    <= sm_changes_d;
      mem_changes_q   <= mem_changes_d;
      limit_changes_q <= limit_changes_d;
      denials_q       <= denials_d;
      kernels_q       <= kernels_d;
      clear_q         <= clear_d;
      launches_clear_q <= launches_clear_d;
      num_changes_q   <= num_changes_d;
      num_denials_q   <= num_denials_d;
      sm_busy_q       <= sm_busy_i;
      mem_busy_q      <= mem_busy_i;
      started_q       <= start_q;
      running_q       <= ~idle_i;
    end
  end

  assign policy_o       = policy_q;
  assign static_limit_o = static_limit_q;
  assign t_idle_o       = t_idle_q;
  assign t_mem_l_o      = t_mem_l_q;
  assign t_mem_h_o      = t_mem_h_q;
  assign mode_o         = mode_q;
  assign bcs_o          = bcs_q;
  assign dispatch_o     = dispatch_q;
  assign start_o        = start_q;
  assign kernel_o       = kernel_q;
  assign grid_o         = grid_q;
  assign width_o        = width_q;
  assign two_d_o        = two_d_q;
  assign warps_o        = warps_q;
  assign regs_o         = regs_q;
  assign smem_o         = smem_q;
  assign nmax_o         = nmax_q;
  assign kernel_id_o    = kernel_id_q;
  assign wcta_o         = wcta_q;

`ifdef VERILATOR
  // What was in the cycle before, for the assertions.
  logic              was_running, was_start, after_setup_first, after_sticks;
  logic [Sticky-1:0] was_pending;

  always_ff @(posedge clk_i) begin : p_was
    was_running       <= rst_ni;
    was_start         <= write && paddr_i == ballast_regs_pkg::AddrStart &&
        (chosen & idle_i) != '0;
    after_setup_first <= rst_ni && !(psel_i && !penable_i);
    after_sticks      <= rst_ni && !write;
    was_pending       <= pending_q;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // REG-3: what leaves here is legal.
      SettingsLegal: assert (policy_o <= 3'd5 && 32'(static_limit_o) <= NumSlots &&
          32'(t_idle_o) <= DynPeriod && t_mem_l_o <= t_mem_h_o && 32'(t_mem_h_o) <= DynPeriod);
      // REG-9: what a kernel is said to need can be said to the dispatcher, and an SM may hold a CTA at least.
      DescriptionLegal: assert (32'(warps_o) <= NumWarps + 1 && 32'(regs_o) <= RegUnits + 1 &&
          32'(smem_o) <= SmemUnits + 1 && nmax_o != '0 && 32'(nmax_o) <= NumSlots &&
          32'(wcta_o) <= NumWarps && 32'(kernel_o) < NumKernels);
      // REG-9: a start follows the write, and only where that kernel was idle.
      StartFollows: assert (!was_running || start_o == was_start);
      // REG-1: a refusal is the end of an access, and so is data; no access without a SETUP phase.
      OnlyInAccess: assert (psel_i && penable_i || !pslverr_o && prdata_o == '0);
      SetupFirst: assert (!after_setup_first || ((psel_i && penable_i) == pslverr_o));
      // REG-6: a bit goes only where software clears it.
      Sticks: assert (!after_sticks || (was_pending & ~pending_q) == '0);
      // REG-7
      Interrupt: assert (irq_o == |(pending_q & enable_q));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
