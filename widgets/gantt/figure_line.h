// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPair>
#include <QString>
#include <QVector>
#include <QWidget>

namespace meshwright {

/// Names with their figures in one line: "makespan 5.92 s  bubble 14.2 %". What has no room is left out from the end.
class FigureLine : public QWidget {
    Q_OBJECT

public:
    explicit FigureLine(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setFigures(const QVector<QPair<QString, QString>> &figures);
    const QVector<QPair<QString, QString>> &figures() const { return m_figures; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void describe();

    QString m_title;
    QVector<QPair<QString, QString>> m_figures;
};

} // namespace meshwright
