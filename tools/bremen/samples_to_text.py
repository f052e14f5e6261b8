"""Chooses labelled positions of train_on_gpu.py and writes them as text, as in positions/.

    python3 samples_to_text.py samples-1.npz samples-2.npz --count 40000 -o samples/bremen.txt

Three of four have moves that keep the value and moves that do not, as far as there are such; every
tenth has an animal that must move. Blue is to move everywhere. Positions of the files named by
--without, and their mirror images, are left out. src/games/judged_line.h explains the lines.
"""
import argparse
import pathlib

import numpy as np

ANIMALS, FREE, MATE = "dgcr", 4, 1000
ACTIONS = 100


def square_name(square):
    """Rows are counted from the far side, which is rank 5 for Blue."""
    return "abcde"[square % 5] + str(5 - square // 5)


def squares_of(state):
    return [int(state) >> 5 * i & 31 for i in range(2 * len(ANIMALS))]


def position_name(state):
    names = [square_name(square) for square in squares_of(state)]
    duty = int(state) >> 40 & 7
    must = f" !{ANIMALS[duty]}" if duty < FREE else ""
    return f"{''.join(names[:4])}/{''.join(names[4:])} b{must}"


def mirrored(state):
    image = int(state) >> 40 << 40
    for i, square in enumerate(squares_of(state)):
        image |= square + 4 - 2 * (square % 5) << 5 * i
    return image


def mark_of(score):
    return "=" if score == 0 else f"+{MATE - score}" if score > 0 else f"-{MATE + score}"


def line_of(state, actions, scores):
    order = sorted(zip(-scores, actions))
    value = -order[0][0]
    words, last = [], None
    for negative, action in order:
        score = -negative
        if score != last:
            words.append(mark_of(score))
            last = score
        words.append(ANIMALS[action // 25] + square_name(action % 25))
    name = "draw" if value == 0 else "win" if value > 0 else "loss"
    plies = f" {MATE - abs(value)}" if value != 0 else ""
    return f"{position_name(state)};{name}{plies};{' '.join(words)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", nargs="+")
    parser.add_argument("--count", type=int, default=40000)
    parser.add_argument("--without", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    files = [np.load(name) for name in arguments.samples]
    states, legal, scores = (np.concatenate([f[key] for f in files])
                             for key in ("states", "legal", "scores"))
    legal = np.unpackbits(legal, axis=1, count=ACTIONS).astype(bool)
    ends = legal.sum(1).cumsum()
    rows = [(states[i], np.flatnonzero(legal[i]), scores[ends[i] - legal[i].sum():ends[i]])
            for i in np.random.default_rng(arguments.seed).permutation(len(states))]
    left_out = {line.split(";")[0].strip() for path in arguments.without
                for line in path.read_text().splitlines()}
    # How many are wanted: with and without a duty, a choice that matters or not.
    wanted = {}
    for duty, share in ((True, 0.1), (False, 0.9)):
        for matters, part in ((True, 0.75), (False, 0.25)):
            wanted[duty, matters] = round(arguments.count * share * part)
    lines, seen = [], set()
    for state, actions, values in rows:
        duty = int(state) >> 40 & 7
        matters = len(np.unique(np.sign(values))) > 1
        key = duty < FREE, matters
        images = {int(state), mirrored(state)}
        if wanted[key] == 0 or images & seen or {position_name(s) for s in images} & left_out:
            continue
        wanted[key] -= 1
        seen |= images
        lines.append(line_of(state, actions, values))
    arguments.output.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} positions")


if __name__ == "__main__":
    main()
