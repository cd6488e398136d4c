# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of `evaluate --json`: every key of the contract, sums that add up, and plans that read back unchanged."""
import json
import math
import unittest

try:
    import jsonschema
except ImportError:  # the module is missing outside Debian's interpreter
    jsonschema = None

from program import SOURCE, ProgramTest, answer, evaluable_plans, merged, run

KEYS = {
    "verdict": "fits headroom_bytes bottleneck summary",
    "parameters": "total active embedding mtp",
    "flops": "per_token per_step hardware_per_step",
    "memory": "capacity_bytes peak_bytes peak_stage peak_operation stages",
    "step": "seconds compute_seconds recompute_seconds bubble_seconds tensor_exposed_seconds context_exposed_seconds "
            "expert_exposed_seconds pipeline_exposed_seconds data_exposed_seconds optimizer_seconds mfu hfu mfu_6nd "
            "mfu_full_attention model_flops_per_second_per_accelerator tokens_per_second "
            "tokens_per_second_per_accelerator low_seconds high_seconds",
    "pipeline": "schedule bubble_of_ideal bubble_of_total bubble_of_span idle_of_all_ranks "
                "idle_warm_up_and_drain idle_imbalance idle_waiting_for_sends makespan_seconds in_flight",
    "run": "steps tokens seconds days goodput accelerator_hours rental_dollars energy_joules energy_dollars "
           "checkpoint_bytes checkpoint_interval_seconds expected_failures",
    "cluster": "accelerators node_h100_equivalents site_h100_equivalents total_h100_equivalents "
               "threshold_h100_equivalents node_share_of_threshold site_share_of_threshold "
               "definition",
}
OUTER = ("utilisation inner_seconds stall_seconds_per_round round_seconds up_bytes_per_round down_bytes_per_round "
         "uplink_load downlink_load staleness_steps rounds loss_penalty_low loss_penalty_high")
STAGE = ("stage layers total_bytes weights_bytes gradients_bytes optimizer_bytes activations_bytes logits_bytes "
         "buffers_bytes outer_bytes runtime_bytes master_bytes moments_bytes")
TERMS = [f"{term}_seconds" for term in ("compute", "recompute", "bubble", "tensor_exposed", "context_exposed",
                                        "expert_exposed", "pipeline_exposed", "data_exposed", "optimizer")]
KINDS = [f"{kind}_bytes" for kind in ("weights", "gradients", "optimizer", "activations", "logits", "buffers", "outer",
                                      "runtime")]
BOTTLENECKS = {"compute", "tensor", "pipeline", "data", "expert", "context", "memory", "wan"}


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


