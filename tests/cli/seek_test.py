# SPDX-License-Identifier: GPL-3.0-or-later
"""seek: a proposal's patch evaluates to the promised value; out-of-reach goals are reported; hostile ones are rejected."""
import json
import unittest

from program import ProgramTest, answer, merged, run


class Seek(ProgramTest):
    def evaluated(self, plan, patch):
        document = merged(answer("presets", plan, "--json"), patch)
        return answer("evaluate", "-", "--json", stdin=json.dumps(document).encode())

    def test_a_patch_evaluates_to_what_was_promised(self):
        for plan, goal, figure, limit in (("llama3-70b", "days=30", "days", 30), 
                                          ("llama3-70b", "cost=10M$", "rental_dollars", 10e6)):
            found = answer("seek", "preset:" + plan, "--goal", goal, "--json")
            self.assertGreater(len(found["proposals"]), 0)
            self.assertFalse(found["reached"])
            for proposal in found["proposals"]:
                said = self.evaluated(plan, proposal["patch"])
                self.assertEqual(said["run"][figure], proposal["after"][figure])
                self.assertLessEqual(said["run"][figure], limit)
                self.assertTrue(said["verdict"]["fits"])
                self.assertEqual(len(proposal["title"].split(" \u2192 ")) - 1, len(proposal["changes"]))

    def test_sure_to_fit(self):
        found = answer("seek", "preset:deepseek-v3", "--goal", "fit=90%", "--json")
        self.assertLess(found["value"], 0.9)
        for proposal in found["proposals"]:
            self.assertGreaterEqual(proposal["after"]["fit_probability"], 0.9)
        self.assertEqual(found["goal"]["value"], 0.9)

    def test_what_is_kept_stays(self):
        found = answer("seek", "preset:llama3-70b", "--goal", "days=47", "--keep", "hardware", "--keep", "precision",
                       "--json")
        for proposal in found["proposals"]:
            self.assertEqual(proposal["after"]["accelerators"], found["before"]["accelerators"])
            self.assertNotIn("precision", proposal["patch"])

    def test_what_cannot_be_reached_says_how_near_it_comes(self):
        found = answer("seek", "preset:llama3-70b", "--goal", "days=1", "--keep", "hardware", "--json")
        self.assertEqual(found["proposals"], [])
        self.assertIsInstance(found["limit"], str)
        self.assertLess(found["nearest"]["after"]["days"], found["before"]["days"])
        text = run("seek", "preset:llama3-70b", "--goal", "days=1", "--keep", "hardware")
        self.assertEqual(text.returncode, 0)
        self.assertIn("Not reached", text.stdout.decode())

    def test_a_goal_that_is_reached_needs_nothing(self):
        found = answer("seek", "preset:llama3-70b", "--goal", "days=100", "--json")
        self.assertTrue(found["reached"])
        self.assertEqual(found["proposals"], [])

    def test_the_table_is_for_people(self):
        text = run("seek", "preset:llama3-70b", "--goal", "step=2s", "--top", "2").stdout.decode()
        self.assertIn("1. ", text)
        self.assertIn("Rental cost", text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()), text)

    def test_hostile_goals_are_refused(self):
        for goal in ("", "days", "days=", "days=-1", "mfu=2", "fit=100%", "luck=3", "cost=\0", "days=nan"):
            if "\0" not in goal:
                self.assert_fails(run("seek", "preset:llama3-70b", "--goal", goal), 2)
        self.assert_fails(run("seek", "preset:llama3-70b"), 2)
        self.assert_fails(run("seek", "preset:llama3-70b", "--goal", "days=3", "--keep", "calm"), 2)
        self.assert_fails(run("seek", "preset:nothing", "--goal", "days=3"), 3)
        self.assert_fails(run("seek", "preset:llama3-70b", "--set", "parallelism.tensor=7", "--goal", "days=3"), 3)


if __name__ == "__main__":
    unittest.main()
