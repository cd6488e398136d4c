// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/segmented.h"

#include "figures/figure_event.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>

#include <cmath>
#include <utility>

namespace meshwright {
namespace {

class SegmentButton : public QAbstractButton {
public:
    SegmentButton(const QString &text, QWidget *parent)
        : QAbstractButton(parent) {
        setText(text);
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override {
        // Reserves the width of the bolder font of the current segment, so that choosing another segment moves none of
        // them.
        const QFontMetricsF metrics(Theme::of(this).font(TypeRole::Body, TextWeight::SemiBold));
        return {int(std::ceil(metrics.horizontalAdvance(text()))) + 20, 24};
    }

    QSize minimumSizeHint() const override { return sizeHint() - QSize(12, 0); }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        const Theme &theme = Theme::of(this);
        const QRectF face = QRectF(rect()).adjusted(2, 2, -2, -2);
        if (isChecked())
            surfaces::rounded(painter, face, 4, theme.colour(theme.isDark() ? ColourRole::Window : ColourRole::Card),
                              theme.colour(theme.isDark() ? ColourRole::Raised : ColourRole::Line));
        else if (underMouse() && isEnabled())
            surfaces::rounded(painter, face, 4, theme.colour(ColourRole::Raised));
        painter.setFont(theme.font(TypeRole::Body, isChecked() ? TextWeight::SemiBold : TextWeight::Regular));
        QColor ink = theme.colour(isChecked() ? ColourRole::Text : ColourRole::Text2);
        if (!isEnabled())
            ink = mixed(theme.colour(ColourRole::Text3), theme.colour(ColourRole::Card), 0.35);
        painter.setPen(ink);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextSingleLine, text());
        if (showsFocusRing(this))
            surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
    }
};

} // namespace

Segmented::Segmented(QWidget *parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
    , m_layout(new QHBoxLayout(this)) {
    m_group->setExclusive(true);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int index, bool checked) {
        if (!checked)
            return;
        Q_EMIT currentChanged(index);
        if (!m_silent)
            Q_EMIT chosen(index);
    });
}

int Segmented::addSegment(const QString &text, const QString &toolTip) {
    auto *button = new SegmentButton(text, this);
    button->setToolTip(toolTip);
    showsNoFigures(button, NotFigures::setting);
    const int index = count();
    m_group->addButton(button, index);
    m_layout->addWidget(button);
    if (index == 0)
        setCurrentIndex(0);
    return index;
}

void Segmented::clear() {
    const bool before = std::exchange(m_silent, true);
    const QList<QAbstractButton *> buttons = m_group->buttons();
    for (QAbstractButton *button : buttons) {
        m_group->removeButton(button);
        delete button;
    }
    m_silent = before;
}

int Segmented::count() const {
    return int(m_group->buttons().size());
}

int Segmented::currentIndex() const {
    return m_group->checkedId();
}

QString Segmented::textOf(int index) const {
    const QAbstractButton *segment = button(index);
    return segment ? segment->text() : QString();
}

void Segmented::setSegmentEnabled(int index, bool enabled) {
    if (QAbstractButton *segment = button(index))
        segment->setEnabled(enabled);
}

QAbstractButton *Segmented::button(int index) const {
    return m_group->button(index);
}

void Segmented::setCurrentIndex(int index) {
    m_silent = true;
    if (QAbstractButton *segment = button(index))
        segment->setChecked(true);
    m_silent = false;
}

void Segmented::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Field), Theme::of(this).colour(ColourRole::Field));
}

} // namespace meshwright
