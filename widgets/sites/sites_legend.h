// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

/// One-line legend of the colors and marks of the sites charts. Entries that do not fit are dropped from the end. A
/// hint about mouse and keyboard is on the right.
class SitesLegend : public QWidget {
    Q_OBJECT

public:
    explicit SitesLegend(QWidget *parent = nullptr);

    void setHint(const QString &hint);
    void setAbsences(bool absences);
    QSize sizeHint() const override { return {320, 20}; }
    QSize minimumSizeHint() const override { return {120, 20}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_hint;
    bool m_absences = false;
};

} // namespace meshwright
