"""Reports of pinned feet as HTML: `write_html` for one clip, `write_index` for many reports.

A report is one file without scripts. It loads nothing, follows the reader's preference for light
or dark, and has the same text for the same clip. All names in it are escaped.
"""

from twobone.pictures.feet.index import write_index
from twobone.pictures.feet.page import write_html

__all__ = ["write_html", "write_index"]
