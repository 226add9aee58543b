"""SVG pictures of limbs: `diagram` draws one limb, `overview` draws many.

The SVG is self-contained: it has no scripts and loads no fonts or files. It follows the
reader's preference for light or dark. The same limb always gives the same text. Pictures are
scaled to the limb, so lengths of 1e-300 and 1e300 look alike. Targets that are too far away to
show are drawn at the border with an arrow.
"""

from twobone.pictures.diagram import diagram
from twobone.pictures.layers import LAYERS
from twobone.pictures.overview import overview

__all__ = ["LAYERS", "diagram", "overview"]
