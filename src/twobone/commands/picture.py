"""A picture beside a table: of its one target a diagram, of many an overview."""

import numpy as np

from twobone.files import atomic

MOST = 4096  # targets in a picture of many; more are not to be told apart


class Picture:
    """The first targets of a table, kept to be drawn."""

    def __init__(self):
        self.pieces = []
        self.room = MOST

    def add(self, rows):
        if self.room > 0:
            self.pieces.append({name: value[: self.room] for name, value in rows.values.items()})
            self.room -= len(rows.places)

    def draw(self, path, options):
        from twobone.pictures import svg

        values = {
            name: np.concatenate([piece[name] for piece in self.pieces]) for name in self.pieces[0]
        }
        count = len(values["target"])
        if count == 1:
            values = {name: value[0].tolist() for name, value in values.items()}
        arguments = {**options, **values}
        limbs = [arguments.pop(name) for name in ("target", "r1", "r2")]
        text = (svg.diagram if count == 1 else svg.overview)(*limbs, **arguments)
        with atomic.replacing(path) as file:
            file.write(text.encode())
