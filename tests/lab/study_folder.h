// A test with a folder, a store and a state folder of its own, for studies.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/base/temporary_folder.h"
#include "tests/report/sound_page.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/lab/experiment.h"

namespace damier::lab {

// What was found, without what differs from run to run: times and the names of runs.
inline Json facts_of(const Json& findings) {
  if (findings.is_array()) {
    Json list = Json::array();
    for (const Json& entry : findings) list.push_back(facts_of(entry));
    return list;
  }
  if (!findings.is_object()) return findings;
  Json facts = Json::object();
  for (const auto& [key, value] : findings.items()) {
    if (key != "seconds" && !key.ends_with("_per_second") && key != "run")
      facts.append_new(key, facts_of(value));
  }
  return facts;
}

// The share, or another figure, that stands in the findings.
inline Estimate estimate_of(const Json& finding) {
  return estimate_in(finding).value_or(bare_estimate(EstimateKind::number, -1, -1));
}

template <class Plan>
Plan plan_of(std::string_view experiment, bool quick) {
  return read_plan<Plan>(find_published(experiment).value(), quick).value();
}

class StudyFolder : public testing::Test {
 protected:
  // Runs keep their files in the state folder.
  StudyFolder() { ::setenv("DAMIER_STATE", path("state/damier").c_str(), 1); }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path store() const { return path("runs.db"); }
  // Of an experiment whose journal is kept in the folder `name`.
  ExperimentOptions options(const std::string& experiment, const std::string& name) const {
    ExperimentOptions options;
    options.folder = path(name);
    options.store = store();
    options.command = fmt::format("damier reproduce {} --seed 1", experiment);
    return options;
  }

  // The page and the comparisons of what an experiment found: whole, sound, and with these texts.
  ExperimentResult presented(const std::string& experiment, const Json& findings,
                             const std::vector<std::string>& texts) const {
    const Published published = find_published(experiment).value();
    auto result = present(published, findings, options(experiment, "whole"));
    if (!result) {
      ADD_FAILURE() << result.error().text();
      return {};
    }
    EXPECT_EQ(result->comparisons.size(), published.comparisons.size());
    for (const report::Table& table : tables_of(*result)) {
      EXPECT_FALSE(table.rows.empty()) << table.caption;
      for (const report::Row& row : table.rows) {
        EXPECT_EQ(row.cells.size(), table.columns.size()) << table.caption;
      }
    }
    const std::string page = report::html(result->report);
    report::expect_sound(page);
    for (const std::string& text : texts) {
      EXPECT_NE(page.find(text), std::string::npos) << text;
    }
    for (const char* text : {">nan", " nan", "{", "}"}) {
      EXPECT_EQ(page.substr(page.find("</head>")).find(text), std::string::npos) << text;
    }
    EXPECT_NE(page.find("damier reproduce " + experiment + " --seed 1"), std::string::npos);
    return *std::move(result);
  }

  static std::vector<report::Table> tables_of(const ExperimentResult& result) {
    std::vector<report::Table> tables;
    for (const report::Section& section : result.report.sections) {
      for (const report::Block& block : section.blocks) {
        if (const auto* table = std::get_if<report::PageTable>(&block)) {
          tables.push_back(table->table);
        }
      }
    }
    return tables;
  }
  static report::Table table_of(const ExperimentResult& result, std::string_view caption) {
    for (report::Table& table : tables_of(result)) {
      if (table.caption == caption) return std::move(table);
    }
    ADD_FAILURE() << "no table is called " << caption;
    return {};
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace damier::lab
