# SPDX-License-Identifier: Apache-2.0
"""Ballast in Python: reference models of the blocks, recordings, decision logs, replays of families and chips, the activity simulator, and policies
of your own as Python classes. The page is doc/use/python.md of the repository.

Needs Python 3.9 and nothing else. Arrays are numpy's where it is there."""
from __future__ import annotations

from ._library import Error, UnknownName
from .model import Model, Port, Values, blocks
from .policy import Answer, Place, Policy, SmView
from .recording import Cycle, Geometry, Launch, RecordedSM, Recording
from .replay import Chip, Decision, Family, chip, decisions, family
from .simulator import Simulation, simulate

__all__ = ["Answer", "Chip", "Cycle", "Decision", "Error", "Family", "Geometry", "Launch", "Model", "Place", "Policy", "Port", "RecordedSM", "Recording",
           "Simulation", "SmView", "UnknownName", "Values", "blocks", "chip", "decisions", "family", "simulate"]
