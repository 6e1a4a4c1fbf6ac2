"""A terminal with so many lines: what stands on it, and what has scrolled away and can no longer be reached."""

from __future__ import annotations

import re

# A command of the kind that moves, erases or colours; a control character; or plain text.
PIECES = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|([\r\n\x08])|([^\x1b\r\n\x08]+)|\x1b.?")
# The beginning of a command whose end has not come yet: what is read from a terminal may end anywhere.
BEGUN = re.compile(r"\x1b(?:\[[?\d;]*)?\Z")


class Screen:
    """Understands what progress is drawn with: lines, carriage returns, up, erase; colours are left out."""

    def __init__(self, lines: int, columns: int) -> None:
        self.height, self.width = lines, columns
        self.rows = [""]
        self._row = self._column = 0
        self._begun = ""

    @property
    def shown(self) -> list[str]:
        """The lines one can see."""
        return self.rows[-self.height :]

    def feed(self, text: str) -> None:
        """What a program writes, in parts as they come."""
        text, self._begun = self._begun + text, ""
        if begun := BEGUN.search(text):
            text, self._begun = text[: begun.start()], begun[0]
        for number, command, control, words in PIECES.findall(text):
            if command:
                self._command(command, number)
            elif control == "\r":
                self._column = 0
            elif control == "\n":
                self._down()
            elif words:
                self._write(words)

    def _command(self, command: str, number: str) -> None:
        if command == "A":
            top = max(0, len(self.rows) - self.height)
            self._row = max(top, self._row - int(number or 1))
        elif command == "K":
            kept = self.rows[self._row][: self._column] if number in ("", "0") else ""
            self.rows[self._row] = kept

    def _down(self) -> None:
        self._row += 1
        if self._row == len(self.rows):
            self.rows.append("")

    def _write(self, words: str) -> None:
        for letter in words:
            if self._column == self.width:
                self._down()
                self._column = 0
            row = self.rows[self._row].ljust(self._column)
            self.rows[self._row] = row[: self._column] + letter + row[self._column + 1 :]
            self._column += 1
