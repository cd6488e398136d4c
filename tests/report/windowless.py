# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs meshwright without a display, in a temporary folder, for tests of its commands."""
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["MESHWRIGHT"]
CLI = os.environ["MESHWRIGHT_CLI"]
BARE = {key: value for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR")}


def run(*arguments, stdin=b"", timeout=60, **environment):
    return subprocess.run([PROGRAM, *arguments], input=stdin, env=BARE | environment, capture_output=True, timeout=timeout,
                          check=False)


class WindowlessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as stream:
            return stream.read()

    def assert_fails(self, done, status, why=""):
        error = done.stderr.decode()
        self.assertEqual(done.returncode, status, error)
        self.assertRegex(error, r"^[^\n]+: (/[^\n]*|usage): [^\n]+; [^\n]+\n$")
        self.assertIn(why, error)
