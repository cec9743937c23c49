/* SPDX-License-Identifier: Apache-2.0
 *
 * What was meant by a word that is none.
 */
#ifndef BALLAST_SUGGEST_H
#define BALLAST_SUGGEST_H

/* The one of `names` (NULL ends them) that takes the fewest changes of a letter (another one, one more, one less, two that changed
 * places), the first of several; NULL if that is more than a third of the word. */
const char *suggest(const char *word, const char *const *names);

#endif
