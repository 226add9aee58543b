"""Pictures of limbs as SVG: `diagram`, the article's picture of one, and `overview` of many.

The text is self-contained: no script, no font, no file from elsewhere, light and dark as the
reader prefers, the same for the same limb. Sizes follow the limb, so that lengths of 1e-300 and
1e300 look alike. What is too far away to show stands at the border with an arrow.
"""

from twobone.pictures.diagram import diagram
from twobone.pictures.layers import LAYERS
from twobone.pictures.overview import overview

__all__ = ["LAYERS", "diagram", "overview"]
