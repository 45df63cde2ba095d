#!/usr/bin/env python3
"""A second checker for gobprove's certificates.

It shares no code with the Rust checker: it is written from the rules (R1 to R9 and the readings) and from
src/certificate/FORMAT.md, with the standard library alone, so that one mistake has to be made twice to let a
false certificate pass. It is slow; a cut is refused unjudged when its variant has too many placements.

    second_checker.py [--limit N] FILE             s VERIFIED <claim>, or why not
    second_checker.py [--limit N] --batch PATH...  one line a file: verdict, name as JSON, claim or reason

Exit: 0 verified; 1 refused; 2 usage; 3 too large to be judged (a cut, see --limit); 4 cannot be read.
With --batch: 0 if all files are verified, else 1.
"""

import argparse
import hashlib
import itertools
import json
import math
import os
import stat
import struct
import sys
import zlib

MAX_FILE = 1 << 32
FULL_BLOCK = 65536
SIZES = "ABCD"
READINGS = {1: "official", 2: "thesis", 3: "strict-lift", 4: "no-entry-cover", 5: "robust"}
NAMED = [("ab", (3, 0, 0, 0), (3, 3, 0, 0)), ("ab-full", (3, 3, 0, 0), (3, 3, 0, 0)),
         ("abc", (3, 3, 0, 0), (3, 3, 3, 0)), ("abc-full", (3, 3, 3, 0), (3, 3, 3, 0)),
         ("abcd", (3, 3, 3, 0), (3, 3, 3, 3)), ("abcd-full", (3, 3, 3, 3), (3, 3, 3, 3))]


class Refused(Exception):
    """The file is no acceptable certificate; begins with the condition that does not hold."""


class TooLarge(Exception):
    """Nothing is said about the certificate: to judge it would take too long."""


class Unreadable(Exception):
    """The file cannot be read."""


def require(holds, condition, *reason):
    if not holds:
        raise Refused(condition + ": " + " ".join(map(str, reason)))


