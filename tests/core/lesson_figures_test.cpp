// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "lessons/design_answer.h"
#include "lessons/figure_trial.h"
#include "lessons/judgement.h"
#include "lessons/lesson_reading.h"
#include "lessons/lessons.h"
#include "small_lesson.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace meshwright {
namespace {

using testing::problem_with;
using testing::small_lesson;

class FiguresOfALesson : public ::testing::Test {
protected:
    Question asked(const std::string &step, std::uint64_t seed = 1) {
        return ask(*m_lesson.find(step), seed, m_engine);
    }
    double figure(const std::string &path, const std::vector<FieldSetting> &settings = {}) {
        return m_engine.figure_of(*m_engine.result_with(settings, {}), path).value;
    }

    Lesson m_lesson = lesson_of_text(small_lesson, "own", Library::standard());
    LessonEngine m_engine{m_lesson, Library::standard()};
};

TEST_F(FiguresOfALesson, StandInTextsWithTheirUnits) {
    const Question card = asked("card");
    const double other = figure("step.mfu", {{.field = "plan", .value = "smollm-135m", .expression = {}}});
    ASSERT_NE(text_of(figure("step.mfu"), Quantity::share), text_of(other, Quantity::share));
    EXPECT_EQ(
        filled_in(card.step->text + " {nothing}", card),
        fmt::format("It reaches {}, another {}; the peak is {}. Does it fit? {}. A ring sends 3.0 GB. {{nothing}}",
                    text_of(figure("step.mfu"), Quantity::share), text_of(other, Quantity::share),
                    text_of(figure("memory.peak_bytes"), Quantity::bytes), figure("verdict.fits") != 0 ? "yes" : "no"));
}

TEST_F(FiguresOfALesson, OfACardAreCalculatedByTheEngine) {
    EXPECT_EQ(problem_with("Does it fit", "Does it work"), "");
    EXPECT_NE(problem_with("figure: step.mfu}", "figure: step.mfus}").find("line 105: step card"), std::string::npos)
        << problem_with("figure: step.mfu}", "figure: step.mfus}");
    EXPECT_NE(problem_with("plan: smollm-135m", "plan: smollm-135").find("smollm-135"), std::string::npos);
    EXPECT_NE(problem_with("bytes_per_rank, with", "bytes, with").find("has no result"), std::string::npos);
}

TEST_F(FiguresOfALesson, AreTriedWithEachValueThatAReaderMayTurn) {
    const std::string batch = problem_with("[2, 1]\n  recompute", "[2, 1, 3]\n  recompute");
    EXPECT_TRUE(batch.starts_with("own.md: /steps/8/figure/turn/batch.micro_sequences/2: line 123: with "
                                  "batch.micro_sequences=3 recompute.mode=\"none\" the plan is invalid: "))
        << batch;
    EXPECT_NE(problem_with("[2, 1]\n  recompute", "[3, 1]\n  recompute").find("batch.micro_sequences/0: line"),
              std::string::npos);
    EXPECT_NE(problem_with("[none, full]", "[none, some]").find("recompute.mode=\"some\""), std::string::npos);
    EXPECT_NE(problem_with("turn:\n", "set: {parallelism.tensor: 3}\nturn:\n").find("/figure/set: line 122"),
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
        // Each microbatch has a weight of one third if averaged by number, but its correct weight is its share of the
        // tokens.
        const double tokens = 2 * first + second;
        const double misplaced = (2 * std::abs(1.0 / 3 - first / tokens) + std::abs(1.0 / 3 - second / tokens)) / 2;
        EXPECT_NEAR(question.numbers.find("answer")->second, misplaced, 1e-12);
        answers.insert(misplaced);
    }
    EXPECT_EQ(answers.size(), 4U);
    const std::string drawn = problem_with("  first: [100, 300]", "  microbatch_tokens: [1, 2]\n  first: [100, 300]");
    EXPECT_NE(drawn.find("microbatch_tokens is a list of numbers, which cannot be drawn as a whole"), std::string::npos)
        << drawn;
}

TEST_F(FiguresOfALesson, HintsMarkTheirParts) {
    const LessonStep &step = *m_lesson.find("memory");
    ASSERT_EQ(step.hints.size(), 2U);
    EXPECT_EQ(step.hints[0].part, "");
    EXPECT_EQ(step.hints[1].text, "Look at the activations.");
    EXPECT_EQ(step.hints[1].part, "activations");
    EXPECT_NE(problem_with("marks: activations", "marks: bubble").find("line 137"), std::string::npos)
        << problem_with("marks: activations", "marks: bubble");
    EXPECT_NE(problem_with("kind: memory", "kind: pipeline").find("no figure of memory"), std::string::npos);
}

TEST_F(FiguresOfALesson, BeginWithThePlanWhereverItsValueIsListed) {
    const auto begin = [](Lesson lesson, std::vector<FieldSetting> settings = {}) {
        LessonFigure figure = *lesson.find("memory")->figure;
        figure.settings = std::move(settings);
        return begin_of_figure(figure, lesson, Library::standard());
    };
    using Begin = std::vector<std::size_t>;
    EXPECT_EQ(begin(m_lesson), (Begin{1, 0})) << "one sequence, and no recomputation";
    EXPECT_EQ(begin(m_lesson,
                    {{.field = "batch.micro_sequences", .value = 2, .expression = {}},
                     {.field = "recompute.mode", .value = "full", .expression = {}}}),
              (Begin{0, 1}));
    EXPECT_EQ(begin(m_lesson, {{.field = "batch.micro_sequences", .value = 4, .expression = {}}}), (Begin{0, 0}))
        << "a value that is not listed";
    Lesson by_default = m_lesson;
    by_default.plan["batch"].erase("micro_sequences");
    EXPECT_EQ(begin(by_default), (Begin{1, 0}));
    Lesson of_a_preset = m_lesson;
    LessonStep &step = *std::find_if(of_a_preset.steps.begin(), of_a_preset.steps.end(),
                                     [](const LessonStep &each) { return each.id == "memory"; });
    const double layers = 32; // layers of Llama 3.1 8B
    step.figure->turn = {{.field = "model.layers", .values = {16, layers}}};
    EXPECT_EQ(begin(of_a_preset), Begin{1});
}

TEST_F(FiguresOfALesson, OfADesignBeginWithThePlan) {
    const std::string start = "start: {batch.micro_sequences: 8, recompute.mode: none}\n";
    std::string text(small_lesson);
    text.erase(text.find(start), start.size());
    const Lesson lesson = lesson_of_text(text, "own", Library::standard());
    const std::vector<FieldSetting> &begins = lesson.find("design")->start;
    ASSERT_EQ(begins.size(), 1U);
    EXPECT_EQ(begins[0].field, "batch.micro_sequences");
    EXPECT_EQ(begins[0].value, lesson.plan["batch"]["micro_sequences"]);
    EXPECT_EQ(m_lesson.find("design")->start[0].value, 8);
    EXPECT_NE(problem_with("figure: step.mfu}", "figure: step~.mfu}").find("results have no figure step~.mfu"),
              std::string::npos);
}

TEST_F(FiguresOfALesson, GoalsHaveWhatIsReachedNextToWhatIsAsked) {
    const LessonStep &step = *m_lesson.find("design");
    for (const char *const answer : {"batch.micro_sequences=1", "batch.micro_sequences=8"}) {
        const std::vector<ReachedGoal> goals = goals_with(step, answer, m_engine);
        ASSERT_EQ(goals.size(), 2U);
        const std::vector<FieldSetting> settings{
            {.field = "batch.micro_sequences", .value = answer[22] - '0', .expression = {}}};
        EXPECT_EQ(goals[1].reached, figure("verdict.fits", settings) != 0);
        EXPECT_EQ(reached_text(goals[1]), goals[1].reached ? "yes" : "no");
        EXPECT_EQ(asked_text(goals[1]), "yes");
        EXPECT_EQ(reached_text(goals[0]), text_of(figure("step.mfu", settings), Quantity::share));
        EXPECT_EQ(asked_text(goals[0]),
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
