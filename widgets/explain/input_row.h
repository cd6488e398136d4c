// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "formulas/derivation.h"

#include <QAbstractButton>

namespace meshwright {

/// An input of a formula: title, value, symbol and origin. Pressing it opens the input.
class InputRow : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit InputRow(QWidget *parent = nullptr);
    /// @param symbol  the input's symbol in the formula; empty if no formula is shown
    void showInput(const Derivation &input, const QString &symbol);
    QString name() const { return m_name; }
    /// Tints the row, because the pointer is on its symbol in the formula.
    void setLit(bool lit);

    // No figures, because a press opens the input in the tree next to the card instead of a derivation of its own.
    QList<FigureRef> figures() const override { return {}; }
    FigureRef figureAt(const QPoint &) const override { return {}; }
    FigureRef currentFigure() const override { return {}; }
    bool opensAt(const QPoint &) const override { return true; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {minWidth, 0}; }

Q_SIGNALS:
    void hovered(bool is);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    static constexpr int minWidth = 120;
    static constexpr int lowerHeight = 16; ///< height in pixels of the line with symbol and origin
    /// Rectangle that the wrapped title takes if the row has the given width.
    QRect titleArea(int width) const;

    QString m_name;
    QString m_symbol;
    QString m_title;
    QString m_value;
    QString m_origin;
    bool m_lit = false;
};

} // namespace meshwright
