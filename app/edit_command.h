// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document_difference.h"
#include "views/plan_edit.h"

#include <QElapsedTimer>
#include <QString>
#include <QUndoCommand>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>

namespace meshwright {

using DocumentPointer = std::shared_ptr<const nlohmann::ordered_json>;

/// One undo step. Stores only the difference between the documents before and after, because thousands of steps are
/// kept. Edits of one gesture are merged according to their EditPace, until the command is sealed.
class EditCommand : public QUndoCommand {
public:
    struct Place {
        std::function<DocumentPointer()> document;
        std::function<void(DocumentPointer)> set;
    };
    /// Whether two documents describe the same plan. A field that is set to its default counts as unset.
    using Same = std::function<bool(const nlohmann::ordered_json &, const nlohmann::ordered_json &)>;

    /// Maximum time between two edits of one gesture, such as repeated arrow key presses.
    static constexpr qint64 StepMilliseconds = 1000;

    EditCommand(const PlanEdit &edit, DocumentPointer after, Place place, Same same);

    void seal() { m_sealed = true; }
    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    const DocumentDifference &difference() const { return m_difference; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    bool joins(const EditCommand &next) const;

    QString m_field;
    QString m_subject;
    QString m_from;
    QString m_to;
    DocumentDifference m_difference;
    DocumentPointer m_new; ///< document after the edit; null after the first redo()
    Place m_place;
    Same m_same;
    EditPace m_pace;
    QElapsedTimer m_age;
    bool m_sealed = false;
};

} // namespace meshwright
