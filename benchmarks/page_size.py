"""Measure the exported page, as a file and as servers send it: `python benchmarks/page_size.py`"""

from twobone.play.bundle import page_html

MOST = 1_430_000  # bytes of the file
MOST_COMPRESSED = 330_000  # bytes under brotli at its level for files, 11


def compressed(html):
    """Return how many bytes a text has under brotli; the version is pinned with the other tools."""
    import brotli

    return len(brotli.compress(html.encode(), quality=11))


if __name__ == "__main__":
    html = page_html()
    print(f"{len(html.encode()):,} bytes (at most {MOST:,})")
    print(f"{compressed(html):,} bytes under brotli (at most {MOST_COMPRESSED:,})")
