// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/minimal_changes_card.h"

#include "controls/text_label.h"
#include "controls/unit_spin_box.h"
#include "evaluate/evaluate.h"
#include "figures/figure_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "plan/outer_symmetry.h"
#include "sites/repair_derivation.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>

namespace meshwright {
namespace {

constexpr double Year = 365;
constexpr double DaySeconds = 86400;

/// A text that opens the derivation of one figure of the changes found.
SentenceText ofRepair(const QString &text, const char *name) {
    return said(text, FigureRef::ofView(QLatin1String("repair.") + QLatin1String(name), FigureView::sites));
}

/// How many more tokens a larger batch needs, with sources.
SentenceText batchWords(const OuterRepair &repair) {
    if (repair.tokens.high == 1)
        return {};
    const auto times = [](double value) { return figureText(value, Quantity::number); };
    return filled(MinimalChangesCard::tr(" The change makes the batch larger. The same loss then takes %1 %2 as many "
                                         "tokens, with a critical batch size of %3 tokens "
                                         "(arXiv 2001.08361); the lower of these factors counts the batch of one site, "
                                         "the higher one that of all sites (arXiv 1812.06162)."),
                  ofRepair(MinimalChangesCard::tr("%1 to").arg(times(repair.tokens.low)), "tokens_low"),
                  ofRepair(MinimalChangesCard::tr("%1 times").arg(times(repair.tokens.high)), "tokens_high"),
                  ofRepair(figureText(repair.critical_batch_tokens, Quantity::tokens), "critical_batch"));
}

QString fitText(const Result &result) {
    const double headroom = result.verdict.headroom_bytes;
    return result.verdict.fits ? MinimalChangesCard::tr("%1 free").arg(figureText(headroom, Quantity::bytes))
                               : MinimalChangesCard::tr("%1 over capacity").arg(figureText(-headroom, Quantity::bytes));
}

QString unprovenWords(const OuterRepair &repair) {
    QString words;
    for (const std::string &outside : repair.unproven)
        words += QLatin1Char(' ')
            + MinimalChangesCard::tr("Beyond published results: %1.").arg(QString::fromStdString(outside));
    return words;
}

} // namespace

MinimalChangesCard::MinimalChangesCard(const Library &library, QWidget *parent)
    : Card(tr("Minimal changes that meet the deadline"), tr("fewest changed fields first"), parent)
    , m_days(new UnitSpinBox(this))
    , m_find(new QPushButton(tr("Find"), this))
    , m_apply(new QPushButton(tr("Apply"), this))
    , m_words(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_table(new QWidget(this))
    , m_grid(new QGridLayout(m_table))
    , m_search(
          this,
          [&library](const Question &question, const std::stop_token &stop) {
              auto answer = std::make_shared<Answer>();
              answer->before = evaluate(question.plan, Depth::numbers);
              answer->repair = repair_outer(question.plan, library, question.days, stop);
              return AnswerPointer(answer);
          },
          [this](const AnswerPointer &answer) { receive(answer); }) {
    setObjectName(QStringLiteral("leastChanges"));
    m_days->setUnit(tr("days"));
    m_days->setRange(1e-3, 1e6);
    m_days->setValue(Year);
    m_days->setFixedWidth(112);
    m_days->setAccessibleName(tr("Deadline in days"));
    m_days->setObjectName(QStringLiteral("daysToEndIn"));
    m_find->setObjectName(QStringLiteral("findLeastChanges"));
    m_apply->setObjectName(QStringLiteral("applyLeastChanges"));
    m_words->setObjectName(QStringLiteral("leastChangesWords"));
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(new TextLabel(tr("Within"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this));
    line->addWidget(m_days);
    line->addWidget(m_find);
    line->addStretch(1);
    line->addWidget(m_apply);
    contentLayout()->addLayout(line);
    contentLayout()->addWidget(m_words);
    contentLayout()->addWidget(m_table);
    contentLayout()->addStretch(1);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
    connect(m_find, &QPushButton::clicked, this, &MinimalChangesCard::find);
    connect(m_apply, &QPushButton::clicked, this, &MinimalChangesCard::apply);
    connect(m_days, &UnitSpinBox::edited, this, &MinimalChangesCard::forget);
    forget();
}

void MinimalChangesCard::showPlan(const PlanView &view) {
    const bool same = view.plan == m_plan && view.valid == m_valid;
    m_plan = view.plan;
    m_valid = view.valid;
    m_result = view.freshness == Freshness::Fresh ? view.result : nullptr;
    if (!same)
        forget();
    else if (m_answer == nullptr)
        summarise();
}

bool MinimalChangesCard::canSearch() const {
    return m_valid && m_plan.outer.method != OuterMethod::none && !is_slow_to_follow(m_plan);
}

void MinimalChangesCard::look() {
    const bool missed =
        m_result != nullptr && m_result->outer && (m_result->run.days > m_days->value() || !m_result->verdict.fits);
    if (missed && canSearch() && m_answer == nullptr && !m_search.isBusy())
        find();
}

void MinimalChangesCard::summarise() {
    if (m_answer != nullptr && m_answer->repair && m_answer->repair->fields > 0) {
        const OuterRepair &repair = *m_answer->repair;
        const QString before = figureText(m_answer->before.run.seconds, Quantity::seconds);
        const QString after = figureText(repair.result.run.seconds, Quantity::seconds);
        Q_EMIT summarised(
            filled(
                tr("Minimal changes that meet the deadline: %1. Run %2 → %3."), QString::fromStdString(repair.title),
                said(before, "run.seconds"),
                said(after, FigureRef::ofChanged(QStringLiteral("run.seconds"), QString::fromStdString(repair.patch)))),
            true);
        return;
    }
    const bool inTime = m_result != nullptr && m_result->verdict.fits && m_result->run.days <= m_days->value();
    QString words = tr("Set a deadline below to find the minimal changes that meet it.");
    if (m_search.isBusy())
        words = tr("Searching for the minimal changes that meet the deadline …");
    else if (m_answer != nullptr && !m_answer->repair)
        words = tr("None of the DiLoCo settings tried meets the deadline.");
    else if (inTime || m_answer != nullptr)
        words = tr("The plan as written meets the deadline.");
    else if (m_valid && is_slow_to_follow(m_plan))
        words = tr("With non-identical sites and this many fragments, the search would take too long.");
    Q_EMIT summarised(words, false);
}

void MinimalChangesCard::forget() {
    m_search.cancel();
    m_answer.reset();
    m_table->hide();
    m_apply->hide();
    m_find->setText(tr("Find"));
    m_find->setEnabled(canSearch());
    m_words->setSentence(
        m_valid && is_slow_to_follow(m_plan)
            ? tr("With non-identical sites and this many fragments, the search would take too long.")
            : tr("Tries more inner steps, overlap and fragments, sparser and lower-precision updates and a larger "
                 "batch, fewest changes first. Includes the extra tokens that a larger batch needs."));
    summarise();
}

void MinimalChangesCard::find() {
    if (m_search.isBusy()) {
        forget();
        return;
    }
    forget();
    m_find->setText(tr("Stop"));
    m_words->setSentence(tr("Searching …"));
    m_search.ask({m_plan, m_days->value()});
    summarise();
}

void MinimalChangesCard::receive(const AnswerPointer &answer) {
    m_answer = answer;
    m_find->setText(tr("Find"));
    if (!answer->repair) {
        m_words->setSentence(tr("None of the combinations of inner steps, overlap, fragments, formats and batch that "
                                "were tried meets the deadline."));
        summarise();
        return;
    }
    const OuterRepair &repair = *answer->repair;
    const bool nothing = repair.fields == 0;
    if (nothing)
        m_words->setSentence(tr("The plan as written meets the deadline."));
    else
        m_words->setSentence(
            filled(tr("Changes: %1. %2 tried."), QString::fromStdString(repair.title),
                   ofRepair(tr("%1 plans").arg(countText(static_cast<double>(repair.considered))), "considered"))
            + batchWords(repair) + unprovenWords(repair));
    showTable(answer->before, repair.result);
    m_apply->setVisible(!nothing);
    summarise();
}

void MinimalChangesCard::setRow(int row, const QString &name, const QString &before, const QString &after,
                                const FigureRef &figure) {
    const auto place = static_cast<std::size_t>(row);
    if (m_rows.size() <= place) {
        const auto cell = [&](int column) {
            auto *label = new FigureLabel(row == 0 ? TypeRole::Caption : TypeRole::Body,
                                          row == 0 ? ColourRole::Text2 : ColourRole::Text, TextWeight::Medium, m_table);
            m_grid->addWidget(label, row, column);
            return label;
        };
        auto *title = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Medium, m_table);
        m_grid->addWidget(title, row, 0);
        m_rows.push_back({title, cell(1), cell(2)});
    }
    const QString patch = QString::fromStdString(m_answer->repair->patch);
    const bool changed = m_answer->repair->fields > 0;
    const Row &shown = m_rows[place];
    shown.name->setText(name);
    shown.before->setFigure(before, figure);
    shown.after->setFigure(after,
                           changed && !figure.isEmpty() && figure.of<scope::Result>()
                               ? FigureRef::ofChanged(figure.name(), patch)
                               : figure);
}

void MinimalChangesCard::showTable(const Result &before, const Result &after) {
    int row = 0;
    const auto quantity = [&](const QString &name, double was, double is, Quantity of, const char *figure) {
        setRow(row++, name, figureText(was, of), figureText(is, of), QLatin1String(figure));
    };
    setRow(row++, {}, tr("as written"), tr("with changes"), {});
    setRow(row++, tr("Memory"), fitText(before), fitText(after), QStringLiteral("verdict.headroom_bytes"));
    quantity(tr("Step time"), before.step.seconds, after.step.seconds, Quantity::seconds, "step.seconds");
    quantity(tr("MFU"), before.step.mfu, after.step.mfu, Quantity::share, "step.mfu");
    quantity(tr("Compute utilization"), before.outer->utilisation, after.outer->utilisation, Quantity::share,
             "outer.utilisation");
    quantity(tr("Run time"), before.run.seconds, after.run.seconds, Quantity::seconds, "run.seconds");
    quantity(tr("Maximum loss penalty"), before.outer->loss_penalty_high, after.outer->loss_penalty_high,
             Quantity::share, "outer.loss_penalty_high");
    const OuterRepair &repair = *m_answer->repair;
    if (repair.tokens.high != 1)
        setRow(row++, tr("Maximum time to the same loss"), QStringLiteral("–"),
               figureText(repair.most_days * DaySeconds, Quantity::seconds),
               FigureRef::ofView(QStringLiteral("repair.most_days"), FigureView::sites));
    for (std::size_t place = 0; place < m_rows.size(); ++place)
        for (QWidget *cell : {static_cast<QWidget *>(m_rows[place].name), static_cast<QWidget *>(m_rows[place].before),
                              static_cast<QWidget *>(m_rows[place].after)})
            cell->setVisible(static_cast<int>(place) < row);
    m_table->show();
}

std::optional<Derivation> MinimalChangesCard::derivationOf(const QString &figure) const {
    return m_answer != nullptr && m_answer->repair ? repairDerivation(figure, m_answer->before.plan, *m_answer->repair)
                                                   : std::nullopt;
}

void MinimalChangesCard::apply() {
    if (m_answer == nullptr || !m_answer->repair)
        return;
    QString title = QString::fromStdString(m_answer->repair->title);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    Q_EMIT edited({.field = {},
                   .subject = title,
                   .from = {},
                   .to = {},
                   .patch = m_answer->repair->patch,
                   .pace = EditPace::Settled});
}

} // namespace meshwright
