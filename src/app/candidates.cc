#include "damier/app/candidates.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "bench/suites.h"
#include <fmt/format.h>

#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/lab/experiment.h"
#include "damier/learn/train/builtin_recipes.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/library.h"
#include "damier/pages/run_page.h"
#include "damier/play/players/players.h"
#include "damier/play/players/shown_players.h"
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

void add_all(CandidateWords& words, CandidateWords more) {
  for (Candidate& word : more) words.push_back(std::move(word));
}

// --- what there is --------------------------------------------------------------------------

CandidateWords game_words(const CandidatePlace& place) {
  CandidateWords words;
  for (const auto& entry : place.context.registry.entries()) {
    words.push_back({std::string(entry.facts.name), std::string(entry.facts.title)});
  }
  return words;
}

CandidateWords preset_words(const CandidatePlace& place) {
  CandidateWords words;
  if (const auto* entry = place.entry()) {
    for (const auto& preset : entry->presets) {
      words.push_back(
          {std::string(preset.name), fmt::format("{}={}", preset.option, preset.value)});
    }
  }
  return words;
}

CandidateWords side_words(const CandidatePlace& place) {
  CandidateWords words = {{"both", "you play both sides"}, {"none", "you watch"}};
  if (const auto* entry = place.entry(); entry != nullptr && entry->facts.players == 2) {
    for (const auto& side : entry->facts.sides) words.push_back({std::string(side), "your side"});
  }
  return words;
}

// Rule options, one after the other: "winner=rooster,retreat=".
CandidateWords rule_words(const CandidatePlace& place) {
  CandidateWords words;
  const std::string before = place.word.substr(0, place.word.rfind(',') + 1);
  if (const auto* entry = place.entry()) {
    for (const auto& option : entry->options) {
      words.push_back({fmt::format("{}{}=", before, option.name), std::string(option.help)});
    }
  }
  return words;
}

CandidateWords model_words() {
  CandidateWords words;
  for (const auto& model : model::shipped_models()) words.push_back({model.name, model.title});
  if (const auto trained = model::trained_models()) {
    for (const auto& model : *trained) {
      words.push_back({model.path, fmt::format("run {}, {}", model.run, model.recipe)});
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
    words.push_back({folder + name + (is_folder ? "/" : ""), is_folder ? "" : "a file"});
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
      if (std::none_of(kinds.begin(), kinds.end(), known)) kinds.push_back(std::move(kind));
    }
  }
  const auto named = place.word.find_first_of(":,");
  CandidateWords words;
  for (const play::PlayerKind& kind : kinds) {
    const auto options = kind.options();
    const auto value = std::find_if(options.begin(), options.end(),
                                    [](const auto& option) { return option.name().empty(); });
    if (named == std::string::npos) {
      words.push_back({kind.name, std::string(kind.help)});
      if (value != options.end())
        words.push_back({kind.name + ":", value->form + ", " + value->help});
      continue;
    }
    if (place.word.substr(0, named) != kind.name) continue;
    const auto comma = place.word.rfind(',');
    if (comma == std::string::npos) {
      if (value == options.end() || value->form != play::kNetworkModel) continue;
      CandidateWords models = model_words();
      add_all(models, model_file_words(place.word.substr(named + 1)));
      for (const Candidate& model : models) {
        words.push_back({kind.name + ":" + play::player_value(model.word), model.about});
      }
      continue;
    }
    const std::string before = place.word.substr(0, comma + 1);
    for (const auto& option : options) {
      if (option.name().empty()) continue;
      const bool has_value = option.form.find('=') != std::string::npos;
      words.push_back({before + std::string(option.name()) + (has_value ? "=" : ""), option.help});
    }
    words.push_back({before + "name=", "what tables call it"});
  }
  return words;
}

CandidateWords run_words() {
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
    words.push_back({run.name, fmt::format("{}, {}", join(about, " "), status_text(run.status))});
  }
  return words;
}

CandidateWords recipe_names(const CandidatePlace& place) {
  CandidateWords words;
  const std::size_t files = learn::builtin_recipes().size();
  for (std::string& name : learn::recipe_names(place.context.registry.tasks())) {
    words.push_back({std::move(name), words.size() < files ? "a recipe" : "its plain recipe"});
  }
  return words;
}

CandidateWords task_words(const CandidatePlace& place) {
  CandidateWords words;
  for (const std::string& task : place.context.registry.tasks().names())
    words.push_back({task, ""});
  return words;
}

CandidateWords experiment_words() {
  CandidateWords words;
  for (const auto& experiment : lab::experiments()) {
    words.push_back({std::string(experiment.name), "an experiment"});
  }
  return words;
}

CandidateWords bench_words() {
  CandidateWords words;
  for (const auto& suite : bench::kSuites) {
    words.push_back({std::string(suite.name), std::string(suite.about)});
  }
  return words;
}

CandidateWords bench_game_words() {
  CandidateWords words;
  for (const auto& suite : bench::kSuites) {
    for (const std::string_view game : suite.games) {
      words.push_back({std::string(game), fmt::format("of {}", suite.name)});
    }
  }
  return words;
}

CandidateWords peer_words() {
  CandidateWords words;
  for (const auto& suite : bench::kSuites) {
    if (!suite.peer.empty()) {
      words.push_back({std::string(suite.peer), fmt::format("reference for {}", suite.name)});
    }
  }
  return words;
}

