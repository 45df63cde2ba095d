#!/usr/bin/env python3
"""A second checker for gobprove's certificates.

It shares no code with the Rust checker: it is written from gobcheck/RULES.md and gobcheck/FORMAT.md, with the
standard library alone, so that a mistake has to be made twice to let a false certificate pass. It is slow; a
cut is not judged when its variant has too many placements.

    second_checker.py [--limit N] FILE             s VERIFIED <claim>, or why not
    second_checker.py [--limit N] --batch PATH...  one line a file: verdict, name as JSON, claim or reason

Exit: 0 verified; 1 refused; 2 usage; 3 too large to be judged (a cut, see --limit); 4 cannot be read.
With --batch: 0 if all files are verified, else 1.
"""

import argparse, functools, hashlib, itertools, json, math, os, stat, struct, sys, zlib

MAX_FILE, FULL_BLOCK, SIZES = 1 << 32, 65536, "ABCD"
KINDS = {1: "draw cut", 2: "draw closure", 3: "lost refutation"}
READINGS = {1: "official", 2: "thesis", 3: "strict-lift", 4: "no-entry-cover", 5: "robust"}
NAMED = [("ab", (3, 0, 0, 0), (3, 3, 0, 0)), ("ab-full", (3, 3, 0, 0), (3, 3, 0, 0)),
         ("abc", (3, 3, 0, 0), (3, 3, 3, 0)), ("abc-full", (3, 3, 3, 0), (3, 3, 3, 0)),
         ("abcd", (3, 3, 3, 0), (3, 3, 3, 3)), ("abcd-full", (3, 3, 3, 3), (3, 3, 3, 3))]

class NotVerified(Exception):
    """Arguments: exit status, verdict, reason."""

def require(holds, condition, *reason):
    """Refuses unless the condition holds; positions among the parts of the reason are written out then."""
    if not holds:
        words = (notation(part) if isinstance(part, tuple) else str(part) for part in reason)
        raise NotVerified(1, "refused", condition + ": " + " ".join(words))

def well_formed(holds, *reason):
    require(holds, "format", *reason)

# The board (R1). A set of squares is a mask, bit = file + 4 * rank.

LINES = ([0x1111 << f for f in range(4)] + [0x000F << 4 * r for r in range(4)]
         + [sum(1 << 5 * i for i in range(4)), sum(1 << 3 * i for i in range(1, 5))])
HAS_LINE = bytes(any(mask & line == line for line in LINES) for mask in range(1 << 16))
BITS = [tuple(1 << i for i in range(16) if mask >> i & 1) for mask in range(1 << 16)]
COUNT = bytes(map(len, BITS))

# By mask, the squares of it that lie in a line with three of them or more (R4).
THREATENED = [0] * (1 << 16)
for _line in LINES:
    for _mask in range(1 << 16):
        if COUNT[_mask & _line] >= 3:
            THREATENED[_mask] |= _mask & _line

def symmetries(images=()):
    """The permutations of the squares that map lines to lines and begin with these images."""
    parts = [sum(1 << image for i, image in enumerate(images) if line >> i & 1) for line in LINES]
    if not all(any(part & line == part for line in LINES) for part in parts):
        return []
    if len(images) == 16:
        return [images]
    return [found for i in range(16) if i not in images for found in symmetries(images + (i,))]

def mask_table(images):
    table = [0]
    for image in images:
        table += [mask | 1 << image for mask in table]
    return table

TABLES = [mask_table(images) for images in symmetries()]
assert len(TABLES) == 32, "the group has order 32 (R1)"

# A position is a tuple of layers, one for each size that the variant has, A first. A layer holds the white
# pieces in its upper 16 bits and the black ones in its lower 16 bits. Of two sets of as many squares the one
# with the smaller number (FORMAT.md) is the smaller mask, and to renumber free squares keeps that order. So
# positions of one tier are ordered by rank as their tuples are, and the canonical one is the least tuple.

def smallest(layer, tables):
    """The least image of a layer, and the tables that lead to it."""
    images = [t[layer >> 16] << 16 | t[layer & 0xFFFF] for t in tables]
    least = min(images)
    return least, [t for t, image in zip(tables, images) if image == least]

@functools.lru_cache(None)
def smallest_a(layer):
    return smallest(layer, TABLES)

def canonical(position):
    """The least image of a position, and how many symmetries lead to it."""
    least, tables = smallest_a(position[0])
    out = [least]
    for layer in position[1:]:
        if len(tables) == 1:
            table = tables[0]
            out.append(table[layer >> 16] << 16 | table[layer & 0xFFFF])
        else:
            least, tables = smallest(layer, tables)
            out.append(least)
    return tuple(out), len(tables)

