# SPDX-License-Identifier: Apache-2.0
"""Policies of your own as Python classes, behind the interface of C policies (<ballast/policy.h>, doc/use/own_policy.md)."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, NamedTuple, Optional, Sequence, Union

from ._library import Error, number, struct

_View, _Out, _Place = struct("ballast_policy_in"), struct("ballast_policy_out"), struct("ballast_policy_place")


@dataclass(frozen=True)
class Place:
    """Where an instance is: its SM, SMs of the chip; of an SM warp slots, CTA slots, instructions in a cycle at most."""

    sm: int
    sms: int
    warps: int
    slots: int
    issue_width: int


class SmView(_View):  # type: ignore[valid-type, misc]
    """An SM in one cycle: every field of ballast_policy_in by its name there, such as kernel_start, nmax, issued, ps_class, cta_active.
    `ws` and `issue_slot` are arrays. It is the same object in every cycle: keep values, not the view."""

    __slots__ = ("_warps",)

    def __getattribute__(self, name: str) -> Any:
        if name != "warp_slot":
            return super().__getattribute__(name)
        address = super().__getattribute__(name)
        return ctypes.string_at(address, self._warps) if address else b""


class Answer(NamedTuple):
    """What a step may return instead of a limit. `limit`: CTAs that may run, 1 to nmax in every cycle after a kernel's start. pause: CTAs
    beyond it are paused, the youngest first; else they run to their end. pause_soft: paused warps issue where no other can. done: the policy
    has decided for this kernel, and a family replay ends. sm_ask, mem_ask: what it asks of the clock domains, 0 nothing, 1 a step up, 2 a step
    down; the chip does what more than half of its SMs ask for. share: a word that `chip` sees of this SM in this cycle."""

    limit: int
    pause: bool = True
    pause_soft: bool = False
    done: bool = False
    sm_ask: int = 0
    mem_ask: int = 0
    share: int = 0


class Policy:
    """A base for policies; any class with start and step is one, and may have the others. Each SM has an instance of its own, made for each run."""

    def start(self, place: Place) -> None:
        """Before the first cycle."""

    def step(self, sm: SmView) -> Union[int, Answer]:
        """One cycle of the SM to the limit in the next one, from 1 to sm.nmax; before a kernel's start it is not read."""
        raise NotImplementedError

    def describe(self, sm: SmView, answer: Answer) -> Optional[str]:
        """After a step, of a run whose decisions are logged: the words of a decision in this cycle, in one line; None: it has none. A limit that
        moves without words has a line all the same."""
        return None

    def chip(self, said: Sequence[int]) -> Optional[Sequence[int]]:
        """Once per cycle, after the steps of all SMs, of the first SM's instance alone: from the share of each SM to what each hears in the next
        cycle (sm.heard). None: they hear what they heard last."""
        return None


class PythonPolicy:
    """What C calls. An exception is kept for the caller; nothing is called after it."""

    def __init__(self, make: Any):
        self._make = make
        self.error: Optional[BaseException] = None
        self.inside = False  # the caller's own code runs, where an exception is caught
        self._policies: Dict[int, Any] = {}
        self._views: Dict[int, SmView] = {}
        self._answers: Dict[int, Answer] = {}

    def has(self, name: str) -> bool:
        """Whether the function is to be called; of what is no class nobody knows before it has made its policies."""
        if not isinstance(self._make, type):
            return True
        mine = getattr(self._make, name, None)
        return callable(mine) and mine is not getattr(Policy, name)

    def on_start(self, sm: int, place: int) -> int:
        try:
            self.inside = True
            fields = {name: getattr(_Place.from_address(place), name) for name in Place.__dataclass_fields__}
            self._policies[sm] = self._make()
            self._views[sm] = SmView()
            self._views[sm]._warps = fields["warps"]
            self._policies[sm].start(Place(**fields))
            self.inside = False
        except BaseException as error:
            self.inside = False
            self.error = error
        return int(self.error is not None)

    def on_step(self, sm: int, view: int, out: int) -> int:
        mine = self._seen(sm, view)
        try:
            self.inside = True
            answer = self._policies[sm].step(mine)
            if not isinstance(answer, Answer):
                answer = Answer(answer)
            self._answers[sm] = answer
            to = _Out.from_address(out)
            to.limit = number(answer.limit, f"SM {sm}: the limit of the policy", 255)
            to.sm_ask = number(answer.sm_ask, f"SM {sm}: what the policy asks of the SMs' clocks", 255)
            to.mem_ask = number(answer.mem_ask, f"SM {sm}: what the policy asks of the memory's clock", 255)
            to.share = number(answer.share, f"SM {sm}: what the policy shares", (1 << 32) - 1)
            to.pause, to.pause_soft, to.done = bool(answer.pause), bool(answer.pause_soft), bool(answer.done)
            self.inside = False
        except BaseException as error:
            self.inside = False
            self.error = error
        mine.warp_slot = None  # it is valid in the call alone
        return int(self.error is not None)

    def on_describe(self, sm: int, view: int, line: int, size: int) -> int:
        mine, words = self._seen(sm, view), None
        try:
            self.inside = True
            describe = getattr(self._policies[sm], "describe", None)
            words = describe(mine, self._answers[sm]) if describe else None
            if words is not None:
                _put_line(words, f"SM {sm}: what the policy says", line, size)
            self.inside = False
        except BaseException as error:
            self.inside = False
            self.error = error
        mine.warp_slot = None
        return -1 if self.error is not None else int(words is not None)

    def on_chip(self, said: int, heard: int, sms: int) -> int:
        try:
            self.inside = True
            chip = getattr(self._policies[0], "chip", None)
            words = chip(tuple((ctypes.c_uint32 * sms).from_address(said))) if chip else None
            if words is not None and len(words) != sms:
                raise Error(f"the policy's chip says {len(words)} words for {sms} SMs")
            for sm, word in enumerate(words or ()):
                (ctypes.c_uint32 * sms).from_address(heard)[sm] = number(word, f"SM {sm}: what it hears of the policy", (1 << 32) - 1)
            self.inside = False
        except BaseException as error:
            self.inside = False
            self.error = error
        return int(self.error is not None)

    def _seen(self, sm: int, view: int) -> SmView:
        mine = self._views[sm]
        ctypes.memmove(ctypes.addressof(mine), view, ctypes.sizeof(mine))
        return mine


def _put_line(words: Any, what: str, line: int, size: int) -> None:
    """A text to C's `size` bytes with its NUL: no more of it than fits, and no half character."""
    if not isinstance(words, str):
        raise TypeError(f"{what}: a text or None is wanted, not {type(words).__name__}")
    data = words.replace("\0", " ").encode(errors="replace")[:size - 1].decode(errors="ignore").encode()
    ctypes.memmove(line, data + b"\0", len(data) + 1)


def python_policy(policy: Any) -> Optional[PythonPolicy]:
    """None: it is no class or function that makes policies, but a name or a file."""
    if isinstance(policy, (str, bytes)) or hasattr(policy, "__fspath__"):
        return None
    if not callable(policy):
        raise TypeError(f"policy: a name, a file or a class with start and step is wanted, not {type(policy).__name__}")
    if isinstance(policy, type) and not (callable(getattr(policy, "start", None)) and callable(getattr(policy, "step", None))):
        raise Error(f"policy: the class {policy.__name__} has no functions start and step")
    return PythonPolicy(policy)


def name_of(policy: Any) -> str:
    return str(getattr(policy, "__name__", type(policy).__name__))