CandidateWords command_words() {
  CandidateWords words;
  for (const Command& command : commands()) {
    words.push_back({std::string(command.name), std::string(command.summary)});
  }
  return words;
}

// --- by what an argument is called ----------------------------------------------------------

struct CandidateKind {
  std::string_view kind;  // as in the help; of one command alone: "bench NAME"
  Candidates (*of)(const CandidatePlace& place);
};

Candidates nothing_known(const CandidatePlace&) { return {}; }
Candidates any_file(const CandidatePlace&) { return {{}, true}; }
Candidates any_game(const CandidatePlace& place) { return {game_words(place)}; }
Candidates any_player(const CandidatePlace& place) { return {player_words(place)}; }
Candidates any_model(const CandidatePlace&) { return {model_words(), true}; }
Candidates any_run(const CandidatePlace&) { return {run_words()}; }

constexpr auto kCandidateKinds = std::to_array<CandidateKind>({
    {"bench NAME", [](const CandidatePlace&) { return Candidates{bench_words()}; }},
    {"bench GAME", [](const CandidatePlace&) { return Candidates{bench_game_words()}; }},
    {"reproduce NAME", [](const CandidatePlace&) { return Candidates{experiment_words()}; }},
    {"predict NAME", nothing_known},
    {"train MODEL", any_file},  // written
    {"init MODEL", any_file},
    {"eval MODEL",
     [](const CandidatePlace& place) {
       Candidates all = any_model(place);
       add_all(all.words, player_words(place));
       return all;
     }},
    {"GAME", any_game},
    {"PRESET", [](const CandidatePlace& place) { return Candidates{preset_words(place)}; }},
    {"SIDE", [](const CandidatePlace& place) { return Candidates{side_words(place)}; }},
    {"RULES", [](const CandidatePlace& place) { return Candidates{rule_words(place)}; }},
    {"PLAYER", any_player},
    {"A", any_player},
    {"B", any_player},
    {"PLAYERS", any_player},
    {"PLAYER[=ELO]", any_player},
    {"MODEL", any_model},
    {"RUN", any_run},
    {"RUN|FILE",
     [](const CandidatePlace& place) {
       Candidates all = any_model(place);
       add_all(all.words, run_words());
       return all;
     }},
    {"RECIPE",
     [](const CandidatePlace& place) {
       return Candidates{recipe_names(place), true};
     }},
    {"TASK", [](const CandidatePlace& place) { return Candidates{task_words(place)}; }},
    {"PEER", [](const CandidatePlace&) { return Candidates{peer_words()}; }},
    {"VERB",
     [](const CandidatePlace&) {
       return Candidates{{{"show", "one run, as a page of text"}}};
     }},
    {"SHELL",
     [](const CandidatePlace&) {
       return Candidates{{{"bash", ""}, {"zsh", ""}, {"fish", ""}}};
     }},
    {"TOPIC",
     [](const CandidatePlace& place) {
       Candidates all{command_words()};
       add_all(all.words, game_words(place));
       all.words.push_back({"players", "the players and their options"});
       return all;
     }},
    {"FILE", any_file},
    {"FILES", any_file},
    {"FILE.csv", any_file},
    {"SIZE|FILE", any_file},
    {"SPEC", any_file},
    {"OUT", any_file},
    {"REPORT", any_file},
    {"PAGE", any_file},
});

const CandidateKind* find_candidate_kind(const std::string& command, const std::string& kind) {
  const std::string own = command + " " + kind;
  for (const CandidateKind& known : kCandidateKinds) {
    if (known.kind == own || known.kind == kind) return &known;
  }
  return nullptr;
}

// "en|fr": one of these words. What is no word itself is in capitals.
std::optional<CandidateWords> words_of_choice(const std::string& kind) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (kind.empty() || std::any_of(kind.begin(), kind.end(), is_capital)) return std::nullopt;
  CandidateWords words;
  for (const std::string_view word : split(kind, '|')) words.push_back({std::string(word), ""});
  return words;
}

Candidates values_of(const std::string& command, const ArgumentShape& argument,
                     const CandidatePlace& place) {
  if (auto choice = words_of_choice(argument.kind)) return {*std::move(choice)};
  const CandidateKind* known = find_candidate_kind(command, argument.kind);
  return known == nullptr ? Candidates{} : known->of(place);
}

const ArgumentShape* find_option(const std::vector<ArgumentShape>& arguments,
                                 std::string_view name) {
  for (const ArgumentShape& argument : arguments) {
    const auto& names = argument.names;
    if (std::find(names.begin(), names.end(), name) != names.end()) return &argument;
  }
  return nullptr;
}

Candidates option_words(const std::vector<ArgumentShape>& arguments) {
  Candidates found;
  for (const ArgumentShape& argument : arguments) {
    for (const std::string& name : argument.names) {
      if (name.starts_with("--")) found.words.push_back({name, argument.help});
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
    return std::any_of(commands().begin(), commands().end(),
                       [&](const Command& command) { return command.name == text; });
  };
  // Options may stand before the command.
  const auto last = words.end() - (words.empty() ? 0 : 1);
  const auto command = std::find_if(words.begin(), last, is_command);
  if (command != last) {
    found = find_candidates(*command, {command + 1, last}, word, context);
  } else {
    found.words = command_words();
    found.words.push_back({"--help", "print the help"});
    found.words.push_back({"--version", "print the version"});
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
