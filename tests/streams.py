"""Streams that are slow."""

import io


class Pipe(io.BytesIO):
    """A stream that has only so many bytes at a time."""

    def __init__(self, data, most):
        super().__init__(data)
        self.most = most

    def read1(self, size=-1):
        return super().read1(min(size, self.most))
