// Positions as text, as stacks of letters on 16 squares, and as the two numbers that the checker takes.

export const EMPTY = '.,.,.,./.,.,.,./.,.,.,./.,.,.,. w';
export const SIZES = ['A', 'B', 'C', 'D'];

export const squareName = (square) => 'abcd'[square % 4] + (1 + (square >> 2));
export const colorOf = (letter) => (letter === letter.toUpperCase() ? 'white' : 'black');
export const sizeOf = (letter) => letter.toUpperCase();

// The stacks of a text, from the top, by square: a1 is 0, d4 is 15. Throws what is wrong.
export function parse(text) {
  const [board, turn, ...more] = text.trim().split(/\s+/);
  if (more.length || (turn !== 'w' && turn !== 'b')) {
    throw new Error('A position ends in a space and w or b, the side to move.');
  }
  const ranks = board.split('/');
  if (ranks.length !== 4) throw new Error(`A position has 4 ranks, separated by /; here are ${ranks.length}.`);
  const stacks = Array.from({ length: 16 }, () => '');
  ranks.forEach((rank, row) => {
    const squares = rank.split(',');
    if (squares.length !== 4) {
      throw new Error(`Rank ${4 - row} needs 4 squares, separated by commas; it has ${squares.length}.`);
    }
    squares.forEach((stack, file) => {
      const square = 4 * (3 - row) + file;
      if (!/^(\.|[A-Da-d]+)$/.test(stack)) {
        throw new Error(`${squareName(square)} needs letters A to D or a to d, from the top, or a dot.`);
      }
      stacks[square] = stack === '.' ? '' : stack;
      const sizes = [...stacks[square]].map(sizeOf);
      if (sizes.some((size, at) => at > 0 && size <= sizes[at - 1])) {
        throw new Error(`On ${squareName(square)} each piece must be larger than the one below it (R3).`);
      }
    });
  });
  return { stacks, turn: turn === 'w' ? 'white' : 'black' };
}

export function write({ stacks, turn }) {
  const rank = (row) => [0, 1, 2, 3].map((file) => stacks[4 * row + file] || '.').join(',');
  return `${[3, 2, 1, 0].map(rank).join('/')} ${turn[0]}`;
}

// Each side's pieces as a number: 16 bits for each size, A the lowest, and in them a bit for each square.
export function sides({ stacks, turn }) {
  const side = { white: 0n, black: 0n };
  stacks.forEach((stack, square) => {
    for (const letter of stack) {
      side[colorOf(letter)] |= 1n << BigInt(16 * SIZES.indexOf(sizeOf(letter)) + square);
    }
  });
  return { ...side, turn: turn === 'white' ? 0 : 1 };
}

// How many pieces of each size a side has in hand.
export function inHand({ stacks }, color, material) {
  const own = [...stacks.join('')].filter((letter) => colorOf(letter) === color).map(sizeOf);
  return SIZES.map((size, at) => material[at] - own.filter((found) => found === size).length);
}
