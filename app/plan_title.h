// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

class TextField;
class TextLabel;

/// The plan's name in the header. A click turns it into a text field. Enter or loss of focus renames the plan; Esc
/// cancels.
class PlanTitle : public QWidget {
    Q_OBJECT

public:
    explicit PlanTitle(QWidget *parent = nullptr);

    /// @param notes  shown in the tool tip; may be empty
    void showName(const QString &name, const QString &notes);
    void edit();
    bool isEditing() const;

Q_SIGNALS:
    void renamed(const QString &name);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void close();

    QString m_name;
    TextLabel *m_label;
    TextField *m_field;
};

} // namespace meshwright
