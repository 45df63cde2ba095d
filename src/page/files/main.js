// The page: what is asked of the checker's code, and what is shown of its answers.

import { EMPTY, SIZES, parse, sides, write } from './position.js';
import { Prover, file } from './prover.js';
import { Board, make } from './board.js';
import { Game } from './game.js';
import { Setup } from './setup.js';
import { draw } from './graph.js';
import { ending, known, ordered, outcome } from './words.js';

const at = (id) => document.getElementById(id);
const UNCHECKED = 'Not checked yet: what is said of moves rests on the file alone.';

const explorer = new Prover();
const checker = new Prover((done) => {
  at('progress').value = done;
});

let offered = [];
let loaded = null; // the certificate: its name, bytes and claim
let game = new Game();
let seen = null; // what is known of the position that is shown
let chosen = null; // a piece that was taken: { from } or { hand }
let mirrored = { from: EMPTY, image: 0 }; // which of the images of a position is shown
const setup = new Setup(at('palette'), () => show());

const board = new Board(at('board'), { white: at('white-hand'), black: at('black-hand') }, {
  pressed,
  pressedHand: (size) => choose(chosen?.hand === size ? null : { hand: size }),
  released: () => choose(null),
});

function complain(error) {
  at('complaint').textContent = error ? error.message : '';
}

// Runs what a button asks for, and says what went wrong.
const doing = (work) => async (event) => {
  event?.preventDefault();
  try {
    complain(null);
    await work(event);
  } catch (error) {
    complain(error);
  }
};

const look = (text) => explorer.ask('look', sides(parse(text)));

// --- the certificate

function list() {
  at('certificate').replaceChildren(...offered.map(({ name }) => make('option', { value: name }, name)));
}

// The readings under which a certificate is offered for the same pieces.
function listReadings() {
  const { variant, reading } = loaded.claim;
  const readings = new Set([reading, ...offered.filter((one) => one.variant === variant).map((one) => one.reading)]);
  at('reading').replaceChildren(...[...readings].sort().map((one) => make('option', { value: one }, one)));
  at('reading').value = reading;
  at('reading').disabled = readings.size === 1;
}

// The certificate for the same pieces under another reading, of the same kind if there is one.
function underReading(reading) {
  const { variant, kind } = loaded.claim;
  const found = offered.filter((one) => one.variant === variant && one.reading === reading);
  return (found.find((one) => one.kind === kind) ?? found[0]).name;
}

async function open(name, bytes) {
  const claim = await loadInto(explorer, bytes);
  loaded = { name, bytes, claim, checked: false };
  at('certificate').value = name;
  at('claim').textContent = `It claims: ${claim.claim}. ${claimInWords(claim)}`;
  at('verdict').textContent = UNCHECKED;
  at('verdict').className = '';
  listReadings();
  if (claim.kind === 'refutation') await explorer.ask('findPlies').catch(() => {});
}

async function loadInto(prover, bytes) {
  await prover.ask('room', { bytes });
  return prover.ask('load');
}

function claimInWords({ kind, variant, reading }) {
  const who = kind === 'refutation' ? 'Black can force a line' : 'White can go on for ever without losing';
  const more = kind === 'cut' ? ' A cut can be checked here, and says nothing of single moves.' : '';
  return `In words: in ${variant} under the reading ${reading}, ${who}, whoever begins.${more}`;
}

async function openNamed(name) {
  const known = offered.find((one) => one.name === name) ?? offered[0];
  if (!known) throw new Error('No certificate is offered here: open a file.');
  await open(known.name, known.bytes ?? (await file(`certificates/${known.name}`)));
}

async function verify() {
  const asked = loaded;
  at('verify').disabled = true;
  at('progress').hidden = false;
  at('progress').value = 0;
  at('verdict').textContent = 'Checking …';
  const started = performance.now();
  let text;
  let kind = 'holds';
  try {
    await checker.ask('room', { bytes: asked.bytes });
    const line = await checker.ask('check');
    text = `${line} (${((performance.now() - started) / 1000).toFixed(1)} s)`;
  } catch (error) {
    text = `Rejected: ${error.message}`;
    kind = 'lost';
  }
  at('progress').hidden = true;
  at('verify').disabled = false;
  if (asked === loaded) {
    loaded.checked = kind === 'holds';
    at('verdict').textContent = text;
    at('verdict').className = kind;
  }
}