def holds_line(position):
    """Whether a visible line stands, of either colour (R3)."""
    seen = white = black = 0
    for layer in position:
        white |= layer >> 16 & ~seen
        black |= layer & 0xFFFF & ~seen
        seen |= layer >> 16 | layer & 0xFFFF
    return HAS_LINE[white] or HAS_LINE[black]

def notation(position):
    def square(i):
        pieces = (name if layer >> 16 + i & 1 else name.lower() if layer >> i & 1 else ""
                  for name, layer in zip(SIZES, position))
        return "".join(pieces) or "."
    return "/".join(",".join(square(4 * r + f) for f in range(4)) for r in (3, 2, 1, 0))

def name_of(material):
    return "".join(size + str(n) for size, n in zip(SIZES, material) if n)

class Side:
    """A position as one side sees it. Masks: the visible pieces of the side (own) and of the other (other), all
    squares that hold a piece (seen); by size the visible own pieces (tops), the squares with a piece at least
    as large (at_least) and how many own pieces there are (placed)."""

    def __init__(self, position, white):
        self.at, other_at = (16, 0) if white else (0, 16)
        self.position, self.other_at = position, other_at
        self.tops, self.at_least, self.placed = [], [], []
        seen = own = other = 0
        for layer in position:
            mine, theirs = layer >> self.at & 0xFFFF, layer >> other_at & 0xFFFF
            top = mine & ~seen
            own, other, seen = own | top, other | theirs & ~seen, seen | mine | theirs
            self.tops.append(top)
            self.at_least.append(seen)
            self.placed.append(COUNT[mine])
        self.own, self.other, self.seen = own, other, seen

    def without(self, size, lifted):
        """The visible pieces, own and other, without the visible own piece of this size on one square."""
        for below in self.position[size + 1:]:
            if below >> self.at & lifted:
                return self.own, self.other
            if below >> self.other_at & lifted:
                return self.own ^ lifted, self.other | lifted
        return self.own ^ lifted, self.other

    def with_layer(self, size, changed):
        """The position where these squares have changed in the side's pieces of a size."""
        position = self.position
        return position[:size] + (position[size] ^ changed << self.at,) + position[size + 1:]

def covers_from_hand(reading, white_to_move):
    """Whether R4's exception exists."""
    return not (reading == "no-entry-cover" or reading == "robust" and white_to_move)

def moves(game, position, white_to_move, onto=0xFFFF):
    """All legal moves onto some squares from a position without lines, as (verdict, position after it or None):
    verdict 1 where White wins, -1 where Black wins, 0 where play goes on."""
    white, black, reading = game
    wins, material = (1, white) if white_to_move else (-1, black)
    side = Side(position, white_to_move)

    for size, top in enumerate(side.tops):  # R5
        targets = BITS[onto & ~side.at_least[size]]
        for lifted in BITS[top]:
            own_left, other_left = side.without(size, lifted)
            uncovers = HAS_LINE[other_left]
            for square in targets:
                own_line, other_line = HAS_LINE[own_left | square], HAS_LINE[other_left & ~square]
                if uncovers and (reading == "strict-lift" or reading == "robust" and white_to_move):
                    verdict = -wins
                elif uncovers and reading in ("thesis", "robust"):
                    verdict = wins if own_line else -wins if other_line or reading == "thesis" else 0
                else:  # R6
                    verdict = -wins if other_line else wins if own_line else 0
                yield verdict, None if verdict else side.with_layer(size, lifted | square)

    for size, placed in enumerate(side.placed):  # R2, R4
        if placed < min(material[size], side.placed[size - 1] if size else 3):
            covered = THREATENED[side.other] & ~side.at_least[size]
            targets = ~side.seen | (covered if covers_from_hand(reading, white_to_move) else 0)
            for square in BITS[targets & onto]:
                verdict = wins if HAS_LINE[side.own | square] else 0
                yield verdict, None if verdict else side.with_layer(size, square)

