/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard input, output and error of the whole program: what cannot be written to standard output is noticed, not lost.
 */
#ifndef BALLAST_STREAMS_H
#define BALLAST_STREAMS_H

/* Before anything is opened or printed. At the end of the program, whichever way it ends, standard output is flushed: a write error
 * gives one line on stderr and EXIT_BAD_INPUT; a pipe that nobody reads any more ends the program without a word. */
void streams_begin(void);

#endif
