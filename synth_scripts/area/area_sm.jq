# SPDX-License-Identifier: Apache-2.0
#
# The storage of the SM that a configuration's governor sits in. The vendor's numbers of a generation: registers of 32 bits,
# and KiB of the memory that L1 and shared memory divide. Tags, instruction caches, texture caches and queues are not counted.

def sm_storage: {
    fermi:  {registers: 32768, l1_shared_kib: 64,  source: "GF100, compute capability 2.0"},
    kepler: {registers: 65536, l1_shared_kib: 64,  source: "GK110, compute capability 3.5"},
    hopper: {registers: 65536, l1_shared_kib: 256, source: "GH100, compute capability 9.0"}
};
def sm_bits: .registers * 32 + .l1_shared_kib * 1024 * 8;
