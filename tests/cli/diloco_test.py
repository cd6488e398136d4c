# SPDX-License-Identifier: GPL-3.0-or-later
"""The verb `diloco`: keys of its contract, agreement with `evaluate`, seeds, events, hostile plans."""
import json
import math
import os
import pathlib
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import ProgramTest, SOURCE, answer, run
from result_test import OUTER, numbers

FIXED = ("--set", "outer.step_seconds=25", "--set", "outer.fragments=563", "--set", "outer.up.index=none",
         "--set", 'outer.down={"bits": 4, "density": 0.25, "index": "none"}')
UNEVEN = ("--set", "cluster.wan.rate_variation=0.2", "--set", "faults.step_variation=0.1")


class Diloco(ProgramTest):
    def test_every_key_of_the_contract_has_three_percentiles(self):
        for sets in ((), UNEVEN):
            result = answer("diloco", "preset:ten-to-25", *sets, "--json")
            for key in OUTER.split():
                self.assertEqual(list(result[key]), ["p10", "p50", "p90"])
                self.assertLessEqual(result[key]["p10"], result[key]["p50"])
                self.assertLessEqual(result[key]["p50"], result[key]["p90"])
            self.assertTrue(all(map(math.isfinite, numbers(result))))

    @unittest.skipIf(jsonschema is None, "no python3-jsonschema")
    def test_it_is_as_its_schema_says(self):
        with open(f"{SOURCE}/presets/schema/diloco.schema.json", encoding="utf-8") as stream:
            validator = jsonschema.Draft7Validator(json.load(stream))
        for plan in ("ten-to-25", "ten-to-25-36", "ten-to-25-a100", "intellect-1"):
            for sets in ((), UNEVEN, ("--events", "--within", "365"), ("--set", "outer.method=data-parallel", "--set",
                                                                       "outer.fragments=1")):
                result = answer("diloco", f"preset:{plan}", *sets, "--json")
                # All events are written by the same code, and the validator takes a millisecond for each.
                if "events" in result:
                    result["events"] = result["events"][:500] + result["events"][-100:]
                self.assertEqual([error.message for error in validator.iter_errors(result)], [])

    def test_an_evaluation_gives_the_median(self):
        for sets in ((), UNEVEN):
            outer = answer("evaluate", "preset:ten-to-25", *sets, "--json")["outer"]
            simulated = answer("diloco", "preset:ten-to-25", *sets, "--json")
            for key in OUTER.split():
                self.assertAlmostEqual(outer[key], simulated[key]["p50"], places=9, msg=key)

    def test_the_seed_run_is_as_its_arithmetic_says(self):
        one = answer("diloco", "preset:ten-to-25", *FIXED, "--json")
        self.assertAlmostEqual(one["utilisation"]["p50"], 1, places=9)
        self.assertAlmostEqual(one["uplink_load"]["p50"], 0.45, places=3)
        bitmap = ("--set", "outer.up.index=bitmap", "--set", "outer.down.index=bitmap")
        late = answer("diloco", "preset:ten-to-25", *FIXED, *bitmap, "--json")
        self.assertAlmostEqual(late["utilisation"]["p50"], 0.9155, places=3)
        hidden = answer("diloco", "preset:ten-to-25", *FIXED, *bitmap, "--set", "outer.overlap_steps=2", "--json")
        self.assertAlmostEqual(hidden["utilisation"]["p50"], 1, places=9)

    def test_intellect_1_computes_the_share_that_it_published(self):
        result = answer("diloco", "preset:intellect-1", "--json")
        self.assertAlmostEqual(result["utilisation"]["p50"], 0.857, delta=0.03)

    def test_one_seed_gives_one_answer(self):
        call = ("diloco", "preset:ten-to-25", *UNEVEN, "--runs", "3", "--seed", "5", "--json")
        self.assertEqual(answer(*call), answer(*call))
        other = answer("diloco", "preset:ten-to-25", *UNEVEN, "--runs", "3", "--seed", "6", "--json")
        self.assertNotEqual(answer(*call)["stall_seconds_per_round"], other["stall_seconds_per_round"])

    def test_events_tell_of_every_update_in_order_of_time(self):
        events = answer("diloco", "preset:ten-to-25-36", *UNEVEN, "--set", "cluster.sites=4", "--set", "outer.quorum=4",
                        "--runs", "1", "--events", "--json")["events"]
        times = [event["seconds"] for event in events]
        self.assertEqual(times, sorted(times))
        for what in ("release", "send", "sent", "arrive"):
            self.assertEqual(sum(event["event"] == what for event in events), 4 * 36)
        self.assertEqual(sum(event["event"] == "close" for event in events), 36)

    def test_the_table_is_a_page_wide(self):
        for plan in ("ten-to-25", "ten-to-25-36", "ten-to-25-a100", "intellect-1"):
            text = run("diloco", f"preset:{plan}", *UNEVEN).stdout.decode()
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_what_does_not_fit_is_simulated_all_the_same(self):
        self.assertEqual(run("diloco", "preset:ten-to-25", "--set", "precision.gradients=fp32").returncode, 0)

    def test_what_has_no_outer_loop_is_rejected(self):
        self.assert_fails(run("diloco", "preset:llama3-405b-16k"), 3)

    def test_too_much_is_rejected_in_time(self):
        for sets in (("--set", "cluster.sites=1000000", "--set", "outer.fragments=1000000", *UNEVEN),
                     ("--set", "cluster.sites=100000", "--runs", "10000", *UNEVEN),
                     ("--set", "outer.fragments=1000000", "--events")):
            self.assert_fails(run("diloco", "preset:ten-to-25", *sets), 3)
        self.assert_fails(run("diloco", "preset:ten-to-25", "--runs", "0"), 2)
        self.assert_fails(run("diloco", "preset:ten-to-25", "--seed", "x"), 2)

    def test_hostile_links_sites_and_aggregators(self):
        extremes = ("1e-30", "1e30", "1e18", "0", "-1", '"x"', "[]", "null", "1e999")
        for field in ("cluster.wan.jitter_seconds", "cluster.wan.rate_variation", "cluster.wan.rate_interval_seconds",
                      "cluster.wan.rate_correlation", "faults.site_mtbf_seconds", "faults.site_recovery_seconds",
                      "faults.step_variation", "faults.rejoin_bytes_per_parameter", "aggregation.ingress_bits_per_second",
                      "aggregation.grace_share", "aggregation.quorum_wait_seconds", "outer.inner_steps",
                      "outer.overlap_steps"):
            for value in extremes:
                done = run("diloco", "preset:ten-to-25", "--set", "cluster.wan.rate_variation=0.1", "--set",
                           f"{field}={value}", "--runs", "1", "--json")
                if done.returncode != 0:
                    self.assert_fails(done, 3)

    def test_a_link_follows_a_table_of_its_rate(self):
        wan = "cluster.wan.rate_trace"
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            table = folder / "link.csv"
            half = "seconds,bits_per_second\n1700000000,50e6\n1700003600,50e6\n"
            table.write_text(half)
            late = (*FIXED, "--set", "outer.overlap_steps=2")
            steady = answer("diloco", "preset:ten-to-25", *late, "--json")
            named = answer("diloco", "preset:ten-to-25", *late, "--set", f"{wan}={table}", "--json")
            inline = '[{"seconds": 0, "share": 0.5}, {"seconds": 3600, "share": 0.5}]'
            self.assertEqual(named, answer("diloco", "preset:ten-to-25", *late, "--set", f"{wan}={inline}", "--json"))
            self.assertAlmostEqual(named["uplink_load"]["p50"], 2 * steady["uplink_load"]["p50"], places=6)
            # A relative file name in a plan refers to the plan's own folder.
            plan = json.loads(run("presets", "ten-to-25").stdout)
            plan["cluster"]["wan"]["rate_trace"] = "link.csv"
            (folder / "traced.plan").write_text(json.dumps(plan))
            traced = answer("evaluate", str(folder / "traced.plan"), "--json")
            self.assertEqual(len(traced["plan"]["cluster"]["wan"]["rate_trace"]), 2)
            # A plan may name files in its own folder only; the error is the same whether or not another file exists.
            for outside in (str(table), "/etc/passwd", "/no/such/file", "../link.csv", "a/../../link.csv"):
                plan["cluster"]["wan"]["rate_trace"] = outside
                (folder / "outside.plan").write_text(json.dumps(plan))
                for verb in ("diloco", "evaluate"):
                    failed = run(verb, str(folder / "outside.plan"))
                    self.assert_fails(failed, 3)
                    self.assertIn(b"outside the plan's folder", failed.stderr)
                self.assertEqual(run("check", str(folder / "outside.plan")).returncode, 3)
            # The error shortens a long name.
            failed = run("diloco", "preset:ten-to-25", "--set", f"{wan}={'x' * 5000}")
            self.assert_fails(failed, 4)
            self.assertLess(len(failed.stderr), 1000)
            self.assertEqual(run("check", str(folder / "traced.plan")).returncode, 0)
            shares = "share,seconds\n1,0\n0.25,60\n1,120\n"
            table.write_text(shares)
            self.assertEqual(run("diloco", str(folder / "traced.plan")).returncode, 0)

    def test_hostile_tables_of_a_rate_give_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "link.csv"
            os.mkfifo(pathlib.Path(folder) / "pipe")
            texts = ("", "seconds\n", "seconds,share\n", "seconds,share\n0,1\n", "seconds,share\n0,1\n0,1\n",
                     "seconds,share\n0,1\n5,x\n", "seconds,share\n0,1\n5,-1\n", "seconds,share\n0,1\n5,nan\n",
                     "seconds,share\n0,1\n5,1e999\n", "seconds,share\n5,1\n0,1\n", "a,b\n1,2\n3,4\n",
                     "seconds,share,bits_per_second\n0,1,1\n1,1,1\n", "seconds,share\n0,1,2\n", '"seconds,share\n',
                     "seconds,share\n" + "".join(f"{i},1\n" for i in range(100_001)), "\0\0\0", "{}")
            for text in texts:
                table.write_text(text)
                self.assert_fails(run("diloco", "preset:ten-to-25", "--set", f"cluster.wan.rate_trace={table}"), 3)
            table.write_bytes(b"\xff\xfe" * 100)
            self.assert_fails(run("diloco", "preset:ten-to-25", "--set", f"cluster.wan.rate_trace={table}"), 3)
            for name in (folder, f"{folder}/none.csv", f"{folder}/pipe", "/dev/zero"):
                self.assert_fails(run("diloco", "preset:ten-to-25", "--set", f"cluster.wan.rate_trace={name}"), 4)

    def test_sites_may_have_links_of_their_own_kind(self):
        groups = ('cluster.wan.groups=[{"sites": 8, "uplink_bits_per_second": 50e6, "loss_probability": 1e-4, '
                  '"jitter_seconds": 0.02, "full_duplex": false, "rate_trace": [{"seconds": 0, "share": 1}, '
                  '{"seconds": 60, "share": 0.5}]}]')
        plan = answer("evaluate", "preset:ten-to-25", "--set", groups, "--json")["plan"]
        self.assertEqual(plan["cluster"]["wan"]["groups"][0]["full_duplex"], False)
        uneven = answer("diloco", "preset:ten-to-25", "--set", groups, "--json")
        self.assertLess(uneven["utilisation"]["p50"], answer("diloco", "preset:ten-to-25", "--json")["utilisation"]["p50"])

    def test_the_guide_says_what_the_program_says_of_a_first_simulation(self):
        with open(f"{SOURCE}/resources/guide/example-72-sites.md", encoding="utf-8") as stream:
            page = stream.read()
        section = page.split("## How much of the time do sites compute?")[1].split("\n## ")[0]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()
                if line.startswith("| ")][1:]
        self.assertEqual(len(rows), 7)
        before = []
        for _, options, share, _ in rows:
            sets = options.replace("`", "").split()
            if options.startswith("the same"):
                sets = before + sets[3:]
            elif sets[:1] == ["--set"]:
                before = sets
            text = run("diloco", "preset:ten-to-25-36", "--set", "outer.step_seconds=23", *sets).stdout.decode()
            found = next(line for line in text.splitlines() if "compute utilization" in line).split()
            self.assertEqual(found[3], share, options)
        memory = answer("evaluate", "preset:ten-to-25", "--json")["memory"]
        self.assertIn(f"{memory['peak_bytes'] / 1e9:.1f} GB, but an accelerator has "
                      f"{memory['capacity_bytes'] / 1e9:.1f} GB", page)

    def test_one_pipeline_instead_is_the_calculators(self):
        """Two sites of 16 GH200: sending the activations of 131,072 tokens takes over eight minutes per site at 100
        Mb/s."""
        sets = ("--set", "cluster.sites=2", "--set", "outer.quorum=2")
        instead = answer("diloco", "preset:ten-to-25", *sets, "--json")["one_pipeline_instead"]
        evaluated = answer("evaluate", "preset:ten-to-25", *sets, "--json")
        values = answer("calc", "wan-pipeline", f"parameters={evaluated['parameters']['active']}",
                        f"batch_tokens={2 * 131072}", "stages=2",
                        f"stage_flops_per_second={evaluated['flops']['per_step'] / evaluated['step']['seconds']}",
                        "hidden=12288", "bits_per_second=100e6", "--json")
        self.assertAlmostEqual(instead["seconds"], values["seconds"], delta=1e-9 * instead["seconds"])
        self.assertAlmostEqual(instead["utilisation"], values["utilisation_bound"], places=12)
        self.assertAlmostEqual(instead["sent_bytes"], 2 * 131072 * 12288 * 2)

    def test_least_changes_count_the_tokens_that_a_larger_batch_needs(self):
        repair = answer("diloco", "preset:ten-to-25", "--within", "365", "--json")["repair"]
        tokens = repair["tokens_to_the_same_loss"]
        self.assertLessEqual(1, tokens["low"])
        self.assertLessEqual(tokens["low"], tokens["high"])
        self.assertLessEqual(repair["days_to_the_same_loss"]["high"], 365)
        self.assertAlmostEqual(repair["days_to_the_same_loss"]["high"], repair["made_to_work"]["days"] * tokens["high"])

    def test_a_trace_has_to_be_in_order(self):
        trace = 'cluster.wan.rate_trace=[{"seconds": 0, "share": 1}, {"seconds": 3600, "share": 0.5}]'
        self.assertEqual(run("diloco", "preset:ten-to-25", "--set", trace).returncode, 0)
        for wrong in ("[]", '[{"seconds": 5, "share": 1}]', '[{"seconds": 0, "share": 0}, {"seconds": 1, "share": 1}]',
                      '[{"seconds": 0, "share": 1}, {"seconds": 0, "share": 1}]'):
            self.assert_fails(run("diloco", "preset:ten-to-25", "--set", f"cluster.wan.rate_trace={wrong}"), 3)


if __name__ == "__main__":
    unittest.main()
