#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""However the program ends, at most one edit is lost, and every file is complete.

Runs real processes: the window, its document and its autosave (editor.cpp), and the program itself. They are killed at
random times, killed at each system call of a write, and ended by signals; they write to a full disk and to a read-only
home. Each end is followed by a start that reports what it recovers.

    lost_work.py              takes some seconds
    lost_work.py --long       1,000 kills at random times, and kills at every system call
"""

import argparse
import fcntl
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

BUILD = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "release"))
EDITOR = os.environ.get("MESHWRIGHT_EDITOR", f"{BUILD}/tests/lost_work/meshwright-lost-work-editor")
PROGRAM = os.environ.get("MESHWRIGHT", f"{BUILD}/app/meshwright")
FAILING_CALLS = os.environ.get("MESHWRIGHT_FAILING_CALLS",
                               f"{BUILD}/tests/lost_work/libmeshwright-failing-calls.so")
KILL_BEFORE, KILL_AFTER, FAIL_ON = 1, 2, 4  # values of failing_calls::Action
ENOSPC, EROFS = 28, 30
FIRST = 5001  # sequence length of the first edit; each later edit adds 1
PATIENCE = 120  # seconds that an answer may take on a busy machine


class Wrong(Exception):
    """Work was lost, a file is torn, or a temporary file remains."""


class Home:
    """A home directory of a test, with a folder for saved plans."""

    def __init__(self, folder):
        self.path = os.path.realpath(folder)
        self.plans = os.path.join(self.path, "plans")
        self.plan = os.path.join(self.plans, "a.plan")
        self.copies = os.path.join(self.path, "data", "meshwright", "autosave")
        os.makedirs(self.plans, exist_ok=True)
        os.makedirs(os.path.join(self.path, "run"), mode=0o700, exist_ok=True)

    def environment(self, failing=None, **more):
        environment = dict(
            os.environ,
            HOME=self.path,
            XDG_DATA_HOME=os.path.join(self.path, "data"),
            XDG_CONFIG_HOME=os.path.join(self.path, "config"),
            XDG_CACHE_HOME=os.path.join(self.path, "cache"),
            XDG_RUNTIME_DIR=os.path.join(self.path, "run"),
            QT_QPA_PLATFORM="offscreen",
            LC_ALL="C.UTF-8",
            **more,
        )
        if failing:
            turn, action, error, folder = failing
            environment.update(LD_PRELOAD=FAILING_CALLS, FAILING_CALLS=f"{turn}:{action}:{error}:{folder}")
        return environment

    def left_files(self):
        """Returns the files left behind by earlier sessions, without the locked copies that are offered for
        recovery."""
        names = set(os.listdir(self.copies)) if os.path.isdir(self.copies) else set()
        left = {name for name in names if not name.endswith((".plan", ".plan.lock"))}
        locks = {name for name in names if name.endswith(".plan.lock")}
        free = [name for name in locks if name[: -len(".lock")] not in names]
        if len(free) > 1:  # one lock without a copy belongs to this session, which has no unsaved edits
            left.update(free)
        left.update(name for name in os.listdir(self.plans) if name != "a.plan")
        return left

    def saved(self):
        """Returns the length in the saved plan, 0 if there is none. Raises Wrong for a torn file."""
        if not os.path.exists(self.plan):
            return 0
        with open(self.plan, encoding="utf-8") as file:
            text = file.read()
        try:
            return json.loads(text).get("batch", {}).get("sequence_length", 0)
        except ValueError as error:
            raise Wrong(f"the saved plan is torn: {text[:60]!r} ({error})") from error


def is_held(lock):
    """Whether a running process holds the lock of a copy."""
    try:
        with open(lock, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True


def wait_for_handler(process):
    """Waits until the program handles SIGTERM."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            caught = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt"))
        if caught & 1 << (signal.SIGTERM - 1):
            return
        if time.monotonic() > end:
            raise Wrong("SIGTERM is not handled")
        time.sleep(0.02)


