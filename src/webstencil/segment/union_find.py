"""Sets that grow together: each member knows one that is nearer to the head of its set."""


def find(parents: list[int], member: int) -> int:
    """Return the head of the set that a member is in, and shorten the way to it."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member
