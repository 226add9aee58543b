"""URDF documents: the links and joints of a robot as records, checked to form a tree.

Only `link` and `joint` elements directly below `robot` are read. Meshes are never opened, and
nothing outside of the file is loaded: a document type declaration, which could name other files or
expand without bound, is refused.
"""

from __future__ import annotations

import math
import os
import stat
from typing import NamedTuple, NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from twobone.errors import FileError
from twobone.files import atomic
from twobone.files.columns import quote
from twobone.files.numbers import is_number

MOST = 1 << 24  # bytes; the largest files of robots have less than a tenth of it
MOST_JOINTS = 10_000
DEEPEST = 256  # joints from the root to a link
NESTED = 100  # XML elements inside of each other
HUGE = 1e9  # metres or radians; no position is so far away, and limits as large are none
KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
READ = ("link", "joint", "origin", "axis", "limit", "parent", "child", "mimic")
MOVING = ("revolute", "continuous")  # they rotate about their axis


class Joint(NamedTuple):
    """A joint, as the file has it."""

    name: str
    kind: str  # one of `KINDS`
    parent: str  # name of a link
    child: str
    position: tuple[float, ...]  # of the joint, in the axes of the parent link
    rpy: tuple[float, ...]  # roll, pitch and yaw of the child link
    axis: tuple[float, ...]  # in the axes of the child link; of any length but 0
    limits: tuple[float, ...] | None  # lower and upper, if the file has them; may be infinite
    mimic: str | None  # the joint whose motion this joint copies


class UrdfDocument(NamedTuple):
    """The links and joints of a URDF file."""

    name: str  # of the robot
    links: tuple[str, ...]
    joints: tuple[Joint, ...]  # the parent of each is the root or a child of a joint before it
    root: str  # the link that is no joint's child
    source: str  # the name of the file in errors


def read(file: str | os.PathLike[str] | bytes, source: str | None = None) -> UrdfDocument:
    """Read a URDF file.

    Parameters
    ----------
    file : str, path or bytes
        The path of a file, or its contents: bytes, or a string that starts with "<".
    source : str, optional
        The name of the file in errors; by default its path.

    Returns
    -------
    UrdfDocument

    Raises
    ------
    FileError
        If the file is not a URDF file, is cut off, holds xacro macros or a document type
        declaration, if its joints do not form a tree, or a number is missing or not finite; with
        the line, the column and the name of the joint.
    ArrayTypeError
        If `file` is neither a path nor text.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from twobone.files import urdf
    >>> text = '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
    >>> text += '<parent link="a"/><child link="b"/><axis xyz="0 0 2"/></joint></robot>'
    >>> urdf.read(text).joints[0].axis
    (0.0, 0.0, 2.0)
    """
    encoding = None
    if isinstance(file, str) and file.lstrip("\ufeff \t\r\n").startswith("<"):
        # A string is already decoded, so an encoding that it declares no longer applies.
        data, encoding = file.lstrip("\ufeff").encode("utf-8", "replace"), "utf-8"
        source = source or "the text"
    elif isinstance(file, bytes | bytearray):
        data, source = bytes(file), source or "the file"
    else:
        atomic.check_path("file", file, "a path, or the text of a URDF file")
        source = str(file) if source is None else source
        data = _contents(file, source)
    if len(data) > MOST:
        raise FileError(source, f"at most {MOST} bytes", "more")
    return _Reader(source).document(data, encoding)


def _contents(path, source):
    mode = os.stat(path).st_mode  # check before opening, since opening a pipe waits for its writer
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise FileError(source, "a file", "a device or a pipe")
    with open(path, "rb") as opened:
        return opened.read(MOST + 1)


