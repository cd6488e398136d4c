# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `meshwright picture` and `meshwright table` as a script would: they need no display and leave no partial file."""
import csv
import functools
import io
import json
import os
import re
import struct
import subprocess
import unittest
import xml.etree.ElementTree

import windowless
from windowless import CLI, WindowlessTest

run = functools.partial(windowless.run, timeout=300)  # a picture shows a whole view


def rows(text):
    return list(csv.DictReader(io.StringIO(text.decode(), newline="")))


class Picture(WindowlessTest):
    def size(self, name):
        self.assertTrue(self.read(name).startswith(b"\x89PNG"))
        return struct.unpack(">II", self.read(name)[16:24])

    def picture(self, plan, *arguments):
        done = run("picture", plan, *arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def views(self):
        return re.search(r"--view TEXT:\{([\w,-]+)\}", run("picture", "--help").stdout.decode()).group(1).split(",")

    def test_the_help_lists_the_views(self):
        views = self.views()
        self.assertGreaterEqual(set(views), {"start", "plan", "pipeline", "memory", "sites", "search", "compare", "explain",
                                             "formulas", "evidence"})
        with open(os.path.join(os.environ["MESHWRIGHT_SOURCE"], "resources/guide/command-line.md"), encoding="utf-8") as page:
            guide = page.read()
        for view in views:
            self.assertIn(f"| `{view}` |", guide)

    def test_each_view_is_pictured_as_drawing_and_as_image(self):
        for view in self.views():
            self.picture("preset:smollm-135m", "--view", view, "--out", self.path(view + ".svg"), "--height", "700")
            root = xml.etree.ElementTree.parse(self.path(view + ".svg")).getroot()
            self.assertEqual(root.attrib["viewBox"], "0 0 1760 700", view)
            self.assertGreater(len(list(root.iter("{http://www.w3.org/2000/svg}text"))), 2, view)
            for element in root.iter():
                self.assertRegex(element.attrib.get("font-family", "sans-serif"), "sans-serif$")

    def test_a_png_has_the_chosen_scale_and_size(self):
        for scale in (1, 2, 3, 4):
            self.picture("preset:pretrain-8b", "--view", "pipeline", "--out", self.path("a.png"), "--scale", str(scale),
                         "--width", "1280", "--height", "640")
            self.assertEqual(self.size("a.png"), (1280 * scale, 640 * scale))

    def test_without_a_height_the_whole_view_is_there(self):
        self.picture("preset:llama3-405b-16k", "--view", "plan", "--out", self.path("short.png"), "--height", "600")
        self.picture("preset:llama3-405b-16k", "--view", "plan", "--out", self.path("whole.png"))
        self.assertEqual(self.size("short.png")[1], 600)
        self.assertGreater(self.size("whole.png")[1], 1000)

    def test_the_dark_theme_is_darker(self):
        means = []
        for theme in ("light", "dark"):
            self.picture("preset:pretrain-8b", "--view", "memory", "--theme", theme, "--out", self.path("a.svg"))
            colors = re.findall(r'fill="#([0-9a-f]{6})"', self.read("a.svg").decode())
            means.append(int(colors[0][:2], 16))
        self.assertGreater(means[0], 200)
        self.assertLess(means[1], 60)

    def test_tables_hold_what_the_result_says(self):
        result = json.loads(subprocess.run([CLI, "evaluate", "preset:deepseek-v3", "--json"], capture_output=True,
                                           check=True).stdout)
        done = run("table", "preset:deepseek-v3", "--view", "plan")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual([float(row["total_bytes"]) for row in rows(done.stdout)],
                         [stage["total_bytes"] for stage in result["memory"]["stages"]])
        done = run("table", "preset:deepseek-v3", "--view", "pipeline", "--out", self.path("a.csv"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        ranks = rows(self.read("a.csv"))
        self.assertEqual([int(row["peak_in_flight"]) for row in ranks], result["pipeline"]["in_flight"])
        self.assertAlmostEqual(max(float(row["end_seconds"]) for row in ranks), result["pipeline"]["makespan_seconds"], 9)

    def test_a_plan_that_does_not_fit_is_shown(self):
        plan = ["preset:pretrain-70b-1k", "--set", "batch.micro_sequences=4", "--set", "recompute.mode=none"]
        result = json.loads(subprocess.run([CLI, "evaluate", *plan, "--json"], capture_output=True, check=True).stdout)
        self.assertFalse(result["verdict"]["fits"])
        for view in ("plan", "pipeline", "memory"):
            self.picture(*plan, "--view", view, "--out", self.path(view + ".png"))
        self.assertEqual(len(rows(run("table", *plan, "--view", "plan").stdout)), len(result["memory"]["stages"]))

    def test_compared_plans_are_columns(self):
        done = run("table", "preset:pretrain-8b", "--view", "compare", "--with", "preset:smollm-135m",
                   "--with", "preset:pretrain-70b-1k")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))
        self.assertEqual(len(table[0]), 4)

    def test_a_plan_from_standard_input(self):
        plan = subprocess.run([CLI, "presets", "pretrain-8b"], capture_output=True, check=True).stdout
        done = run("table", "-", "--view", "plan", "--set", "parallelism.pipeline=2", "--set", "parallelism.data=null", stdin=plan)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(len(rows(done.stdout)), 2)

    def test_usage_is_2(self):
        out = ["--out", self.path("a.png")]
        for arguments in (["picture"], ["picture", "preset:pretrain-8b", *out], ["picture", "preset:pretrain-8b", "--view", "plan"],
                          ["picture", "preset:pretrain-8b", "--view", "no-such-view", *out],
                          ["picture", "preset:pretrain-8b", "--view", "plan", "--out", self.path("a.gif")],
                          ["picture", "preset:pretrain-8b", "--view", "plan", "--out", self.path("a.svg"), "--scale", "2"],
                          ["picture", "preset:pretrain-8b", "--view", "plan", "--scale", "5", *out],
                          ["picture", "preset:pretrain-8b", "--view", "plan", "--width", "10", *out],
                          ["table", "preset:pretrain-8b"]):
            self.assert_fails(run(*arguments), 2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_rejected_is_3_and_files_are_4(self):
        for plan in ("preset:no-such-plan", "preset:palm-2", "/dev/null"):
            self.assert_fails(run("picture", plan, "--view", "plan", "--out", self.path("a.png")), 3)
        self.assert_fails(run("table", "preset:pretrain-8b", "--view", "sites"), 3, "shows no table")
        self.assert_fails(run("table", "preset:pretrain-8b", "--view", "compare", "--with", "preset:no-such-plan"), 3,
                          "no-such-plan")
        self.assert_fails(run("picture", self.path("missing"), "--view", "plan", "--out", self.path("a.png")), 4)
        self.assert_fails(run("picture", "preset:pretrain-8b", "--view", "plan", "--out", self.path("no/folder/a.png")), 4)
        self.assert_fails(run("table", "preset:pretrain-8b", "--view", "plan", "--out", self.path("no/folder/a.csv")), 4)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
