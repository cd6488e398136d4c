# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports: launch files, tables, and the pipeline as a trace that Perfetto opens."""
import bisect
import csv
import io
import json
import os
import re
import subprocess
import tomllib
import unittest
from collections import defaultdict

from program import ProgramTest, answer, run

# Phases of the Trace Event Format, and the keys that each needs.
NEEDED = {"M": {"name", "pid", "args"}, "X": {"name", "pid", "tid", "ts", "dur"}, "s": {"id", "pid", "tid", "ts"},
          "f": {"id", "pid", "tid", "ts", "bp"}, "C": {"name", "pid", "ts", "args"}}


def trace(plan, *more):
    return answer("export", plan, "--to", "perfetto", *more)["traceEvents"]


class Trace(ProgramTest):
    PLANS = (("preset:pretrain-70b-1k-design",), ("preset:ten-to-25",), ("preset:llama-1b-profile",), ("preset:deepseek-v3",),
             ("preset:llama3-405b-16k",))

    def test_every_event_is_one_of_the_format(self):
        for plan in self.PLANS:
            for event in trace(*plan):
                self.assertIn(event["ph"], NEEDED)
                self.assertLessEqual(NEEDED[event["ph"]], set(event), event)
                for key in ("ts", "dur"):
                    self.assertGreaterEqual(event.get(key, 0), 0)

    def test_ranks_are_processes_and_streams_threads(self):
        events = trace("preset:pretrain-70b-1k-design")
        processes = {event["args"]["name"] for event in events if event["name"] == "process_name"}
        self.assertEqual(processes, {f"rank {rank}" for rank in range(4)})
        threads = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
        self.assertEqual(threads, {"compute", "p2p", "tensor", "data", "expert"})

    def test_slices_of_a_thread_do_not_overlap(self):
        for plan in self.PLANS:
            threads = defaultdict(list)
            for event in trace(*plan):
                if event["ph"] == "X":
                    threads[event["pid"], event["tid"]].append((event["ts"], event["dur"]))
            for slices in threads.values():
                slices.sort()
                for (start, length), (following, _) in zip(slices, slices[1:]):
                    self.assertLessEqual(start + length, following * (1 + 1e-9) + 1e-6)

    def test_arrows_leave_a_send_and_reach_the_operation_that_needs_it(self):
        events = trace("preset:pretrain-70b-1k-design")
        slices = {(event["pid"], event["tid"], event["ts"]) for event in events if event["ph"] == "X"}
        starts = {event["id"]: event for event in events if event["ph"] == "s"}
        ends = {event["id"]: event for event in events if event["ph"] == "f"}
        self.assertTrue(starts)
        self.assertEqual(set(starts), set(ends))
        for key, start in starts.items():
            self.assertIn((start["pid"], start["tid"], start["ts"]), slices)
            self.assertIn((ends[key]["pid"], ends[key]["tid"], ends[key]["ts"]), slices)
            self.assertNotEqual(start["pid"], ends[key]["pid"])
            self.assertLess(start["ts"], ends[key]["ts"])

    def test_a_reader_in_whole_nanoseconds_binds_every_arrow(self):
        """Readers truncate times to nanoseconds: slices must still not overlap, and arrows must start and end on one."""
        def cut(microseconds):
            return int(microseconds * 1000)

        for plan in self.PLANS:
            events = trace(*plan)
            slices = defaultdict(list)
            for event in events:
                if event["ph"] == "X":
                    slices[event["pid"], event["tid"]].append((cut(event["ts"]), cut(event["dur"])))
            for thread in slices.values():
                thread.sort()
                for (start, length), (following, _) in zip(thread, thread[1:]):
                    self.assertLessEqual(start + length, following, plan)
            starts = [event for event in events if event["ph"] == "s"]
            ends = {event["id"]: event for event in events if event["ph"] == "f"}
            self.assertEqual(len({event["id"] for event in starts}), len(starts))
            self.assertEqual({event["id"] for event in starts}, set(ends))
            self.assertEqual(len(ends), sum(event["ph"] == "f" for event in events))
            for start in starts:
                end = ends[start["id"]]
                self.assertEqual((start["name"], start["cat"], "e"), (end["name"], end["cat"], end["bp"]))
                self.assertLessEqual(cut(start["ts"]), cut(end["ts"]))
                for event in (start, end):
                    thread = slices[event["pid"], event["tid"]]
                    begin, length = thread[bisect.bisect_right(thread, (cut(event["ts"]), float("inf"))) - 1]
                    self.assertTrue(begin <= cut(event["ts"]) < begin + max(1, length), (plan, event))

    def test_as_many_operations_as_the_schedule_has(self):
        events = trace("preset:pretrain-70b-1k-design")
        plan = answer("evaluate", "preset:pretrain-70b-1k-design", "--json")["plan"]
        microbatches = plan["batch"]["global_sequences"] // (
            plan["parallelism"]["data"] * plan["batch"]["micro_sequences"])
        compute = [event for event in events if event["ph"] == "X" and event["tid"] == 0]
        chunks = plan["parallelism"].get("chunks", 1)
        self.assertEqual(len(compute), 2 * microbatches * plan["parallelism"]["pipeline"] * chunks)

    def test_memory_comes_and_goes(self):
        counters = [event for event in trace("preset:pretrain-70b-1k-design") if event["name"] == "memory" and event["pid"] == 0]
        held = [event["args"]["activation bytes"] for event in counters]
        self.assertGreater(max(held), 0)
        self.assertEqual(held[-1], 0)

    def test_what_cannot_be_exported(self):
        self.assert_fails(run("export", "preset:ten-to-25"), 2)
        self.assert_fails(run("export", "preset:ten-to-25", "--to", "paper"), 2)
        self.assert_fails(run("export", "preset:no-such-plan", "--to", "perfetto"), 3)
        self.assert_fails(run("export", "preset:ten-to-25", "--to", "perfetto", "--set", "parallelism.tensor=3"), 3)
        self.assert_fails(run("export", self.file("empty", ""), "--to", "perfetto"), 3)
        self.assert_fails(run("export", self.folder, "--to", "perfetto"), 4)


