// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_figure.h"

#include "calculators/formula_curve.h"
#include "canvases/legend.h"
#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "catalog/library.h"
#include "charts/xy_chart.h"
#include "controls/choice_box.h"
#include "controls/text_label.h"
#include "evaluate/evaluate.h"
#include "evaluate/verdict.h"
#include "figures/figure_event.h"
#include "formulas/formula.h"
#include "gantt/operation_card.h"
#include "gantt/timeline_legend.h"
#include "input/diagnostic.h"
#include "lessons/engine_values.h"
#include "lessons/field_name.h"
#include "lessons/figure_trial.h"
#include "pictures/picture_view.h"
#include "plan/plan_json.h"
#include "plots/plot_chart.h"
#include "sites/sites_question.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"
#include "views/view_mapping.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace meshwright {

namespace {

constexpr int barsHeight = 260;
constexpr int curveHeight = 220;
constexpr int plotHeight = 360;
constexpr int pictureHeight = 320;
constexpr int minCanvas = 90;
constexpr int maxCanvas = 280;
constexpr std::size_t shownSites = 6;

QString textOf(const nlohmann::ordered_json &value) {
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

} // namespace

LessonFigureCard::LessonFigureCard(const Library &library, QWidget *parent)
    : Card(parent)
    , m_library(library)
    , m_turnRow(new QWidget(this))
    , m_turns(new QHBoxLayout(m_turnRow))
    , m_problem(new TextLabel({}, TypeRole::Body, ColourRole::Bad, TextWeight::Regular, this))
    , m_overflow(new TextLabel({}, TypeRole::Body, ColourRole::Bad, TextWeight::Regular, this))
    , m_caption(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_timelines(new QWidget(this))
    , m_axis(new TimelineAxis(this))
    , m_canvas(new TimelineCanvas(m_axis, TimelineCanvas::Ruler::Shown, m_timelines))
    , m_legend(new TimelineLegend(m_timelines))
    , m_memory(new MemoryBars(this))
    , m_steps(new StepBar(this))
    , m_kinds(new Legend(this))
    , m_curve(new XyChart(this))
    , m_open(new QPushButton(tr("Open as plan"), this))
    , m_worker(std::make_unique<LatestWorker<Question, Answer>>(
          this, [this](const Question &question, const std::stop_token &stop) { return answer(question, stop); },
          [this](const Answer &answer) { receive(answer); })) {
    setObjectName(QStringLiteral("lessonFigure"));
    // Derivations are available in the main window, once the lesson's plan is opened there.
    showsNoFigures(this, NotFigures::setting);
    m_turns->setContentsMargins(0, 0, 0, 0);
    m_turns->setSpacing(8);
    m_problem->setWordWrap(true);
    m_overflow->setObjectName(QStringLiteral("lessonOverflow"));
    m_overflow->setWordWrap(true);
    m_caption->setWordWrap(true);
    auto *timelines = new QVBoxLayout(m_timelines);
    timelines->setContentsMargins(0, 0, 0, 0);
    timelines->setSpacing(4);
    timelines->addWidget(m_canvas);
    timelines->addWidget(m_legend);
    m_canvas->setCrowdedRows(CrowdedRows::ScrollParts);
    m_canvas->setDescribe([this](SpanIndex span) {
        if (m_answer.run != nullptr && m_answer.run->pipeline != nullptr)
            return describeSpan(*m_answer.run->pipeline, m_answer.pipeline, span, m_axis->visible(), Theme::of(this));
        if (m_answer.sites != nullptr)
            return describeSite(*m_answer.sites, m_answer.site_rows, span, m_axis->visible(), Theme::of(this));
        return HoverContent{};
    });
    m_memory->setMaxHeight(barsHeight);
    addTrailing(m_kinds);
    for (StackedBars *const bars : {static_cast<StackedBars *>(m_memory), static_cast<StackedBars *>(m_steps)})
        connect(bars, &StackedBars::legendChanged, m_kinds, [this, bars](const QVector<LegendEntry> &entries) {
            if (bars->isVisibleTo(this))
                m_kinds->setEntries(entries);
        });
    m_curve->setPreferredHeight(curveHeight);
    m_open->setToolTip(tr("Opens the lesson's plan, with the values shown here, as a new, unsaved plan"));
    for (QWidget *part : {m_turnRow, static_cast<QWidget *>(m_problem), m_timelines, static_cast<QWidget *>(m_memory),
                          static_cast<QWidget *>(m_steps), static_cast<QWidget *>(m_curve),
                          static_cast<QWidget *>(m_overflow), static_cast<QWidget *>(m_caption)})
        contentLayout()->addWidget(part);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT planWanted(m_document, m_name); });
}

