#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `evidence` and `calibrate` print, and what they reject."""
import csv
import os
import pathlib
import unittest

from program import SOURCE, ProgramTest, answer, run

SHIPPED = pathlib.Path(SOURCE) / "presets" / "evidence" / "measured-runs.csv"
ERRORS = {"count", "skipped", "median_absolute_error", "mean_absolute_error", "p90_absolute_error", "bias"}
SUMMARY = {"step", "step_with_stalled", "memory", "fits", "coverage", "interval_width", "memory_coverage",
           "memory_interval_width"}
ROW = {"id", "predicted_step_seconds", "low_step_seconds", "high_step_seconds", "measured_step_seconds",
       "predicted_peak_bytes", "measured_peak_bytes", "predicted_fits", "outcome", "skipped"}


def table_of(folder, rows, columns=None):
    """A CSV file of measured runs."""
    with open(SHIPPED, encoding="utf-8", newline="") as shipped:
        known = next(csv.reader(shipped))
    path = os.path.join(folder, "runs.csv")
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, columns or known)
        writer.writeheader()
        for row in rows:
            writer.writerow(row)
    return path


def shipped_rows(source_word, most):
    with open(SHIPPED, encoding="utf-8", newline="") as shipped:
        return [row for row in csv.DictReader(shipped) if source_word in row["source"]][:most]


