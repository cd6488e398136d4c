// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/option_button.h"

#include <QPainter>
#include <QStyleOptionButton>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr int textFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextShowMnemonic;
constexpr int leastWidth = 160;
constexpr int usualWidth = 400;

} // namespace

OptionButton::OptionButton(const QString &text, QWidget *parent)
    : QRadioButton(text, parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int OptionButton::lineHeight() const {
    return QRadioButton::sizeHint().height();
}

int OptionButton::textLeft() const {
    QStyleOptionButton option;
    initStyleOption(&option);
    return style()->pixelMetric(QStyle::PM_ExclusiveIndicatorWidth, &option, this)
        + style()->pixelMetric(QStyle::PM_RadioButtonLabelSpacing, &option, this);
}

/// Bounding box of the wrapped text. Its first line is vertically centered on the round mark.
QRect OptionButton::textRect(int width) const {
    constexpr int high = 10000;
    const int top = (lineHeight() - fontMetrics().height()) / 2;
    const QRect room(textLeft(), top, std::max(1, width - textLeft()), high);
    return fontMetrics().boundingRect(room, textFlags, text());
}

int OptionButton::heightForWidth(int width) const {
    const QRect lines = textRect(width);
    return lines.top() + lines.bottom() + 1;
}

QSize OptionButton::sizeHint() const {
    const int width = std::min(usualWidth, QRadioButton::sizeHint().width());
    return {width, heightForWidth(std::max(width, this->width()))};
}

QSize OptionButton::minimumSizeHint() const {
    return {std::min(leastWidth, QRadioButton::sizeHint().width()), lineHeight()};
}

void OptionButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    const QString words = std::exchange(option.text, {});
    option.rect.setHeight(lineHeight());
    style()->drawControl(QStyle::CE_RadioButton, &option, &painter, this);
    const QRect room(textLeft(), textRect(width()).top(), width() - textLeft(), height());
    style()->drawItemText(&painter, room, textFlags, palette(), isEnabled(), words, QPalette::WindowText);
}

} // namespace meshwright
