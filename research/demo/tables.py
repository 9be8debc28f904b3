"""Tables and listings of articles: tides, votes, counts, leagues, prices."""

from collections.abc import Callable, Mapping
from random import Random

from research.demo.values import Code, Table

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WARDS = ("Harbourside", "Chapel Hill", "Sandgate", "Upper Mill", "Beacon", "Strand")
SPECIES = ("Oystercatcher", "Sandwich tern", "Curlew", "Grey seal", "Sand lizard", "Kittiwake")
TEAMS = ("Saltmere Athletic", "Hollow Cove", "Mill Rovers", "Port Ellory", "Beacon Town", "Skerry")
HALLS = ("Assembly Rooms", "Ropeworks", "Chapel hall", "The Regal", "Bandstand")
GOODS = ("Brown crab", "Mackerel", "Leeks", "Apples", "Saffron buns", "Butter", "Oysters")


def section_table(rng: Random, section: str) -> Table:
    """Return a table of the kind that a section prints."""
    return TABLES[section](rng)


def tides(rng: Random) -> Table:
    """Return high and low water of some days."""
    rows = tuple(
        (day, _clock(rng, 0), f"{rng.uniform(4.1, 6.4):.1f} m", _clock(rng, 12))
        for day in DAYS[: rng.randrange(3, 8)]
    )
    return Table("Tides of the week", ("Day", "High water", "Height", "Low water"), rows)


def votes(rng: Random) -> Table:
    """Return how the wards voted."""
    rows = tuple(
        (ward, *(str(rng.randrange(3, top)) for top in (240, 190, 40)))
        for ward in WARDS[: rng.randrange(3, 7)]
    )
    return Table("Votes by ward", ("Ward", "For", "Against", "Abstained"), rows)


def counts(rng: Random) -> Table:
    """Return what was counted this year and last."""
    rows = tuple(
        (species, str(rng.randrange(4, 300)), str(rng.randrange(4, 300)))
        for species in SPECIES[: rng.randrange(3, 7)]
    )
    return Table("The count", ("Species", "Last year", "This year"), rows)


def dates(rng: Random) -> Table:
    """Return when and where something is shown."""
    rows = tuple(
        (rng.choice(DAYS), hall, _clock(rng, 17), f"£{rng.randrange(4, 15)}")
        for hall in HALLS[: rng.randrange(2, 6)]
    )
    return Table("Dates", ("Day", "Hall", "Begins", "Ticket"), rows)


def league(rng: Random) -> Table:
    """Return where the teams stand."""
    wins = sorted((rng.randrange(0, 19) for _ in TEAMS), reverse=True)
    teams = rng.sample(TEAMS, len(TEAMS))
    rows = tuple(
        (str(place), team, "20", str(won), str(19 - won), str(3 * won + 1))
        for place, (team, won) in enumerate(zip(teams, wins, strict=True), start=1)
    )
    return Table("Coast League, Division Two", ("", "Club", "P", "W", "L", "Points"), rows)


def prices(rng: Random) -> Table:
    """Return what things cost at the market."""
    rows = tuple(
        (thing, rng.choice(("a piece", "a kilo", "a dozen")), f"£{rng.uniform(0.6, 9):.2f}")
        for thing in rng.sample(GOODS, rng.randrange(3, 7))
    )
    return Table("Prices at the covered market", ("Item", "Sold by", "Price"), rows)


def gauge_log(rng: Random) -> Code:
    """Return some lines from the logger of the tide gauge."""
    pause = rng.choice((3, 4, 6))  # hours
    lines = [
        f"2025-03-{day:02} {hour:02}:00  level={rng.uniform(0.4, 6.2):.2f}m  ok"
        for day in range(1, 3)
        for hour in range(0, 24, pause)
    ]
    return Code("\n".join(("# station EQ-3, East Quay", *lines)))


TABLES: Mapping[str, Callable[[Random], Table]] = {
    "harbour": tides,
    "town": votes,
    "nature": counts,
    "culture": dates,
    "sport": league,
    "kitchen": prices,
}


def _clock(rng: Random, first: int) -> str:
    return f"{rng.randrange(first, first + 6):02}.{rng.randrange(0, 60, 5):02}"
