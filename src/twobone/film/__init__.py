"""Films of walks (MP4)."""
