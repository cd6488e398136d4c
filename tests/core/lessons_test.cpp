// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "lessons/bug_hunt.h"
#include "lessons/judgement.h"
#include "lessons/lesson_reading.h"
#include "lessons/lesson_trial.h"
#include "lessons/lessons.h"
#include "lessons/number_answer.h"
#include "small_lesson.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace meshwright {
namespace {

using testing::problem_with;
using testing::small_lesson;

const Library &lesson_library() {
    return Library::standard();
}

/// Tests the questions of the small lesson.
class SmallLesson : public ::testing::Test {
protected:
    Question ask_step(const std::string &step, std::uint64_t seed = 1) {
        return ask(*m_lesson.find(step), seed, m_engine);
    }
    Judgement judged(const Question &question, const std::string &answer, const ProgramRunner &run = {}) {
        return judge(question, answer, m_engine, run);
    }

    Lesson m_lesson = lesson_of_text(small_lesson, "ring", lesson_library());
    LessonEngine m_engine{m_lesson, lesson_library()};
};

TEST_F(SmallLesson, KeepsTextsAndNotesApart) {
    ASSERT_EQ(m_lesson.steps.size(), 10U);
    EXPECT_EQ(m_lesson.id, "ring");
    EXPECT_EQ(m_lesson.steps[0].kind, StepKind::text);
    EXPECT_EQ(m_lesson.steps[0].text, "A text with a block of its own:\n\n```\nnot a question\n```");
    EXPECT_EQ(m_lesson.steps[0].notes, "Ask first.");
    EXPECT_EQ(m_lesson.first_question(), m_lesson.find("bytes"));
}

TEST_F(SmallLesson, ASeedGivesTheSameQuestionAndOthersOthers) {
    EXPECT_EQ(ask_step("bytes", 3).text, ask_step("bytes", 3).text);
    std::set<std::string> texts;
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        texts.insert(ask_step("bytes", seed).text);
    EXPECT_EQ(texts.size(), 4U) << "two numbers of ranks and two of bytes must give four texts";
}

TEST_F(SmallLesson, TheFormulaAnswersANumber) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Question question = ask_step("bytes", seed);
        const double ranks = question.numbers.find("ranks")->second, bytes = question.numbers.find("bytes")->second;
        const double right = 2 * (ranks - 1) / ranks * bytes;
        EXPECT_TRUE(judged(question, fmt::format("{}", right / 1e9)).correct)
            << "an answer in the question's unit must be correct";
        EXPECT_TRUE(judged(question, fmt::format("{} GB", right / 1e9)).correct);
        EXPECT_TRUE(judged(question, fmt::format("{} Gb", right / 1e9 * 8)).correct) << "in bits";
        EXPECT_TRUE(judged(question, fmt::format("{} GiB", right / 0x1p30)).correct);
        EXPECT_TRUE(judged(question, fmt::format("{}", right / 1e9 * 1.009)).correct) << "within 1%";
        EXPECT_FALSE(judged(question, fmt::format("{}", right / 1e9 * 1.02)).correct);
        EXPECT_DOUBLE_EQ(expected_answer(question, m_engine).get<double>(), right / 1e9);
        const Derivation derivation = derivation_of(question, m_engine);
        EXPECT_EQ(derivation.calculator, "ring-all-reduce");
        EXPECT_DOUBLE_EQ(derivation.value, right);
    }
}

TEST(LessonDerivation, ShowsNumbersInTheUnitsThatTheyHave) {
    const std::shared_ptr<const Lesson> lesson = Lessons::standard().find("llama-3-405b");
    LessonEngine engine(*lesson, lesson_library());
    const Question bill = ask(*lesson->find("power"), 1, engine);
    const auto days = std::find_if(bill.symbols.begin(), bill.symbols.end(),
                                   [](const AskedSymbol &symbol) { return symbol.name == "days"; });
    ASSERT_NE(days, bill.symbols.end());
    const std::string number = days->text.substr(0, days->text.find(' '));
    EXPECT_NE(derivation_of(bill, engine).substituted().find(fmt::format("* {} * 86400", number)), std::string::npos)
        << derivation_of(bill, engine).substituted();
    const Question time = ask(*lesson->find("days"), 1, engine);
    EXPECT_DOUBLE_EQ(derivation_of(time, engine).value, time.numbers.find("answer")->second);
}