class _Reader:
    """Reads one document. ElementTree forgets lines and columns, so they are kept here."""

    def __init__(self, source):
        self.source = source
        self.places = {}  # line and column of each element
        self.depth = 0
        self.builder = ElementTree.TreeBuilder()

    def document(self, data, encoding):
        robot = self._parse(data, encoding)
        if robot.tag != "robot":
            self._fail(robot, "a <robot> element", f"<{_short(robot.tag)}>")
        links = tuple(self._name(each) for each in robot.findall("link"))
        found = robot.findall("joint")
        if len(found) > MOST_JOINTS:
            self._fail(robot, f"at most {MOST_JOINTS} joints", len(found))
        joints = [self._joint(each) for each in found]
        self._check_unique(robot.findall("link"), links, "link")
        self._check_unique(found, [each.name for each in joints], "joint")
        if not links:
            self._fail(robot, "links", "none")
        root, ordered = self._tree(links, list(zip(found, joints, strict=True)), robot)
        return UrdfDocument(robot.get("name", ""), links, ordered, root, self.source)

    # --- XML ------------------------------------------------------------------------------

    def _parse(self, data, encoding):
        self.parser = parser = expat.ParserCreate(encoding)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            came = expat.errors.messages.get(error.code, str(error))
            if not data.strip():
                came = "nothing: it is empty"
            line, column = error.lineno, error.offset + 1
            wanted = "an XML document"
            raise FileError(self.source, wanted, came, line=line, column=column) from None
        except (LookupError, UnicodeError) as error:  # of an encoding that the file declares
            raise FileError(self.source, "a known encoding", str(error), line=1) from None
        return self.builder.close()

    def _start(self, tag, attributes):
        self.depth += 1
        element = self.builder.start(tag, attributes)
        self.places[element] = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        if self.depth > NESTED:
            self._fail(element, f"at most {NESTED} elements inside of each other", "more")
        macros = [tag] if tag.startswith("xacro:") else []
        if tag in READ:
            macros += [text for text in attributes.values() if "${" in text or "$(" in text]
        if macros:
            wanted = "plain URDF (expand macros first: `xacro FILE > robot.urdf`)"
            self._fail(element, wanted, quote(_short(macros[0])))

    def _end(self, tag):
        self.depth -= 1
        self.builder.end(tag)

    def _refuse_doctype(self, *_):
        line = self.parser.CurrentLineNumber
        wanted = "no document type declaration"
        raise FileError(self.source, wanted, "<!DOCTYPE", line=line)

    def _fail(self, element, wanted, came, joint=None) -> NoReturn:
        line, column = self.places[element]
        field = None if joint is None else f"joint {quote(_short(joint))}"
        raise FileError(self.source, wanted, came, line=line, column=column, field=field)

    # --- elements -------------------------------------------------------------------------

    def _name(self, element):
        name = element.get("name")
        if not name:
            self._fail(element, f"a name of the <{element.tag}>", "none")
        return name

    def _joint(self, element):
        name = self._name(element)
        kind = element.get("type", "none")
        if kind not in KINDS:
            self._fail(element, f"a type of {', '.join(KINDS)}", quote(_short(kind)), name)
        parent, child = (self._link(element, tag, name) for tag in ("parent", "child"))
        axis = self._vector(element, "axis", "xyz", (1.0, 0.0, 0.0), name)
        if kind in (*MOVING, "prismatic") and not any(axis):
            self._fail(element.find("axis"), "an axis other than 0", "0 0 0", name)
        mimic = element.find("mimic")
        return Joint(
            name,
            kind,
            parent,
            child,
            self._vector(element, "origin", "xyz", (0.0, 0.0, 0.0), name),
            self._vector(element, "origin", "rpy", (0.0, 0.0, 0.0), name),
            axis,
            self._limits(element, name) if kind in ("revolute", "prismatic") else None,
            None if mimic is None else mimic.get("joint", ""),
        )

    def _link(self, element, tag, joint):
        found = element.findall(tag)
        if len(found) > 1:
            self._fail(found[1], f"one <{tag}>", len(found), joint)
        link = found[0].get("link") if found else None
        if not link:
            self._fail(element, f'<{tag} link="...">', "none", joint)
        return link

    def _vector(self, element, tag, attribute, default, joint):
        found = element.find(tag)
        text = None if found is None else found.get(attribute)
        if text is None:
            return default
        words = text.split()
        if len(words) != 3:
            self._fail(found, f"{attribute} of three numbers", quote(_short(text)), joint)
        return tuple(self._number(found, word, attribute, joint) for word in words)

    def _limits(self, element, joint):
        found = element.find("limit")
        if found is None or not {"lower", "upper"} & set(found.attrib):
            return None
        low, high = (
            self._limit(found, found.get(each, "0"), each, joint) for each in ("lower", "upper")
        )
        if low > high or low == math.inf or high == -math.inf:
            self._fail(found, "a lower limit that is not above the upper one", (low, high), joint)
        return low, high

    def _limit(self, element, text, attribute, joint):
        """Return a limit; exporters write infinite and huge ones for joints that have none."""
        number = float(text) if is_number(text) else math.nan
        if abs(number) >= HUGE:
            return math.copysign(math.inf, number)
        return self._number(element, text, attribute, joint)

    def _number(self, element, text, attribute, joint):
        number = float(text) if is_number(text) else math.nan
        if not abs(number) < HUGE:  # NaN and infinity are not either
            self._fail(element, f"{attribute} of finite numbers", quote(_short(text)), joint)
        return number

    # --- the tree -------------------------------------------------------------------------

    def _check_unique(self, elements, names, tag):
        seen = set()
        for element, name in zip(elements, names, strict=True):
            if name in seen:
                joint = name if tag == "joint" else None
                self._fail(element, f"one {tag} of each name", f"two {quote(_short(name))}", joint)
            seen.add(name)

    def _tree(self, links, joints, robot):
        """Return the root, and the joints in an order in which parents come first."""
        known, parents, below = set(links), {}, {}
        for element, joint in joints:
            for link in (joint.parent, joint.child):
                if link not in known:
                    came = f"no link {quote(_short(link))}"
                    self._fail(element, "links of the file", came, joint.name)
            if joint.child in parents:
                other = parents[joint.child].name
                came = f"{quote(_short(joint.child))} below {quote(_short(other))} too"
                self._fail(element, "one joint above each link", came, joint.name)
            parents[joint.child] = joint
            below.setdefault(joint.parent, []).append((element, joint))
        roots = [link for link in links if link not in parents]
        if len(roots) > 1:
            few = ", ".join(quote(_short(root)) for root in roots[:5])
            self._fail(robot, "one root link", f"{len(roots)}: {few}")
        ordered, ends = [], [(root, 0) for root in roots]
        while ends:
            link, depth = ends.pop()
            for element, joint in below.get(link, ()):
                if depth >= DEEPEST:
                    self._fail(element, f"at most {DEEPEST} joints in a row", "more", joint.name)
                ordered.append(joint)
                ends.append((joint.child, depth + 1))
        if len(ordered) < len(joints):
            reached = {joint.name for joint in ordered}
            element, joint = next(each for each in joints if each[1].name not in reached)
            self._fail(element, "a tree", "a loop of joints", joint.name)
        return roots[0], tuple(ordered)


def _short(text):
    return text if len(text) <= 60 else text[:57] + "..."
