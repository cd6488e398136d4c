# SPDX-License-Identifier: GPL-3.0-or-later
"""search and merge: results equal those of evaluate, shards add up, sweeps resume, and hostile input is rejected."""
import json
import os
import shlex
import shutil
import subprocess
import unittest

from program import CLI, ProgramTest, answer, run

SMALL = ["preset:smollm-135m", "--set", "constraints.allowed.schedule=[\"1f1b\",\"interleaved\",\"zb-h1\"]"]
FIELDS = ("parallelism", "batch", "recompute", "offload", "precision")


def found(*arguments, plan=SMALL):
    return answer("search", *plan, "--json", *arguments)


class Search(ProgramTest):
    def merged_plan(self, entry):
        plan = answer("presets", "smollm-135m", "--json")
        for key, value in entry["patch"].items():
            plan[key] = {**plan.get(key, {}), **value}
            plan[key] = {name: item for name, item in plan[key].items() if item is not None}
        return json.dumps(plan).encode()

    def test_counts_add_up_and_the_plan_is_a_candidate(self):
        result = found()
        self.assertEqual(result["considered"], result["pruned"] + result["evaluated"])
        plan = answer("evaluate", *SMALL, "--json")
        self.assertLessEqual(result["results"][0]["step_seconds"], plan["step"]["seconds"])
        fixed = json.dumps(["tensor", "context", "pipeline", "chunks", "expert", "expert_tensor", "data", "zero_stage",
                            "sequence_parallel", "schedule", "micro_sequences", "recompute"])
        alone = answer("search", "preset:smollm-135m", "--set", "constraints.fixed=" + fixed, "--json")
        self.assertEqual(alone["considered"], 1)
        self.assertEqual(alone["results"][0]["step_seconds"], plan["step"]["seconds"])

    def test_what_is_listed_is_what_evaluate_says(self):
        result = found("--top", "5")
        for entry in result["results"] + result["pareto"][:5]:
            said = answer("evaluate", "-", "--json", stdin=self.merged_plan(entry))
            self.assertEqual(said["step"]["seconds"], entry["step_seconds"])
            self.assertEqual(said["memory"]["peak_bytes"], entry["peak_bytes"])
            self.assertEqual(said["step"]["mfu"], entry["mfu"])
            for field in FIELDS:
                self.assertEqual(entry[field], entry["patch"][field])

    def test_threads_change_nothing(self):
        one, many = found("--threads", "1", "--curves"), found("--threads", "7", "--curves")
        for result in (one, many):
            del result["seconds"]
        self.assertEqual(one, many)

    def test_shards_are_complete_balanced_and_join_to_the_whole(self):
        whole = found()
        files, counts = [], []
        for index in range(5):
            shard = found("--shard", f"{index}/5")
            counts.append(shard["considered"])
            files.append(os.path.join(self.folder, f"{index}.json"))
            with open(files[-1], "w", encoding="utf-8") as file:
                json.dump(shard, file)
        self.assertEqual(sum(counts), whole["considered"])
        self.assertLessEqual(max(counts) - min(counts), 0.1 * max(counts))
        merged = answer("merge", *files, "--json")
        self.assertEqual(merged["considered"], whole["considered"])
        self.assertEqual(merged["considered"], merged["pruned"] + merged["evaluated"])
        self.assertEqual(merged["results"], whole["results"])
        self.assertEqual(merged["pareto"], whole["pareto"])
        self.assert_fails(run("merge", *files[:4]), 3)
        self.assert_fails(run("merge", *files, files[0]), 3)

    def test_a_search_that_ends_early_says_so_and_is_no_part_of_a_sweep(self):
        lines = os.path.join(self.folder, "sweep.jsonl")
        wide = ["preset:deepseek-v3", "--set", 'constraints.also=["placement","precision"]', "--time-limit", "0.05"]
        part = answer("search", *wide, "--json", "--jsonl", lines)
        self.assertEqual((part["complete"], part["ended"]), (False, "time-limit"))
        self.assertNotEqual(part["unsearched"], 0)  # null if the search ended before it had listed all configurations
        self.assertEqual(part["considered"], part["pruned"] + part["evaluated"])
        self.assertFalse(os.path.exists(lines))
        self.assertIn("INCOMPLETE: time limit reached", run("search", *wide).stdout.decode())
        file = self.file("part.json", json.dumps(part))
        self.assert_fails(run("merge", file), 3)
        whole = found()
        self.assertEqual((whole["complete"], whole["ended"], whole["unsearched"]), (True, "whole", 0))
        self.assert_fails(run("search", "preset:smollm-135m", "--time-limit", "-1"), 2)

    def test_objectives(self):
        for objective in ("time", "cost", "accelerators", "tokens-per-dollar", "energy"):
            result = found("--objective", objective, "--top", "3")
            orders = [entry["order"] for entry in result["results"]]
            self.assertEqual(orders, sorted(orders))
        fewest = found("--objective", "accelerators", "--top", "1")
        self.assertLess(fewest["results"][0]["accelerators"], found("--top", "1")["results"][0]["accelerators"])

    def test_only_what_the_software_can_run_is_listed(self):
        plan = ["preset:pretrain-70b-1k"]
        result = found("--top", "50", plan=plan)
        listed = result["results"] + result["pareto"] + result["best_by_schedule"]
        self.assertLessEqual({entry["parallelism"]["schedule"] for entry in listed}, {"1f1b", "interleaved"})
        self.assertTrue(all(entry["runnable"] for entry in listed))
        wider = found("--any-software", plan=plan)
        self.assertGreater(wider["considered"], result["considered"])
        self.assertEqual(wider["considered"], wider["pruned"] + wider["evaluated"])
        self.assertNotEqual(wider["key"], result["key"])
        first = wider["results"][0]
        self.assertFalse(first["runnable"])
        self.assertIn("Megatron-Core 2025 does not support the schedule " + first["parallelism"]["schedule"],
                      first["reason"])
        self.assertIn(b"Cannot run", run("search", *plan, "--any-software").stdout)
        said = answer("evaluate", *plan, "--set", "parallelism.schedule=zb-h1", "--set", "parallelism.chunks=1", "--json")
        warning = next(one for one in said["diagnostics"] if one["code"] == "software-cannot-run")
        self.assertEqual(warning["severity"], "warning")
        self.assertTrue(warning["fixes"])

    def test_five_per_cent_stay_free_unless_the_constraints_say_otherwise(self):
        plan = ["preset:pretrain-70b-1k"]
        capacity = answer("evaluate", *plan, "--json")["memory"]["capacity_bytes"]
        own = answer("evaluate", *plan, "--json")["memory"]["peak_bytes"]

        def tightest(*constraints):
            results = found("--top", "200", plan=plan + [word for one in constraints for word in ("--set", one)])
            return min(entry["headroom_bytes"] for entry in results["results"] if entry["peak_bytes"] != own)

        self.assertGreaterEqual(tightest(), 0.05 * capacity)
        self.assertLess(tightest("constraints.headroom_bytes=0"), 0.05 * capacity)
        self.assertGreater(tightest("constraints.headroom=80%-sure"), 0.05 * capacity)

    def test_ties_stay_in_the_objectives_order_and_one_of_them_is_recommended(self):
        result = found("--top", "100", plan=["preset:pretrain-70b-1k"])
        limit = result["results"][0]["order"][0] * (1 + result["tied_within"])
        for entry in result["results"]:
            self.assertEqual(entry["tied"], entry["order"][0] <= limit)
        best = result["results"][result["recommended"]]
        self.assertTrue(best["tied"])
        self.assertEqual(len(best["techniques"]),
                         min(len(entry["techniques"]) for entry in result["results"] if entry["tied"]))

    def test_constraints_hold(self):
        result = found("--set", "constraints.headroom_bytes=60e9", "--set", "constraints.allowed.tensor=[2,4]")
        plan = answer("evaluate", *SMALL, "--json")
        for entry in result["results"]:
            self.assertGreaterEqual(entry["headroom_bytes"], 60e9)
            self.assertTrue(entry["parallelism"]["tensor"] in (2, 4)
                            or entry["step_seconds"] == plan["step"]["seconds"])

    def test_where_nothing_fits_the_results_are_empty(self):
        result = answer("search", "preset:llama3-405b-16k", "--set", "constraints.headroom_bytes=1e15", "--json")
        self.assertEqual((result["results"], result["pareto"]), ([], []))
        self.assertIn(b"No configuration fits", run("search", *SMALL, "--set", "constraints.headroom_bytes=1e15").stdout)

    def test_lines_resume_after_a_kill(self):
        lines = os.path.join(self.folder, "sweep.jsonl")
        first = found("--jsonl", lines)
        with open(lines, "a", encoding="utf-8") as file:
            file.write('{"schema":"meshwright.search/1","key":')  # as left by a process that was killed while writing
        again = found("--jsonl", lines)
        self.assertEqual(first, again)  # the search time is unchanged, so the second run did not search again
        found("--jsonl", lines, "--top", "3")
        with open(lines, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 3)
        merged = answer("merge", lines, "--json")
        self.assertEqual((len(merged["searches"]), merged["unread_lines"]), (2, 1))
        self.assertIn(b"Unreadable lines: 1", run("merge", lines).stdout)

    def test_wrong_usage_is_2_and_wrong_constraints_are_3(self):
        for arguments in (["--shard", "5/5"], ["--shard", "1"], ["--shard", "-1/4"], ["--top", "0"], ["--objective", "joy"],
                          ["--shard", "0/99999999999999999999"], ["--threads", "-1"]):
            self.assert_fails(run("search", *SMALL, *arguments), 2)
        for constraint in ("fixed=[\"joy\"]", "fixed=3", "allowed.tensor=[0]", "allowed.schedule=[\"joy\"]", "also=[1]",
                           "headroom_bytes=-1", "accelerator_types=[\"joy\"]", "global_sequences={\"low\":1}",
                           "global_sequences={\"low\":1,\"high\":1000000000,\"step\":1}", "joy=1"):
            self.assert_fails(run("search", "preset:smollm-135m", "--set", "constraints." + constraint), 3)

    def test_merge_refuses_what_is_no_result(self):
        for text in ("{}", "[]", "3", '{"schema":"meshwright.search/1"}', "", '{"schema":"meshwright.search/1","complete":true,'
                     '"considered":1,"pruned":0,"evaluated":1,"top":1,"shard":{"index":0,"count":1},"key":"a",'
                     '"results":[{}],"pareto":[]}'):
            name = os.path.join(self.folder, "odd.json")
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            self.assert_fails(run("merge", name), 3)
        self.assert_fails(run("merge", os.path.join(self.folder, "none.json")), 4)
        self.assert_fails(run("merge", os.path.join(self.folder, "none.jsonl")), 4)
        self.assert_fails(run("search", *SMALL, "--jsonl", self.folder), 4)

    def test_merge_refuses_a_result_whose_values_are_missing_or_wrong(self):
        whole = found("--top", "2", "--curves")
        file = os.path.join(self.folder, "whole.json")
        for at, value in ((["results", 0, "mfu"], None), (["results", 0, "step_seconds"], "x"), (["results", 0, "batch"], {}),
                          (["results", 0, "parallelism", "tensor"], None), (["results", 0, "recompute", "mode"], 3),
                          (["results", 0, "headroom_bytes"], {}), (["results", 0, "techniques"], [1]), (["pareto", 0], 3),
                          (["considered"], 10**18), (["seconds"], "x"), (["objective"], None), (["tied_within"], []),
                          (["curves", "tensor"], [{}]), (["best_by_schedule"], {"a": 1}), (["plan"], 3)):
            odd = json.loads(json.dumps(whole))
            place = odd
            for key in at[:-1]:
                place = place[key]
            if value is None:
                del place[at[-1]]
            else:
                place[at[-1]] = value
            with open(file, "w", encoding="utf-8") as stream:
                json.dump(odd, stream)
            for more in ([], ["--json"]):
                with self.subTest(at=at, more=more):
                    self.assert_fails(run("merge", file, *more), 3)

    def test_a_line_that_was_changed_is_searched_again(self):
        lines = os.path.join(self.folder, "changed.jsonl")
        first = found("--jsonl", lines)
        with open(lines, "w", encoding="utf-8") as file:
            json.dump({**first, "results": [{}]}, file)
        self.assertEqual(found("--jsonl", lines)["results"], first["results"])

    def test_merge_refuses_a_layout_of_wrong_values(self):
        whole = found()
        for key in ("offload", "precision", "cluster", "patch", "reason", "techniques", "runnable"):
            for wrong in (-1, [], True if key != "runnable" else "yes"):
                if key == "techniques" and wrong == []:
                    continue
                name = os.path.join(self.folder, "wrong.json")
                with open(name, "w", encoding="utf-8") as file:
                    json.dump({**whole, "results": [{**whole["results"][0], key: wrong}]}, file)
                self.assert_fails(run("merge", name), 3)
        with open(name, "w", encoding="utf-8") as file:
            json.dump({**whole, "results": [{**whole["results"][0], "energy_joules": "much"}]}, file)
        self.assert_fails(run("merge", name), 3)

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not there")
    def test_a_sweep_with_gnu_parallel(self):
        lines = os.path.join(self.folder, "fleet.jsonl")
        # GNU parallel joins the words before ":::" into a shell command.
        search = [CLI, "search", "preset:smollm-135m", "--set", 'constraints.allowed.schedule=["1f1b"]', "--shard",
                  "{1}/4", "--top", "{2}", "--jsonl", lines]
        command = ["parallel", "--jobs", "2", shlex.join(search), ":::", "0", "1", "2", "3", ":::", "2", "3"]
        environment = {**os.environ, "HOME": self.folder}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        sweep = answer("merge", lines, "--json")
        self.assertEqual(sorted(len(search["results"]) for search in sweep["searches"]), [2, 3])


