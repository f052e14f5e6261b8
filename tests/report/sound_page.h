// What holds for every page and drawing: it is well-formed, and asks for nothing from elsewhere.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "damier/report/svg.h"

namespace damier::report {

// Reads a document by XML's rules, as far as we use them, with a stack of open tags.
class PageReader {
 public:
  explicit PageReader(std::string_view text) : text_(text) {}

  // Empty when the document is well-formed, else what is wrong.
  std::string error() {
    if (cleaned(text_) != text_) return "not clean UTF-8";
    if (text_.starts_with("<!DOCTYPE html>\n")) at_ = 16;
    bool had_root = false;
    while (at_ < text_.size() && error_.empty()) {
      if (text_[at_] != '<') {
        read_text();
        continue;
      }
      if (open_.empty() && had_root) return "a second root";
      had_root = true;
      read_tag();
    }
    if (error_.empty() && !open_.empty()) return "not closed: " + open_.back();
    if (error_.empty() && !had_root) return "no root";
    return error_;
  }

  const std::vector<std::pair<std::string, std::string>>& attributes() const { return all_; }
  const std::multiset<std::string>& tags() const { return tags_; }

 private:
  void fail(const std::string& what) {
    if (error_.empty()) error_ = what + " near: " + std::string(text_.substr(at_, 80));
  }

  void check_references(std::string_view part) {
    for (std::size_t i = part.find('&'); i != std::string_view::npos; i = part.find('&', i + 1)) {
      const std::string_view rest = part.substr(i + 1);
      bool known = false;
      for (const std::string_view name : {"amp;", "lt;", "gt;", "quot;", "#39;", "#13;"}) {
        known = known || rest.starts_with(name);
      }
      if (!known) fail("an unknown reference");
    }
  }

  void read_text() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const std::string_view part = text_.substr(at_, end - at_);
    check_references(part);
    if (part.find("]]>") != std::string_view::npos) fail("]]> in text");
    if (open_.empty() && part.find_first_not_of(" \n") != std::string_view::npos) {
      fail("text outside of the root");
    }
    at_ = end;
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '-' || text_[at_] == ':')) {
      ++at_;
    }
    if (at_ == begin) fail("no name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  void read_tag() {
    if (take("</")) {
      const std::string name = read_name();
      if (!take(">")) fail("an end tag that does not end");
      if (open_.empty() || open_.back() != name) return fail("closes another tag: " + name);
      open_.pop_back();
      return;
    }
    take("<");
    const std::string name = read_name();
    tags_.insert(name);
    std::set<std::string> seen;
    while (error_.empty() && take(" ")) {
      const std::string attribute = read_name();
      if (!seen.insert(attribute).second) fail("twice the attribute " + attribute);
      if (!take("=\"")) fail("an attribute without quotes");
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) return fail("an open quote");
      const std::string_view value = text_.substr(at_, end - at_);
      if (value.find('<') != std::string_view::npos) fail("< in an attribute");
      check_references(value);
      all_.emplace_back(attribute, value);
      at_ = end + 1;
    }
    if (take("/>")) return;
    if (!take(">")) return fail("a tag that does not end");
    open_.push_back(name);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
  std::vector<std::string> open_;
  std::vector<std::pair<std::string, std::string>> all_;
  std::multiset<std::string> tags_;
};

// Everything that must hold for any page or drawing.
inline void expect_sound(const std::string& document) {
  PageReader reader(document);
  ASSERT_EQ(reader.error(), "");
  std::set<std::string> ids;
  for (const auto& [name, value] : reader.attributes()) {
    EXPECT_NE(name, "src");
    EXPECT_NE(name, "style");
    EXPECT_FALSE(name.starts_with("on")) << name;
    if (name == "href") {
      EXPECT_TRUE(value.starts_with("#")) << value;
    }
    if (name == "id") {
      EXPECT_TRUE(ids.insert(value).second) << "twice the id " << value;
    }
    if (name != "xmlns") {
      EXPECT_EQ(value.find("http"), std::string::npos) << value;
    }
    for (const std::string_view geometry :
         {"x", "y", "x1", "y1", "x2", "y2", "width", "height", "d", "viewBox"}) {
      if (name != geometry) continue;
      EXPECT_EQ(value.find_first_not_of("0123456789.- MLHVQZah"), std::string::npos) << value;
    }
  }
  EXPECT_EQ(reader.tags().count("script"), 0U);
  EXPECT_EQ(reader.tags().count("link"), 0U);
  EXPECT_EQ(document.find("@import"), std::string::npos);
  EXPECT_EQ(document.find("url("), std::string::npos);
}

}  // namespace damier::report
