// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStringList>

namespace meshwright {

/// The column heads of a table of plans. A name that is wider than its column has a second line, which is shortened in
/// its middle, so that names with the same beginning can be told apart.
class PlanHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit PlanHeader(QWidget *parent);

    /// The lines of a head as they are drawn in a column.
    QStringList linesOf(const QString &name, int columnWidth) const;
    /// Leaves room for the names in columns of this width.
    void fitPlans(int columnWidth);
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;

private:
    QFont headFont() const;

    int m_lines = 1;
};

} // namespace meshwright
