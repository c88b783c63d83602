"""Tests reach no network, so that none depends on it unseen."""

from __future__ import annotations

import socket

import pytest

from tests.conftest import NetworkDenied


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 443)])
def test_no_other_machine_can_be_reached(address):
    with pytest.raises(RuntimeError) as caught:
        socket.create_connection(address, timeout=1)
    assert type(caught.value).__name__ == NetworkDenied.__name__
    with socket.socket() as plain, pytest.raises(RuntimeError, match="tests reach no network"):
        plain.connect(address)


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname(), timeout=5) as client:
            client.sendall(b"hello")
            connection, _ = server.accept()
        with connection:
            assert connection.recv(5) == b"hello"
