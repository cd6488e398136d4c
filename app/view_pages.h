// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "view_table.h"

#include <string>
#include <vector>

namespace meshwright {

class MainWindow;

/// A view of the window, or one page of a view with several pages. The Export menu and the command line offer its
/// picture and table.
struct ViewPage {
    const char *name; ///< name of the page on the command line, such as "pipeline"
    const char *view; ///< name of the view, as in View::Face::name
    const char *pages = nullptr; ///< object name of the Segmented that selects the page; null if the view has one page
    int page = 0;
    bool (*isSettled)(MainWindow &window);
    /// Table of the page, which must be visible; empty if there is nothing to list.
    ViewTable (*table)(MainWindow &window);
};

/// All pages, in the order of the rail.
const std::vector<ViewPage> &viewPages();

const ViewPage &currentPage(const MainWindow &window);
void showPage(MainWindow &window, const ViewPage &page);

// Tables of views without table widgets, built from the painted values. Units are SI and are named in the headings.

ViewTable startTable(MainWindow &window);
ViewTable planTable(MainWindow &window);
ViewTable pipelineTable(MainWindow &window);
ViewTable memoryTable(MainWindow &window);
ViewTable sitesTable(MainWindow &window);
ViewTable mapTable(MainWindow &window);
ViewTable adviceTable(MainWindow &window);
ViewTable explainTable(MainWindow &window);
ViewTable formulasTable(MainWindow &window);
ViewTable lessonsTable(MainWindow &window);
ViewTable plotTable(MainWindow &window);

} // namespace meshwright
