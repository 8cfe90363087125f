"""Damage to input files: what people, editors, spreadsheets and broken disks do to them.

Every function takes the bytes and a source of randomness, and gives other bytes. The same seed
gives the same bytes on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

Damage = Callable[[bytes, Random], bytes]

MOST_BYTES = 1 << 16
"""A mutant is not longer than this: large files have tests of their own."""

_NUMBER = re.compile(rb"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
_CELL = re.compile(rb"[^,;|\t =:\r\n]+")
EXTREMES = (
    "1e308", "-1e308", "1e309", "1e-320", "-0", "-0.0", "0", "-1", "nan", "-inf", "Infinity",
    "9223372036854775808", "-9223372036854775809", "9223372036854775807", "4294967296",
    "2147483648", "9007199254740993", "1_000", "1,024", "1.000,5", "0x10", "0b1", "1e", "1e5000",
    "1e-5000", "9" * 400, "0." + "0" * 400 + "1", "\u0661\u0662\u0663", "\uff11\uff12", "\u00bd",
    "\u00b2", "", " ", "true", "None", "1979-05-27", "1979-05-27T07:32:00Z", "0000-00-00", "12:99",
    "1.5e3", "+7", "--3", "1 000", "1\u00a0000", "1'000", "4x16", "50 %", "1e15", "1e16",
)  # fmt: skip
WORDS = (
    "", "\x00", "\x1b[31m", "\u202e", "\u2028", "\ufeff", "\U0001f600", "\u00e9" * 3, "e\u0301",
    '"', "'", '""', '"""', "'''", "\\", "`", "#", "%", ";", "|", ",", "\t", "\r", "\n", "\r\n",
    "=", "==", "[", "]", "[[", "{", "}", "..", "../..", "/dev/null", "-", "--", "*", "?", "$(x)",
    "=1+1", "@", "\x7f", "\x85", "\v", "\f", "inf", "NULL", "null", "#N/A", "#REF!", "K", "Unknown",
    "UNLIMITED", "None assigned", "_[1-2]", ".batch", "+0", "a" * 5000, "x=y", "1=2=3", "<a>",
)  # fmt: skip
NESTING = (b"[", b"{", b"(", b"[[", b"{a=", b"<a>", b'"', b"'", b'[{"a":', b"a.", b"((")


def mutated(data: bytes, random: Random) -> bytes:
    """Damage once to three times; every third mutant once and so little that it may be read."""
    if random.random() < 1 / 3:
        return random.choice(_GENTLE)(data, random)[:MOST_BYTES]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(_EVERYWHERE)(data, random)[:MOST_BYTES]
    return data


def damaged_bytes(data: bytes, random: Random) -> bytes:
    """Damage of bytes alone, for files that are no text."""
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        data = random.choice(_BYTES)(data, random)[: 4 * MOST_BYTES]
    return data


def _span(data: bytes, random: Random, most: int = 40) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.randint(0, most))


def _flip(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _set_byte(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    if data:
        changed[random.randrange(len(data))] = random.choice((0, 255, 127, 128, 10, 13, 34, 44))
    return bytes(changed)


def _delete(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _repeat(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:end] + data[start:end] * random.choice((1, 2, 300)) + data[end:]


def _insert(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.randbytes(random.randint(1, 8)) + data[at:]


def _truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _splice(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random, most=200)
    at = random.randint(0, len(data))
    return data[:at] + data[start:end] + data[at:]


def _number(data: bytes, random: Random) -> bytes:
    return _replace(data, _NUMBER, random.choice(EXTREMES).encode(), random)


def _digit(data: bytes, random: Random) -> bytes:
    results = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    if not results:
        return data
    at = random.choice(results)
    return data[:at] + str(random.randrange(10)).encode() + data[at + 1 :]


def _every_number(data: bytes, random: Random) -> bytes:
    extreme = random.choice(EXTREMES).encode()
    return _NUMBER.sub(lambda _: extreme, data)


def _cell(data: bytes, random: Random) -> bytes:
    return _replace(data, _CELL, random.choice(WORDS + EXTREMES).encode(), random)


def _replace(data: bytes, pattern: re.Pattern[bytes], by: bytes, random: Random) -> bytes:
    results = [match.span() for match in pattern.finditer(data)]
    if not results:
        return data + by
    start, end = random.choice(results)
    return data[:start] + by + data[end:]


def _swap_cells(data: bytes, random: Random) -> bytes:
    results = [match.span() for match in _CELL.finditer(data)]
    if len(results) < 2:
        return data
    (a, b), (c, d) = sorted(random.sample(results, 2))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _word(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(WORDS).encode() + data[at:]


def _lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at = random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            random.shuffle(lines)
        case 1:
            del lines[at]
        case 2:
            lines.insert(random.randint(0, len(lines)), lines[at])
        case 3:
            lines.insert(random.randint(0, len(lines)), lines.pop(at))
        case _:
            lines[at:at] = [lines[at]] * random.choice((2, 200))
    return b"".join(lines)


def _line_ends(data: bytes, random: Random) -> bytes:
    ends = (b"\r", b"\r\n", b"\n\r", b"\n\n", b"\x85", b"\v", b"\x00", b"", b" \\\n")
    return data.replace(b"\n", random.choice(ends), random.choice((-1, -1, 1)))


def _encoding(data: bytes, random: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    match random.randrange(5):
        case 0:
            return text.encode(random.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32")))
        case 1:
            return b"\xef\xbb\xbf" * random.choice((1, 2)) + data
        case 2:
            return text.encode("latin-1", "replace") + b"\xe4\xff"
        case 3:
            return data.translate(bytes.maketrans(b"aeiou", b"\xe4\xeb\xef\xf6\xfc"))
        case _:
            return text.encode("utf-7")


def _digits(data: bytes, random: Random) -> bytes:
    first = random.choice((0x660, 0x966, 0xFF10, 0x1D7CE))
    table = {ord("0") + number: chr(first + number) for number in range(10)}
    return data.decode("utf-8", "replace").translate(table).encode()


def _delimiters(data: bytes, random: Random) -> bytes:
    marks = (b",", b";", b"\t", b"|", b" ", b":", b"=")
    return data.replace(random.choice(marks), random.choice(marks))


def _quotes(data: bytes, random: Random) -> bytes:
    mark = random.choice((b'"', b"'", b'""', b"`"))
    start, end = _span(data, random)
    return data[:start] + mark + data[start:end] + random.choice((mark, b"")) + data[end:]


def _nest(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(NESTING) * random.choice((2, 50, 20_000)) + data[at:]


def _case(data: bytes, random: Random) -> bytes:
    start, end = _span(data, random, most=400)
    return data[:start] + data[start:end].swapcase() + data[end:]


def _decimals(data: bytes, random: Random) -> bytes:
    return data.replace(*random.choice(((b".", b","), (b",", b"."), (b".", b""))))


_BYTES: Sequence[Damage] = (
    _flip, _flip, _set_byte, _delete, _repeat, _insert, _truncate, _splice,
)  # fmt: skip
_GENTLE: Sequence[Damage] = (_digit, _digit, _digit, _number, _cell, _swap_cells, _lines, _case)
_EVERYWHERE: Sequence[Damage] = (
    *_BYTES, _number, _number, _number, _every_number, _cell, _cell, _swap_cells, _swap_cells,
    _word, _word, _lines, _lines, _line_ends, _encoding, _digits, _delimiters, _quotes, _nest,
    _case, _decimals,
)  # fmt: skip
