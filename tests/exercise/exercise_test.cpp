// SPDX-License-Identifier: GPL-3.0-or-later
#include "exercise/exercise_process.h"
#include "input/files.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

namespace meshwright {

namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

ProgramOutcome run(const std::string &program, const std::vector<std::vector<double>> &cases = {{2, 3}}) {
    return run_in_process_of(MESHWRIGHT_PROGRAM, {.program = program, .function = "f", .cases = cases});
}
ProgramOutcome run_body(const std::string &body) {
    return run("function f(a, b) {\n" + body + "\n}\n");
}
std::string problem_of(const std::string &body) {
    return run_body(body).problem;
}
/// Value of f(2, 3); NaN if there is a problem.
double value_of(const std::string &body) {
    const ProgramOutcome outcome = run_body(body);
    EXPECT_EQ(outcome.problem, "") << body;
    return outcome.values.size() == 1 ? outcome.values[0] : std::nan("");
}
template <typename Work>
double seconds_of(const Work &work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return Seconds(std::chrono::steady_clock::now() - begin).count();
}

constexpr auto too_much_memory = "took more than 64 MB of memory";
constexpr auto too_long = "took longer than 2 s";
constexpr auto too_deep = "exceeds the limit on recursion or nesting depth";

/// A program in the place of meshwright that returns arbitrary output.
class Impostor {
public:
    explicit Impostor(const std::string &script)
        : m_path(fs::temp_directory_path() / ("meshwright-impostor-" + std::to_string(::getpid()))) {
        std::ofstream(m_path) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(m_path, fs::perms::owner_all);
    }
    ~Impostor() { fs::remove(m_path); }
    Impostor(const Impostor &) = delete;
    Impostor &operator=(const Impostor &) = delete;

    ProgramOutcome run(const ProgramCall &call = {.program = "", .function = "f", .cases = {{1}, {2}}}) const {
        return run_in_process_of(m_path, call);
    }

private:
    fs::path m_path;
};

} // namespace

TEST(Exercise, CallsTheFunctionForEachCase) {
    const ProgramOutcome outcome = run("const f = (a, b) => a ** b;", {{2, 3}, {0.1, 1}, {2, 0.5}, {3, -1}});
    EXPECT_EQ(outcome.problem, "");
    EXPECT_EQ(outcome.values, (std::vector<double>{8, 0.1, std::sqrt(2.0), 1.0 / 3}));
    EXPECT_EQ(run("function f() { return 5; }", {{}}).values, std::vector<double>{5});
    EXPECT_EQ(run("let n = 0; function f() { return ++n; }", std::vector<std::vector<double>>(1000)).values.back(),
              1000);
}

TEST(Exercise, TakesAndReturnsWhatJsonHasNoWordFor) {
    const double infinite = std::numeric_limits<double>::infinity();
    const std::vector<double> values =
        run("function f(a) { return a; }",
            {{std::nan("")}, {infinite}, {-infinite}, {5e-324}, {1.7976931348623157e308}})
            .values;
    ASSERT_EQ(values.size(), 5);
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_EQ(values[1], infinite);
    EXPECT_EQ(values[2], -infinite);
    EXPECT_EQ(values[3], 5e-324);
    EXPECT_EQ(values[4], 1.7976931348623157e308);
}

TEST(Exercise, NamesTheLineOfAMistake) {
    EXPECT_EQ(run("function f(a) {\n    return a +;\n}").problem.find("line 2: SyntaxError"), 0);
    EXPECT_EQ(run("function f(a) {\n\n    return a").problem.find("line 3: SyntaxError"), 0);
    EXPECT_EQ(problem_of("return a\n  + c;"), "line 3: ReferenceError: c is not defined");
    EXPECT_EQ(problem_of("throw new Error('no\\nluck')"), "line 2: Error: no luck");
    EXPECT_EQ(run("function f(a) {\r\n    return a + c;\r}").problem, "line 2: ReferenceError: c is not defined");
    EXPECT_EQ(run("\r\r\r").problem, "the program defines no function f");
    EXPECT_EQ(run("\"").problem.find("line 1: SyntaxError"), 0);
    EXPECT_EQ(run("\xff\xfe").problem.find("line 1: SyntaxError"), 0);
}

