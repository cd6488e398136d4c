// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan_edit.h"

#include <QElapsedTimer>
#include <QString>
#include <QUndoCommand>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>

namespace meshwright {

using DocumentPointer = std::shared_ptr<const nlohmann::ordered_json>;

/// One undo step: the document before and after. Edits of one gesture join, as their EditPace says, until the command
/// is sealed.
class EditCommand : public QUndoCommand {
public:
    using Setter = std::function<void(DocumentPointer)>;
    /// Tells whether two documents are the same plan, though one may spell a default out that the other leaves out.
    using Same = std::function<bool(const nlohmann::ordered_json &, const nlohmann::ordered_json &)>;

    /// Between two steps of one gesture, such as an arrow key pressed again and again.
    static constexpr qint64 StepMilliseconds = 1000;

    EditCommand(const PlanEdit &edit, DocumentPointer before, DocumentPointer after, Setter setter, Same same);

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
    DocumentPointer m_before;
    DocumentPointer m_after;
    Setter m_setter;
    Same m_same;
    EditPace m_pace;
    QElapsedTimer m_age; ///< since the last edit that joined
    bool m_sealed = false;
};

} // namespace meshwright
