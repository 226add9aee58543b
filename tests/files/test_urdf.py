"""URDF documents: what a file says, and what is wrong with broken and hostile ones."""

import math
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robot_files
from robot_files import joint, robot
from twobone import ArrayTypeError, FileError
from twobone.files import urdf

SMALL = robot(joint("j", "a", "b", "1 2 3", "0 0 2", limits=(-1, 2), rpy="0.1 0.2 0.3"))


def failure(text):
    """Return the error of a text."""
    with pytest.raises(FileError) as caught:
        urdf.read(text)
    return caught.value


# --- reading ------------------------------------------------------------------------------


def test_a_joint_is_read():
    document = urdf.read(SMALL)
    assert document.name == "robot"
    assert document.links == ("a", "b")
    assert document.root == "a"
    expected = urdf.Joint(
        "j", "revolute", "a", "b", (1, 2, 3), (0.1, 0.2, 0.3), (0, 0, 2), (-1, 2), None
    )
    assert document.joints == (expected,)


def test_what_is_left_out_has_the_values_of_the_format():
    text = '<robot><link name="a"/><link name="b"/><joint name="j" type="continuous">'
    text += '<parent link="a"/><child link="b"/><limit effort="3" velocity="1"/></joint></robot>'
    document = urdf.read(text)
    assert document.name == ""
    found = document.joints[0]
    assert found.position == found.rpy == (0.0, 0.0, 0.0)
    assert found.axis == (1.0, 0.0, 0.0)
    assert found.limits is None
    assert urdf.read(SMALL.replace('lower="-1" ', "")).joints[0].limits == (0.0, 2.0)


@pytest.mark.parametrize("most", ["inf", "1e16", "1.7976931348623157e+308", "1e9"])
def test_huge_limits_are_none(most):
    """Exporters write them for joints without limits; URDF has no other word for a slider's."""
    text = SMALL.replace('upper="2"', f'upper="{most}"')
    assert urdf.read(text).joints[0].limits == (-1.0, math.inf)
    text = text.replace('lower="-1"', f'lower="-{most}"')
    assert urdf.read(text).joints[0].limits == (-math.inf, math.inf)
    assert "expected lower of finite numbers" in str(failure(text.replace(f'"-{most}"', '"nan"')))
    wrong = text.replace(f'lower="-{most}"', f'lower="{most}"')
    assert "expected a lower limit" in str(failure(wrong))


def test_other_elements_are_not_read():
    more = '<transmission name="t"><joint name="j"><hardwareInterface>x</hardwareInterface></joint>'
    more += '</transmission><gazebo><plugin path="$(find x)"><joint/></plugin></gazebo>'
    more += '<link name="m"><visual><geometry><mesh filename="package://no/such.stl"/></geometry>'
    more += "</visual></link>" + joint("k", "b", "m", "0 0 0", kind="fixed")
    document = urdf.read(SMALL.replace("</robot>", more + "</robot>"))
    assert [each.name for each in document.joints] == ["j", "k"]


def test_mimic_names_its_joint():
    text = SMALL.replace("</joint>", '<mimic joint="other" multiplier="-1"/></joint>')
    assert urdf.read(text).joints[0].mimic == "other"