class Advice(ProgramTest):
    def test_every_suggestion_brings_what_it_says(self):
        advice = found("--advice")["advice"]
        self.assertEqual([step["id"] for step in advice["steps"]], ["fit", "batch", "throughput"])
        attempts = [attempt for step in advice["steps"] for attempt in step["attempts"]]
        attempts += [slider["attempt"] for slider in advice["sliders"]]
        self.assertGreater(len(attempts), 3)
        plan = answer("presets", "smollm-135m", "--json")
        for attempt in attempts:
            changed = dict(plan)
            for key, value in attempt["patch"].items():
                changed[key] = {**changed.get(key, {}), **value}
                changed[key] = {name: item for name, item in changed[key].items() if item is not None}
            result = answer("evaluate", "-", "--json", stdin=json.dumps(changed).encode())
            self.assertAlmostEqual(result["step"]["seconds"], attempt["step_seconds"], places=9)
        self.assertIn("rule: ", run("search", *SMALL, "--advice").stdout.decode())


class Map(ProgramTest):
    def test_cells_are_what_a_search_finds(self):
        found_map = answer("map", "preset:pretrain-8b", "--sizes", "1.34B,8.86e9", "--nodes", "1,4", "--json")
        self.assertEqual(found_map["schema"], "meshwright.map/1")
        self.assertTrue(found_map["complete"])
        self.assertEqual([(cell["size"], cell["nodes"]) for cell in found_map["cells"]],
                         [(1.34e9, 1), (1.34e9, 4), (8.86e9, 1), (8.86e9, 4)])
        for cell in found_map["cells"]:
            self.assertEqual(cell["accelerators"], 8 * cell["nodes"])
            self.assertGreater(cell["best"]["mfu"], 0.2)
            self.assertGreaterEqual(cell["measured"]["configurations"], 5)
        self.assertGreater(found_map["order"]["spearman"], 0.4)

    def test_lists_that_are_none_are_refused(self):
        for arguments in (["--sizes", "1e30"], ["--nodes", "0"], ["--nodes", ",".join(["1"] * 100)]):
            self.assert_fails(run("map", "preset:pretrain-8b", *arguments), 3)
        for option, wrong, accepted in (("--sizes", "x", "1M to 100T"), ("--nodes", "1.5", "1 to 100,000")):
            done = run("map", "preset:pretrain-8b", option, wrong)
            self.assert_fails(done, 2)
            self.assertIn(accepted, done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