class Evidence(ProgramTest):
    def test_every_row_is_predicted_or_skipped_with_a_reason(self):
        found = answer("evidence", str(SHIPPED), "--json")
        self.assertEqual(found["schema"], "meshwright.evidence/1")
        self.assertEqual(set(found["summary"]), SUMMARY)
        self.assertEqual(len(found["rows"]), 3993)
        for row in found["rows"]:
            self.assertLessEqual(ROW, set(row))
            if row["skipped"] is None:
                self.assertGreater(row["predicted_step_seconds"], 0)
                self.assertLessEqual(row["low_step_seconds"], row["predicted_step_seconds"])
                self.assertGreaterEqual(row["high_step_seconds"], row["predicted_step_seconds"])
                if row["measured_peak_bytes"] is not None:
                    self.assertLessEqual(row["low_peak_bytes"], row["predicted_peak_bytes"])
                    self.assertGreaterEqual(row["high_peak_bytes"], row["predicted_peak_bytes"])
            else:
                self.assertIsNone(row["predicted_step_seconds"])
                self.assertTrue(row["skipped"])
        for summary in [found["summary"], *found["by_source"].values()]:
            self.assertEqual(set(summary["step"]), ERRORS)
            self.assertEqual(set(summary["memory"]), ERRORS)
        self.assertEqual(sum(each["step"]["count"] for each in found["by_source"].values()),
                         found["summary"]["step"]["count"])

    def test_what_is_left_out_as_stalled_is_named_and_its_errors_are_given(self):
        found = answer("evidence", str(SHIPPED), "--json")
        stalled = [row for row in found["rows"] if row["stalled"]]
        whole = found["summary"]["step_with_stalled"]
        self.assertEqual(whole["count"], found["summary"]["step"]["count"] + len(stalled))
        errors = [abs(row["predicted_step_seconds"] / row["measured_step_seconds"] - 1) for row in found["rows"]
                  if row["measured_step_seconds"] and row["skipped"] is None]
        self.assertEqual(whole["count"], len(errors))
        self.assertAlmostEqual(whole["mean_absolute_error"], sum(errors) / len(errors), places=12)
        self.assertLess(found["summary"]["step"]["skipped"], 0.1 * len(found["rows"]))
        text = run("evidence", str(SHIPPED)).stdout.decode()
        self.assertIn(f"skipped {len(stalled)}: the step is stalled", text)

    def test_errors_are_those_of_the_rows(self):
        path = table_of(self.folder, shipped_rows("llm-foundry", 12))
        found = answer("evidence", path, "--json")
        errors = sorted(abs(row["predicted_step_seconds"] / row["measured_step_seconds"] - 1)
                        for row in found["rows"] if row["measured_step_seconds"])
        self.assertEqual(found["summary"]["step"]["count"], len(errors))
        self.assertAlmostEqual(found["summary"]["step"]["mean_absolute_error"], sum(errors) / len(errors), places=12)

    def test_what_nobody_can_have_measured_is_no_measurement(self):
        rows = shipped_rows("llm-foundry", 1)
        path = table_of(self.folder, [{**row, "peak_memory_bytes": "-1", "step_seconds": "-3",
                                       "tokens_per_second_per_accelerator": ""} for row in rows])
        for row in answer("evidence", path, "--json")["rows"]:
            self.assertIsNone(row["measured_peak_bytes"])
            self.assertIsNone(row["measured_step_seconds"])
            self.assertIn("step_seconds -3, expected", row["skipped"])

    def test_tables_are_joined(self):
        path = table_of(self.folder, shipped_rows("llm-foundry", 3))
        self.assertEqual(len(answer("evidence", path, path, "--json")["rows"]), 6)

    def test_a_blanked_column_is_one_that_the_source_does_not_have(self):
        rows = shipped_rows("llm-foundry", 12)
        path = table_of(self.folder, rows)
        blanked = answer("evidence", path, "--json", "--blank", "micro_batch", "--blank", "tensor")
        empty = table_of(self.folder, [{**row, "micro_batch": "", "tensor": ""} for row in rows])
        self.assertEqual(blanked, answer("evidence", empty, "--json"))
        for row in blanked["rows"]:
            self.assertTrue(any(word.startswith("micro_batch") for word in row["assumed"]))
        self.assert_fails(run("evidence", path, "--blank", "nothing"), 3)

    def test_the_table_for_people_ends_with_coverage(self):
        path = table_of(self.folder, shipped_rows("llm-foundry", 5))
        text = run("evidence", path)
        self.assertEqual(text.returncode, 0)
        self.assertIn(b"of the measured step times are within their 80% interval", text.stdout)

    def test_what_is_no_table_is_refused_in_one_line(self):
        for content in ("", "a,b\n1,2\n", 'id,x\n"open', "id\n1,2,3\n"):
            path = self.file("bad.csv", content)
            for verb in ("evidence", "calibrate"):
                self.assert_fails(run(verb, path), 3)
        self.assert_fails(run("evidence", os.path.join(self.folder, "none.csv")), 4)
        self.assertEqual(run("evidence").returncode, 2)

    def test_a_result_lists_the_nearest_measured_runs(self):
        result = answer("evaluate", "preset:llama3-405b-16k", "--json")
        self.assertTrue(result["evidence"])
        distances = [each["distance"] for each in result["evidence"]]
        self.assertEqual(distances, sorted(distances))
        for each in result["evidence"]:
            self.assertAlmostEqual(each["error"], each["predicted"] / each["measured"] - 1, places=12)
        self.assertLess(result["memory"]["low_bytes"], result["memory"]["peak_bytes"])
        self.assertGreater(result["memory"]["high_bytes"], result["memory"]["peak_bytes"])

    def test_assumptions_move_the_runs_that_the_interval_comes_from(self):
        plain = answer("evaluate", "preset:llama3-405b-16k", "--json")
        slower = answer("evaluate", "preset:llama3-405b-16k", "--set", "assumptions.matrix-efficiency-hopper=0.5",
                        "--json")
        before = {each["id"]: each["predicted"] for each in plain["evidence"]}
        moved = [each for each in slower["evidence"] if each["predicted"] > before.get(each["id"], each["predicted"])]
        self.assertTrue(moved)


