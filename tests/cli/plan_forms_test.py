# SPDX-License-Identifier: GPL-3.0-or-later
"""`plan`: a plan as a file, as one line of text and as a command line, each of which must give the same plan."""
import json
import shlex
import unittest

from program import ProgramTest, answer, evaluable_plans, run

CHANGES = ["--set", "batch.micro_sequences=2", "--set", "recompute.mode=full", "--set", "name=It's a \"test\", ümlaut"]


class PlanForms(ProgramTest):
    def evaluated(self, *arguments, **options):
        return answer("evaluate", *arguments, "--json", **options)["plan"]

    def test_each_form_gives_the_same_plan_again(self):
        for plan in (["preset:pretrain-8b"], ["preset:pretrain-8b", *CHANGES], ["preset:deepseek-v3"], ["preset:ten-to-25"]):
            expected = self.evaluated(*plan)
            file = run("plan", *plan).stdout
            self.assertEqual(self.evaluated("-", stdin=file), expected)
            text = run("plan", *plan, "--as", "text").stdout.decode()
            self.assertRegex(text, r"^meshwright-plan-1:[\w-]+\n$")
            self.assertEqual(run("plan", text).stdout, file)
            command = run("plan", *plan, "--as", "command").stdout.decode()
            self.assertEqual(command.count("\n"), 1)
            words = shlex.split(command)
            self.assertEqual(words[:2], ["meshwright-cli", "evaluate"])
            self.assertEqual(self.evaluated(*words[2:]), expected)

    def test_json_has_all_three(self):
        forms = answer("plan", "preset:pretrain-8b", *CHANGES, "--json")
        for form in ("text", "command"):
            self.assertEqual(forms[form] + "\n", run("plan", "preset:pretrain-8b", *CHANGES, "--as", form).stdout.decode())
        self.assertEqual(forms["plan"], json.loads(run("plan", "preset:pretrain-8b", *CHANGES).stdout))

    def test_a_text_is_shorter_than_its_plan(self):
        for plan in evaluable_plans():
            forms = answer("plan", f"preset:{plan}", "--json")
            self.assertLess(len(forms["text"]), len(json.dumps(forms["plan"])), plan)

    def test_settings_apply_to_a_text(self):
        text = run("plan", "preset:pretrain-8b", "--as", "text").stdout.decode()
        self.assertEqual(answer("plan", text, "--set", "name=other")["name"], "other")

    def test_a_text_that_is_damaged_is_rejected_in_one_line(self):
        text = run("plan", "preset:pretrain-8b", "--as", "text").stdout.decode().strip()
        for damaged in (text[:-20], "meshwright-plan-1:", "meshwright-plan-1:AAAA", text.replace("1:", "1:!", 1)):
            self.assert_fails(run("plan", damaged), 3)
        self.assert_fails(run("plan", "preset:palm-2", "--as", "command"), 3)
        self.assert_fails(run("plan", "preset:pretrain-8b", "--as", "poem"), 2)


if __name__ == "__main__":
    unittest.main()
