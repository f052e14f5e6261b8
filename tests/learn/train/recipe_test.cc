// Recipes: what they may say, and how wrong ones are answered.

#include "damier/learn/train/recipe.h"

#include <filesystem>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/text/text.h"
#include "damier/learn/tasks.h"
#include "damier/learn/train/builtin_recipes.h"

namespace damier::learn {
namespace {

constexpr std::string_view kGood = R"({
  // A comment, and a text that looks like one.
  "task": "fanorona",
  "data": {"generate": {"count": 100, "encoder": "flat"}},
  "network": {
    "input": [46],
    "layers": [{"type": "dense", "units": 8}, {"type": "relu"}],
    "heads": {
      "policy": [{"type": "dense", "units": 18}],
      "value": [{"type": "dense", "units": 1}]
    }
  },
  "heads": {
    "policy": {"loss": "cross_entropy", "groups": [9, 9], "weight": 2},
    "value": {"loss": "huber", "scale": 0.5}
  },
  "optimiser": {"kind": "adamw", "rate": 0.01, "weight_decay": 0.1},
  "schedule": {"kind": "step", "every": 2, "factor": 0.5},
  "batch": 32, "epochs": 3, "precision": "double", "augmentation": "symmetry",
  "evaluation": {"sets": ["test", "all"], "every": 2, "keep": "accuracy"},
  "seed": 7
})";

TEST(Recipes, SayEverything) {
  const auto recipe = parse_recipe(kGood, "test");
  ASSERT_TRUE(recipe.ok()) << recipe.error().text();
  EXPECT_EQ(recipe->task->name(), "fanorona");
  EXPECT_EQ(recipe->data->generate.count, 100u);
  EXPECT_EQ(recipe->network.input.size(), 46);
  ASSERT_EQ(recipe->heads.size(), 2u);
  EXPECT_EQ(recipe->heads[0].target, "policy");
  EXPECT_EQ(recipe->heads[0].loss.groups, (std::vector<int>{9, 9}));
  EXPECT_EQ(recipe->heads[0].loss.weight, 2);
  EXPECT_EQ(recipe->heads[1].scale, 0.5);
  EXPECT_EQ(recipe->optimiser.kind, nn::OptimiserKind::adamw);
  EXPECT_EQ(recipe->schedule.kind, nn::ScheduleKind::step);
  EXPECT_TRUE(recipe->doubles);
  EXPECT_TRUE(recipe->augment);
  EXPECT_EQ(recipe->keep, Keep::accuracy);
  EXPECT_EQ(recipe->seed, 7u);
}

// A game's own recipe may learn by play. Whoever brings data means the one for rows.
TEST(Recipes, WithDataAGameMeansItsRecipeForRows) {
  const auto own = find_recipe("bremen");
  ASSERT_TRUE(own.ok()) << own.error().text();
  ASSERT_TRUE(own->self_play.has_value());
  EXPECT_EQ(own->start, "bremen-small");
  const auto plain = find_recipe("bremen", {"data.generate.count=100"});
  ASSERT_TRUE(plain.ok()) << plain.error().text();
  EXPECT_EQ(plain->play(), nullptr);
  EXPECT_EQ(plain->data->generate.count, 100u);
  EXPECT_EQ(plain->name, "bremen-rows");
  EXPECT_EQ(plain->json, find_recipe("bremen-rows", {"data.generate.count=100"})->json);
  // What judges it changes nothing of it.
  const auto judged = find_recipe("bremen", {"judge.generate.count=100"});
  ASSERT_TRUE(judged.ok()) << judged.error().text();
  EXPECT_EQ(judged->name, "bremen");
  EXPECT_TRUE(judged->self_play.has_value());
  EXPECT_EQ(judged->judge->generate.count, 100u);
  // A recipe for rows stays what it is.
  const auto both =
      find_recipe("fanorona-quick", {"judge.generate.count=100", "data.generate.count=200"});
  ASSERT_TRUE(both.ok()) << both.error().text();
  EXPECT_EQ(both->name, "fanorona-quick");
  EXPECT_EQ(both->data->generate.count, 200u);
  EXPECT_EQ(both->judge->generate.count, 100u);
}

