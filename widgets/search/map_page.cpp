// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/map_page.h"

#include "catalog/weights.h"
#include "controls/card.h"
#include "controls/integer_box.h"
#include "controls/text_label.h"
#include "evidence/source_name.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "plan/plan_json.h"
#include "quantities/text.h"
#include "search/configuration_text.h"
#include "search/map_chart.h"
#include "search/map_derivation.h"
#include "theme/control_states.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace meshwright {

namespace {

constexpr int sideWidth = 300;
constexpr int listWidth = 190;
constexpr int longestSequence = 100'000'000;
constexpr int largestBatch = 1'000'000'000;

/// Parses a list such as "1.34B, 80B"; empty if any part is not a number from `low` to `high`.
std::vector<double> listFrom(const QString &text, Quantity quantity, double low, double high) {
    std::vector<double> values;
    for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const auto value = quantity_from(part.trimmed().toStdString(), quantity);
        if (!value || *value < low || *value > high)
            return {};
        values.push_back(*value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

template <typename Number>
QString listText(const std::vector<Number> &values, Quantity quantity) {
    QStringList parts;
    for (const Number value : values)
        parts.append(QString::fromStdString(text_of(static_cast<double>(value), quantity)).remove(QLatin1Char(',')));
    return parts.join(QStringLiteral(", "));
}

void refuse(QLineEdit &field, const QString &why) {
    field.setProperty("rejected", !why.isEmpty());
    field.setToolTip(why);
    field.setAccessibleDescription(why);
}

/// A figure of the map itself, for use in a sentence.
SentenceText ofMap(const QString &text, const char *figure) {
    return said(text, FigureRef::ofView(QLatin1String(figure), FigureView::search));
}

FigureRef changed(const char *figure, const QString &patch) {
    return FigureRef::ofChanged(QLatin1String(figure), patch);
}

/// The plan without the fields that do not affect a map; editing those must not restart the search.
Plan familyOf(Plan plan) {
    plan.name.clear();
    plan.cluster_id.clear();
    plan.parallelism = {};
    plan.recompute = {};
    plan.batch = {};
    plan.outer = {};
    return plan;
}

} // namespace

MapPage::MapPage(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_runner(new MapRunner(library, this))
    , m_sizes(new QLineEdit(this))
    , m_nodes(new QLineEdit(this))
    , m_sequence(new IntegerBox(this))
    , m_batch(new IntegerBox(this))
    , m_own(new QPushButton(tr("Around the plan"), this))
    , m_playbook(new QPushButton(tr("As in the Playbook"), this))
    , m_cancel(new QPushButton(tr("Stop"), this))
    , m_progress(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_chart(new MapChart(this))
    , m_order(new FigureSentence(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_title(new TextLabel({}, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this))
    , m_rows(new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_measured(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_apply(new QPushButton(tr("Use this configuration"), this)) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 16);
    column->setSpacing(12);
    column->addWidget(newControls());
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    m_card = new Card(
        tr("Best configuration by model size and nodes"),
        tr("in each cell: MFU, then degrees tensor · pipeline · data (C context, E expert), then peak memory"), this);
    m_card->contentLayout()->addWidget(m_chart, 1);

    m_order->setObjectName(QStringLiteral("mapOrder"));
    for (FigureSentence *statistic : {m_progress, m_order})
        showsNoFigures(statistic, NotFigures::statistic);
    m_card->contentLayout()->addWidget(m_order);
    row->addWidget(m_card, 1);
    row->addWidget(newSide());
    column->addLayout(row, 1);
    connect(m_runner, &MapRunner::answered, this, &MapPage::receive);
    connect(m_chart, &MapChart::cellChosen, this, &MapPage::showCell);
    connect(m_chart, &MapChart::applyWanted, this, &MapPage::apply);
    showState();
    showCell();
}

QWidget *MapPage::newControls() {
    auto *bar = new Card(this); // input fields need a card behind them to stand out
    auto *row = new QHBoxLayout;
    bar->contentLayout()->addLayout(row);
    row->setSpacing(8);
    const auto add = [&](const QString &name, const QString &object, QWidget *field) {
        row->addWidget(new TextLabel(name, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, bar));
        field->setObjectName(object);
        field->setAccessibleName(name);
        row->addWidget(field);
    };
    for (QLineEdit *list : {m_sizes, m_nodes})
        list->setFixedWidth(listWidth);
    m_sequence->setRange(1, longestSequence);
    m_batch->setRange(1, largestBatch);
    showQuestion();
    m_sequence->setVisibleDigits(7);
    m_batch->setVisibleDigits(7);
    add(tr("Sizes"), QStringLiteral("mapSizes"), m_sizes);
    add(tr("Nodes"), QStringLiteral("mapNodes"), m_nodes);
    add(tr("Sequence"), QStringLiteral("mapSequence"), m_sequence);
    add(tr("Batch"), QStringLiteral("mapBatch"), m_batch);
    m_own->setObjectName(QStringLiteral("mapOwnBatch"));
    m_own->setToolTip(tr("Model sizes and node counts around the plan's own, with its sequence length and batch size"));
    m_playbook->setObjectName(QStringLiteral("mapPlaybook"));
    m_playbook->setToolTip(
        tr("Model sizes, node counts, sequence length and batch size of the Ultra-Scale Playbook's map, for "
           "which measured runs are available"));
    for (QPushButton *button : {m_own, m_playbook}) {
        setButtonRole(button, ButtonRole::Flat);
        row->addWidget(button);
    }
    row->addStretch(1);
    row->addWidget(m_progress, 0, Qt::AlignVCenter);
    m_cancel->setObjectName(QStringLiteral("mapStop"));
    row->addWidget(m_cancel);
    for (QLineEdit *list : {m_sizes, m_nodes})
        connect(list, &QLineEdit::editingFinished, this, &MapPage::readLists);
    for (IntegerBox *box : {m_sequence, m_batch})
        connect(box, &IntegerBox::edited, this, &MapPage::readLists);
    connect(m_own, &QPushButton::clicked, this, [this] {
        m_asked = false;
        m_around = {};
        startAround(m_view.plan);
        ask();
        showState();
    });
    connect(m_playbook, &QPushButton::clicked, this, [this] {
        m_asked = true;
        const MapQuestion playbook;
        m_question.parameters = playbook.parameters;
        m_question.nodes = playbook.nodes;
        m_question.sequence_length = playbook.sequence_length;
        m_question.global_sequences = playbook.global_sequences;
        showQuestion();
        ask();
        showState();
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_runner->isBusy())
            m_runner->cancel();
        else
            ask();
        showState();
    });
    return bar;
}

Card *MapPage::newSide() {
    auto *card = new Card(tr("Configuration"), {}, this);
    card->setFixedWidth(sideWidth);
    m_title->setObjectName(QStringLiteral("mapCellTitle"));
    m_rows->setObjectName(QStringLiteral("mapCellRows"));
    m_measured->setObjectName(QStringLiteral("mapCellMeasured"));
    m_apply->setObjectName(QStringLiteral("mapApply"));
    setButtonRole(m_apply, ButtonRole::Primary);
    m_title->setWordWrap(true);
    showsNoFigures(m_title, NotFigures::name);
    for (QWidget *part : std::initializer_list<QWidget *>{m_title, m_rows, m_measured})
        card->contentLayout()->addWidget(part);
    m_chart->setPathOf(
        [this](const MapCell &cell) { return cell.best ? changed("step.mfu", patchOf(cell)) : FigureRef(); });
    card->contentLayout()->addStretch(1);
    card->contentLayout()->addWidget(m_apply);
    connect(m_apply, &QPushButton::clicked, this, &MapPage::apply);
    return card;
}

void MapPage::showQuestion() {
    m_sizes->setText(listText(m_question.parameters, Quantity::parameters));
    m_nodes->setText(listText(m_question.nodes, Quantity::count));
    for (QLineEdit *list : {m_sizes, m_nodes})
        list->home(false);
    m_sequence->setValue(m_question.sequence_length);
    m_batch->setValue(m_question.global_sequences);
}

void MapPage::startAround(const Plan &plan) {
    if (m_asked || (plan.model == m_around.model && plan.cluster == m_around.cluster && plan.batch == m_around.batch))
        return;
    m_around = plan;
    const double own = parameters_of(plan.model).total;
    const std::int64_t nodes = std::max<std::int64_t>(
        1, plan.site_accelerators() / std::max<std::int64_t>(1, plan.cluster.accelerators_per_node));
    m_question.parameters.clear();
    for (const double factor : {0.25, 0.5, 1.0, 2.0})
        m_question.parameters.push_back(
            *quantity_from(text_of(std::clamp(factor * own, 1e6, 1e14), Quantity::parameters), Quantity::parameters));
    m_question.nodes.clear();
    for (const std::int64_t shift : {8, 4, 2, 1})
        if (nodes / shift >= 1 && (m_question.nodes.empty() || nodes / shift > m_question.nodes.back()))
            m_question.nodes.push_back(nodes / shift);
    m_question.nodes.push_back(std::min<std::int64_t>(2 * nodes, 100'000));
    m_question.sequence_length = plan.batch.sequence_length;
    m_question.global_sequences = plan.batch.global_sequences;
    showQuestion();
}

void MapPage::showPlan(const PlanView &view) {
    m_view = view;
    if (view.valid)
        startAround(view.plan);
    if (isVisible())
        ask();
    showState();
}

void MapPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    ask();
    showState();
}

void MapPage::readLists() {
    const std::vector<double> sizes = listFrom(m_sizes->text(), Quantity::parameters, 1e6, 1e14);
    const std::vector<double> nodes = listFrom(m_nodes->text(), Quantity::count, 1, 100'000);
    const bool goodSizes = !sizes.empty() && sizes.size() <= max_map_sizes;
    const bool goodNodes = !nodes.empty() && nodes.size() <= max_map_columns;
    refuse(*m_sizes,
           goodSizes ? QString() : tr("Up to %1 model sizes from 1M to 100T, comma-separated").arg(max_map_sizes));
    refuse(*m_nodes,
           goodNodes ? QString() : tr("Up to %1 node counts from 1 to 100,000, comma-separated").arg(max_map_columns));
    if (!goodSizes || !goodNodes)
        return;
    m_asked = m_asked || m_sizes->text() != listText(m_question.parameters, Quantity::parameters)
        || m_nodes->text() != listText(m_question.nodes, Quantity::count)
        || m_question.sequence_length != m_sequence->value() || m_question.global_sequences != m_batch->value();
    m_question.parameters = sizes;
    m_question.nodes.assign(nodes.begin(), nodes.end());
    m_question.sequence_length = m_sequence->value();
    m_question.global_sequences = m_batch->value();
    ask();
    showState();
}

void MapPage::ask() {
    // While the plan is invalid, the map of the last valid plan stays.
    if (!m_view.valid || m_view.document == nullptr)
        return;
    m_question.plan = familyOf(m_view.plan);
    m_runner->ask(m_question);
}

void MapPage::receive(const MapAnswer &answer) {
    m_problem = answer.problem;
    if (answer.map != nullptr)
        m_chart->setMap(answer.map);
    showState();
}

void MapPage::showState() {
    const ConfigurationMap *const map = m_chart->map();
    const bool busy = m_runner->isBusy();
    const auto done = map == nullptr
        ? 0
        : std::count_if(map->cells.begin(), map->cells.end(), [](const MapCell &cell) { return cell.done; });
    const bool whole = map != nullptr && map->complete;
    m_cancel->setText(busy ? tr("Stop") : tr("Resume"));
    m_cancel->setVisible(m_view.valid && (busy || (map != nullptr && !whole)));
    if (!m_problem.isEmpty()) {
        m_progress->setSentence(m_problem);
    } else if (!m_view.valid) {
        m_progress->setSentence(map == nullptr ? QString() : tr("for the last valid plan"));
    } else if (map != nullptr) {
        const QString all = QString::number(map->cells.size());
        const QString seconds = figureText(map->seconds, Quantity::seconds);
        if (whole && !busy)
            m_progress->setSentence(tr("%1 cells in %2").arg(all, seconds));
        else
            m_progress->setSentence(tr("%1 of %2 cells").arg(QString::number(done), all));
    }
    m_chart->setEnabled(m_view.valid);
    const OrderSummary order = map == nullptr ? OrderSummary() : map->order();
    m_order->setVisible(order.groups > 0);
    m_order->setSentence(
        tr("%1 cells have measured runs, %2 configurations in total (\"ran\" marks the fastest). Medians over these "
           "cells: rank correlation of predicted and measured step times %3 (Spearman) and %4 (Kendall); the "
           "configuration predicted to be the fastest took %5 longer than the fastest measured one.")
            .arg(QString::number(order.groups), QString::number(order.runs), QString::number(order.spearman, 'f', 2),
                 QString::number(order.kendall, 'f', 2), shareText(order.choice_loss)));
}

QString MapPage::patchOf(const MapCell &cell) const {
    if (!cell.best || m_view.document == nullptr)
        return {};
    const nlohmann::ordered_json best = to_json(cell.best->plan);
    nlohmann::ordered_json after = *m_view.document;
    for (const char *key : {"cluster", "model", "parallelism", "batch", "recompute", "offload"})
        after[key] = best.at(key);
    after.erase("outer"); // the map's plans have a single site
    return QString::fromStdString(mergeDifference(*m_view.document, after).dump());
}

void MapPage::showCell() {
    const MapCell *const cell = m_chart->chosen();
    m_apply->setEnabled(cell != nullptr && cell->best && m_view.valid);
    m_measured->setVisible(cell != nullptr && cell->measured);
    if (cell == nullptr) {
        m_title->setText(tr("No cell selected"));
        m_rows->setSentence(
            tr("Click a cell to see its configuration; double-click it or press Enter to apply it to the plan."));
        return;
    }
    const HoverContent content = mapCellContent(*m_chart->map(), *cell);
    m_title->setText(content.title);
    std::vector<SentenceText> lines;
    if (cell->best) {
        const Plan &plan = cell->best->plan;
        for (const ConfigurationField field :
             {ConfigurationField::tensor, ConfigurationField::context, ConfigurationField::pipeline,
              ConfigurationField::chunks, ConfigurationField::expert, ConfigurationField::data,
              ConfigurationField::zero_stage, ConfigurationField::micro_sequences, ConfigurationField::schedule,
              ConfigurationField::recompute})
            lines.emplace_back(QStringLiteral("%1 %2").arg(layoutFieldText(field), layoutValueText(plan, field)));
        const QString patch = patchOf(*cell);
        const QString step = figureText(cell->best->step_seconds, Quantity::seconds);
        const QString mfu = shareText(cell->best->mfu);
        const QString peak = figureText(cell->best->peak_bytes, Quantity::bytes);
        lines.push_back(filled(tr("Step time %1, MFU %2"), said(step, changed("step.seconds", patch)),
                               said(mfu, changed("step.mfu", patch))));
        lines.push_back(filled(tr("Peak memory %1"), said(peak, changed("memory.peak_bytes", patch))));
    } else {
        lines.emplace_back(content.footnote);
    }
    m_rows->setSentence(joined(lines, QChar(QChar::LineSeparator)));
    if (cell->measured)
        showMeasured(*cell->measured, cell->best ? &*cell->best : nullptr);
}

void MapPage::showMeasured(const MeasuredBest &measured, const SearchEntry *best) {
    const QString count = tr("%1 measured configurations").arg(measured.order.count);
    const SentenceText step = ofMap(figureText(measured.step_seconds, Quantity::seconds), "cell_measured");
    const SentenceText predicted = ofMap(figureText(measured.predicted_seconds, Quantity::seconds), "cell_predicted");
    // The lead of the best predicted configuration over the fastest measured one is a product of two factors: the
    // better configuration, and the model's error.
    SentenceText text =
        filled(tr("Fastest of %1 (%2): %3, %4 per step, MFU %5. The model predicts %6 for it. Of those "
                  "measured, the model would have chosen %7, which is %8 slower."),
               count, QString::fromStdString(short_source(measured.source)), cellLayoutText(measured.plan), step,
               ofMap(shareText(measured.mfu), "cell_measured_mfu"), predicted, cellLayoutText(measured.chosen),
               ofMap(shareText(measured.order.choice_loss), "cell_choice_loss"));
    if (best != nullptr)
        text += QStringLiteral(" ")
            + filled(tr("Part of the best predicted configuration's lead is model error: for the fastest measured "
                        "configuration, the model predicts %1, but %2 was measured."),
                     predicted, step);
    m_measured->setSentence(text);
}

std::optional<Derivation> MapPage::derivationOf(const QString &figure) const {
    return mapDerivation(figure, m_chart->chosen());
}

void MapPage::apply() {
    const MapCell *const cell = m_chart->chosen();
    if (cell == nullptr || !cell->best || !m_view.valid)
        return;
    Q_EMIT edited({.field = {},
                   .subject = tr("Configuration: %1").arg(mapCellContent(*m_chart->map(), *cell).title),
                   .from = {},
                   .to = {},
                   .patch = patchOf(*cell).toStdString(),
                   .pace = EditPace::Settled});
}

} // namespace meshwright
