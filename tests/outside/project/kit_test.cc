#include "damier/testing/kit.h"

#include <gtest/gtest.h>

#include "damier/games/fanorona/fanorona.h"

TEST(Outside, TheKitIsInstalled) {
  damier::games::kit::check_random_games(damier::games::fanorona::Fanorona(), 1, 10);
}
