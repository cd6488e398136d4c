# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit statuses and the single line on standard error; presets, check and import."""
import glob
import json
import os
import subprocess
import unittest

from program import CLI, SOURCE, ProgramTest, answer, evaluable_plans, run


class Statuses(ProgramTest):
    def test_a_verb_s_help_names_it_once(self):
        for verb in ("calc", "evaluate"):
            self.assertIn(f"Usage: meshwright-cli {verb} [OPTIONS]", run(verb, "--help").stdout.decode())

    def test_help_and_version_go_to_standard_output(self):
        for arguments in (["--help"], ["--version"], ["evaluate", "--help"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertTrue(done.stdout.endswith(b"\n"))

    def test_wrong_usage_is_2(self):
        for arguments in ([], ["weave"], ["evaluate"], ["evaluate", "a", "b"], ["evaluate", "preset:ten-to-25", "--weave"],
                          ["evaluate", "preset:ten-to-25", "--set", "parallelism.tensor"], ["check"], ["import"]):
            self.assert_fails(run(*arguments), 2)

    def test_rejected_input_is_3(self):
        for arguments in (["evaluate", "preset:no-such-plan"], ["presets", "no-such-preset"], ["presets", "model/ten-to-25"],
                          ["evaluate", "preset:ten-to-25", "--set", "parallelism.tensor=3"],
                          ["evaluate", "preset:ten-to-25", "--set", "parallelism.tensor=many"],
                          ["evaluate", "preset:ten-to-25", "--set", "weave=3"]):
            self.assert_fails(run(*arguments), 3)

    def test_a_slip_is_met_with_the_nearest_name(self):
        self.assertIn(b"ten-to-25", run("evaluate", "preset:ten-to-52").stderr)
        self.assertIn(b"parallelism", run("evaluate", "preset:ten-to-25", "--set", "paralelism.tensor=8").stderr)
        self.assertIn(b"expected a file, or preset:ten-to-25", run("evaluate", "ten-to-25").stderr)
        self.assertIn(b"did you mean deepseek-v", run("evaluate", "preset:deepseek").stderr)
        self.assertIn(b'unknown command "evalute"; did you mean evaluate?', run("evalute", "preset:ten-to-25").stderr)
        self.assertIn(b'unknown command "weave"; expected evaluate, ', run("weave").stderr)

    def test_several_errors_are_counted(self):
        plan = json.dumps({"schema": "meshwright.plan/1", "cluster": "no-such-cluster", "model": "no-such-model"})
        done = run("evaluate", "-", stdin=plan.encode())
        self.assert_fails(done, 3)
        self.assertRegex(done.stderr, rb"\(and \d+ more\)\n$")

    def test_what_cannot_be_read_is_4(self):
        self.assert_fails(run("evaluate", os.path.join(self.folder, "missing.plan")), 4)
        self.assert_fails(run("evaluate", self.folder), 4)
        self.assert_fails(run("import", os.path.join(self.folder, "missing.json")), 4)

    def test_output_that_goes_nowhere_is_4(self):
        for arguments in (["evaluate", "preset:ten-to-25"], ["evaluate", "preset:ten-to-25", "--json"], ["presets"], ["--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([CLI, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assert_fails(done, 4)
            reader, writer = os.pipe()
            os.close(reader)
            with os.fdopen(writer, "wb") as closed:
                done = subprocess.run([CLI, *arguments], stdout=closed, stderr=subprocess.PIPE, check=False)
            self.assert_fails(done, 4)

    def test_a_plan_that_does_not_fit_is_a_result(self):
        result = answer("evaluate", "preset:pretrain-70b-1k-design", "--set", "recompute.mode=none", "--set",
                        "batch.micro_sequences=4", "--set", "batch.sequence_length=32768", "--json")
        self.assertFalse(result["verdict"]["fits"])
        self.assertLess(result["verdict"]["headroom_bytes"], 0)


class Presets(ProgramTest):
    def test_list_names_every_kind(self):
        entries = answer("presets", "--json")
        self.assertEqual({entry["kind"] for entry in entries}, {"plan", "model", "accelerator", "cluster", "stack"})
        for entry in entries:
            self.assertTrue(entry["id"] and entry["name"])

    def test_presets_of_every_kind_print(self):
        for entry in answer("presets", "--json")[::4]:
            preset = answer("presets", f"{entry['kind']}/{entry['id']}")
            self.assertRegex(preset["schema"], r"^meshwright\.(plan|card|model|accelerator|cluster|stack)/\d+$")

    def test_the_table_of_presets_says_what_each_evaluation_says(self):
        rows = {row["id"]: row for row in answer("presets", "--table", "--json")}
        self.assertEqual(set(rows), set(evaluable_plans()))
        for name in ("palm-540b", "llama3-405b-8k", "pretrain-8b"):
            result = answer("evaluate", f"preset:{name}", "--json")
            self.assertEqual(rows[name]["published"], result["published"])
            self.assertEqual(rows[name]["step_seconds"], result["step"]["seconds"])
        text = run("presets", "--table").stdout.decode()
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        palm = next(line for line in text.splitlines() if line.startswith("palm-540b"))
        self.assertIn("46.2%", palm)
        self.assertIn("inside", palm)
        self.assert_fails(run("presets", "palm-540b", "--table"), 2)

    def test_what_makers_report_stands_next_to_the_prediction(self):
        text = run("evaluate", "preset:palm-540b").stdout.decode()
        self.assertIn("Published figures", text)
        self.assertIn("arXiv 2204.02311", text)
        changed = run("evaluate", "preset:palm-540b", "--set", "batch.micro_sequences=2").stdout.decode()
        self.assertIn("The plan differs from the published run", changed)
        self.assertNotIn("Published figures", run("evaluate", "preset:pretrain-8b").stdout.decode())

    def test_a_printed_plan_is_spelled_out_and_evaluates_alike(self):
        for name in evaluable_plans()[::3]:
            text = run("presets", name).stdout
            plan = json.loads(text)
            for key in ("cluster", "parallelism", "batch", "recompute", "outer"):
                self.assertIsInstance(plan[key], dict, name)
            self.assertEqual(run("evaluate", "-", "--json", stdin=text).stdout,
                             run("evaluate", f"preset:{name}", "--json").stdout, name)

    def test_cards_print_and_are_not_evaluated(self):
        cards = [entry["id"] for entry in answer("presets", "plan", "--json") if not entry.get("evaluable", True)]
        self.assertLessEqual({"palm-2", "gemini-1.0", "gemini-1.5"}, set(cards))
        for card in cards:
            answer("presets", card)
            self.assert_fails(run("evaluate", f"preset:{card}"), 3)


class Check(ProgramTest):
    def test_own_presets_are_good(self):
        files = [file for kind in ("plans", "models", "accelerators", "clusters", "stacks")
                 for file in glob.glob(f"{SOURCE}/presets/{kind}/*.json")]
        checked = json.loads(run("check", "--json", *files).stdout)
        self.assertEqual([entry["file"] for entry in checked], files)
        self.assertEqual([entry for entry in checked if not entry["ok"]], [])

    def test_all_problems_of_all_files_are_listed(self):
        bad = self.file("bad.plan", json.dumps({"schema": "meshwright.plan/1", "cluster": "x", "model": "y", "weave": 1}))
        good = self.file("good.plan", run("presets", "ten-to-25").stdout)
        done = run("check", bad, good, os.path.join(self.folder, "missing"), "--json")
        self.assert_fails(done, 3)
        first, second, third = json.loads(done.stdout)
        self.assertFalse(first["ok"])
        self.assertLessEqual({"/cluster", "/model", "/weave"}, {problem["pointer"] for problem in first["problems"]})
        for problem in first["problems"]:
            self.assertEqual(set(problem), {"pointer", "message", "expected", "code", "severity"})
        self.assertTrue(second["ok"])
        self.assertEqual([problem["code"] for problem in third["problems"]], ["file"])

    def test_a_file_of_no_known_kind_is_rejected(self):
        for content in ("{}", "[]", '{"schema": 4}', '{"schema": "meshwright.weave/1"}', "not json"):
            self.assert_fails(run("check", self.file("some.json", content)), 3)


class Import(ProgramTest):
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336,
              "num_attention_heads": 32, "num_key_value_heads": 8, "num_hidden_layers": 32, "vocab_size": 128256,
              "tie_word_embeddings": False, "hidden_act": "silu", "max_position_embeddings": 8192, "rms_norm_eps": 1e-5}

    def test_a_configuration_becomes_a_model_that_checks_and_plans(self):
        file = self.file("config.json", json.dumps(self.config))
        imported = answer("import", file, "--json")
        self.assertEqual(imported["parameters"]["total"], 8030261248)  # as published for Llama 3 8B
        model = self.file("model.json", run("import", file).stdout)
        self.assertEqual(run("check", model).returncode, 0, run("check", model).stderr)
        plan = answer("presets", "pretrain-8b")
        plan["model"] = imported["model"]
        self.assertEqual(answer("evaluate", "-", "--json", stdin=json.dumps(plan).encode())["parameters"]["total"], 8030261248)

    def test_an_unknown_architecture_is_rejected(self):
        self.assert_fails(run("import", self.file("config.json", '{"model_type": "weave"}')), 3)


if __name__ == "__main__":
    unittest.main()
