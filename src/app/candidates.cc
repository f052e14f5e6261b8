#include "damier/app/candidates.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "bench/suites.h"
#include <fmt/format.h>

#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/lab/experiment.h"
#include "damier/learn/train/builtin_recipes.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/library.h"
#include "damier/pages/run_page.h"
#include "damier/play/players/player_text.h"
#include "damier/play/players/players.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

namespace fs = std::filesystem;

// Where a word is to be completed.
struct CandidatePlace {
  const Context& context;
  std::string game;  // that the words before name; empty where none is
  std::string word;  // as far as it is typed

  const games::GameEntry* entry() const {
    const auto found = context.registry.find(game);
    return found ? *found : nullptr;
  }
};

using CandidateWords = std::vector<Candidate>;

CandidateWords joined(CandidateWords words, const CandidateWords& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A word for each entry of a list.
CandidateWords words_for(const auto& list, auto word_of) {
  CandidateWords words;
  for (const auto& entry : list) words.push_back(word_of(entry));
  return words;
}

// --- what there is --------------------------------------------------------------------------

CandidateWords no_words(const CandidatePlace&) { return {}; }

CandidateWords game_words(const CandidatePlace& place) {
  return words_for(place.context.registry.entries(), [](const games::GameEntry& entry) {
    return Candidate(entry.facts.name, entry.facts.title);
  });
}

CandidateWords preset_words(const CandidatePlace& place) {
  const auto* entry = place.entry();
  if (entry == nullptr) return {};
  return words_for(entry->presets, [](const games::Preset& preset) {
    return Candidate(preset.name, fmt::format("{}={}", preset.option, preset.value));
  });
}

CandidateWords side_words(const CandidatePlace& place) {
  CandidateWords words = {{"both", "you play both sides"}, {"none", "you watch"}};
  if (const auto* entry = place.entry(); entry != nullptr && entry->facts.players == 2) {
    for (const auto& side : entry->facts.sides) words.emplace_back(side, "your side");
  }
  return words;
}

// Rule options, one after the other: "winner=rooster,retreat=".
CandidateWords rule_words(const CandidatePlace& place) {
  const auto* entry = place.entry();
  if (entry == nullptr) return {};
  const std::string before = place.word.substr(0, place.word.rfind(',') + 1);
  return words_for(entry->options, [&](const auto& option) {
    return Candidate(fmt::format("{}{}=", before, option.name), option.help);
  });
}

CandidateWords model_words(const CandidatePlace&) {
  auto words = words_for(model::shipped_models(), [](const model::ShippedModel& model) {
    return Candidate(model.name, model.title);
  });
  if (const auto trained = model::trained_models()) {
    for (const auto& model : *trained) {
      words.emplace_back(model.path, fmt::format("run {}, {}", model.run, model.recipe));
    }
  }
  return words;
}

// Folders and model files that begin with `typed`, for names that a shell does not know as files.
CandidateWords model_file_words(const std::string& typed) {
  CandidateWords words;
  const std::string folder = typed.substr(0, typed.rfind('/') + 1);
  std::error_code error;
  fs::directory_iterator files(folder.empty() ? fs::path(".") : fs::path(folder), error), end;
  for (; !error && files != end; files.increment(error)) {
    const std::string name = files->path().filename().string();
    std::error_code ignored;
    const bool is_folder = files->is_directory(ignored);
    const bool is_hidden = name.starts_with('.');
    if (is_hidden || (!is_folder && !name.ends_with(".safetensors"))) continue;
    words.emplace_back(folder + name + (is_folder ? "/" : ""), is_folder ? "" : "a file");
  }
  return words;
}

// A player's name, then its value, then its options.
CandidateWords player_words(const CandidatePlace& place) {
  std::vector<play::PlayerKind> kinds;
  for (const auto& entry : place.context.registry.entries()) {
    if (place.entry() != nullptr && place.entry()->facts.name != entry.facts.name) continue;
    const auto game = entry.make({});
    if (!game) continue;
    for (play::PlayerKind& kind : play::player_kinds(*place.context.registry.toolkit(*game))) {
      const auto known = [&](const play::PlayerKind& other) { return other.name == kind.name; };
      if (std::ranges::none_of(kinds, known)) kinds.push_back(std::move(kind));
    }
  }
  const auto named = place.word.find_first_of(":,");
  CandidateWords words;
  for (const play::PlayerKind& kind : kinds) {
    const auto options = kind.options();
    const auto value =
        std::ranges::find_if(options, [](const auto& option) { return option.name().empty(); });
    if (named == std::string::npos) {
      words.emplace_back(kind.name, kind.help);
      if (value != options.end()) {
        words.emplace_back(kind.name + ":", value->form + ", " + value->help);
      }
      continue;
    }
    if (place.word.substr(0, named) != kind.name) continue;
    const auto comma = place.word.rfind(',');
    if (comma == std::string::npos) {
      if (value == options.end() || value->form != play::kNetworkModel) continue;
      for (const Candidate& model :
           joined(model_words(place), model_file_words(place.word.substr(named + 1)))) {
        words.emplace_back(kind.name + ":" + play::player_value(model.word), model.about);
      }
      continue;
    }
    const std::string before = place.word.substr(0, comma + 1);
    for (const auto& option : options) {
      if (option.name().empty()) continue;
      const bool has_value = option.form.find('=') != std::string::npos;
      words.emplace_back(before + std::string(option.name()) + (has_value ? "=" : ""), option.help);
    }
    words.emplace_back(before + "name=", "what tables call it");
  }
  return words;
}

CandidateWords run_words(const CandidatePlace&) {
  CandidateWords words;
  const auto path = default_store_path();
  std::error_code ignored;
  if (!path || !fs::exists(*path, ignored)) return words;  // looking makes no store
  auto store = Store::open_default();
  if (!store) return words;
  DamagedRows damaged;
  const auto runs = store->runs({}, &damaged);
  if (!runs) return words;
  for (const Run& run : *runs) {
    std::vector<std::string> about = {run.request.kind, run.request.game};
    for (std::string& player : play::shown_players(pages::players_of(run))) {
      about.push_back(std::move(player));
    }
    words.emplace_back(run.name, fmt::format("{}, {}", join(about, " "), status_text(run.status)));
  }
  return words;
}

CandidateWords recipe_names(const CandidatePlace& place) {
  CandidateWords words;
  const std::size_t files = learn::builtin_recipes().size();
  for (const std::string& name : learn::recipe_names(place.context.registry.tasks())) {
    words.emplace_back(name, words.size() < files ? "a recipe" : "its plain recipe");
  }
  return words;
}

CandidateWords task_words(const CandidatePlace& place) {
  return words_for(place.context.registry.tasks().names(),
                   [](const std::string& task) { return Candidate(task); });
}

CandidateWords experiment_words(const CandidatePlace&) {
  return words_for(lab::experiments(), [](const lab::Experiment& experiment) {
    return Candidate(experiment.name, "an experiment");
  });
}

CandidateWords bench_words(const CandidatePlace&) {
  return words_for(bench::kSuites,
                   [](const bench::Suite& suite) { return Candidate(suite.name, suite.about); });
}

CandidateWords bench_game_words(const CandidatePlace&) {
  CandidateWords words;
  for (const auto& suite : bench::kSuites) {
    for (const std::string_view game : suite.games) {
      words.emplace_back(game, fmt::format("of {}", suite.name));
    }
  }
  return words;
}

CandidateWords peer_words(const CandidatePlace&) {
  CandidateWords words;
  for (const auto& suite : bench::kSuites) {
    if (!suite.peer.empty()) {
      words.emplace_back(suite.peer, fmt::format("reference for {}", suite.name));
    }
  }
  return words;
}

CandidateWords command_words() {
  return words_for(commands(),
                   [](const Command& command) { return Candidate(command.name, command.summary); });
}

// --- by what an argument is called ----------------------------------------------------------

struct CandidateKind {
  std::string_view kind;  // as in the help; of one command alone: "bench NAME"
  CandidateWords (*words)(const CandidatePlace& place);
  bool files = false;
};

constexpr auto kCandidateKinds = std::to_array<CandidateKind>({
    {"bench NAME", bench_words},
    {"bench GAME", bench_game_words},
    {"reproduce NAME", experiment_words},
    {"predict NAME", no_words},
    {"train MODEL", no_words, true},  // written
    {"init MODEL", no_words, true},
    {"eval MODEL",
     [](const CandidatePlace& place) { return joined(model_words(place), player_words(place)); },
     true},
    {"GAME", game_words},
    {"PRESET", preset_words},
    {"SIDE", side_words},
    {"RULES", rule_words},
    {"PLAYER", player_words},
    {"A", player_words},
    {"B", player_words},
    {"PLAYERS", player_words},
    {"PLAYER[=ELO]", player_words},
    {"MODEL", model_words, true},
    {"RUN", run_words},
    {"RUN|FILE",
     [](const CandidatePlace& place) { return joined(model_words(place), run_words(place)); },
     true},
    {"RECIPE", recipe_names, true},
    {"TASK", task_words},
    {"PEER", peer_words},
    {"VERB",
     [](const CandidatePlace&) {
       return CandidateWords{{"show", "one run, as a page of text"}};
     }},
    {"SHELL",
     [](const CandidatePlace&) {
       return CandidateWords{{"bash"}, {"zsh"}, {"fish"}};
     }},
    {"TOPIC",
     [](const CandidatePlace& place) {
       auto words = joined(command_words(), game_words(place));
       words.emplace_back("players", "the players and their options");
       return words;
     }},
    {"FILE", no_words, true},
    {"FILES", no_words, true},
    {"FILE.csv", no_words, true},
    {"SIZE|FILE", no_words, true},
    {"SPEC", no_words, true},
    {"OUT", no_words, true},
    {"REPORT", no_words, true},
    {"PAGE", no_words, true},
});

Candidates values_of(const std::string& command, const ArgumentShape& argument,
                     const CandidatePlace& place) {
  // "en|fr": one of these words. What is no word itself is in capitals.
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!argument.kind.empty() && std::ranges::none_of(argument.kind, is_capital)) {
    return {words_for(split(argument.kind, '|'),
                      [](const std::string_view word) { return Candidate(word); })};
  }
  const std::string own = command + " " + argument.kind;
  for (const CandidateKind& known : kCandidateKinds) {
    if (known.kind == own || known.kind == argument.kind) return {known.words(place), known.files};
  }
  return {};
}

