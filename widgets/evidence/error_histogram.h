// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "evidence/evidence_set.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace meshwright {

class Theme;

/// Rows by the error of their prediction, stacked by family of sources. What lies beyond the ends is counted in the
/// outermost bars.
class ErrorHistogram : public QWidget {
    Q_OBJECT

public:
    static constexpr double Reach = 0.5; ///< errors of the outermost bars' outer edges
    static constexpr int Bars = 40;

    explicit ErrorHistogram(QWidget *parent = nullptr);

    void setPoints(const std::vector<EvidencePoint> &points, const QVector<EvidenceFamily> &families);
    /// Which bar counts an error.
    static int barOf(double error);
    /// Rows in a bar.
    int count(int bar) const;

    QSize sizeHint() const override { return {560, 150}; }
    QSize minimumSizeHint() const override { return {240, 84}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QRectF plot() const;
    QRectF column(int bar) const;
    void paintAxes(QPainter &painter, const Theme &theme) const;
    void paintBars(QPainter &painter, const Theme &theme) const;
    HoverContent contentOf(int bar) const;
    void point(std::optional<int> bar);

    using Stack = std::array<int, ColouredFamilies + 1>;
    std::array<Stack, Bars> m_stacks{};
    QVector<EvidenceFamily> m_families;
    int m_total = 0;
    int m_highest = 1;
    std::optional<int> m_pointed;
    HoverCardSlot m_card;
};

} // namespace meshwright
