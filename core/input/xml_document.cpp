// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/xml_document.h"

#include "input/diagnostic.h"
#include "input/files.h"
#include "input/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace meshwright {

namespace {

constexpr std::size_t max_elements = 500'000;
constexpr std::string_view blanks = " \t\r\n";

bool is_name_character(char c) {
    return c == '_' || c == '-' || c == '.' || c == ':' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

void append_utf8(std::string &text, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0U | code >> 6);
        byte(0x80U | (code & 0x3fU));
    } else if (code < 0x10000) {
        byte(0xe0U | code >> 12);
        byte(0x80U | (code >> 6 & 0x3fU));
        byte(0x80U | (code & 0x3fU));
    } else {
        byte(0xf0U | code >> 18);
        byte(0x80U | (code >> 12 & 0x3fU));
        byte(0x80U | (code >> 6 & 0x3fU));
        byte(0x80U | (code & 0x3fU));
    }
}

std::string trimmed_xml(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return {};
    return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

class XmlReader {
public:
    explicit XmlReader(std::string_view text)
        : m_text(text) { }

    XmlElement document() {
        if (m_text.starts_with("\xef\xbb\xbf"))
            m_at = 3;
        skip_outside();
        XmlElement root;
        open(root);
        while (!m_open.empty())
            content();
        skip_outside();
        if (m_at != m_text.size())
            fail("text follows the root element");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string &what) const {
        const auto line = 1 + std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(m_at), '\n');
        throw InputError("", fmt::format("not valid XML at line {}: {}", line, what), "expected one XML document");
    }

    bool starts(std::string_view with) const { return m_text.substr(m_at).starts_with(with); }
    void skip_blanks() { m_at = std::min(m_text.find_first_not_of(blanks, m_at), m_text.size()); }

    /// Reads the text before an end mark, and skips the mark.
    std::string_view up_to(std::string_view mark, const char *what) {
        const std::size_t end = m_text.find(mark, m_at);
        if (end == std::string_view::npos)
            fail(fmt::format("unterminated {}", what));
        const std::string_view found = m_text.substr(m_at, end - m_at);
        m_at = end + mark.size();
        return found;
    }

    /// Skips declaration, document type, comments and processing instructions around the root element.
    void skip_outside() {
        for (skip_blanks(); starts("<?") || starts("<!"); skip_blanks()) {
            if (starts("<?")) {
                up_to("?>", "processing instruction");
            } else if (starts("<!--")) {
                up_to("-->", "comment");
            } else if (starts("<!DOCTYPE")) {
                // A document type without declarations has no effect; one with declarations could define entities.
                if (up_to(">", "document type").find('[') != std::string_view::npos)
                    fail("a document type with declarations of its own");
            } else {
                fail("an unknown declaration");
            }
        }
    }

    std::string name() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && is_name_character(m_text[m_at]))
            ++m_at;
        if (m_at == begin)
            fail("a name is missing");
        return std::string(m_text.substr(begin, m_at - begin));
    }

    void append(std::string &to, std::string_view raw) const {
        for (std::size_t i = 0; i < raw.size();) {
            const std::size_t mark = std::min(raw.find('&', i), raw.size());
            to.append(raw.substr(i, mark - i));
            if (mark == raw.size())
                return;
            const std::size_t end = raw.find(';', mark);
            if (end == std::string_view::npos)
                fail("unterminated entity");
            entity(to, raw.substr(mark + 1, end - mark - 1));
            i = end + 1;
        }
    }

    void entity(std::string &to, std::string_view word) const {
        constexpr std::pair<std::string_view, char> known[] = {
            {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
        for (const auto &[entity_name, character] : known)
            if (word == entity_name) {
                to += character;
                return;
            }
        const bool hexadecimal = word.starts_with("#x");
        const std::string_view digits = word.substr(std::min<std::size_t>(word.size(), hexadecimal ? 2 : 1));
        std::uint32_t code = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
        if (!word.starts_with('#') || digits.empty() || error != std::errc() || end != digits.data() + digits.size()
            || code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            fail("an unknown entity");
        append_utf8(to, code);
    }

    void open(XmlElement &element) {
        if (!starts("<"))
            fail("an element is missing");
        if (++m_elements > max_elements)
            fail("too many elements");
        if (m_open.size() >= static_cast<std::size_t>(deepest_input_nesting))
            fail(fmt::format("nested deeper than {} levels", deepest_input_nesting));
        ++m_at;
        element.name = name();
        for (skip_blanks(); !starts(">") && !starts("/>"); skip_blanks()) {
            std::string attribute = name();
            skip_blanks();
            if (!starts("="))
                fail("an attribute without a value");
            ++m_at;
            skip_blanks();
            const char quote = m_at < m_text.size() ? m_text[m_at] : '\0';
            if (quote != '"' && quote != '\'')
                fail("an attribute's value without quotation marks");
            ++m_at;
            std::string value;
            append(value, up_to(std::string_view(&quote, 1), "attribute value"));
            element.attributes.emplace_back(std::move(attribute), std::move(value));
        }
        if (starts("/>")) {
            m_at += 2;
            return;
        }
        ++m_at;
        // The pointers stay valid because only the innermost open element gets children.
        m_open.push_back(&element);
    }

    /// Reads the next part of the content of the innermost open element.
    void content() {
        XmlElement &element = *m_open.back();
        if (m_at >= m_text.size())
            fail(fmt::format("element {} is not closed", element.name.substr(0, 100)));
        if (starts("<!--")) {
            up_to("-->", "comment");
        } else if (starts("<![CDATA[")) {
            m_at += std::string_view("<![CDATA[").size();
            element.text.append(up_to("]]>", "CDATA section"));
        } else if (starts("<?")) {
            up_to("?>", "processing instruction");
        } else if (starts("</")) {
            m_at += 2;
            if (name() != element.name)
                fail(fmt::format("the element {} is still open", element.name.substr(0, 100)));
            skip_blanks();
            if (!starts(">"))
                fail("an incomplete end tag");
            ++m_at;
            element.text = trimmed_xml(element.text);
            m_open.pop_back();
        } else if (starts("<")) {
            open(element.children.emplace_back());
        } else {
            const std::size_t end = std::min(m_text.find('<', m_at), m_text.size());
            append(element.text, m_text.substr(m_at, end - m_at));
            m_at = end;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_elements = 0;
    std::vector<XmlElement *> m_open; ///< open elements, outermost first
};

} // namespace

const XmlElement *XmlElement::child(std::string_view of_name) const {
    const auto found =
        std::find_if(children.begin(), children.end(), [&](const XmlElement &each) { return each.name == of_name; });
    return found == children.end() ? nullptr : &*found;
}

std::string XmlElement::at(std::string_view path) const {
    const std::size_t slash = path.find('/');
    const XmlElement *const found = child(path.substr(0, slash));
    if (found == nullptr)
        return {};
    return slash == std::string_view::npos ? found->text : found->at(path.substr(slash + 1));
}

XmlElement parse_xml(std::string_view text) {
    if (text.size() > largest_input_bytes)
        throw InputError("", fmt::format("the input is larger than {} MiB", largest_input_bytes >> 20),
                         "expected one XML document");
    return XmlReader(text).document();
}

} // namespace meshwright
