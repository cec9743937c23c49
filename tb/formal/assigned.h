/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a variable has a value wherever it is read, whatever way a function takes.
 */
#ifndef BALLAST_ASSIGNED_H
#define BALLAST_ASSIGNED_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/* On every way to every place that reads bytes of the variable, or hands out its address, these bytes were written before. Bytes of
 * padding do not count. `variable` is an alloca in a function that no optimizer has seen. */
bool assigned_before_use(LLVMTargetDataRef layout, LLVMValueRef function, LLVMValueRef variable);

#endif
