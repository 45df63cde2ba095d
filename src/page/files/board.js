// Draws the board and the hands, and hears clicks and keys.

import { SIZES, colorOf, sizeOf, squareName, inHand } from './position.js';

// An element; what is no text among its attributes is set as a property.
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made && typeof value !== 'string') made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// What is seen. What is read out stands in the label of the button around it, so the style draws this text.
const drawn = (kind, text) => make('span', { class: kind, 'data-text': text });

const disc = (letter) => make('span', { class: `disc ${colorOf(letter)} ${sizeOf(letter)}` }, drawn('letter', letter));

// In words, from the top: "White A over black B".
function inWords(stack) {
  if (!stack) return 'empty';
  return [...stack].map((letter) => `${colorOf(letter)} ${sizeOf(letter)}`).join(' over ');
}

export class Board {
  #squares = [];
  #focus = 0;
  #turned = false;

  // `pressed` hears the number of a square, or a colour and size of a piece in hand; `released` hears Escape.
  constructor(grid, hands, { pressed, pressedHand, released }) {
    this.grid = grid;
    this.hands = hands;
    this.pressedHand = pressedHand;
    for (let row = 0; row < 4; row += 1) {
      const rank = make('div', { role: 'row', class: 'row' });
      for (let file = 0; file < 4; file += 1) {
        const at = 4 * row + file;
        const square = make('button', { type: 'button', role: 'gridcell', tabIndex: at === 0 ? 0 : -1 });
        square.addEventListener('click', () => {
          this.#move(at);
          pressed(this.#number(at));
        });
        rank.append(square);
        this.#squares.push(square);
      }
      grid.append(rank);
    }
    grid.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -4, ArrowDown: 4 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = this.#focus + step;
      const wraps = Math.abs(step) === 1 && next >> 2 !== this.#focus >> 2;
      if (next >= 0 && next < 16 && !wraps) this.#move(next);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') released();
    });
  }

  turn() {
    this.#turned = !this.#turned;
  }

  // Which square stands at a place of the page, counted from the top left.
  #number(at) {
    const row = at >> 2;
    const file = at & 3;
    return this.#turned ? 4 * row + (3 - file) : 4 * (3 - row) + file;
  }

  #move(at) {
    this.#squares[this.#focus].tabIndex = -1;
    this.#focus = at;
    this.#squares[at].tabIndex = 0;
    this.#squares[at].focus();
  }

  // `marks` has for a square what stands in its corner: { text, words, kind }.
  drawSquares({ position, chosen, marks, last }) {
    this.#squares.forEach((square, at) => {
      const number = this.#number(at);
      const stack = position.stacks[number];
      const mark = marks.get(number);
      const dark = (number + (number >> 2)) % 2 === 0;
      square.className = `square${dark ? ' dark' : ''}${chosen?.from === number ? ' chosen' : ''}${last.includes(number) ? ' last' : ''}`;
      square.dataset.square = squareName(number);
      square.setAttribute('aria-label', `${squareName(number)}, ${inWords(stack)}${mark ? `, ${mark.words}` : ''}`);
      square.setAttribute('aria-selected', String(chosen?.from === number));
      square.replaceChildren(
        ...[...stack].map(disc),
        drawn('name', squareName(number)),
        ...(mark ? [drawn(`mark ${mark.kind}`, mark.text)] : []),
      );
    });
  }

  drawHands({ position, material, chosen, playable }) {
    for (const [color, hand] of Object.entries(this.hands)) {
      const left = inHand(position, color, material[color]);
      const buttons = SIZES.map((size, at) => {
        if (material[color][at] === 0) return null;
        const letter = color === 'white' ? size : size.toLowerCase();
        const own = chosen?.hand === size && position.turn === color;
        const button = make(
          'button',
          {
            type: 'button',
            class: own ? 'chosen' : '',
            'aria-label': `${color} ${size}, ${left[at]} in hand`,
            'aria-pressed': String(own),
            'data-piece': letter,
            disabled: !(position.turn === color && playable.includes(size)),
          },
          disc(letter),
          drawn('count', `× ${left[at]}`),
        );
        button.addEventListener('click', () => this.pressedHand(size));
        return button;
      });
      // Drawing anew must not take the focus from who plays by keyboard.
      const focused = hand.contains(document.activeElement) && document.activeElement.dataset.piece;
      hand.replaceChildren(...buttons.filter(Boolean));
      if (focused) hand.querySelector(`[data-piece="${focused}"]`)?.focus();
    }
  }
}
