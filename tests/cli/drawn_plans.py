# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws plans that the JSON Schema accepts: extreme values in several fields at once, on plans with valid degrees."""
import copy
import json
import math
import os
import random

from program import SOURCE, answer

FOLDER = os.path.join(SOURCE, "presets", "schema")
COMPOSITE = (1, 2, 3, 6, 8, 12, 16, 48, 60, 64, 96, 360, 1024, 2048, 5040, 16384, 55440, 100_000, 720_720, 1 << 20, 8_648_640,
             10_000_000)
BASES = ("ten-to-25", "ten-to-25-36", "pretrain-8b", "deepseek-v3", "intellect-1", "smollm-135m", "bloom-176b", "palm-540b")
SCHEDULES = ("gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-1p", "zb-2p", "interleaved-zb", "zb-v", "v-half",
             "v-min", "dualpipe", "dualpipe-v", "chimera", "seq1f1b")
SEARCH_OPTIONS = ("outer", "offload", "placement", "layout", "precision", "group", "shard_group")


def divisors(number):
    low = [i for i in range(1, math.isqrt(number) + 1) if number % i == 0]
    return sorted(set(low + [number // i for i in low]))


class Field:
    """One field of a plan: its path and the values to try."""

    def __init__(self, path, values):
        self.path = path
        self.values = values

    def draw(self, chance):
        value = chance.choice(self.values)
        return value(chance) if callable(value) else value


def corners(schema):
    """Both ends of a number's range, the value next to each, and one between them."""
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    whole = "integer" in kinds
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    high = schema.get("maximum", 1e12)
    if "exclusiveMinimum" in schema:
        low = max(low, 1e-9)
    middle = math.sqrt(max(low, 1e-6) * high) if high > 0 else 0
    values = [low, high, min(high, max(low, middle)), min(high, max(low, 10 * low)), max(low, high / 10)]
    if whole:
        values = [int(value) for value in values] + [min(high, low + 1), high - 1]
    return sorted(set(value for value in values if low <= value <= high))


def fields_of(schema, path=()):
    """Every number, choice and switch inside an object, by its path."""
    if "enum" in schema:
        yield Field(path, list(schema["enum"]))
        return
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "integer" in kinds or "number" in kinds:
        yield Field(path, corners(schema))
    elif "boolean" in kinds:
        yield Field(path, [True, False])
    for key, value in schema.get("properties", {}).items():
        yield from fields_of(value, (*path, key))


def load(name):
    with open(os.path.join(FOLDER, name + ".schema.json"), encoding="utf-8") as file:
        return json.load(file)


def set_in(document, path, value):
    for key in path[:-1]:
        if not isinstance(document.get(key), dict):
            document[key] = {}
        document = document[key]
    document[path[-1]] = value


class Drawing:
    """Draws plans; one seed always gives the same plans."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.bases = [answer("presets", "plan/" + name, "--json") for name in BASES]
        self.models = {base["model"]: answer("presets", "model/" + base["model"], "--json")
                       for base in self.bases if isinstance(base["model"], str)}
        plan = load("plan")
        skipped = {"schema", "name", "id", "description", "cluster", "model", "stack", "snapshots", "published", "sources", "notes"}
        plan["properties"] = {key: value for key, value in plan["properties"].items() if key not in skipped}
        every = list(fields_of(plan))
        degrees = {"parallelism", "batch"}
        self.degrees = [field for field in every if field.path[0] in degrees]
        self.free = [field for field in every if field.path[0] not in degrees and field.path[0] != "constraints"]
        self.free += [Field(("cluster", *field.path), field.values) for field in fields_of(load("cluster"))
                      if field.path[0] in ("sites", "wan")]
        self.free += [Field(("cluster", "wan", "groups"), [self.groups])] + [Field(("cluster", "wan", "rate_trace"), [self.trace])]
        self.constraints = [
            Field(("constraints", "also"), [self.options, list(SEARCH_OPTIONS)]),
            Field(("constraints", "global_sequences"), [self.between]),
            Field(("constraints", "accelerators"), [self.between]),
            Field(("constraints", "accelerator_types"), [["b200", "h100-sxm-80gb", "gb300"], ["nothing-known"]]),
            Field(("constraints", "any_software"), [True]),
            Field(("constraints", "tensor_within_node"), [False]),
            Field(("constraints", "headroom_bytes"), [0, 1e18]),
        ]

    @staticmethod
    def options(chance):
        return chance.sample(SEARCH_OPTIONS, chance.randint(1, len(SEARCH_OPTIONS)))

    @staticmethod
    def between(chance):
        low = chance.choice((1, 64, 720_720))
        return {"low": low, "high": chance.choice((low, 10 * low, 1_000_000_000)), "step": chance.choice((1, low, 1000))}

    @staticmethod
    def groups(chance):
        return [{"sites": chance.choice((1, 3, 100, 1_000_000)), "uplink_bits_per_second": chance.choice((1, 1e6, 1e9, 1e18))}
                for _ in range(chance.randint(1, 3))]

    @staticmethod
    def trace(chance):
        points = chance.choice((2, 100, 50_000))
        length = chance.choice((1e-3, 1.0, 1e6))
        return [{"seconds": i * length, "share": chance.choice((1e-6, 1, 1e6))} for i in range(points)]

    def plan(self):
        plan = copy.deepcopy(self.chance.choice(self.bases))
        if self.chance.random() < 0.7:
            self.lay_out(plan)
        for _ in range(self.chance.choice((0, 1, 2, 2, 3, 5))):
            field = self.chance.choice(self.free)
            set_in(plan, field.path, field.draw(self.chance))
        for _ in range(self.chance.choice((0, 0, 0, 1, 2))):
            field = self.chance.choice(self.degrees)
            set_in(plan, field.path, field.draw(self.chance))
        for _ in range(self.chance.choice((0, 0, 1, 2, 3))):
            field = self.chance.choice(self.constraints)
            set_in(plan, field.path, field.draw(self.chance))
        return plan

    def lay_out(self, plan):
        """Draws parallelism degrees of any size that divide the accelerators, heads and layers as a valid plan needs."""
        chance = self.chance
        model = plan["model"]
        if isinstance(model, str):
            model = copy.deepcopy(self.models[model])
        layers = chance.choice((None, None, 1, 2, 64, 720, 5040, 10_000))
        if layers is not None and not model.get("mtp_layers") and isinstance(model.get("blocks"), list):
            model["blocks"] = model["blocks"][:1]
            model["layers"] = layers
            plan["model"] = model
        count = layers or (model["layers"] if isinstance(model["layers"], int) else 60)
        site = chance.choice(COMPOSITE)
        node = chance.choice([one for one in (1, 2, 4, 8, 16, 64) if site % one == 0])
        cluster = plan["cluster"]
        cluster["accelerators_per_node"] = node
        link = {"bandwidth_bytes_per_second": 5e10, "latency_seconds": 5e-6}
        cluster["tiers"] = [{"name": "node", "accelerators": node, **link}] if node < site else []
        cluster["tiers"].append({"name": "site", "accelerators": site, **link})
        tensor = chance.choice([one for one in (1, 2, 4, 8) if node % one == 0])
        pipeline = chance.choice([one for one in divisors(site // tensor) if one <= min(count, 10_000)])
        data = site // tensor // pipeline
        microbatches = chance.choice((1, 2, pipeline, 2 * pipeline, 4 * pipeline, 20 * pipeline, 10_240, 1_000_000))
        micro = chance.choice((1, 1, 2, 1024))
        schedule = chance.choice(SCHEDULES) if pipeline > 1 else "1f1b"
        chunks = chance.choice(divisors(count // pipeline)) if schedule in ("interleaved", "looped-bfs", "interleaved-zb") else 1
        chunks = 2 if schedule in ("zb-v", "v-half", "v-min", "dualpipe-v") else chunks
        plan["parallelism"] = {"tensor": tensor, "pipeline": pipeline, "chunks": chunks, "schedule": schedule,
                               "zero_stage": chance.choice((0, 1, 2, 3))}
        plan["batch"] = {"sequence_length": chance.choice((1, 128, 4096, 720_720, 1_000_000_000)),
                         "global_sequences": min(1_000_000_000, data * micro * microbatches), "micro_sequences": micro}
        plan["recompute"] = {"mode": chance.choice(("none", "full", "selective"))}
