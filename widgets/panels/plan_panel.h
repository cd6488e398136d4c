// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/integer_box.h"
#include "controls/quantity_box.h"
#include "theme/roles.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QHash>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

class QComboBox;
class QVBoxLayout;

namespace meshwright {

class OptionalQuantityBox;
class ToggleSwitch;

/// One panel of the left dock: controls for one part of the plan. It never changes the plan itself; it requests an edit
/// and then shows the edited plan. A field that a diagnostic names is marked, and its tool tip gives the reason.
class PlanPanel : public QWidget {
    Q_OBJECT

public:
    explicit PlanPanel(QWidget *parent = nullptr);

    /// @param view  must stay alive until the next call or outlive the panel, because only its address is stored
    void showPlan(const PlanView &view);
    /// Updates only the marks, because diagnostics may arrive after the plan.
    void showMarks(const PlanView &view) { markFields(view.diagnostics); }

    /// The control of the field at a JSON pointer, or of its nearest parent that has a control; null if there is none.
    QWidget *fieldAt(const QString &pointer) const;
    /// The label of the field at exactly this pointer; empty if the panel has no such field.
    QString nameOf(const QString &pointer) const;
    /// The value that a field's control shows: "8", "Interleaved 1F1B", "on".
    QString shownValue(const QString &pointer) const { return m_texts.value(pointer); }
    QStringList pointers() const { return m_fields.keys(); }

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// A slider drag that emitted live edits has ended.
    void dragFinished();
    /// The summary for the section's header line has changed.
    void summaryChanged(const QString &text, meshwright::Tone tone, const QString &figure);

protected:
    virtual void showFields(const PlanView &view) = 0;

    const PlanView &view() const { return *m_view; }
    QVBoxLayout *rows() const { return m_rows; }

    // Each function adds a row with a label and a control that edits the document's field at `pointer`. The row goes
    // into the layout `into`; if `into` is null, into the panel itself.
    QWidget *addRow(const QString &label, QWidget *control, const QString &pointer, QVBoxLayout *into = nullptr);
    IntegerBox *addInteger(const QString &label, const QString &pointer, qint64 low, qint64 high,
                           QVBoxLayout *into = nullptr);
    QuantityBox *addQuantity(const QString &label, const QString &pointer, Quantity quantity, double low, double high,
                             QVBoxLayout *into = nullptr);
    /// Adds a field that the document may omit. If it is omitted, the control shows `word`, such as "unlimited".
    OptionalQuantityBox *addOptional(const QString &label, const QString &pointer, Quantity quantity,
                                     const QString &word, double low, double high, QVBoxLayout *into = nullptr);
    /// @param words  values in the document
    /// @param texts  how they are shown; if empty, the words themselves
    QComboBox *addChoice(const QString &label, const QString &pointer, const std::vector<std::string> &words,
                         const QStringList &texts = {}, QVBoxLayout *into = nullptr);
    /// Adds two controls side by side in one row. Both must be registered as fields and have their tool tips already.
    QWidget *addPair(const QString &label, QWidget *first, QWidget *second, QVBoxLayout *into = nullptr);
    QComboBox *newChoice(const QString &label, const QString &pointer, const std::vector<std::string> &words,
                         const QStringList &texts);
    IntegerBox *newInteger(const QString &label, const QString &pointer, qint64 low, qint64 high);
    ToggleSwitch *addToggle(const QString &label, const QString &pointer, QVBoxLayout *into = nullptr);

    /// Sets the accessible name, and makes the control findable by pointer so that diagnostics can mark it.
    void registerField(QWidget *control, const QString &label, const QString &pointer);
    void forgetField(QWidget *control);
    /// Sets the tool tip of a field and of its label. It says what the field changes, its unit, range or default, and
    /// when to change it.
    static void describe(QWidget *control, const QString &tip);
    /// Shows a choice without requesting an edit.
    static void select(QComboBox *box, const std::string &word);

    /// Requests an edit that sets one field to `value`, shown in the history as `to`.
    void set(const QString &pointer, const QString &label, const QString &to, const nlohmann::ordered_json &value,
             EditPace pace = EditPace::Settled);
    void ask(const PlanEdit &edit);
    void summarise(const QString &text, Tone tone = Tone::Neutral, const QString &figure = {});

private:
    void markFields(const std::vector<Diagnostic> &diagnostics);
    void mark(QWidget *control, const QString &reason);
    /// Whether an arrow key is changing a field right now; such edits join into one undo step.
    bool isStepping() const;

    QVBoxLayout *m_rows;
    const PlanView *m_view = nullptr;
    QHash<QString, QWidget *> m_fields; ///< by JSON pointer
    QHash<QString, QString> m_texts; ///< shown value of each field by pointer, for "from → to"
    QHash<QWidget *, QString> m_hints; ///< original tool tips of controls whose tool tip is now a diagnostic
    bool m_showing = false; ///< true while the panel sets its controls, which must not request edits
};

} // namespace meshwright