TEST_F(SmallLesson, AWrongNumberGetsTheHintOfItsSlip) {
    const Question question = ask_step("bytes");
    const double right = question.numbers.find("answer")->second / 1e9;
    const double ranks = question.numbers.find("ranks")->second;
    EXPECT_EQ(judged(question, fmt::format("{}", right / 2)).hint,
              fmt::format("That is one phase of {} ranks.", ranks));
    EXPECT_EQ(judged(question, fmt::format("{}", right * 8)).slip, "bits for bytes");
    EXPECT_EQ(judged(question, fmt::format("{}", right * 2)).slip, "factor of 2");
    EXPECT_EQ(judged(question, fmt::format("{}", right * 0x1p30 / 1e9)).slip, "GiB for GB");
    EXPECT_EQ(judged(question, fmt::format("{}", right * 1e3)).slip, "prefix");
    const double bytes = question.numbers.find("bytes")->second / 1e9;
    EXPECT_EQ(judged(question, fmt::format("{}", 2 * (ranks - 2) / (ranks - 1) * bytes)).slip, "ranks - 1 for ranks");
    EXPECT_EQ(judged(question, "17.3").hint, "That is too large. Count the phases.");
    for (const char *const nonsense : {"", "many", "12 parsecs", "NaN", "1e999", "{\"a\": 1}"}) {
        EXPECT_FALSE(judged(question, nonsense).correct) << nonsense;
        EXPECT_FALSE(judged(question, nonsense).hint.empty()) << nonsense;
    }
}

TEST_F(SmallLesson, OptionsAreChosenByLetterOrText) {
    const Question question = ask_step("longer");
    const std::string right = expected_answer(question, m_engine).get<std::string>();
    EXPECT_TRUE(judged(question, right).correct);
    EXPECT_TRUE(judged(question, "64 ranks").correct);
    EXPECT_EQ(judged(question, "two ranks").hint, "Two ranks send one half twice.");
    EXPECT_EQ(judged(question, "Z").hint, "There is no such option; expected A or B.");
}

TEST_F(SmallLesson, OrdersAreLettersInAnyForm) {
    const Question question = ask_step("order");
    const std::string right = expected_answer(question, m_engine).get<std::string>();
    ASSERT_EQ(right.size(), 5U);
    const std::string together{right[0], right[2], right[4]};
    for (const std::string &form : {right, together, fmt::format("{}, {}, {}", right[0], right[2], right[4]),
                                    fmt::format("{} < {} < {}", right[0], right[2], right[4])})
        EXPECT_TRUE(judged(question, form).correct) << form;
    const std::string wrong{right[0], right[4], right[2]};
    EXPECT_NE(judged(question, wrong).hint.find("The first is right"), std::string::npos);
    for (const char *const nonsense : {"A", "A A B", "A B C D", "none"})
        EXPECT_FALSE(judged(question, nonsense).correct) << nonsense;
}

TEST_F(SmallLesson, ABugIsALineAndItsCorrection) {
    const Question question = ask_step("bug");
    const std::string right = expected_answer(question, m_engine).get<std::string>();
    EXPECT_EQ(right.substr(0, 2), "2 ");
    EXPECT_TRUE(judged(question, right).correct);
    EXPECT_TRUE(judged(question, "line " + right).correct);
    EXPECT_NE(judged(question, "2").hint.find("That is the wrong line"), std::string::npos);
    EXPECT_FALSE(judged(question, "1 " + right.substr(2)).correct);
    EXPECT_FALSE(judged(question, "3").correct);
    EXPECT_TRUE(agrees_with_engine(*question.step, program_with(*question.step, 1), question.numbers));
    EXPECT_FALSE(agrees_with_engine(*question.step, question.step->program, question.numbers));
}

TEST_F(SmallLesson, AProgramIsTriedOnDrawnCases) {
    const Question question = ask_step("code");
    const auto runs = [](double (*function)(double, double)) {
        return [function](const ProgramCall &call) {
            ProgramOutcome outcome;
            for (const std::vector<double> &arguments : call.cases)
                outcome.values.push_back(function(arguments[0], arguments[1]));
            return outcome;
        };
    };
    EXPECT_TRUE(judged(question, "", runs([](double n, double m) { return 2 * (n - 1) / n * m; })).correct);
    const Judgement wrong = judged(question, "", runs([](double, double m) { return 2 * m; }));
    EXPECT_FALSE(wrong.correct);
    EXPECT_TRUE(wrong.hint.starts_with("sent(")) << wrong.hint;
    const Judgement failed = judged(question, "", [](const ProgramCall &) {
        return ProgramOutcome{.values = {}, .problem = "line 1: syntax error"};
    });
    EXPECT_EQ(failed.hint, "line 1: syntax error");
    EXPECT_NE(expected_answer(question, m_engine).get<std::string>().find("function sent(ranks, bytes)"),
              std::string::npos);
}

TEST_F(SmallLesson, ADesignIsSolvedByTheEngine) {
    const Question question = ask_step("design");
    const std::string right = expected_answer(question, m_engine).get<std::string>();
    EXPECT_TRUE(judged(question, right).correct) << right;
    for (const char *const nonsense :
         {"", "fit", "parallelism.tensor=2", "batch.micro_sequences=0", "batch.micro_sequences=many"}) {
        EXPECT_FALSE(judged(question, nonsense).correct) << nonsense;
        EXPECT_FALSE(judged(question, nonsense).hint.empty()) << nonsense;
    }
}

