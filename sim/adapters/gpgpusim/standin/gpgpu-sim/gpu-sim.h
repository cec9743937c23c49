// SPDX-License-Identifier: Apache-2.0
//
// For the test of the adapter, which includes this name. All that it needs is in shader.h beside.
#include "shader.h"
