// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/layout.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

constexpr const char *expected_form = "expected a pipeline layout like \"Et*3|(tt|)*29,m|L\"";
constexpr std::size_t max_items = 100'000;

/// Recursive descent parser. Parentheses nest at most 8 levels deep.
class LayoutReader {
public:
    explicit LayoutReader(std::string_view text)
        : m_text(text) { }

    std::vector<LayoutStage> read() {
        const std::string items = sequence(0);
        if (m_at != m_text.size())
            fail(fmt::format("unmatched parenthesis at character {}", m_at + 1));
        std::vector<LayoutStage> stages(1);
        for (const char item : items)
            add(item, stages);
        return stages;
    }

private:
    [[noreturn]] static void fail(const std::string &message) { throw InputError("", message, expected_form); }

    static void add(char item, std::vector<LayoutStage> &stages) {
        switch (item) {
        case '|':
            stages.emplace_back();
            break;
        case 'E':
            stages.back().embedding = true;
            break;
        case 'L':
            stages.back().loss = true;
            break;
        case 'm':
            ++stages.back().prediction_modules;
            break;
        default:
            ++stages.back().layers;
        }
    }

    std::string sequence(int depth) {
        if (depth > 8)
            fail("parentheses nested deeper than 8 levels");
        std::string items;
        while (m_at < m_text.size() && m_text[m_at] != ')') {
            std::string item = one_item(depth);
            const std::size_t times = repeats();
            if (items.size() + item.size() * times > max_items)
                fail(fmt::format("more than {} items", max_items));
            // Skips an empty group, because a malicious string may repeat it very often.
            for (std::size_t i = 0; i < times && !item.empty(); ++i)
                items += item;
        }
        return items;
    }

    std::string one_item(int depth) {
        const char c = m_text[m_at++];
        if (c == ',' || c == ' ')
            return {};
        if (c == '(') {
            std::string inner = sequence(depth + 1);
            if (m_at == m_text.size())
                fail("a parenthesis is not closed");
            ++m_at;
            return inner;
        }
        if (std::string_view("EtmL|").find(c) == std::string_view::npos)
            fail(c > 0x20 && c < 0x7f ? fmt::format("unknown letter '{}' at character {}", c, m_at)
                                      : fmt::format("unknown character at position {}", m_at));
        return std::string(1, c);
    }

    std::size_t repeats() {
        if (m_at == m_text.size() || m_text[m_at] != '*')
            return 1;
        ++m_at;
        std::size_t times = 0;
        const std::size_t start = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9' && times <= max_items)
            times = times * 10 + static_cast<std::size_t>(m_text[m_at++] - '0');
        if (m_at == start || times > max_items)
            fail(fmt::format("invalid repeat count after '*' at character {}", start));
        return times;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::vector<LayoutStage> read_layout(std::string_view text) {
    return LayoutReader(text).read();
}

std::string write_layout(const std::vector<LayoutStage> &stages) {
    std::string text;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const LayoutStage &stage = stages[i];
        text += i == 0 ? "" : "|";
        text += stage.embedding ? "E" : "";
        if (stage.layers > 0)
            text += stage.layers == 1 ? "t" : fmt::format("t*{}", stage.layers);
        for (std::int64_t k = 0; k < stage.prediction_modules; ++k)
            text += "m";
        text += stage.loss ? "L" : "";
    }
    return text;
}

} // namespace meshwright
