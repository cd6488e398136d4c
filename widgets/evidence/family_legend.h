// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace meshwright {

/// A family of sources: color, name and number of rows. Unchecking it hides its rows.
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

class FamilyLegend : public QWidget {
    Q_OBJECT

public:
    explicit FamilyLegend(QWidget *parent = nullptr);

    void setFamilies(const QVector<EvidenceFamily> &families);
    /// Updates the number of rows of each family after filtering.
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
