"""File formats: tables of targets and answers, recordings, BVH, glTF; atomic writing."""