class Calibrate(ProgramTest):
    def test_no_rounds_leave_every_value_as_it_is(self):
        path = table_of(self.folder, shipped_rows("llm-foundry", 20))
        found = answer("calibrate", path, "--rounds", "0", "--json")
        self.assertTrue(found["parameters"])
        for parameter in found["parameters"]:
            self.assertEqual(parameter["before"], parameter["fitted"], parameter["name"])

    def test_the_table_names_each_source_left_out(self):
        rows = shipped_rows("llm-foundry", 400)
        path = table_of(self.folder, rows)
        text = run("calibrate", path, "--rounds", "1").stdout.decode()
        self.assertIn("held out", text)
        self.assertIn("mean of all groups", text)
        for source in {row["source"] for row in rows}:
            self.assertIn(source[:56], text)

    def assert_is_in_the_guide(self, section, text_columns, *options):
        """Compares only the rows' names and counts: the guide's figures need a full fit, which takes too long here."""
        def cells(text):
            return [[cell.strip() for cell in line.strip().strip("|").split("|")]
                    for line in text.splitlines() if line.startswith("| ")]

        page = pathlib.Path(SOURCE, "resources/guide/accuracy.md").read_text(encoding="utf-8")
        found = cells(page.split(f"\n## {section}\n")[1].split("\n## ")[0])
        made = cells(run("calibrate", SHIPPED, "--rounds", "0", "--table", *options).stdout.decode())
        named = text_columns + 1
        self.assertEqual([row[:named] for row in found], [row[:named] for row in made])
        self.assertEqual(found[0][text_columns - 1:],
                         ["measured by", "rows", "median", "mean", "90% within", "bias"])
        for row in found[1:]:
            for cell in row[named:-1]:
                self.assertRegex(cell, r"^\d+\.\d%$")
            self.assertRegex(row[-1], r"^[+-]\d+\.\d%$")

    def test_the_guide_has_the_table_of_all_sources(self):
        self.assert_is_in_the_guide("Step time", 1)

    def test_the_guide_has_the_table_of_their_memory(self):
        self.assert_is_in_the_guide("Memory", 2, "--of", "memory")


class Machine(ProgramTest):
    COLUMNS = ["id", "model", "accelerator", "accelerators", "tensor", "pipeline", "data", "micro_batch", "global_batch",
               "sequence_length", "recompute", "framework", "year", "step_seconds"]

    def rows(self, *seconds, part="h100-sxm-80gb"):
        return [dict(zip(self.COLUMNS, [f"run{tensor}", "Llama 3.1 8B", part, 8, tensor, 1, 8 // tensor, 1, 8, 8192,
                                        "full", "Megatron-Core", 2025, step]))
                for tensor, step in zip((8, 4, 2), seconds)]

    def fitted(self, rows, *more):
        return answer("calibrate", table_of(self.folder, rows, self.COLUMNS), "--machine", "--json", *more)

    def test_a_slow_machine_gets_its_own_constants(self):
        found = self.fitted(self.rows(2.3, 1.48, 1.38))
        self.assertEqual(found["schema"], "meshwright.machine/1")
        self.assertLess(found["step"]["after"]["mean_absolute_error"], found["step"]["before"]["mean_absolute_error"])
        for constant in found["constants"]:
            self.assertLessEqual(constant["low"], constant["after"])
            self.assertLessEqual(constant["after"], constant["high"])
            if constant["determined"] == "hardly":
                self.assertEqual(constant["before"], constant["after"])
        moved = {each["name"]: each["after"] for each in found["constants"] if each["after"] != each["before"]}
        self.assertEqual(found["preset"]["constants"], moved)

    def test_the_preset_is_one_that_check_and_evaluate_take(self):
        out = os.path.join(self.folder, "mine.json")
        self.fitted(self.rows(2.3, 1.48, 1.38), "--id", "mine", "--out", out, "--plan", "preset:pretrain-8b")
        self.assertEqual(run("check", out).returncode, 0)
        accelerator = self.fitted(self.rows(2.3, 1.48, 1.38), "--preset", "accelerator")["preset"]
        self.assertEqual(accelerator["schema"], "meshwright.accelerator/1")

    def test_runs_that_cannot_be_are_one_line(self):
        for rows in (self.rows(0.001), self.rows("", "", ""), [],
                     self.rows(2.3) + self.rows(2.3, part="a100-sxm-80gb")):
            self.assert_fails(run("calibrate", table_of(self.folder, rows, self.COLUMNS), "--machine"), 3)


class Order(ProgramTest):
    def test_the_order_of_configurations_is_that_measured(self):
        order = answer("evidence", str(SHIPPED), "--json")["order"]
        self.assertGreaterEqual(order["groups"], 20)
        self.assertGreater(order["spearman"], 0.7)
        self.assertGreater(order["kendall"], 0.55)


if __name__ == "__main__":
    unittest.main()
