// Where the page's files come from, and questions to the checker's code or the engine's, each in a worker of its own.

// A file of the page: inside it where the page is a single file, else from where the page came.
export async function file(name) {
  const inside = document.getElementById(`file:${name}`);
  if (inside) return Uint8Array.from(atob(inside.textContent), (letter) => letter.charCodeAt(0)).buffer;
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} cannot be had: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

export class Prover {
  // Asks one thing at a time, in the order in which they were asked.
  #last = Promise.resolve();
  #worker;

  constructor(wasm, progress = () => {}) {
    this.wasm = wasm;
    this.progress = progress;
  }

  async #start() {
    const inside = document.getElementById('file:worker.js');
    const url = inside ? URL.createObjectURL(new Blob([await file('worker.js')], { type: 'text/javascript' })) : 'worker.js';
    this.#worker = new Worker(url);
    await this.#send({ ask: 'start', wasm: await file(this.wasm) });
  }

  #send(message) {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => {
        if ('progress' in data) this.progress(data.progress);
        else if ('error' in data) reject(new Error(data.error));
        else resolve(data.result);
      };
      this.#worker.onerror = (event) => reject(new Error(event.message || `${this.wasm} cannot be run`));
      this.#worker.postMessage(message);
    });
  }

  ask(ask, more = {}) {
    const answer = this.#last.then(async () => {
      if (!this.#worker) await this.#start();
      return this.#send({ ask, ...more });
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}
