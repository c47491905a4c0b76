"""The format pages show real files."""

from __future__ import annotations

import re
from datetime import timedelta, timezone
from pathlib import Path

from onward.documents import checkpoint_md, page, protocol_json, protocol_records, session_md

PAGES = Path(__file__).parents[3] / "docs" / "formats"


def read(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def test_the_example_of_the_checkpoint_page_is_what_would_be_written() -> None:
    found = re.search(r"```markdown\n(.*?)```", read("checkpoint.md"), re.DOTALL)
    assert found is not None
    draft = checkpoint_md.parse(found[1])
    zone = timezone(timedelta(hours=8))
    assert checkpoint_md.render(draft, zone=zone) == found[1]  # type: ignore[arg-type]


def test_every_heading_that_is_written_is_on_its_page() -> None:
    for name, layout in (
        ("checkpoint.md", checkpoint_md.LAYOUT),
        ("session-document.md", session_md.LAYOUT),
    ):
        text = read(name)
        assert [heading for _, heading, _ in layout if heading not in text] == []


def test_every_block_title_of_the_protocol_is_on_its_page() -> None:
    text = " ".join(read("protocol.md").split())
    titles = [*protocol_json.TITLES.values(), protocol_records.LEDGER]
    assert [title for title in titles if title not in text] == []


def test_the_placeholder_of_an_empty_section_is_on_its_page() -> None:
    assert f"`{page.NOTHING}`" in read("checkpoint.md")
