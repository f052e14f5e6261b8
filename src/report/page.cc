#include "damier/report/page.h"

#include <string_view>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/text.h"
#include "damier/report/svg.h"

namespace damier::report {

namespace {

// A scale of 1.2 from 17 px; text at most 68 characters wide, figures and tables a little wider.
constexpr std::string_view kPageRules = R"css(
*,*::before,*::after{box-sizing:border-box}
html{font-size:17px;-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--surface);color:var(--ink);line-height:1.6;
font-family:Charter,"Bitstream Charter","Iowan Old Style","Source Serif 4",Cambria,Georgia,
"Liberation Serif",serif;
font-kerning:normal;text-rendering:optimizeLegibility;overflow-wrap:break-word}
main,header,footer,nav{max-width:46rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:4rem}
h1,h2,.subtitle,.facts,nav,figcaption,table,.provenance,.note,details,footer,.numbers{
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.018em;font-weight:700;margin:0;
text-wrap:balance}
.subtitle{font-size:1.18rem;line-height:1.4;color:var(--muted);margin:.55rem 0 0;text-wrap:balance}
.facts{font-size:.8rem;color:var(--muted);margin:1.1rem 0 0;padding:0;list-style:none;display:flex;
flex-wrap:wrap;gap:.15rem 1.4rem;font-variant-numeric:tabular-nums}
.lead{font-size:1.12rem;line-height:1.55;margin:1.8rem 0 0;padding:1.15rem 0;
border-top:2px solid var(--ink);border-bottom:1px solid var(--grid)}
h2{font-size:1.42rem;line-height:1.25;letter-spacing:-.01em;font-weight:650;margin:3.2rem 0 .8rem;
text-wrap:balance}
h2 .number{color:var(--muted);font-weight:500;margin-right:.55em;font-variant-numeric:tabular-nums}
p,ul{margin:0 0 1rem;max-width:40rem}
ul{padding-left:1.3rem}
li{margin:.2rem 0}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
font-size:.84em}
code{background:var(--tint);padding:.1em .32em;border-radius:3px}
pre{background:var(--tint);padding:.9rem 1rem;border-radius:6px;overflow-x:auto;line-height:1.5;
margin:0 0 1.2rem}
pre code{background:none;padding:0;font-size:1em}
nav{margin-top:2rem;font-size:.88rem}
nav h2{font-size:.75rem;letter-spacing:.08em;text-transform:uppercase;color:var(--muted);
margin:0 0 .5rem;font-weight:600}
nav ol{margin:0;padding:0;list-style:none;columns:2;column-gap:2.5rem}
nav li{margin:0 0 .3rem;break-inside:avoid;display:flex;gap:.7em}
nav li span{color:var(--muted);font-variant-numeric:tabular-nums}
nav a{color:inherit;text-decoration-color:var(--axis)}
figure{margin:2.2rem 0 2.6rem}
figure>.title{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,
sans-serif;font-size:1rem;line-height:1.35;font-weight:650;margin:0 0 .7rem;max-width:none}
figure>.title span{color:var(--muted);font-weight:500;margin-right:.5em}
.scroll{overflow-x:auto}
.scroll .damier-plot{min-width:30rem}
figcaption{font-size:.86rem;line-height:1.5;color:var(--ink);margin:.7rem 0 0;max-width:44rem}
.provenance{font-size:.75rem;line-height:1.5;color:var(--muted);margin:.5rem 0 0;padding:0;
list-style:none;max-width:none;display:flex;flex-wrap:wrap;gap:.1rem 1.2rem}
.provenance li{margin:0}
.provenance .command{flex-basis:100%}
.provenance code{overflow-wrap:anywhere;font-size:.95em}
.provenance code span{white-space:nowrap}
.note{font-size:.8rem;color:var(--muted);margin:.5rem 0 0;max-width:none}
details{margin:.6rem 0 0;font-size:.8rem}
summary{cursor:pointer;color:var(--link);width:fit-content}
summary:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:2px;
border-radius:2px}
details .scroll{max-height:22rem;overflow:auto;margin-top:.5rem;border-top:1px solid var(--grid);
border-bottom:1px solid var(--grid)}
table{border-collapse:collapse;width:100%;font-size:.86rem;line-height:1.4;
font-variant-numeric:tabular-nums lining-nums}
figure>.scroll>table{border-top:1.5px solid var(--ink);border-bottom:1.5px solid var(--ink)}
details table{width:auto;font-size:.76rem}
th{font-weight:600;vertical-align:bottom;color:var(--muted);border-bottom:1px solid var(--axis)}
th,td{padding:.42rem 1.1rem .42rem 0}
th:last-child,td:last-child{padding-right:.2rem}
td{vertical-align:baseline;border-bottom:1px solid var(--grid)}
tbody tr:last-child td{border-bottom:0}
details th,details td{padding:.2rem 1.6rem .2rem 0}
details thead th{position:sticky;top:0;background:var(--surface)}
.left{text-align:left}.right{text-align:right}.center{text-align:center}
td.left{min-width:6.5rem}
td.right{white-space:nowrap}
tr.strong td{font-weight:650;background:var(--tint)}
tr.strong td:first-child{box-shadow:inset 3px 0 0 var(--s1);padding-left:.7rem}
.verdict{white-space:nowrap;font-weight:600;font-size:.94em}
.verdict::before{display:inline-block;width:1.15em;text-align:center;margin-right:.3em}
.reached{color:var(--good)}.reached::before{content:"\2713"}
.within{color:var(--fair)}.within::before{content:"\2248"}
.missed{color:var(--bad)}.missed::before{content:"\2717"}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:1.4rem 2rem;
margin:1.6rem 0 2rem}
.numbers div{border-top:2px solid var(--s1);padding-top:.6rem}
.numbers b{display:block;font-size:1.7rem;line-height:1.15;font-weight:650;letter-spacing:-.015em}
.numbers span{display:block;font-size:.86rem;line-height:1.4;margin-top:.25rem}
.numbers .detail{color:var(--muted);font-size:.76rem;font-variant-numeric:tabular-nums}
.diagrams{display:flex;flex-wrap:wrap;gap:.8rem 1.1rem}
.diagrams div{text-align:center}
.diagrams span{display:block;font:.72rem/1.4 system-ui,sans-serif;color:var(--muted)}
.damier-board{display:block;margin:0 auto}
.damier-board text{font:15.8px "DejaVu Sans Mono",ui-monospace,monospace;fill:var(--ink)}
.damier-board .strong{font-weight:700}
.damier-board .label{font-size:9px;fill:var(--muted)}
.damier-board .square{fill:none;stroke:var(--grid);stroke-width:1}
.damier-board .dark{fill:var(--tint)}
.damier-board .full{fill:var(--grid)}
.damier-board .last{fill:none;stroke:var(--s5);stroke-width:1.5}
.damier-board .rule{stroke:var(--axis);stroke-width:1}
.damier-board .faint{fill:var(--axis);font-size:12px;paint-order:stroke;
stroke:var(--surface);stroke-width:4}
.damier-board .tone0{fill:var(--s1)}
.damier-board .tone1{fill:var(--s2)}
.damier-board .tone2{fill:var(--s3)}
.damier-board .tone3{fill:var(--s4)}
.damier-board .tone4{fill:var(--s5)}
.damier-board .on-tile{fill:var(--surface);font-size:12px}
footer{margin-top:4rem;padding-top:1rem;padding-bottom:3rem;font-size:.8rem;color:var(--muted)}
footer p{border-top:1px solid var(--grid);padding-top:1rem;max-width:none}
@media (max-width:40rem){html{font-size:16px}header{padding-top:2.2rem}h1{font-size:1.7rem}
nav ol{columns:1}}
@page{size:A4;margin:20mm 18mm}
@media print{html{font-size:10.5pt}body{line-height:1.45}
main,header,footer,nav{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}
p,ul,figcaption{max-width:none;orphans:3;widows:3}
h2{margin-top:2rem;break-after:avoid}
.title,summary{break-after:avoid}
figure,.lead,.numbers,.diagrams div,pre,tr{break-inside:avoid}
thead{display:table-header-group}
figure.table{break-inside:auto}
.scroll,details .scroll,pre{overflow:visible;max-height:none}
.scroll .damier-plot{min-width:0;max-width:135mm;margin:0}
details:not([open]){display:none}
pre{white-space:pre-wrap}
a{color:inherit;text-decoration:none}
tr.strong td,code,pre{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

std::string page_css() {
  constexpr std::string_view kLight =
      "--tint:#f3f5f7;--link:#0a5c9e;--good:#00704f;--fair:#7a5a00;--bad:#b03a00;";
  constexpr std::string_view kDark =
      "--tint:#1e232a;--link:#6cb6ff;--good:#3ed8a7;--fair:#f0c64f;--bad:#ff8f57;";
  return fmt::format(":root{{color-scheme:light dark;{}{}}}\n", light_variables(), kLight) +
         fmt::format("@media screen and (prefers-color-scheme:dark){{:root{{{}{}}}}}\n",
                     dark_variables(), kDark) +
         "@media print{:root{color-scheme:light}}" + std::string(kPageRules);
}

// The next `sign` that can close a piece of markup: not escaped, and behind a character.
std::size_t closing(std::string_view text, std::size_t from, std::string_view sign) {
  for (std::size_t i = from + 1; i + sign.size() <= text.size(); ++i) {
    if (text.substr(i, sign.size()) != sign || text[i - 1] == ' ') continue;
    if (sign == "`" || text[i - 1] != '\\') return i;
  }
  return std::string_view::npos;
}

struct Markup {
  std::string_view sign;
  std::string_view tag;
};

// A command with its words kept whole: browsers would break "--seed" behind its hyphens. Very long
// words may still break.
std::string unbroken_words(std::string_view command) {
  constexpr std::size_t kMaxWordLength = 60;
  std::string out;
  for (const std::string_view word : split(command, ' ')) {
    if (!out.empty()) out += ' ';
    out += word.size() > kMaxWordLength ? escaped(word)
                                        : fmt::format("<span>{}</span>", escaped(word));
  }
  return out;
}

class Writer {
 public:
  std::string page(const Page& report) {
    add("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"{0}\" "
        "xml:lang=\"{0}\">\n<head>\n<meta charset=\"utf-8\"/>\n",
        language_code(language()));
    add("<title>{}</title>\n", escaped(report.title));
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
    add("<style>\n{}{}</style>\n</head>\n<body>\n", page_css(), figure_css());
    add("<header>\n<h1>{}</h1>\n", escaped(report.title));
    if (!report.subtitle.empty()) add("<p class=\"subtitle\">{}</p>\n", escaped(report.subtitle));
    if (!report.facts.empty()) {
      out_ += "<ul class=\"facts\">";
      for (const auto& fact : report.facts) add("<li>{}</li>", escaped(fact));
      out_ += "</ul>\n";
    }
    if (!report.lead.empty()) add("<p class=\"lead\">{}</p>\n", inline_html(report.lead));
    out_ += "</header>\n";
    contents(report);
    out_ += "<main>\n";
    for (std::size_t i = 0; i < report.sections.size(); ++i) {
      add("<section id=\"section-{0}\">\n<h2><span class=\"number\">{0}</span>{1}</h2>\n", i + 1,
          escaped(report.sections[i].heading));
      for (const auto& block : report.sections[i].blocks) std::visit(*this, block);
      out_ += "</section>\n";
    }
    out_ += "</main>\n";
    if (!report.footer.empty()) add("<footer><p>{}</p></footer>\n", inline_html(report.footer));
    out_ += "</body>\n</html>\n";
    return std::move(out_);
  }

  void operator()(const Paragraph& paragraph) { add("<p>{}</p>\n", inline_html(paragraph.text)); }
  void operator()(const BulletList& list) {
    if (list.items.empty()) return;
    out_ += "<ul>\n";
    for (const auto& item : list.items) add("<li>{}</li>\n", inline_html(item));
    out_ += "</ul>\n";
  }
  void operator()(const Preformatted& block) {
    add("<pre><code>{}</code></pre>\n", escaped(block.text));
  }
  void operator()(const Facts& block) {
    Table table;
    for (const auto& [name, value] : block.facts) table.rows.push_back({{name, value}});
    if (!table.rows.empty()) out_ += html_table(table);
  }

  void operator()(const KeyNumbers& block) {
    if (block.numbers.empty()) return;
    out_ += "<div class=\"numbers\">\n";
    for (const auto& number : block.numbers) {
      add("<div><b>{}</b><span>{}</span>", escaped(number.value), escaped(number.label));
      if (!number.detail.empty()) add("<span class=\"detail\">{}</span>", escaped(number.detail));
      out_ += "</div>\n";
    }
    out_ += "</div>\n";
  }

  void operator()(const Diagrams& block) {
    add("<figure>\n<figcaption>{}</figcaption>\n<div class=\"diagrams\">\n",
        escaped(block.caption));
    for (const Diagram& diagram : block.diagrams) {
      add("<div>{}<span>{}</span></div>\n", diagram.svg, escaped(diagram.caption));
    }
    out_ += "</div>\n</figure>\n";
  }

  void operator()(const PageFigure& block) {
    const std::string id = fmt::format("figure-{}", ++figures_);
    add("<figure id=\"{}\">\n<p class=\"title\"><span>{} {}</span>{}</p>\n", id, tr("Figure"),
        figures_, escaped(block.figure.title));
    add("<div class=\"scroll\">{}</div>\n", svg(block.figure, id));
    if (!block.figure.caption.empty()) {
      add("<figcaption>{}</figcaption>\n", inline_html(block.figure.caption));
    }
    provenance(block.provenance);
    const Table data = data_table(block.figure);
    if (!data.rows.empty()) {
      add("<details><summary>{} {}</summary>\n{}</details>\n", tr("Data of figure"), figures_,
          html_table(data));
    }
    out_ += "</figure>\n";
  }

  void operator()(const PageTable& block) {
    add("<figure class=\"table\" id=\"table-{0}\">\n<p class=\"title\"><span>{1} "
        "{0}</span>{2}</p>\n",
        ++tables_, tr("Table"), escaped(block.table.caption));
    out_ += html_table(block.table);
    provenance(block.provenance);
    out_ += "</figure>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...);
  }
  void provenance(const Provenance& source) {
    if (source.command.empty() && source.seed.empty() && source.versions.empty()) return;
    out_ += "<ul class=\"provenance\">";
    if (!source.command.empty()) {
      add("<li class=\"command\">{} <code>{}</code></li>", tr("Made with"),
          unbroken_words(source.command));
    }
    if (!source.seed.empty()) add("<li>{} {}</li>", tr("Seed"), escaped(source.seed));
    for (const auto& version : source.versions) add("<li>{}</li>", escaped(version));
    out_ += "</ul>\n";
  }

  void contents(const Page& report) {
    constexpr std::size_t kMinSections = 4;
    if (report.sections.size() < kMinSections) return;
    add("<nav aria-labelledby=\"contents\"><h2 id=\"contents\">{}</h2><ol>\n", tr("Contents"));
    for (std::size_t i = 0; i < report.sections.size(); ++i) {
      add("<li><span>{0}</span><a href=\"#section-{0}\">{1}</a></li>\n", i + 1,
          escaped(report.sections[i].heading));
    }
    out_ += "</ol></nav>\n";
  }

  std::string out_;
  int figures_ = 0;
  int tables_ = 0;
};

}  // namespace

std::string inline_html(std::string_view text) {
  static constexpr Markup kMarkups[] = {{"`", "code"}, {"**", "strong"}, {"*", "em"}};
  std::string out;
  std::size_t plain = 0;  // where the text without markup began
  const auto flush = [&](std::size_t end) { out += escaped(text.substr(plain, end - plain)); };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\' && i + 1 < text.size() &&
        std::string_view("`*\\").find(text[i + 1]) != std::string_view::npos) {
      flush(i);
      plain = i + 1;
      i += 2;
      continue;
    }
    bool opened = false;
    for (const auto& [sign, tag] : kMarkups) {
      const std::size_t begin = i + sign.size();
      if (text.substr(i, sign.size()) != sign || begin >= text.size() || text[begin] == ' ' ||
          (sign == "*" && text[begin] == '*')) {
        continue;
      }
      const std::size_t end = closing(text, begin, sign);
      if (end == std::string_view::npos) continue;
      flush(i);
      const std::string_view inside = text.substr(begin, end - begin);
      out +=
          fmt::format("<{0}>{1}</{0}>", tag, sign == "`" ? escaped(inside) : inline_html(inside));
      i = plain = end + sign.size();
      opened = true;
      break;
    }
    if (!opened) ++i;
  }
  flush(text.size());
  return out;
}

std::string html(const Page& report) { return Writer().page(report); }

}  // namespace damier::report
