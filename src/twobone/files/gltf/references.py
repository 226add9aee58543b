"""References: how often the parts of a document use each accessor and each buffer view."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from twobone.files.gltf.document import Document

TO_ACCESSORS = {"indices", "input", "output", "inverseBindMatrices"}
LISTS = {"attributes", "targets"}  # every number inside is an accessor
# Extensions that refer to nodes, meshes, materials, textures and images only.
HARMLESS = ("VRM", "KHR_materials_", "KHR_texture_", "KHR_lights_")


class References(NamedTuple):
    """How often each index is used.

    Unknown extensions may refer to anything: every integer in one counts as a reference to both.
    So a part is free if it has no more references than those that are known.
    """

    accessors: Counter[int]
    views: Counter[int]


def count_references(document: Document) -> References:
    """Count all references in a document."""
    found = References(Counter(), Counter())
    waiting: list[tuple[Any, bool, bool]] = [(document.root.value, False, False)]
    while waiting:
        value, is_accessor, is_view = waiting.pop()
        if type(value) is list:
            waiting += [(each, is_accessor, is_view) for each in value]
        elif type(value) is dict:
            for key, each in value.items():
                if key == "extensions" and type(each) is dict:
                    unknown = (n for n in each if not n.startswith(HARMLESS))
                    waiting += [(each[name], True, True) for name in unknown]
                elif key != "extras":
                    is_index = type(each) is int and key in TO_ACCESSORS
                    to_accessor = is_accessor or is_index or key in LISTS
                    waiting.append((each, to_accessor, is_view or key == "bufferView"))
        elif type(value) is int:
            if is_accessor:
                found.accessors[value] += 1
            if is_view:
                found.views[value] += 1
    return found