TEST(Exercise, SaysWhatIsNoNumber) {
    EXPECT_EQ(problem_of("return '5'"), "f returned a string; expected a number");
    EXPECT_EQ(problem_of("a + b"), "f returned undefined; expected a number");
    EXPECT_EQ(problem_of("return null"), "f returned null; expected a number");
    EXPECT_EQ(problem_of("return a < b"), "f returned true; expected a number");
    EXPECT_EQ(problem_of("return [a]"), "f returned an array; expected a number");
    EXPECT_EQ(problem_of("return f"), "f returned a function; expected a number");
    for (const char *object : {"new Promise(() => {})", "new Number(5)", "{valueOf() { return 5 }}", "Symbol('x')"})
        EXPECT_EQ(problem_of(std::string("return ") + object), "f returned an object; expected a number");
    EXPECT_EQ(problem_of("return 10n").find("line 2: SyntaxError"), 0);
}

TEST(Exercise, SaysWhatWasThrown) {
    EXPECT_EQ(problem_of("throw 5"), "exception: 5");
    EXPECT_EQ(run("throw 5").problem, "exception: 5");
    EXPECT_NE(problem_of("throw {toString() { throw 3 }}"), "");
    EXPECT_EQ(problem_of("throw 'x'.repeat(1e6)").find("exception: xxx"), 0);
    EXPECT_LT(problem_of("throw 'x'.repeat(1e6)").size(), 500);
}

TEST(Exercise, MissesTheFunction) {
    EXPECT_EQ(run("").problem, "the program defines no function f");
    EXPECT_EQ(run("function g() { return 1; }").problem, "the program defines no function f");
    EXPECT_EQ(run("const f = 5;").problem, "f is not a function");
    EXPECT_NE(run_in_process_of(MESHWRIGHT_PROGRAM, {.program = "", .function = "f;1", .cases = {}}).problem, "");
}

TEST(Exercise, KeepsTheValuesBeforeAProblem) {
    const ProgramOutcome outcome = run("function f(n) { if (n > 2) throw 1; return n; }", {{1}, {2}, {3}, {4}});
    EXPECT_EQ(outcome.values, (std::vector<double>{1, 2}));
    EXPECT_EQ(outcome.problem, "exception: 1");
}

TEST(Exercise, HasNoFilesAndNoNetwork) {
    for (const char *name :
         {"XMLHttpRequest", "fetch", "WebSocket", "Qt", "require", "process", "console", "print", "load", "open",
          "setTimeout", "Worker", "WebAssembly", "module", "exports", "window", "gc"})
        EXPECT_EQ(value_of(std::string("return typeof ") + name + " === 'undefined' ? 1 : 0"), 1) << name;
    for (const char *text : {"import('/etc/passwd')", "Qt.include('/etc/passwd')", "require('fs')",
                             "new XMLHttpRequest().open('GET', 'file:///etc/passwd')", "eval('import(\"x\")')",
                             "new Function('return require(\"net\")')()"})
        EXPECT_TRUE(problem_of(std::string("return ") + text).find("Error") != std::string::npos) << text;
    EXPECT_EQ(run("import fs from '/etc/passwd';\nfunction f() { return 1; }").problem.find("line 1: SyntaxError"), 0);
    // Lists every global name of the language; none may come from Qt.
    EXPECT_EQ(value_of("return Object.getOwnPropertyNames((function () { return this })())"
                       ".filter(name => /qt|file|http|socket|import|sys/i.test(name)).length"),
              0);
}

