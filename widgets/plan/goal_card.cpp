// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/goal_card.h"

#include "controls/page_scroll.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "input/diagnostic.h"
#include "plan/goal_row.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace meshwright {

namespace {

QString nameOf(GoalFigure figure) {
    switch (figure) {
    case GoalFigure::step:
        return GoalCard::tr("Step time at most");
    case GoalFigure::days:
        return GoalCard::tr("Run time at most");
    case GoalFigure::mfu:
        return GoalCard::tr("MFU at least");
    case GoalFigure::tokens_per_second:
        return GoalCard::tr("Tokens/s at least");
    case GoalFigure::cost:
        return GoalCard::tr("Rental cost at most");
    case GoalFigure::energy:
        return GoalCard::tr("Energy at most");
    case GoalFigure::headroom:
    case GoalFigure::headroom_share:
        return GoalCard::tr("Headroom at least");
    case GoalFigure::fit:
        return GoalCard::tr("Fit probability at least");
    case GoalFigure::accelerators:
        return GoalCard::tr("Accelerators at most");
    case GoalFigure::utilisation:
        return GoalCard::tr("Compute utilization at least");
    case GoalFigure::goodput:
        break;
    }
    return GoalCard::tr("Goodput at least");
}

QString exampleOf(GoalFigure figure) {
    switch (figure) {
    case GoalFigure::step:
        return GoalCard::tr("10 s");
    case GoalFigure::days:
        return GoalCard::tr("30 days");
    case GoalFigure::mfu:
        return GoalCard::tr("45%");
    case GoalFigure::tokens_per_second:
        return GoalCard::tr("2e6");
    case GoalFigure::cost:
        return GoalCard::tr("$2M");
    case GoalFigure::energy:
        return GoalCard::tr("3 GWh");
    case GoalFigure::headroom:
    case GoalFigure::headroom_share:
        return GoalCard::tr("8 GB");
    case GoalFigure::fit:
        return GoalCard::tr("90%");
    case GoalFigure::accelerators:
        return GoalCard::tr("512");
    case GoalFigure::utilisation:
        return GoalCard::tr("95%");
    case GoalFigure::goodput:
        break;
    }
    return GoalCard::tr("98%");
}

constexpr int inside = 16; ///< horizontal padding in pixels
constexpr int above = 12; ///< vertical padding in pixels
constexpr int between = 8;
constexpr int valueWidth = 128;

} // namespace

