# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports measurements: network tests, machine listings, training logs, profiles and memory snapshots."""
import glob
import gzip
import json
import os
import resource
import unittest

from program import SOURCE, ProgramTest, answer, run

EXAMPLES = os.path.join(SOURCE, "tests", "fuzz", "corpus", "import_measured")
# For each example, the recognized format; examples are found by the beginning of their names.
WHAT = {"all": ("nccl-tests", "tier"), "alltoall": ("nccl-tests", "tier"), "topology": ("nvidia-smi", "node"),
        "query": ("nvidia-smi", "node"), "ibstat": ("nvidia-smi", "node"), "lstopo": ("nvidia-smi", "node"),
        "megatron": ("log", "run"), "torchtitan": ("log", "run"), "nanotron": ("log", "run"), "trace": ("trace", "run"),
        "snapshot": ("trace", "run")}


def example(name):
    return os.path.join(EXAMPLES, name)


class Measurements(ProgramTest):
    def test_each_form_is_recognized_by_its_text(self):
        files = sorted(glob.glob(example("*")))
        self.assertGreaterEqual(len(files), 14)
        for file in files:
            name = os.path.basename(file)
            kind, what = next(value for key, value in WHAT.items() if name.startswith(key))
            imported = answer("import", file, "--json")
            self.assertEqual(imported["kind"], kind, name)
            self.assertIn(what, imported, name)
            self.assertIn("measured", imported, name)
            for account in ("understood", "assumed", "ignored", "faults"):
                self.assertIsInstance(imported[account], list)

    def test_a_tier_joins_a_plan_that_is_evaluated_with_it(self):
        tier = answer("import", example("all_reduce.txt"))
        plan = {"schema": "meshwright.plan/1", "model": "llama-3.2-1b",
                "cluster": {"accelerator": "h100-sxm-80gb", "accelerators_per_node": 2, "health": "measured",
                            "tiers": [{"name": "nvlink", "accelerators": 2, "bandwidth_bytes_per_second": 450e9}, tier]}}
        result = answer("evaluate", "-", "--json", stdin=json.dumps(plan).encode())
        self.assertEqual(result["cluster"]["accelerators"], 4)

    def test_listings_of_one_machine_are_one_node(self):
        node = answer("import", example("topology.txt"), example("query.xml"), example("ibstat.txt"))
        self.assertEqual(node["accelerator"], "a100-sxm-80gb")
        self.assertEqual(node["links"]["relation"], "NV12")
        self.assertEqual(node["network_bandwidth_bytes_per_second"], 25e9)

    def test_a_compressed_trace_is_the_same_run(self):
        plain, compressed = (answer("import", example(name), "--json") for name in ("trace.json", "trace.json.gz"))
        self.assertEqual(plain, compressed)
        with open(example("trace.json.gz"), "rb") as stream:
            piped = answer("import", "-", "--json", stdin=stream.read())
        self.assertEqual(piped["run"]["step_seconds"], plain["run"]["step_seconds"])

    def test_a_run_is_printed_next_to_the_prediction_of_a_plan(self):
        imported = answer("import", example("megatron.log"), "--plan", "preset:pretrain-8b", "--json")
        figures = {figure["figure"]: figure for figure in imported["comparison"]["figures"]}
        predicted = answer("evaluate", "preset:pretrain-8b", "--json")
        step = figures["step.seconds"]
        self.assertAlmostEqual(step["measured"], 10.1)
        self.assertAlmostEqual(step["predicted"], predicted["step"]["seconds"])
        self.assertAlmostEqual(step["difference"], step["predicted"] / step["measured"] - 1)
        self.assertIn("memory.allocated_bytes", figures)
        self.assertIn("accelerators", [setting["column"] for setting in imported["comparison"]["differing"]])
        text = run("import", example("megatron.log"), "--plan", "preset:pretrain-8b").stdout.decode()
        self.assertIn("Step time", text)
        self.assertIn("10.1 s", text)

    def test_a_profile_is_compared_term_by_term(self):
        imported = answer("import", example("trace.json"), "--plan", "preset:pretrain-8b", "--json")
        titles = [figure["title"] for figure in imported["comparison"]["figures"]]
        self.assertEqual(titles, ["Step time", "Compute", "Exposed communication", "Idle"])

    def test_only_runs_are_compared(self):
        self.assert_fails(run("import", example("topology.txt"), "--plan", "preset:pretrain-8b"), 3)
        self.assert_fails(run("import", example("megatron.log"), "--plan", "preset:no-such-plan"), 3)

    def test_a_run_is_a_row_that_evidence_predicts(self):
        # a value that no log contains
        measured = {**answer("import", example("megatron.log")), "accelerator": "h100-sxm-80gb"}
        table = self.file("own.csv", ",".join(measured) + "\n" + ",".join(f'"{value}"' for value in measured.values()) + "\n")
        row = answer("evidence", table, "--json")["rows"][0]
        self.assertIsNone(row["skipped"])
        self.assertAlmostEqual(row["measured_step_seconds"], 10.1)


class HostileMeasurements(ProgramTest):
    def test_a_file_over_the_limit_is_refused_in_one_line(self):
        with open(example("megatron.log"), "rb") as stream:
            log = stream.read()
        large = self.file("large.log", log + b"x" * (17 << 20))
        self.assert_fails(run("import", large), 3)
        self.assert_fails(run("import", "-", stdin=log + b"x" * (17 << 20)), 3)

    def test_a_profile_may_be_as_large_as_one_that_is_compressed(self):
        with open(example("trace.json"), "rb") as stream:
            profile = json.load(stream)
        small = answer("import", self.file("small.json", json.dumps(profile)), "--json")
        event = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
        profile["traceEvents"] += [event] * (1 + (17 << 20) // len(json.dumps(event)))
        large = self.file("large.json", json.dumps(profile))
        self.assertGreater(os.path.getsize(large), 17 << 20)
        self.assertEqual({**answer("import", large, "--json")["run"], "id": "small"}, small["run"])

    def test_a_small_file_that_expands_without_end_takes_neither_time_nor_memory(self):
        event = b'{"ph":"X","cat":"cpu_op","name":"mm","ts":1,"dur":1,"args":{"text":"' + b"a" * 65536 + b'"}},'
        bomb = self.file("bomb.json.gz", gzip.compress(b'{"traceEvents":[' + event * 5000, 9))
        self.assertLess(os.path.getsize(bomb), 2 << 20)
        done = run("import", bomb, timeout=120,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
        self.assert_fails(done, 3)

    def test_a_pickle_is_not_run(self):
        mark = os.path.join(self.folder, "mark")
        attack = b"\x80\x02}X\x08\x00\x00\x00segmentscos\nsystem\n(X" + len(f"touch {mark}").to_bytes(4, "little") + \
            f"touch {mark}".encode() + b"tRs."
        self.assert_fails(run("import", self.file("attack.pickle", attack)), 3)
        self.assertFalse(os.path.exists(mark))

    def test_a_document_type_is_never_fetched(self):
        text = '<?xml version="1.0"?><!DOCTYPE nvidia_smi_log [<!ENTITY x SYSTEM "file:///etc/passwd">]>' \
               "<nvidia_smi_log><gpu><product_name>&x;</product_name></gpu></nvidia_smi_log>"
        self.assert_fails(run("import", self.file("attack.xml", text)), 3)


if __name__ == "__main__":
    unittest.main()
