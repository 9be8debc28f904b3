"""Every command line in the README and the documents is one that webstencil takes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documented import ROOT, TEXTS, fault_of

CODE = re.compile(
    r"```sh\n(.*?)```|`((?:webstencil|python -m research.bench)[ .][^`\n]*)`", re.DOTALL
)
TOGETHER = re.compile(r"\s&&\s|\s\\?\|\s")  # between two commands on a line


def documented(begin: str) -> list[str]:
    """List the command lines of all texts that begin so."""
    found = set()
    for path in TEXTS:
        for block, inline in CODE.findall(path.read_text()):
            for line in (block or inline).splitlines():
                parts = [part.strip() for part in TOGETHER.split(line.split(" #")[0])]
                found.update(part for part in parts if re.match(begin, part))
    return sorted(found)


@pytest.mark.parametrize("line", documented("webstencil [a-z-]"))
def test_documented_commands_and_options_are_there(line: str) -> None:
    """Each is a command, with options that it has; nothing is run."""
    assert fault_of(line) == ""


@pytest.mark.parametrize(
    "module", sorted({line.split()[2] for line in documented(r"python -m research.bench\.")})
)
def test_documented_benches_run_from_any_folder(module: str, tmp_path: Path) -> None:
    """Each is a module that explains its options."""
    command = [sys.executable, "-m", module, "--help"]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")
