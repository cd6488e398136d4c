// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_label.h"

#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>

#include <cmath>

namespace meshwright {

namespace {
constexpr int preferredWidth = 320;
constexpr QPointF topLeft(0, 1); ///< position of the formula in the widget
} // namespace

FormulaLabel::FormulaLabel(QWidget *parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMouseTracking(true);
}

void FormulaLabel::setFormula(const QString &result, const QString &formula, const QHash<QString, QString> &numbers) {
    m_result = result;
    m_formula = readFormula(formula);
    m_numbers = numbers;
    hover({});
    // Screen readers read the text of the painted formula.
    setAccessibleName(result.isEmpty() ? formula : tr("%1 = %2").arg(result, formula));
    updateGeometry();
    update();
}

void FormulaLabel::setFormula(const QString &result, const FormulaPart &formula, const QString &spoken,
                              const QHash<QString, QString> &numbers) {
    m_result = result;
    m_formula = formula;
    m_numbers = numbers;
    hover({});
    setAccessibleName(spoken);
    updateGeometry();
    update();
}

FormulaLayout FormulaLabel::layoutFor(int width) const {
    const auto names = [this](const QString &name) { return m_numbers.value(name); };
    return {m_result, *m_formula, names, Theme::of(this), qreal(width)};
}

void FormulaLabel::light(const QString &symbol) {
    m_lit = symbol;
    update();
}

void FormulaLabel::hover(const QString &symbol) {
    if (symbol == m_hovered)
        return;
    m_hovered = symbol;
    Q_EMIT symbolHovered(symbol);
}

void FormulaLabel::mouseMoveEvent(QMouseEvent *event) {
    hover(m_formula ? layoutFor(width()).symbolAt(event->position() - topLeft) : QString());
    QWidget::mouseMoveEvent(event);
}

void FormulaLabel::leaveEvent(QEvent *event) {
    hover({});
    QWidget::leaveEvent(event);
}

int FormulaLabel::heightForWidth(int width) const {
    return m_formula ? static_cast<int>(std::ceil(layoutFor(width).size().height())) + 2 : 0;
}

QSize FormulaLabel::sizeHint() const {
    return {preferredWidth, heightForWidth(std::max(width(), 80))};
}

void FormulaLabel::resizeEvent(QResizeEvent *event) {
    if (event->oldSize().width() != width())
        updateGeometry(); // lines wrap differently, so the height changes
}

void FormulaLabel::paintEvent(QPaintEvent *) {
    if (!m_formula)
        return;
    QPainter painter(this);
    layoutFor(width()).paint(painter, topLeft, Theme::of(this), m_lit);
}

} // namespace meshwright
