"""The picture of `twobone solve --svg`: a diagram of one target or an overview of many."""

import numpy as np

MOST = 4096  # targets in an overview; more cannot be told apart


class Picture:
    """The first targets of a table, collected to be drawn."""

    def __init__(self):
        self.pieces = []
        self.room = MOST

    def add(self, rows):
        if self.room > 0:
            self.pieces.append({name: value[: self.room] for name, value in rows.values.items()})
            self.room -= len(rows.places)

    def draw(self, file, options):
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
        file.write(text.encode())
