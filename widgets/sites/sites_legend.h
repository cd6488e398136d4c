// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

/// What colours and marks of the charts of sites mean, in one line; what has no room is left out from the end. At the
/// right stands what the pointer can do.
class SitesLegend : public QWidget {
    Q_OBJECT

public:
    explicit SitesLegend(QWidget *parent = nullptr);

    void setHint(const QString &hint);
    /// Whether sites leave and come back.
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
