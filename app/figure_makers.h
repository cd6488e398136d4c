// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

class BatchPanel;
class EvidenceView;
class FigureBook;
class MemoryView;
class ParallelismPanel;
class SearchView;
class SitesView;
class StartView;

/// What has figures and plans of its own, beside the present plan's.
struct FigureMakers {
    const StartView *start;
    const SearchView *search;
    const EvidenceView *evidence;
    const MemoryView *memory;
    const SitesView *sites;
    const ParallelismPanel *sliders;
    const BatchPanel *batch;
};

/// Lets the book ask them how their figures come about. They outlive the book's questions.
void addMakers(FigureBook &book, const FigureMakers &makers);

} // namespace meshwright
