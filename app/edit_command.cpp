// SPDX-License-Identifier: GPL-3.0-or-later
#include "edit_command.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

using nlohmann::ordered_json;

EditCommand::EditCommand(const PlanEdit &edit, DocumentPointer after, Place place, Same same)
    : QUndoCommand(editTitle(edit.subject, edit.from, edit.to))
    , m_field(edit.field)
    , m_subject(edit.subject)
    , m_from(edit.from)
    , m_to(edit.to)
    , m_difference(*place.document(), *after)
    , m_new(std::move(after))
    , m_place(std::move(place))
    , m_same(std::move(same))
    , m_pace(edit.pace)
    , m_sealed(edit.pace == EditPace::Settled) {
    m_age.start();
}

void EditCommand::undo() {
    m_sealed = true; // an edit after an undo starts a new step
    m_place.set(std::make_shared<ordered_json>(m_difference.before(*m_place.document())));
}

void EditCommand::redo() {
    m_place.set(m_new != nullptr ? std::exchange(m_new, nullptr)
                                 : std::make_shared<ordered_json>(m_difference.after(*m_place.document())));
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
    // QUndoStack executes a command before it asks to merge it.
    const DocumentPointer after = m_place.document();
    const auto before = std::make_shared<ordered_json>(m_difference.before(next.m_difference.before(*after)));
    m_difference = DocumentDifference(*before, *after);
    m_to = next.m_to;
    setText(editTitle(m_subject, m_from, m_to));
    m_sealed = next.m_sealed;
    if (m_same(*before, *after)) {
        // After a drag back to the original value, the undo stack drops this step. The document's original text must be
        // restored.
        if (*before != *after)
            m_place.set(before);
        setObsolete(true);
    }
    return true;
}

} // namespace meshwright
