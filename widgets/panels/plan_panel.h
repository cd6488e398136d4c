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

/// One panel of the left dock: controls for a part of the plan. It never changes the plan; it asks for an edit and is
/// shown the plan that came of it. A field that a diagnostic names carries its mark and says why when pointed at.
class PlanPanel : public QWidget {
    Q_OBJECT

public:
    explicit PlanPanel(QWidget *parent = nullptr);

    /// @param view  kept by reference until the next call
    void showPlan(const PlanView &view);
    /// Only the marks of diagnostics, which may come after the plan.
    void showMarks(const PlanView &view) { markFields(view.diagnostics); }

    /// The control of a field, by JSON pointer; of the nearest thing that holds it where it has none. Null for none.
    QWidget *fieldAt(const QString &pointer) const;
    /// What the field of just this pointer is called here; empty where the panel has none.
    QString nameOf(const QString &pointer) const;
    /// What a field's control shows of the plan: "8", "Interleaved 1F1B", "on".
    QString shownValue(const QString &pointer) const { return m_texts.value(pointer); }
    /// JSON pointers of all fields that have a control.
    QStringList pointers() const { return m_fields.keys(); }

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// The drag that live edits came from has ended.
    void dragFinished();
    /// What the section's one line says.
    void summaryChanged(const QString &text, meshwright::Tone tone, const QString &figure);

protected:
    virtual void showFields(const PlanView &view) = 0;

    const PlanView &view() const { return *m_view; }
    QVBoxLayout *rows() const { return m_rows; }

    // Rows of a label and a control that edits one field of the document, given as a JSON pointer. `into` is the layout
    // of a part of the panel; without one the row joins the panel itself.
    QWidget *addRow(const QString &label, QWidget *control, const QString &pointer, QVBoxLayout *into = nullptr);
    IntegerBox *addInteger(const QString &label, const QString &pointer, qint64 low, qint64 high,
                           QVBoxLayout *into = nullptr);
    QuantityBox *addQuantity(const QString &label, const QString &pointer, Quantity quantity, double low, double high,
                             QVBoxLayout *into = nullptr);
    /// A field that may be left out: `word` says what holds then.
    OptionalQuantityBox *addOptional(const QString &label, const QString &pointer, Quantity quantity,
                                     const QString &word, double low, double high, QVBoxLayout *into = nullptr);
    /// `words` as in the document; `texts` as shown, the words themselves if empty.
    QComboBox *addChoice(const QString &label, const QString &pointer, const std::vector<std::string> &words,
                         const QStringList &texts = {}, QVBoxLayout *into = nullptr);
    /// Two controls that belong together, side by side; each has been registered as a field.
    QWidget *addPair(const QString &label, QWidget *first, QWidget *second, QVBoxLayout *into = nullptr);
    QComboBox *newChoice(const QString &label, const QString &pointer, const std::vector<std::string> &words,
                         const QStringList &texts);
    IntegerBox *newInteger(const QString &label, const QString &pointer, qint64 low, qint64 high);
    ToggleSwitch *addToggle(const QString &label, const QString &pointer, QVBoxLayout *into = nullptr);

    /// Names a control, puts it into the tab order's reach and lets diagnostics mark it.
    void registerField(QWidget *control, const QString &label, const QString &pointer);
    void forgetField(QWidget *control);
    /// Shows a choice without asking for an edit.
    static void select(QComboBox *box, const std::string &word);

    /// Asks to set one field to `value`, which is shown as `to`.
    void set(const QString &pointer, const QString &label, const QString &to, const nlohmann::ordered_json &value,
             EditPace pace = EditPace::Settled);
    void ask(const PlanEdit &edit);
    void summarise(const QString &text, Tone tone = Tone::Neutral, const QString &figure = {});

private:
    void markFields(const std::vector<Diagnostic> &diagnostics);
    void mark(QWidget *control, const QString &reason);
    /// Whether an arrow key is changing a field at this moment.
    bool isStepping() const;

    QVBoxLayout *m_rows;
    const PlanView *m_view = nullptr;
    QHash<QString, QWidget *> m_fields; ///< by JSON pointer
    QHash<QString, QString> m_texts; ///< what each field shows of the plan, for "from → to"
    QHash<QWidget *, QString> m_hints; ///< tool tips of controls that a diagnostic's reason stands in for
    bool m_showing = false; ///< controls are being set and must not ask for edits
};

} // namespace meshwright
