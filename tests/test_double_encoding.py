# ruff: noqa: RUF001 - texts as pages have them
"""Pages that were encoded twice are repaired, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webstencil
from webstencil.markup.source import FEWEST_TWICE_ENCODED, encoded_once

STORY = (
    "<html><head><meta charset='utf-8'><title>The mayor’s river — again</title></head><body><main>"
    "<h1>The mayor’s river — again</h1><p>“It rose by 2½ metres,” the mayor said, “and Zoë’s café "
    "was closed until the evening…” Nobody was hurt.</p><p>More rain is expected on Tuesday, and "
    "schools in the valley stay shut, as the mayor’s office said.</p></main></body></html>"
)
RIGHT = STORY.encode()


def twice(page: str, read_as: str) -> bytes:
    """Encode a page, read it as another encoding, and encode it again."""
    written = "".join(
        bytes([byte]).decode(read_as, "ignore") or chr(byte) for byte in page.encode()
    )
    return written.encode()


@pytest.mark.parametrize("read_as", ["latin-1", "cp1252"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_page_that_was_encoded_twice_is_repaired(read_as: str, mark: bytes) -> None:
    """Its text and its title are as they were written."""
    broken = mark + twice(STORY, read_as)

    assert webstencil.extract(broken) == webstencil.extract(RIGHT)
    assert webstencil.extract(broken, format="json") == webstencil.extract(RIGHT, format="json")


@pytest.mark.parametrize(
    "page",
    [
        STORY,
        "<p>Plain text, nothing else.</p>",
        "<p>If you see Ã© instead of e with an accent, the page was encoded twice.</p>",
        "<p>Ã© is é, Ã¨ is è, Ã¼ is ü, â€™ is ’: such pages were encoded twice.</p>",
        "<p>NÃO, SÃO, CORAÇÕES, MÃE, PÃO, ÂNGELO, À LA CARTE, ÉCOLE, GARÇON.</p>",
        "<p>À la pêche, l’été, où « Ô temps » ; 20 °C à 30 °C, ±2 €.</p>",
        "<p>Große Äpfel, süße Öfen, Übermut; §§ 12–14, 5½ m².</p>",
        "<p>河水再次上涨，市长说。</p>",
    ],
)
def test_other_pages_stay_as_they_are(page: str) -> None:
    """Also those that tell of broken characters, and words with the same letters."""
    assert encoded_once(page.encode()) is None


def test_bytes_that_are_no_utf8_stay_as_they_are() -> None:
    """A page in Latin-1, and one that was cut in the middle of a character."""
    assert encoded_once("Ã©Ã©Ã©Ã© é".encode("latin-1")) is None
    assert encoded_once(twice(STORY, "latin-1") + b"\xc3") is None


@given(
    st.text(
        st.characters(min_codepoint=0x80, exclude_categories=["Cs"]), min_size=FEWEST_TWICE_ENCODED
    )
)
def test_any_text_comes_back(text: str) -> None:
    """Whatever its script is."""
    assert encoded_once(text.encode().decode("latin-1").encode()) == text.encode()