GoalCard::GoalCard(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_library(library)
    , m_search(
          this,
          [this](const Question &question, const std::stop_token &stop) {
              SeekOptions options;
              options.stop = stop;
              if (question.keepsHardware)
                  std::erase(options.kinds, ChangeKind::hardware);
              return AnswerPointer(
                  std::make_shared<GoalAnswer>(seek(question.plan, question.goal, m_library, options)));
          },
          [this](const AnswerPointer &answer) { receive(answer); }) {
    setObjectName(QStringLiteral("goalCard"));
    setAccessibleName(tr("Goal"));
    setFocusPolicy(Qt::ClickFocus);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(inside, above, inside, above);
    column->setSpacing(between);
    m_heading = newHeading();
    column->addWidget(m_heading);
    m_status = new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    m_status->setObjectName(QStringLiteral("goalStatus"));
    column->addWidget(m_status);
    m_scroll = new QScrollArea(this);
    auto *body = new QWidget;
    m_list = new QVBoxLayout(body);
    m_list->setContentsMargins(0, 0, 8, 0);
    m_list->setSpacing(4);
    m_list->addStretch(1);
    scrollPage(m_scroll, body);
    column->addWidget(m_scroll, 1);
    hide();
}

QWidget *GoalCard::newHeading() {
    auto *heading = new QWidget(this);
    auto *lines = new QVBoxLayout(heading);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(8);
    m_which = new Segmented(heading);
    m_which->setObjectName(QStringLiteral("goalFigure"));
    m_value = new QLineEdit(heading);
    m_value->setObjectName(QStringLiteral("goalValue"));
    m_value->setFixedWidth(valueWidth);
    m_value->setAccessibleName(tr("Goal value"));
    m_find = new QPushButton(tr("Find"), heading);
    m_find->setObjectName(QStringLiteral("findGoal"));
    setButtonRole(m_find, ButtonRole::Primary);
    m_keepHardware = new ToggleSwitch(tr("Keep hardware"), heading);
    m_keepHardware->setCheckable(true);
    m_keepHardware->setObjectName(QStringLiteral("keepHardware"));
    m_keepHardware->setToolTip(tr("Tries only changes that leave nodes, accelerators, sites and links unchanged"));
    m_close = new QToolButton(heading);
    m_close->setObjectName(QStringLiteral("closeGoal"));
    m_close->setAccessibleName(tr("Close"));
    m_close->setToolTip(tr("Close (Esc)"));
    m_close->setIcon(icons::icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    auto *first = new QHBoxLayout;
    first->setSpacing(8);
    first->addWidget(m_which);
    first->addStretch(1);
    first->addWidget(m_close);
    auto *second = new QHBoxLayout;
    second->setSpacing(8);
    second->addWidget(m_value);
    second->addWidget(m_find);
    second->addSpacing(8);
    second->addWidget(m_keepHardware);
    second->addWidget(
        new TextLabel(tr("Keep hardware"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, heading));
    second->addStretch(1);
    lines->addLayout(first);
    lines->addLayout(second);
    connect(m_which, &Segmented::currentChanged, this, [this] {
        m_value->clear();
        m_value->setPlaceholderText(exampleOf(figure()));
        forget({});
    });
    connect(m_value, &QLineEdit::returnPressed, this, &GoalCard::find);
    connect(m_value, &QLineEdit::textEdited, this, [this] { setFieldState(m_value, FieldState::Normal); });
    connect(m_find, &QPushButton::clicked, this, [this] {
        if (m_search.isBusy())
            forget(tr("Stopped."));
        else
            find();
    });
    connect(m_keepHardware, &QAbstractButton::toggled, this, [this] {
        if (m_answer != nullptr)
            find();
    });
    connect(m_close, &QToolButton::clicked, this, &GoalCard::close);
    return heading;
}

void GoalCard::openFor(const std::vector<GoalFigure> &figures) {
    if (isHidden())
        m_cameFrom = QApplication::focusWidget();
    if (figures != m_figures) {
        m_figures = figures;
        m_which->clear();
        for (const GoalFigure figure : figures)
            m_which->addSegment(nameOf(figure));
        m_value->clear();
        forget({});
    }
    m_value->setPlaceholderText(exampleOf(figure()));
    show();
    raise();
    m_value->setFocus(Qt::ShortcutFocusReason);
    m_value->selectAll();
    Q_EMIT resized();
}

void GoalCard::seekGoal(const std::vector<GoalFigure> &figures, const QString &value) {
    openFor(figures);
    m_which->setCurrentIndex(0);
    m_value->setText(value);
    find();
}

int GoalCard::heightFor(int width) const {
    const int inner = width - 2 * inside;
    int rows = 0;
    for (const GoalRow *row : m_rows)
        if (!row->isHidden())
            rows += row->heightForWidth(inner - between) + m_list->spacing();
    return 2 * above + m_heading->sizeHint().height() + between + m_status->heightForWidth(inner)
        + (rows > 0 ? 2 * between + rows : 0);
}

void GoalCard::close() {
    m_search.cancel();
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && m_cameFrom != nullptr && m_cameFrom->isVisible())
        m_cameFrom->setFocus(Qt::OtherFocusReason);
}

void GoalCard::showPlan(const PlanView &view) {
    const bool same = view.plan == m_plan && view.valid == m_valid;
    m_plan = view.plan;
    m_valid = view.valid;
    m_result = view.result;
    if (same)
        return;
    if (std::exchange(m_applying, false) && !isHidden()) {
        find(); // the search then reports that the goal is reached
        return;
    }
    forget(m_answer != nullptr ? tr("The plan has changed. Press Enter to search again.") : QString());
}

GoalFigure GoalCard::figure() const {
    const int current = m_which->currentIndex();
    return current < 0 || current >= static_cast<int>(m_figures.size()) ? GoalFigure::days
                                                                        : m_figures[static_cast<std::size_t>(current)];
}

void GoalCard::find() {
    if (!m_valid) {
        forget(tr("This plan has errors: fix them first."));
        return;
    }
    const QString typed = m_value->text().trimmed().isEmpty() ? m_value->placeholderText() : m_value->text();
    Question question{.plan = m_plan, .goal = {}, .keepsHardware = m_keepHardware->isChecked()};
    try {
        question.goal = goal_for(figure(), typed.trimmed().toStdString());
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        setFieldState(m_value, FieldState::Rejected);
        forget(QString::fromStdString(first.message.text + "; " + first.expected.text));
        return;
    }
    if (question.goal.figure == GoalFigure::headroom_share) {
        question.goal.figure = GoalFigure::headroom;
        question.goal.value *= m_plan.cluster.accelerator.memory_bytes;
    }
    if (m_value->text().trimmed().isEmpty())
        m_value->setText(typed);
    setFieldState(m_value, FieldState::Normal);
    forget(tr("Searching for the fewest changes …"));
    m_find->setText(tr("Stop"));
    m_search.ask(question);
}

void GoalCard::forget(const QString &words) {
    m_search.cancel();
    m_answer.reset();
    m_find->setText(tr("Find"));
    showRows({});
    say(words.isEmpty()
            ? tr("Sorted by number of changed fields, then by cost. Tokens, model and batch stay unchanged.")
            : words);
}

void GoalCard::say(const QString &words) {
    m_status->setSentence(words);
    m_status->setAccessibleName(words);
}

QString GoalCard::status() const {
    return m_status->text();
}

void GoalCard::receive(const AnswerPointer &answer) {
    m_answer = answer;
    m_find->setText(tr("Find"));
    showAnswer();
}

void GoalCard::showAnswer() {
    const GoalAnswer &answer = *m_answer;
    const QString goal = QString::fromStdString(text_of(answer.goal));
    const QString now = answer.value ? QString::fromStdString(text_of(*answer.value, answer.goal.figure)) : QString();
    const SentenceText nowSaid = said(now, QString::fromStdString(std::string(definition_of(answer.goal.figure).path)));
    const QString tried = countText(static_cast<double>(answer.considered));
    std::vector<const Proposal *> shown;
    if (answer.reached) {
        m_status->setSentence(filled(tr("Already reached: now %1."), nowSaid));
    } else if (!answer.proposals.empty()) {
        m_status->setSentence(filled(tr("%1; now %2. %3 changes tried."), goal, nowSaid, tried));
        for (const Proposal &proposal : answer.proposals)
            shown.push_back(&proposal);
    } else {
        m_status->setSentence(
            tr("No change that was tried reaches the goal. %1.").arg(QString::fromStdString(answer.limit)));
        if (answer.nearest)
            shown.push_back(&*answer.nearest);
    }
    m_status->setAccessibleName(m_status->text());
    showRows(shown);
}

void GoalCard::showRows(const std::vector<const Proposal *> &proposals) {
    while (m_rows.size() < proposals.size()) {
        auto *row = new GoalRow(this);
        const std::size_t place = m_rows.size();
        connect(row, &GoalRow::applied, this, [this, place] { apply(place); });
        m_list->insertWidget(static_cast<int>(place), row);
        m_rows.push_back(row);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (i < proposals.size())
            m_rows[i]->showProposal(*m_answer, *proposals[i],
                                    m_answer->proposals.empty() ? 0 : static_cast<int>(i) + 1);
        m_rows[i]->setVisible(i < proposals.size());
    }
    Q_EMIT resized();
}

void GoalCard::apply(std::size_t row) {
    if (m_answer == nullptr)
        return;
    const Proposal &proposal = m_answer->proposals.empty() ? *m_answer->nearest : m_answer->proposals[row];
    const PlanEdit edit{.field = {},
                        .subject = QString::fromStdString(proposal.title),
                        .from = {},
                        .to = {},
                        .patch = proposal.patch,
                        .pace = EditPace::Settled};
    m_applying = true;
    Q_EMIT edited(edit);
}

void GoalCard::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

void GoalCard::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    raise();
}

void GoalCard::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    painter.fillRect(rect(), Qt::transparent);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), theme.colour(ColourRole::Raised),
                      theme.colour(ColourRole::LineStrong));
}

} // namespace meshwright