class EveryPresetPlan(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.results = {name: answer("evaluate", f"preset:{name}", "--json") for name in evaluable_plans()}

    def each(self):
        for name, result in self.results.items():
            with self.subTest(plan=name):
                yield result

    def test_the_plans_of_the_contract_are_there(self):
        wanted = ("ten-to-25 ten-to-25-a100 llama3-405b-8k llama3-405b-16k llama3-405b-16k-long llama1-65b llama2-70b "
                  "llama3-70b palm-540b deepseek-67b deepseek-v2 deepseek-v3 pretrain-8b pretrain-70b-1k gpt3-175b-1k "
                  "ten-to-25-36 pretrain-70b-1k-design "
                  "bloom-176b smollm-135m llama-1b-profile intellect-1")
        self.assertLessEqual(set(wanted.split()), set(self.results))

    def test_every_key_is_there_and_finite(self):
        for result in self.each():
            self.assertEqual(result["schema"], "meshwright.result/1")
            for section, keys in KEYS.items():
                self.assertLessEqual(set(keys.split()), set(result[section]))
            for stage in result["memory"]["stages"]:
                self.assertLessEqual(set(STAGE.split()), set(stage))
            self.assertIn(result["verdict"]["bottleneck"], BOTTLENECKS)
            self.assertTrue(all(map(math.isfinite, numbers(result))))
            self.assertIn("outer", result)
            if result["plan"]["outer"]["method"] != "none":
                self.assertLessEqual(set(OUTER.split()), set(result["outer"]))
            else:
                self.assertIsNone(result["outer"])

    def test_what_does_not_come_out_is_said(self):
        """Notes of presets say where the prediction differs from the published figure; this test keeps them true."""
        rows = {}
        for name in ("llama3-405b-8k", "llama3-405b-16k", "llama3-405b-16k-long"):
            rows[name] = next(row for row in self.results[name]["published"] if row["figure"] == "mfu")
            self.assertGreater(rows[name]["difference"], 0)
        self.assertFalse(rows["llama3-405b-8k"]["inside"])
        self.assertIn("outside the 80% interval", self.results["llama3-405b-8k"]["plan"]["published"]["note"])
        hours = {name: self.results[name]["run"]["accelerator_hours"] / self.results[name]["run"]["tokens"]
                 for name in ("deepseek-67b", "deepseek-v2")}
        self.assertAlmostEqual(1 - hours["deepseek-v2"] / hours["deepseek-67b"], 0.25, delta=0.07)

    @unittest.skipIf(jsonschema is None, "no python3-jsonschema")
    def test_it_is_as_its_schema_says(self):
        with open(f"{SOURCE}/presets/schema/result.schema.json", encoding="utf-8") as stream:
            schema = json.load(stream)
        # The plan inside the result has its own schema, which the presets are checked against.
        resolver = jsonschema.RefResolver(f"file://{SOURCE}/presets/schema/", schema)
        validator = jsonschema.Draft7Validator(schema, resolver=resolver)
        for result in self.each():
            self.assertEqual([error.message for error in validator.iter_errors(result)], [])

    def test_the_nine_terms_add_up_to_the_step(self):
        for result in self.each():
            step = result["step"]
            self.assertTrue(all(step[term] >= 0 for term in TERMS))
            self.assertAlmostEqual(sum(step[term] for term in TERMS) / step["seconds"], 1, places=9)
            self.assertLessEqual(step["low_seconds"], step["seconds"])
            self.assertGreaterEqual(step["high_seconds"], step["seconds"])

    def test_the_kinds_add_up_to_each_stage(self):
        for result in self.each():
            memory = result["memory"]
            for stage in memory["stages"]:
                self.assertAlmostEqual(sum(stage[kind] for kind in KINDS) / stage["total_bytes"], 1, places=9)
                self.assertAlmostEqual(stage["master_bytes"] + stage["moments_bytes"], stage["optimizer_bytes"], delta=1)
            peak = memory["stages"][memory["peak_stage"]]["total_bytes"]
            self.assertEqual(peak, max(stage["total_bytes"] for stage in memory["stages"]))
            self.assertAlmostEqual(peak, memory["peak_bytes"], delta=1)
            headroom = memory["capacity_bytes"] - peak
            self.assertAlmostEqual(headroom, result["verdict"]["headroom_bytes"], delta=1)
            self.assertEqual(result["verdict"]["fits"], headroom >= 0)

    def test_efficiencies_agree_with_their_definitions(self):
        for result in self.each():
            step, flops, plan = result["step"], result["flops"], result["plan"]
            tokens = plan["batch"]["sequence_length"] * plan["batch"]["global_sequences"]
            self.assertAlmostEqual(flops["per_token"] * tokens / flops["per_step"], 1, places=9)
            self.assertAlmostEqual(tokens / step["seconds"] / step["tokens_per_second"], 1, places=9)
            self.assertAlmostEqual(step["hfu"] / step["mfu"], flops["hardware_per_step"] / flops["per_step"], places=9)

    def test_the_result_s_plan_gives_the_same_result(self):
        for result in self.each():
            plan = json.dumps(result["plan"]).encode()
            self.assertEqual(answer("evaluate", "-", "--json", stdin=plan), result)

    def test_every_fix_can_be_applied(self):
        for result in self.each():
            for diagnostic in result["diagnostics"]:
                self.assertIn(diagnostic["severity"], ("error", "warning", "hint"))
                self.assertTrue(diagnostic["code"] and diagnostic["message"])
                for fix in diagnostic["fixes"]:
                    answer("evaluate", "-", "--json", stdin=json.dumps(merged(result["plan"], fix)).encode())

    def test_the_table_is_a_page_wide(self):
        for name in self.results:
            text = run("evaluate", f"preset:{name}").stdout.decode()
            for line in text.splitlines():
                if not line.lstrip().startswith("--set "):  # commands are printed unbroken for copying: a layout string
                                                            # has no place to break
                    self.assertLessEqual(len(line), 100, name)


class Fields(ProgramTest):
    def test_the_plan_s_figures_are_one_site_s_and_the_cluster_s_all(self):
        result = answer("evaluate", "preset:ten-to-25", "--json")
        self.assertEqual(result["cluster"]["accelerators"], 72 * 16)
        self.assertAlmostEqual(result["step"]["tokens_per_second_per_accelerator"] * 16 / result["step"]["tokens_per_second"],
                               1, places=9)

    def test_set_changes_a_field_on_the_way_in(self):
        result = answer("evaluate", "preset:ten-to-25", "--set", "parallelism.tensor=4", "--set", "parallelism.pipeline=4",
                        "--set", "name=another", "--json")
        self.assertEqual((result["plan"]["parallelism"]["tensor"], result["plan"]["name"]), (4, "another"))


class Explained(ProgramTest):
    """`evaluate --explain --json` returns a tree; a derivation used several times is listed once, after the
    figures."""

    def setUp(self):
        self.text = run("evaluate", "preset:deepseek-v3", "--explain", "--json").stdout
        self.tree = json.loads(self.text)["derivations"]

    def at(self, pointer):
        node = self.tree
        for key in pointer.split("/")[1:]:
            node = node[int(key) if isinstance(node, list) else key]
        return node

    def nodes(self, node):
        yield node
        for inner in node["inputs"]:
            yield from self.nodes(inner)

    def test_every_node_has_the_contract_s_keys_and_a_derivation(self):
        for node in self.nodes(self.tree):
            self.assertLessEqual({"name", "value", "unit", "formula", "substituted", "source", "inputs"}, set(node))
            derivation = self.at(node["same"]) if "same" in node else node
            self.assertNotIn("same", derivation)
            self.assertEqual((derivation["value"], derivation["unit"]), (node["value"], node["unit"]))
            self.assertEqual(bool(derivation["formula"]), bool(derivation["inputs"]), node["name"])

    @unittest.skipIf(jsonschema is None, "needs python3-jsonschema")
    def test_it_is_as_its_schema_says(self):
        with open(f"{SOURCE}/presets/schema/result.schema.json", encoding="utf-8") as stream:
            schema = json.load(stream)
        jsonschema.Draft7Validator({"$ref": "#/definitions/derivation", "definitions": schema["definitions"]}).validate(
            self.tree)

    def test_every_figure_stands_with_its_derivation(self):
        for figure in self.tree["inputs"]:
            self.assertNotIn("same", figure)

    def test_the_answer_is_one_line_of_no_more_than_its_derivations(self):
        self.assertEqual(self.text.count(b"\n"), 1)
        self.assertLess(len(self.text), 300 * sum(1 for _ in self.nodes(self.tree)))
        self.assertEqual(self.text, run("evaluate", "preset:deepseek-v3", "--explain", "--json").stdout)


if __name__ == "__main__":
    unittest.main()
