// Solved variants on the server's disk: the exact values of a position and of each move from it.

// A value as the server says it, for the side to move or of its move, as the page has it.
function valued({ value, plies }, { alike, name }, turn) {
  const more = { exact: true, by: name, ...(plies === null ? {} : { plies }) };
  if (value === 'draw') return { value: alike ? 'draw' : 'holds', ...more };
  const whites = alike && (value === 'win') === (turn === 'white');
  return { value: whites ? 'wins' : 'lost', ...more };
}

// A position with each value that `replaces` says filled in from a solved variant.
export async function filled(seen, solved, turn, replaces) {
  const response = await fetch(`solved/${solved.name}?position=${encodeURIComponent(seen.position)}`);
  if (!response.ok) throw new Error(`${solved.name}: ${(await response.text()).trim()}`);
  const told = await response.json();
  const values = new Map(told.moves.map((move) => [move.move, valued(move, solved, turn)]));
  const moves = seen.moves.map((move) => {
    if (move.winner || !replaces(move.known)) return move;
    const value = values.get(move.move);
    // The server counts the move itself.
    return { ...move, known: 'plies' in value ? { ...value, plies: value.plies - 1 } : value };
  });
  return { ...seen, moves, known: replaces(seen.known) ? valued(told, solved, turn) : seen.known };
}
