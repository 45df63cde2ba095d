// Setting up a position by clicking: a palette of pieces, and one that takes off.

import { SIZES, parse, sizeOf, write } from './position.js';
import { make } from './board.js';

export class Setup {
  active = false;
  #piece = '';

  constructor(palette) {
    this.palette = palette;
  }

  toggle(button, material) {
    this.active = !this.active;
    button.setAttribute('aria-pressed', String(this.active));
    this.palette.hidden = !this.active;
    const letters = SIZES.flatMap((size, at) => [material.white[at] ? size : '', material.black[at] ? size.toLowerCase() : '']);
    const pieces = letters.filter(Boolean);
    if (!pieces.includes(this.#piece)) this.#piece = pieces[0];
    this.#draw([...pieces, '']);
  }

  #draw(pieces) {
    const name = (letter) => (letter === '' ? 'take off' : `${letter === sizeOf(letter) ? 'White' : 'Black'} ${sizeOf(letter)}`);
    this.palette.replaceChildren(...pieces.map((letter) => {
      const button = make('button', { type: 'button', 'aria-pressed': String(letter === this.#piece), 'data-setup': letter || '-' }, name(letter));
      button.addEventListener('click', () => {
        this.#piece = letter;
        this.#draw(pieces);
        this.palette.querySelector(`[data-setup="${letter || '-'}"]`).focus();
      });
      return button;
    }));
  }

  // The position after a click on a square, as text. Throws what is wrong.
  press(text, square) {
    const position = parse(text);
    const stack = position.stacks[square];
    if (this.#piece === '') position.stacks[square] = stack.slice(1);
    else if (stack && sizeOf(stack[0]) <= sizeOf(this.#piece)) {
      throw new Error('A piece covers only smaller ones (R3): take off the one that stands there.');
    } else position.stacks[square] = this.#piece + stack;
    return write(position);
  }
}
