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
    const wasm = await file(this.wasm);
    const inside = document.getElementById('file:worker.js');
    const url = inside ? URL.createObjectURL(new Blob([await file('worker.js')], { type: 'text/javascript' })) : 'worker.js';
    const worker = new Worker(url);
    try {
      await this.#send(worker, { ask: 'start', wasm });
    } catch (error) {
      worker.terminate();
      throw error;
    }
    this.#worker = worker;
  }

  // An error is `refused` if it says what is wrong with a file, and not that the question found no answer here.
  #send(worker, message) {
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if ('progress' in data) this.progress(data.progress);
        else if ('error' in data) {
          if (data.broken) this.#stop();
          reject(Object.assign(new Error(data.error), { refused: data.refused }));
        } else resolve(data.result);
      };
      worker.onerror = (event) => reject(new Error(event.message || `${this.wasm} cannot be run`));
      worker.postMessage(message);
    });
  }

  // Code that was broken off is not asked again: the next question starts it anew.
  #stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  ask(ask, more = {}) {
    const answer = this.#last.then(async () => {
      if (!this.#worker) await this.#start();
      return this.#send(this.#worker, { ask, ...more });
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}
