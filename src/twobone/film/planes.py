"""Pictures as video has them: brightness in each pixel, colour in squares of four (YUV 4:2:0)."""

import numpy as np

# BT.709. The rows are brightness and the differences of blue and red, of colours from 0 to 1.
_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])
_BLUE, _RED = 1.8556, 1.5748
TO_YUV = np.stack(
    [
        219.0 * _WEIGHTS,
        224.0 / _BLUE * (np.array([0.0, 0.0, 1.0]) - _WEIGHTS),
        224.0 / _RED * (np.array([1.0, 0.0, 0.0]) - _WEIGHTS),
    ]
).astype(np.float32)
OFFSET = np.array([16.0, 128.0, 128.0], np.float32)


def new(size):
    """Return planes for a picture of a width and height, both even: rows * 3/2 rows of uint8."""
    width, rows = size
    return np.empty((rows * 3 // 2, width), np.uint8)


def split(planes):
    """Return brightness (rows, columns) and both colours (2, rows / 2, columns / 2), as views."""
    rows, width = len(planes) * 2 // 3, planes.shape[1]
    return planes[:rows], planes[rows:].reshape(2, rows // 2, width // 2)


def from_linear(red, green, blue):
    """Return brightness and both colours, as on screen, of linear light: three arrays each."""
    red, green, blue = np.sqrt(red), np.sqrt(green), np.sqrt(blue)
    return [
        red * weights[0] + green * weights[1] + blue * weights[2] + start
        for weights, start in zip(TO_YUV, OFFSET, strict=True)
    ]


def to_rgb(planes):
    """Return the picture of planes as RGB, (rows, columns, 3) of uint8."""
    bright, colours = split(planes)
    every = np.stack([bright, *(colour.repeat(2, 0).repeat(2, 1) for colour in colours)], axis=-1)
    found = (every - OFFSET) @ np.linalg.inv(TO_YUV).T.astype(np.float32)
    return np.clip(np.rint(255.0 * found), 0.0, 255.0).astype(np.uint8)
