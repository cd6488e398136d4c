// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "lessons/design_answer.h"
#include "lessons/figure_trial.h"
#include "lessons/judgement.h"
#include "lessons/lesson_document.h"
#include "lessons/lesson_reading.h"
#include "lessons/lesson_trial.h"
#include "lessons/lessons.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace meshwright {
namespace {

constexpr std::string_view lesson_with_figures = R"(---
title: Figures
plan: pretrain-8b
---

## A card {#card}

```discussion
values:
  mfu: {figure: step.mfu}
  other: {figure: step.mfu, set: {plan: smollm-135m}}
  peak: {figure: memory.peak_bytes}
  fits: {figure: verdict.fits}
  sent: {formula: ring-all-reduce, result: bytes_per_rank, with: {ranks: 4, bytes: 2e9}}
```

It reaches {mfu}, another {other}; the peak is {peak}. Does it fit? {fits}. A ring sends {sent}. {nothing}

## Memory {#memory}

```figure
kind: memory
turn:
  batch.micro_sequences: [1, 2]
  recompute.mode: [none, full]
```

```number
question: "{first}, {second} and again {first} tokens. Which share is misplaced?"
draw:
  first: [100, 300]
  second: [500, 700]
formula: accumulation-weights
result: misplaced_share
with: {microbatch_tokens: [first, second, first]}
hints:
  - Count the tokens.
  - {text: Look at the activations., marks: activations}
```

## Design {#design}

```design
question: Make it fit.
start: {batch.micro_sequences: 4}
fields:
  batch.micro_sequences: [1, 2, 4]
goals:
  - {text: It fits, figure: verdict.fits, is: true}
  - {text: Fast, figure: step.mfu, at_least: 0.2, at_most: 0.9}
```

## Curve {#curve}

```figure
kind: curve
formula: ring-all-reduce
result: seconds
over: ranks
with: {ranks: 8, bytes: 1e9, bandwidth: 50e9}
```
)";

/// What is wrong with the lesson once a text in it is replaced, in one line.
std::string problem_with(const std::string &from, const std::string &to) {
    std::string text(lesson_with_figures);
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
    const LessonDocument document = lesson_document(text);
    LessonReading reading = read_lesson(document, "own", Library::standard());
    if (reading.problems.empty())
        reading.problems = document.with_lines(try_figures(reading.lesson, Library::standard()));
    if (reading.problems.empty())
        reading.problems = document.with_lines(try_questions(reading.lesson, Library::standard(), 5));
    return reading.problems.empty() ? std::string() : one_line("own.md", reading.problems);
}

class FiguresOfALesson : public ::testing::Test {
protected:
    Question asked(const std::string &step, std::uint64_t seed = 1) {
        return ask(*m_lesson.find(step), seed, m_engine);
    }
    double figure(const std::string &path, const std::vector<FieldSetting> &settings = {}) {
        return m_engine.figure_of(*m_engine.result_with(settings, {}), path).value;
    }

    Lesson m_lesson = lesson_of_text(lesson_with_figures, "own", Library::standard());
    LessonEngine m_engine{m_lesson, Library::standard()};
};

TEST_F(FiguresOfALesson, StandInTextsWithTheirUnits) {
    const Question card = asked("card");
    const double other = figure("step.mfu", {{.field = "plan", .value = "smollm-135m", .expression = {}}});
    ASSERT_NE(text_of(figure("step.mfu"), Quantity::share), text_of(other, Quantity::share));
    EXPECT_EQ(
        filled_in(card.step->text, card),
        fmt::format("It reaches {}, another {}; the peak is {}. Does it fit? {}. A ring sends 3.0 GB. {{nothing}}",
                    text_of(figure("step.mfu"), Quantity::share), text_of(other, Quantity::share),
                    text_of(figure("memory.peak_bytes"), Quantity::bytes), figure("verdict.fits") != 0 ? "yes" : "no"));
}

TEST_F(FiguresOfALesson, OfACardAreCalculatedByTheEngine) {
    EXPECT_EQ(problem_with("Does it fit", "Does it work"), "");
    EXPECT_NE(problem_with("figure: step.mfu}", "figure: step.mfus}").find("line 8: step card"), std::string::npos)
        << problem_with("figure: step.mfu}", "figure: step.mfus}");
    EXPECT_NE(problem_with("plan: smollm-135m", "plan: smollm-135").find("smollm-135"), std::string::npos);
    EXPECT_NE(problem_with("result: bytes_per_rank", "result: bytes").find("has no result"), std::string::npos);
}

TEST_F(FiguresOfALesson, AreTriedWithEachValueThatAReaderMayTurn) {
    const std::string batch = problem_with("[1, 2]\n  recompute", "[1, 2, 3]\n  recompute");
    EXPECT_TRUE(batch.starts_with("own.md: /steps/1/figure/turn/batch.micro_sequences/2: line 24: with "
                                  "batch.micro_sequences=3 recompute.mode=\"none\" the plan is invalid: "))
        << batch;
    EXPECT_NE(problem_with("[none, full]", "[none, some]").find("recompute.mode=\"some\""), std::string::npos);
    EXPECT_NE(problem_with("turn:\n", "set: {parallelism.tensor: 3}\nturn:\n").find("/figure/set: line 23"),
              std::string::npos);
    EXPECT_NE(problem_with("with: {ranks: 8, bytes: 1e9, bandwidth: 50e9}", "with: {ranks: 8, bytes: 1e9}")
                  .find("the curve of seconds needs more arguments"),
              std::string::npos);
    EXPECT_NE(
        problem_with("with: {ranks: 8, bytes: 1e9, bandwidth: 50e9}", "with: {ranks: -8}").find("cannot be drawn"),
        std::string::npos);
}

