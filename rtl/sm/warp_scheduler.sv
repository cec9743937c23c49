// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// warp_scheduler: which warp issues in a cycle. Four orders, chosen at run time: loose round robin, greedy
// then oldest (GTO-1), two levels (TLV), sequential CTA aware (SCA-1..SCA-4). Paused warps are left out
// (PAUSE-2) or come last (PAUSE-4).
//
// Timing: `pick_o` and `warp_o` are combinational, from this cycle's inputs and the registers. While
// `enable_i` is 0, no register changes and nothing is picked; a launch is missed.
//
// All orders share one search: the first of a set of warps after some warp, around. An order only says
// which set and which warp.
//
// doc/blocks/warp_scheduler.md

`default_nettype none

module warp_scheduler #(
  parameter int NumWarps     = 48,  // warp slots, 2..64
  parameter int NumSlots     = 8,   // CTA slots of the SM, 1..32
  parameter int GroupSize    = 8,   // TLV: warps of a fetch group, 1..64
  parameter int ScaBothStall = 0,   // a group is left when 0 one of its warps stalls, 1 both (SCA-A2)
  parameter int ScaNext      = 0    // the next group is 0 the next higher one, 1 the oldest (SCA-A3)
) (
  input  wire                           clk_i,
  input  wire                           rst_ni,
  input  wire                           enable_i,

  input  wire  [1:0]                    policy_i,      // 0 LRR, 1 GTO, 2 TLV, 3 SCA
  input  wire                           pause_soft_i,  // paused warps come last

  input  wire  [NumWarps-1:0]           ready_i,
  input  wire  [NumWarps-1:0]           present_i,
  input  wire  [NumWarps-1:0]           paused_i,
  // Bit w of plane b is bit b of the number of warp w's CTA slot.
  input  wire  [NumWarps-1:0]           slot0_i,
  input  wire  [NumWarps-1:0]           slot1_i,
  input  wire  [NumWarps-1:0]           slot2_i,
  input  wire  [NumWarps-1:0]           slot3_i,
  input  wire  [NumWarps-1:0]           slot4_i,
  input  wire  [$clog2(NumWarps+1)-1:0] warps_per_cta_i,
  input  wire  [NumSlots-1:0]           cta_start_i,

  output logic                          pick_o,
  output logic [$clog2(NumWarps)-1:0]   warp_o
);

  localparam int WarpW  = $clog2(NumWarps);
  localparam int Padded = 1 << WarpW;
  localparam int SumW   = $clog2(NumWarps + 1) + 1;  // of a warp and warps_per_cta_i

  localparam logic [1:0] Gto = 2'd1, Tlv = 2'd2, Sca = 2'd3;  // 0: loose round robin

  logic [WarpW-1:0]    last_q;              // the warp that was picked last
  logic                hold_q;              // in the last enabled cycle
  (* mem2reg *)                             // Yosys makes registers of it without a warning
  logic [NumSlots-1:0] older_q [NumSlots];  // [i][j], i < j: slot i's CTA is older than slot j's

  //////////////////////////////////////////////////////////////////////////////
  // Who can be picked

  logic [NumWarps-1:0] legal;  // the slot number is below NumSlots
  logic [NumWarps-1:0] plane1, plane2, plane3, plane4;
  logic [NumWarps-1:0] known, there, can;
  logic                late;   // no warp can be picked that is not paused

  // A comparison with a constant, from the lowest bit on.
  always_comb begin : p_legal
    legal = '0;
    legal = (NumSlots & 1)  != 0 ? ~slot0_i | legal : ~slot0_i & legal;
    legal = (NumSlots & 2)  != 0 ? ~slot1_i | legal : ~slot1_i & legal;
    legal = (NumSlots & 4)  != 0 ? ~slot2_i | legal : ~slot2_i & legal;
    legal = (NumSlots & 8)  != 0 ? ~slot3_i | legal : ~slot3_i & legal;
    legal = (NumSlots & 16) != 0 ? ~slot4_i | legal : ~slot4_i & legal;
    if (NumSlots >= 32) legal = '1;
  end

  // Of a legal slot number these planes are 0. They need no comparison then.
  assign plane1 = NumSlots > 2  ? slot1_i : '0;
  assign plane2 = NumSlots > 4  ? slot2_i : '0;
  assign plane3 = NumSlots > 8  ? slot3_i : '0;
  assign plane4 = NumSlots > 16 ? slot4_i : '0;

  assign known = present_i & legal;
  assign late  = pause_soft_i && (ready_i & known & ~paused_i) == '0;
  assign there = known & (~paused_i | {NumWarps{late}});
  assign can   = ready_i & there;

  assign pick_o = enable_i && can != '0;

  //////////////////////////////////////////////////////////////////////////////
  // The oldest CTA with a warp that can be picked, and its warps (GTO-1)

  logic [NumSlots-1:0]          slot_can;
  logic [NumSlots*NumSlots-1:0] above_slot;  // constant, by i: the slots above i
  logic [NumSlots*NumSlots-1:0] elder;       // by slot: the slots that can and have an older CTA
  logic [NumSlots-1:0]          oldest;      // one slot, as ages are an order
  logic [4:0]                   oldest_num;
  logic [NumWarps-1:0]          of_oldest;

  for (genvar i = 0; i < NumSlots; i++) begin : gen_slots
    assign above_slot[i*NumSlots+:NumSlots] = {NumSlots{1'b1}} << (i + 1);
    assign slot_can[i] = (can & ((i & 1)  != 0 ? slot0_i : ~slot0_i) & ((i & 2) != 0 ? plane1 : ~plane1) &
                                ((i & 4)  != 0 ? plane2 : ~plane2) & ((i & 8) != 0 ? plane3 : ~plane3) &
                                ((i & 16) != 0 ? plane4 : ~plane4)) != '0;
    for (genvar j = 0; j < NumSlots; j++) begin : gen_before
      if (j < i) begin : gen_below
        assign elder[i*NumSlots+j] = slot_can[j] && older_q[j][i];
      end else if (j > i) begin : gen_above
        assign elder[i*NumSlots+j] = slot_can[j] && !older_q[i][j];
      end else begin : gen_itself
        assign elder[i*NumSlots+j] = 1'b0;
      end
    end
    assign oldest[i] = slot_can[i] && elder[i*NumSlots+:NumSlots] == '0;
  end

  // Not in the loop: Icarus 11 does not leave an always_comb that reads an array by its loop's variable.
  always_comb begin : p_oldest
    oldest_num = '0;
    for (int i = 0; i < NumSlots; i++) oldest_num = oldest_num | ({5{oldest[i]}} & 5'(i));
  end

  assign of_oldest = can & ~(slot0_i ^ {NumWarps{oldest_num[0]}}) & ~(plane1 ^ {NumWarps{oldest_num[1]}}) &
                     ~(plane2 ^ {NumWarps{oldest_num[2]}}) & ~(plane3 ^ {NumWarps{oldest_num[3]}}) &
                     ~(plane4 ^ {NumWarps{oldest_num[4]}});

  //////////////////////////////////////////////////////////////////////////////
  // The fetch group of the last warp (TLV)

  logic [NumWarps-1:0] last_hot;  // last_q as a set
  logic [NumWarps-1:0] fetch_group;

  for (genvar w = 0; w < NumWarps; w++) begin : gen_groups
    localparam int First = w / GroupSize * GroupSize;
    localparam int Next  = First + GroupSize < NumWarps ? First + GroupSize : NumWarps;
    assign last_hot[w]    = 32'(last_q) == w;
    assign fetch_group[w] = last_hot[Next-1:First] != '0;
  end

  //////////////////////////////////////////////////////////////////////////////
  // The pair of CTAs of the last warp, its group, and the places of the groups that can go on (SCA)

  logic [4:0]          last_slot;
  logic [NumWarps-1:0] in_pair, even, odd, places, other_places;
  logic [SumW-1:0]     partner_sum;           // where the partner would be
  logic [NumWarps-1:0] partner_hot, here_hot; // here: the place of the last warp's group
  logic [WarpW-1:0]    partner, here;
  logic                at_partner;            // the last warp is in the odd slot
  logic                last_there, last_can, partner_there, partner_can;
  logic                stays, moves;          // SCA-2, SCA-3

  assign last_slot = {|(plane4 & last_hot), |(plane3 & last_hot), |(plane2 & last_hot), |(plane1 & last_hot),
                      |(slot0_i & last_hot)};
  assign in_pair   = legal & {NumWarps{(legal & last_hot) != '0}} & ~(plane1 ^ {NumWarps{last_slot[1]}}) &
                     ~(plane2 ^ {NumWarps{last_slot[2]}}) & ~(plane3 ^ {NumWarps{last_slot[3]}}) &
                     ~(plane4 ^ {NumWarps{last_slot[4]}});
  assign even      = in_pair & ~slot0_i;
  assign odd       = in_pair & slot0_i;

  // Below 0 the difference is larger than any warp.
  assign partner_sum   = last_slot[0] ? SumW'(last_q) - SumW'(warps_per_cta_i) : SumW'(last_q) + SumW'(warps_per_cta_i);
  assign partner       = partner_sum[WarpW-1:0];
  for (genvar w = 0; w < NumWarps; w++) begin : gen_partner
    assign partner_hot[w] = 32'(partner_sum) == w && in_pair[w] && (slot0_i[w] ^ last_slot[0]);
  end

  assign at_partner    = last_slot[0] && partner_hot != '0;
  assign here          = at_partner ? partner : last_q;
  assign here_hot      = at_partner ? partner_hot : last_hot;
  assign last_there    = (there & last_hot) != '0;
  assign last_can      = (can & last_hot) != '0;
  assign partner_there = (there & partner_hot) != '0;
  assign partner_can   = (can & partner_hot) != '0;

  assign stays = hold_q && (last_can || partner_can) &&
                 (ScaBothStall != 0 || (last_can == last_there && partner_can == partner_there));

  assign places       = even & (can | ((can & odd) >> warps_per_cta_i));
  assign other_places = places & ~here_hot;
  assign moves        = hold_q && places != '0;

  //////////////////////////////////////////////////////////////////////////////
  // The search: the first warp of `set` after warp `from`, around; the lowest one if `lowest` is 1

  logic [NumWarps-1:0] set, behind;
  logic [Padded-1:0]   rest;
  logic [WarpW-1:0]    from;
  logic                from_lowest;
  logic [WarpW-1:0]    found;

  always_comb begin : p_set
    set         = of_oldest;
    from        = last_q;
    from_lowest = 1'b1;
    if (policy_i == Sca) begin
      if (moves) begin
        set         = ScaNext != 0 && other_places != '0 ? other_places : places;
        from        = here;
        from_lowest = ScaNext != 0;
      end
    end else if (policy_i != Gto) begin
      set         = policy_i == Tlv && (can & fetch_group) != '0 ? can & fetch_group : can;
      from_lowest = 1'b0;
    end
  end

  assign behind = from_lowest ? '0 : set & ({NumWarps{1'b1}} << from << 1);

  // The lowest bit, by halves.
  assign rest = behind != '0 ? Padded'(behind) : Padded'(set);
  for (genvar b = 0; b < WarpW; b++) begin : gen_halves
    logic [(2<<b)-1:0] whole;
    if (b == WarpW - 1) begin : gen_first
      assign whole = rest;
    end else begin : gen_next
      assign whole = gen_halves[b+1].gen_half.half;
    end
    assign found[b] = whole[(1<<b)-1:0] == '0;
    if (b != 0) begin : gen_half
      logic [(1<<b)-1:0] half;  // that holds the bit
      assign half = found[b] ? whole[(2<<b)-1:1<<b] : whole[(1<<b)-1:0];
    end else begin : gen_bit
      logic unused_whole;
      assign unused_whole = whole[1];
    end
  end

  //////////////////////////////////////////////////////////////////////////////
  // The pick

  logic [NumWarps-1:0] found_hot;
  logic [WarpW-1:0]    searched;

  for (genvar w = 0; w < NumWarps; w++) begin : gen_found
    assign found_hot[w] = 32'(found) == w;
  end

  // SCA: a group has the place of its warp in the even slot. Of an empty set 0.
  assign searched = set == '0 ? '0 :
                    found + (policy_i == Sca && moves && (can & found_hot) == '0 ? WarpW'(warps_per_cta_i) : '0);

  always_comb begin : p_pick
    warp_o = searched;
    if (policy_i == Sca && stays)                  warp_o = partner_can ? partner : last_q;
    if (policy_i == Gto && hold_q && last_can)     warp_o = last_q;
    if (!enable_i)                                 warp_o = '0;
  end

  always_ff @(posedge clk_i) begin : p_regs
    if (!rst_ni) begin
      last_q <= WarpW'(NumWarps - 1);
      hold_q <= 1'b0;
    end else if (enable_i) begin
      hold_q <= pick_o;
      if (pick_o) last_q <= warp_o;
    end
  end

  // A launch makes its slot the youngest. Of several launches, the highest slot is the youngest.
  always_ff @(posedge clk_i) begin : p_ages
    if (!rst_ni) begin
      for (int i = 0; i < NumSlots; i++) older_q[i] <= '0;
    end else if (enable_i && cta_start_i != '0) begin
      for (int i = 0; i < NumSlots; i++) begin
        older_q[i] <= (cta_start_i | (older_q[i] & {NumSlots{!cta_start_i[i]}})) & above_slot[i*NumSlots+:NumSlots];
      end
    end
  end

`ifdef VERILATOR

  // In some geometries a range is all that a width can say.
  // verilator lint_off CMPCONST
  always_ff @(posedge clk_i) begin : p_assert
    if (rst_ni) begin
      // A warp is picked whenever one can be, and only such a one.
      PickCan: assert (!pick_o || (can[warp_o] && ready_i[warp_o] && present_i[warp_o]));
      WorkConserving: assert (pick_o == (enable_i && (ready_i & there) != '0));
      // PAUSE-2, PAUSE-4: a paused warp only if it may, and if no other can be picked.
      PausedLast: assert (!(pick_o && paused_i[warp_o]) || (pause_soft_i &&
          (ready_i & known & ~paused_i) == '0));
      // The ages are an order: one of the CTAs is the oldest.
      OldestOne: assert (!pick_o || ($onehot(oldest) && of_oldest != '0));
      // GTO-1: greedy while the warp can go on.
      GreedyStays: assert (!(enable_i && policy_i == Gto && hold_q && can[last_q]) || warp_o == last_q);
      LastLegal: assert (32'(last_q) < NumWarps);
      // Without the enable nothing is picked.
      EnableEvents: assert (enable_i || (!pick_o && warp_o == '0));
    end
  end
  // verilator lint_on CMPCONST
`endif

endmodule

`default_nettype wire