def moves_back(game, position, white_moved):
    """The positions before, with the side to move, from which a move goes on to a position without lines. Some
    of them hold a line or too many pieces of a size, and so nobody asks about them. A transfer that is taken
    back goes as far as one that is made; what it uncovered is what it would uncover."""
    reading, side = game[2], Side(position, white_moved)
    lift_ends_it = reading in ("thesis", "strict-lift") or reading == "robust" and white_moved
    covers = covers_from_hand(reading, white_moved)
    for size, top in enumerate(side.tops):
        targets = BITS[0xFFFF & ~side.at_least[size]]
        for lifted in BITS[top]:
            other_left = side.without(size, lifted)[1]
            if not (lift_ends_it and HAS_LINE[other_left]):
                for square in targets:
                    yield side.with_layer(size, lifted | square)
            onto_empty = not any((layer | layer >> 16) & lifted for layer in position[size + 1:])
            if onto_empty or covers and THREATENED[other_left] & lifted:
                yield side.with_layer(size, lifted)

def wins_at_once(game, position, white_to_move):
    """Whether some move wins. It ends on a square that completes a line in which three pieces show already."""
    side = Side(position, white_to_move)
    squares = THREATENED[side.own] and sum({line & ~side.own for line in LINES if COUNT[line & side.own] == 3})
    wins = 1 if white_to_move else -1
    return squares and any(verdict == wins for verdict, _ in moves(game, position, white_to_move, squares))

# The file (FORMAT.md). First, by size, the sets of that many squares in the order of their numbers.
SUBSETS = [[mask for _, mask in sorted(
    (sum(math.comb(c, i + 1) for i, c in enumerate(squares)), sum(1 << c for c in squares))
    for squares in itertools.combinations(range(16), size))] for size in range(4)]

def layer_of(digit, white, black):
    number, rest = divmod(digit, math.comb(16 - white, black))
    taken = SUBSETS[white][number]
    free = BITS[~taken & 0xFFFF]
    return taken << 16 | sum(bit for i, bit in enumerate(free) if SUBSETS[black][rest] >> i & 1)

class Tier:
    def __init__(self, counts):
        self.counts = counts  # (white, black) for each size
        self.digits = [math.comb(16, white) * math.comb(16 - white, black) for white, black in counts]
        self.placements = math.prod(self.digits)

    def position(self, rank):
        layers = []
        for counts, base in zip(reversed(self.counts), reversed(self.digits)):
            rank, digit = divmod(rank, base)
            layers.append(layer_of(digit, *counts))
        return tuple(reversed(layers))

def tiers_of(white, black):
    sizes = sum(1 for owned in zip(white, black) if any(owned))
    sides = ([side for side in itertools.product(*(range(n + 1) for n in material[:sizes]))
              if list(side) == sorted(side, reverse=True)] for material in (white, black))
    return [Tier(list(zip(*pair))) for pair in itertools.product(*sides)]

