"""Animations: their channels, and the keys of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from twobone.files.gltf.document import Document

WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


class Channel(NamedTuple):
    """What animates a property of a node."""

    animation: int
    place: int  # its index in "channels"
    node: int
    path: str  # "translation", "rotation", "scale" or "weights"
    sampler: int
    interpolation: str
    input: int  # accessor of the times
    output: int  # accessor of the values


def names(document: Document) -> list[str | None]:
    """Return the names of all animations, None for those that have none."""
    return [animation.string("name", None) for animation in document.root.array("animations")]


def targets(document: Document, animation: int) -> Iterator[tuple[int, int, str]]:
    """Find the channels that animate rotation, translation or scale of nodes.

    Yields
    ------
    int, int, str
        The index of the channel, its node and the property.
    """
    count = len(document.root.array("nodes"))
    members = document.root.array("animations")[animation].array("channels")
    for index, channel in enumerate(members):
        target = channel.object("target")
        if target.has("node") and target.string("path") in WIDTHS:
            yield index, target.index("node", count), target.string("path")


def weight_channels(document: Document, animation: int) -> list[Channel]:
    """Return the channels of an animation that animate the weights of morph targets."""
    whole = document.root.array("animations")[animation]
    samplers, accessors = whole.array("samplers"), len(document.root.array("accessors"))
    found = []
    for place, channel in enumerate(whole.array("channels")):
        target = channel.object("target")
        if target.has("node") and target.string("path") == "weights":
            node = target.index("node", len(document.root.array("nodes")))
            index = channel.index("sampler", len(samplers))
            ends = (samplers[index].index(end, accessors) for end in ("input", "output"))
            found.append(Channel(animation, place, node, "weights", index, "LINEAR", *ends))
    return found


def channels(document: Document, animation: int) -> list[Channel]:
    """Return the channels of an animation; raise `ClipError` if one is invalid."""
    whole = document.root.array("animations")[animation]
    samplers, members = whole.array("samplers"), whole.array("channels")
    accessors = len(document.root.array("accessors"))
    found, seen = [], set()
    for place, node, path in targets(document, animation):
        channel = members[place]
        if (node, path) in seen:
            channel.object("target").fail("one channel for each property", f"{path} twice")
        seen.add((node, path))
        index = channel.index("sampler", len(samplers))
        sampler = samplers[index]
        interpolation = sampler.choice("interpolation", INTERPOLATIONS, "LINEAR")
        ends = sampler.index("input", accessors), sampler.index("output", accessors)
        found.append(Channel(animation, place, node, path, index, interpolation, *ends))
    return found


def times(document: Document, channel: Channel) -> np.ndarray:
    """Return the times of a channel's keys in seconds, increasing."""
    member = _sampler(document, channel).member("input")
    found = document.accessor(channel.input)
    if found.ndim != 1 or found.dtype.kind != "f":
        member.fail("an accessor of scalar floats", f"accessor {channel.input}")
    if not np.all(np.isfinite(found)):
        member.fail("finite times", "others")
    if np.any(found[1:] <= found[:-1]):
        row = int(np.argmax(found[1:] <= found[:-1])) + 1
        member.fail("increasing times", f"{found[row]:g} after {found[row - 1]:g}")
    return found.astype(np.float64)


def values(document: Document, channel: Channel, count: int) -> np.ndarray:
    """Return the values of a channel's keys.

    Returns
    -------
    array, shape (count, width), or (count, 3, width) for CUBICSPLINE
        With splines in the middle of incoming and outgoing tangent. Rotations are as in the file,
        of any length but 0.
    """
    member = _sampler(document, channel).member("output")
    found, width = document.accessor(channel.output), WIDTHS[channel.path]
    is_spline = channel.interpolation == "CUBICSPLINE"
    if found.shape != (count * (3 if is_spline else 1), width):
        wanted = f"{count * (3 if is_spline else 1)} elements of {width} numbers"
        member.fail(wanted, f"shape {found.shape}")
    if not np.all(np.isfinite(found)):
        member.fail("finite values", "others")
    found = found.astype(np.float64)
    found = found.reshape(count, 3, width) if is_spline else found
    keys = found[:, 1] if is_spline else found
    if channel.path == "rotation" and not np.all(np.any(keys != 0.0, axis=1)):
        member.fail("quaternions of length 1", "one of length 0")
    return found


def _sampler(document, channel):
    return document.root.array("animations")[channel.animation].array("samplers")[channel.sampler]
