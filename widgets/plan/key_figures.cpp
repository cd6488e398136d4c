// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/key_figures.h"

#include "controls/key_figure.h"
#include "figures/figure_text.h"

#include <QGridLayout>
#include <QHelpEvent>

#include <cmath>

namespace meshwright {

namespace {

/// Headroom below this fraction of the capacity counts as a tight fit.
constexpr double tightShare = 0.05;
/// If compute utilization is below this fraction, the run figure warns that sites wait for their links.
constexpr double waitingBelow = 0.8;
constexpr int spacing = 12;
constexpr int inOneRow = 4; ///< figures per row in a wide window
constexpr int inTwoRows = 2;

constexpr KeyQuantity quantities[] = {KeyQuantity::Memory, KeyQuantity::Step, KeyQuantity::Run, KeyQuantity::Cost};

QString pathOf(KeyQuantity quantity) {
    switch (quantity) {
    case KeyQuantity::Memory:
        return QStringLiteral("verdict.headroom_bytes");
    case KeyQuantity::Step:
        return QStringLiteral("step.seconds");
    case KeyQuantity::Run:
        return QStringLiteral("run.seconds");
    case KeyQuantity::Cost:
        break;
    }
    return QStringLiteral("run.rental_dollars");
}

HoverContent hoverContent(const Reasoning &reasoning, const QString &lines) {
    HoverContent content{.title = reasoning.title, .swatch = {}, .rows = {}, .footnote = reasoning.sum};
    for (const Fact &part : reasoning.parts)
        content.rows.append({part.name, part.value});
    if (!lines.isEmpty())
        content.footnote += QLatin1Char('\n') + lines;
    return content;
}

/// The interval of a figure that is proportional to the step time, scaled from the interval of the step time.
std::optional<KeyFigure::Interval> scaledInterval(const Step &step, double value, Quantity quantity,
                                                  const char *lowFigure, const char *highFigure) {
    if (!(step.low_seconds > 0 && step.seconds >= step.low_seconds && step.high_seconds >= step.seconds)
        || step.high_seconds == step.low_seconds)
        return std::nullopt;
    const double low = value * step.low_seconds / step.seconds;
    const double high = value * step.high_seconds / step.seconds;
    // The ends show their unit only if it differs from the unit of the figure.
    const auto text = [&, unit = figureParts(value, quantity).unit](double end) {
        const FigureParts parts = figureParts(end, quantity);
        return parts.unit == unit ? parts.figure : figureText(end, quantity);
    };
    return KeyFigure::Interval{.low = low,
                               .estimate = value,
                               .high = high,
                               .lowText = text(low),
                               .highText = text(high),
                               .lowFigure = lowFigure,
                               .highFigure = highFigure};
}

/// Headroom at both ends of the peak memory interval. If one end is negative, the plan may not fit.
std::optional<KeyFigure::Interval> headroomInterval(const Result &result) {
    const Memory &memory = result.memory;
    if (!(memory.low_bytes > 0 && memory.high_bytes > memory.low_bytes))
        return std::nullopt;
    const double low = memory.capacity_bytes - memory.high_bytes;
    const double high = memory.capacity_bytes - memory.low_bytes;
    return KeyFigure::Interval{.low = low,
                               .estimate = result.verdict.headroom_bytes,
                               .high = high,
                               .lowText = figureText(low, Quantity::bytes),
                               .highText = figureText(high, Quantity::bytes),
                               .lowFigure = QStringLiteral("verdict.low_headroom_bytes"),
                               .highFigure = QStringLiteral("verdict.high_headroom_bytes")};
}

} // namespace

KeyFigures::KeyFigures(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_memory(new KeyFigure(tr("Memory"), QStringLiteral("mem"), this))
    , m_step(new KeyFigure(tr("Step"), QStringLiteral("clock"), this))
    , m_run(new KeyFigure(tr("Run"), QStringLiteral("calendar"), this))
    , m_cost(new KeyFigure(tr("Cost"), QStringLiteral("coin"), this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(spacing);
    // Figures without an interval are as tall as their neighbors.
    for (KeyFigure *each : {m_memory, m_step, m_run, m_cost})
        each->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    arrange(inOneRow);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_memory->setObjectName(QStringLiteral("memoryFigure"));
    m_step->setObjectName(QStringLiteral("stepFigure"));
    m_run->setObjectName(QStringLiteral("runFigure"));
    m_cost->setObjectName(QStringLiteral("costFigure"));
    for (const KeyQuantity quantity : quantities) {
        figure(quantity)->installEventFilter(this);
        figure(quantity)->setFigureRef(pathOf(quantity));
        figure(quantity)->setTakesGoal(true);
        connect(figure(quantity), &KeyFigure::goalWanted, this, [this, quantity] {
            m_card.hide();
            Q_EMIT goalWanted(goalsFor(quantity));
        });
    }
    showNothing();
}

std::vector<GoalFigure> KeyFigures::goalsFor(KeyQuantity quantity) const {
    using enum GoalFigure;
    switch (quantity) {
    case KeyQuantity::Memory:
        if (m_result && !m_result->verdict.fits)
            return {headroom, fit};
        return {fit, headroom};
    case KeyQuantity::Step:
        return {step, mfu, tokens_per_second};
    case KeyQuantity::Run:
        if (m_result && m_result->outer)
            return {days, utilisation, goodput};
        return {days, goodput};
    case KeyQuantity::Cost:
        break;
    }
    return {cost, energy, accelerators};
}

void KeyFigures::arrange(int columns) {
    if (columns == m_columns)
        return;
    m_columns = columns;
    int place = 0;
    for (KeyFigure *each : {m_memory, m_step, m_run, m_cost}) {
        m_grid->addWidget(each, place / columns, place % columns);
        ++place;
    }
    for (int column = 0; column < inOneRow; ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    updateGeometry();
}

int KeyFigures::widthOf(int columns) const {
    return columns * m_memory->minimumSizeHint().width() + (columns - 1) * spacing;
}

QSize KeyFigures::minimumSizeHint() const {
    return {widthOf(inTwoRows), m_grid->minimumSize().height()};
}

void KeyFigures::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange(width() < widthOf(inOneRow) ? inTwoRows : inOneRow);
}

KeyFigure *KeyFigures::figure(KeyQuantity quantity) const {
    switch (quantity) {
    case KeyQuantity::Memory:
        return m_memory;
    case KeyQuantity::Step:
        return m_step;
    case KeyQuantity::Run:
        return m_run;
    case KeyQuantity::Cost:
        break;
    }
    return m_cost;
}

bool KeyFigures::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Leave || event->type() == QEvent::Hide || event->type() == QEvent::MouseButtonPress)
        m_card.hide();
    if (event->type() != QEvent::ToolTip || !m_result)
        return QWidget::eventFilter(watched, event);
    for (const KeyQuantity quantity : quantities) {
        KeyFigure *pointedAt = figure(quantity);
        if (pointedAt == watched && !pointedAt->hasOwnHover(static_cast<QHelpEvent *>(event)->pos()))
            return false;
        if (pointedAt == watched)
            m_card.show(
                pointedAt, static_cast<QHelpEvent *>(event)->pos(),
                hoverContent(reasoningOf(quantity, *m_result), m_lines ? m_lines(pathOf(quantity)) : QString()));
    }
    return true;
}

void KeyFigures::showPlan(const PlanView &view) {
    m_result = view.result;
    if (view.result) {
        showMemory(*view.result);
        showStep(*view.result);
        showRun(*view.result);
        showCost(*view.result);
    } else {
        showNothing();
    }
    // The result belongs to an earlier state of the plan, so its verdict does not apply.
    if (view.result && view.freshness == Freshness::Invalid)
        m_memory->setVerdict(tr("last valid"), Tone::Neutral);
    for (KeyFigure *each : {m_memory, m_step, m_run, m_cost})
        each->setStale(view.result && isStale(view.freshness));
}

void KeyFigures::showMemory(const Result &result) {
    const double headroom = result.verdict.headroom_bytes;
    const FigureParts parts = figureParts(std::abs(headroom), Quantity::bytes);
    if (!result.verdict.fits) {
        m_memory->setFigure(parts.figure, tr("%1 short").arg(parts.unit), Tone::Bad);
        m_memory->setVerdict(tr("Does not fit"), Tone::Bad);
    } else {
        const bool tight = headroom < tightShare * result.memory.capacity_bytes;
        m_memory->setFigure(parts.figure, tr("%1 free").arg(parts.unit));
        m_memory->setVerdict(tight ? tr("Tight fit") : tr("Fits"), tight ? Tone::Warn : Tone::Good);
    }
    const QString peak = figureParts(result.memory.peak_bytes, Quantity::bytes).figure;
    const QString capacity = figureText(result.memory.capacity_bytes, Quantity::bytes);
    m_memory->setSubline(filled(tr("%1 of %2, stage %3"), said(peak, "memory.peak_bytes"),
                                said(capacity, "memory.capacity_bytes"), result.memory.peak_stage));
    m_memory->setInterval(headroomInterval(result));
}

void KeyFigures::showStep(const Result &result) {
    const FigureParts parts = figureParts(result.step.seconds, Quantity::seconds);
    m_step->setFigure(parts.figure, parts.unit);
    m_step->setSubline(filled(tr("MFU %1 · HFU %2"), said(shareText(result.step.mfu), "step.mfu"),
                              said(shareText(result.step.hfu), "step.hfu")));
    m_step->setInterval(
        scaledInterval(result.step, result.step.seconds, Quantity::seconds, "step.low_seconds", "step.high_seconds"));
}

void KeyFigures::showRun(const Result &result) {
    const FigureParts parts = figureParts(result.run.seconds, Quantity::seconds);
    m_run->setFigure(parts.figure, parts.unit);
    // If sites wait for their links, the goal search of this figure looks for changes that overlap the traffic.
    const bool waits = result.outer && result.outer->utilisation < waitingBelow;
    m_run->setVerdict(waits ? tr("Sites wait") : QString(), Tone::Warn);
    const SentenceText tokens =
        filled(tr("%1 tokens"), said(figureText(result.run.tokens, Quantity::tokens), "run.tokens"));
    m_run->setSubline(
        result.outer
            ? filled(tr("%1 · %2 busy"), tokens, said(shareText(result.outer->utilisation), "outer.utilisation"))
            : filled(tr("%1, goodput %2"), tokens, said(shareText(result.run.goodput), "run.goodput")));
    m_run->setInterval(
        scaledInterval(result.step, result.run.seconds, Quantity::seconds, "run.low_seconds", "run.high_seconds"));
}

void KeyFigures::showCost(const Result &result) {
    const FigureParts parts = figureParts(result.run.rental_dollars, Quantity::dollars);
    m_cost->setFigure(parts.figure, parts.unit);
    const QString hours = plainText(result.run.accelerator_hours);
    const QString price = figureText(result.plan.run.rental_dollars_per_accelerator_hour, Quantity::dollars_per_hour);
    m_cost->setSubline(filled(tr("%1 GPU-h at %2"), said(hours, "run.accelerator_hours"),
                              said(price, PlanField("/run/rental_dollars_per_accelerator_hour"))));
    m_cost->setInterval(scaledInterval(result.step, result.run.rental_dollars, Quantity::dollars,
                                       "run.low_rental_dollars", "run.high_rental_dollars"));
}

void KeyFigures::showNothing() {
    for (KeyFigure *each : {m_memory, m_step, m_run, m_cost}) {
        each->setFigure(QStringLiteral("–"), {}, Tone::Neutral);
        each->setVerdict({});
        each->setSubline(tr("no valid plan yet"));
        each->setInterval(std::nullopt);
    }
}

} // namespace meshwright
