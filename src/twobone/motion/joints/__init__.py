"""Joint positions to rotations: from what networks and trackers give to clips."""
