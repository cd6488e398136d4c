// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson.h"

#include "evaluate/result.h"
#include "pictures/picture.h"
#include "plots/plot.h"

#include <algorithm>

namespace meshwright {

const std::vector<std::string> &step_kind_names() {
    static const std::vector<std::string> names{"text",  "discussion", "number", "choice",
                                                "order", "bug",        "code",   "design"};
    return names;
}

std::string_view name_of(StepKind kind) {
    return step_kind_names()[static_cast<std::size_t>(kind)];
}

const std::vector<std::string> &right_option_names() {
    static const std::vector<std::string> names{"largest", "smallest", "holds"};
    return names;
}

const std::vector<std::string> &lesson_figure_kinds() {
    static const std::vector<std::string> kinds = [] {
        std::vector<std::string> all{"pipeline", "memory", "step", "sites", "curve"};
        all.insert(all.end(), picture_names().begin(), picture_names().end());
        all.insert(all.end(), plot_names().begin(), plot_names().end());
        return all;
    }();
    return kinds;
}

bool is_of_plan(const LessonFigure &figure) {
    return figure.kind == "pipeline" || figure.kind == "memory" || figure.kind == "step" || figure.kind == "sites"
        || is_plot_of_plan(figure.kind);
}

const std::vector<std::string> &parts_of_figure(std::string_view kind) {
    static const std::vector<std::string> none;
    static const std::vector<std::string> memory{"weights", "gradients", "master", "moments", "activations",
                                                 "logits",  "buffers",   "outer",  "runtime"};
    return kind == "memory" ? memory : kind == "step" ? step_term_names() : none;
}

const LessonStep *Lesson::find(std::string_view step) const {
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const LessonStep &each) { return each.id == step; });
    return found == steps.end() ? nullptr : &*found;
}

const LessonStep *Lesson::first_question() const {
    const auto found =
        std::find_if(steps.begin(), steps.end(), [](const LessonStep &each) { return is_question(each.kind); });
    return found == steps.end() ? nullptr : &*found;
}

} // namespace meshwright
