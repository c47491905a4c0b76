"""How fast a transcript is read, against merely decoding its lines: `python benchmarks/read.py
[FILE...]`. Without files, a transcript of our own making is read.

Budgets: at least half the speed of `msgspec.json.decode` over the same lines, untyped, in
the same run; 1 GB within 150 MB of memory.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from onward.transcripts.registry import open_transcript

RATIO = 0.5
MEMORY_MB = 150
ROUNDS = 9
GIGABYTE = 1_000_000_000


def merely_decode(path: Path) -> None:
    """The reference: every line into plain objects."""
    decode = msgspec.json.Decoder().decode
    with path.open("rb", buffering=1 << 20) as stream:
        for line in stream:
            decode(line)


def read(path: Path) -> None:
    """Ours: every event."""
    for _ in open_transcript(path):
        pass


def timed(work: Callable[[Path], None], paths: list[Path]) -> float:
    """Seconds for all files."""
    start = time.perf_counter()
    for path in paths:
        work(path)
    return time.perf_counter() - start


def made(path: Path, turns: int = 300) -> Path:
    """A transcript with about the shares of real ones: results 60 % of the bytes, of these most
    copies of files; one edit in seven calls.
    """
    code = "".join(f'\tvalue["{line}"] = compute("é", {line})  # "…"\n' for line in range(200))
    tools: list[tuple[str, dict[str, str], dict[str, object]]] = [
        ("Read", {"file_path": "/home/ana/shop/a.py"}, {"file": {"content": code}}),
        ("Read", {"file_path": "/home/ana/shop/b.py"}, {"file": {"content": code[:3000]}}),
        ("Read", {"file_path": "/home/ana/shop/c.py"}, {"file": {"content": code[:900]}}),
        ("Grep", {"pattern": "value_"}, {"content": code[:2000]}),
        ("Bash", {"command": "npm test 2>&1 | tail"}, {"stdout": code[:1500], "stderr": ""}),
        ("Bash", {"command": "git status"}, {"stdout": code[:300], "stderr": ""}),
        (
            "Edit",
            {"file_path": "/home/ana/shop/a.py", "old_string": "a", "new_string": code[:300]},
            {
                "filePath": "/home/ana/shop/a.py",
                "originalFile": code,
                "structuredPatch": [{"newStart": 9, "lines": [" a", "-b", "+c", "+d", " e"]}],
            },
        ),
    ]
    session = {"sessionId": "bench", "cwd": "/home/ana/shop", "gitBranch": "main"}
    with path.open("w") as file:

        def add(kind: str, **fields: object) -> None:
            common = {**session, "type": kind, "uuid": f"{file.tell()}"}
            file.write(json.dumps({**fields, **common}, separators=(",", ":")) + "\n")

        for n in range(turns):
            add("user", message={"content": f"Change step {n}, please."})
            for k, (name, given, extra) in enumerate(tools):
                key = f"toolu_{n}_{k}"
                thought = {"type": "thinking", "thinking": code[:600], "signature": "x" * 300}
                use = {"type": "tool_use", "id": key, "name": name, "input": given}
                text = {"type": "text", "text": code[:300]}
                for block in (thought, text, use) if k % 3 == 0 else (thought, use):
                    add("assistant", message={"id": f"m{n}-{k}", "content": [block]})
                if name == "Bash":
                    add("progress", data={"type": "bash_progress", "output": code[:600]})
                shown = next((v for v in extra.values() if isinstance(v, str)), code[:3000])
                result = {"type": "tool_result", "tool_use_id": key, "content": shown}
                add("user", message={"content": [result]}, toolUseResult=extra)
    return path


def grown(path: Path, folder: Path) -> Path:
    """The file repeated to 1 GB, its record ids new each time: copies would be passed over."""
    target = folder / "large.jsonl"
    data = path.read_bytes()
    with target.open("wb") as file:
        for copy in range(-(-GIGABYTE // len(data))):
            file.write(data.replace(b'uuid":"', b'uuid":"%d-' % copy))
    return target


def peak_of_child(path: Path) -> float:
    """Peak memory, MB, of a process that reads the file."""
    subprocess.run([sys.executable, __file__, "--child", str(path)], check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def main(paths: list[Path]) -> int:
    """Measure; status 1 where a budget is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        paths = paths or [made(Path(folder) / "made.jsonl")]
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        pairs = [(timed(merely_decode, paths), timed(read, paths)) for _ in range(ROUNDS)]
        ratio = statistics.median(theirs / ours for theirs, ours in pairs)
        theirs, ours = (statistics.median(side) for side in zip(*pairs, strict=True))
        print(f"decode  {megabytes / theirs:7.0f} MB/s")
        print(f"read    {megabytes / ours:7.0f} MB/s")
        print(f"ratio   {ratio:7.2f}       (budget: at least {RATIO})")
        large = grown(max(paths, key=lambda path: path.stat().st_size), Path(folder))
        start = time.perf_counter()
        peak = peak_of_child(large)
        seconds = time.perf_counter() - start
        print(f"1 GB    {peak:7.0f} MB peak RSS, {seconds:.1f} s (budget: at most {MEMORY_MB} MB)")
    return 0 if ratio >= RATIO and peak <= MEMORY_MB else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        read(Path(sys.argv[2]))
    else:
        sys.exit(main([Path(word) for word in sys.argv[1:]]))