def test_parents_come_first():
    text = robot(joint("late", "b", "c", "0 0 0"), joint("early", "a", "b", "0 0 0"))
    assert [each.name for each in urdf.read(text).joints] == ["early", "late"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_files_of_any_encoding(tmp_path, encoding):
    declared = encoding.removesuffix("-sig")
    text = SMALL.replace('version="1.0"', f'version="1.0" encoding="{declared}"')
    text = text.replace('name="robot"', 'name="Käfer"')
    path = tmp_path / "robot.urdf"
    path.write_bytes(text.encode(encoding))
    for source in (path, str(path), path.read_bytes(), text, "\n" + text.partition("?>")[2]):
        assert urdf.read(source).name == "Käfer"
    assert urdf.read(path).source == str(path)


# --- what is refused ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('xyz="1 2 3"', 'xyz="1 2"', "line 5, column 68, field joint 'j': expected xyz of three"),
        ('xyz="1 2 3"', 'xyz="1 nan 3"', "joint 'j': expected xyz of finite numbers, got 'nan'"),
        ('xyz="1 2 3"', 'xyz="1 1e999 3"', "expected xyz of finite numbers, got '1e999'"),
        ('rpy="0.1 0.2 0.3"', 'rpy="0 0 x"', "joint 'j': expected rpy of finite numbers, got 'x'"),
        ('xyz="0 0 2"', 'xyz="0 0 0"', "joint 'j': expected an axis other than 0"),
        (
            'lower="-1"',
            'lower="3"',
            "a lower limit that is not above the upper one, got (3.0, 2.0)",
        ),
        ('type="revolute"', 'type="ball"', "joint 'j': expected a type of revolute, continuous"),
        ('type="revolute"', "", "got 'none'"),
        ('<parent link="a"/>', "", "joint 'j': expected <parent link=\"...\">, got none"),
        (
            '<parent link="a"/>',
            '<parent link="a"/><parent link="b"/>',
            "joint 'j': expected one <parent>, got 2",
        ),
        (
            '<child link="b"/>',
            '<child link="b"/><child link="a"/>',
            "joint 'j': expected one <child>, got 2",
        ),
        ('<child link="b"/>', '<child link="c"/>', "expected links of the file, got no link 'c'"),
        ('<child link="b"/>', '<child link="a"/>', "joint 'j'"),
        ('joint name="j"', "joint", "expected a name of the <joint>, got none"),
        (
            '<link name="b"/>',
            '<link name="b"/><link name="b"/>',
            "one link of each name, got two 'b'",
        ),
        ('<link name="b"/>', '<link name="b"/><link name="c"/>', "one root link, got 2: 'a', 'c'"),
        ("<robot ", "<!DOCTYPE r [<!ENTITY a 'b'>]><robot ", "no document type declaration"),
        ('xyz="1 2 3"', 'xyz="${x} 2 3"', "plain URDF (expand macros first: `xacro FILE"),
        ('<link name="b"/>', '<xacro:leg/><link name="b"/>', "got 'xacro:leg'"),
        ("<robot ", "<model ", "mismatched tag"),
        ("</robot>", "", "no element found"),
        ("</robot>", "</robot><robot/>", "junk after document element"),
        ('version="1.0"', 'version="1.0" encoding="no-such"', "n"),
    ],
)
def test_a_broken_file_is_told_with_its_place(old, new, message):
    assert SMALL.count(old) == 1
    text = SMALL.replace(old, new)
    error = failure(text.encode() if "no-such" in new else text)
    assert message in str(error)
    assert error.line is not None


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ([("j", "a", "b"), ("k", "b", "c"), ("l", "d", "c")], "one joint above each link"),
        ([("j", "a", "b"), ("k", "c", "d"), ("l", "d", "c")], "joint 'k': expected a tree, got a"),
        ([("j", "a", "b"), ("j", "b", "c")], "one joint of each name, got two 'j'"),
        ([(f"j{i}", f"l{i}", f"l{i + 1}") for i in range(300)], "at most 256 joints in a row"),
    ],
)
def test_joints_that_are_no_tree(joints, message):
    text = robot(*(joint(*each, "0 0 0", kind="fixed") for each in joints))
    error = failure(text)
    assert message in str(error)
    assert error.field.startswith("joint ")


def test_a_loop_through_all_links_has_no_root():
    text = robot(joint("j", "a", "b", "0 0 0"), joint("k", "b", "a", "0 0 0"))
    assert "joint 'j': expected a tree, got a loop" in str(failure(text))


def test_other_things_than_urdf(tmp_path):
    assert "expected an XML document, got nothing" in str(failure(b""))
    assert "expected an XML document" in str(failure(b"\x00\xff junk"))
    assert "expected a <robot> element, got <mujoco>" in str(failure("<mujoco/>"))
    assert "expected links, got none" in str(failure("<robot/>"))
    with pytest.raises(ArrayTypeError, match="`file` must be a path, or the text"):
        urdf.read(3)
    with pytest.raises(FileNotFoundError):
        urdf.read(tmp_path / "none.urdf")
    with pytest.raises(FileError, match="expected a file, got a device or a pipe"):
        urdf.read("/dev/null")


def test_hostile_files_end_soon():
    started = time.process_time()
    assert "elements inside of each other" in str(failure("<robot>" + "<a>" * 10**6))
    assert "at most" in str(failure(b"<robot>" + b" " * urdf.MOST))
    many = "".join(f'<link name="{i}"/>' for i in range(20_000))
    more = "".join(
        f'<joint name="{i}" type="fixed"><parent link="0"/><child link="{i}"/></joint>'
        for i in range(1, 20_000)
    )
    assert "at most 10000 joints" in str(failure(f"<robot>{many}{more}</robot>"))
    name = "x" * 10**6
    assert len(str(failure(SMALL.replace('name="j"', f'name="{name}"').replace("2 3", "2")))) < 400
    assert time.process_time() - started < 10.0


@settings(max_examples=150)
@given(st.integers(0, len(SMALL) - 1), st.integers(0, 30), st.binary(max_size=6))
def test_damaged_files_raise_nothing_else(at, length, put):
    data = SMALL.encode()
    with suppress(FileError):
        urdf.read(data[:at] + put + data[at + length :])


@pytest.mark.parametrize("make", [robot_files.quadruped, robot_files.desk_arm])
def test_cut_files_are_refused(make):
    data = make().encode()
    for at in range(0, len(data) - 9, 97):
        failure(data[:at])
