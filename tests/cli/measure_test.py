#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that `evidence` and `calibrate` read the table that measure_gpu.py writes; needs no accelerator."""
import importlib.util
import os
import pathlib
import sys
import types
import unittest
from unittest import mock

from program import SOURCE, ProgramTest, answer

SCRIPT = pathlib.Path(SOURCE) / "presets" / "evidence" / "measure_gpu.py"


def without_pytorch():
    """Imports the script with a stub of PyTorch that has only what its bookkeeping uses."""
    torch = types.ModuleType("torch")
    torch.nn = types.ModuleType("torch.nn")
    torch.nn.functional = types.ModuleType("torch.nn.functional")
    torch.nn.Module = object
    torch.utils = types.ModuleType("torch.utils")
    torch.utils.checkpoint = types.ModuleType("torch.utils.checkpoint")
    torch.__version__ = "2.4.0+cu124"
    torch.cuda = types.SimpleNamespace(get_device_name=lambda: "NVIDIA H100 80GB HBM3", empty_cache=lambda: None,
                                       is_available=lambda: False, OutOfMemoryError=MemoryError)
    modules = {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional,
               "torch.utils": torch.utils, "torch.utils.checkpoint": torch.utils.checkpoint}
    with mock.patch.dict(sys.modules, modules), mock.patch.object(sys, "dont_write_bytecode", True):
        spec = importlib.util.spec_from_file_location("measure_gpu", SCRIPT)
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
    return script


class Measured(ProgramTest):
    def table(self):
        script = without_pytorch()

        def step(shape, micro_batch, sequence, recompute, repetitions):
            if micro_batch > 8:
                raise MemoryError
            work = shape[0] * shape[1] ** 2 * micro_batch * sequence * (96 if recompute else 72)
            return work / 3e14 + 0.02, 8e9 + micro_batch * 1e9, 9e9 + micro_batch * 1e9

        path = os.path.join(self.folder, "runs.csv")
        with mock.patch.object(script, "training_step", step):
            script.write(path, script.RUN_COLUMNS, script.runs(script.torch.cuda.get_device_name(), False, 1))
        return path

    def test_every_row_is_predicted(self):
        found = answer("evidence", self.table(), "--json")
        self.assertEqual(len(found["rows"]), 4 * 2 * (4 * 2 + 1))
        self.assertTrue(all(row["skipped"] is None and row["stack"] == "pytorch-eager-2024" for row in found["rows"]))
        self.assertEqual(found["summary"]["step"]["count"], 4 * 2 * 4)
        self.assertEqual(found["summary"]["memory"]["count"], 4 * 2 * 4 * 2)

    def test_a_machine_is_fitted_to_them(self):
        found = answer("calibrate", self.table(), "--machine", "--json")
        self.assertLess(found["step"]["after"]["mean_absolute_error"], found["step"]["before"]["mean_absolute_error"])

    def test_what_it_needs_is_said(self):
        with mock.patch.object(sys, "argv", ["measure_gpu.py", "--out", self.folder]):
            with self.assertRaises(SystemExit) as ended:
                without_pytorch().main()
        self.assertEqual(str(ended.exception), "measure_gpu.py: PyTorch finds no accelerator")


if __name__ == "__main__":
    unittest.main()