// --- the game

// The side that the certificate plays: White in a closure, Black in a refutation.
const keeper = () => (loaded.claim.kind === 'refutation' ? 'black' : 'white');
const against = () => at('players').value === 'proof';

function choose(piece) {
  chosen = piece;
  draws();
}

const chosenMoves = () =>
  seen.moves.filter((move) => (chosen?.from === undefined ? move.from === null && move.size === chosen?.hand : move.from === chosen.from));

async function pressed(square) {
  if (setup.active) return setUp(() => setup.press(game.position, square));
  if (chosen) {
    const move = chosenMoves().find(({ to }) => to === square);
    if (move) return doing(() => play(move))();
  }
  const own = seen.moves.some(({ from }) => from === square);
  return choose(own && chosen?.from !== square ? { from: square } : null);
}

async function play(move) {
  game.play(move.move, move.after, { winner: move.winner, plies: outcome(move).plies });
  await show();
  await answer();
}

// The proof's own move, if it is to move and plays.
async function answer() {
  if (!against() || parse(game.position).turn !== keeper() || seen.moves.length === 0) return;
  const [reply] = ordered(seen.moves, keeper());
  game.play(reply.move, reply.after, { winner: reply.winner, plies: outcome(reply).plies });
  await show();
}

async function show({ keepHash = false } = {}) {
  seen = await look(game.position);
  chosen = null;
  game.plies[game.at].plies ??= seen.known.plies;
  const { winner } = game.plies[game.at];
  if (winner) seen.moves = [];
  if (!keepHash) history.replaceState(null, '', `#${game.hash(loaded.name)}`);
  draws();
}

function draws() {
  const { winner } = game.plies[game.at];
  const position = parse(game.position);
  const over = winner ?? seen.winner;
  const white = position.turn === 'white';
  const side = white ? 'White' : 'Black';
  at('turn').textContent = over ? ending(over) : `${side} to move${chosen ? ': choose a square, or Escape' : ''}`;
  const value = over ? null : known(seen.known);
  const count = (kind) => seen.moves.filter((move) => outcome(move).kind === kind).length;
  at('known').textContent = value
    ? `${value.words}. Of ${seen.moves.length} moves White holds after ${count('holds')}, Black wins after ${count('lost')}, and of ${count('unknown')} it is not known.`
    : '';
  at('known').className = value?.kind ?? '';
  drawBoard();
  at('list').replaceChildren(...ordered(seen.moves, position.turn).map(item));
  at('text').value = game.position;
  at('undo').disabled = game.at === 0;
  at('redo').disabled = game.at === game.plies.length - 1;
  at('next').disabled = seen.moves.length === 0;
  at('course').hidden = !draw(at('graph'), game);
}

function drawBoard() {
  const marks = new Map(chosen ? chosenMoves().map((move) => [move.to, outcome(move)]) : []);
  const { move } = game.plies[game.at];
  const last = move ? (move.match(/[a-d][1-4]/g) ?? []).map((name) => 'abcd'.indexOf(name[0]) + 4 * (name[1] - 1)) : [];
  at('board').classList.toggle('uncovered', !at('covered').checked);
  at('board').classList.remove('preview');
  board.draw({
    position: parse(game.position),
    material: loaded.claim,
    chosen,
    marks,
    last,
    playable: SIZES.filter((size) => seen.moves.some((one) => one.from === null && one.size === size)),
  });
}

// The board as a move leaves it, paler, for as long as somebody points at the move.
function preview(move) {
  const last = [move.from, move.to].filter((square) => square !== null);
  at('board').classList.add('preview');
  board.draw({ position: parse(move.after), material: loaded.claim, chosen: null, marks: new Map(), last, playable: [] });
}

function item(move) {
  const { kind, text, words } = outcome(move);
  const label = `${move.move} ${text}, ${words}`;
  const button = make('button', { type: 'button', class: kind, title: label, 'aria-label': label }, `${move.move} ${text}`);
  button.addEventListener('click', doing(() => play(move)));
  for (const [on, off] of [['mouseenter', 'mouseleave'], ['focus', 'blur']]) {
    button.addEventListener(on, () => preview(move));
    button.addEventListener(off, drawBoard);
  }
  return make('li', {}, button);
}

