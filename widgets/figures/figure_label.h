// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "theme/roles.h"

#include <QAbstractButton>

namespace meshwright {

/// A figure in a line or table. It looks like a label until hovered, and a press opens its derivation. If there is too
/// little room, it is elided. Without a figure it is a plain label.
class FigureLabel : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit FigureLabel(TypeRole type = TypeRole::Body, ColourRole colour = ColourRole::Text,
                         TextWeight weight = TextWeight::Regular, QWidget *parent = nullptr);

    /// @param figure  may be empty
    void setFigure(const QString &text, const FigureRef &figure);
    void setAlignment(Qt::Alignment alignment);
    void setColour(ColourRole colour);

    QList<FigureRef> figures() const override {
        return m_figure.isEmpty() ? QList<FigureRef>() : QList<FigureRef>{m_figure};
    }
    FigureRef figureAt(const QPoint &) const override { return m_figure; }
    FigureRef currentFigure() const override { return m_figure; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    FigureRef m_figure;
    TypeRole m_type;
    ColourRole m_colour;
    TextWeight m_weight;
    Qt::Alignment m_alignment = Qt::AlignRight | Qt::AlignVCenter;
};

} // namespace meshwright