TEST(Recipes, WhoLearnsByPlayIsJudgedByRows) {
  const Settings rows = {"judge.generate.count=100"};
  for (const char* name : {"bremen-dqn", "fanorona-self-play", "domineering-ppo"}) {
    const auto alone = find_recipe(name);
    ASSERT_TRUE(alone.ok()) << alone.error().text();
    EXPECT_FALSE(alone->judge.has_value());
    const auto judged = find_recipe(name, rows);
    ASSERT_TRUE(judged.ok()) << judged.error().text();
    EXPECT_NE(judged->play(), nullptr);
    EXPECT_FALSE(judged->data.has_value());
    EXPECT_TRUE(judged->judge.has_value());
    ASSERT_FALSE(judged->evaluated.empty());
    EXPECT_EQ(judged->evaluated.front(), "validation");
  }
  const auto tested =
      // By the key's older name.
      find_recipe("fanorona-self-play", {"data.generate.count=100", R"(evaluation.sets=["test"])"});
  ASSERT_TRUE(tested.ok()) << tested.error().text();
  EXPECT_EQ(tested->evaluated, std::vector<std::string>{"test"});
  const auto without = find_recipe("fanorona-self-play", {R"(evaluation.sets=["test"])"});
  ASSERT_FALSE(without.ok());
  EXPECT_NE(without.error().text().find("unknown set 'test'"), std::string::npos)
      << without.error().text();
}

TEST(Recipes, SettingsChangeThem) {
  const auto recipe =
      parse_recipe(kGood, "test",
                   {"epochs=9", "network.layers.0.units=16", "optimiser.kind=sgd",
                    "data.generate.oracle=minimax:3", "evaluation.sets=[\"reachable\"]"});
  ASSERT_TRUE(recipe.ok()) << recipe.error().text();
  EXPECT_EQ(recipe->epochs, 9);
  EXPECT_EQ(recipe->network.layers[0].out.text(), "16");
  EXPECT_EQ(recipe->optimiser.kind, nn::OptimiserKind::sgd);
  EXPECT_EQ(recipe->task->text_option(recipe->data->generate, "teacher"), "minimax:3");
  EXPECT_EQ(recipe->evaluated, (std::vector<std::string>{"reachable"}));
  EXPECT_NE(recipe->hash(), parse_recipe(kGood, "test")->hash());
}

TEST(Recipes, NameTheFirstWeightsOrGiveTheirLimit) {
  const auto initialisation = [](const Settings& settings) {
    return parse_recipe(kGood, "test", settings).value().initialisation;
  };
  EXPECT_EQ(initialisation({}).kind, nn::Initialisation::he_uniform);
  EXPECT_EQ(initialisation({"initialisation=xavier_normal"}).kind,
            nn::Initialisation::xavier_normal);
  EXPECT_EQ(initialisation({"initialisation=uniform"}).limit, 0.05);
  const auto limited = initialisation({R"(initialisation={"kind": "uniform", "limit": 0.25})"});
  EXPECT_EQ(limited.kind, nn::Initialisation::uniform);
  EXPECT_EQ(limited.limit, 0.25);
}

