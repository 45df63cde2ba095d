// What is known, in words, and which move is the best.

const VALUES = { wins: 0, holds: 1, draw: 1, unknown: 2, lost: 3 };

// How good a move is for White, 0 the best, without the plies.
export function rank({ winner, known: { value } = {} }) {
  if (winner) return winner === 'white' ? -1 : VALUES.lost;
  return VALUES[value];
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

export function ending(winner) {
  return winner === 'white' ? 'White has won.' : 'Black has won.';
}