TEST_F(FiguresOfALesson, ListsAreMadeOfDrawnNumbers) {
    std::set<double> answers;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Question question = asked("memory", seed);
        const double first = question.numbers.find("first")->second, second = question.numbers.find("second")->second;
        // Each microbatch has a third by its number, and its own share of the tokens.
        const double tokens = 2 * first + second;
        const double misplaced = (2 * std::abs(1.0 / 3 - first / tokens) + std::abs(1.0 / 3 - second / tokens)) / 2;
        EXPECT_NEAR(question.numbers.find("answer")->second, misplaced, 1e-12);
        answers.insert(misplaced);
    }
    EXPECT_EQ(answers.size(), 4U);
    const std::string drawn = problem_with("  first: [100, 300]", "  microbatch_tokens: [1, 2]\n  first: [100, 300]");
    EXPECT_NE(drawn.find("microbatch_tokens is a list of numbers, which cannot be drawn as one"), std::string::npos)
        << drawn;
}

TEST_F(FiguresOfALesson, HintsMarkTheirParts) {
    const LessonStep &step = *m_lesson.find("memory");
    ASSERT_EQ(step.hints.size(), 2U);
    EXPECT_EQ(step.hints[0].part, "");
    EXPECT_EQ(step.hints[1].text, "Look at the activations.");
    EXPECT_EQ(step.hints[1].part, "activations");
    EXPECT_NE(problem_with("marks: activations", "marks: bubble").find("line 38"), std::string::npos)
        << problem_with("marks: activations", "marks: bubble");
    EXPECT_NE(problem_with("kind: memory", "kind: pipeline").find("no figure of memory"), std::string::npos);
}

TEST_F(FiguresOfALesson, OfADesignBeginWithThePlan) {
    std::string text(lesson_with_figures);
    const std::string start = "start: {batch.micro_sequences: 4}\n";
    text.erase(text.find(start), start.size());
    const Lesson lesson = lesson_of_text(text, "own", Library::standard());
    const std::vector<FieldSetting> &begins = lesson.find("design")->start;
    ASSERT_EQ(begins.size(), 1U);
    EXPECT_EQ(begins[0].field, "batch.micro_sequences");
    EXPECT_EQ(begins[0].value, lesson.plan["batch"]["micro_sequences"]);
    EXPECT_EQ(m_lesson.find("design")->start[0].value, 4);
    EXPECT_NE(problem_with("figure: step.mfu}", "figure: step~.mfu}").find("a result has no number step~.mfu"),
              std::string::npos);
}

TEST_F(FiguresOfALesson, GoalsHaveWhatIsReachedNextToWhatIsAsked) {
    const LessonStep &step = *m_lesson.find("design");
    for (const char *const answer : {"batch.micro_sequences=1", "batch.micro_sequences=4"}) {
        const std::vector<ReachedGoal> goals = goals_with(step, answer, m_engine);
        ASSERT_EQ(goals.size(), 2U);
        const std::vector<FieldSetting> settings{
            {.field = "batch.micro_sequences", .value = answer[22] - '0', .expression = {}}};
        EXPECT_EQ(goals[0].reached, figure("verdict.fits", settings) != 0);
        EXPECT_EQ(reached_text(goals[0]), goals[0].reached ? "yes" : "no");
        EXPECT_EQ(asked_text(goals[0]), "yes");
        EXPECT_EQ(reached_text(goals[1]), text_of(figure("step.mfu", settings), Quantity::share));
        EXPECT_EQ(asked_text(goals[1]),
                  fmt::format("at least {}, at most {}", text_of(0.2, Quantity::share), text_of(0.9, Quantity::share)));
    }
    EXPECT_THROW(goals_with(step, "parallelism.tensor=8", m_engine), InputError);
}

/// The figures of the lessons that come with the program.
TEST(Course, AllFiguresAreDrawnHoweverTheyAreTurned) {
    for (const std::shared_ptr<const Lesson> &lesson : Lessons::standard().all())
        for (const Diagnostic &problem : try_figures(*lesson, Library::standard()))
            ADD_FAILURE() << lesson->id << " " << problem.fields.front() << ": " << problem.message.text;
}

TEST(Course, CardsHaveNumbersOfTheEngine) {
    std::size_t cards = 0;
    for (const char *const id : {"discuss-configurations", "discuss-scaling"}) {
        const std::shared_ptr<const Lesson> lesson = Lessons::standard().find(id);
        ASSERT_NE(lesson, nullptr) << id;
        LessonEngine engine(*lesson, Library::standard());
        for (const LessonStep &step : lesson->steps) {
            ++cards;
            EXPECT_EQ(step.kind, StepKind::discussion) << step.id;
            EXPECT_GE(step.values.size(), 2U) << step.id;
            const std::string text = filled_in(step.text, ask(step, 1, engine));
            EXPECT_EQ(text.find('{'), std::string::npos) << text;
            for (const EngineValue &value : step.values)
                EXPECT_NE(step.text.find("{" + value.name + "}"), std::string::npos) << step.id << " " << value.name;
        }
    }
    EXPECT_GE(cards, 20U);
}

} // namespace
} // namespace meshwright
