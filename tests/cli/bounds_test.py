# SPDX-License-Identifier: GPL-3.0-or-later
"""Every verb handles any plan that the schema accepts in bounded time and memory, or rejects it with one line.

    bounds_test.py                        a few plans with a fixed seed, as ctest runs it
    bounds_test.py --plans 2000 --seed 7  many plans; those that violate a bound are printed and saved as bound-*.json"""
import argparse
import json
import os
import resource
import signal
import sys
import tempfile
import time
import unittest

from drawn_plans import Drawing, set_in
from program import CLI, ERROR_LINE, ProgramTest, answer, run

#: seconds and bytes that each verb may use
BOUNDS = {"check": (2, 1e9), "evaluate": (2, 1e9), "diloco": (5, 1e9), "search": (30, 2e9)}
FURTHER = 20  # a hanging process is killed after this multiple of the bound
SHORT_SEED = 23
SHORT_PLANS = 60
SHORT_SECONDS = 15


class Answer:
    """The outcome of a process, with its time and memory."""

    def __init__(self, verb, plan, folder):
        self.verb = verb
        seconds, memory = BOUNDS[verb]
        out, err = os.path.join(folder, "out"), os.path.join(folder, "err")
        begin = time.monotonic()
        pid = os.fork()
        if pid == 0:
            self.become(verb, plan, out, err, int(2 * memory))
        status, usage = self.wait(pid, begin + FURTHER * seconds)
        self.wall = time.monotonic() - begin
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024
        self.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        self.status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        with open(out, encoding="utf-8", errors="replace") as file:
            self.out = file.read()
        with open(err, encoding="utf-8", errors="replace") as file:
            self.err = file.read()

    @staticmethod
    def become(verb, plan, out, err, address_space):
        for descriptor, file in ((1, out), (2, err)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execv(CLI, [CLI, verb, plan] + ([] if verb == "check" else ["--json"]))

    @staticmethod
    def wait(pid, until):
        while True:
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if done == pid:
                return status, usage
            if time.monotonic() > until:
                os.kill(pid, signal.SIGKILL)
                _, status, usage = os.wait4(pid, 0)
                return status, usage
            time.sleep(0.002)

    def breach(self):
        """Describes a violated bound; a machine under load violates none."""
        seconds, memory = BOUNDS[self.verb]
        if self.signal == signal.SIGKILL or (self.wall > seconds and self.processor > seconds):
            return f"took {self.wall:.1f} s, {self.processor:.1f} s of processors, of {seconds} s"
        if self.signal is not None:
            return f"ended by signal {self.signal}"
        if self.memory > memory:
            return f"took {self.memory / 1e9:.2f} GB of {memory / 1e9:.0f} GB"
        if self.status == 0:
            return None
        if self.status != 3 or not ERROR_LINE.match(self.err):
            return f"status {self.status}, {self.err[:300]!r}"
        return None


def disagreement(answers):
    """Describes a plan that `check` accepts and another verb rejects, or the reverse."""
    accepted = answers["check"].status == 0
    for verb, answer in answers.items():
        if answer.breach() is None and (answer.status == 0) != accepted:
            return f"check {'accepts' if accepted else 'rejects'} what {verb} does not: {answer.err.strip()[:300]}"
    return None


def intervals(node, path=""):
    """Yields the path and the ordered values of every interval in a document."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from intervals(item, f"{path}/{index}")
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        yield from intervals(value, f"{path}/{key}")
        for low, middle, high in (("low_", "", "high_"), ("_low", "", "_high"), ("_p10", "_p50", "_p90")):
            if key.startswith(low) or key.endswith(low):
                row = [value, node.get(key.replace(low, middle)), node.get(key.replace(low, high))]
                yield f"{path}/{key}", [one for one in row if isinstance(one, (int, float))]
    for keys in (("p10", "p50", "p90"), ("low", "predicted", "high")):
        row = [node[key] for key in keys if isinstance(node.get(key), (int, float))]
        if len(row) > 1:
            yield path, row


def order_problem(result):
    """Describes an interval whose low, middle and high values are out of order, or a step faster than the hardware
    without a warning."""
    for path, row in intervals({key: value for key, value in result.items() if key not in ("plan", "derivations")}):
        if row != sorted(row):
            return f"{path} is {row}"
    outer = result.get("outer")
    if outer and outer["loss_penalty_low"] < 0:
        return f"loss penalty {outer['loss_penalty_low']}"
    if result["step"]["hfu"] > 1 and not any(one["severity"] == "warning" for one in result["diagnostics"]):
        return f"HFU {result['step']['hfu']} without a warning"
    return None


def ask_all(plan, folder, verbs=tuple(BOUNDS)):
    """Runs every verb on one plan; returns the answers and a list of problems."""
    file = os.path.join(folder, "plan.json")
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(plan, stream)
    asked = [verb for verb in verbs
             if verb != "diloco" or (plan.get("outer") or {}).get("method") in ("diloco", "streaming-diloco")]
    answers = {verb: Answer(verb, file, folder) for verb in asked}
    wrong = [f"{verb}: {breach}" for verb, answer in answers.items() if (breach := answer.breach())]
    if problem := disagreement(answers):
        wrong.append(problem)
    for verb in ("evaluate", "diloco"):
        if verb in answers and answers[verb].status == 0:
            found = json.loads(answers[verb].out)
            problem = order_problem(found) if verb == "evaluate" else next(
                (f"{path} is {row}" for path, row in intervals(found) if row != sorted(row)), None)
            wrong += [f"{verb}: {problem}"] if problem else []
    return answers, wrong


def starts_within_bounds():
    """Whether the program starts under the memory limit: sanitizers reserve more address space than the machine has
    memory."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "plan.json")
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(answer("presets", "plan/smollm-135m"), stream)
        return Answer("check", file, folder).status == 0


class Bounds(unittest.TestCase):
    @unittest.skipUnless(starts_within_bounds(), "needs a build without sanitizers")
    def test_questions_about_drawn_plans_are_bounded_and_agree(self):
        drawing = Drawing(SHORT_SEED)
        until = time.monotonic() + SHORT_SECONDS
        asked = 0
        with tempfile.TemporaryDirectory() as folder:
            while asked < SHORT_PLANS and time.monotonic() < until:
                plan = drawing.plan()
                _, wrong = ask_all(plan, folder, ("check", "evaluate", "diloco"))
                self.assertEqual(wrong, [], json.dumps(plan))
                asked += 1
        self.assertGreater(asked, 5)


class Agreement(ProgramTest):
    def answers(self, **changes):
        plan = answer("presets", "plan/ten-to-25")
        for path, value in changes.items():
            set_in(plan, path.split("__"), value)
        file = self.file("plan.json", json.dumps(plan))
        return [run(verb, file) for verb in ("check", "evaluate", "search", "diloco")]

    def test_an_unknown_accelerator_type_is_refused_by_all(self):
        for done in self.answers(constraints__accelerator_types=["b200", "none-such"]):
            self.assert_fails(done, 3)
            self.assertIn(b"/constraints/accelerator_types/1", done.stderr)

    def test_sites_that_take_long_to_follow_are_refused_by_all(self):
        for done in self.answers(cluster__sites=100_000, outer__fragments=10, outer__quorum=100, faults__step_variation=0.1):
            self.assert_fails(done, 3)
            self.assertIn(b"100000 heterogeneous sites are too many to simulate", done.stderr)

    def test_a_schedule_with_more_stages_than_its_order_is_made_for_is_evaluated_in_closed_form(self):
        model = answer("presets", "model/llama-3.1-8b")
        model["layers"] = 1024
        cluster = {"accelerator": "h100-sxm-80gb", "accelerators_per_node": 8,
                   "tiers": [{"name": "all", "accelerators": 512, "bandwidth_bytes_per_second": 5e10, "latency_seconds": 5e-6}]}
        plan = {"schema": "meshwright.plan/1", "cluster": cluster, "model": model,
                "parallelism": {"pipeline": 512, "chunks": 2, "schedule": "v-half"}, "batch": {"global_sequences": 512}}
        file = self.file("plan.json", json.dumps(plan))
        self.assertEqual([run(verb, file).returncode for verb in ("check", "evaluate")], [0, 0])


def draw_many(plans, seed, keep, verbs):
    drawing = Drawing(seed)
    most = {verb: [0, 0, 0, 0] for verb in BOUNDS}
    accepted = broken = 0
    with tempfile.TemporaryDirectory() as folder:
        for index in range(plans):
            plan = drawing.plan()
            answers, wrong = ask_all(plan, folder, verbs)
            accepted += answers["check"].status == 0
            for verb, answer in answers.items():
                figures = most[verb]
                figures[0] += 1
                figures[1] = max(figures[1], answer.wall)
                figures[2] = max(figures[2], answer.processor)
                figures[3] = max(figures[3], answer.memory)
            if wrong:
                broken += 1
                with open(os.path.join(keep, f"bound-{seed}-{index}.json"), "w", encoding="utf-8") as file:
                    json.dump(plan, file)
                print(f"{seed}-{index}: {'; '.join(wrong)}", flush=True)
    print(f"{plans} plans, {accepted} of them valid, {broken} violated a bound")
    for verb, (count, wall, processor, memory) in most.items():
        print(f"{verb}: {count} runs, at most {wall:.1f} s, {processor:.1f} s of processor time, {memory / 1e9:.2f} GB")
    return broken


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--plans":
        parser = argparse.ArgumentParser()
        parser.add_argument("--plans", type=int, required=True)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--keep", default=".")
        parser.add_argument("--verbs", default=",".join(BOUNDS))
        options = parser.parse_args()
        sys.exit(1 if draw_many(options.plans, options.seed, options.keep, options.verbs.split(",")) else 0)
    unittest.main()
