// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// limit_table: remembers the CTA limit that a search found for a kernel, and gives it as a hint at the
// kernel's next launch (LTB-1..LTB-5). A kernel is known by its id and its Nmax. One per chip.
//
// Timing: `hint_o` is combinational, from registers and what comes with the kernel start; no output
// depends on `limit_i` and `done_i` of the same cycle. A stored limit shows from the next cycle on. A
// kernel start has priority over a decision. While `enable_i` is 0, no register changes.
//
// doc/blocks/limit_table.md

`default_nettype none

module limit_table #(
  parameter int NumSlots = 8,  // CTA slots of an SM, 2..32
  parameter int Entries  = 4,  // kernels that are remembered, 1..16
  parameter int IdW      = 8   // bits of a kernel's id, 1..16
) (
  input  wire                           clk_i,
  input  wire                           rst_ni,
  input  wire                           enable_i,

  input  wire                           kernel_start_i,
  input  wire  [IdW-1:0]                kernel_id_i,  // only with kernel_start_i; 0: none
  input  wire  [$clog2(NumSlots+1)-1:0] nmax_i,       // only with kernel_start_i
  input  wire  [$clog2(NumSlots+1)-1:0] limit_i,      // of the search
  input  wire                           done_i,       // the search is over

  output logic [$clog2(NumSlots+1)-1:0] hint_o        // 0: none
);

  localparam int LimitW = $clog2(NumSlots + 1);
  localparam int EntryW = $clog2(Entries + 1 / Entries);  // of a single one a bit, too

  // The table; an empty entry is all 0. Yosys makes registers of it without a warning
  (* mem2reg *)
  logic [IdW-1:0]     entry_id_q [Entries];
  (* mem2reg *)
  logic [LimitW-1:0]  entry_nmax_q [Entries];
  (* mem2reg *)
  logic [LimitW-1:0]  entry_limit_q [Entries];
  logic [EntryW-1:0]  next_q, next_d;          // the entry for the next new kernel

  // The kernel that runs
  logic [Entries-1:0] own_q, own_d;            // its entry, one hot; 0: none
  logic [IdW-1:0]     id_q, id_d;              // 0: none
  logic [LimitW-1:0]  nmax_q, nmax_d;
  logic               done_was_q, done_was_d;  // done_i of its last cycle

  logic start, run;

  assign start = enable_i && kernel_start_i;
  assign run   = enable_i && !kernel_start_i;

  //////////////////////////////////////////////////////////////////////////////
  // The entry of the kernel that starts (LTB-1, LTB-3)

  logic               has_id;
  logic [Entries-1:0] match;

  assign has_id = kernel_id_i != '0;

  for (genvar e = 0; e < Entries; e++) begin : gen_match
    assign match[e] = has_id && {entry_id_q[e], entry_nmax_q[e]} == {kernel_id_i, nmax_i};
  end

  always_comb begin : p_hint
    hint_o = '0;
    for (int e = 0; e < Entries; e++) begin
      hint_o = hint_o | ({LimitW{start && match[e]}} & entry_limit_q[e]);
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // The end of a search (LTB-2, LTB-4)

  logic               store, fresh;  // the limit is stored; in the entry next_q
  logic [Entries-1:0] write;

  assign store = run && done_i && !done_was_q && id_q != '0 && limit_i != '0 && limit_i <= nmax_q;
  assign fresh = own_q == '0;

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign write[e] = fresh ? next_q == EntryW'(e) : own_q[e];

    // The kernel's own entry has its id and its Nmax already.
    always_ff @(posedge clk_i) begin : p_entry
      if (!rst_ni) begin
        entry_id_q[e]    <= '0;
        entry_nmax_q[e]  <= '0;
        entry_limit_q[e] <= '0;
      end else if (store && write[e]) begin
        entry_id_q[e]    <= id_q;
        entry_nmax_q[e]  <= nmax_q;
        entry_limit_q[e] <= limit_i;
      end
    end
  end

  always_comb begin : p_next
    next_d     = next_q;
    own_d      = own_q;
    id_d       = id_q;
    nmax_d     = nmax_q;
    done_was_d = done_was_q;

    if (start) begin
      own_d      = match;
      id_d       = kernel_id_i;
      nmax_d     = nmax_i;
      done_was_d = 1'b0;
    end else if (run) begin
      done_was_d = done_i;
      if (store) own_d = write;
      if (store && fresh) next_d = (next_q == EntryW'(Entries - 1)) ? '0 : next_q + EntryW'(1);
    end
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      next_q     <= '0;
      own_q      <= '0;
      id_q       <= '0;
      nmax_q     <= '0;
      done_was_q <= 1'b0;
    end else begin
      next_q     <= next_d;
      own_q      <= own_d;
      id_q       <= id_d;
      nmax_q     <= nmax_d;
      done_was_q <= done_was_d;
    end
  end

`ifdef VERILATOR
  // The entries of the running kernel, looked for once more.
  logic [Entries-1:0] same, empty, legal;

  for (genvar e = 0; e < Entries; e++) begin : gen_check
    assign same[e]  = id_q != '0 && entry_id_q[e] == id_q && entry_nmax_q[e] == nmax_q;
    assign empty[e] = entry_id_q[e] == '0;
    assign legal[e] = empty[e] ? {entry_nmax_q[e], entry_limit_q[e]} == '0
                               : entry_limit_q[e] != '0 && entry_limit_q[e] <= entry_nmax_q[e];
  end

  // What was in the cycle before, for the assertions.
  logic               after_start;
  logic [Entries-1:0] was_match;

  always_ff @(posedge clk_i) begin : p_was
    after_start <= rst_ni && start;
    was_match   <= match;
  end

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // LTB-1: a hint is a limit that the kernel can have, and only a start has one.
      HintRange: assert (hint_o <= nmax_i || hint_o == '0);
      HintAtStart: assert (start || hint_o == '0);
      // LTB-2: so is what an entry holds; an empty one holds nothing.
      EntriesLegal: assert (&legal);
      // LTB-3: one entry at most is of a kernel, and it is the one that is kept.
      OneMatch: assert ($countones(match) <= 1);
      OwnIsMatch: assert (own_q == same && $countones(same) <= 1);
      AfterStart: assert (!after_start || (own_q == was_match && !done_was_q));
      // LTB-4: entries are filled in their order.
      NextRange: assert (32'(next_q) < Entries);
      FillsInOrder: assert (empty == '0 || empty == ({Entries{1'b1}} << next_q));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
