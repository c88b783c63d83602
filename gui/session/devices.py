"""Choice of the device for models."""

from __future__ import annotations

from core.models.runtime.devices import likely_devices


def available_device(requested: str) -> str:
    """Return the requested device if it seems to be available, else the fastest one."""
    names = [device.name for device in likely_devices()]
    return requested if requested in names else names[0]
