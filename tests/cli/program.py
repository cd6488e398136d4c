# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs meshwright-cli for the tests."""
import json
import os
import re
import subprocess
import tempfile
import unittest

SOURCE = os.environ.get("MESHWRIGHT_SOURCE",
                        os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")))
CLI = os.environ.get("MESHWRIGHT_CLI", f"{SOURCE}/build/release/app/meshwright-cli")

# FILE: /json/pointer: the problem; expected X (and N more)
ERROR_LINE = re.compile(r"^[^\n]+: (/[^\n]*|usage): [^\n]+; [^\n]+\n$")


def run(*arguments, stdin=b"", timeout=60, **options):
    """Runs the program to its end; output is in bytes."""
    return subprocess.run([CLI, *map(str, arguments)], input=stdin, capture_output=True, timeout=timeout, check=False,
                          **options)


def answer(*arguments, **options):
    """Runs the program, which must succeed, and parses the JSON that it prints."""
    done = run(*arguments, **options)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
    return json.loads(done.stdout)


def merged(document, patch):
    """The document with a JSON merge patch applied (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    document = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            document.pop(key, None)
        else:
            document[key] = merged(document.get(key), value)
    return document


def evaluable_plans():
    return [entry["id"] for entry in answer("presets", "plan", "--json") if entry.get("evaluable", True)]


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        mode = "wb" if isinstance(content, bytes) else "w"
        with open(path, mode, encoding=None if mode == "wb" else "utf-8") as stream:
            stream.write(content)
        return path

    def assert_fails(self, done, status):
        """Checks the exit status, and that standard error has exactly one line in the documented form."""
        error = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, error)
        self.assertRegex(error, ERROR_LINE)
