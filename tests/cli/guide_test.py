# SPDX-License-Identifier: GPL-3.0-or-later
"""The user guide and the README: links and pictures exist, every field and verb is documented, and examples match the
program's output."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import unittest

from program import CLI, SOURCE, ProgramTest, answer, run

GUIDE = pathlib.Path(SOURCE, "resources/guide")
README = pathlib.Path(SOURCE, "README.md")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def pages():
    return sorted(GUIDE.glob("*.md"))


def text_of(path):
    return path.read_text(encoding="utf-8")


def prose_of(path):
    """Removes code blocks and inline code, where brackets are not links."""
    return re.sub(r"`[^`\n]*`", "", CODE.sub("", text_of(path)))


def printed(page):
    return run("guide", page).stdout.decode()


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings_of(text):
    return [line.lstrip("#").strip() for line in CODE.sub("", text).splitlines() if re.match(r"#+ ", line)]


class Guide(ProgramTest):
    def test_the_list_names_every_file_and_no_other(self):
        listed = [page["id"] for page in answer("guide", "--json")["pages"]]
        self.assertEqual(sorted(listed), [page.stem for page in pages()])
        text = run("guide").stdout.decode()
        for page in answer("guide", "--json")["pages"]:
            self.assertIn(page["title"], text)
            self.assertTrue(page["title"], page["id"])

    def test_a_page_is_printed_as_it_is_or_with_its_tables(self):
        self.assertEqual(printed("accuracy"), text_of(GUIDE / "accuracy.md"))
        self.assertEqual(answer("guide", "accuracy", "--json")["markdown"], printed("accuracy"))
        for page in pages():
            self.assertNotIn("<!-- generated", printed(page.stem), page.name)

    def test_an_unknown_page_is_refused(self):
        self.assert_fails(run("guide", "nothing"), 3)
        self.assert_fails(run("guide", "../README"), 3)

    def test_every_relative_link_leads_to_a_file_and_a_heading(self):
        for page in [README, *pages()]:
            for target in LINK.findall(prose_of(page)):
                self.assertNotRegex(target, r"^[a-z]+:", f"{page.name} links to another site: {target}")
                path, _, anchor = target.partition("#")
                file = page.parent / path if path else page
                self.assertTrue(file.exists(), f"{page.name}: {target}")
                if anchor:
                    anchors = [anchor_of(heading) for heading in headings_of(printed(file.stem))]
                    self.assertIn(anchor, anchors, f"{page.name}: {target}")

    def test_every_picture_exists_is_described_and_is_small(self):
        named = set()
        for page in [README, *pages()]:
            for words, target in PICTURE.findall(text_of(page)):
                picture = page.parent / target
                self.assertTrue(picture.is_file(), f"{page.name}: {target}")
                self.assertGreater(len(words), 10, f"{page.name}: {target} has no description")
                named.add(picture.resolve())
        for picture in GUIDE.glob("pictures/*.png"):
            self.assertIn(picture.resolve(), named, "no page shows this picture")
            self.assertLessEqual(picture.stat().st_size, 250_000, picture.name)
            width = int.from_bytes(picture.read_bytes()[16:20], "big")
            self.assertEqual(width, 1400, picture.name)

    def test_code_is_no_wider_than_the_page(self):
        for page in [README, *pages()]:
            for block in CODE.findall(text_of(page)):
                for line in block.splitlines():
                    self.assertLessEqual(len(line), 115, f"{page.name}: {line}")

    def test_no_page_is_an_orphan(self):
        linked = {target.split("#")[0] for page in pages() for target in LINK.findall(prose_of(page))}
        for page in pages():
            if page.stem != "index":
                self.assertIn(page.name, linked)

    def test_the_readme_is_short_and_shows_every_view(self):
        lines = text_of(README).splitlines()
        self.assertLess(len(lines), 300)
        for view in ("start", "plan", "pipeline", "memory", "sites", "search", "compare", "explain", "formulas",
                     "evidence", "lessons", "plots"):
            self.assertIn(f"(resources/guide/pictures/{view}.png)", text_of(README))
            self.assertIn(f"({view}.md)", text_of(GUIDE / "index.md"))

    def test_every_verb_is_explained(self):
        verbs = re.findall(r"^  ([a-z]+) {2,}", run("--help").stdout.decode().split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(verbs), 15)
        page = text_of(GUIDE / "command-line.md")
        for verb in verbs:
            self.assertRegex(page, rf"\| `{verb}\b", verb)

    def test_every_kind_that_can_be_imported_or_exported_is_listed(self):
        page = printed("launchers")
        help_text = run("import", "--help").stdout.decode().split("--from TEXT")[1].split("\n  --")[0]
        kinds = re.findall(r"([a-z-]+) \(", help_text)
        targets = re.search(r"--to TEXT:\{([^}]*)\}", run("export", "--help").stdout.decode())
        self.assertTrue(kinds)
        for kind in [*kinds, *(targets.group(1).split(",") if targets else [])]:
            self.assertIn(f"| `{kind}` |", page)

    def test_every_room_of_the_code_has_its_place(self):
        page = text_of(GUIDE / "architecture.md")
        for folder in ("core", "widgets"):
            for room in pathlib.Path(SOURCE, folder).iterdir():
                if room.is_dir():
                    self.assertRegex(page, rf"\|[^|]*`{room.name}`", f"{folder}/{room.name}")

    def test_rooms_of_the_core_include_only_rooms_above_them(self):
        section = text_of(GUIDE / "architecture.md").split("## The core")[1].split("\n## ")[0]
        order = [room for line in section.splitlines() if line.startswith("| `")
                 for room in re.findall(r"`(\w+)`", line.split("|")[1])]
        for file in pathlib.Path(SOURCE, "core").glob("*/**/*.[ch]*"):
            room = file.relative_to(pathlib.Path(SOURCE, "core")).parts[0]
            for other in re.findall(r'^#include "(\w+)/', text_of(file), re.MULTILINE):
                if other in order:
                    self.assertLessEqual(order.index(other), order.index(room), f"{file}: {other}")

    def test_texts_use_the_words_of_the_field(self):
        loader = importlib.machinery.SourceFileLoader("lint", str(pathlib.Path(SOURCE, "tests/lint")))
        lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", loader))
        loader.exec_module(lint)
        for page in [README, *pages()]:
            for pattern, instead in lint.WORDS:
                found = re.search(pattern, prose_of(page))
                self.assertIsNone(found, f"{page.name}: {found.group(0) if found else ''}: write {instead}")


class Fields(unittest.TestCase):
    """The page of plan fields is generated from the schemas and covers all of them."""

    def fields_of(self, schema, prefix):
        for key, value in schema.get("properties", {}).items():
            if key in ("$schema", "sources") or not value or value.get("description") == "Not read by the program.":
                continue
            yield prefix + key
            for part in [value, value.get("items", {}), *value.get("oneOf", []), *value.get("anyOf", [])]:
                inner = prefix + key + "[]." if part.get("type") == "array" or part is value.get("items") else \
                    prefix + key + "."
                yield from self.fields_of(part.get("items", part) if part.get("type") == "array" else part, inner)

    def test_every_field_of_every_schema_is_on_the_page(self):
        page = printed("fields")
        sections = page.split("\n## ")[1:]
        for name, section in zip(("plan", "cluster", "accelerator", "model", "stack"), sections):
            schema = json.loads(text_of(pathlib.Path(SOURCE, f"presets/schema/{name}.schema.json")))
            fields = set(self.fields_of(schema, ""))
            self.assertGreater(len(fields), 10, name)
            for field in fields:
                self.assertTrue(f"| `{field}` |" in section or f"\n### {field}\n" in section, f"{name}: {field}")
            for definition in schema.get("definitions", {}).values():
                for field in self.fields_of(definition, ""):
                    self.assertIn(f"| `{field}` |", section, name)

    def test_every_field_has_its_values_and_what_it_means(self):
        for line in printed("fields").splitlines():
            if line.startswith("| `"):
                field, values, meaning = re.match(r"\| `([^`]*)` \| (.*?) \| (.*) \|$", line.replace(r"\|", "")).groups()
                self.assertTrue(values.strip(), field)
                if field not in ("schema", "kind"):
                    self.assertTrue(meaning.strip(), field)


class Examples(ProgramTest):
    """The output shown below a command in README and guide matches the program's: each line, in order; "..." stands
    for omitted lines."""

    def lines_of(self, output):
        return [line.rstrip() for line in output.splitlines()]

    def run_example(self, command):
        folder = os.path.join(self.folder, "bin")
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "meshwright-cli")):
            os.symlink(CLI, os.path.join(folder, "meshwright-cli"))
            os.symlink(os.path.join(SOURCE, "resources"), os.path.join(self.folder, "resources"))
            os.symlink(os.path.join(SOURCE, "presets"), os.path.join(self.folder, "presets"))
        environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, timeout=120, check=False,
                              env=environment)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        return self.lines_of(done.stderr.decode() + done.stdout.decode())

    def assert_shows(self, shown, lines, command):
        at, skips = 0, False
        for line in shown:
            if line == "...":
                skips = True
                continue
            found = next((i for i in range(at, len(lines)) if lines[i] == line), None) if skips else at
            self.assertTrue(found is not None and found < len(lines) and lines[found] == line,
                            f"{command}\ndoes not print\n{line}\nbut\n" + "\n".join(lines[at:at + 40]))
            at, skips = found + 1, False

    def check(self, page):
        blocks = re.findall(r"^```console\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
        for block in blocks:
            for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = piece.partition("\n")
                self.assert_shows(self.lines_of(shown), self.run_example(command), command)
        return len(blocks)

    def test_of_the_readme(self):
        self.assertEqual(self.check(README), 5)

    def test_of_the_guide(self):
        self.assertGreaterEqual(sum(self.check(page) for page in pages()), 5)


if __name__ == "__main__":
    unittest.main()