const ArgumentShape* find_option(const std::vector<ArgumentShape>& arguments,
                                 std::string_view name) {
  const auto found = std::ranges::find_if(arguments, [&](const ArgumentShape& argument) {
    return std::ranges::find(argument.names, name) != argument.names.end();
  });
  return found == arguments.end() ? nullptr : &*found;
}

Candidates option_words(const std::vector<ArgumentShape>& arguments) {
  Candidates found;
  for (const ArgumentShape& argument : arguments) {
    for (const std::string& name : argument.names) {
      if (name.starts_with("--")) found.words.emplace_back(name, argument.help);
    }
  }
  return found;
}

// The arguments without a name stand in their order; a list takes all that follow.
const ArgumentShape* argument_at(const std::vector<ArgumentShape>& arguments, std::size_t number) {
  const ArgumentShape* last = nullptr;
  for (const ArgumentShape& argument : arguments) {
    if (!argument.names.empty()) continue;
    if (number-- == 0) return &argument;
    last = &argument;
  }
  return last != nullptr && last->is_list ? last : nullptr;
}

Candidates find_candidates(const std::string& command, const std::vector<std::string>& before,
                           const std::string& word, const Context& context) {
  const auto arguments = command_line(*context.root, command).arguments();
  CandidatePlace place{context, "", word};
  const ArgumentShape* asked = nullptr;  // the option whose value comes next
  std::size_t given = 0;
  for (const std::string& earlier : before) {
    if (asked != nullptr) {
      asked = nullptr;
    } else if (earlier.size() > 1 && earlier.starts_with('-')) {
      asked = find_option(arguments, earlier);
      if (asked != nullptr && !asked->takes_value) asked = nullptr;
    } else {
      const ArgumentShape* argument = argument_at(arguments, given++);
      if (argument != nullptr && argument->kind == "GAME") place.game = earlier;
    }
  }
  if (asked != nullptr) return values_of(command, *asked, place);
  const auto equals = word.find('=');
  if (word.starts_with("--") && equals != std::string::npos) {
    const ArgumentShape* option = find_option(arguments, word.substr(0, equals));
    if (option == nullptr) return {};
    place.word = word.substr(equals + 1);
    Candidates found = values_of(command, *option, place);
    for (Candidate& value : found.words) value.word.insert(0, word.substr(0, equals + 1));
    return found;
  }
  if (word.starts_with('-')) return option_words(arguments);
  const ArgumentShape* argument = argument_at(arguments, given);
  return argument == nullptr ? option_words(arguments) : values_of(command, *argument, place);
}

}  // namespace

Candidates candidates_for(const std::vector<std::string>& words, const Context& context) {
  const std::string word = words.empty() ? "" : words.back();
  Candidates found;
  const auto is_command = [&](const std::string& text) {
    return std::ranges::any_of(commands(),
                               [&](const Command& command) { return command.name == text; });
  };
  // Options may stand before the command.
  const auto last = words.end() - (words.empty() ? 0 : 1);
  const auto command = std::find_if(words.begin(), last, is_command);
  if (command != last) {
    found = find_candidates(*command, {command + 1, last}, word, context);
  } else {
    found.words = command_words();
    found.words.emplace_back("--help", "print the help");
    found.words.emplace_back("--version", "print the version");
  }
  std::erase_if(found.words, [&](const Candidate& candidate) {
    return !candidate.word.starts_with(word) || candidate.word.find('\n') != std::string::npos;
  });
  return found;
}

int print_candidates(const std::vector<std::string>& words, const Context& context) {
  const Candidates found = candidates_for(words, context);
  for (const Candidate& candidate : found.words) {
    print_output("{}\t{}\n", candidate.word, printable(candidate.about));
  }
  if (found.files) print_output(":files\n");
  return kDone;
}

}  // namespace damier::app
