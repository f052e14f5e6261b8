// A game with its rules in a message to another process, by name.
#pragma once

#include <memory>

#include "damier/base/files/bytes.h"
#include "damier/play/registry.h"

namespace damier::play {

void send_game(ByteWriter& bytes, const games::AnyGame& game);
Result<std::shared_ptr<const Toolkit>> sent_game(ByteReader& bytes, const Registry& registry);

}  // namespace damier::play
