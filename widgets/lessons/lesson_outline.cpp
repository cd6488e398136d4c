// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_outline.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace meshwright {

class ProgressLine : public QWidget {
public:
    explicit ProgressLine(QWidget *parent)
        : QWidget(parent) {
        setFixedHeight(4);
    }
    void setShare(double share) {
        m_share = share;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        const Theme &theme = Theme::of(this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(ColourRole::Line));
        painter.drawRoundedRect(rect(), 2, 2);
        painter.setBrush(theme.colour(ColourRole::Accent));
        painter.drawRoundedRect(QRectF(0, 0, width() * m_share, height()), 2, 2);
    }

private:
    double m_share = 0;
};

namespace {

constexpr int ringSize = 16;

/// A progress ring. The filled part is the completed fraction of the lesson.
QIcon ring(double share, qreal ratio) {
    const Theme &theme = Theme::current();
    QPixmap pixmap(QSize(ringSize, ringSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF circle(2.5, 2.5, ringSize - 5, ringSize - 5);
    painter.setPen(QPen(theme.colour(ColourRole::Line), 3));
    painter.drawEllipse(circle);
    if (share > 0) {
        painter.setPen(
            QPen(theme.colour(share >= 1 ? ColourRole::Good : ColourRole::Accent), 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawArc(circle, 90 * 16, qRound(-360 * 16 * share));
    }
    return QIcon(pixmap);
}

} // namespace

LessonOutline::LessonOutline(QWidget *parent)
    : QWidget(parent)
    , m_count(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_line(new ProgressLine(this))
    , m_tree(new QTreeWidget(this)) {
    setObjectName(QStringLiteral("lessonOutline"));
    showsNoFigures(this, NotFigures::statistic);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 8, 8);
    column->setSpacing(8);
    auto *head = new QHBoxLayout;
    head->addWidget(
        new TextLabel(tr("Training at scale"), TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this));
    head->addStretch(1);
    head->addWidget(m_count);
    column->addLayout(head);
    column->addWidget(m_line);
    column->addWidget(m_tree, 1);
    m_tree->setObjectName(QStringLiteral("lessonTree"));
    m_tree->setAccessibleName(tr("Lessons"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(20);
    m_tree->setIconSize({ringSize, ringSize});
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (m_selecting || item == nullptr)
            return;
        QTreeWidgetItem *const lesson = item->parent() == nullptr ? item : item->parent();
        // A click on a lesson opens its current step. With the keyboard, the lesson's row stays selected; otherwise, Up
        // could never move past the first step.
        m_staysOnLesson = item == lesson && QGuiApplication::mouseButtons() == Qt::NoButton;
        Q_EMIT stepWanted(m_tree->indexOfTopLevelItem(lesson),
                          item->parent() == nullptr ? -1 : lesson->indexOfChild(item));
        m_staysOnLesson = false;
    });
    m_tree->installEventFilter(this);
}

void LessonOutline::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), Theme::of(this).colour(ColourRole::Panel));
}

bool LessonOutline::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_tree || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<const QKeyEvent *>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    Q_EMIT stepEntered();
    return true;
}

void LessonOutline::setLessons(const std::vector<std::shared_ptr<const Lesson>> &lessons) {
    m_selecting = true;
    m_lessons = lessons;
    m_tree->clear();
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const QString title = QString::fromStdString(lessons[i]->title);
        auto *lesson = new QTreeWidgetItem(m_tree, {tr("%1. %2").arg(i + 1).arg(title)});
        lesson->setToolTip(0, QString::fromStdString(lessons[i]->summary).toHtmlEscaped());
        lesson->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        for (const LessonStep &step : lessons[i]->steps)
            new QTreeWidgetItem(lesson, {QString::fromStdString(step.title)});
    }
    m_selecting = false;
}

void LessonOutline::showProgress(const LessonProgress &progress) {
    int done = 0, all = 0;
    QPixmap clear(ringSize, ringSize); // empty icon that aligns the titles of all steps
    clear.fill(Qt::transparent);
    const QIcon empty(clear);
    for (int i = 0; i < static_cast<int>(m_lessons.size()); ++i) {
        const Lesson &lesson = *m_lessons[static_cast<std::size_t>(i)];
        const int own = progress.doneOf(lesson), steps = static_cast<int>(lesson.steps.size());
        done += own;
        all += steps;
        QTreeWidgetItem *const item = m_tree->topLevelItem(i);
        item->setIcon(0, ring(static_cast<double>(own) / std::max(steps, 1), devicePixelRatioF()));
        item->setText(1, own == steps ? QString() : tr("%1/%2").arg(own).arg(steps));
        for (int step = 0; step < steps; ++step) {
            const bool isDone =
                progress.isDone(QString::fromStdString(lesson.id),
                                QString::fromStdString(lesson.steps[static_cast<std::size_t>(step)].id));
            item->child(step)->setIcon(0, isDone ? icons::icon(QStringLiteral("ok"), ColourRole::Good) : empty);
        }
    }
    m_count->setText(tr("%1 of %2").arg(done).arg(all));
    m_line->setShare(all == 0 ? 0 : static_cast<double>(done) / all);
}

void LessonOutline::select(int lesson, int step) {
    m_selecting = true;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        m_tree->topLevelItem(i)->setExpanded(i == lesson);
    if (QTreeWidgetItem *const item = m_tree->topLevelItem(lesson); item != nullptr && !m_staysOnLesson)
        m_tree->setCurrentItem(step >= 0 && step < item->childCount() ? item->child(step) : item);
    m_selecting = false;
}

} // namespace meshwright