TEST(Recipes, WrongOnesAreAnsweredInOneLine) {
  struct Case {
    std::string setting;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"epochs", "--set 'epochs': expected key.key=value"},
      {"=3", "--set '=3': expected key.key=value"},
      {"a..b=3", "--set 'a..b=3': a key is empty; expected key.key=value"},
      {"batch.size=3", "--set 'batch.size=3': 'size' stands under a value that has no keys"},
      {"network.layers.7.units=3",
       "--set 'network.layers.7.units=3': '7' is no place in a list of 2"},
      {"epoch=3",
       "test: unknown key 'epoch'; did you mean 'epochs'? (known: epochs, batch, memory, task, "
       "data, judge, start, network, heads, rule, order, seed, schedule, patience, optimiser, "
       "precision, evaluation, augmentation, initialisation)"},
      {"task=fanorna", "test: task: unknown task 'fanorna'; did you mean 'fanorona'? (known: " +
                           join(nearest_first("fanorna", builtin_tasks().names()), ", ") + ")"},
      {"task=3", "test: task: is 3; expected a text"},
      {"epochs=0", "test: epochs: is 0; expected a whole number from 1 to 1000000"},
      {"batch=\"many\"", "test: batch: is \"many\"; expected a whole number from 1 to 65536"},
      {"precision=half", "test: precision: unknown word 'half' (known: float, double)"},
      {"augmentation=mirror", "test: augmentation: unknown word 'mirror' (known: none, symmetry)"},
      {"initialisation=xavier",
       "test: initialisation.kind: unknown word 'xavier'; did you mean 'xavier_uniform'? (known: "
       "xavier_uniform, xavier_normal, uniform, he_uniform, he_normal)"},
      {"initialisation=3", "test: initialisation is number; expected an object"},
      {"initialisation={\"kind\":\"uniform\",\"limit\":-1}",
       "test: initialisation.limit: is -1; expected a number from 0 to 1000"},
      {"initialisation={\"kind\":\"he_normal\",\"limit\":1}",
       "test: initialisation: unknown key 'limit' (known: kind)"},
      {"rule=locl",
       "test: rule: unknown word 'locl'; did you mean 'local'? (known: local, "
       "backpropagation)"},
      {"rule=local",
       "test: rule: is local; expected dense layers with biases, each followed by a sigmoid, and "
       "one head without layers"},
      {"seed=-1", "test: seed: is -1; expected a whole number from 0 to 2^64-1"},
      {"data={}", "test: data: expected one of file and generate"},
      {"data.file=x", "test: data: expected one of file and generate"},
      {"data=3", "test: data is number; expected an object"},
      {"data.generate.cuont=3",
       "test: data.generate: unknown key 'cuont'; did you mean 'count'? (known: count, split, "
       "test, shown, seed, target, noise, states, encoder, balance, "
       "teacher, validation)"},
      {"data.generate.states=none",
       "test: data.generate: unknown states 'none' (known: all, play, reachable)"},
      {"data.generate.test=2", "test: data.generate.test: is 2; expected a number from 0 to 1"},
      {"network.layers.0.units=0",
       "test, network: layers[0].units: is 0; expected a whole number from 1 to 1048576"},
      {"network.heads.extra=[]", "test: heads.extra: missing; expected a loss for this head"},
      {"heads.vlaue={}",
       "test: heads: unknown key 'vlaue'; did you mean 'value'? (known: value, "
       "policy)"},
      {"heads.policy.loss=entropy",
       "test: heads.policy.loss: unknown word 'entropy' (known: cross_entropy, huber, "
       "binary_cross_entropy, mean_squared_error, chosen_squared_error)"},
      {"heads.policy.groups=[9,8]",
       "test: heads.policy.groups: expected sizes with the sum 18 for "
       "a cross_entropy, the outputs of the head"},
      {"heads.value.groups=[1]",
       "test: heads.value.groups: expected sizes with the sum 1 for a "
       "cross_entropy, the outputs of the head"},
      {"optimiser.kind=adm",
       "test: optimiser.kind: unknown word 'adm'; did you mean 'adam'? (known: adam, adamw, sgd, "
       "rmsprop)"},
      {"optimiser.momentum=2", "test: optimiser.momentum: is 2; expected a number from 0 to 1"},
      {"optimiser.epsilon=-1", "test: optimiser.epsilon: is -1; expected a number from 0 to 1"},
      {"optimiser.lr=2",
       "test: optimiser: unknown key 'lr' (known: kind, rate, alpha, beta1, beta2, epsilon, "
       "clip_norm, momentum, clip_weights, weight_decay)"},
      {"schedule.kind=line",
       "test: schedule.kind: unknown word 'line' (known: cosine, step, constant)"},
      {"schedule.warm_up=-1", "test: schedule.warm_up: is -1; expected a number from 0 to 1000000"},
      {"evaluation.sets=[\"tests\"]",
       "test: evaluation.sets[0]: unknown set 'tests'; did you mean 'test'? (known: test, all, "
       "training, reachable, validation)"},
      {"evaluation.keep=best",
       "test: evaluation.keep: unknown word 'best' (known: last, loss, accuracy)"},
  };
  for (const Case& one : cases) {
    const auto recipe = parse_recipe(kGood, "test", {one.setting});
    ASSERT_FALSE(recipe.ok()) << one.setting;
    const std::string text = recipe.error().text();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(text, one.message) << one.setting;
    EXPECT_EQ(recipe.error().kind, ErrorKind::input);
  }
}

TEST(Recipes, TheLayerLocalRuleTakesASquaredErrorAndARate) {
  const auto message = [](Settings settings) {
    settings.insert(settings.begin(),
                    {"rule=local", R"(network={"input": [46], "layers": [{"type": "dense",
                     "units": 18}, {"type": "sigmoid"}], "heads": {"policy": []}})",
                     R"(heads={"policy": {}})", R"(optimiser={"kind": "sgd", "rate": 0.1})"});
    const auto recipe = parse_recipe(kGood, "test", settings);
    return recipe ? std::string("good") : recipe.error().text();
  };
  EXPECT_EQ(message({}), "good");
  for (const char* head :
       {"heads.policy.loss=huber", "heads.policy.weight=2", "heads.policy.mask=legal"}) {
    EXPECT_EQ(message({head}),
              "test: rule: is local; expected a mean_squared_error of weight 1 "
              "without a mask");
  }
  for (const char* optimiser : {"optimiser.kind=adam", "optimiser.momentum=0.9",
                                "optimiser.clip_norm=1", "optimiser.weight_decay=1"}) {
    EXPECT_EQ(message({optimiser}),
              "test: rule: is local; expected an optimiser of kind sgd with "
              "nothing but its rate");
  }
}

