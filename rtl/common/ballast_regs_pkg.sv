// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ballast_regs_pkg: the registers of ballast_regs for the RTL. Made by 'make registers' from
// rtl/registers/ballast_regs.csv; change that.

`default_nettype none

// Who reads some of them need not read all.
// verilator lint_off UNUSEDPARAM
package ballast_regs_pkg;

  // Byte addresses
  localparam logic [11:0] AddrId           = 12'h000;  // ro
  localparam logic [11:0] AddrVersion      = 12'h004;  // ro
  localparam logic [11:0] AddrNumSms       = 12'h008;  // ro
  localparam logic [11:0] AddrNumSlots     = 12'h00C;  // ro
  localparam logic [11:0] AddrDynPeriod    = 12'h010;  // ro
  localparam logic [11:0] AddrNumKernels   = 12'h014;  // ro
  localparam logic [11:0] AddrPolicy       = 12'h040;  // rw
  localparam logic [11:0] AddrStaticLimit  = 12'h044;  // rw
  localparam logic [11:0] AddrTIdle        = 12'h048;  // rw
  localparam logic [11:0] AddrTMemL        = 12'h04C;  // rw
  localparam logic [11:0] AddrTMemH        = 12'h050;  // rw
  localparam logic [11:0] AddrMode         = 12'h054;  // rw
  localparam logic [11:0] AddrBcs          = 12'h058;  // rw
  localparam logic [11:0] AddrDispatch     = 12'h05C;  // rw
  localparam logic [11:0] AddrQuota        = 12'h060;  // rw, a window
  localparam logic [11:0] AddrDomains      = 12'h080;  // ro
  localparam logic [11:0] AddrKernel       = 12'h090;  // ro, a window
  localparam logic [11:0] AddrGrid         = 12'h0A0;  // rw
  localparam logic [11:0] AddrWidth        = 12'h0A4;  // rw
  localparam logic [11:0] AddrTwoD         = 12'h0A8;  // rw
  localparam logic [11:0] AddrWarps        = 12'h0AC;  // rw
  localparam logic [11:0] AddrRegs         = 12'h0B0;  // rw
  localparam logic [11:0] AddrSmem         = 12'h0B4;  // rw
  localparam logic [11:0] AddrNmax         = 12'h0B8;  // rw
  localparam logic [11:0] AddrStart        = 12'h0BC;  // rw
  localparam logic [11:0] AddrPending      = 12'h0C0;  // w1c
  localparam logic [11:0] AddrEnable       = 12'h0C4;  // rw
  localparam logic [11:0] AddrKernelId     = 12'h0C8;  // rw
  localparam logic [11:0] AddrSmChanges    = 12'h100;  // w0
  localparam logic [11:0] AddrMemChanges   = 12'h104;  // w0
  localparam logic [11:0] AddrLimitChanges = 12'h108;  // w0
  localparam logic [11:0] AddrDenials      = 12'h10C;  // w0
  localparam logic [11:0] AddrKernels      = 12'h110;  // w0
  localparam logic [11:0] AddrLaunches     = 12'h120;  // w0, a window
  localparam logic [11:0] AddrDone         = 12'h200;  // ro, a window
  localparam logic [11:0] AddrLimit        = 12'h400;  // ro, a window

  // Reset values that are not 0, of registers that have a constant one
  localparam logic [31:0] ResetId      = 32'h424C5354;
  localparam logic [31:0] ResetVersion = 32'h00020000;
  localparam logic [31:0] ResetTIdle   = 32'h00000010;
  localparam logic [31:0] ResetTMemL   = 32'h00000080;
  localparam logic [31:0] ResetTMemH   = 32'h00000180;
  localparam logic [31:0] ResetMode    = 32'h00000001;

  // The lowest bit of each field
  localparam int DomainsSmLevel   = 0;
  localparam int DomainsMemLevel  = 2;
  localparam int DomainsSmBusy    = 4;
  localparam int DomainsMemBusy   = 5;
  localparam int DomainsSmStall   = 6;
  localparam int DomainsMemStall  = 7;
  localparam int KernelIdle       = 0;
  localparam int KernelExhausted  = 1;
  localparam int KernelTooBig     = 2;
  localparam int PendingRefused   = 0;
  localparam int PendingTooBig    = 1;
  localparam int PendingInUse     = 2;
  localparam int PendingNoCta     = 3;
  localparam int PendingLimit     = 4;
  localparam int PendingKernelEnd = 5;

endpackage
// verilator lint_on UNUSEDPARAM

`default_nettype wire
