# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every verb that reads files on valid input with a few values changed. Each run must answer with JSON, or with
one line and the matching status. The inputs are the same each time. The fuzz targets try many more inside the planner;
this test goes through the program's own interface."""
import copy
import csv
import io
import json
import math
import os
import random
import unittest

from program import SOURCE, ProgramTest, answer, run

SECONDS = 30
NUMBERS = [0, -1, 1, 2, 3, 7, 0.5, 64, 4096, 1e5, 1e9, 2**31, 2**53 + 1, 2**63, 1e18, 1e300, 1e308, -1e308, 5e-324]
TEXTS = ["", "nan", "-inf", "1e999", "none", "../../etc/passwd", "/dev/zero", "x" * 5000, "a\nb", "\u202e\ufeff", "ü", "%s%n", "1f1b"]
OTHERS = [None, True, False, [], {}, [[]], [None], {"a": 1}, [1] * 2000]
with open(os.path.join(SOURCE, "presets/evidence/measured-runs.csv"), encoding="utf-8") as stream:
    ROWS = list(csv.reader(stream))


def places(value, at=()):
    items = value.items() if isinstance(value, dict) else enumerate(value[:20]) if isinstance(value, list) else ()
    for key, item in items:
        yield at + (key,)
        yield from places(item, at + (key,))


def strict(text):
    def refuse(word):
        raise ValueError(f"the JSON contains {word}")
    return json.loads(text, parse_constant=refuse)


def all_finite(value):
    if isinstance(value, (dict, list)):
        return all(all_finite(item) for item in (value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


class Mutated(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(20261121)

    def value(self, old):
        if isinstance(old, (int, float)) and not isinstance(old, bool) and self.random.random() < 0.5:
            return old * self.random.choice([2, 0.5, 3, 10, 1e3, 1e-3, 0])
        return self.random.choice(self.random.choice([NUMBERS, NUMBERS, TEXTS, OTHERS]))

    def changed(self, document):
        document = copy.deepcopy(document)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            at = self.random.choice(list(places(document)))
            parent = document
            for key in at[:-1]:
                parent = parent[key]
            if self.random.random() < 0.1:
                del parent[at[-1]]
                if not document:
                    return document
            else:
                parent[at[-1]] = self.value(parent[at[-1]])
        return document

    def holds(self, *arguments, **options):
        done = run(*arguments, timeout=SECONDS, **options)
        if done.returncode == 0:
            self.assertEqual(done.stderr, b"")
            self.assertTrue(all_finite(strict(done.stdout)))
        else:
            self.assertIn(done.returncode, (2, 3, 4), done.stderr)
            self.assert_fails(done, done.returncode)
            self.assertLess(len(done.stderr), 2000)

    def each(self, count, make):
        for i in range(count):
            with self.subTest(input=i):
                make()

    def test_plans(self):
        plans = [answer("presets", name) for name in ("ten-to-25", "deepseek-v3", "smollm-135m")]

        def plan():
            file = self.file("in.json", json.dumps(self.changed(self.random.choice(plans))))
            verb = self.random.choice(["evaluate", "diloco", "check", "evaluate"])
            if verb == "check":
                self.assertIn(run("check", file, "--json", timeout=SECONDS).returncode, (0, 3))
            else:
                self.holds(verb, file, "--json")
        self.each(60, plan)

    def test_models_to_import(self):
        with open(os.path.join(SOURCE, "tests/core/data/configs/deepseek-v3.json"), encoding="utf-8") as stream:
            config = json.load(stream)
        self.each(30, lambda: self.holds("import", self.file("config.json", json.dumps(self.changed(config))), "--json"))

    def test_measured_runs(self):
        def table():
            rows = [list(ROWS[0])] + [list(self.random.choice(ROWS[1:])) for _ in range(3)]
            for _ in range(self.random.randint(1, 6)):
                row = self.random.randrange(1, len(rows))
                rows[row][self.random.randrange(len(rows[0]))] = str(self.random.choice(NUMBERS + TEXTS))
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            file = self.file("runs.csv", text.getvalue())
            if self.random.random() < 0.7:
                self.holds("evidence", file, "--json")
            else:
                self.holds("calibrate", file, "--rounds", "1", "--json", *self.random.choice([[], ["--machine"], ["--of", "memory"]]))
        self.each(24, table)

    def test_rates_of_a_link(self):
        plan = answer("presets", "ten-to-25")
        plan["cluster"]["wan"]["rate_trace"] = "rates.csv"
        file = self.file("in.json", json.dumps(plan))

        def rates():
            lines = [self.random.choice(["seconds,share", "seconds,bits_per_second", "share,seconds", "seconds"])]
            lines += [f"{10 * i},{self.random.choice([0, 0.5, 1, 2, 1e8, 1e308, -1, 'x', ''])}" for i in range(self.random.randint(0, 5))]
            self.file("rates.csv", "\n".join(lines))
            self.holds("diloco", file, "--json")
        self.each(20, rates)

    def test_shards(self):
        shards = [answer("search", "preset:smollm-135m", "--json", "--top", "2", "--shard", f"{i}/2") for i in range(2)]

        def merge():
            texts = [json.dumps(shards[0]), json.dumps(self.changed(shards[1]))]
            self.holds("merge", self.file("shards.jsonl", "\n".join(texts)), "--json")
            # The plain-text output must not crash either.
            self.assertIn(run("merge", os.path.join(self.folder, "shards.jsonl"), timeout=SECONDS).returncode, (0, 3))
        self.each(40, merge)

    def test_assignments(self):
        plan = answer("presets", "ten-to-25")
        fields = [".".join(map(str, at)) for at in places(plan)]

        def assign():
            field = self.random.choice(fields + ["", "cluster.tiers.99", "cluster.tiers.-1", "model." * 100 + "x", "a/b", "~"])
            value = self.value(1)
            text = value.replace("\n", " ") if isinstance(value, str) else json.dumps(value)
            self.holds("diloco", "preset:ten-to-25", "--json", "--set", f"{field}={text}")
        self.each(40, assign)


if __name__ == "__main__":
    unittest.main()
