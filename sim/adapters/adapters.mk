# SPDX-License-Identifier: Apache-2.0
#
# Adapters for foreign simulators in C++: compiled against stand-ins of what they need of the simulator, and tested. Included by the Makefile.

ADAPTER := sim/adapters/gpgpusim
ADAPTER_OBJ := $(patsubst %.cc,$(OBJ_san)/%.o,$(wildcard $(ADAPTER)/*.cc))

# As the simulator compiles it. <ballast/client.h> is what an install has under that name.
$(ADAPTER_OBJ): $(OBJ_san)/%.o: %.cc sim/adapters/adapters.mk
	@mkdir -p $(@D)
	@$(CXX) $(CPPFLAGS) -I$(ADAPTER)/standin/gpgpu-sim -std=c++11 -g -Wall -Wextra -Wshadow -Werror $(SAN) -MMD -MP -c $< -o $@

$(B)/test/rooms/sim_adapters: $(ADAPTER_OBJ)
