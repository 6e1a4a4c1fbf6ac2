"""The docs tell the truth: links lead somewhere, examples run, generated pages are current."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from blogforever import errors, model
from blogforever.learn.rulefile import load_rules
from blogforever.pipeline.record import post_record
from blogforever.records import FURTHER, BlogRecord, CommentRecord, PostRecord, to_json
from server.commands import done_here
from server.samplearchive import sample_archive

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_EXAMPLES = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def read(path: str | Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a reader has just built the sample blog."""
    folder = tmp_path_factory.mktemp("workplace")
    shutil.copytree(ROOT / "sample", folder / "sample", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "sample/build.py"], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name(page)} links to {target}"
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), f"{name(page)} links to {target}"


@pytest.fixture
def harvested(workplace: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reader who has harvested the sample blog, too, and changed nothing in its archive."""
    shutil.copytree(workplace / "out/sample-site", tmp_path / "out/sample-site")
    own = tmp_path_factory.getbasetemp()
    made = sample_archive(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
    shutil.copytree(made, tmp_path / "out/sample-archive")
    return tmp_path


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_python_examples_run(page: Path, harvested: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(harvested)
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried > 0
    assert failed == 0


def sessions() -> list[tuple[str, str]]:
    """The commands of the README, then those of the how-to pages, with the output they show."""
    pages = ["README.md", *sorted(name(page) for page in (ROOT / "docs/howto").glob("*.md"))]
    return [pair for page in pages for pair in re.findall(r"```console\n\$ (.*?)\n(.*?)```", read(page), re.S)]


def test_the_sessions_in_readme_and_how_to_pages_work(workplace: Path) -> None:
    assert len(sessions()) >= 9
    for command, expected in sessions():
        done = typed(command, workplace)
        assert done.returncode == 0, done.stderr
        assert doctest.OutputChecker().check_output(expected, done.stdout, FLAGS), done.stdout


def typed(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What somebody sees who types a command; a shell is only started where there is something for it to do."""
    program, *words = shlex.split(command)
    if program == "blogforever" and not set("|&*<>$") & set(command):
        return done_here(*words, cwd=folder)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shell = ["/bin/sh", "-c", command]
    return subprocess.run(shell, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_the_generated_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, "tools/reference.py", "--check"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_error_and_its_exit_code_are_documented() -> None:
    page = read("docs/reference/exit-codes.md")
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.BlogForeverError)]
    for error in classes:
        line = next((line for line in page.splitlines() if f"`{error.__name__}`" in line), "")
        assert line.startswith(f"| {error.exit_code} |"), error.__name__


def test_every_key_of_a_record_and_every_field_of_a_rule_is_documented() -> None:
    record, rule_file = read("docs/reference/record.md"), read("docs/reference/rule-file.md")
    page = model.Page("https://blog.example/", b"")
    keys = {key for kind in (PostRecord, BlogRecord) for key in kind.__struct_encode_fields__} - {FURTHER}
    keys |= to_json(post_record(model.Post(page.url), "blog", page)).keys()
    assert [key for key in sorted(keys) if f"`{key}`" not in record] == []
    assert [f for f in model.Rule.__dataclass_fields__ if f"`{f}`" not in rule_file] == []


def test_the_rule_file_example_can_be_read() -> None:
    found = re.search(r"```json\n(.*?)```", read("docs/reference/rule-file.md"), re.S)
    assert found
    assert load_rules(found[1]).templates[0].article.css == "div.prose"


def test_the_glossary_knows_the_classes_of_the_model() -> None:
    glossary = read("docs/glossary.md")
    for word in ("Feed", "Entry", "Page", "Post", "Moment", "Rule", "Template", "Rules", "Provenance", "Failure"):
        assert hasattr(model, word)
        assert f"`{word}`" in glossary


def test_the_glossary_ends_with_every_class() -> None:
    listed = subprocess.run(
        [sys.executable, ROOT / "tools/classes.py"], capture_output=True, encoding="utf-8", check=True
    )
    assert read("docs/glossary.md").endswith(listed.stdout.strip() + "\n"), "run: make docs"


def test_the_files_that_the_walks_go_through_are_there() -> None:
    named = set(re.findall(r"`([a-z]+/[a-z_/]+\.(?:py|toml))`", read("docs/explanation/architecture.md")))
    assert len(named) > 30
    assert [name for name in named if not (ROOT / "src/blogforever" / name).is_file()] == []


def test_the_data_model_names_fields_that_records_have() -> None:
    kinds = {"blog": BlogRecord, "post": PostRecord, "comment": CommentRecord}
    text = read("docs/reference/data-model.md")
    named = [
        (kind, field)
        for row in text.splitlines()
        if row.startswith("|")
        for kind, fields in re.findall(r"\*(blog|post|comment)\* ((?:`[a-z_]+`(?:, | and | with )?)+)", row)
        for field in re.findall(r"`([a-z_]+)`", fields)
    ]
    assert len(named) > 30
    assert not [(kind, field) for kind, field in named if field not in kinds[kind].__struct_encode_fields__]
