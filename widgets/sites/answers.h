// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/sites_run.h"
#include "sites/table_card.h"

namespace meshwright {

/// Tables of the plan's figures with one setting varied.
struct Answers {
    SitesQuestion question;
    TableRows days; ///< run time and MFU by inner step time
    TableRows wire; ///< traffic and link-limited utilization by update format
    TableRows aggregators; ///< one row each for one, two and three aggregators
};
using AnswersPointer = std::shared_ptr<const Answers>;

/// Evaluates the plan with the varied settings. Null if stopped.
AnswersPointer answersOf(const SitesQuestion &question, const std::stop_token &stop);

} // namespace meshwright
