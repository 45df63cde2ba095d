// What is known, in words, and which move is the best.

const VALUES = { wins: 0, holds: 1, draw: 1, unknown: 2, lost: 3 };

// How good a move is for White, 0 the best, without the plies.
export function rank(move) {
  if (move.winner) return move.winner === 'white' ? -1 : VALUES.lost;
  return VALUES[move.known.value];
}

// What a move leads to, as one of three kinds, with the plies until a side has won where they are known.
export function outcome(move) {
  if (move.winner === 'white') return { kind: 'holds', text: '+0', words: 'White wins at once', wins: 0 };
  if (move.winner === 'black') return { kind: 'lost', text: '0', words: 'Black wins at once', plies: 0 };
  return known(move.known);
}

export function known({ value, plies, exact }) {
  const count = `in ${plies} ${plies === 1 ? 'ply' : 'plies'}${exact ? '' : ' at most'}`;
  if (value === 'holds') return { kind: 'holds', text: '=', words: 'White holds' };
  if (value === 'draw') return { kind: 'holds', text: '=', words: 'A draw' };
  if (value === 'unknown') return { kind: 'unknown', text: '?', words: 'Not known' };
  const [winner, kind] = value === 'wins' ? ['White', 'holds'] : ['Black', 'lost'];
  if (plies === undefined) return { kind, text: value === 'wins' ? '+' : '−', words: `${winner} wins` };
  if (value === 'wins') return { kind, text: `+${plies}`, words: `White wins ${count}`, wins: plies };
  return { kind, text: String(plies), words: `Black wins ${count}`, plies };
}

// The moves, best first for the side to move: a loss late for White, a win soon for Black.
export function ordered(moves, turn) {
  const sign = turn === 'white' ? 1 : -1;
  const sooner = (one) => outcome(one).plies ?? 1000;
  const won = (one) => outcome(one).wins ?? 1000;
  return [...moves].sort(
    (one, other) => sign * (rank(one) - rank(other)) || -sign * (sooner(one) - sooner(other)) || sign * (won(one) - won(other)),
  );
}

// A position of which nothing is known though it is of all moves: it is worth what the best of them is.
export function derived(seen, turn) {
  const [best] = ordered(seen.moves, turn);
  if (!best || seen.known.value !== 'unknown' || rank(best) === VALUES.unknown) return seen;
  const { kind, plies } = outcome(best);
  return { ...seen, known: { value: kind, follows: true, ...(plies === undefined ? {} : { plies: plies + 1 }) } };
}

// How many pieces of which sizes: "3 A and 2 B".
export function pieces(counts) {
  const some = counts.map((count, size) => `${count} ${'ABCD'[size]}`).filter((text) => !text.startsWith('0'));
  return some.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

// What is known of all moves, from the kind of each.
export function ofMoves(kinds) {
  const words = { holds: 'White holds', lost: 'Black wins', unknown: 'it is not known who wins' };
  const counts = Object.entries(words)
    .map(([kind, said]) => ({ said, count: kinds.filter((one) => one === kind).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return '';
  const after = counts.map(({ said, count }, at) => `${said} after ${count}${at === 0 ? ` of ${kinds.length} moves` : ''}`);
  return counts.length === 1 ? `${counts[0].said} after every move.` : `${after.join(', ')}.`;
}

export function ending(winner) {
  return winner === 'white' ? 'White has won.' : 'Black has won.';
}
