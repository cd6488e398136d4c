// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace meshwright {

/// A family of sources: its colour, name and rows. Unchecked, its rows are left out.
class FamilyButton : public QAbstractButton {
    Q_OBJECT

public:
    FamilyButton(int family, const EvidenceFamily &shown, QWidget *parent);

    void setCount(std::size_t rows);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, 20}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    friend class FamilyLegend;
    int m_family;
    QString m_count;
};

/// The families of a set, to be left out one by one.
class FamilyLegend : public QWidget {
    Q_OBJECT

public:
    explicit FamilyLegend(QWidget *parent = nullptr);

    void setFamilies(const QVector<EvidenceFamily> &families);
    /// The same families with the rows that a filter leaves of each.
    void setCounts(const QVector<EvidenceFamily> &left);
    QString countOf(int family) const;
    bool isShown(int family) const;

Q_SIGNALS:
    void changed();

private:
    QGridLayout *m_grid;
    QVector<EvidenceFamily> m_families;
    std::vector<FamilyButton *> m_buttons;
};

} // namespace meshwright