class Editor:
    """A process of the editor."""

    def __init__(self, home, *arguments, **environment):
        self.process = subprocess.Popen(
            [EDITOR, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=home.environment(**environment),
            bufsize=0,
        )
        self.text = b""
        self.ended = False
        self.left = self.wait("left")

    def line(self, seconds=PATIENCE):
        """Returns the next answer; None at the end of the process."""
        line = self.line_until(time.monotonic() + seconds)
        if line is None and not self.ended:
            raise Wrong(f"no answer within {seconds} s")
        return line

    def line_until(self, end):
        """Returns the next answer; None if none arrives in time or the process has ended."""
        while b"\n" not in self.text:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                self.ended = True
                return None
            self.text += piece
        line, self.text = self.text.split(b"\n", 1)
        return line.decode()

    def send(self, command):
        try:
            self.process.stdin.write((command + "\n").encode())
        except BrokenPipeError:
            self.ended = True

    def wait(self, word):
        line = self.line()
        if line is None:
            return None
        if not line.startswith(word):
            raise Wrong(f"{word} was answered by {line!r}")
        return line[len(word) :].strip()

    def do(self, command):
        """Sends a command and waits until it is done; returns False if the process ended instead."""
        self.send(command)
        word = "left" if command in ("recover", "discard") else command.split()[0]
        return not self.ended and self.wait(word) is not None

    def notice(self):
        self.send("state")
        return self.wait("state").endswith("notice on")

    def wait_for_notice(self, wanted, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while self.notice() != wanted:
            if time.monotonic() > end:
                raise Wrong(f"the notice did not {'appear' if wanted else 'disappear'}")
            time.sleep(0.05)

    def end(self, how=signal.SIGKILL):
        """Ends the process and returns its remaining answers."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        answers = []
        while (line := self.line()) is not None:
            answers.append(line)
        self.process.stdin.close()
        self.process.stdout.close()
        return answers

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def offered(editor, home):
    """Returns the length that a start offers to recover; 0 if it offers none."""
    if editor.left in ("none", None):
        return 0
    if editor.left != "offered":
        return int(editor.left)
    newest = max(
        (os.path.join(home.copies, name) for name in os.listdir(home.copies) if name.endswith(".plan")),
        key=os.path.getmtime,
    )
    with open(newest, encoding="utf-8") as file:
        return json.load(file)["document"]["batch"]["sequence_length"]


def check_left(home):
    end = time.monotonic() + PATIENCE
    while home.left_files():  # a window checks folders in the background
        if time.monotonic() > end:
            raise Wrong(f"left behind: {sorted(home.left_files())}")
        time.sleep(0.02)


def kept(home, editor):
    """Returns the newer of the offered and the saved length after a start."""
    check_left(home)
    return max(offered(editor, home), home.saved())


class Chain:
    """A home directory whose sessions are killed one after the other. Each recovers the work of the one before."""

    def __init__(self, folder, seed, *arguments):
        self.home = Home(folder)
        self.random = random.Random(seed)
        self.arguments = arguments
        self.done = FIRST - 1  # the last edit that was confirmed
        self.sent = FIRST - 1
        self.lost = []  # number of edits lost, per kill

    def session(self):
        with Editor(self.home, *self.arguments) as editor:
            self.check(editor)
            if editor.left != "none":
                editor.do("recover")
            rate = self.random.uniform(1, 10)
            end = time.monotonic() + self.random.uniform(0.05, 2.0)
            while time.monotonic() < end:
                self.sent += 1
                editor.send(f"edit {self.sent}")
                if self.random.random() < 0.05:
                    editor.send(f"save {self.home.plan}")
                # A user waits until an edit is visible.
                while self.done < self.sent and self.seen(editor.line_until(end)):
                    pass
                time.sleep(max(0, min(end - time.monotonic(), self.random.uniform(0.7, 1.3) / rate)))
            for line in editor.end():
                self.seen(line)

    def seen(self, line):
        if line is None:
            return False
        if line.startswith("refused"):
            raise Wrong(line)
        if line.startswith("edit"):
            self.done = int(line.split()[1])
        return True

    def check(self, editor):
        if self.sent < FIRST:
            check_left(self.home)
            return
        now = kept(self.home, editor)
        if now == 0 and self.done <= FIRST:
            now = FIRST - 1  # the only edit was lost, which is allowed
        lost = self.done - now
        self.lost.append(max(0, lost))
        if lost > 1 or now > self.sent:
            raise Wrong(f"{lost} edits lost: edit {self.done} was confirmed, edit {now} is recovered")
        self.sent = self.done = max(now, self.done - lost)

    def run(self, kills):
        for _ in range(kills):
            self.session()
        with Editor(self.home, *self.arguments) as editor:
            self.check(editor)
        return self.lost


def random_kills(folder, kills, chains, seed, *arguments):
    parts = [Chain(tempfile.mkdtemp(dir=folder), f"{seed}-{i}", *arguments) for i in range(chains)]
    with ThreadPoolExecutor(chains) as pool:
        lost = [each for part in pool.map(lambda chain: chain.run(kills // chains), parts) for each in part]
    return f"{len(lost)} kills, {lost.count(0)} lost nothing, {lost.count(1)} the last edit, none more"


def write_some(home, editor):
    """Makes a copy, a newer one, a save and another copy while calls kill the process. Returns the last confirmed
    edit."""
    seen = 0
    for length in (FIRST, FIRST + 1):
        if not editor.do(f"edit {length}"):
            return seen
        seen = length
        time.sleep(0.13)  # until the copy is on disk, so that a kill hits the program's own write
    if not editor.do(f"save {home.plan}") or not editor.do(f"edit {FIRST + 2}"):
        return seen
    time.sleep(0.13)
    return FIRST + 2


def kill_at(folder, turn, action, counted):
    """Kills the process at this call; returns False if there are fewer calls."""
    home = Home(tempfile.mkdtemp(dir=folder))
    watched = home.copies if counted == "copies" else home.plans
    died = False
    seen = 0
    with Editor(home, failing=(turn, action, 0, watched)) as editor:
        if editor.left is not None:
            seen = write_some(home, editor)
        try:
            editor.send("state")
            died = editor.ended or editor.wait("state") is None
        except Wrong:
            died = True
        editor.end()
    with Editor(home) as editor:
        now = kept(home, editor) if counted == "copies" else max(offered(editor, home), home.saved())
        if now < seen - 1 and not (now == 0 and seen <= FIRST):
            raise Wrong(f"killed at call {turn} of {counted}: edit {seen} was confirmed, edit {now} is recovered")
        if editor.left != "none":
            editor.do("recover")
        editor.do(f"open {home.plan}" if editor.left == "none" and home.saved() else f"save {home.plan}")
        check_left(home)
        if home.saved() < now:
            raise Wrong(f"edit {now} was recovered, edit {home.saved()} is saved")
    shutil.rmtree(home.path)
    return died


def kills_at_calls(folder, counted, stride):
    kills = 0
    with ThreadPoolExecutor(8) as pool:
        for action in (KILL_BEFORE, KILL_AFTER):
            turn = 1 if stride == 1 else 1 + (action - 1)
            while True:
                turns = range(turn, turn + 8 * stride, stride)
                died = list(pool.map(lambda at, how=action: kill_at(folder, at, how, counted), turns))
                kills += sum(died)
                turn = turns[-1] + stride
                if not all(died):
                    break
    if kills < 8 // stride:
        raise Wrong(f"only {kills} calls were counted")
    return f"{kills} kills"


def ends_by_signals(folder):
    """Tests the program itself, with a plan that is unsaved from the start."""
    ends = []

    def end_by(number):
        home = Home(tempfile.mkdtemp(dir=folder))
        plan = ["preset:smollm-135m", "--set", "batch.sequence_length=4096"]

        def start(*arguments):
            return subprocess.Popen([PROGRAM, *arguments], env=home.environment(), stderr=subprocess.DEVNULL)

        def wait_for(condition, what):
            limit = time.monotonic() + PATIENCE
            while not condition():
                if time.monotonic() > limit:
                    raise Wrong(what)
                time.sleep(0.02)

        def names(ending):
            there = os.listdir(home.copies) if os.path.isdir(home.copies) else []
            return [name for name in there if name.endswith(ending)]

        first = start(*plan)
        wait_for(lambda: names(".plan"), "no recovery copy")
        wait_for_handler(first)
        first.send_signal(number)
        status = first.wait(PATIENCE)
        if status != (-number if number == signal.SIGKILL else 128 + number):
            raise Wrong(f"{signal.Signals(number).name} ended the program with status {status}")
        copies = names(".plan")
        if len(copies) != 1:
            raise Wrong(f"{signal.Signals(number).name} left {copies}")
        with open(os.path.join(home.copies, copies[0]), encoding="utf-8") as file:
            if json.load(file)["document"]["batch"]["sequence_length"] != 4096:
                raise Wrong("the copy is another plan")
        second = start()
        wait_for(lambda: is_held(os.path.join(home.copies, copies[0] + ".lock")), "the next start does not offer it")
        second.send_signal(signal.SIGTERM)
        second.wait(PATIENCE)
        if names(".plan") != copies or names(".lock"):
            raise Wrong(f"after a start without an answer the folder holds {os.listdir(home.copies)}")
        ends.append(signal.Signals(number).name)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(end_by, (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)))
    return ", ".join(sorted(ends))


def cannot_write(home, block, allow, arguments=("--window",), **environment):
    """Tests autosave in a window while the disk becomes unwritable and writable again."""
    with Editor(home, *arguments, **environment) as editor:
        editor.do(f"edit {FIRST}")
        editor.do(f"save {home.plan}")
        editor.do(f"edit {FIRST + 1}")
        time.sleep(0.5)
        if editor.notice():
            raise Wrong("a notice without a reason")
        block()
        editor.do(f"edit {FIRST + 2}")
        editor.wait_for_notice(True)
        editor.send(f"save {home.plan}")
        if not editor.line().startswith("refused"):
            raise Wrong("a save to an unwritable folder succeeded")
        if home.saved() != FIRST:
            raise Wrong(f"edit {FIRST} was saved, but the file has edit {home.saved()}")
        allow()
        editor.wait_for_notice(False)
        editor.end()
    with Editor(home, *arguments, **environment) as editor:
        if kept(home, editor) != FIRST + 2:
            raise Wrong(f"edit {FIRST + 2} was copied, but edit {kept(home, editor)} is recovered")
        block()  # makes the existing copies unwritable too
        editor.do("recover")
        editor.wait_for_notice(True)
        editor.end()
    with Editor(home, *arguments, **environment) as editor:
        if offered(editor, home) != FIRST + 2:
            raise Wrong("a copy that cannot be overwritten is not offered")
    allow()
    with Editor(home, *arguments) as editor:
        if kept(home, editor) != FIRST + 2:
            raise Wrong("a copy that was recovered on a full disk is lost")


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def full_disk(folder):
    """Runs within a separate mount namespace."""
    small = os.path.join(folder, "small")
    os.makedirs(small)
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", small)
    home = Home(small)
    ballast = os.path.join(small, "ballast")

    def fill():
        with open(ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    cannot_write(home, fill, lambda: os.remove(ballast))


def read_only_home(folder):
    """Runs within a separate mount namespace."""
    path = os.path.join(folder, "home")
    os.makedirs(path)

    def block():
        mount("--bind", path, path)  # a bind mount leaves files open for writing writable
        mount("-o", "remount,bind,ro", path)

    cannot_write(Home(path), block, lambda: subprocess.run(["umount", path], check=True))


def failing_home(folder, error):
    """Replaces the mounts where they are not allowed: every write fails while a flag file exists."""
    home = Home(os.path.join(folder, f"failing-{error}"))
    flag = os.path.join(folder, f"failing-{error}.now")

    def block():
        with open(flag, "w", encoding="utf-8"):
            pass

    # Calls are counted from when the flag exists, so that number 1 is the first call after the setup.
    failing = (1, FAIL_ON, error, home.path)
    cannot_write(home, block, lambda: os.remove(flag), ("--window",), failing=failing, FAILING_CALLS_WHILE=flag)


def in_own_mounts(name, folder):
    """Runs one part in a mount namespace; returns None if mounts are not allowed."""
    for unshare in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        probe = [*unshare, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        if subprocess.run(probe, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            done = subprocess.run(
                [*unshare, sys.executable, os.path.abspath(__file__), "--part", name, folder],
                check=False,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode != 0:
                raise Wrong(done.stdout.strip())
            return "in a separate mount namespace"
    return None


def on_disk(name, folder, error):
    said = in_own_mounts(name, tempfile.mkdtemp(dir=folder))
    if said is None:
        failing_home(folder, error)
        said = "MOUNTS ARE NOT ALLOWED HERE: simulated by failing calls"
    return said


def limited_file_size(folder):
    """A write beyond the file size limit is an error and does not raise SIGXFSZ."""
    home = Home(tempfile.mkdtemp(dir=folder))
    limited = f"ulimit -f 0; exec {PROGRAM} preset:smollm-135m --set batch.sequence_length=4096"
    process = subprocess.Popen(["bash", "-c", limited], env=home.environment(), stderr=subprocess.DEVNULL)
    wait_for_handler(process)
    time.sleep(0.5)
    if process.poll() is not None:
        raise Wrong(f"the program exited by itself with status {process.returncode}")
    process.send_signal(signal.SIGTERM)
    if process.wait(PATIENCE) != 128 + signal.SIGTERM:
        raise Wrong(f"SIGTERM ended the program with status {process.returncode}")
    return "reported, without a crash"


PARTS = {"full disk": full_disk, "read-only home": read_only_home}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="1,000 kills at random times, and at every call")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--folder", help="where the homes are made")
    parser.add_argument("--part", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        try:
            PARTS[options.part[0]](options.part[1])
        except Wrong as wrong:
            sys.exit(str(wrong))
        return 0
    # A memory file system is preferred: on a busy disk, a write may take as long as the interval between edits.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="meshwright-lost-work-", dir=options.folder or memory)
    kills, windows, stride = (900, 100, 1) if options.long else (24, 4, 5)
    tasks = {
        "killed at random": lambda: random_kills(folder, kills, 12, options.seed),
        "windows killed at random": lambda: random_kills(folder, windows, 4, options.seed, "--window"),
        "killed at calls on recovery copies": lambda: kills_at_calls(folder, "copies", stride),
        "killed at calls on a saved plan": lambda: kills_at_calls(folder, "plans", min(stride, 2)),
        "ended by signals": lambda: ends_by_signals(folder),
        "full disk": lambda: on_disk("full disk", folder, ENOSPC),
        "read-only home": lambda: on_disk("read-only home", folder, EROFS),
        "limit of a file's size": lambda: limited_file_size(folder),
    }
    failed = False
    begin = time.monotonic()
    with ThreadPoolExecutor(len(tasks) if not options.long else 1) as pool:
        futures = {name: pool.submit(task) for name, task in tasks.items()}
        for name, future in futures.items():
            try:
                print(f"{name}: {future.result()}", flush=True)
            except (Wrong, subprocess.TimeoutExpired) as wrong:
                failed = True
                print(f"{name}: WRONG: {wrong}", flush=True)
    print(f"{time.monotonic() - begin:.0f} s")
    if failed:
        print(f"kept for a look: {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
