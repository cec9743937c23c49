# SPDX-License-Identifier: Apache-2.0
#
# The synthesized netlists in lockstep, and proved equal to the RTL. Included by the Makefile.
