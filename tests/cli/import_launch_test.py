# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports launch configurations as a script would."""
import collections
import glob
import json
import os
import unittest

from program import SOURCE, ProgramTest, answer, run

EXAMPLES = os.path.join(SOURCE, "tests", "fuzz", "corpus", "import_launch")
KINDS = {"megatron": "megatron", "bridge": "megatron-bridge", "nemo": "megatron-bridge", "torchtitan": "torchtitan",
         "nanotron": "nanotron", "deepspeed": "deepspeed", "accelerate": "accelerate", "trainer": "hf-trainer"}


def example(name):
    return os.path.join(EXAMPLES, name)


def options_of(imported):
    return collections.Counter(each["option"] for each in imported["understood"] + imported["ignored"])


class LaunchConfigurations(ProgramTest):
    def test_each_plan_is_accepted_by_evaluate(self):
        files = sorted(glob.glob(example("*")))
        self.assertGreaterEqual(len(files), 15)
        for file in files:
            name = os.path.basename(file)
            imported = answer("import", file, "--json")
            self.assertEqual(imported["kind"], next(kind for key, kind in KINDS.items() if name.startswith(key)), name)
            self.assertEqual(imported["faults"], [], name)
            self.assertEqual([option for option, count in options_of(imported).items() if count > 1], [], name)
            result = answer("evaluate", "-", "--json", stdin=json.dumps(imported["plan"]).encode())
            self.assertGreater(result["step"]["seconds"], 0, name)
            self.assertEqual(answer("import", file), imported["plan"], name)

    def test_a_script_comes_with_its_json(self):
        script = self.file("train.sh", "deepspeed --num_gpus 8 pretrain_gpt.py --num-layers 24 --hidden-size 2048 "
                                       "--num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 "
                                       "--micro-batch-size 2 --global-batch-size 64 --train-iters 10 --bf16 --deepspeed "
                                       "--deepspeed_config ds.json --zero-stage 1\n")
        agreeing = self.file("ds.json", '{"train_batch_size": 64, "zero_optimization": {"stage": 1}}')
        for files in ((script, agreeing), (agreeing, script)):
            imported = answer("import", *files, "--json")
            self.assertEqual(imported["kind"], "megatron")
            self.assertEqual(imported["faults"], [])
            self.assertIn("deepspeed.zero_optimization.stage", options_of(imported))
        other = self.file("other.json", '{"train_batch_size": 128, "zero_optimization": {"stage": 2}}')
        imported = answer("import", script, other, "--json")
        self.assertEqual({fault["option"] for fault in imported["faults"]},
                         {"deepspeed.train_batch_size", "deepspeed.zero_optimization.stage"})

    def test_a_file_that_is_wrong_as_shipped_is_a_plan_with_faults(self):
        toml = self.file("run.toml", "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nseq_len = 4096\n"
                                     "local_batch_size = 3\n[parallelism]\npipeline_parallel_degree = 2\n"
                                     "pipeline_parallel_microbatch_size = 2\n")
        done = run("import", toml)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"fault: training.local_batch_size: ", done.stderr)
        self.assertEqual(json.loads(done.stdout)["schema"], "meshwright.plan/1")

    def test_what_cannot_be_read_ends_with_one_line(self):
        for name, text in (("broken.toml", "[training\nseq_len = 4096\n[parallelism]\n[model]\n"),
                           ("broken.yaml", "distributed_type: FSDP\nnum_processes: [8\n"),
                           ("broken.json", '{"train_batch_size": 8, "zero_optimization": '),
                           ("notes.txt", "nothing that a launcher reads\n")):
            self.assert_fails(run("import", self.file(name, text)), 3)
        self.assert_fails(run("import", example("trainer.yaml"), "--from", "no-such-kind"), 3)

    def test_nothing_of_a_script_is_run(self):
        mark = os.path.join(self.folder, "was-run")
        script = self.file("run.sh", f"touch {mark}\nX=$(touch {mark})\nY=`touch {mark}`\n" +
                           "torchrun train.py --model_name_or_path gpt2 --per_device_train_batch_size $X\n")
        answer("import", script)
        self.assertFalse(os.path.exists(mark))

    def test_hostile_files_end_soon(self):
        deep = "a: " + "[" * 5000 + "]" * 5000
        aliases = "a: &a [1, 1]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n"
                                            for i in range(24))
        many = "".join(f"option_{i}: {i}\n" for i in range(40_000))
        doubling = "A=x\n" + "A=$A$A\n" * 64 + "run --per_device_train_batch_size $A\n"
        calls = "f() { f; f; }\nf\nrun --per_device_train_batch_size 1\n"
        for text in (deep, aliases, many, doubling, calls):
            file = self.file("hostile", text)
            for kind in ("accelerate", "nanotron", "hf-trainer", "megatron-bridge", "megatron"):
                self.assertIn(run("import", file, "--from", kind, timeout=30).returncode, (0, 3))


if __name__ == "__main__":
    unittest.main()
