// SPDX-License-Identifier: Apache-2.0
//
// sm_stub: what ballast_chip needs of an SM, and nothing else. It takes CTAs into the slots that it is told, runs them, and says when
// they finish. Each CTA slot has its own warps. The slots have turns, one per cycle: a slot whose CTA runs and is not paused
// issues an instruction in its turn. A CTA finishes with its last one. doc/use/integration.md

`default_nettype none

module sm_stub #(
  parameter int NumWarps   = 16,
  parameter int NumSlots   = 4,
  parameter int IssueWidth = 2,
  parameter int Work0      = 40,  // instructions of a CTA of kernel 0, 1..255
  parameter int Work1      = 25   // and of the other ones
) (
  input  wire                                    clk_i,
  input  wire                                    rst_ni,
  input  wire                                    stall_i,         // the SM is not clocked
  input  wire  [NumSlots-1:0]                    cta_start_i,
  input  wire                                    other_kernel_i,  // of the CTA that is launched
  input  wire  [NumSlots-1:0]                    cta_paused_i,
  output logic [NumWarps-1:0]                    ws0_o,
  output logic [NumWarps-1:0]                    ws1_o,
  output logic [NumWarps-1:0]                    ws2_o,
  output logic [NumWarps-1:0]                    ws3_o,
  output logic [NumWarps-1:0]                    paused_o,
  output logic [IssueWidth-1:0]                  issue_valid_o,
  output logic [IssueWidth*$clog2(NumSlots)-1:0] issue_slot_o,
  output logic [NumSlots-1:0]                    cta_done_o
);

  localparam int PerSlot = NumWarps / NumSlots;
  localparam int SlotW   = $clog2(NumSlots);

  logic [NumSlots-1:0] run_q;   // a CTA is there
  logic [NumSlots-1:0] turn_q;  // whose turn it is: one bit
  logic [NumSlots-1:0] issue;
  logic [SlotW-1:0]    number;  // of the slot that issues

  assign issue = stall_i ? '0 : turn_q & run_q & ~cta_paused_i;

  always_ff @(posedge clk_i) begin : p_turn
    if (!rst_ni)       turn_q <= NumSlots'(1);
    else if (!stall_i) turn_q <= {turn_q[NumSlots-2:0], turn_q[NumSlots-1]};
  end

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    logic [7:0] left_q;  // instructions that are left
    logic [3:0] state;   // of its first warp, 0 is empty; the others wait for their turn

    assign cta_done_o[s] = issue[s] && left_q == 8'd1;
    assign state = !run_q[s] ? 4'd0 : issue[s] ? ballast_pkg::WarpIssuedAlu : ballast_pkg::WarpAluLost;

    always_ff @(posedge clk_i) begin : p_slot
      if (!rst_ni) begin
        run_q[s] <= 1'b0;
        left_q   <= '0;
      end else if (cta_start_i[s]) begin
        run_q[s] <= 1'b1;
        left_q   <= other_kernel_i ? 8'(Work1) : 8'(Work0);
      end else if (issue[s]) begin
        run_q[s] <= !cta_done_o[s];
        left_q   <= left_q - 8'd1;
      end
    end

    for (genvar w = 0; w < PerSlot; w++) begin : gen_warp
      logic [3:0] own;
      assign own = (w == 0 || !run_q[s]) ? state : ballast_pkg::WarpAluLost;
      assign {ws3_o[s*PerSlot+w], ws2_o[s*PerSlot+w], ws1_o[s*PerSlot+w], ws0_o[s*PerSlot+w]} = own;
      assign paused_o[s*PerSlot+w] = cta_paused_i[s];
    end
  end

  for (genvar j = 0; j < SlotW; j++) begin : gen_bit
    logic [NumSlots-1:0] is;
    for (genvar s = 0; s < NumSlots; s++) begin : gen_number
      assign is[s] = 1'(s >> j);
    end
    assign number[j] = (issue & is) != '0;
  end

  assign issue_valid_o = IssueWidth'(issue != '0);
  assign issue_slot_o  = (IssueWidth*SlotW)'(number);

endmodule

`default_nettype wire
