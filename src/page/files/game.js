// A game: positions one after the other, and the place in them; it stands in the page's address.

import { EMPTY } from './position.js';

export class Game {
  constructor(start = EMPTY) {
    this.plies = [{ position: start, move: null }];
    this.at = 0;
  }

  get position() {
    return this.plies[this.at].position;
  }

  get move() {
    return this.plies[this.at].move;
  }

  play(move, position, more = {}) {
    this.plies.length = this.at + 1;
    this.plies.push({ move, position, ...more });
    this.at += 1;
  }

  step(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.plies.length - 1);
  }

  // The address keeps the certificate, the first position and the moves up to here.
  hash(certificate) {
    const moves = this.plies.slice(1, this.at + 1).map((ply) => ply.move);
    const fields = { certificate, start: this.plies[0].position, moves: moves.join(' ') };
    return new URLSearchParams(Object.entries(fields).filter(([, value]) => value)).toString();
  }

  static fields(hash) {
    const fields = new URLSearchParams(hash.replace(/^#/, ''));
    const moves = (fields.get('moves') ?? '').split(' ').filter(Boolean);
    return { certificate: fields.get('certificate'), start: fields.get('start') ?? EMPTY, moves };
  }
}
