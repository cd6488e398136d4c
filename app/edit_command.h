// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_edit.h"

#include <QString>
#include <QUndoCommand>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>

namespace meshwright {

using DocumentPointer = std::shared_ptr<const nlohmann::ordered_json>;

/// One undo step: the document before and after. Steps of one drag join until the command is sealed.
class EditCommand : public QUndoCommand {
public:
    using Setter = std::function<void(DocumentPointer)>;
    /// Tells whether two documents are the same plan, though one may spell a default out that the other leaves out.
    using Same = std::function<bool(const nlohmann::ordered_json &, const nlohmann::ordered_json &)>;

    EditCommand(const PlanEdit &edit, DocumentPointer before, DocumentPointer after, Setter setter, Same same);

    void seal() { m_sealed = true; }
    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    QString m_field;
    QString m_subject;
    QString m_from;
    QString m_to;
    DocumentPointer m_before;
    DocumentPointer m_after;
    Setter m_setter;
    Same m_same;
    bool m_sealed = false;
};

} // namespace meshwright
