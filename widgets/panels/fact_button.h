// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/fact_list.h"

#include <QAbstractButton>

namespace meshwright {

/// A fact that is pressed to have it explained. Looks like one that is not, until it is pointed at.
class FactButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit FactButton(QWidget *parent = nullptr);
    void setFact(const Fact &fact);
    QString figure() const { return m_fact.figure; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Fact m_fact;
};

} // namespace meshwright
