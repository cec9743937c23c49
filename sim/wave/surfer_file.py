# SPDX-License-Identifier: Apache-2.0
"""A strict reader of Surfer's command files, for tests: what Surfer 0.6 takes, as far as the views need it. A line holds a command and
its arguments; "#" begins a comment and ";" another command, so neither is in a text. A command that is not known, one for an item that
is not there, and an argument that Surfer would refuse is a ValueError with the line."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FORMATS = {"Hexadecimal", "Unsigned", "Number of ones"}  # of Surfer's translators
COLORS = {"Green", "Red", "Yellow", "Blue", "Pink", "Orange", "Gray", "Violet"}  # of its default theme
ALONE = {"item_unfocus", "group_fold_all", "zoom_fit", "zoom_in", "scroll_to_start"}


@dataclass
class Item:
    variable: str  # "" for a divider
    name: str
    color: str = ""
    format: str = ""


@dataclass
class SurferFile:
    items: list[Item] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    markers: list[tuple[str, int]] = field(default_factory=list)
    cursors: list[int] = field(default_factory=list)
    zooms: int = 0
    focus: int | None = None

    @classmethod
    def read(cls, path: Path) -> SurferFile:
        file = cls()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("# "):
                continue
            command, _, argument = line.partition(" ")
            try:
                file._take(command, argument)
            except ValueError as error:
                raise ValueError(f"{path.name}:{number}: {line}: {error}") from None
        return file

    def _take(self, command: str, argument: str) -> None:
        if "#" in argument or ";" in argument:
            raise ValueError("the command ends before the line does")
        if command in ALONE:
            if argument:
                raise ValueError("it takes nothing")
            self.zooms += command == "zoom_in"
            self.focus = None if command == "item_unfocus" else self.focus
            return
        if not argument.strip():
            raise ValueError("without an argument")
        job = getattr(self, f"_{command}", None)
        if job is None:
            raise ValueError("no such command")
        job(argument)

    def _new(self, item: Item) -> None:
        """An item comes after the one in focus, and takes the focus over; without one it comes last."""
        at = len(self.items) if self.focus is None else self.focus + 1
        self.items.insert(at, item)
        self.focus = None if self.focus is None else at

    def _focused(self) -> Item:
        if self.focus is None:
            raise ValueError("nothing is in focus")
        return self.items[self.focus]

    def _variable_add(self, name: str) -> None:
        self._new(Item(name, name))

    def _divider_add(self, name: str) -> None:
        self._new(Item("", name))

    def _item_focus(self, name: str) -> None:
        if not re.fullmatch("[a-p]+_", name):
            raise ValueError("no number of an item")
        number = int("".join(f"{ord(letter) - ord('a'):x}" for letter in name[:-1]), 16)
        if number >= len(self.items) or self.groups:
            raise ValueError("no such item")
        self.focus = number

    def _item_rename(self, name: str) -> None:
        self._focused().name = name

    def _item_set_color(self, color: str) -> None:
        if color not in COLORS:
            raise ValueError("no such color")
        self._focused().color = color

    def _item_set_format(self, text: str) -> None:
        if text not in FORMATS:
            raise ValueError("no such format")
        self._focused().format = text

    def _scope_add_as_group(self, scope: str) -> None:
        if self.focus is not None:
            raise ValueError("it would stand behind the item in focus")
        self.groups.append(scope)

    def _marker_set(self, argument: str) -> None:
        found = re.fullmatch(r"(\S+) (\d+)", argument)
        if not found or self.focus is not None:
            raise ValueError("a marker is a word and a time, behind all items")
        self.markers.append((found[1], int(found[2])))

    def _cursor_set(self, time: str) -> None:
        self.cursors.append(int(time))
