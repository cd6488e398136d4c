# SPDX-License-Identifier: GPL-3.0-or-later
"""`schedule`: times and operations of one pipeline schedule, and arguments that it rejects."""
import json
import unittest

from program import SOURCE, ProgramTest, answer, run

SCHEDULES = ("gpipe 1f1b interleaved looped-bfs zb-h1 zb-h2 zb-1p zb-2p interleaved-zb zb-v v-half v-min dualpipe "
             "dualpipe-v chimera seq1f1b").split()


def schedule(name, stages, microbatches, *more):
    return answer("schedule", "--schedule", name, "--stages", stages, "--microbatches", microbatches, *more, "--json")


def rows(name, stages, microbatches, *more):
    done = run("schedule", "--schedule", name, "--stages", stages, "--microbatches", microbatches, "--ops", *more)
    assert done.returncode == 0, done.stderr
    return [line.split(",") for line in done.stdout.decode().splitlines()]


class Times(unittest.TestCase):
    def test_the_keys_of_the_contract(self):
        for name in SCHEDULES:
            result = schedule(name, 4, 8)
            for key in ("makespan", "span", "ideal", "bubble_of_ideal", "bubble_of_total", "bubble_of_span", "idle_of_all_ranks",
                        "idle_warm_up_and_drain", "idle_imbalance", "idle_waiting_for_sends", "operations"):
                self.assertIsInstance(result[key], (int, float), name)
            self.assertEqual(len(result["in_flight"]), 4)
            self.assertGreaterEqual(result["makespan"], result["span"])
            self.assertGreaterEqual(result["span"], result["ideal"])

    def test_published_times(self):
        self.assertEqual(schedule("1f1b", 4, 8)["makespan"], 33)
        self.assertEqual(schedule("zb-h2", 4, 8)["span"], 24)
        self.assertEqual(schedule("dualpipe-v", 4, 10, "--chunks", 2, "--overlap", 2.5)["makespan"], 59)
        self.assertEqual(schedule("interleaved", 4, 8, "--chunks", 2)["in_flight"], [11, 9, 7, 5])

    def test_what_sends_add(self):
        for name, microbatches, hop in (("1f1b", 8, 0.25), ("interleaved", 8, 0.1), ("dualpipe", 16, 0.5)):
            chunks = ("--chunks", 2) if name == "interleaved" else ()
            without = schedule(name, 4, microbatches, *chunks)
            with_hop = schedule(name, 4, microbatches, *chunks, "--hop", hop)
            self.assertEqual(without["exposed_sends"], 0)
            self.assertAlmostEqual(with_hop["exposed_sends"], with_hop["makespan"] - without["makespan"], 9)
        self.assertAlmostEqual(schedule("1f1b", 4, 8, "--hop", 0.25)["exposed_sends"], 16 * 0.25, 9)

    def test_times_are_those_of_one_operation(self):
        result = schedule("1f1b", 8, 24, "--forward", 18.522, "--input-gradient", 18.086, "--weight-gradient", 9.337,
                          "--hop", 0.601)
        self.assertAlmostEqual(result["bubble_of_span"], 0.2431, 4)

    def test_a_larger_memory_limit_idles_less(self):
        spans = [schedule("zb-2p", 8, 24, "--hop", 0.1, "--memory-limit", limit)["span"] for limit in (4, 8, 16)]
        self.assertEqual(spans, sorted(spans, reverse=True))
        self.assertGreater(spans[0], spans[2])


class Listing(unittest.TestCase):
    def test_every_schedule_with_its_source(self):
        listed = answer("schedule", "--list", "--json")["schedules"]
        self.assertEqual([each["name"] for each in listed], SCHEDULES)
        self.assertTrue(all(each["title"] and each["source"] for each in listed))
        self.assertEqual(len(run("schedule", "--list").stdout.decode().splitlines()), len(SCHEDULES) + 1)

    def test_the_schema_is_made_of_them(self):
        with open(f"{SOURCE}/presets/schema/schedule.schema.json", encoding="utf-8") as stream:
            schema = json.load(stream)
        self.assertNotIn("enum", schema)
        printed = answer("schedule", "--schema")
        self.assertEqual(printed.pop("enum"), SCHEDULES)
        self.assertEqual({**schema, "description": ""}, {**printed, "description": ""})

    def test_what_there_is_not_is_refused_with_their_names(self):
        done = run("evaluate", "preset:deepseek-v3", "--set", "parallelism.schedule=zb-v2")
        self.assertEqual(done.returncode, 3)
        told = done.stderr.decode()
        self.assertTrue(told.startswith('preset:deepseek-v3: /parallelism/schedule: "zb-v2" is not known'), told)
        self.assertTrue(all(name in told for name in SCHEDULES), told)


class Operations(unittest.TestCase):
    def test_a_row_a_rank(self):
        self.assertEqual(rows("1f1b", 2, 2), [["0F0", "0F1", "0B0", "0B1"], ["1F0", "1B0", "1F1", "1B1"]])
        self.assertEqual(rows("seq1f1b", 1, 1, "--chunks", 2), [["0F0.0", "0F0.1", "0B0.1", "0B0.0"]])

    def test_blocks_and_directions(self):
        self.assertIn("(0F3;3B1)OVERLAP_F_B", ",".join(rows("dualpipe-v", 2, 5)[0]))
        self.assertTrue(all("@" in cell for cell in rows("dualpipe", 2, 4)[0]))

    def test_as_many_as_it_says(self):
        for name in SCHEDULES:
            if name != "chimera":  # whose grid also has idle slots and reductions
                with self.subTest(name=name):
                    told = schedule(name, 4, 8)["operations"]
                    self.assertEqual(sum(map(len, rows(name, 4, 8))), told)

    def test_json_takes_them_along(self):
        self.assertEqual(schedule("1f1b", 2, 1, "--ops")["ops"], ["0F0,0B0", "1F0,1B0"])


class Refusals(ProgramTest):
    def test_usage(self):
        self.assert_fails(run("schedule"), 2)
        self.assert_fails(run("schedule", "--schedule", "1f1b", "--stages", 2), 2)
        self.assert_fails(run("schedule", "--schedule", "1f1b", "--stages", "two", "--microbatches", 2), 2)

    def test_what_no_schedule_runs_with(self):
        for arguments in (("weave", 2, 2), ("1f1b", 0, 2), ("1f1b", 2, 0), ("1f1b", -1, 2), ("1f1b", 10**18, 2),
                          ("1f1b", 2, 10**18), ("1f1b", 4096, 4096), ("gpipe", 2, 2, "--chunks", 2),
                          ("zb-v", 4, 8, "--chunks", 3), ("dualpipe", 3, 12), ("dualpipe", 4, 6), ("chimera", 4, 5),
                          ("dualpipe-v", 4, 7), ("1f1b", 2, 2, "--forward", -1), ("1f1b", 2, 2, "--hop", "nan"),
                          ("dualpipe-v", 2, 8, "--overlap", "inf"), ("interleaved", 8, 16, "--chunks", 3, "--group", 2),
                          ("zb-v", 8, 16, "--memory-limit", 2), ("zb-1p", 8, 16, "--memory-limit", 0.5)):
            with self.subTest(arguments=arguments):
                name, stages, microbatches, *more = arguments
                self.assert_fails(run("schedule", "--schedule", name, "--stages", stages, "--microbatches", microbatches,
                                      *more), 3)


if __name__ == "__main__":
    unittest.main()