class Memo(dict):
    """A function of one argument that computes each value once."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def __missing__(self, key):
        value = self[key] = self.function(key)
        return value


# The board (R1). A set of squares is a mask, bit = file + 4 * rank.

LINES = ([0x1111 << f for f in range(4)] + [0x000F << 4 * r for r in range(4)]
         + [sum(1 << 5 * i for i in range(4)), sum(1 << 3 * i for i in range(1, 5))])
HAS_LINE = bytes(any(mask & line == line for line in LINES) for mask in range(1 << 16))
BITS = Memo(lambda mask: tuple(1 << i for i in range(16) if mask >> i & 1))


def count(mask):
    return len(BITS[mask])


def symmetries():
    """All permutations of the squares that map lines to lines, as tuples of images."""
    found, images = [], []

    def extend():
        if len(images) == 16:
            found.append(tuple(images))
            return
        for image in set(range(16)) - set(images):
            images.append(image)
            parts = (sum(1 << images[i] for i in range(len(images)) if line >> i & 1) for line in LINES)
            if all(any(part & line == part for line in LINES) for part in parts):
                extend()
            images.pop()

    extend()
    return found


def mask_table(images):
    table = [0]
    for image in images:
        table += [mask | 1 << image for mask in table]
    return table


TABLES = [mask_table(images) for images in symmetries()]
if len(TABLES) != 32:
    raise SystemExit("second_checker.py is broken: the group has order 32 (R1)")

# A position is a tuple of layers, one for each size that the variant has, A first. A layer holds the white
# pieces in its upper 16 bits and the black ones in its lower 16 bits. Of two sets of as many squares the one
# with the smaller number (FORMAT.md) is the smaller mask, and to renumber free squares keeps that order. So
# positions of one tier are ordered by rank as tuples of layers are, and the canonical one is the least tuple.


def smallest(layer, tables):
    """The least image of a layer, and the tables that lead to it."""
    images = [t[layer >> 16] << 16 | t[layer & 0xFFFF] for t in tables]
    least = min(images)
    return least, [t for t, image in zip(tables, images) if image == least]


A_LAYERS = Memo(lambda layer: smallest(layer, TABLES))


def canonical_and_stabiliser(position):
    least, tables = A_LAYERS[position[0]]
    out = [least]
    for layer in position[1:]:
        if len(tables) == 1:
            table = tables[0]
            out.append(table[layer >> 16] << 16 | table[layer & 0xFFFF])
        else:
            least, tables = smallest(layer, tables)
            out.append(least)
    return tuple(out), len(tables)


def canonical(position):
    return canonical_and_stabiliser(position)[0]


def visible(position):
    """The visible white pieces and the visible black ones (R3)."""
    seen = white = black = 0
    for layer in position:
        white |= layer >> 16 & ~seen
        black |= layer & 0xFFFF & ~seen
        seen |= layer >> 16 | layer & 0xFFFF
    return white, black


def notation(position, white_to_move):
    def square(i):
        pieces = ((SIZES[s] if layer >> 16 + i & 1 else SIZES[s].lower() if layer >> i & 1 else "")
                  for s, layer in enumerate(position))
        return "".join(pieces) or "."
    ranks = (",".join(square(4 * r + f) for f in range(4)) for r in (3, 2, 1, 0))
    return "/".join(ranks) + (" w" if white_to_move else " b")


@Memo
def threatened(mask):
    """The squares of a mask that lie in a line with three of them or more."""
    parts = [mask & line for line in LINES]
    return sum(b for b in BITS[mask] if any(part & b and count(part) >= 3 for part in parts))


class Game:
    def __init__(self, white, black, reading):
        self.white, self.black, self.reading = white, black, reading
        self.layers = max(i + 1 for i in range(4) if white[i] or black[i])

    def name(self):
        return material(self.white) + "-" + material(self.black)

    def moves(self, position, white_to_move):
        """All legal moves from a position without lines, as (verdict, position after it): verdict 1 where
        White wins, -1 where Black wins, 0 where play goes on. The position is None where the game is over."""
        own_at, other_at = (16, 0) if white_to_move else (0, 16)
        wins = 1 if white_to_move else -1
        material = self.white if white_to_move else self.black
        reading = self.reading
        seen = own = other = 0
        tops, at_least, placed = [], [], []  # by size; at_least: squares with a piece at least as large
        for layer in position:
            mine, theirs = layer >> own_at & 0xFFFF, layer >> other_at & 0xFFFF
            tops.append(mine & ~seen)
            own |= mine & ~seen
            other |= theirs & ~seen
            seen |= mine | theirs
            at_least.append(seen)
            placed.append(count(mine))

        for size, layer in enumerate(position):  # R5
            targets = BITS[~at_least[size] & 0xFFFF]
            for lifted in BITS[tops[size]]:
                own_left, other_left = own ^ lifted, other
                for below in position[size + 1:]:
                    if below >> own_at & lifted:
                        own_left = own
                        break
                    if below >> other_at & lifted:
                        other_left = other | lifted
                        break
                uncovers = HAS_LINE[other_left]
                for square in targets:
                    own_line, other_line = HAS_LINE[own_left | square], HAS_LINE[other_left & ~square]
                    if uncovers and reading == "thesis":
                        verdict = wins if own_line else -wins
                    elif uncovers and (reading == "strict-lift" or reading == "robust" and white_to_move):
                        verdict = -wins
                    elif reading == "robust" and not white_to_move:
                        verdict = wins if own_line else -wins if other_line else 0
                    else:  # R6
                        verdict = -wins if other_line else wins if own_line else 0
                    if verdict:
                        yield verdict, None
                    else:
                        after = layer ^ (lifted | square) << own_at
                        yield 0, position[:size] + (after,) + position[size + 1:]

        covers = not (reading == "no-entry-cover" or reading == "robust" and white_to_move)
        for size, layer in enumerate(position):  # R2, R4
            if placed[size] >= min(material[size], placed[size - 1] if size else 3):
                continue
            targets = ~seen & 0xFFFF
            if covers:
                targets |= threatened[other] & ~at_least[size]
            for square in BITS[targets]:
                if HAS_LINE[own | square]:
                    yield wins, None
                else:
                    yield 0, position[:size] + (layer | square << own_at,) + position[size + 1:]


def material(counts):
    return "".join(SIZES[i] + str(n) for i, n in enumerate(counts) if n)


# The file (FORMAT.md).


class Cursor:
    def __init__(self, data, start, end):
        self.data, self.at, self.end = data, start, end

    def byte(self):
        require(self.at < self.end, "format", "a block's body ends too early, at", self.at)
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = 0
        for shift in range(0, 19 * 7, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                require(byte or not shift, "format", "a varint is longer than it needs to be, before", self.at)
                require(value < 1 << 128, "format", "a varint needs more than 128 bits, before", self.at)
                return value
        raise Refused("format: a varint of more than 19 bytes, before %d" % self.at)


def subsets(size):
    """The sets of that many squares, in the order of their numbers."""
    by_number = {sum(math.comb(c, i + 1) for i, c in enumerate(squares)): sum(1 << c for c in squares)
                 for squares in itertools.combinations(range(16), size)}
    return [by_number[number] for number in range(len(by_number))]


SUBSETS = [subsets(size) for size in range(4)]


def digits(white, black):
    return math.comb(16, white) * math.comb(16 - white, black)


def layer_of(digit, white, black):
    number, rest = divmod(digit, math.comb(16 - white, black))
    taken = SUBSETS[white][number]
    free = [i for i in range(16) if not taken >> i & 1]
    return taken << 16 | sum(1 << free[i] for i in range(len(free)) if SUBSETS[black][rest] >> i & 1)


class Tier:
    def __init__(self, counts, layers):
        self.counts = counts[:layers]  # (white, black) for each size
        self.digits = [digits(white, black) for white, black in self.counts]
        self.placements = math.prod(self.digits)

    def position(self, rank):
        layers = []
        for (white, black), base in zip(reversed(self.counts), reversed(self.digits)):
            rank, digit = divmod(rank, base)
            layers.append(layer_of(digit, white, black))
        return tuple(reversed(layers))


def tiers_of(game):
    def sides(material):
        ranges = itertools.product(*(range(n + 1) for n in material))
        return [side for side in ranges if list(side) == sorted(side, reverse=True)]
    pairs = itertools.product(sides(game.white), sides(game.black))
    return [Tier(list(zip(white, black)), game.layers) for white, black in pairs]


class Certificate:
    """What a file says, with every condition of the format checked; whether it proves its claim is not."""

    def __init__(self, data):
        require(data, "format", "the file is empty")
        magic = b"\x89GOBCERT\r\n\x1a\n"
        require(data[:12] == magic, "format", "the file does not begin as a certificate does")
        require(len(data) >= 92, "format", "the file ends inside its header")
        (version, kind, reading, white, black, seed, flags, reserved, blocks, *listed, length, digest, crc
         ) = struct.unpack("<HBB4s4sBBHIQQQ32sI", data[12:92])
        require(version == 1, "format", "version", version, "is not known")
        require(zlib.crc32(data[:88]) == crc, "format", "the header's checksum is wrong")
        require(kind in (1, 2), "format", "there is no kind", kind)
        require(reading in READINGS, "format", "there is no reading", reading)
        for side in (white, black):
            require(3 >= side[0] >= side[1] >= side[2] >= side[3] and side[0] >= 1, "format",
                    "no side has the material", list(side))
        require(seed in ((1, 2) if kind == 1 else (0,)), "format", "seed", seed, "does not go with the kind")
        require(seed != 2 or tuple(black) == (3, 3, 0, 0), "format", "the seed is for Black with A3B3 alone")
        require(flags == 0 and reserved == 0, "format", "flags and reserved bytes are not 0")
        require(kind == 1 or listed[1] == 0, "format", "a closure lists positions with White to move")
        require(length == len(data), "format", "the header says", length, "bytes, there are", len(data))
        hashed = hashlib.sha256(data[:56])
        hashed.update(memoryview(data)[92:])
        require(hashed.digest() == digest, "format", "the digest is wrong")

        self.closure, self.seed = kind == 2, seed
        self.game = Game(tuple(white), tuple(black), READINGS[reading])
        self.tiers = tiers_of(self.game)
        self.sections = ([], [])  # of positions
        at, before = 92, None
        for _ in range(blocks):
            at, before = self.block(data, at, before)
        require(at == len(data), "format", "bytes after the last block, at", at)
        for number, section in zip(listed, self.sections):
            require(number == len(section), "format", "the header says", number, "entries, a section has",
                    len(section))

    def block(self, data, at, before):
        """Reads the block at an offset; `before` is (section, tier, entries, last rank) of the one before."""
        require(len(data) - at >= 8, "format", "a block is missing at", at)
        end = at + 4 + int.from_bytes(data[at:at + 4], "little")
        require(end + 4 <= len(data), "format", "the block runs past the end of the file, at", at)
        require(zlib.crc32(memoryview(data)[at:end]) == int.from_bytes(data[end:end + 4], "little"), "format",
                "the block's checksum is wrong, at", at)
        body = Cursor(data, at + 4, end)
        section = body.byte()
        require(section == 0 or section == 1 and not self.closure, "format", "no such section, at", at)
        index = body.varint()
        require(index < len(self.tiers), "format", "the variant has no tier", index)
        entries, first, last = body.varint(), body.varint(), body.varint()
        require(1 <= entries <= FULL_BLOCK, "format", "a block of", entries, "entries, at", at)
        if before:
            require((section, index) >= before[:2], "format", "the block is out of order, at", at)
            if (section, index) == before[:2]:
                require(before[2] == FULL_BLOCK, "format", "the block before is not full, at", at)
                require(first > before[3], "format", "ranks do not increase from block to block, at", at)
        tier, out, rank = self.tiers[index], self.sections[section], first
        for entry in range(entries):
            if entry:
                delta = body.varint()
                require(delta, "format", "a rank is listed twice, before", body.at)
                rank += delta
            require(rank < tier.placements, "format", "rank", rank, "is beyond its tier, before", body.at)
            out.append(tier.position(rank))
        require(rank == last, "format", "the last rank is not the one that the block names, at", at)
        require(body.at == end, "format", "bytes after a block's entries, at", body.at)
        return end + 4, (section, index, entries, last)

    def claim(self):
        game = self.game
        name, less = game.name(), ""
        for known, white, black in NAMED:
            if game.black == black and all(a <= b for a, b in zip(game.white, white)):
                name, less = known, "" if game.white == white else " white=" + material(game.white)
                break
        return "%s %s draw %s%s" % (name, game.reading, "closure" if self.closure else "cut", less)


# The proof.


def check_listed(position, white_to_move):
    require(canonical(position) == position, "listed", "not canonical:", notation(position, white_to_move))
    require(not any(HAS_LINE[mask] for mask in visible(position)), "listed", "holds a line:",
            notation(position, white_to_move))


def check_closure(certificate):
    """K4 and K5 over the listed positions."""
    game = certificate.game
    members = set(certificate.sections[0])
    require(len(members) == len(certificate.sections[0]), "listed", "a position is listed twice")
    for position in members:
        check_listed(position, False)

    def answered(position):
        return any(verdict > 0 or verdict == 0 and canonical(after) in members
                   for verdict, after in game.moves(position, True))

    empty = (0,) * game.layers
    require(empty in members, "K4", "the empty board is not listed")
    require(answered(empty), "K4", "no first white move leads to a listed position")
    known = set()
    for position in members:
        for verdict, after in game.moves(position, False):
            require(verdict >= 0, "K5", "a black move wins at", notation(position, False))
            if verdict == 0:
                question = canonical(after)
                if question not in known:
                    require(answered(question), "K5", "no white answer stays in at", notation(after, True),
                            "after", notation(position, False))
                    known.add(question)


def check_cut(certificate, limit):
    """K1, K2 and K3 over every canonical position of the variant that holds no line."""
    game = certificate.game
    placements = sum(tier.placements for tier in certificate.tiers)
    if placements > limit:
        raise TooLarge("%s has %d placements, the limit is %d (--limit)" % (game.name(), placements, limit))
    by_black, by_white = (set(section) for section in certificate.sections)  # to move

    def seeded(position):
        """FceW of a position with Black to move that holds no line. FceB holds of none such."""
        if certificate.seed == 1:
            return False
        b_on_top = position[1] & 0xFFFF & ~(position[0] >> 16 | position[0] & 0xFFFF)
        return count(b_on_top) >= 3 or any(verdict < 0 for verdict, _ in game.moves(position, False))

    for position in itertools.chain(by_black, by_white):
        check_listed(position, position in by_white)
    for position in by_black:
        require(not seeded(position), "listed", "lost by the seed already:", notation(position, False))
    empty = (0,) * game.layers
    require(empty not in by_black and not seeded(empty) and empty not in by_white, "K1", "the empty board is lost")
    for tier in certificate.tiers:
        layers = [[layer_of(d, *counts) for d in range(n)] for n, counts in zip(tier.digits, tier.counts)]
        layers[0] = [layer for layer in layers[0] if A_LAYERS[layer][0] == layer]
        reached = 0
        for position in itertools.product(*layers):
            least, stabiliser = canonical_and_stabiliser(position)
            if least != position:
                continue
            reached += 32 // stabiliser
            if any(HAS_LINE[mask] for mask in visible(position)):
                continue
            if position not in by_black and not seeded(position):
                for verdict, after in game.moves(position, False):
                    lost = verdict < 0 or verdict == 0 and canonical(after) in by_white
                    require(not lost, "K2", "a black move wins or leads to a lost position at",
                            notation(position, False))
            if position not in by_white:
                safe = False
                for verdict, after in game.moves(position, True):
                    if verdict == 0:
                        after = canonical(after)
                        verdict = after not in by_black and not seeded(after)
                    if verdict > 0:
                        safe = True
                        break
                require(safe, "K3", "no white move is safe at", notation(position, True))
        require(reached == tier.placements, "enumeration", "reached", reached, "of", tier.placements)


def read(path):
    """The bytes of a regular file. The kind is looked at before and after opening: to open a pipe may wait
    for ever, and the file may have been replaced."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Unreadable("it is no regular file")
        with open(path, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("it is no regular file")
            if os.fstat(file.fileno()).st_size > MAX_FILE:
                raise Unreadable("it is longer than any certificate")
            data = file.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(str(error))
    if len(data) > MAX_FILE:
        raise Unreadable("it is longer than any certificate")
    return data


def judge(path, limit):
    """A file's exit status, verdict, and claim or reason."""
    try:
        certificate = Certificate(read(path))
        if certificate.closure:
            check_closure(certificate)
        else:
            check_cut(certificate, limit)
        return 0, "verified", certificate.claim()
    except Refused as refusal:
        return 1, "refused", ascii(str(refusal))[1:-1]
    except TooLarge as reason:
        return 3, "too-large", str(reason)
    except Unreadable as reason:
        return 4, "unreadable", ascii(str(reason))[1:-1]
    except MemoryError:
        return 4, "unreadable", "out of memory"


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False, description="A second checker for .gobcert files.")
    parser.add_argument("--limit", type=int, default=5000000, metavar="N",
                        help="judge a cut only if its variant has at most N placements (default: 5000000)")
    parser.add_argument("--batch", action="store_true", help="judge many files; a directory means all in it")
    parser.add_argument("paths", nargs="+", metavar="FILE")
    options = parser.parse_args()
    if not options.batch:
        if len(options.paths) > 1:
            parser.error("several files need --batch")
        status, verdict, text = judge(options.paths[0], options.limit)
        if status == 0:
            print("s VERIFIED " + text)
        else:
            print(verdict + ": " + text, file=sys.stderr)
        return status
    worst = 0
    for path in options.paths:
        names = sorted(os.listdir(path)) if os.path.isdir(path) else None
        for file in [path] if names is None else [os.path.join(path, name) for name in names]:
            status, verdict, text = judge(file, options.limit)
            worst = max(worst, min(status, 1))
            print(verdict, json.dumps(file), text, sep="\t")
    return worst


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:  # nobody reads what was printed, or a directory cannot be listed
        sys.stderr.write("error: %s\n" % ascii(str(error)))
        sys.stderr.flush()
        os._exit(4)
    sys.exit(code)
