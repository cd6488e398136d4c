# SPDX-License-Identifier: GPL-3.0-or-later
"""Calculators: exact values with the same names as in results, arguments with units, and one line per error."""
import csv
import math
import unittest

from program import SOURCE, ProgramTest, answer, run


def textbook_rows():
    with open(f"{SOURCE}/tests/core/data/calculators.csv", encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        next(rows)
        return [(name, arguments.split(), result, float(value)) for name, arguments, result, value, *_ in rows]


class Values(ProgramTest):
    def test_every_textbook_row_gives_its_exact_value(self):
        for name, arguments, result, expected in textbook_rows():
            with self.subTest(calculator=name, arguments=arguments):
                value = answer("calc", name, *arguments, "--json")[result]
                self.assertTrue(math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12), f"{value} for {expected}")

    def test_an_answer_carries_formula_numbers_unit_and_source(self):
        done = answer("calc", "ring-all-reduce", "ranks=8", "bytes=1GB", "bandwidth=100GB/s", "--json")
        self.assertEqual(done["bytes_per_rank"], 1.75e9)
        self.assertAlmostEqual(done["seconds"], 0.0175)
        self.assertEqual(done["formula"], "2 * (ranks - 1) / ranks * bytes")
        self.assertEqual(done["substituted"], "2 * (8 - 1) / 8 * 1 GB")
        self.assertTrue(done["unit"] and done["source"])

    def test_arguments_take_units(self):
        def seconds(*arguments):
            return answer("calc", "ring-all-reduce", "ranks=8", *arguments, "--json")["seconds"]

        self.assertEqual(seconds("bytes=2GB", "bandwidth=400Gb/s"), seconds("bytes=2e9", "bandwidth=50e9"))
        run_time = [answer("calc", "run-time", f"seconds={text}", "--json")["days"] for text in ("25min", "1500")]
        self.assertEqual(*run_time)
        flops = [answer("calc", "training-flops", f"parameters={text}", "tokens=1T", "--json")["flops"]
                 for text in ("7B", "7e9")]
        self.assertEqual(*flops)

    def test_lists_choices_and_flags(self):
        self.assertEqual(answer("calc", "loss-scale", "initial=65536", "overflows=1,0,1,0,0", "growth_interval=2",
                                "--json")["scale"], 32768)
        linear, root = (answer("calc", "scaled-learning-rate", "base_rate=3e-4", "base_batch=256", "batch=1024",
                               f"rule={rule}", "--json")["rate"] for rule in ("linear", "sqrt"))
        self.assertAlmostEqual(linear / root, 2)

    def test_a_result_that_lacks_arguments_is_left_out(self):
        done = answer("calc", "training-time", "flops=1e25", "accelerators=1024", "peak=989e12", "mfu=40%", "--json")
        self.assertIn("days", done)
        self.assertNotIn("mfu", {key for key in done if key == "mfu"})
        done = answer("calc", "training-time", "flops=1e25", "accelerators=1024", "peak=989e12", "days=100", "--json")
        self.assertIn("mfu", done)
        self.assertNotIn("days", done)

    def test_people_get_a_table(self):
        text = run("calc", "ring-all-reduce", "ranks=8", "bytes=1GB").stdout.decode()
        self.assertIn("2 * (ranks - 1) / ranks * bytes", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 120)


class Catalogue(ProgramTest):
    def test_the_list_names_every_formula_with_arguments_and_results(self):
        listed = answer("calc", "--list", "--json")
        names = {entry["name"] for entry in listed}
        self.assertGreater(len(names), 140)
        self.assertLessEqual({row[0] for row in textbook_rows()}, names)
        for entry in listed:
            self.assertTrue(entry["title"] and entry["topic"] and entry["arguments"] and entry["results"], entry["name"])
        text = run("calc", "--list").stdout.decode()
        for name in names:
            self.assertIn(name, text)

    def test_a_bubble_outside_its_closed_form_is_what_the_schedule_executes(self):
        for microbatches in (2, 4, 8, 15, 16, 17):
            bubble = answer("calc", "pipeline-bubble", "stages=16", f"microbatches={microbatches}", "chunks=2", "--json")
            executed = answer("schedule", "--schedule", "interleaved", "--stages", "16", "--microbatches",
                              str(microbatches), "--chunks", "2", "--json")
            self.assertAlmostEqual(bubble["over_ideal"], executed["bubble_of_ideal"], places=9)
            self.assertAlmostEqual(bubble["of_total"], executed["bubble_of_total"], places=9)

    def test_notes_say_where_published_figures_slip(self):
        notes = {entry["name"]: entry.get("notes", "") for entry in answer("calc", "--list", "--json")}
        for name, words in {"tensor-all-reduce": "drops the factor of 2", "activation-tensors": "eight times as large",
                            "training-time": "counts utilization twice", "pipeline-in-flight": "p - 1",
                            "wire-payload": "bitmap of one bit per parameter"}.items():
            self.assertIn(words, " ".join(notes[name].split()), name)


class Rejections(ProgramTest):
    def rejected(self, *arguments):
        done = run("calc", *arguments)
        self.assert_fails(done, 3)
        return done.stderr.decode()

    def test_an_unknown_calculator(self):
        self.assertIn("ring-all-reduce", self.rejected("ring-all-reduc", "ranks=8"))
        self.rejected("no-such-thing-at-all")

    def test_an_unknown_argument_lists_those_that_are_taken(self):
        error = self.rejected("ring-all-reduce", "rank=8", "bytes=1GB")
        for name in ("ranks", "bytes", "bandwidth", "latency"):
            self.assertIn(name, error)

    def test_a_wrong_unit_lists_units(self):
        error = self.rejected("ring-all-reduce", "ranks=8", "bytes=1km")
        self.assertIn("GB", error)
        self.rejected("ring-all-reduce", "ranks=8", "bytes=1s")

    def test_a_value_out_of_range_tells_the_range(self):
        for argument in ("ranks=0", "ranks=1.5", "ranks=-3", "ranks=1e99", "ranks=nan", "ranks=inf", "ranks="):
            self.assertIn("expected", self.rejected("ring-all-reduce", argument, "bytes=1GB"))

    def test_a_wrong_word_lists_the_words(self):
        error = self.rejected("scaled-learning-rate", "base_rate=3e-4", "base_batch=256", "batch=1024", "rule=cubic")
        self.assertIn("linear", error)
        self.assertIn("sqrt", error)

    def test_arguments_that_give_nothing_say_what_is_missing(self):
        self.assertIn("bytes", self.rejected("ring-all-reduce"[:15], "bandwidth=1GB/s"))

    def test_arguments_without_a_result_together_list_the_ranges(self):
        error = self.rejected("pipeline-in-flight", "stages=2", "microbatches=8", "rank=5")
        for accepted in ("stages an integer from 1", "rank an integer from 0", "gpipe"):
            self.assertIn(accepted, error)

    def test_wrong_usage_lists_the_names(self):
        for arguments in (("ranks",), ("=3",), ("ranks=2", "ranks=3")):
            done = run("calc", "ring-all-reduce", *arguments)
            self.assert_fails(done, 2)
            self.assertIn("bandwidth=", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
