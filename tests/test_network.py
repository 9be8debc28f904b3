"""The guard of all requests: public machines are asked, private ones are not, in any notation."""

import datetime
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from research.support.web_server import Reply, Server, serving
from webstencil import network
from webstencil.errors import SourceError
from webstencil.model import Resource
from webstencil.network import is_plainly_private, is_public, names_private_machine
from webstencil.sources import WebCache, WebPage
from webstencil.sources.web import Web
from webstencil.web.work import Address, opened_page

PUBLIC = "93.184.215.14"
STYLE = Resource(b"p{}", "text/css")


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::1", "::", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::127.0.0.1", "::93.184.215.14"),
        *("64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::"),
    ],
)
def test_private_addresses_are_known_in_every_form(address: str) -> None:
    """Loopback, link-local, multicast, reserved; as IPv6, mapped, translated or tunnelled."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c", f"::ffff:{PUBLIC}"]
)
def test_public_addresses_are_public(address: str) -> None:
    """They may be asked."""
    assert is_public(address)


NOTATIONS = [
    *("127.0.0.1", "2130706433", "0177.0.0.1", "127.1", "0x7f.1", "0x7f000001", "127.0.0.1."),
    *("localhost", "localhost.", "LOCALHOST", "any.localhost", "127.0.0.%31", "%6cocalhost"),
    *("0.0.0.0", "0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"),
    *("[fe80::1%25lo]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
]


@pytest.mark.parametrize("host", NOTATIONS)
def test_hosts_are_read_as_browsers_read_them(host: str) -> None:
    """A private machine is known without a look-up, however its URL is written."""
    assert is_plainly_private(f"http://{host}/")
    assert names_private_machine(f"https://{host}:8080/a?b")
    assert not is_plainly_private("http://localhost.example/")


def test_redirects_to_private_machines_are_not_followed() -> None:
    """Whatever the notation; a page's own host may redirect to itself."""

    def redirect(path: str, _headers: dict[str, str]) -> Reply:
        target = path.removeprefix("/to/")
        return Reply(status=302, headers=(("Location", target),)) if "/to/" in path else Reply()

    with serving(redirect) as other, serving(redirect) as own:
        port = other.url.rpartition(":")[2]
        page = WebPage(own.url)
        urls = [f"http://{host}:{port}/style.css" for host in NOTATIONS]
        found = [page.fetch(f"{own.url}/to/{url}") for url in urls]
        back = page.fetch(f"{own.url}/to/{own.url}/style.css")

    assert set(found) == {None}
    assert back is not None
    assert other.asked == []


class ChangingNames:
    """Stands for a name server that answers differently each time, and counts connections."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
        self.asked = 0
        self.connected: list[str] = []
        self.redirected: tuple[str, int] | None = None  # where public addresses lead to
        self._answers = answers
        self._connect = socket.socket.connect
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)
        note = lambda *given: self._note(*given)  # noqa: E731, PLW0108 - it becomes a method
        monkeypatch.setattr(socket.socket, "connect", note)

    def _look_up(self, _host: str, port: int, *_args: Any, **_options: Any) -> list[Any]:
        answers = self._answers[min(self.asked, len(self._answers) - 1)].split()
        self.asked += 1
        kind = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
        return [(*kind, (answer, port)) for answer in answers]

    def _note(self, connection: socket.socket, address: tuple[str, int]) -> None:
        self.connected.append(address[0])
        if address[0] == PUBLIC and self.redirected is None:
            raise ConnectionRefusedError
        self._connect(connection, self.redirected or address)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(lambda *_: Reply(STYLE.body, kind="text/css")) as running:
        yield running


def test_a_name_that_changes_its_address_is_no_way_in(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The address that was checked is the one connected to: there is one look-up only."""
    url = server.url.replace("127.0.0.1", "changing.example") + "/a.css"
    names = ChangingNames(monkeypatch, PUBLIC, "127.0.0.1")

    assert WebCache(tmp_path).fetch(url) is None
    assert (names.asked, names.connected) == (1, [PUBLIC])
    assert server.asked == []


def test_a_visitor_cannot_name_a_changing_host(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that visitors of `webstencil web --fetch` name are checked when they are fetched."""
    names = ChangingNames(monkeypatch, PUBLIC, "127.0.0.1")

    with pytest.raises(SourceError, match=r"changing\.example is not a public address"):
        opened_page(Address(server.url.replace("127.0.0.1", "changing.example")))
    assert names.connected == server.asked == []


def test_one_private_address_of_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name with a public and a private address is refused, and nobody is connected to."""
    names = ChangingNames(monkeypatch, f"{PUBLIC} 10.0.0.1")

    with pytest.raises(OSError, match=r"mixed\.example is not a public address"):
        Web().get("http://mixed.example/")
    assert names.connected == []


def test_certificates_are_checked_for_the_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A connection goes to an address, but the host has to prove the name of the URL."""
    key, certificate = self_signed("secure.example", tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(lambda *_: Reply(STYLE.body, kind="text/css"), context) as server:
        port = int(server.url.rpartition(":")[2])
        names = ChangingNames(monkeypatch, PUBLIC)
        names.redirected = ("127.0.0.1", port)
        body, _, url = Web().get(f"https://secure.example:{port}/a.css")
        with pytest.raises(OSError, match=r"not valid for 'other\.example'"):
            Web().get(f"https://other.example:{port}/a.css")

    assert (body, url) == (STYLE.body, f"https://secure.example:{port}/a.css")
    assert server.asked == ["/a.css"]


def self_signed(name: str, folder: Path) -> tuple[Path, Path]:
    """Make a key and a certificate for a name."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415 - optional
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    day = datetime.timedelta(days=1)
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return folder / "key.pem", folder / "certificate.pem"


def test_a_proxy_is_used_and_is_no_way_in(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is private here is refused; names that only the proxy knows pass, with a warning."""
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    network.warn_of_proxies.cache_clear()

    assert Web().get("http://outside.invalid/a.css")[0] == STYLE.body
    for host in ("127.0.0.1:9", "2130706433:9", server.url.removeprefix("http://")):
        with pytest.raises(OSError, match="is not a public address"):
            Web().get(f"http://{host}/a.css")
    assert server.asked == ["http://outside.invalid/a.css"]
    assert "http_proxy is set" in caplog.text


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/css,p{}"])
def test_nothing_but_the_web_is_asked(url: str) -> None:
    """No files, whatever a page says."""
    with pytest.raises((OSError, ValueError)):
        Web().get(url)
