"""Union-find: sets that are merged, as parent pointers to their heads."""


def find(parents: list[int], member: int) -> int:
    """Return the head of a member's set, and shorten the path to it."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member
