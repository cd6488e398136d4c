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

/// One undo step: what differs between the document before and after, for thousands of steps are kept. Edits of one
/// gesture join, as their EditPace says, until the command is sealed.
class EditCommand : public QUndoCommand {
public:
    struct Place {
        std::function<DocumentPointer()> document; ///< as it is now
        std::function<void(DocumentPointer)> set;
    };
    /// Tells whether two documents are the same plan, though one may spell a default out that the other leaves out.
    using Same = std::function<bool(const nlohmann::ordered_json &, const nlohmann::ordered_json &)>;

    /// Between two steps of one gesture, such as an arrow key pressed again and again.
    static constexpr qint64 StepMilliseconds = 1000;

    EditCommand(const PlanEdit &edit, DocumentPointer after, Place place, Same same);

    void seal() { m_sealed = true; }
    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    bool joins(const EditCommand &next) const;

    QString m_field;
    QString m_subject;
    QString m_from;
    QString m_to;
    DocumentDifference m_difference;
    DocumentPointer m_new; ///< the document after the edit, until it is done for the first time
    Place m_place;
    Same m_same;
    EditPace m_pace;
    QElapsedTimer m_age; ///< since the last edit that joined
    bool m_sealed = false;
};

} // namespace meshwright
