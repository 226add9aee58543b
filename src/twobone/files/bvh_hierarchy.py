"""The hierarchy of BVH files: read joints, offsets and channels as text, and write them."""

import re
from typing import NamedTuple

from twobone.errors import ClipError
from twobone.files.columns import quote
from twobone.files.contents import described, wide_encoding

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
CHANNEL_OF = {name.lower(): name for name in CHANNELS}  # programs differ in upper and lower case
END_SITE = "End Site"
SHORTEST, LONGEST = 1e-300, 1e300  # seconds for a frame: the frame rate is finite
SECONDS = f"seconds for a frame, between {SHORTEST:g} and {LONGEST:g}"
LONGEST_NAME = 1000  # bytes; each end site repeats the name of its parent

TOKEN = re.compile(rb"[{}]|[^\s{}]+")
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
LINE_END = re.compile(rb"\r\n|\r|\n")
NAME_END = re.compile(rb"[{}\r\n]")
FRAMES = re.compile(rb"\s*Frames\s*:\s*(\S+)", re.IGNORECASE)
FRAME_TIME = re.compile(rb"\s*Frame\s+Time\s*:\s*(\S+)", re.IGNORECASE)


class Joint(NamedTuple):
    """A joint or an end site, with lists that are filled while its block is read."""

    name: str
    parent: int
    is_end_site: bool
    offset: list
    channels: list


class Motion(NamedTuple):
    """What stands between the hierarchy and the numbers."""

    frames: int
    frame_time: float
    frames_span: tuple  # where these two stand in the file: start and stop
    frame_time_span: tuple
    numbers_start: int


class Text:
    """The bytes of a file, the place up to which they were read, and errors that name a place."""

    def __init__(self, data, source):
        self.data = data
        self.source = source
        self.at = 3 if data.startswith(b"\xef\xbb\xbf") else 0

    def token(self, wanted):
        """Return the next word or brace and where it starts."""
        match = TOKEN.search(self.data, self.at)
        if match is None:
            raise self.error(len(self.data), wanted, "the end of the file")
        self.at = match.end()
        return match[0], match.start()

    def number(self, wanted):
        """Return the next word as a finite number."""
        token, start = self.token(wanted)
        number = float(token) if NUMBER.fullmatch(token) else float("nan")
        if not abs(number) < float("inf"):
            raise self.unexpected(start, wanted, token)
        return number

    def line(self):
        """Return the rest of the line, up to a brace, and where its first word starts."""
        end = NAME_END.search(self.data, self.at)
        stop = end.start() if end else len(self.data)
        rest = self.data[self.at : stop]
        start = stop - len(rest.lstrip())
        self.at = stop
        return rest.strip(), start

    def decode(self, name, start):
        """Return a name as text."""
        try:
            return name.decode()
        except UnicodeDecodeError as error:
            at = start + error.start
            raise self.error(at, "UTF-8 text", f"the byte 0x{self.data[at]:02x}") from None

    def unexpected(self, start, wanted, token):
        """Return an error about a word."""
        return self.error(start, wanted, quote(token[:100].decode(errors="replace")))

    def error(self, at, wanted, came):
        """Return an error about a place, given by its position in the file."""
        line, column = place(self.data, at)
        return ClipError(self.source, wanted, came, line=line, column=column)


def place(data, at):
    """Return the line and the column of a position, both from 1."""
    before = data[:at]
    lines = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
    begin = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
    return lines + 1, len(before[begin:].decode(errors="replace")) + 1


def read_hierarchy(text):
    """Read all joints, up to the word MOTION; return a list of them, parents first."""
    if not text.data or wide_encoding(text.data):
        raise text.error(0, "the word HIERARCHY, in UTF-8", described(text.data))
    word, start = text.token("the word HIERARCHY")
    if word.upper() != b"HIERARCHY":
        raise text.unexpected(start, "the word HIERARCHY", word)
    joints, open_blocks = [], []
    while True:
        top = joints[open_blocks[-1]] if open_blocks else None
        wanted = _wanted(joints, top)
        word, start = text.token(wanted)
        kind = word.upper()
        if kind == b"MOTION" and joints and top is None:
            return joints
        if kind == b"ROOT" and top is None:
            joints.append(Joint(_read_name(text), -1, False, [], []))
        elif kind == b"JOINT" and top is not None and not top.is_end_site:
            joints.append(Joint(_read_name(text), open_blocks[-1], False, [], []))
        elif kind == b"END" and top is not None and not top.is_end_site:
            text.line()  # "Site", or a name that no program reads
            joints.append(Joint(f"{top.name} {END_SITE}", open_blocks[-1], True, [], []))
        elif kind == b"OFFSET" and top is not None and not top.offset:
            top.offset.extend(text.number("a finite number for each of x, y, z") for _ in "xyz")
            continue
        elif kind == b"CHANNELS" and top is not None and not top.channels and not top.is_end_site:
            _read_channels(text, top.channels)
            continue
        elif word == b"}" and top is not None and top.offset:
            open_blocks.pop()
            continue
        else:
            raise text.unexpected(start, wanted, word)
        brace, start = text.token("{")
        if brace != b"{":
            raise text.unexpected(start, "{", brace)
        open_blocks.append(len(joints) - 1)


