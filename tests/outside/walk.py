"""Random games of PyPI's gobblet-rl on nine squares: every position with all moves that its rules allow.

    python3 walk.py FOLDER GAMES SEED

FOLDER is where `.ci/gobblet-rl` has put the package. A line is a position as gobprove writes it, '|', and the moves. Games end
when a line stands: what a move leads to is not compared, since this program judges two lines at once in another way.
"""

import importlib.util
import random
import sys

FOLDER, GAMES, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MOST_PLIES = 60

sys.path.insert(0, FOLDER)
# The file alone: the package would ask for programs that learn and draw.
spec = importlib.util.spec_from_file_location("board", FOLDER + "/gobblet_rl/game/board.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def square(place):
    return "abc"[place // 3] + str(3 - place % 3)


def text(board, agent):
    def stack(place):
        levels = [(size, board.squares[9 * size + place]) for size in (2, 1, 0)]
        pieces = ["SML"[size] if piece > 0 else "sml"[size] for size, piece in levels if piece]
        return "".join(pieces) or "."

    ranks = (",".join(stack(3 * file + rank) for file in range(3)) for rank in range(3))
    return "/".join(ranks) + (" w" if agent == 0 else " b")


def moves(board, agent):
    """By name an action each: two pieces of one size in hand are one move."""
    found = {}
    for action in range(54):
        if not board.is_legal(action, agent):
            continue
        piece = board.get_piece_from_action(action) * (1 if agent == 0 else -1)
        size = board.get_piece_size_from_action(action) - 1
        to = square(board.get_pos_from_action(action))
        level = board.squares[9 * size : 9 * size + 9].tolist()
        start = square(level.index(piece)) + "-" if piece in level else "SML"[size] + "@"
        found[start + to] = action
    return found


random.seed(SEED)
for game in range(GAMES):
    board, agent = module.Board(), game % 2
    for _ in range(MOST_PLIES):
        allowed = moves(board, agent)
        print(text(board, agent) + "|" + " ".join(sorted(allowed)))
        if not allowed:
            break
        board.play_turn(agent, allowed[random.choice(sorted(allowed))])
        if board.check_for_winner():
            break
        agent = 1 - agent
