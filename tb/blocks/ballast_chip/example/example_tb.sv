// SPDX-License-Identifier: Apache-2.0
//
// A chip of two SMs that runs two kernels at once. The bench programs it over APB as a driver does: quotas, two descriptions, two starts,
// the interrupt at each end. Then it reads status and counters back, and compares them with what it has seen on the SMs' side. The last line
// is "N passed, N failed". doc/use/integration.md

`default_nettype none

module example_tb;
  import ballast_regs_pkg::*;

  localparam int NumSms = 2, NumWarps = 16, NumSlots = 4, IssueWidth = 2, RegUnits = 64, SmemUnits = 32;
  localparam int SlotW = $clog2(NumSlots), LimitW = $clog2(NumSlots + 1);
  localparam int Grid0 = 12, Grid1 = 20, Quota0 = 1, Quota1 = 2;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;

  // APB, towards software
  logic        psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
  logic [11:0] paddr = '0;
  logic [31:0] pwdata = '0;
  wire  [31:0] prdata;
  wire         pready, pslverr, irq;

  // Towards the SMs
  wire [NumSms*NumWarps-1:0]         ws0, ws1, ws2, ws3, paused;
  wire [NumSms*IssueWidth-1:0]       issue_valid;
  wire [NumSms*IssueWidth*SlotW-1:0] issue_slot;
  wire [NumSms*NumSlots-1:0]         cta_start, cta_done, cta_paused;
  wire                               start_kernel, sm_stall;
  wire [31:0]                        start_cta;
  wire [NumSms*LimitW-1:0]           limit;

  ballast_chip #(
    .NumKernels(2),
    .NumSms    (NumSms),
    .NumWarps  (NumWarps),
    .NumSlots  (NumSlots),
    .IssueWidth(IssueWidth),
    .RegUnits  (RegUnits),
    .SmemUnits (SmemUnits)
  ) u_chip (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .psel_i        (psel),
    .penable_i     (penable),
    .pwrite_i      (pwrite),
    .pprot_i       (3'd0),
    .paddr_i       (paddr),
    .pwdata_i      (pwdata),
    .pstrb_i       (4'hF),
    .prdata_o      (prdata),
    .pready_o      (pready),
    .pslverr_o     (pslverr),
    .irq_o         (irq),
    .ws0_i         (ws0),
    .ws1_i         (ws1),
    .ws2_i         (ws2),
    .ws3_i         (ws3),
    .paused_i      (paused),
    .issue_valid_i (issue_valid),
    .issue_slot_i  (issue_slot),
    .cta_done_i    (cta_done),
    .kernel_start_o(),
    .kernel_o      (),
    .grid_o        (),
    .width_o       (),
    .two_d_o       (),
    .warps_o       (),
    .regs_o        (),
    .smem_o        (),
    .cta_start_o   (cta_start),
    .start_kernel_o(start_kernel),
    .start_cta_o   (start_cta),
    .limit_o       (limit),
    .cta_paused_o  (cta_paused),
    .pause_soft_o  (),
    .sm_level_o    (),
    .mem_level_o   (),
    .sm_busy_o     (),
    .mem_busy_o    (),
    .sm_stall_o    (sm_stall),
    .mem_stall_o   ()
  );

  for (genvar i = 0; i < NumSms; i++) begin : gen_sm
    sm_stub #(
      .NumWarps  (NumWarps),
      .NumSlots  (NumSlots),
      .IssueWidth(IssueWidth)
    ) u_sm (
      .clk_i         (clk),
      .rst_ni        (rst_n),
      .stall_i       (sm_stall),
      .cta_start_i   (cta_start[i*NumSlots+:NumSlots]),
      .other_kernel_i(start_kernel),
      .cta_paused_i  (cta_paused[i*NumSlots+:NumSlots]),
      .ws0_o         (ws0[i*NumWarps+:NumWarps]),
      .ws1_o         (ws1[i*NumWarps+:NumWarps]),
      .ws2_o         (ws2[i*NumWarps+:NumWarps]),
      .ws3_o         (ws3[i*NumWarps+:NumWarps]),
      .paused_o      (paused[i*NumWarps+:NumWarps]),
      .issue_valid_o (issue_valid[i*IssueWidth+:IssueWidth]),
      .issue_slot_o  (issue_slot[i*IssueWidth*SlotW+:IssueWidth*SlotW]),
      .cta_done_o    (cta_done[i*NumSlots+:NumSlots])
    );
  end

  //////////////////////////////////////////////////////////////////////////////
  // What the bench sees on the SMs' side, of kernel 0 and 1

  int                         launched [2], numbers [2];  // CTAs; the sum of their numbers
  int                         most [NumSms*2];            // that ran at once on an SM
  int                         together;                   // cycles in which both kernels ran on one SM
  logic [NumSms*NumSlots-1:0] runs = '0, is_other = '0;

  initial begin
    together = 0;
    for (int k = 0; k < 2; k++) begin
      launched[k] = 0;
      numbers[k]  = 0;
    end
    for (int n = 0; n < NumSms * 2; n++) most[n] = 0;
  end

  always @(posedge clk) begin : p_see
    int of0, of1;
    if (rst_n) begin
      runs     <= (runs | cta_start) & ~cta_done;
      is_other <= (is_other & ~cta_start) | (cta_start & {NumSms * NumSlots{start_kernel}});
      if (cta_start != '0) begin
        launched[start_kernel] <= launched[start_kernel] + 1;
        numbers[start_kernel]  <= numbers[start_kernel] + int'(start_cta);
      end
      for (int i = 0; i < NumSms; i++) begin
        of0 = 0;
        of1 = 0;
        for (int s = 0; s < NumSlots; s++) begin
          if (runs[i*NumSlots+s] && !is_other[i*NumSlots+s]) of0 = of0 + 1;
          if (runs[i*NumSlots+s] && is_other[i*NumSlots+s]) of1 = of1 + 1;
        end
        if (of0 > most[2*i]) most[2*i] <= of0;
        if (of1 > most[2*i+1]) most[2*i+1] <= of1;
        if (of0 != 0 && of1 != 0) together <= together + 1;
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // The driver. It changes its signals at the falling edge, and reads in the middle of a cycle's second half.

  int          passed = 0, failed = 0;
  logic        refused;
  logic [31:0] data;

  task automatic transfer(input logic write, input logic [11:0] address, input logic [31:0] value);
    psel    = 1'b1;  // SETUP
    penable = 1'b0;
    pwrite  = write;
    paddr   = address;
    pwdata  = value;
    @(negedge clk);
    penable = 1'b1;  // ACCESS
    #2;
    refused = pslverr;
    data    = prdata;
    @(negedge clk);
    psel    = 1'b0;
    penable = 1'b0;
  endtask

  task automatic expect_that(input string what, input logic [31:0] got, input logic [31:0] wanted);
    if (got === wanted) begin
      passed = passed + 1;
      $display("ok    %s: %0d", what, got);
    end else begin
      failed = failed + 1;
      $display("FAIL  %s: %0d, expected %0d", what, got, wanted);
    end
  endtask

  task automatic write(input logic [11:0] address, input logic [31:0] value);
    transfer(1'b1, address, value);
    if (refused) expect_that("a write that is refused", {20'd0, address}, 32'hFFFFFFFF);
  endtask

  task automatic expect_read(input string what, input logic [11:0] address, input logic [31:0] wanted);
    transfer(1'b0, address, '0);
    expect_that(what, refused ? 32'hFFFFFFFF : data, wanted);
  endtask

  task automatic describe(input int grid, input int warps, input int regs, input int smem, input int nmax);
    write(AddrGrid, grid);
    write(AddrWarps, warps);
    write(AddrRegs, regs);
    write(AddrSmem, smem);
    write(AddrNmax, nmax);
  endtask

  task automatic wait_for_irq;
    for (int n = 0; n < 20000 && irq !== 1'b1; n++) @(negedge clk);
    expect_that("the interrupt", {31'd0, irq}, 1);
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);

    expect_read("ID", AddrId, ResetId);
    expect_read("SMs", AddrNumSms, NumSms);
    expect_read("kernels at once", AddrNumKernels, 2);
    transfer(1'b1, AddrPolicy, 6);
    expect_that("a policy that does not exist is refused", {31'd0, refused}, 1);
    write(AddrPending, 1 << PendingRefused);

    // Two kernels share each SM: one CTA of kernel 0 beside two of kernel 1
    write(AddrQuota, Quota0);
    write(AddrQuota + 4, Quota1);
    write(AddrEnable, 3 << PendingKernelEnd);
    describe(Grid0, 4, 16, 8, Quota0 + Quota1);
    write(AddrStart, 0);
    describe(Grid1, 2, 8, 4, Quota0 + Quota1);
    write(AddrStart, 1);

    repeat (20) @(negedge clk);
    transfer(1'b1, AddrStart, 0);
    expect_that("a start while that kernel runs is refused", {31'd0, refused}, 1);
    expect_read("kernel 1 runs, and CTAs are left", AddrKernel + 4, 0);
    expect_read("limit of SM 1", AddrLimit + 4, Quota0 + Quota1);

    wait_for_irq;
    transfer(1'b0, AddrPending, '0);
    write(AddrPending, data);  // the first end
    @(negedge clk);
    wait_for_irq;
    write(AddrPending, 32'h1FF);
    @(negedge clk);

    expect_that("the interrupt is gone", {31'd0, irq}, 0);
    expect_read("kernel 0 is over", AddrKernel, 1 << KernelIdle | 1 << KernelExhausted);
    expect_read("kernel 1 is over", AddrKernel + 4, 1 << KernelIdle | 1 << KernelExhausted);
    expect_read("kernels started", AddrKernels, 2);
    expect_read("CTAs launched of kernel 0", AddrLaunches, Grid0);
    expect_read("CTAs launched of kernel 1", AddrLaunches + 4, Grid1);
    expect_that("CTAs of kernel 0 on the SMs", launched[0], Grid0);
    expect_that("CTAs of kernel 1 on the SMs", launched[1], Grid1);
    expect_that("sum of their numbers, kernel 0", numbers[0], Grid0 * (Grid0 - 1) / 2);
    expect_that("sum of their numbers, kernel 1", numbers[1], Grid1 * (Grid1 - 1) / 2);
    for (int i = 0; i < NumSms; i++) begin
      expect_that("most CTAs of kernel 0 on an SM at once", most[2*i], Quota0);
      expect_that("most CTAs of kernel 1 on an SM at once", most[2*i+1], Quota1);
    end
    expect_that("both kernels ran on one SM at the same time", {31'd0, together > 100}, 1);
    expect_that("no CTA is left on an SM", 32'(runs), 0);
    expect_read("no error is pending", AddrPending, 0);
    $display("%0d passed, %0d failed", passed, failed);
    $finish;
  end
endmodule

`default_nettype wire
