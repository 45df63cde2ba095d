// What is known, in words, and which move is the best.

const RANK = { holds: 0, unknown: 1, lost: 2 };

// What a move leads to, as one of three kinds, with the plies until Black has won where they are known.
export function outcome(move) {
  if (move.winner === 'white') return { kind: 'holds', text: 'wins', words: 'White wins at once' };
  if (move.winner === 'black') return { kind: 'lost', text: '0', words: 'Black wins at once', plies: 0 };
  return known(move.known);
}

export function known({ value, plies }) {
  if (value === 'holds') return { kind: 'holds', text: '=', words: 'White holds' };
  if (value === 'unknown') return { kind: 'unknown', text: '?', words: 'not known' };
  if (plies === undefined) return { kind: 'lost', text: '−', words: 'Black wins' };
  return { kind: 'lost', text: String(plies), words: `Black wins in ${plies} ${plies === 1 ? 'ply' : 'plies'} at most`, plies };
}

// The moves, best first for the side to move: a loss late for White, a win soon for Black.
export function ordered(moves, turn) {
  const sign = turn === 'white' ? 1 : -1;
  const sooner = (one) => outcome(one).plies ?? 1000;
  const first = (one) => (one.winner === 'white' ? -1 : RANK[outcome(one).kind]);
  return [...moves].sort((one, other) => sign * (first(one) - first(other)) || -sign * (sooner(one) - sooner(other)));
}

export function ending(winner) {
  return winner === 'white' ? 'White has won.' : 'Black has won.';
}
