// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "views/fix_button.h"

#include <QWidget>

#include <optional>

class QBoxLayout;

namespace meshwright {

class FigureLabel;
class FigureSentence;
class IconLabel;

/// One diagnostic: severity, message with its numbers, expected value or consequence, and a button for each fix.
class ProblemRow : public QWidget {
    Q_OBJECT

public:
    static constexpr int MaxFixes = 3;

    explicit ProblemRow(QWidget *parent = nullptr);
    /// @param field  name of the wrong field, shown before the message; may be empty
    /// @param changes  describes what a fix changes; may be null
    void setDiagnostic(const Diagnostic &diagnostic, const QString &field, const FixButton::Changes &changes);

    /// The minimum width is that of the widest fix, because fixes are stacked if one line has no room for all.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void fixChosen(const meshwright::Fix &fix);
    /// Emitted when the fix under the pointer or with the focus changes. `fix` is empty if there is none.
    void fixConsidered(const std::optional<meshwright::Fix> &fix);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    /// Puts fixes to the right of the text, or below it if less than half of the row would remain for the text.
    void arrange();
    int fixWidth(std::size_t fix) const;
    void setFixes(const std::vector<Fix> &fixes, const FixButton::Changes &changes);
    void addFix();

    std::optional<Diagnostic> m_diagnostic;
    QString m_field;
    IconLabel *m_icon;
    FigureSentence *m_message;
    FigureSentence *m_expected;
    QBoxLayout *m_textAndFixes;
    QBoxLayout *m_fixes;
    std::vector<FixButton *> m_buttons;
    std::vector<FigureLabel *> m_gains; ///< gain of each fix, shown next to its button
};

} // namespace meshwright
