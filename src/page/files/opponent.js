// A program on one side of the board: the proof, or the engine at a level. Each of its moves comes with where it is from.

import { parse, sides } from './position.js';
import { Prover } from './prover.js';
import { ordered, outcome, rank } from './words.js';

// This level plays what is known where that decides; the lower ones only search, as `gobprove play` has it.
export const HIGHEST = 8;

const bytes = (counts) => counts.reduce((sum, count, at) => sum + count * 256 ** at, 0);

// The game as the two modules take it: a byte for each size, and the place of the reading.
export const numbers = ({ white, black, place }) => ({ white: bytes(white), black: bytes(black), reading: place });

// The moves that are equally good for a side by what is known. Where it is not known how long each way to a win is, those
// stay that lead to where the game has been least often: so each is tried in the end, and the way does not go round for ever.
function tied(moves, color, game) {
  const sorted = ordered(moves, color);
  const value = (move) => `${rank(move)} ${outcome(move).plies} ${outcome(move).wins}`;
  const equal = sorted.filter((move) => value(move) === value(sorted[0]));
  const times = ({ after }) => game.plies.slice(0, game.at + 1).filter(({ position }) => position === after).length;
  const least = Math.min(...equal.map(times));
  return equal.filter((move) => times(move) === least);
}

export class Opponent {
  #engine = new Prover('gobopponent.wasm');

  // What the engine finds: a move, and what it takes the position to be worth.
  async #search({ claim, color, level, seed, game, seen }) {
    const seat = { ...numbers(claim), level, seed, color: color === 'white' ? 0 : 1 };
    const positions = game.plies.slice(0, game.at + 1).map(({ position }) => sides(parse(position)));
    const { place, kind, score, depth, nodes } = await this.#engine.ask('search', { seat, positions });
    const [us, them] = color === 'white' ? ['White', 'Black'] : ['Black', 'White'];
    const plies = `in ${score} ${score === 1 ? 'ply' : 'plies'} at most`;
    const said = [
      `estimate ${score < 0 ? '−' : '+'}${Math.abs(score)} for ${us} (engine, level ${level}: ${nodes.toLocaleString('en')} positions, ${depth} plies deep)`,
      `proven by the engine's search: ${us} wins ${plies}`,
      `proven by the engine's search: ${them} wins ${plies}`,
    ][kind];
    return { move: seen.moves[place], said: () => said, wins: kind === 1 };
  }

  // The move of the side `color`, and a function that says where it is from: a file that is checked later is proven from then on.
  // `source` names the file that a value comes from.
  async reply(asked) {
    const { color, level, game, seen, source, proof } = asked;
    const equal = tied(seen.moves, color, game);
    const best = outcome(equal[0]);
    const known = { move: equal[0], said: () => (equal[0].winner ? best.words : `${best.words} (${source(equal[0].known)})`) };
    const decides = best.kind !== 'unknown';
    // A way to Black's win is only sure to end where the plies are known.
    const ends = color === 'white' || best.kind !== 'lost' || best.plies !== undefined;
    if (decides && (proof ? ends : level === HIGHEST && equal.length === 1)) return known;
    const found = await this.#search(asked);
    if (!proof && level < HIGHEST) return found;
    if (found.wins) return found;
    if (decides) return equal.includes(found.move) ? { ...known, move: found.move } : known;
    // Nothing is known of the best moves; what is known to be worse is left out.
    return equal.includes(found.move) ? found : { move: equal[0], said: () => 'not known; the move that the engine preferred is known to be worse' };
  }
}
