// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

struct PlanView;

/// Which edits of one field join into one undo step.
enum class EditPace {
    Live, ///< of a drag: joins until the drag ends
    Step, ///< by an arrow key or another pick from a list: joins if it follows the last one within about a second
    Settled, ///< stands alone
};

/// One change to the plan's document. Everything else in the document stays as it was written.
struct PlanEdit {
    QString field; ///< JSON pointer of the field that was touched; only edits of one field join
    QString subject; ///< what was changed, in a word or two: "Tensor"
    QString from; ///< shown value before; may be empty
    QString to; ///< shown value after; empty where the subject says it all
    std::string patch; ///< JSON merge patch (RFC 7396), serialised
    EditPace pace = EditPace::Settled;
};

/// For the undo menu and the history: "Tensor 8 → 4".
QString editTitle(const QString &subject, const QString &from, const QString &to);

/// The merge patch that turns `before` into `after`.
nlohmann::ordered_json mergeDifference(const nlohmann::ordered_json &before, const nlohmann::ordered_json &after);

/// The document's own value under a top-level key, spelled out where it names a preset: to_json(model) for
/// "dense-144b".
nlohmann::ordered_json spelledOut(const PlanView &view, const std::string &key);

/// A merge patch that sets one field, given as a JSON pointer that may run through arrays. A preset that the field
/// belongs to becomes an inline object, for a patch cannot reach into a preset.
std::string patchSetting(const PlanView &view, const QString &pointer, const nlohmann::ordered_json &value);

/// A merge patch that removes one field, so that its default holds again.
std::string patchRemoving(const PlanView &view, const QString &pointer);

/// A merge patch that replaces everything under one top-level key.
std::string patchReplacing(const PlanView &view, const std::string &key, const nlohmann::ordered_json &value);

} // namespace meshwright
