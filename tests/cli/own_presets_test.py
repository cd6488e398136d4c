# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command that uses presets reports a user's preset that overrides a built-in one or is invalid."""
import json
import os
import unittest

from program import ProgramTest, answer, run


class OwnPresets(ProgramTest):
    def setUp(self):
        super().setUp()
        self.presets = os.path.join(self.folder, "meshwright", "presets")
        self.environment = dict(os.environ, XDG_DATA_HOME=self.folder)

    def keep(self, kind, name, content):
        folder = os.path.join(self.presets, kind)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def keep_a_faster_h100(self):
        own = answer("presets", "accelerator/h100-sxm-80gb")
        own["peak_flops_per_second"]["bf16"] *= 2
        return self.keep("accelerators", "h100-sxm-80gb", own)

    def found(self, *arguments):
        return answer(*arguments, env=self.environment)

    def codes(self, *arguments):
        result = self.found("evaluate", *arguments, "--json")
        return {one["code"]: one for one in result["diagnostics"] if one["code"] in ("own-preset", "preset-not-read")}

    def test_one_that_overrides_a_built_in_one_is_marked_in_the_list(self):
        path = self.keep_a_faster_h100()
        rows = [row for row in self.found("presets", "accelerator", "--json") if row["id"] == "h100-sxm-80gb"]
        self.assertEqual([row["file"] for row in rows], [path])
        self.assertIn("presets/accelerators/h100-sxm-80gb.json", rows[0]["overrides"])
        text = run("presets", "accelerator", env=self.environment).stdout.decode()
        self.assertEqual(text.count("(yours, overrides the built-in preset)"), 1)
        self.assertNotIn("yours", run("presets", "model", env=self.environment).stdout.decode())

    def test_measured_runs_are_predicted_with_the_users_presets(self):
        built_in = answer("evaluate", "preset:pretrain-8b", "--json", env=dict(self.environment))
        self.assertGreater(len(built_in["evidence"]), 3)
        another = answer("presets", "accelerator/h100-sxm-80gb")
        another["id"] = "another"
        self.keep("accelerators", "another", another)
        # No measured run uses this preset, so a new prediction of all runs equals the one stored at build time.
        self.assertEqual(self.found("evaluate", "preset:pretrain-8b", "--json")["evidence"], built_in["evidence"])
        self.keep_a_faster_h100()
        faster = self.found("evaluate", "preset:pretrain-8b", "--json")["evidence"]
        step = {run["id"]: run["predicted"] for run in built_in["evidence"]}
        both = [run for run in faster if run["id"] in step]
        self.assertTrue(any(run["predicted"] < 0.9 * step[run["id"]] for run in both), both)

    def test_one_that_overrides_a_built_in_one_is_said_in_each_result_that_uses_it(self):
        path = self.keep_a_faster_h100()
        said = self.codes("preset:pretrain-8b")["own-preset"]
        self.assertEqual((said["severity"], said["fields"]), ("warning", ["/cluster/accelerator"]))
        self.assertIn(path, said["message"])
        text = run("evaluate", "preset:pretrain-8b", env=self.environment).stdout.decode()
        self.assertIn("overrides the built-in one", " ".join(text.split()))
        self.assertEqual(self.codes("preset:deepseek-v3"), {})  # this plan has other accelerators

    def test_a_plan_that_overrides_a_built_in_one_is_said(self):
        plan = answer("presets", "plan/smollm-135m", "--json")
        plan["id"] = "smollm-135m"
        self.keep("plans", "smollm-135m", plan)
        self.assertIn("own-preset", self.codes("preset:smollm-135m"))

    def test_one_that_is_invalid_is_listed_with_the_reason_and_the_built_in_one_is_used(self):
        path = self.keep("accelerators", "h100-sxm-80gb", '{"id": "h100-sxm-80gb"')
        rows = [row for row in self.found("presets", "--json") if row["id"] == "h100-sxm-80gb"]
        self.assertEqual(len(rows), 2)
        self.assertTrue(rows[1]["problem"].startswith(path + ": "))
        self.assertFalse(rows[1]["evaluable"])
        self.assertIn("Skipped, invalid:\n  " + path,
                      run("presets", env=self.environment).stdout.decode())
        said = self.codes("preset:pretrain-8b")["preset-not-read"]
        self.assertIn(path, said["message"])
        plain = answer("evaluate", "preset:pretrain-8b", "--json")
        self.assertEqual(self.found("evaluate", "preset:pretrain-8b", "--json")["step"], plain["step"])

    def test_a_plan_that_names_one_that_is_invalid_is_told_why(self):
        path = self.keep("models", "my-model", "{}")
        done = run("evaluate", "preset:pretrain-8b", "--set", "model=my-model", env=self.environment)
        self.assert_fails(done, 3)
        self.assertIn(path.encode(), done.stderr)

    def test_nothing_is_said_without_presets_of_one_s_own(self):
        self.assertEqual(self.codes("preset:pretrain-8b"), {})
        self.assertFalse([row for row in self.found("presets", "--json") if {"file", "overrides", "problem"} & set(row)])


if __name__ == "__main__":
    unittest.main()
