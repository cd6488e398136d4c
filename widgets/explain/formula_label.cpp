// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/formula_label.h"

#include "explain/formula_layout.h"

#include <QPainter>
#include <QResizeEvent>

#include <cmath>

namespace meshwright {

namespace {
constexpr int preferredWidth = 320;
}

FormulaLabel::FormulaLabel(QWidget *parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FormulaLabel::setFormula(const QString &result, const QString &formula, const QHash<QString, QString> &numbers) {
    m_result = result;
    m_formula = readFormula(formula);
    m_numbers = numbers;
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
    setAccessibleName(spoken);
    updateGeometry();
    update();
}

int FormulaLabel::heightForWidth(int width) const {
    if (!m_formula)
        return 0;
    const auto names = [this](const QString &name) { return m_numbers.value(name); };
    return static_cast<int>(
               std::ceil(FormulaLayout(m_result, *m_formula, names, Theme::of(this), width).size().height()))
        + 2;
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
    const auto names = [this](const QString &name) { return m_numbers.value(name); };
    const Theme &theme = Theme::of(this);
    FormulaLayout(m_result, *m_formula, names, theme, width()).paint(painter, {0, 1}, theme);
}

} // namespace meshwright
