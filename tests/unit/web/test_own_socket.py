from __future__ import annotations

import socket

import pytest

from blogforever.errors import UsageError
from blogforever.web.serving import listen


def test_no_answer_waits_until_what_was_sent_before_is_confirmed() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _address = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_somebody_has_is_said_so() -> None:
    with listen("127.0.0.1", 0) as listening, pytest.raises(UsageError, match="cannot listen at"):
        listen("127.0.0.1", listening.getsockname()[1])
