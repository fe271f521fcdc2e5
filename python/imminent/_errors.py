"""Exceptions, with the fields of the errors."""

from __future__ import annotations


class ImminentError(Exception):
    """Any error of this package."""


class ConfigurationError(ImminentError, ValueError):
    """A configuration, or a value that was given for it, asks for something impossible.

    `file` and `line` tell the place in a file, `key` the key, `problem` what is wrong with it and the remedy. A field
    is `None` where it is not known.
    """

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        key: str | None = None,
        problem: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem


class OfDevice(ImminentError, RuntimeError):
    """An error of a device. Its fields are `None` where they are not known."""

    def __init__(
        self,
        message: str,
        backend: str | None = None,
        device: str | None = None,
        reason: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message)
        self.backend = backend
        self.device = device
        self.reason = reason
        self.remedy = remedy


class DeviceError(OfDevice):
    """There is no such device, or it cannot be opened."""


class RunError(OfDevice):
    """A run failed."""


class NoResultsError(ImminentError, RuntimeError):
    """A run was interrupted before a replication had ended."""


class ForkError(ImminentError, RuntimeError):
    """The process was forked after its parent had used the package: its threads and devices are not there."""