// --- the position

async function begin(text) {
  const start = write(parse(text));
  await look(start);
  game = new Game(start);
  mirrored = { from: start, image: 0 };
  await show();
}

async function setUp(change) {
  return doing(() => begin(change()))();
}

async function fromAddress() {
  const { certificate, start, moves } = Game.fields(location.hash);
  if (!loaded || (certificate && certificate !== loaded.name)) await openNamed(certificate);
  game = new Game(write(parse(start)));
  await show({ keepHash: true });
  for (const name of moves) {
    const move = seen.moves.find((one) => one.move === name);
    if (!move) throw new Error(`The address names the move ${name}, which is not possible here.`);
    game.play(move.move, move.after, { winner: move.winner, plies: outcome(move).plies });
    await show({ keepHash: true });
  }
  await show();
}

function save() {
  const kept = {
    certificate: loaded.name,
    claim: loaded.claim.claim,
    checked: loaded.checked,
    plies: game.plies.map(({ position, move, winner }) => ({ move, position, winner: winner ?? null })),
  };
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(kept, null, 1)}\n`], { type: 'application/json' }));
  make('a', { href: url, download: 'game.json' }).click();
  URL.revokeObjectURL(url);
}

const clicks = {
  verify: () => verify(),
  undo: () => (game.step(against() ? -2 : -1), show()),
  redo: () => (game.step(against() ? 2 : 1), show()),
  next: () => play(ordered(seen.moves, parse(game.position).turn)[0]),
  new: () => begin(game.plies[0].position).then(answer),
  turned: () => (board.turn(), draws()),
  empty: () => begin(EMPTY),
  other: () => {
    const position = parse(game.position);
    return begin(write({ ...position, turn: position.turn === 'white' ? 'black' : 'white' }));
  },
  mirror: async () => {
    const { images } = await look(mirrored.from);
    const next = (mirrored.image + 1) % images.length;
    const { from } = mirrored;
    await begin(images[next]);
    mirrored = { from, image: next };
  },
  setup: () => {
    setup.toggle(at('setup'), loaded.claim);
    draws();
  },
  save,
  copy: async () => {
    await navigator.clipboard.writeText(location.href);
    at('copy').textContent = 'Copied';
    setTimeout(() => (at('copy').textContent = 'Copy the link'), 1500);
  },
};

for (const [id, work] of Object.entries(clicks)) at(id).addEventListener('click', doing(work));
at('covered').addEventListener('change', draws);
at('players').addEventListener('change', doing(answer));
at('paste').addEventListener('submit', doing(() => begin(at('text').value)));
at('certificate').addEventListener('change', doing(async () => {
  await openNamed(at('certificate').value);
  await begin(EMPTY);
}));
at('reading').addEventListener('change', doing(async () => {
  await openNamed(underReading(at('reading').value));
  // The position stays; the moves that led to it may be others under this reading.
  await begin(game.position);
}));
at('file').addEventListener('change', doing(async () => {
  const [chosenFile] = at('file').files;
  if (!chosenFile) return;
  const bytes = await chosenFile.arrayBuffer();
  const { name } = chosenFile;
  const before = loaded;
  try {
    await open(name, bytes);
  } catch (error) {
    // The file that was open stays open, and what is wrong with the new one is said where verdicts are said.
    await loadInto(explorer, before.bytes);
    at('verdict').textContent = `Rejected: ${name}: ${error.message}`;
    at('verdict').className = 'lost';
    return;
  } finally {
    at('file').value = '';
  }
  const { variant, reading, kind } = loaded.claim;
  offered = [...offered.filter((one) => one.name !== name), { name, bytes, variant, reading, kind }];
  list();
  at('certificate').value = name;
  await begin(EMPTY);
}));
at('rules').addEventListener('toggle', doing(async () => {
  at('rules-text').textContent ||= new TextDecoder().decode(await file('RULES.md'));
}));
window.addEventListener('hashchange', doing(fromAddress));

doing(async () => {
  offered = JSON.parse(new TextDecoder().decode(await file('certificates.json')));
  list();
  await fromAddress();
  document.body.dataset.ready = 'yes';
})();
