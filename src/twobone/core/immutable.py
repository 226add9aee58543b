"""Immutable objects: attributes that are set once, in `__init__`."""


class Immutable:
    """Base class of objects whose attributes, listed in `_set_once`, are never changed.

    What was checked stays valid, and what was computed from it stays true. A misspelt name raises
    instead of being ignored. Classes that users derive may have other attributes, which may change.
    """

    _set_once: tuple[str, ...] = ()  # not a dataclass: importing `dataclasses` takes 1 ms

    def __setattr__(self, name: str, value: object) -> None:
        if name in vars(self) or name not in self._set_once:
            self._refuse_change_of(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse_change_of(name)
        object.__delattr__(self, name)

    def _refuse_change_of(self, name):
        if self._is_own_class() or name in self._set_once:
            raise AttributeError(f"`{name}`: {self!r} is immutable; create a new one.")

    def _is_own_class(self):
        """Return whether the object is of the class that has the list, not of a derived one."""
        return "_set_once" in vars(type(self))
