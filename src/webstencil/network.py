"""Which machines may be asked: public ones, unless a person allows others."""

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: IPv4 addresses written as IPv6

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: str) -> bool:
    """Tell whether an IP address belongs to the public internet, in whatever guise."""
    known = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    return all(part.is_global and not part.is_multicast for part in _meant(known))


def _meant(address: Address) -> Iterable[Address]:
    """Yield an address, or the ones of version 4 that it stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address.sixtofour is not None:
        return (address, address.sixtofour)
    if address in NAT64:
        return (ipaddress.IPv4Address(int(address) & 0xFFFFFFFF),)
    return (address,)


def literal(url: str) -> str | None:
    """Return the IP address that an address of the web names, None if it names a host."""
    host = urlsplit(url).hostname or ""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def names_private_machine(url: str) -> bool:
    """Tell whether the host of an address is, or resolves to, a machine that is not public."""
    host = urlsplit(url).hostname or ""
    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return not all(is_public(address) for address in found)
