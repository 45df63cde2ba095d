#!/usr/bin/env python3
"""Replays a strategy that `gobprove export` wrote, by the rules of second_checker.py.

    replay_strategy.py VARIANT READING KEEPER FILE      VARIANT as in A3-A3B3, KEEPER white or black

Every move of the other side has a reply, every reply is legal, and leads to a position of the strategy or wins. Of Black's
strategy each reply also comes nearer to the end. Prints how many positions and steps it has met.
"""

import csv, json, re, sys

import second_checker as rules

def material(text):
    counts = dict(re.findall(r"([A-D])(\d)", text))
    return tuple(int(counts.get(size, 0)) for size in "ABCD")

def read(text, sizes):
    """A position as layers, and whether White is to move."""
    board, turn = text.split(" ")
    layers = [0] * sizes
    for rank, row in zip((3, 2, 1, 0), board.split("/")):
        for file, pieces in enumerate(row.split(",")):
            for piece in pieces.strip("."):
                layers["ABCD".index(piece.upper())] |= 1 << file + 4 * rank + (16 if piece.isupper() else 0)
    return tuple(layers), turn == "w"

def square(name):
    return "abcd".index(name[0]) + 4 * (int(name[1]) - 1)

def play(game, position, white, move):
    """The verdict of a move, and the position after it; fails if it is not legal."""
    at, target = 16 if white else 0, square(move[-2:])
    layers = list(position)
    if move[1] == "@":
        size = "ABCD".index(move[0])
    else:
        start = square(move[:2])
        size = next(s for s, layer in enumerate(layers) if (layer >> start | layer >> start + 16) & 1)
        assert layers[size] >> start + at & 1, f"{move}: another side's piece"
        layers[size] ^= 1 << start + at
    layers[size] |= 1 << target + at
    # Two moves onto a square may end the game with the same verdict: then which one it was does not matter.
    legal = list(rules.moves(game, position, white, 1 << target))
    if (0, tuple(layers)) in legal:
        return 0, tuple(layers)
    ends = {verdict for verdict, _ in legal if verdict}
    assert len(ends) == 1, f"{move} is not legal"
    return ends.pop(), None

def steps(path):
    with open(path, newline="") as file:
        if path.endswith(".csv"):
            yield from csv.DictReader(file)
        else:
            for line in file:
                yield {key: "" if value is None else str(value) for key, value in json.loads(line).items()}

def main(variant, reading, keeper, path):
    white, black = map(material, variant.split("-"))
    sizes = max(size + 1 for size in range(4) if white[size] or black[size])
    game, keeper_white = (white[:sizes], black[:sizes], reading), keeper == "white"
    won = 1 if keeper_white else -1
    all_steps = list(steps(path))
    known = {step["position"]: step["left"] for step in all_steps if step["move"]}
    met = {}
    for step in all_steps:
        position, white_to_move = read(step["position"], sizes)
        if step["move"]:
            assert white_to_move != keeper_white, step
            met.setdefault(step["position"], set()).add(step["move"])
            verdict, question = play(game, position, white_to_move, step["move"])
            if verdict:
                assert verdict == won and not step["reply"] and not step["next"], step
                continue
        else:
            assert white_to_move == keeper_white and not any(position), step
            question = position
        verdict, after = play(game, question, keeper_white, step["reply"])
        if verdict:
            assert verdict == won and not step["next"], step
            continue
        following, turn = read(step["next"], sizes)
        assert turn != keeper_white and rules.canonical(after)[0] == rules.canonical(following)[0], step
        assert step["next"] in known, f"nothing is said of {step['next']}"
        if step["left"] and step["move"]:
            assert int(known[step["next"]]) + 2 <= int(step["left"]), step
    starts = [text for text in known if not any(read(text, sizes)[0])]
    assert len(starts) == 1, "the empty board with the other side to move"
    assert sum(not step["move"] for step in all_steps) == 1, "the empty board with the keeper to move"
    for text, named in met.items():
        position, white_to_move = read(text, sizes)
        legal = sum(1 for _ in rules.moves(game, position, white_to_move))
        assert len(named) == legal, f"{text}: {len(named)} of {legal} moves"
    print(f"{len(met)} positions, {len(all_steps)} steps")

if __name__ == "__main__":
    main(*sys.argv[1:])
