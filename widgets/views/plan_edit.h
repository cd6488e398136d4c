// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

struct PlanView;

/// How edits of one field are merged into undo steps.
enum class EditPace {
    Live, ///< edit during a drag; all edits of a drag become one undo step
    Step, ///< arrow key or another choice from a list: merged with an edit less than about a second earlier
    Settled, ///< edit that becomes a separate undo step
};

/// One change to the plan's document. The rest of the document stays as it was written.
struct PlanEdit {
    QString field; ///< JSON pointer of the edited field; only edits of the same field are merged
    QString subject; ///< name of the changed field, such as "Tensor"
    QString from; ///< formatted old value; may be empty
    QString to; ///< formatted new value; empty if the subject suffices
    std::string patch; ///< JSON merge patch (RFC 7396), serialized
    EditPace pace = EditPace::Settled;
};

/// Title in the undo menu and the history, such as "Tensor 8 → 4".
QString editTitle(const QString &subject, const QString &from, const QString &to);

/// The merge patch that turns `before` into `after`.
nlohmann::ordered_json mergeDifference(const nlohmann::ordered_json &before, const nlohmann::ordered_json &after);

/// The document's value under a top-level key. A preset's id such as "dense-144b" is expanded to the preset's object.
nlohmann::ordered_json spelledOut(const PlanView &view, const std::string &key);

/// A merge patch that sets the field at a JSON pointer, which may pass through arrays. A preset that holds the field is
/// expanded to an inline object, because a patch cannot change a preset.
std::string patchSetting(const PlanView &view, const QString &pointer, const nlohmann::ordered_json &value);

/// A merge patch that removes one field, which resets it to its default.
std::string patchRemoving(const PlanView &view, const QString &pointer);

std::string patchReplacing(const PlanView &view, const std::string &key, const nlohmann::ordered_json &value);

} // namespace meshwright
