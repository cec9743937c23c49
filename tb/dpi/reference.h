/* SPDX-License-Identifier: Apache-2.0
 *
 * reference: the reference model of any block by name, for benches in any language. A bench hands over what the pins of its RTL show
 * at a rising clock edge; the model takes the same inputs, and every output, and every register that the bench hands over, is compared.
 * The functions are DPI-C imports as they are (ballast_dpi_pkg.sv), VPI functions through ballast_vpi.c, and Python's through ctypes
 * (ballast_reference.py). doc/use/dpi.md
 *
 * A pin is a vector of the RTL by its name: "nmax_i", "limit_o", "inst_q". It takes words of 64 bits, lowest first: ceil(width / 64)
 * for a vector, one for each element of an array of vectors. Pins are connected once, then every word of them is put in every cycle.
 *
 * A cycle is a rising edge of the block's clock, with what a flip-flop of the block samples there: inputs, outputs and registers
 * before the edge. `rst_n` is the reset at this edge, 1 for a block that has none. Nothing is compared before the first edge in reset.
 * In a cycle in reset only registers are compared.
 *
 * A bit that is X or Z counts as 0 in an input, and as different in an output or register. An input beyond the range that the block's
 * page gives it counts as different, too, because the page does not say what comes of it.
 *
 * Handles are numbers from 1 on, and share nothing. Calls for all handles come from one thread. Nothing here ends the program. What
 * cannot be done returns the value that stands at the function, and ballast_reference_why says why in one line.
 */
#ifndef BALLAST_REFERENCE_H
#define BALLAST_REFERENCE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The model of a block; parameters as "NumSlots=8 CountW=16", those of the RTL, the others at their defaults. 0: there is no such
 * block or parameter, the model has no room for a value, or no memory. */
int ballast_reference_open(const char *block_name, const char *parameters);
void ballast_reference_close(int handle);

/* The names of all pins: those of number 0, 1 and so on; NULL from the last one on. */
const char *ballast_reference_pin(int handle, int number);
/* Bits of a pin, of each element for an array, and elements: 1, or how many an array has. 0: no such pin. */
int ballast_reference_width(int handle, const char *name);
int ballast_reference_elements(int handle, const char *name);
/* Connects a pin of `width` bits, of each element for an array. The number of its first word; -1: no such pin, or another width. */
int ballast_reference_connect(int handle, const char *name, int width);
/* A word of the RTL's in this cycle. A bit of `known` is 0 where the value is X or Z. A wrong number shows at the end of the cycle. */
void ballast_reference_put(int handle, int number, uint64_t value, uint64_t known);
/* Ends the cycle: compares, then takes the model over the edge. How many signals differ; -1: an input or output is not connected, or
 * a word was not put, or twice, since the last cycle. The model stays where it is then. */
int ballast_reference_cycle(int handle, int rst_n);
/* Ends a cycle of which the bench has put the inputs alone, for a prediction: nothing is compared. How many inputs are beyond their
 * range; -1: as above, of inputs. Without any cycle in reset before it the model begins as after one. */
int ballast_reference_step(int handle, int rst_n);
/* The model's word: of an output that of the last cycle, of a register that after its edge, of an input what was put. 0 elsewhere. */
uint64_t ballast_reference_get(int handle, int number);

/* One line on the last call of this handle that had something to say: of a cycle the first signal that differs, with both values, a
 * register before an output. Of handle 0: why there is no handle. Stays as it is until the next such call. */
const char *ballast_reference_why(int handle);

#ifdef __cplusplus
}
#endif
#endif