TEST(Exercise, IsConfinedWhileItRuns) {
    ProgramOutcome outcome;
    std::string status;
    std::string limits;
    std::thread running([&] { outcome = run_body("while (true);"); });
    const auto confined = [&] {
        for (const fs::directory_entry &task : fs::directory_iterator("/proc/self/task")) {
            int child = 0;
            std::istringstream children(read_file(task.path() / "children"));
            if (children >> child) {
                const fs::path process = "/proc/" + std::to_string(child);
                status = read_file(process / "status");
                limits = read_file(process / "limits");
            }
        }
        return status.find("Seccomp:\t2") != std::string::npos;
    };
    for (int i = 0; i < 500 && !confined(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    running.join();
    EXPECT_NE(status.find("NoNewPrivs:\t1"), std::string::npos);
    EXPECT_NE(status.find("Seccomp:\t2"), std::string::npos);
    EXPECT_NE(status.find("Threads:\t1\n"), std::string::npos);
    for (const char *zero : {"Max open files", "Max core file size", "Max file size", "Max processes"})
        EXPECT_EQ(limits.substr(limits.find(zero) + 26).find("0 "), 0) << zero;
    EXPECT_EQ(outcome.problem, too_long);
}

TEST(Exercise, EndsAfterTwoSeconds) {
    ProgramOutcome outcome;
    const double seconds = seconds_of([&] {
        outcome = run("function f(n) { while (n > 2); return n; }", {{1}, {2}, {3}, {4}});
    });
    EXPECT_EQ(outcome.values, (std::vector<double>{1, 2}));
    EXPECT_EQ(outcome.problem, too_long);
    EXPECT_GE(seconds, 2);
    EXPECT_LT(seconds, 10); // includes the start on a busy machine
    EXPECT_EQ(run("while (true);").problem, too_long);
    EXPECT_EQ(run("function f() { throw {toString() { while (true); }} }").problem, too_long);
    EXPECT_EQ(problem_of("const x = new Map(); for (let i = 0;; i = (i + 1) % 1000) x.set(i, i);"), too_long);
}

TEST(Exercise, TakesAtMost64MegabytesMore) {
    const auto peak = [] {
        rusage all{};
        ::getrusage(RUSAGE_CHILDREN, &all);
        return static_cast<double>(all.ru_maxrss) / 1024; // MiB, of the largest child process so far
    };
    EXPECT_EQ(value_of("return a + b"), 5);
    const double engine = peak();
    for (const char *hungry : {"let s = 'x'; while (true) s += s;", "const s = []; while (true) s.push(1.5);",
                               "const s = []; while (true) s.push({a: 1});", "return 'x'.repeat(2 ** 28).length",
                               "return new Array(1e9).fill(0).length", "return [...'x'.repeat(3e7)].length",
                               "let s = 'ab'; while (true) s = s.split('').join('--');",
                               "let s = ''; while (true) s += JSON.stringify([s]);",
                               "const s = []; while (true) s.push('x'.repeat(1e6) + s.length);",
                               "const s = []; while (true) s.push(new Float64Array(1e4));"})
        EXPECT_TRUE(problem_of(hungry) == too_much_memory
                    || problem_of(hungry).find("out of memory") != std::string::npos)
            << hungry << ": " << problem_of(hungry);
    EXPECT_LE(peak(), engine + 64); // the limit counts the code pages of the engine too
    for (const char *huge : {"return new Float64Array(1e8).length", "return new ArrayBuffer(2 ** 31 - 1).byteLength"})
        EXPECT_NE(problem_of(huge).find("out of memory"), std::string::npos) << huge;
}

TEST(Exercise, LeavesRoomForRealPrograms) {
    EXPECT_EQ(value_of("return new Float64Array(5e6).fill(1).length"), 5e6); // an array of 40 MB
    EXPECT_EQ(value_of("return new Array(1e9).length"), 1e9); // a sparse array needs no memory
    EXPECT_EQ(value_of("let s = 0; for (let i = 0; i < 1e5; ++i) { const o = [i, 's' + i]; s += o.length; } return s"),
              2e5);
}

TEST(Exercise, EndsWhereItIsTooDeep) {
    EXPECT_NE(problem_of("return f(a, b) + 1").find("RangeError"), std::string::npos);
    EXPECT_NE(problem_of("const o = {toString() { return '' + o }}; return '' + o").find("RangeError"),
              std::string::npos);
    EXPECT_NE(problem_of("return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))"), "");
    EXPECT_EQ(problem_of("return new RegExp('('.repeat(5e4) + ')'.repeat(5e4)).test('') ? 1 : 0"), too_deep);
    EXPECT_NE(problem_of("return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)).length"), "");
    EXPECT_NE(problem_of("let x = []; for (let i = 0; i < 3e5; ++i) x = [x]; return ('' + x).length"), "");
}

TEST(Exercise, IsNotFooledByRedefinitions) {
    const std::string hostile =
        "Object.defineProperty(Object.prototype, 'value', {set() { throw 1 }, get() { return 7 }});"
        "Object.prototype.thrown = 5; Function.prototype.call = null;"
        "Array.prototype[Symbol.iterator] = null; Number.prototype.toString = null;"
        "Number.prototype.valueOf = () => 9; Object = Number = Math = undefined;";
    EXPECT_EQ(run(hostile + "function f(a, b) { return a + b; }").values, std::vector<double>{5});
    EXPECT_EQ(run(hostile + "function f(a, b) { }").problem, "f returned undefined; expected a number");
    EXPECT_NE(run("Object.defineProperty(this, 'f', {get() { throw 7 }});").problem, "");
    EXPECT_EQ(run("Object.defineProperty(this, 'f', {get() { return () => 3 }});").values, std::vector<double>{3});
    EXPECT_EQ(run("Error.prototype.toString = () => { throw 1 }; function f() { throw new Error('x') }").values.size(),
              0);
}

TEST(Exercise, RefusesWhatIsTooLarge) {
    EXPECT_NE(run(std::string(largest_program_bytes + 1, ' ')).problem.find("64 KiB"), std::string::npos);
    EXPECT_EQ(run("function f() { return 1; }" + std::string(60'000, ' ')).values, std::vector<double>{1});
    EXPECT_NE(run("", std::vector<std::vector<double>>(1001)).problem.find("1000"), std::string::npos);
    EXPECT_NE(run("", {std::vector<double>(101)}).problem.find("100"), std::string::npos);
    EXPECT_EQ(run("function f() { return arguments.length; }", {std::vector<double>(100)}).values,
              std::vector<double>{100});
}

TEST(Exercise, AnswersAtOnce) {
    double least = 1000;
    for (int i = 0; i < 10; ++i)
        least = std::min(least, seconds_of([] { EXPECT_EQ(value_of("return a * b"), 6); }));
    EXPECT_LT(least, 0.15);
}

TEST(Exercise, RunsInSeveralThreads) {
    std::vector<std::thread> threads;
    std::vector<double> values(8);
    for (std::size_t i = 0; i < values.size(); ++i)
        threads.emplace_back(
            [&values, i] { values[i] = run("function f(n) { return 2 * n; }", {{double(i)}}).values.at(0); });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(values, (std::vector<double>{0, 2, 4, 6, 8, 10, 12, 14}));
}

TEST(Exercise, LeavesNothingBehind) {
    const auto open_files = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = open_files();
    value_of("return 1");
    run("while (true);");
    run_in_process_of("/etc/passwd", {});
    EXPECT_EQ(open_files(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1); // no child process remains, running or zombie
}

TEST(Exercise, SurvivesAnyAnswer) {
    EXPECT_EQ(Impostor("echo '\"ready\"'; echo 1; echo 2; echo '{\"problem\": \"\"}'").run().values,
              (std::vector<double>{1, 2}));
    for (const char *script :
         {"exit 0", "exit 3", "kill -9 $$", "echo", "echo ready", "echo 1", "printf '\"ready\"'", "cat",
          "echo '\"ready\"'; echo 1; echo 2; echo 3", "echo '\"ready\"'; echo '{\"problem\": 5}'",
          "echo '\"ready\"'; echo '{\"problem\": \"\"}'", "echo '\"ready\"'; yes 1", "yes '\"ready\"'",
          "echo '\"ready\"'; head -c 5000000 /dev/zero | tr '\\0' '['", "echo '\"ready\"'; exec >&-; sleep 60"}) {
        const ProgramOutcome outcome = Impostor(script).run();
        EXPECT_NE(outcome.problem, "") << script;
        EXPECT_EQ(outcome.problem.find('\n'), std::string::npos) << script;
        EXPECT_LE(outcome.values.size(), 2) << script;
    }
    EXPECT_EQ(Impostor("echo '\"ready\"'; sleep 60").run().problem, too_long);
    EXPECT_EQ(Impostor("echo '\"ready\"'; printf '%s\\n' '{\"problem\": \"a\\nb\"}'").run().problem, "a b");
    // Writing a request to a closed pipe must not end the caller.
    const ProgramCall large{
        .program = std::string(60'000, ' '), .function = "f", .cases = std::vector(1000, std::vector<double>(50, 0.1))};
    EXPECT_NE(Impostor("exit 0").run(large).problem, "");
}

TEST(Exercise, FindsTheProgramNextToItself) {
    EXPECT_EQ(meshwrightOf("/usr/bin/meshwright"), "/proc/self/exe");
    EXPECT_EQ(meshwrightOf("/usr/bin/meshwright (deleted)"), "/proc/self/exe");
    EXPECT_EQ(meshwrightOf("/usr/bin/meshwright-cli"), "/usr/bin/meshwright");
    // There is no program file next to these tests.
    EXPECT_EQ(run_in_process({}).problem.find("exercise programs need the desktop program; expected it at /"), 0);
}

} // namespace meshwright
