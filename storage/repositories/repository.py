"""Parts of an open study: functions on a connection as methods, each of them one transaction."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from storage.database.transactions import Transactions
from storage.database.writer import Priority, WriteResult

P = ParamSpec("P")
T = TypeVar("T")


class Repository:
    """One kind of content of an open study."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions


def read(function: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Repository, P], T]:
    """Return the method that calls a function on a snapshot of the study."""

    @wraps(function)
    def method(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self._transactions.reading() as connection:
            return function(connection, *args, **kwargs)

    return method


def write(
    function: Callable[Concatenate[Connection, P], WriteResult[T]], priority: Priority = Priority.EDIT
) -> Callable[Concatenate[Repository, P], Future[T]]:
    """Return the method that passes a function to the study's writer."""

    @wraps(function)
    def method(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._transactions.submit(lambda connection: function(connection, *args, **kwargs), priority)

    return method
