// Runs the checker's code or the engine's, so that the page stays alive meanwhile. It is asked one thing at a time.

let instance;
let told = 0;
let seated = '';

const page = {
  progress(done, of) {
    const now = performance.now();
    if (now - told < 100) return;
    told = now;
    postMessage({ progress: done / of });
  },
};

// The text that the last call has left. Code 1: it says what is refused; code 2: it says why nothing is judged.
function answer(code) {
  const { memory, answer: at, answer_len: length } = instance.exports;
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at(), length()));
  if (code !== 0) throw Object.assign(new Error(text), { refused: code === 1 });
  return text;
}

function give(bytes) {
  const at = instance.exports.room(bytes.byteLength);
  new Uint8Array(instance.exports.memory.buffer, at, bytes.byteLength).set(new Uint8Array(bytes));
}

const asked = {
  async start({ wasm }) {
    instance = (await WebAssembly.instantiate(wasm, { page })).instance;
  },
  check({ bytes }) {
    give(bytes);
    return answer(instance.exports.check());
  },
  open({ bytes }) {
    give(bytes);
    return JSON.parse(answer(instance.exports.load()));
  },
  take: ({ white, black, reading }) => JSON.parse(answer(instance.exports.take(white, black, reading))),
  findPlies: () => Number(answer(instance.exports.find_plies())),
  look: ({ white, black, turn }) => JSON.parse(answer(instance.exports.look(white, black, turn))),
  // The place of the move among those of the position, from 0, and what the engine takes the position to be worth. It keeps
  // what it knows while it sits at the same game.
  search({ seat, positions }) {
    if (JSON.stringify(seat) !== seated) {
      const { white, black, reading, level, seed, color } = seat;
      if (!instance.exports.sit(white, black, reading, level, seed, color)) throw new Error('the engine does not play this');
      seated = JSON.stringify(seat);
    }
    const { begin, position, search, kind, score, depth, nodes } = instance.exports;
    begin();
    for (const { white, black, turn } of positions) position(white, black, turn);
    const place = search() - 1;
    if (place < 0) throw new Error('the engine finds no move');
    return { place, kind: kind(), score: score(), depth: depth(), nodes: nodes() };
  },
};

onmessage = async ({ data }) => {
  try {
    postMessage({ result: await asked[data.ask](data) });
  } catch (error) {
    // After a trap the code's memory is in no state to be used again.
    const broken = error instanceof WebAssembly.RuntimeError;
    const message = broken ? `it was broken off (${error.message}), perhaps for want of memory` : error.message;
    postMessage({ error: message, refused: Boolean(error.refused), broken });
  }
};