LessonFigureCard::~LessonFigureCard() = default;

QString LessonFigureCard::problem() const {
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void LessonFigureCard::showPart(QWidget *part) {
    for (QWidget *each : {m_timelines, static_cast<QWidget *>(m_memory), static_cast<QWidget *>(m_steps),
                          static_cast<QWidget *>(m_curve), m_picture})
        if (each != nullptr)
            each->setVisible(each == part);
    const auto *const bars = qobject_cast<StackedBars *>(part);
    m_kinds->setEntries(bars == nullptr ? QVector<LegendEntry>() : bars->legendEntries());
    m_kinds->setVisible(bars != nullptr);
}

void LessonFigureCard::showFigure(const Lesson &lesson, const LessonFigure &figure) {
    m_worker->cancel();
    m_figure = figure;
    m_mark.clear();
    m_answer = {};
    m_problem->hide();
    m_overflow->hide();
    delete m_picture;
    m_picture = nullptr;
    m_caption->setText(QString::fromStdString(figure.caption));
    m_caption->setVisible(!figure.caption.empty());
    setAccessibleDescription(m_caption->text());
    m_name = QString::fromStdString(lesson.title);
    static const std::map<std::string, QString> titles{{"pipeline", tr("Pipeline of one step")},
                                                       {"memory", tr("Memory by stage")},
                                                       {"step", tr("Step time")},
                                                       {"sites", tr("Sites over time")}};
    const auto title = titles.find(figure.kind);
    const std::string_view plot = title_of_plot(figure.kind);
    const bool ofPlan = title != titles.end() || is_plot_of_plan(figure.kind);
    m_kinds->hide();
    setTitle(title != titles.end()        ? title->second
                 : !plot.empty()          ? QString::fromUtf8(plot.data(), static_cast<qsizetype>(plot.size()))
                 : figure.kind == "curve" ? tr("Curve")
                                          : QString());
    setSubtitle(ofPlan ? tr("evaluated live on the lesson's plan") : QString());
    addTurns(lesson);
    m_turnRow->setVisible(ofPlan);
    if (ofPlan) {
        try {
            m_plan = with_settings(lesson.plan, figure.settings, {}, m_library);
        } catch (const InputError &error) {
            refuse(error);
            return;
        }
        showPart(nullptr);
        ask();
    } else if (!plot.empty()) {
        showPart(nullptr);
        m_worker->ask({.kind = figure.kind, .document = {}});
    } else if (figure.kind == "curve") {
        showCurve();
    } else {
        showPicture();
    }
}

void LessonFigureCard::addTurns(const Lesson &lesson) {
    while (QLayoutItem *item = m_turns->takeAt(0)) {
        if (item->widget() != m_open)
            delete item->widget();
        delete item;
    }
    m_choices.clear();
    const std::vector<std::size_t> begin = begin_of_figure(m_figure, lesson, m_library);
    for (std::size_t i = 0; i < begin.size(); ++i) {
        const FreeField &field = m_figure.turn[i];
        const QString name = fieldName(field.field);
        auto *label = new TextLabel(name, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, m_turnRow);
        auto *choice = new ChoiceBox(m_turnRow);
        choice->setAccessibleName(name);
        for (const nlohmann::ordered_json &value : field.values)
            choice->addItem(textOf(value));
        choice->setCurrentIndex(static_cast<int>(begin[i]));
        connect(choice, &QComboBox::currentIndexChanged, this, [this] { ask(); });
        m_turns->addWidget(label);
        m_turns->addWidget(choice);
        setTabOrder(m_open->previousInFocusChain(), choice);
        m_choices.push_back(choice);
    }
    m_turns->addStretch(1);
    m_turns->addWidget(m_open);
}

void LessonFigureCard::ask() {
    m_document = m_plan;
    try {
        for (std::size_t i = 0; i < m_choices.size(); ++i) {
            const int index = m_choices[i]->currentIndex();
            if (index >= 0)
                set_field(m_document,
                          m_figure.turn[i].field + "="
                              + m_figure.turn[i].values[static_cast<std::size_t>(index)].dump(),
                          m_library);
        }
    } catch (const InputError &error) {
        refuse(error);
        return;
    }
    m_worker->ask({.kind = m_figure.kind, .document = m_document});
}

LessonFigureCard::Answer LessonFigureCard::answer(const Question &question, const std::stop_token &stop) const {
    Answer answer;
    try {
        if (!title_of_plot(question.kind).empty()) {
            const Plan plan = question.document.is_null() ? Plan() : plan_from_json(question.document, m_library);
            answer.plot = std::make_shared<const Plot>(
                plot_of(question.kind, {.plan = plan, .library = m_library, .stop = stop}));
            return answer;
        }
        const Plan plan = plan_from_json(question.document, m_library);
        answer.result = std::make_shared<const Result>(evaluate(plan, Depth::numbers));
        if (question.kind == "pipeline") {
            const ScheduleVariant own{.plan = plan, .patch = {}};
            answer.run = std::make_shared<const ScheduleRun>(runSchedule(own));
            answer.problem = answer.run->problem;
            if (answer.run->pipeline != nullptr)
                answer.pipeline = timelineOf(*answer.run->pipeline, {});
        } else if (question.kind == "sites") {
            const std::optional<SitesQuestion> sites = sitesQuestionOf(*answer.result);
            if (!sites) {
                answer.problem = tr("This plan has one site.");
                return answer;
            }
            answer.sites = drawSites(*sites, stop).run;
            if (answer.sites != nullptr)
                answer.site_rows = closeTimelineOf(*answer.sites, sitesToShow(*answer.sites, shownSites));
        }
    } catch (const InputError &error) {
        answer.problem = QString::fromStdString(error.diagnostics().front().message.text);
    }
    return answer;
}

void LessonFigureCard::refuse(const InputError &error) {
    Answer answer;
    answer.problem = QString::fromStdString(error.what());
    receive(answer);
}

void LessonFigureCard::receive(const Answer &answer) {
    m_answer = answer;
    m_problem->setText(answer.problem);
    m_problem->setVisible(!answer.problem.isEmpty());
    showOverflow();
    if (answer.plot != nullptr) {
        m_curve->setPreferredHeight(plotHeight);
        m_curve->setView(plotChart(*answer.plot));
        showPart(m_curve);
        if (m_figure.caption.empty()) {
            m_caption->setText(QString::fromStdString(answer.plot->caption));
            m_caption->show();
        }
        return;
    }
    if (!answer.problem.isEmpty() || answer.result == nullptr) {
        showPart(nullptr);
        return;
    }
    const TimelineModelPointer model = answer.sites != nullptr ? answer.site_rows.model : answer.pipeline.model;
    if (m_figure.kind == "memory") {
        m_memory->setView(memoryBarsView(answer.result->memory));
        showPart(m_memory);
    } else if (m_figure.kind == "step") {
        m_steps->setView(stepBarView(*answer.result));
        showPart(m_steps);
    } else if (model != nullptr) {
        m_axis->setWhole(model->whole);
        m_canvas->setModel(model);
        m_canvas->setFixedHeight(std::clamp(m_canvas->sizeHint().height(), minCanvas, maxCanvas));
        m_legend->setModels({model});
        m_legend->setVisible(m_figure.kind == "pipeline");
        showPart(m_timelines);
    } else {
        showPart(nullptr);
    }
    showMark();
}

/// Shows a warning if the plan does not fit in memory. A figure of sites needs none, because it shows only steps and
/// links.
void LessonFigureCard::showOverflow() {
    const bool isTooLarge = m_figure.kind != "sites" && m_answer.problem.isEmpty() && m_answer.result != nullptr
        && !m_answer.result->verdict.fits;
    m_overflow->setText(isTooLarge ? QString::fromStdString(fit_of(*m_answer.result).text) + u'.' : QString());
    m_overflow->setVisible(isTooLarge);
}

void LessonFigureCard::mark(const std::string &part) {
    m_mark = part;
    showMark();
}

/// Highlights the marked part in the bar where it is longest.
void LessonFigureCard::showMark() {
    const std::vector<std::string> &parts = parts_of_figure(m_figure.kind);
    const auto part = std::find(parts.begin(), parts.end(), m_mark);
    StackedBars *const bars =
        m_figure.kind == "memory" ? static_cast<StackedBars *>(m_memory) : static_cast<StackedBars *>(m_steps);
    SegmentIndex longest;
    double length = 0;
    const QVector<StackedRow> &rows = bars->stackedView().rows;
    for (int row = 0; row < rows.size() && part != parts.end(); ++row) {
        const int segment = static_cast<int>(part - parts.begin());
        if (segment < rows[row].segments.size() && rows[row].segments[segment].value > length) {
            length = rows[row].segments[segment].value;
            longest = {.row = row, .segment = segment};
        }
    }
    bars->setHighlighted(longest);
}

void LessonFigureCard::showCurve() {
    const Formula *const formula = find_formula(m_figure.formula);
    const FormulaResult *const result = formula == nullptr ? nullptr : formula->find_result(m_figure.result);
    const Symbol *const over = formula == nullptr ? nullptr : formula->find_symbol(m_figure.over);
    if (result == nullptr || over == nullptr) // the lesson reader already rejects such a figure
        return;
    std::map<std::string, std::string, std::less<>> arguments;
    for (const auto &[name, value] : m_figure.parameters)
        if (const Symbol *const symbol = formula->find_symbol(name))
            arguments[name] = value_text(value, *symbol);
    try {
        const Calculation calculation = calculate(formula->id, arguments);
        const auto value = std::find_if(calculation.values.begin(), calculation.values.end(),
                                        [&](const Calculation::Value &each) { return each.result == result; });
        if (value == calculation.values.end())
            throw InputError("", "the curve needs more arguments", "expected a value for each argument of the formula");
        m_curve->setPreferredHeight(curveHeight);
        m_curve->setView(formulaCurve(calculation, *value, *over));
        setTitle(capitalised(result->meaning));
        showPart(m_curve);
    } catch (const InputError &error) {
        m_problem->setText(QString::fromStdString(error.diagnostics().front().message.text));
        m_problem->show();
        showPart(nullptr);
    }
}

void LessonFigureCard::showPicture() {
    try {
        std::map<std::string, double> parameters(m_figure.parameters.begin(), m_figure.parameters.end());
        m_picture = makePicture(m_figure.kind, parameters, this);
        m_picture->setMinimumHeight(pictureHeight);
        contentLayout()->insertWidget(contentLayout()->indexOf(m_caption), m_picture);
        showPart(m_picture);
    } catch (const InputError &error) {
        m_problem->setText(QString::fromStdString(error.diagnostics().front().message.text));
        m_problem->show();
        showPart(nullptr);
    }
}

} // namespace meshwright
