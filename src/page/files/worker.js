// Runs the checker's code or the engine's, so that the page stays alive meanwhile. It is asked one thing at a time.

let instance;
let told = 0;

const page = {
  progress(done, of) {
    const now = performance.now();
    if (now - told < 100) return;
    told = now;
    postMessage({ progress: done / of });
  },
};

// The text that the last call has left, or an error that says what is wrong.
function answer(code) {
  const { memory, answer: at, answer_len: length } = instance.exports;
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at(), length()));
  if (code !== 0) throw new Error(text);
  return text;
}

const asked = {
  async start({ wasm }) {
    instance = (await WebAssembly.instantiate(wasm, { page })).instance;
  },
  room({ bytes }) {
    const at = instance.exports.room(bytes.byteLength);
    new Uint8Array(instance.exports.memory.buffer, at, bytes.byteLength).set(new Uint8Array(bytes));
  },
  check: () => answer(instance.exports.check()),
  load: () => JSON.parse(answer(instance.exports.load())),
  take: ({ white, black, reading }) => JSON.parse(answer(instance.exports.take(white, black, reading))),
  findPlies: () => Number(answer(instance.exports.find_plies())),
  look: ({ white, black, turn }) => JSON.parse(answer(instance.exports.look(white, black, turn))),
  sit({ white, black, reading, level, seed, color }) {
    if (!instance.exports.sit(white, black, reading, level, seed, color)) throw new Error('the engine does not play this');
  },
  // The place of the move among those of the position, from 0, and what the engine takes the position to be worth.
  search({ positions }) {
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
    postMessage({ error: error.message });
  }
};
