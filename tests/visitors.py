"""A page as far as the server can tell: websockets' own client, and plain requests."""

import http.client
import json
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import websockets
from websockets.sync.client import connect

PATIENCE = 60  # seconds, on a busy machine


@contextmanager
def page_at(address, **options):
    """Open the socket of a page; yield it and how it was greeted."""
    where = urlsplit(address)
    options.setdefault("origin", f"http://{where.netloc}")
    if int(websockets.__version__.partition(".")[0]) >= 15:  # earlier ones know of no proxies
        options.setdefault("proxy", None)
    with connect(f"ws://{where.netloc}{where.path}live", **options) as socket:
        hello = receive(socket)
        assert hello["type"] == "hello"
        yield socket, hello


def receive(socket, timeout=PATIENCE):
    return json.loads(socket.recv(timeout))


def ask(socket, message):
    """Send a message, as an object or as it is; return what comes back."""
    text = message if isinstance(message, str | bytes) else json.dumps(message)
    socket.send(text)
    return receive(socket)


def say(state, number=1):
    """Return the message by which a page tells its state."""
    return {"type": "state", "id": number, "state": state}


def request(address, path=None, method="GET", **headers):
    """Return the response of a plain request; its text is read."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=PATIENCE)
    connection.putrequest(method, path or where.path, skip_host="Host" in headers)
    for name, values in headers.items():
        for value in [values] if isinstance(values, str) else values:
            connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    response.text = response.read().decode()
    connection.close()
    return response


def wait_until(holds, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)
