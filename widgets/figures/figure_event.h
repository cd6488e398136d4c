// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QString>

class QWidget;

namespace meshwright {

/// Asks the window to open the making of a figure, or the plan field that a JSON pointer names: sent by what shows a
/// figure to itself, for FigureGuide to see, so that no view in between has to pass it on.
class FigureWantedEvent : public QEvent {
public:
    explicit FigureWantedEvent(QString path);
    static QEvent::Type wanted();
    const QString &path() const { return m_path; }

private:
    QString m_path;
};

/// Nothing where the path is empty.
void wantFigure(QWidget *from, const QString &path);

/// Why a widget and what is in it paint numbers that nothing opens.
enum class NotFigures {
    setting, ///< it is where they are set, or says what pressing it sets
    axis, ///< places along an axis, ranks, ticks
    name, ///< they belong to the name of something: a plan, a step of a list, a file
    making, ///< it is an explanation, and they open in it
    clock ///< how long the program itself took
};
void showsNoFigures(QWidget *widget, NotFigures why);
bool isWithoutFigures(const QWidget *widget);

} // namespace meshwright
