"""The device on which models run."""

from __future__ import annotations

from core.models.runtime.devices import likely_devices


def available_device(requested: str) -> str:
    """Return the requested device if this machine seems to have it, else its fastest device."""
    names = [device.name for device in likely_devices()]
    return requested if requested in names else names[0]
