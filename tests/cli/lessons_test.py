# SPDX-License-Identifier: GPL-3.0-or-later
"""Lessons on the command line: the list, one question, and judging an answer."""
import unittest

from program import ProgramTest, SOURCE, answer, run

QUESTIONS = {"number", "choice", "order", "bug", "code", "design"}


class Lessons(ProgramTest):
    def test_the_course_has_steps_of_every_kind(self):
        lessons = answer("lessons", "--json")["lessons"]
        self.assertGreaterEqual(len(lessons), 15)
        steps = [step for lesson in lessons for step in lesson["steps"]]
        self.assertGreaterEqual(len(steps), 150)
        self.assertGreaterEqual(sum(step["kind"] in QUESTIONS for step in steps), 100)
        self.assertEqual({step["kind"] for step in steps}, QUESTIONS | {"text", "discussion"})
        self.assertIn("ring-all-reduce", run("lessons").stdout.decode())

    def test_every_question_takes_its_own_answer(self):
        for lesson in answer("lessons", "--json")["lessons"]:
            for step in lesson["steps"][::8]:
                asked = answer("lesson", lesson["id"], "--step", step["id"], "--seed", 7, "--answer", "nonsense", "--json")
                self.assertFalse(asked["correct"])
                self.assertTrue(asked["hint"])
                if step["kind"] not in QUESTIONS:
                    continue
                again = answer("lesson", lesson["id"], "--step", step["id"], "--seed", 7, "--json",
                               f"--answer={asked['expected']}")
                self.assertTrue(again["correct"], f"{lesson['id']} {step['id']}: {asked['expected']}: {again['hint']}")
                self.assertEqual(again["question"], asked["question"])
                self.assertTrue(again["derivation"]["name"])
                for symbol in again["symbols"]:
                    self.assertEqual(set(symbol), {"name", "value", "unit", "text"})

    def test_the_seed_draws_the_numbers(self):
        questions = {answer("lesson", "ring-all-reduce", "--step", "bytes-per-rank", "--seed", seed, "--json")["question"]
                     for seed in range(1, 9)}
        self.assertGreater(len(questions), 4)

    def test_a_text_asks_nothing(self):
        text = answer("lesson", "ring-all-reduce", "--step", "the-problem", "--json", "--answer", "1")
        self.assertEqual((text["question"], text["symbols"], text["correct"]), ("", [], False))

    def test_a_wrong_name_is_one_line(self):
        for arguments in (["ring-all-reduces"], ["ring-all-reduce", "--step", "none"], ["missing.md"]):
            self.assertRejected(run("lesson", *arguments), 4 if arguments[0].endswith(".md") else 3)

    def test_a_file_is_checked_with_lines(self):
        with open(f"{SOURCE}/resources/lessons/ring-all-reduce.md", encoding="utf-8") as stream:
            good = self.file("good.md", stream.read())
        self.assertEqual(run("check", good).stdout.decode(), f"{good}: valid\n")
        bad = self.file("bad.md", "---\ntitle: Bad\n---\n\n## One {#one}\n\n```number\nquestion: How many?\nformula: none\n```\n")
        done = run("check", bad)
        self.assertRejected(done, 3)
        self.assertIn(b"line 9: unknown formula \"none\"", done.stderr)

    def assertRejected(self, done, status):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1)


if __name__ == "__main__":
    unittest.main()
