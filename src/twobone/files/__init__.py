"""File formats: tables of targets and answers, recordings, glTF; atomic writing."""
