# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `meshwright report` as a script would: it needs no display and leaves no partial file."""
import json
import os
import re
import struct
import subprocess
import unittest
import xml.etree.ElementTree

from windowless import CLI, WindowlessTest, run


class Report(WindowlessTest):
    def test_all_four_files_are_written_in_silence(self):
        done = run("report", "preset:deepseek-v3", "--pdf", self.path("a.pdf"), "--json", self.path("a.json"), "--png",
                   self.path("a.png"), "--svg", self.path("a.svg"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.json", "a.pdf", "a.png", "a.svg"])
        self.assertTrue(self.read("a.pdf").startswith(b"%PDF-"))
        self.assertEqual(struct.unpack(">II", self.read("a.png")[16:24]), (1600, 1000))
        xml.etree.ElementTree.parse(self.path("a.svg"))
        cli = subprocess.run([CLI, "evaluate", "preset:deepseek-v3", "--json"], capture_output=True, check=True)
        self.assertEqual(json.loads(self.read("a.json")), json.loads(cli.stdout))

    def test_a_changed_plan_from_standard_input_is_pictured(self):
        plan = subprocess.run([CLI, "presets", "pretrain-8b"], capture_output=True, check=True).stdout
        done = run("report", "-", "--set", "name=From a pipe", "--png", self.path("a.png"), "--json", self.path("a.json"),
                   "--size", "1280x720", "--theme", "dark", stdin=plan)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(json.loads(self.read("a.json"))["plan"]["name"], "From a pipe")
        self.assertEqual(struct.unpack(">II", self.read("a.png")[16:24]), (1280, 720))

    def test_a_lesson_is_handed_out_with_a_key(self):
        done = run("report", "lesson:ring-all-reduce", "--pdf", self.path("a.pdf"), "--key", self.path("key.pdf"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        text, key = (subprocess.run(["pdftotext", self.path(name), "-"], capture_output=True, check=True).stdout
                     for name in ("a.pdf", "key.pdf"))
        self.assertIn(b"Ring all-reduce", text)
        self.assertNotIn(b"Answer:", text)
        self.assertGreater(key.count(b"Answer:"), 8)
        for arguments in (["lesson:none", "--pdf", self.path("b.pdf")], ["lesson:ring-all-reduce"],
                          ["preset:pretrain-8b", "--key", self.path("b.pdf")]):
            self.assertEqual(run("report", *arguments).stderr.count(b"\n"), 1, arguments)
        self.assertFalse(os.path.exists(self.path("b.pdf")))

    def test_one_report_is_written_in_three_forms(self):
        done = run("report", "preset:pretrain-8b", "--pdf", self.path("a.pdf"), "--markdown", self.path("a.md"), "--html",
                   self.path("a.html"), "--paper", "letter")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertIn(b"612 x 792 pts (letter)",
                      subprocess.run(["pdfinfo", self.path("a.pdf")], capture_output=True, check=True).stdout)
        markdown, html = self.read("a.md").decode(), self.read("a.html").decode()
        pages = subprocess.run(["pdftotext", self.path("a.pdf"), "-"], capture_output=True, check=True).stdout.decode()
        for title in ("Step and pipeline", "Run, failures and checkpoints", "Glossary"):
            self.assertIn(title, pages)
            self.assertIn(title, html)
            self.assertIn(f"## {title}", markdown)
        xml.etree.ElementTree.fromstring(html.replace("<!DOCTYPE html>", ""))

    def test_sections_are_chosen(self):
        done = run("report", "preset:pretrain-8b", "--pdf", self.path("a.pdf"), "--markdown", self.path("a.md"),
                   "--sections", "summary,memory")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(re.findall("^## (.*)$", self.read("a.md").decode(), re.MULTILINE), ["Memory"])
        self.assert_fails(run("report", "preset:pretrain-8b", "--pdf", self.path("b.pdf"), "--sections", "summary,plaid"), 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.md", "a.pdf"])

    def test_a_plan_is_compared_with_itself_before_a_change(self):
        done = run("report", "preset:pretrain-8b", "--set", "recompute.mode=full", "--compare", "preset:pretrain-8b",
                   "--markdown", self.path("a.md"), "--sections", "compare")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertRegex(self.read("a.md").decode(), r"\| recompute\.mode \| full \| [^|]+ \|")
        many = ["--compare", "preset:pretrain-8b"] * 5
        self.assert_fails(run("report", "preset:pretrain-8b", "--markdown", self.path("b.md"), *many), 2)
        self.assert_fails(run("report", "preset:pretrain-8b", "--markdown", self.path("b.md"), "--json", self.path("b.json"),
                              "--compare", "preset:no-such-plan"), 3)
        self.assertEqual(os.listdir(self.folder), ["a.md"])

    def test_usage_is_2(self):
        for arguments in (["report"], ["report", "preset:ten-to-25"], ["report", "preset:ten-to-25", "--pdf"],
                          ["report", "preset:ten-to-25", "--png", self.path("a.png"), "--size", "1x1"],
                          ["report", "preset:ten-to-25", "--png", self.path("a.png"), "--theme", "plaid"],
                          ["report", "preset:ten-to-25", "--pdf", self.path("a.pdf"), "--sections", "plaid"],
                          ["report", "preset:ten-to-25", "--pdf", self.path("a.pdf"), "--sections", "memory,,run"],
                          ["report", "preset:pretrain-8b", "--pdf", self.path("a.pdf"), "--sections", "diloco"],
                          ["report", "preset:ten-to-25", "--pdf", self.path("a.pdf"), "--paper", "b5"]):
            self.assert_fails(run(*arguments), 2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_rejected_plan_is_3_and_writes_nothing(self):
        for plan in ("preset:no-such-plan", "preset:palm-2", "/dev/null"):
            self.assert_fails(run("report", plan, "--pdf", self.path("a.pdf"), "--json", self.path("a.json")), 3)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_cannot_be_read_or_written_is_4(self):
        self.assert_fails(run("report", self.path("missing"), "--pdf", self.path("a.pdf")), 4)
        for option in ("--pdf", "--json", "--png", "--svg", "--markdown", "--html"):
            self.assert_fails(run("report", "preset:deepseek-v3", option, self.path("no/such/folder")), 4)
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_old_file_stays_whole_when_the_new_one_fails(self):
        with open(self.path("a.pdf"), "wb") as stream:
            stream.write(b"old")
        self.assert_fails(run("report", "preset:no-such-plan", "--pdf", self.path("a.pdf")), 3)
        self.assertEqual(self.read("a.pdf"), b"old")

    def test_help_and_version_need_no_display(self):
        for arguments in (["--help"], ["--version"], ["report", "--help"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertTrue(done.stdout)
        self.assertRegex(run("--version").stdout, re.compile(rb"^meshwright \d+\.\d+\.\d+\n$"))

    def test_the_window_without_a_display_says_what_else_there_is(self):
        self.assert_fails(run(), 2)

    def test_a_preset_of_one_s_own_that_hides_a_built_in_one_is_said(self):
        own = json.loads(subprocess.run([CLI, "presets", "accelerator/h100-sxm-80gb"], capture_output=True, check=True).stdout)
        folder = self.path("meshwright/presets/accelerators")
        os.makedirs(folder)
        with open(os.path.join(folder, "h100-sxm-80gb.json"), "w", encoding="utf-8") as stream:
            json.dump(own, stream)
        done = run("report", "preset:pretrain-8b", "--pdf", self.path("own.pdf"), "--json", self.path("own.json"),
                   XDG_DATA_HOME=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn("own-preset", [one["code"] for one in json.loads(self.read("own.json"))["diagnostics"]])
        text = subprocess.run(["pdftotext", self.path("own.pdf"), "-"], capture_output=True, check=True).stdout.decode()
        self.assertIn("overrides the built-in one", " ".join(text.split()))


if __name__ == "__main__":
    unittest.main()
