// SPDX-License-Identifier: GPL-3.0-or-later
#include "edit_command.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

EditCommand::EditCommand(const PlanEdit &edit, DocumentPointer before, DocumentPointer after, Setter setter, Same same)
    : QUndoCommand(editTitle(edit.subject, edit.from, edit.to))
    , m_field(edit.field)
    , m_subject(edit.subject)
    , m_from(edit.from)
    , m_to(edit.to)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_setter(std::move(setter))
    , m_same(std::move(same))
    , m_pace(edit.pace)
    , m_sealed(edit.pace == EditPace::Settled) {
    m_age.start();
}

void EditCommand::undo() {
    m_sealed = true; // an edit after an undo starts a new step
    m_setter(m_before);
}

void EditCommand::redo() {
    m_setter(m_after);
}

bool EditCommand::joins(const EditCommand &next) const {
    if (m_sealed || next.m_field != m_field || next.m_pace != m_pace)
        return false;
    return m_pace != EditPace::Step || m_age.elapsed() <= StepMilliseconds;
}

bool EditCommand::mergeWith(const QUndoCommand *other) {
    const auto &next = static_cast<const EditCommand &>(*other);
    if (!joins(next))
        return false;
    m_age.restart();
    m_after = next.m_after;
    m_to = next.m_to;
    setText(editTitle(m_subject, m_from, m_to));
    m_sealed = next.m_sealed;
    if (m_same(*m_before, *m_after)) {
        // Dragged back: the stack drops this step, and the document is again what was written before it.
        m_setter(m_before);
        setObsolete(true);
    }
    return true;
}

} // namespace meshwright