def varints(data, at, end):
    """The numbers coded between two offsets."""
    while at < end:
        value, shift, byte = 0, 0, 0x80
        while byte >= 0x80:
            well_formed(at < end and shift < 19 * 7, "a varint does not end, at", at)
            byte = data[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
        well_formed(byte or shift == 7, "a varint is longer than it needs to be, before", at)
        well_formed(value < 1 << 128, "a varint needs more than 128 bits, before", at)
        yield value

class Certificate:
    """What a file says, with every condition of the format checked; whether it proves its claim is not."""

    def __init__(self, data):
        well_formed(data, "the file is empty")
        well_formed(data[:12] == b"\x89GOBCERT\r\n\x1a\n", "the file does not begin as a certificate does")
        well_formed(len(data) >= 92, "the file ends inside its header")
        (version, kind, reading, white, black, seed, flags, reserved, blocks, listed_0, listed_1, length,
         digest, crc) = struct.unpack("<HBB4s4sBBHIQQQ32sI", data[12:92])
        well_formed(version == 1, "unknown version", version)
        well_formed(zlib.crc32(data[:88]) == crc, "the header's checksum is wrong")
        well_formed(kind in KINDS, "there is no kind", kind)
        well_formed(reading in READINGS, "there is no reading", reading)
        well_formed(kind != 3 or reading != 5, "what Black wins under robust says nothing")
        for side in (white, black):
            well_formed(3 >= side[0] >= side[1] >= side[2] >= side[3] and side[0], "no such material", side)
        well_formed(seed == (1 if kind == 1 else 0), "seed", seed, "does not go with the kind")
        well_formed(flags == 0 and reserved == 0, "flags or reserved bytes are not 0")
        well_formed(kind != 2 or listed_1 == 0, "a closure lists positions with White to move")
        well_formed(kind != 3 or listed_0 == 0, "a refutation lists positions with Black to move")
        well_formed(length == len(data), "the header says", length, "bytes, there are", len(data))
        well_formed(hashlib.sha256(data[:56] + data[92:]).digest() == digest, "the digest is wrong")
        self.kind, self.seed = kind, seed
        self.game = tuple(white), tuple(black), READINGS[reading]
        self.tiers = tiers_of(white, black)
        self.sections = ([], [])  # of positions
        at, before = 92, None
        for _ in range(blocks):
            at, before = self.block(data, at, before)
        well_formed(at == len(data), "bytes after the last block, at", at)
        for listed, section in zip((listed_0, listed_1), self.sections):
            well_formed(listed == len(section), "the header says", listed, "entries, there are", len(section))

    def block(self, data, at, before):
        """Reads the block at an offset. `before` is (section, tier, entries, last rank) of the one before;
        returns where the block ends, and the same of it."""
        well_formed(len(data) - at >= 8, "a block is missing at", at)
        end = at + 4 + int.from_bytes(data[at:at + 4], "little")
        well_formed(end + 4 <= len(data), "a block runs past the end of the file, at", at)
        crc = zlib.crc32(memoryview(data)[at:end]).to_bytes(4, "little")
        well_formed(crc == data[end:end + 4], "a block's checksum is wrong, at", at)
        well_formed(end > at + 4, "a block has no section, at", at)
        section = data[at + 4]
        well_formed(section in ((0, 1), (0,), (1,))[self.kind - 1], "no section", section, "at", at)
        numbers = list(varints(data, at + 5, end))
        well_formed(len(numbers) >= 4, "a block ends too early, at", at)
        index, entries, first, last, *deltas = numbers
        well_formed(index < len(self.tiers), "the variant has no tier", index, "at", at)
        well_formed(1 <= entries <= FULL_BLOCK, "a block of", entries, "entries, at", at)
        well_formed(len(deltas) == entries - 1, "a block lists more or fewer than it says, at", at)
        well_formed(all(deltas), "a rank is listed twice, in the block at", at)
        if before:
            well_formed((section, index) >= before[:2], "a block is out of order, at", at)
            if (section, index) == before[:2]:
                well_formed(before[2] == FULL_BLOCK, "the block before is not full, at", at)
                well_formed(first > before[3], "ranks do not increase from block to block, at", at)
        tier, rank = self.tiers[index], 0
        for rank in itertools.accumulate([first] + deltas):
            well_formed(rank < tier.placements, "rank", rank, "is beyond its tier, in the block at", at)
            self.sections[section].append(tier.position(rank))
        well_formed(rank == last, "the last rank is not the one that the block names, at", at)
        return end + 4, (section, index, entries, last)

    def claim(self):
        white, black, reading = self.game
        fits = [(name, most) for name, most, against in NAMED if black == against and
                (white == most or self.kind != 3 and all(map(int.__le__, white, most)))]
        name, most = (fits + [(name_of(white) + "-" + name_of(black), white)])[0]
        less = "" if white == most else " white=" + name_of(white)
        return "%s %s %s%s" % (name, reading, KINDS[self.kind], less)

def check_listed(positions):
    for position in positions:
        require(canonical(position)[0] == position, "listed", "not canonical:", position)
        require(not holds_line(position), "listed", "holds a line:", position)

def check_closure(certificate):
    """K4 and K5 over the listed positions. First all questions to White are asked, then those are taken out that
    a move back from a listed position answers; White has to win at once wherever a question is left."""
    game, members, asked = certificate.game, set(certificate.sections[0]), {}
    check_listed(members)
    empty = certificate.tiers[0].position(0)
    require(empty in members, "K4", "the empty board is not listed")
    first = (canonical(after)[0] for verdict, after in moves(game, empty, True) if verdict == 0)
    require(any(after in members for after in first), "K4", "no first white move leads to a listed position")
    for position in members:
        for verdict, after in moves(game, position, False):
            require(verdict >= 0, "K5", "a black move wins at", position, "b")
            if verdict == 0:
                asked[canonical(after)[0]] = position
    for position in members:
        for before in moves_back(game, position, True):
            asked.pop(canonical(before)[0], None)
    for question, position in asked.items():
        require(wins_at_once(game, question, True), "K5", "White has no answer at", question, "w, after", position, "b")

def check_refutation(certificate):
    """K6 and K7 over the listed positions. Each waits until all questions to Black that its white moves ask are
    answered; then it is won, and answers those questions to which a move back leads from it."""
    game, listed = certificate.game, set(certificate.sections[1])
    check_listed(listed)
    asked_by, waits, won = {}, {}, []  # asked_by: None where Black wins at once
    for position in listed:
        questions = set()
        for verdict, after in moves(game, position, True):
            require(verdict <= 0, "K7", "a white move wins at", position, "w")
            if verdict == 0:
                questions.add(canonical(after)[0])
        waits[position] = 0
        for question in questions:
            if question not in asked_by:
                asked_by[question] = None if wins_at_once(game, question, False) else []
            if asked_by[question] is not None:
                asked_by[question].append(position)
                waits[position] += 1
        if waits[position] == 0:
            won.append(position)
    for position in won:  # it grows meanwhile
        for before in moves_back(game, position, False):
            for asker in asked_by.pop(canonical(before)[0], None) or ():
                waits[asker] -= 1
                if waits[asker] == 0:
                    won.append(asker)
    for position in listed:
        require(waits[position] == 0, "K7", "Black does not win by way of others from", position, "w")
    empty = certificate.tiers[0].position(0)
    require(empty in listed, "K6", "the empty board is not listed")
    first = (canonical(after)[0] for verdict, after in moves(game, empty, False) if verdict == 0)
    require(any(after in listed for after in first), "K6", "no first black move leads to a listed position")

def check_cut(certificate, limit):
    """K1, K2 and K3 over every canonical position of the variant that holds no line."""
    game, placements = certificate.game, sum(tier.placements for tier in certificate.tiers)
    by_black, by_white = (set(section) for section in certificate.sections)  # who is to move

    def held_by_white(verdict, after):
        least = verdict == 0 and canonical(after)[0]
        return verdict > 0 or least and least not in by_black

    check_listed(by_black | by_white)
    if placements > limit:
        raise NotVerified(3, "too-large", "%d placements, --limit is %d" % (placements, limit))
    empty = certificate.tiers[0].position(0)
    require(empty not in by_black | by_white, "K1", "the empty board is lost")
    for tier in certificate.tiers:
        layers = [[layer_of(d, *counts) for d in range(n)] for n, counts in zip(tier.digits, tier.counts)]
        layers[0] = [layer for layer in layers[0] if smallest_a(layer)[0] == layer]
        reached = 0
        for position in itertools.product(*layers):
            least, stabiliser = canonical(position)
            reached += 32 // stabiliser if least == position else 0
            if least != position or holds_line(position):
                continue
            if position not in by_black:
                escapes = any(verdict < 0 or verdict == 0 and canonical(after)[0] in by_white
                              for verdict, after in moves(game, position, False))
                require(not escapes, "K2", "a black move wins or leads to a lost position at", position, "b")
            if position not in by_white:
                safe = any(held_by_white(*move) for move in moves(game, position, True))
                require(safe, "K3", "no white move is safe at", position, "w")
        require(reached == tier.placements, "enumeration", "reached", reached, "of", tier.placements)

def read(path):
    """The bytes of a regular file, or of standard input for -; to open a pipe must not wait for one who writes."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_FILE + 1)
        else:
            at_once = getattr(os, "O_NONBLOCK", 0)
            with open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once)) as file:
                found = os.fstat(file.fileno())
                fits = stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FILE
                data = file.read(MAX_FILE + 1) if fits else None
    except (OSError, ValueError) as error:
        raise NotVerified(4, "unreadable", str(error))
    if data is None or len(data) > MAX_FILE:
        raise NotVerified(4, "unreadable", "no regular file, or longer than any certificate")
    return data

def judge(path, limit):
    """A file's exit status, verdict, and claim or reason."""
    try:
        certificate = Certificate(read(path))
        if certificate.kind == 1:
            check_cut(certificate, limit)
        else:
            (check_closure if certificate.kind == 2 else check_refutation)(certificate)
        return 0, "verified", certificate.claim()
    except NotVerified as why:
        return why.args[:2] + (ascii(why.args[2])[1:-1],)
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
        print("s VERIFIED " + text if status == 0 else verdict + ": " + text,
              file=sys.stderr if status else sys.stdout)
        return status
    worst, paths = 0, []
    for path in options.paths:
        inside = sorted(os.listdir(path)) if os.path.isdir(path) else [""]
        paths += [os.path.join(path, name) if name else path for name in inside]
    for path in paths:
        status, verdict, text = judge(path, options.limit)
        worst = worst or min(status, 1)
        print(verdict, json.dumps(path), text, sep="\t")
    return worst

if __name__ == "__main__":
    code = 4  # unless somebody can read a verdict
    try:
        if sys.stdout:
            code = main()
            sys.stdout.flush()
    except OSError:
        os._exit(4)
    sys.exit(code)
