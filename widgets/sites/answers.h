// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/sites_run.h"
#include "sites/table_card.h"

namespace meshwright {

/// The plan with one part of it changed, and what an evaluation of it says.
struct Answers {
    SitesQuestion question;
    TableRows days; ///< the run by the time of an inner step, with its MFU
    TableRows wire; ///< what an update takes in other formats, and what then fits
    TableRows aggregators; ///< one, two and three of them
};
using AnswersPointer = std::shared_ptr<const Answers>;

/// What a plan leaves open, answered by evaluating it otherwise. Null where it was stopped.
AnswersPointer answersOf(const SitesQuestion &question, const std::stop_token &stop);

} // namespace meshwright
