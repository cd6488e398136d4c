# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan's pipeline as a trace that Perfetto opens."""
import bisect
import unittest
from collections import defaultdict

from program import ProgramTest, answer, run

# Phases of the Trace Event Format, and what each must have.
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
        """Readers cut times to nanoseconds: slices still must not overlap, nor arrows begin or end beside one."""
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


if __name__ == "__main__":
    unittest.main()
