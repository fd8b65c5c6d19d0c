"""Lists of approvals, as `sha256sum` writes them."""

import hashlib
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.errors import InvalidDocumentError
from doll.services.reviewing.approval_list import read_list
from doll.services.reviewing.approving import Want

DIGEST = "ab" * 32


def test_lines_of_sha256sum_are_read() -> None:
    text = f"# mine\n\n{DIGEST}  staging/pam/x/tea.md\r\n{DIGEST.upper()} *x/bees\n"
    assert read_list(text.encode(), "list") == (
        Want("staging/pam/x/tea.md", DIGEST, 3),
        Want("x/bees", DIGEST, 4),
    )


def test_what_sha256sum_prints_is_read(tmp_path: Path) -> None:
    (tmp_path / "お茶 1.md").write_bytes(b"tea")
    try:
        done = subprocess.run(
            ["sha256sum", "お茶 1.md"], cwd=tmp_path, capture_output=True, check=True
        )
    except FileNotFoundError:
        pytest.skip("sha256sum is not installed")
    want = read_list(done.stdout, "list")[0]
    assert (want.name, want.digest) == ("お茶 1.md", hashlib.sha256(b"tea").hexdigest())


def test_every_bad_line_is_named() -> None:
    text = f"{DIGEST}  fine\nabc  x\n{DIGEST} x\n{DIGEST}\n"
    with pytest.raises(InvalidDocumentError) as caught:
        read_list(text.encode(), "list")
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4]


@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"\xff\xfe"])
def test_a_list_that_names_nothing_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidDocumentError):
        read_list(data, "list")


@given(st.binary(max_size=300))
def test_any_bytes_are_a_list_or_an_error(data: bytes) -> None:
    with suppress(InvalidDocumentError):
        assert read_list(data, "list")