TEST(Recipes, TextsThatAreNoRecipe) {
  const auto message = [](std::string_view text) {
    const auto recipe = parse_recipe(text, "file.json");
    return recipe ? std::string("good") : recipe.error().text();
  };
  EXPECT_EQ(message("[]"), "file.json: the document is array; expected an object");
  EXPECT_EQ(message("{}"), "file.json: task: missing");
  EXPECT_EQ(message(R"({"task": "fanorona"})"),
            "file.json: data: missing; expected a file or generate");
  EXPECT_EQ(message(R"({"task": "fanorona", "data": {"file": "x"}})"),
            "file.json: network: missing; expected a specification");
  EXPECT_EQ(message(R"({"task": "fanorona", "data": {"file": "x"}, "network": {"input": [46]}})"),
            "file.json: heads: missing; expected a loss for each head");
  // Comments do not move the place of an error.
  EXPECT_TRUE(message("{ // one\n  // two\n  \"task\": oops\n}").starts_with("file.json:3:1"));
}

// Numbers that are small enough by themselves, and too large together.
TEST(Recipes, WhatMultipliesToTooMuchMemoryIsRefused) {
  const std::string widened =
      R"([{"type": "dense", "units": 1000000}, {"type": "dense", "units": 8},
      {"type": "relu"}])";
  const auto error = [&](const Settings& settings) {
    const auto recipe = parse_recipe(kGood, "test", settings);
    return recipe ? std::string("accepted") : recipe.error().text();
  };
  EXPECT_EQ(error({"network.layers=" + widened}), "accepted");
  EXPECT_EQ(error({"batch=65536"}), "accepted");
  EXPECT_TRUE(error({"network.layers=" + widened, "batch=65536"})
                  .starts_with("test: batch: 65536 samples of this network take 10"));
}

TEST(Recipes, RowsThatNoMemoryHoldsAreRefusedBeforeTheWork) {
  const auto recipe = parse_recipe(kGood, "test", {"data.generate.count=1000000000000"});
  ASSERT_TRUE(recipe.ok()) << recipe.error().text();
  ThreadPool pool(1);
  const auto data = generate_in_memory(*recipe->task, recipe->data->generate, pool);
  ASSERT_FALSE(data.ok());
  EXPECT_TRUE(data.error().text().starts_with("a count of 1000000000000 rows takes "))
      << data.error().text();
}

TEST(Recipes, AreFoundByFileAndByName) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "mine.json";
  ASSERT_TRUE(write_file_atomically(file, kGood));
  EXPECT_TRUE(find_recipe(file).ok());
  EXPECT_EQ(find_recipe("fanorona-quick")->name, "fanorona-quick");
  EXPECT_EQ(find_recipe("./none.json").error().text(),
            "./none.json: cannot be read: there is no such file");
  EXPECT_TRUE(find_recipe("fanorna-quick")
                  .error()
                  .text()
                  .starts_with("unknown recipe 'fanorna-quick'; did you mean 'fanorona-quick'?"));
}

// What ships is in the library, is right, and fits the data that it asks for.
TEST(Recipes, TheBuiltInOnesAreThoseOfTheFolder) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DAMIER_SOURCE_DIR) / "recipes")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const auto recipe = find_recipe(entry.path().stem().string());
    ASSERT_TRUE(recipe.ok()) << recipe.error().text();
    EXPECT_EQ(recipe->json, find_recipe(entry.path().string())->json) << entry.path();
    const std::string encoder = recipe->play() != nullptr
                                    ? recipe->play()->encoder
                                    : recipe->task->encoder_of(recipe->data->generate);
    const auto fit = recipe->task->encoder(encoder).value()->check_network(recipe->network);
    EXPECT_TRUE(fit.ok()) << entry.path() << ": " << fit.error().text();
  }
  EXPECT_EQ(files, builtin_recipes().size());
  EXPECT_GE(files, 9u);
}

}  // namespace
}  // namespace damier::learn
