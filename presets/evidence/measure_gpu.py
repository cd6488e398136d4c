#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures one accelerator with PyTorch, for `meshwright-cli evidence` and `calibrate`.

    python3 measure_gpu.py --out FOLDER [--accelerator h100-sxm-80gb] [--quick]

writes FOLDER/operations.csv (rates of GEMMs, attention and memory-bound operations) and
FOLDER/runs.csv (training steps of transformers with their peak allocated and reserved memory, in the columns of
measured-runs.csv). Times are medians over repetitions between CUDA events, after a warm-up. Needs a CUDA or ROCm build of
PyTorch 2.1 or later and one accelerator; it runs in a single process.
"""
import argparse
import csv
import datetime
import gc
import os
import statistics
import sys

try:
    import torch
    import torch.utils.checkpoint
    import torch.nn.functional as functional
except ImportError:
    sys.exit("measure_gpu.py: PyTorch is not installed; see https://pytorch.org")

WARM_UP = 5
OPERATION_COLUMNS = ["kind", "m", "n", "k", "batch", "heads", "head_dim", "sequence", "causal", "precision", "seconds",
                     "flops", "bytes"]
RUN_COLUMNS = ["id", "source", "year", "model", "layers", "hidden", "heads", "kv_heads", "head_dim", "ffn_hidden",
               "gated_mlp", "vocabulary", "tied_embeddings", "accelerator", "accelerators", "accelerators_per_node",
               "precision", "optimizer", "tensor", "pipeline", "context", "data", "zero_stage", "micro_batch",
               "global_batch", "sequence_length", "recompute", "sequence_parallel", "framework", "step_seconds",
               "peak_memory_bytes", "memory_kind", "outcome", "quality"]
# layers, hidden size, heads, KV heads, feed-forward size; the vocabulary size is Llama 2's.
MODELS = {"160M": (12, 768, 12, 12, 2048), "410M": (24, 1024, 16, 16, 2816), "1B": (16, 2048, 16, 16, 5632),
          "3B": (28, 3072, 24, 8, 8192)}
VOCABULARY = 32000


def seconds_of(work, repetitions):
    """Median seconds that a call takes on the device."""
    for _ in range(WARM_UP):
        work()
    times = []
    for _ in range(repetitions):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1e3)
    return statistics.median(times)


def multiplies(quick, repetitions):
    """Times BF16 GEMMs of tokens x width x width."""
    tokens = (1024, 4096, 16384) if quick else (512, 1024, 2048, 4096, 8192, 16384, 32768)
    widths = (1024, 4096, 8192) if quick else (512, 1024, 2048, 4096, 5120, 8192, 12288, 16384)
    for m in tokens:
        for n in widths:
            for k in widths:
                a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
                b = torch.randn(k, n, device="cuda", dtype=torch.bfloat16)
                seconds = seconds_of(lambda a=a, b=b: torch.matmul(a, b), repetitions)
                yield {"kind": "matmul", "m": m, "n": n, "k": k, "precision": "bf16", "seconds": seconds,
                       "flops": 2 * m * n * k, "bytes": 2 * (m * k + k * n + m * n)}


def attentions(quick, repetitions):
    """Times forward, and forward plus backward, with the fused attention kernel that PyTorch picks."""
    sequences = (2048, 8192) if quick else (1024, 2048, 4096, 8192, 16384)
    for sequence in sequences:
        for heads, head_dim in ((16, 64), (32, 128)):
            batch = max(1, 16384 // sequence)
            shape = (batch, heads, sequence, head_dim)
            q, k, v = (torch.randn(shape, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
            upstream = torch.randn(shape, device="cuda", dtype=torch.bfloat16)

            def forward(q=q, k=k, v=v):
                return functional.scaled_dot_product_attention(q, k, v, is_causal=True)

            def both(forward=forward, inputs=(q, k, v), upstream=upstream):
                torch.autograd.grad(forward(), inputs, upstream)  # does not accumulate gradients over repetitions

            flops = 2 * batch * heads * sequence * sequence * head_dim  # causal: half of the scores
            fields = {"batch": batch, "heads": heads, "head_dim": head_dim, "sequence": sequence, "causal": 1,
                      "precision": "bf16", "bytes": 4 * 2 * batch * heads * sequence * head_dim}
            yield {"kind": "attention-forward", "seconds": seconds_of(forward, repetitions), "flops": flops, **fields}
            yield {"kind": "attention-both", "seconds": seconds_of(both, repetitions), "flops": 3.5 * flops, **fields}


def memory_bound(quick, repetitions):
    """Times three memory-bound operations: a copy, an addition and a norm."""
    for elements in ((1 << 26,) if quick else (1 << 20, 1 << 24, 1 << 26, 1 << 28)):
        x = torch.randn(elements, device="cuda", dtype=torch.bfloat16)
        y = torch.randn(elements, device="cuda", dtype=torch.bfloat16)
        rows = x.view(-1, 4096)
        weight = torch.ones(4096, device="cuda", dtype=torch.bfloat16)
        for kind, work, passes in (("copy", lambda x=x, y=y: y.copy_(x), 2), ("add", lambda x=x, y=y: x + y, 3),
                                   ("norm", lambda r=rows, w=weight: functional.layer_norm(r, (4096,), w), 2)):
            yield {"kind": kind, "n": elements, "precision": "bf16", "seconds": seconds_of(work, repetitions),
                   "flops": 0, "bytes": 2 * passes * elements}


class Layer(torch.nn.Module):
    """A pre-norm layer with grouped-query attention and a gated feed-forward network."""

    def __init__(self, hidden, heads, kv_heads, ffn):
        super().__init__()
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, hidden // heads
        self.first, self.second = torch.nn.LayerNorm(hidden), torch.nn.LayerNorm(hidden)
        self.qkv = torch.nn.Linear(hidden, (heads + 2 * kv_heads) * self.head_dim, bias=False)
        self.out = torch.nn.Linear(hidden, hidden, bias=False)
        self.up = torch.nn.Linear(hidden, 2 * ffn, bias=False)
        self.down = torch.nn.Linear(ffn, hidden, bias=False)

    def forward(self, x):
        batch, sequence, hidden = x.shape
        split = [self.heads, self.kv_heads, self.kv_heads]
        q, k, v = self.qkv(self.first(x)).view(batch, sequence, -1, self.head_dim).transpose(1, 2).split(split, 1)
        copies = self.heads // self.kv_heads
        if copies > 1:
            k, v = k.repeat_interleave(copies, 1), v.repeat_interleave(copies, 1)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, sequence, hidden))
        gate, value = self.up(self.second(x)).chunk(2, -1)
        return x + self.down(functional.silu(gate) * value)


class Transformer(torch.nn.Module):
    """A decoder with untied embedding and LM head."""

    def __init__(self, layers, hidden, heads, kv_heads, ffn):
        super().__init__()
        self.embedding = torch.nn.Embedding(VOCABULARY, hidden)
        self.layers = torch.nn.ModuleList(Layer(hidden, heads, kv_heads, ffn) for _ in range(layers))
        self.norm = torch.nn.LayerNorm(hidden)
        self.head = torch.nn.Linear(hidden, VOCABULARY, bias=False)

    def forward(self, tokens, recompute):
        x = self.embedding(tokens)
        for layer in self.layers:
            if recompute:
                x = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
            else:
                x = layer(x)
        return functional.cross_entropy(self.head(self.norm(x)).flatten(0, 1), tokens.flatten())


def training_step(shape, micro_batch, sequence, recompute, repetitions):
    """Returns step seconds, peak allocated and peak reserved bytes; weights and moments are FP32, GEMMs BF16."""
    model = Transformer(*shape).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    tokens = torch.randint(VOCABULARY, (micro_batch, sequence), device="cuda")

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(tokens, recompute)
        loss.backward()
        optimizer.step()

    torch.cuda.reset_peak_memory_stats()
    seconds = seconds_of(step, repetitions)
    return seconds, torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()


def runs(accelerator, quick, repetitions):
    """Writes one row per memory kind, model, batch and recomputation mode, also for runs that run out of memory."""
    source = "measure_gpu.py on " + torch.cuda.get_device_name()
    for name, shape in list(MODELS.items())[: 2 if quick else None]:
        for micro_batch in (1, 4) if quick else (1, 2, 4, 8, 16):
            for recompute in (False, True):
                row = dict(zip(("layers", "hidden", "heads", "kv_heads", "ffn_hidden"), shape))
                row.update(source=source, year=datetime.date.today().year, model=name, head_dim=shape[1] // shape[2], gated_mlp=1,
                           vocabulary=VOCABULARY, tied_embeddings=0, accelerator=accelerator, accelerators=1,
                           accelerators_per_node=1, precision="bf16", optimizer="AdamW fp32", tensor=1, pipeline=1,
                           context=1, data=1, zero_stage=0, micro_batch=micro_batch, global_batch=micro_batch,
                           sequence_length=2048, recompute="full" if recompute else "none", sequence_parallel=0,
                           framework="PyTorch eager " + torch.__version__.split("+")[0], quality="A")
                where = f"{name}-{micro_batch}-{row['recompute']}"
                try:
                    seconds, allocated, reserved = training_step(shape, micro_batch, 2048, recompute, repetitions)
                    row["outcome"] = "ok"
                    # Only one of the two rows gets the step time, so that a fit does not count it twice.
                    yield {**row, "id": f"{where}-allocated", "step_seconds": seconds, "peak_memory_bytes": allocated,
                           "memory_kind": "allocated"}
                    yield {**row, "id": f"{where}-reserved", "peak_memory_bytes": reserved, "memory_kind": "reserved"}
                except torch.cuda.OutOfMemoryError:
                    yield {**row, "id": where, "outcome": "oom"}
                gc.collect()
                torch.cuda.empty_cache()


def write(path, columns, rows):
    """Writes rows as they arrive, so that results are not lost if a later measurement fails."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        for row in rows:
            writer.writerow(row)
            file.flush()


def main():
    parser = argparse.ArgumentParser(description="Measure one accelerator for Meshwright")
    parser.add_argument("--out", required=True, help="folder for operations.csv and runs.csv")
    parser.add_argument("--accelerator", help="id of the accelerator preset; default: the device name")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="measure a small grid, in about a minute")
    options = parser.parse_args()
    if options.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    if not torch.cuda.is_available():
        sys.exit("measure_gpu.py: PyTorch finds no accelerator")
    os.makedirs(options.out, exist_ok=True)

    def operations():
        for measure in (multiplies, attentions, memory_bound):
            yield from measure(options.quick, options.repetitions)

    write(os.path.join(options.out, "operations.csv"), OPERATION_COLUMNS, operations())
    accelerator = options.accelerator or torch.cuda.get_device_name()
    write(os.path.join(options.out, "runs.csv"), RUN_COLUMNS,
          runs(accelerator, options.quick, options.repetitions))


if __name__ == "__main__":
    main()
