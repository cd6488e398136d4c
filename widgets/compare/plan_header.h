// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStringList>

namespace meshwright {

/// Header of a table of plans. A name wider than its column gets a second line, shortened in the middle so that names
/// with the same beginning can be told apart.
class PlanHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit PlanHeader(QWidget *parent);

    QStringList linesOf(const QString &name, int columnWidth) const;
    void fitPlans(int columnWidth);
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;

private:
    QFont headFont() const;

    int m_lines = 1;
};

} // namespace meshwright