# For each target: the file that users edit first, and all files that a launch needs.
TARGETS = {
    "megatron": ("train.sh", {"train.sh", "run.sbatch"}),
    "megatron-bridge": ("overrides.yaml", {"overrides.yaml", "train.py", "train.sh", "run.sbatch"}),
    "torchtitan": ("train.toml", {"train.toml", "train.sh", "run.sbatch"}),
    "deepspeed": ("ds_config.json", {"ds_config.json", "train.sh", "run.sbatch"}),
    "nanotron": ("config.yaml", {"config.yaml", "train.sh", "run.sbatch"}),
    "accelerate": ("accelerate.yaml", {"accelerate.yaml", "train.sh", "config.json", "run.sbatch"}),
    "slurm": ("run.sbatch", {"run.sbatch", "train.sh"}),
    "csv": ("figures.csv", {"figures.csv", "stages.csv", "operations.csv"}),
    "perfetto": ("trace.json", {"trace.json"}),
}
PLAN = "preset:pretrain-8b"


class Launch(ProgramTest):
    def test_prints_the_file_that_the_target_reads_and_writes_all_that_a_start_needs(self):
        for target, (first, names) in TARGETS.items():
            folder = os.path.join(self.folder, "new", target)
            done = run("export", PLAN, "--to", target, "--output", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(set(os.listdir(folder)), names, target)
            self.assertEqual(set(done.stdout.decode().split()), {os.path.join(folder, name) for name in names})
            with open(os.path.join(folder, first), "rb") as stream:
                self.assertEqual(run("export", PLAN, "--to", target).stdout, stream.read(), target)

    def test_scripts_are_shell_scripts_and_documents_parse(self):
        for target, (_, names) in TARGETS.items():
            folder = os.path.join(self.folder, target)
            run("export", PLAN, "--to", target, "--output", folder)
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith((".sh", ".sbatch")):
                    done = subprocess.run(["bash", "-n", path], capture_output=True, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, b""), path)
                elif name.endswith(".json"):
                    with open(path, encoding="utf-8") as stream:
                        json.load(stream)
                elif name.endswith(".toml"):
                    with open(path, "rb") as stream:
                        tomllib.load(stream)
                elif name.endswith(".py"):
                    with open(path, encoding="utf-8") as stream:
                        compile(stream.read(), path, "exec")

    def test_a_model_that_torchtitan_does_not_have_comes_with_its_sizes(self):
        folder = os.path.join(self.folder, "titan")
        run("export", "preset:llama2-70b", "--to", "torchtitan", "--output", folder)
        with open(os.path.join(folder, "train.toml"), "rb") as stream:
            toml = tomllib.load(stream)
        self.assertEqual(toml["model"]["flavor"], "meshwright")
        self.assertEqual(toml["experimental"]["custom_import"], "meshwright_model")
        with open(os.path.join(folder, "meshwright_model.py"), encoding="utf-8") as stream:
            text = stream.read()
        compile(text, "meshwright_model.py", "exec")
        for size in ("dim=8192,", "n_layers=80,", "n_kv_heads=8,", "multiple_of=28672,", "vocab_size=32000,"):
            self.assertIn(size, text)

    def test_the_megatron_script_passes_its_options_to_torchrun(self):
        folder = os.path.join(self.folder, "megatron")
        run("export", PLAN, "--to", "megatron", "--output", folder)
        seen = self.file("torchrun", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        os.chmod(seen, 0o755)
        done = subprocess.run(["bash", "train.sh"], cwd=folder, capture_output=True, check=True, text=True,
                              env={**os.environ, "PATH": self.folder + ":" + os.environ["PATH"], "LR": "1e-4"})
        words = done.stdout.splitlines()
        pairs = dict(zip(words, words[1:]))
        self.assertIn("--nnodes=8", words)
        self.assertEqual(pairs["--context-parallel-size"], "2")
        self.assertEqual(pairs["--lr"], "1e-4")
        self.assertEqual(pairs["--tokenizer-type"], "NullTokenizer")
        self.assertIn("--mock-data", words)

    def test_jobs_give_each_accelerator_the_rank_that_the_plan_places_there(self):
        job = run("export", "preset:deepseek-v3", "--to", "megatron", "--output",
                  os.path.join(self.folder, "job"))
        self.assertEqual(job.returncode, 0)
        with open(os.path.join(self.folder, "job", "run.sbatch"), encoding="utf-8") as stream:
            inner = re.search(r"bash -c '(.*)exec bash train.sh'", stream.read(), re.DOTALL)[1]
        program = "for SLURM_PROCID in $(seq 0 2047); do SLURM_LOCALID=0\n" + inner + "echo $RANK\ndone\n"
        ranks = subprocess.run(["bash", "-c", program], capture_output=True, check=True, text=True).stdout.split()
        self.assertEqual(sorted(map(int, ranks)), list(range(2048)))
        # 64 expert-parallel ranks come first, then the next stage, whose ranks are 128 higher.
        self.assertEqual([int(ranks[slot]) for slot in (0, 1, 63, 64, 128, 1024)], [0, 1, 63, 128, 256, 64])

    def test_lines_name_their_plan_fields(self):
        files = answer("export", PLAN, "--to", "megatron", "--json")["files"]
        lines = {line["text"].strip(): line for line in files[0]["lines"]}
        self.assertEqual(lines["--context-parallel-size 2"]["field"], "/parallelism/context")
        self.assertEqual(lines["--bf16"]["field"], "/precision/compute")
        self.assertEqual([file["name"] for file in files], ["train.sh", "run.sbatch"])

    def test_what_is_lost_is_in_the_head_or_on_standard_error(self):
        done = run("export", "preset:deepseek-v2", "--to", "megatron")
        self.assertIn(b"# - Megatron-LM does not support the schedule zb-h1; instead: 1f1b.", done.stdout)
        self.assertEqual(done.stderr, b"")
        done = run("export", "preset:ten-to-25", "--to", "deepspeed")
        json.loads(done.stdout)
        self.assertIn(b"lost: The outer loop (streaming-diloco between 72 sites)", done.stderr)

    def test_tables_are_csv(self):
        folder = os.path.join(self.folder, "tables")
        run("export", "preset:pretrain-70b-1k-design", "--to", "csv", "--output", folder)
        tables = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), newline="", encoding="utf-8") as stream:
                tables[name] = list(csv.DictReader(stream))
        figures = {row["figure"]: row["value"] for row in tables["figures.csv"]}
        result = answer("evaluate", "preset:pretrain-70b-1k-design", "--json")
        self.assertEqual(float(figures["step.seconds"]), result["step"]["seconds"])
        self.assertEqual(figures["pipeline.schedule"], "interleaved")
        self.assertEqual(float(tables["stages.csv"][0]["total_bytes"]), result["memory"]["stages"][0]["total_bytes"])
        self.assertEqual(len(tables["operations.csv"]), 2 * 32 * 5 * 4)
        last = max(float(row["end_seconds"]) for row in tables["operations.csv"])
        self.assertAlmostEqual(last / result["pipeline"]["makespan_seconds"], 1, places=6)
        self.assertEqual(next(csv.reader(io.StringIO(run("export", PLAN, "--to", "csv").stdout.decode()))),
                         ["figure", "value"])

    def test_degrees_that_a_target_does_not_have_are_refused(self):
        for plan, target, pointer in (("deepseek-v3", "nanotron", "/parallelism/expert"),
                                      ("deepseek-v3", "accelerate", "/parallelism/expert"),
                                      ("palm-540b", "torchtitan", "/parallelism/tensor")):
            done = run("export", f"preset:{plan}", "--to", target, "--output", os.path.join(self.folder, "none"))
            self.assert_fails(done, 3)
            self.assertIn(f": {pointer}: ", done.stderr.decode())
        self.assertFalse(os.path.exists(os.path.join(self.folder, "none")))

    def test_folders_that_cannot_be_written_are_named(self):
        taken = self.file("taken", "")
        self.assert_fails(run("export", PLAN, "--to", "megatron", "--output", taken), 4)
        self.assert_fails(run("export", PLAN, "--to", "megatron", "--output", "/proc/none"), 4)


if __name__ == "__main__":
    unittest.main()
