/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers for reading a block's port list: name pasting, and the types of its structs.
 * The including file has included the list itself.
 */
#ifndef BALLAST_PORTS_H
#define BALLAST_PORTS_H

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#define BLOCK_FN(suffix) PASTE(BLOCK_STEM, suffix)
#define CFG_T BLOCK_FN(_cfg)
#define IN_T BLOCK_FN(_in)
#define OUT_T BLOCK_FN(_out)
#define STATE_T BLOCK_FN(_state)

#endif
