"""Files and downloads: what is not the pinned file is refused and leaves nothing behind, and a message names what is at fault."""
from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mope_impl.training.data import DataConfig, DataError, files, load

CONTENT = b"To be, or not to be, that is the question.\n" * 4000  # more than two pieces of a download
DIGEST = hashlib.sha256(CONTENT).hexdigest()


class Answer(BaseHTTPRequestHandler):
    """What each path of the local server answers."""

    def do_GET(self) -> None:
        if self.path == "/missing":
            self.send_error(404, "Not here")
            return
        body = {"/longer": CONTENT + b"!", "/shorter": CONTENT[:-1], "/other": CONTENT[:-1] + b"!"}.get(self.path, CONTENT)
        self.send_response(200)
        if self.path != "/endless":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path == "/cut":
            body = body[:100_000]
        try:
            self.wfile.write(body)
            if self.path == "/endless":
                while True:
                    self.wfile.write(bytes(1 << 16))
        except OSError:  # the reader has had enough
            pass

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def fetch(url: str, path: Path) -> None:
    files.download(url, path, size=len(CONTENT), sha256=DIGEST)


def test_the_right_file_arrives(server, tmp_path):
    fetch(f"{server}/right", tmp_path / "new/folder/text.txt")
    assert (tmp_path / "new/folder/text.txt").read_bytes() == CONTENT
    assert [path.name for path in (tmp_path / "new/folder").iterdir()] == ["text.txt"]


@pytest.mark.parametrize("fault", ["longer", "shorter", "other", "cut", "endless", "missing"])
def test_any_other_leaves_nothing_behind(server, tmp_path, fault):
    path = tmp_path / "text.txt"
    with pytest.raises(DataError) as caught:
        fetch(f"{server}/{fault}", path)
    assert f"{server}/{fault}" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_file_outlives_a_failed_download(server, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("earlier")
    with pytest.raises(DataError, match="nothing was kept"):
        fetch(f"{server}/other", path)
    assert path.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_no_network_is_told_with_what_to_do(tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as closed:
        port = closed.server_address[1]
    with pytest.raises(DataError, match=r"cannot download http://127.0.0.1:.*Connection refused; .*MOPE_DATA"):
        fetch(f"http://127.0.0.1:{port}/right", tmp_path / "text.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(server, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(DataError, match="cannot download"):
        fetch(f"{server}/right", tmp_path / "file" / "text.txt")


def test_an_interrupt_leaves_nothing_behind(server, tmp_path, monkeypatch):
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch(f"{server}/right", tmp_path / "text.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def pinned(monkeypatch) -> None:
    """Another text in the place of TinyShakespeare, which is not here."""
    monkeypatch.setattr(files, "SIZE", len(CONTENT))
    monkeypatch.setattr(files, "SHA256", DIGEST)


@pytest.mark.usefixtures("pinned")
def test_the_text_is_looked_for_in_the_cache_then_in_the_folder_then_at_its_home(server, tmp_path):
    cache, folder = tmp_path / "cache", tmp_path / "folder"
    folder.mkdir()
    environment = {files.FOLDER: str(folder)}
    get = f"{server}/right"
    assert files.tiny_shakespeare(cache, url=get, environment={}).encode() == CONTENT  # downloaded
    assert files.tiny_shakespeare(cache, url="none:", environment={}).encode() == CONTENT  # from the cache
    (cache / files.NAME).rename(folder / files.NAME)
    assert files.tiny_shakespeare(cache, url="none:", environment=environment).encode() == CONTENT
    assert files.tiny_shakespeare(None, url="none:", environment=environment).encode() == CONTENT
    (folder / files.NAME).unlink()
    with pytest.raises(DataError, match="cannot download none:"):
        files.tiny_shakespeare(cache, url="none:", environment=environment)
    with pytest.raises(DataError, match="no folder for a download"):
        files.tiny_shakespeare(None, url=get, environment=environment)
    with pytest.raises(DataError, match=r"MOPE_DATA: got '.*nowhere', expected a folder"):
        files.tiny_shakespeare(cache, url=get, environment={files.FOLDER: str(tmp_path / "nowhere")})


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("place", ["cache", "folder"])
def test_a_damaged_file_is_refused_by_name(server, tmp_path, place):
    (tmp_path / place).mkdir()
    damaged = tmp_path / place / files.NAME
    damaged.write_bytes(CONTENT[:-1] + b"?")
    environment = {files.FOLDER: str(tmp_path / "folder")} if place == "folder" else {}
    with pytest.raises(DataError) as caught:
        files.tiny_shakespeare(tmp_path / "cache", url=f"{server}/right", environment=environment)
    assert str(caught.value).startswith(f"{damaged}: SHA-256 ")


def test_the_pin_is_that_of_the_published_file():
    assert (files.SIZE, files.SHA256) == (1_115_394, "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed")
    assert files.HOME.startswith("https://")


@pytest.mark.parametrize(
    "environment, folder",
    [
        ({"MOPE_CACHE_DIR": "/a"}, Path("/a/data")),
        ({"XDG_CACHE_HOME": "/b"}, Path("/b/mope/data")),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache/mope/data"),
        ({}, Path.home() / ".cache/mope/data"),
    ],
)
def test_downloads_are_kept_in_a_folder_of_the_user(environment, folder):
    assert files.cache_folder(environment) == folder


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", "the text is empty"),
        (b"x", "too short: 1 characters, which leaves a split empty"),
        (b"x" * 1000, "the text is 'x' over and over: there is nothing to learn"),
        (b"\n" * 1000, r"the text is '\\n' over and over"),
        (b"abc\xff\xfe", r"not UTF-8: invalid start byte at byte 3"),
        ("naïve".encode("latin-1"), "not UTF-8"),
        ("text".encode("utf-16"), "not UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_refused_by_name(tmp_path, content, says):
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=says) as caught:
        load(DataConfig(source=str(path)))
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_refused_with_what_there_could_be(tmp_path):
    with pytest.raises(DataError, match=r"gone.txt: no such file \(a source is synthetic, tinyshakespeare or the path"):
        load(DataConfig(source=str(tmp_path / "gone.txt")))
    with pytest.raises(DataError, match="Is a directory"):
        load(DataConfig(source=str(tmp_path)))
    with pytest.raises(DataError, match="no such file"):
        load(DataConfig(source="tinyshakespear"))
    with pytest.raises(DataError, match=r"'a\\x00b': embedded null"):
        load(DataConfig(source="a\0b"))


@pytest.mark.usefixtures("pinned")
def test_a_corpus_of_it_is_loaded_by_its_name(tmp_path, monkeypatch):
    (tmp_path / files.NAME).write_bytes(CONTENT)
    monkeypatch.setenv(files.FOLDER, str(tmp_path))
    corpus = load(DataConfig(source="tinyshakespeare"))
    assert (corpus.name, corpus.sha256) == ("tinyshakespeare", DIGEST)
    assert "".join(corpus.text).encode() == CONTENT
    (tmp_path / files.NAME).write_bytes(CONTENT[1:])
    with pytest.raises(DataError, match="SHA-256"):
        load(DataConfig(source="tinyshakespeare"))