TEST_F(SmallLesson, ItsQuestionsCanBeAnswered) {
    EXPECT_TRUE(try_questions(m_lesson, lesson_library(), 50).empty());
}

TEST(LessonFile, ProblemsNameTheLine) {
    EXPECT_EQ(problem_with("Ask first", "Ask last"), "");
    const std::map<std::string, std::pair<std::string, std::string>> faults{
        {"line 22: unknown formula",
         {"formula: ring-all-reduce\nresult: bytes_per_rank\ndraw:\n  ranks",
          "formula: rings\nresult: bytes_per_rank\ndraw:\n  ranks"}},
        {"line 25: ranks cannot be \"four\"", {"ranks: [4, 8]", "ranks: [four]"}},
        {"line 31: \"answer / x\" cannot be calculated", {"value: answer / 2", "value: answer / x"}},
        {"the block is not closed by ```", {"50e9}\n```", "50e9}"}},
        {"two steps have the same id \"what\"", {"{#bytes}", "{#what}"}},
        {"/plan: line 3", {"plan: pretrain-8b", "plan: pretrain-9b"}},
        {"line 52: unknown field; did you mean question",
         {"question: Fastest first", "question: Fastest first\nquestions: 3"}},
    };
    for (const auto &[expected, change] : faults)
        EXPECT_NE(problem_with(change.first, change.second).find(expected), std::string::npos)
            << expected << "\n"
            << problem_with(change.first, change.second);
}

TEST(LessonFile, AnswersAreNeverTypedIn) {
    EXPECT_NE(
        problem_with("unit: GB\nhints", "answer: 2 * bytes\nunit: GB\nhints").find("does not use any engine value"),
        std::string::npos);
    EXPECT_NE(problem_with("value: many}", "value: few}").find("leads to a single answer"), std::string::npos)
        << "two options with the same value must be rejected";
    EXPECT_NE(problem_with("steps = 2 * ranks", "steps = 2 * (ranks - 1)").find("leads to a single answer"),
              std::string::npos)
        << "a program without a bug must be rejected";
    EXPECT_NE(problem_with("figure: verdict.fits, is: true", "figure: step.mfu, at_least: 1")
                  .find("no combination of its values meets"),
              std::string::npos);
}

RC_GTEST_PROP(LessonFile, AnyTextIsReadOrRefused, ()) {
    std::string text(small_lesson);
    const int changes = *rc::gen::inRange(1, 6);
    for (int i = 0; i < changes; ++i) {
        const std::size_t place = *rc::gen::inRange<std::size_t>(0, text.size());
        const std::size_t length = *rc::gen::inRange<std::size_t>(0, 40);
        text.replace(place, length,
                     *rc::gen::element<std::string>("", "\n", "```\n", "{", "}", ": ", "- ", "1e9", "---\n", "\"",
                                                    "answer", "\xff"));
    }
    try {
        const Lesson lesson = lesson_of_text(text, "ring", lesson_library());
        RC_ASSERT(!lesson.steps.empty());
    } catch (const InputError &error) {
        RC_ASSERT(!error.diagnostics().front().message.empty());
    }
}

/// Reads all built-in lessons.
TEST(Course, AllLessonsAreRead) {
    const Lessons &lessons = Lessons::standard();
    for (const InvalidLesson &invalid : lessons.invalid())
        ADD_FAILURE() << invalid.problem;
    std::size_t steps = 0, questions = 0;
    std::map<StepKind, std::size_t> kinds;
    for (const std::shared_ptr<const Lesson> &lesson : lessons.all()) {
        steps += lesson->steps.size();
        EXPECT_FALSE(lesson->summary.empty()) << lesson->id;
        for (const LessonStep &step : lesson->steps) {
            questions += is_question(step.kind) ? 1 : 0;
            ++kinds[step.kind];
            EXPECT_TRUE(!step.text.empty() || !step.question.empty() || step.figure) << lesson->id << " " << step.id;
        }
    }
    EXPECT_GE(lessons.all().size(), 15U);
    EXPECT_GE(steps, 150U);
    EXPECT_GE(questions, 100U);
    EXPECT_EQ(kinds.size(), step_kind_names().size()) << "the lessons must use every kind of step";
}

class EveryLesson : public ::testing::TestWithParam<std::string> { };

TEST_P(EveryLesson, HasQuestionsThatTheEngineAnswers) {
    constexpr std::uint64_t draws = 1000;
    const std::shared_ptr<const Lesson> lesson = Lessons::standard().find(GetParam());
    for (const Diagnostic &problem : try_questions(*lesson, lesson_library(), draws))
        ADD_FAILURE() << problem.message.text;
}

std::vector<std::string> lesson_ids() {
    std::vector<std::string> ids;
    for (const std::shared_ptr<const Lesson> &lesson : Lessons::standard().all())
        ids.push_back(lesson->id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Course, EveryLesson, ::testing::ValuesIn(lesson_ids()), [](const auto &param) {
    std::string name = param.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace meshwright