def _wanted(joints, top):
    """Return what may come next, in words."""
    if top is None:
        return "ROOT or MOTION" if joints else "ROOT"
    if not top.offset:
        return "OFFSET" if top.is_end_site or top.channels else "OFFSET or CHANNELS"
    if top.is_end_site:
        return "}"
    return "JOINT, End Site or }" if top.channels else "CHANNELS, JOINT, End Site or }"


def _read_name(text):
    name, start = text.line()
    if not 0 < len(name) <= LONGEST_NAME:
        wanted = f"the name of a joint, of at most {LONGEST_NAME} bytes"
        raise text.error(start, wanted, f"{len(name)} bytes")
    return text.decode(name, start)


def _read_channels(text, channels):
    wanted = f"the number of channels, 0 to {len(CHANNELS)}"
    token, start = text.token(wanted)
    if not (token.isdigit() and len(token) < 3 and int(token) <= len(CHANNELS)):
        raise text.unexpected(start, wanted, token)
    for _ in range(int(token)):
        wanted = f"one of the channels {', '.join(CHANNELS)}"
        token, start = text.token(wanted)
        channel = CHANNEL_OF.get(token.decode(errors="replace").lower())
        if channel is None:
            raise text.unexpected(start, wanted, token)
        if channel in channels:
            raise text.error(start, "each channel once", f"{channel} twice")
        channels.append(channel)


def read_motion(text):
    """Read the number of frames and the time of a frame, which stand above the numbers."""
    found = []
    for pattern, wanted in ((FRAMES, "Frames:"), (FRAME_TIME, "Frame Time:")):
        match = pattern.match(text.data, text.at)
        if match is None:
            wanted = f"{wanted} and a number"
            token, start = text.token(wanted)
            raise text.unexpected(start, wanted, token)
        text.at = match.end()
        found.append(match)
    frames, frame_time = found
    if not (frames[1].isdigit() and len(frames[1]) < 19 and int(frames[1])):
        raise text.unexpected(frames.start(1), "a number of frames, 1 or more", frames[1])
    seconds = float(frame_time[1]) if NUMBER.fullmatch(frame_time[1]) else 0.0
    if not SHORTEST < seconds < LONGEST:
        raise text.unexpected(frame_time.start(1), SECONDS, frame_time[1])
    return Motion(int(frames[1]), seconds, frames.span(1), frame_time.span(1), text.at)


def written(joints, frames, frame_time):
    """Return the text of all lines above the numbers of a new file.

    `joints` are in the order of the file: after each joint come all of its descendants.
    """
    lines, open_blocks = ["HIERARCHY"], []
    for index, joint in enumerate(joints):
        _close(lines, open_blocks, joint.parent)
        indent = "\t" * len(open_blocks)
        kind = "JOINT" if open_blocks else "ROOT"
        lines.append(indent + (END_SITE if joint.is_end_site else f"{kind} {joint.name}"))
        lines.append(indent + "{")
        lines.append(f"{indent}\tOFFSET {' '.join(map(repr, joint.offset))}")
        if joint.channels:
            names = " ".join(joint.channels)
            lines.append(f"{indent}\tCHANNELS {len(joint.channels)} {names}")
        open_blocks.append(index)
    _close(lines, open_blocks, -1)
    lines += ["MOTION", f"Frames: {frames}", f"Frame Time: {frame_time!r}", ""]
    return "\n".join(lines)


def _close(lines, open_blocks, parent):
    """Close all open blocks down to that of a joint's parent."""
    while open_blocks and open_blocks[-1] != parent:
        open_blocks.pop()
        lines.append("\t" * len(open_blocks) + "}")
