"""The simulation of docs/explanation/scale.md: fresh, and held against real git."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.sampling import everything
from tests.sharing.servers import HttpServer

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "tools")]
import scale  # noqa: E402 - tools are no package
import scale_git  # noqa: E402 - as above
from onward import sharing  # noqa: E402 - beside them
from onward.commands import push  # noqa: E402 - from here

pytestmark = pytest.mark.skipif(os.name == "nt", reason="http-backend as POSIX has it")


def test_the_page_holds_the_tables_that_the_simulation_gives() -> None:
    text = scale.PAGE.read_text("utf-8")
    assert scale.page(text) == text, "python tools/scale.py --write"
    assert "| 200 |" in text


def test_the_page_says_what_the_program_does() -> None:
    assert scale.CUT == push._LONGEST
    assert f"reads {sharing.MOST_WRITERS:,} writers" in scale.PAGE.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(not everything(), reason="measures git for a while: ONWARD_TESTS=all")
def test_real_git_costs_what_the_simulation_says() -> None:
    for name, value in scale_git.measure()._asdict().items():
        assert value == pytest.approx(getattr(scale.MEASURED, name), rel=0.15), name


@pytest.mark.slow
def test_a_chain_that_begins_anew_comes_whole(tmp_path: Path) -> None:
    with HttpServer(tmp_path / "served") as server:
        server.make()
        writer = scale_git.Writer(tmp_path, 1, server.url()).save(scale.CHECKPOINTS).push()
        reader = scale_git.Writer(tmp_path, 2, server.url())
        reader.pull()
        before = server.sent
        writer.head = ""
        writer.save().push(force=True)
        reader.pull()
        whole = scale.MEASURED.state * scale.CHECKPOINTS
        assert server.sent - before > whole


def test_the_same_seed_gives_the_same_team() -> None:
    team = scale.Team(20, cut=50, days=20)
    assert scale.simulate(team) == scale.simulate(team)


def test_what_a_push_is_told_grows_with_the_writers_and_a_push_of_nothing_does_not() -> None:
    few, many = (scale.simulate(scale.Team(count, days=2)) for count in (10, 1000))
    assert many.advertised - few.advertised == 990 * scale.MEASURED.ref
    assert many.nothing_to_push == few.nothing_to_push


def test_a_chain_that_is_cut_keeps_the_server_small_and_makes_readers_fetch_more() -> None:
    whole, cut = (scale.simulate(scale.Team(20, cut=count, days=100)) for count in (0, 40))
    assert cut.server < whole.server / 5
    assert cut.pulled > whole.pulled
