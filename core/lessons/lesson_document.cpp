// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_document.h"

#include "input/json_document.h"
#include "input/yaml_document.h"
#include "lessons/lesson.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view step_mark = "## ";
constexpr std::string_view front_mark = "---";
constexpr std::string_view expected_forms =
    "expected front matter, steps that begin with \"## Title\", and fenced blocks";

std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string_view::npos ? std::string()
                                           : std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

/// Converts "A ring of eight" to "a-ring-of-eight": letters and digits in lower case, hyphens between words.
std::string id_of_title(std::string_view title) {
    std::string id;
    for (const char each : title) {
        const char lower = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
        if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9'))
            id += lower;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (id.ends_with('-'))
        id.pop_back();
    return id;
}

bool is_kind(std::string_view name) {
    const std::vector<std::string> &kinds = step_kind_names();
    return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
}

class MarkdownLesson {
public:
    explicit MarkdownLesson(std::string_view text)
        : m_text(text) { }

    LessonDocument read() {
        read_front();
        m_document.json["steps"] = Json::array();
        while (next()) {
            if (m_line.starts_with(step_mark))
                begin_step();
            else if (m_line.starts_with("```"))
                read_block();
            else
                add_text();
        }
        finish_step();
        return std::move(m_document);
    }

private:
    /// Reads the next line into m_line, without its line break. Returns false at the end of the file.
    bool next() {
        if (m_text.empty())
            return false;
        const std::size_t end = std::min(m_text.find('\n'), m_text.size());
        m_line = m_text.substr(0, end);
        if (m_line.ends_with('\r'))
            m_line.remove_suffix(1);
        m_text.remove_prefix(std::min(end + 1, m_text.size()));
        ++m_number;
        return true;
    }

    [[noreturn]] static void fail(int line, std::string_view what) {
        throw InputError("", fmt::format("line {}: {}", line, what), std::string(expected_forms));
    }

    /// Parses YAML that begins at a line of the file, and records the line of each value under its pointer.
    Json yaml(const std::string &text, int first_line, const std::string &pointer) {
        return parse_yaml(
            text, [&](const std::string &below, int line) { m_document.lines.emplace(pointer + below, line); },
            first_line);
    }

    void read_front() {
        next();
        const int first = m_number + 1;
        std::string front;
        while (next() && m_line != front_mark)
            (front += m_line) += '\n';
        if (m_line != front_mark || m_number == 1)
            fail(1, "the front matter is not closed by ---");
        m_document.json = yaml(front, first, "");
        if (!m_document.json.is_object())
            fail(first, "the front matter is not a mapping (key: value)");
        m_document.json.erase("steps");
        if (!m_document.json.contains("schema"))
            m_document.json["schema"] = lesson_schema;
    }

    void begin_step() {
        finish_step();
        std::string title = trimmed(m_line.substr(step_mark.size()));
        std::string id;
        if (const std::size_t mark = title.rfind("{#"); mark != std::string::npos && title.ends_with('}')) {
            id = title.substr(mark + 2, title.size() - mark - 3);
            title = trimmed(title.substr(0, mark));
        }
        m_step = Json{{"id", id.empty() ? id_of_title(title) : id}, {"title", title}};
        m_document.lines[pointer()] = m_number;
    }

    void add_text() {
        if (m_step.is_null()) {
            if (!trimmed(m_line).empty())
                fail(m_number, "there is text before the first step");
            return;
        }
        (m_step_text += m_line) += '\n';
    }

    void read_block() {
        const int opened = m_number;
        const std::string name = trimmed(m_line.substr(3));
        const std::string opening(m_line);
        std::string body;
        bool closed = false;
        while (!closed && next()) {
            closed = trimmed(m_line) == "```";
            if (!closed)
                (body += m_line) += '\n';
        }
        if (!closed)
            fail(opened, "the block is not closed by ```");
        if (m_step.is_null())
            fail(opened, "there is a block before the first step");
        if (is_kind(name))
            add_fields(name, body, opened);
        else if (name == "figure")
            set("figure", yaml(body, opened + 1, pointer() + "/figure"), opened);
        else if (name == "notes")
            set("notes", trimmed(body), opened);
        else
            m_step_text += opening + "\n" + body + "```\n";
    }

    void add_fields(const std::string &kind, const std::string &body, int opened) {
        if (m_step.contains("kind"))
            fail(opened, fmt::format("the step has two questions; expected \"{}\" in a separate step", kind));
        m_step["kind"] = kind;
        m_document.lines[pointer() + "/kind"] = opened;
        const Json fields = yaml(body, opened + 1, pointer());
        m_document.lines[pointer()] = opened;
        if (!fields.is_object() && !fields.is_null())
            fail(opened, "the block is not a mapping (key: value)");
        for (const auto &item : fields.items())
            set(item.key(), item.value(), opened);
    }

    void set(const std::string &key, Json value, int line) {
        if (m_step.contains(key))
            fail(line, fmt::format("the step sets \"{}\" twice", key));
        m_document.lines.emplace(pointer() + "/" + key, line);
        m_step[key] = std::move(value);
    }

    void finish_step() {
        if (m_step.is_null())
            return;
        if (std::string text = trimmed(m_step_text); !text.empty() && !m_step.contains("text"))
            m_step["text"] = std::move(text);
        m_document.json["steps"].push_back(std::move(m_step));
        m_step = nullptr;
        m_step_text.clear();
    }

    std::string pointer() const { return fmt::format("/steps/{}", m_document.json["steps"].size()); }

    std::string_view m_text; ///< text that remains to be read
    std::string_view m_line;
    int m_number = 0; ///< line number of m_line, from 1
    LessonDocument m_document;
    Json m_step = nullptr;
    std::string m_step_text;
};

} // namespace

int LessonDocument::line_of(std::string pointer) const {
    auto found = lines.find(pointer);
    while (found == lines.end() && !pointer.empty()) {
        pointer.erase(pointer.rfind('/'));
        found = lines.find(pointer);
    }
    return found == lines.end() ? 0 : found->second;
}

std::vector<Diagnostic> LessonDocument::with_lines(std::vector<Diagnostic> problems) const {
    const auto line = [this](const Diagnostic &problem) {
        return problem.fields.empty() ? 0 : line_of(problem.fields.front());
    };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Diagnostic &a, const Diagnostic &b) { return line(a) < line(b); });
    for (Diagnostic &problem : problems)
        if (const int number = line(problem); number > 0)
            problem.message = filled("line {}: {}", number, problem.message);
    return problems;
}

bool is_lesson_markdown(std::string_view text) {
    return text.starts_with("---\n") || text.starts_with("---\r\n");
}

LessonDocument lesson_document(std::string_view text) {
    if (is_lesson_markdown(text))
        return MarkdownLesson(text).read();
    return {.json = parse_json(text), .lines = {}};
}

} // namespace meshwright
