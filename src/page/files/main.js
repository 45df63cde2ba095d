// The page: what is asked of the checker's code, and what is shown of its answers.

import { EMPTY, SIZES, parse, sides, write } from './position.js';
import { Prover, file } from './prover.js';
import { Board, make } from './board.js';
import { Game } from './game.js';
import { Setup } from './setup.js';
import { draw } from './graph.js';
import { filled } from './solved.js';
import { HIGHEST, Opponent, numbers } from './opponent.js';
import { derived, ending, known, ofMoves, ordered, outcome, pieces } from './words.js';

const at = (id) => document.getElementById(id);
const UNCHECKED = 'Not checked yet: what is said of moves rests on the file alone.';

const explorer = new Prover('gobweb.wasm');
const checker = new Prover('gobweb.wasm', (done) => {
  at('progress').value = done;
  const seconds = ((performance.now() - began) * (1 - done)) / done / 1000;
  at('left').textContent = done > 0.02 ? `${Math.floor(100 * done)} %, about ${seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`} to go` : '';
});
let began = 0; // when the check that runs began
const opponent = new Opponent();

let offered = []; // certificates
let solutions = []; // solved variants on the server's disk
let loaded = null; // the certificate: its name, bytes and claim; or the solved variant, and of which game
let game = new Game();
let games = 1; // how many games were begun: the engine's seed
let thinking = null; // what the program that is to move was asked
let seen = null; // what is known of the position that is shown
let chosen = null; // a piece that was taken: { from } or { hand }
let typing = false; // whether the text is being changed: nobody loses what he types
let mirrored = {}; // which image of which position is shown
const setup = new Setup(at('palette'));

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

// What asks the explorer's code goes one after the other, so that no answer is taken for one about another file.
let last = Promise.resolve();
function inTurn(work) {
  const done = last.then(() => work());
  last = done.catch(() => {});
  return done;
}

// What is known of a position: by the file that is open, and of what it does not say by a solved variant of the same game.
async function look(text) {
  const seen = { ...(await explorer.ask('look', sides(parse(text)))), file: loaded };
  const { turn } = parse(text);
  const { variant, reading } = loaded.claim;
  const solved = loaded.solved ?? solutions.find((one) => one.variant === variant && one.reading === reading);
  if (!solved || seen.winner) return derived(seen, turn);
  return filled(seen, solved, turn, ({ value }) => value === 'unknown');
}

// Where a value is from that a file, or what was computed, says.
const source = (file) => ({ by, follows }) => {
  if (follows) return 'since it is so after every move';
  if (by) return `computed: ${by}`;
  return `${file.checked ? 'proven' : 'claimed, not checked yet'}: ${file.name}`;
};

// --- the certificate

function list() {
  const named = (files) => files.map(({ name }) => make('option', { value: name }, name));
  const solved = solutions.length ? [make('optgroup', { label: 'Solved variants' }, ...named(solutions))] : [];
  at('certificate').replaceChildren(...named(offered), ...solved);
}

// The readings under which a certificate is offered for the same pieces.
function listReadings() {
  const { variant, reading } = loaded.claim;
  const readings = new Set([reading, ...[...offered, ...solutions].filter((one) => one.variant === variant).map((one) => one.reading)]);
  at('reading').replaceChildren(...[...readings].sort().map((one) => make('option', { value: one }, one)));
  at('reading').value = reading;
  at('reading').disabled = readings.size === 1;
}

// The certificate for the same pieces under another reading, of the same kind if there is one.
function underReading(reading) {
  const { variant, kind } = loaded.claim;
  const found = [...offered, ...solutions].filter((one) => one.variant === variant && one.reading === reading);
  return (found.find((one) => (one.kind ?? null) === kind) ?? found[0]).name;
}

async function open(name, bytes) {
  let claim;
  try {
    claim = await explorer.ask('open', { bytes });
  } catch (error) {
    if (loaded) await reopen();
    throw Object.assign(error, { message: `${name}: ${error.message}` });
  }
  loaded = { name, bytes, claim, checked: false };
  at('claim').textContent = `It claims: ${claim.claim}. ${claimInWords(claim)}`;
  opened(UNCHECKED);
  await findPlies();
}

// The file that was open stays open where another cannot be opened.
async function reopen() {
  if (loaded.solved) return explorer.ask('take', numbers(loaded.solved));
  await explorer.ask('open', { bytes: loaded.bytes });
  return findPlies();
}

const findPlies = () => (loaded.claim.kind === 'refutation' ? explorer.ask('findPlies').catch(() => {}) : undefined);

async function openSolved(solved) {
  const claim = await explorer.ask('take', numbers(solved));
  loaded = { name: solved.name, claim, checked: false, solved };
  const plies = solved.plies ? ', and in how many plies each win comes' : '';
  at('claim').textContent = `${solved.name} has the exact value of every position of ${solved.variant} under the reading ${solved.reading}${plies}.`;
  opened('It was computed, and is no certificate: this page cannot check it.');
}

// Shows which file is open, and who can play by it.
function opened(verdict) {
  at('certificate').value = loaded.name;
  at('verdict').textContent = verdict;
  at('verdict').className = '';
  at('verify').disabled = Boolean(loaded.solved);
  listReadings();
  const { kind } = loaded.claim;
  const proof = at('players').querySelector('[value=proof]');
  proof.disabled = kind !== 'refutation' && kind !== 'closure';
  proof.textContent = proof.disabled ? 'No proof plays here' : `You are ${keeper() === 'white' ? 'Black' : 'White'}, against the proof`;
  if (proof.disabled && at('players').value === 'proof') at('players').value = 'both';
}

function claimInWords({ kind, white, black, reading }) {
  const who = kind === 'refutation' ? 'Black can force four in a line' : 'White can go on for ever without losing';
  const more = kind === 'cut' ? ' A cut can be checked here, and says nothing of single moves.' : '';
  return `In words: whoever begins, ${who}. White has ${pieces(white)}, Black ${pieces(black)}; A is the largest size. The rules are read as ${reading}.${more}`;
}

async function openNamed(name) {
  const solved = solutions.find((one) => one.name === name);
  const known = offered.find((one) => one.name === name);
  try {
    if (solved) return await openSolved(solved);
    if (!known) throw new Error(`${name} is not offered here: open that file.`);
    return await open(name, known.bytes ?? (await file(`certificates/${name}`)));
  } catch (error) {
    if (loaded) {
      at('certificate').value = loaded.name;
      at('reading').value = loaded.claim.reading;
    }
    throw error;
  }
}

// The first file that can be opened.
async function openAny() {
  let why = new Error('No certificate is offered here: open a file.');
  for (const { name } of [...offered, ...solutions]) {
    try {
      return await openNamed(name);
    } catch (error) {
      why = error;
    }
  }
  throw why;
}

async function verify() {
  const asked = loaded;
  at('verify').disabled = true;
  at('progress').hidden = false;
  at('progress').value = 0;
  at('left').textContent = '';
  at('verdict').textContent = 'Checking …';
  began = performance.now();
  let text;
  let kind = 'holds';
  try {
    const line = await checker.ask('check', { bytes: asked.bytes });
    text = `${line} (${((performance.now() - began) / 1000).toFixed(1)} s)`;
  } catch (error) {
    text = `${error.refused ? 'Rejected' : 'Cannot be checked here'}: ${error.message}`;
    kind = error.refused ? 'lost' : 'unknown';
  }
  at('progress').hidden = true;
  at('left').textContent = '';
  at('verify').disabled = Boolean(loaded.solved);
  if (asked === loaded) {
    asked.checked = kind === 'holds';
    at('verdict').textContent = text;
    at('verdict').className = kind;
    draws();
  }
}

// --- the game

// The side that the certificate plays: White in a closure, Black in a refutation.
const keeper = () => (loaded.claim.kind === 'refutation' ? 'black' : 'white');

// The side that a program plays, if one does.
function program() {
  const { value } = at('players');
  if (value === 'both') return null;
  if (value === 'proof') return keeper();
  return value === 'white' ? 'black' : 'white';
}

const isProgram = (ply) => parse(ply.position).turn === program() && !ply.winner;

function choose(piece) {
  chosen = piece;
  draws();
}

const chosenMoves = () =>
  seen.moves.filter((move) => (chosen?.from === undefined ? move.from === null && move.size === chosen?.hand : move.from === chosen.from));

async function pressed(square) {
  if (setup.active) return setUp(() => setup.press(game.position, square));
  if (isProgram(game.plies[game.at])) return undefined;
  if (chosen) {
    const move = chosenMoves().find(({ to }) => to === square);
    if (move) return doing(() => play(move))();
  }
  const own = seen.moves.some(({ from }) => from === square);
  return choose(own && chosen?.from !== square ? { from: square } : null);
}

async function play(move) {
  // A second click can come before the first is shown.
  if (seen.position !== game.position || thinking) return;
  game.play(move.move, move.after, { winner: move.winner, plies: outcome(move).plies });
  await show();
  await answer();
}

// The program's move, if it is to move. Nobody waits for it who has gone elsewhere meanwhile.
async function answer() {
  // While another file is opened, the moves that are shown are not of its game.
  if (seen?.file !== loaded) return;
  const color = program();
  thinking = null;
  if (setup.active || seen.position !== game.position || seen.moves.length === 0 || !isProgram(game.plies[game.at])) {
    draws();
    return;
  }
  const proof = at('players').value === 'proof';
  // Where the proof leaves open how to go on, the engine is to be good at it.
  const level = proof ? HIGHEST : Number(at('level').value);
  const asked = { claim: loaded.claim, color, level, seed: games, game, ply: game.plies[game.at], seen, source: source(seen.file), proof };
  thinking = asked;
  draws();
  try {
    const { move, said } = await opponent.reply(asked);
    if (thinking !== asked || asked.ply !== game.plies[game.at]) return;
    const side = color === 'white' ? 'White' : 'Black';
    game.play(move.move, move.after, { winner: move.winner, plies: outcome(move).plies, said: () => `${side} played ${move.move}: ${said()}.` });
  } finally {
    if (thinking === asked) thinking = null;
  }
  await show();
}

// Goes back or on to where a person is to move.
function step(by) {
  const to = reached(by);
  if (to === null) return undefined;
  thinking = null;
  game.step(to - game.at);
  return show();
}

// The next ply in a direction after which a person is to move, or the game is over.
function reached(by) {
  for (let at = game.at + by; at >= 0 && at < game.plies.length; at += by) {
    if (!isProgram(game.plies[at])) return at;
  }
  return null;
}

const show = () => inTurn(showNow);

// The same, for who has the turn.
async function showNow({ keepHash = false } = {}) {
  const ply = game.plies[game.at];
  const found = await look(ply.position);
  // Somebody has gone on meanwhile: that position is shown.
  if (ply !== game.plies[game.at]) return;
  seen = found;
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
  const more = thinking ? ': the program thinks …' : chosen ? ': choose a square' : '';
  at('turn').textContent = over ? ending(over) : `${side} to move${more}`;
  at('turn').dataset.side = over ?? position.turn;
  const hint = chosen
    ? 'A square says what the move to it leads to. Escape, or another click on the piece, lets it go.'
    : `Choose a piece in ${side}'s hand or on the board, and then a square.`;
  const { said } = game.plies[game.at];
  at('said').textContent = (chosen ? hint : said?.()) ?? (over || isProgram(game.plies[game.at]) ? '' : hint);
  const value = over ? null : known(seen.known);
  at('known').textContent = value
    ? `${value.words}${value.kind === 'unknown' ? '' : ` (${source(seen.file)(seen.known)})`}. ${ofMoves(seen.moves.map((move) => outcome(move).kind))}`
    : '';
  at('known').className = value?.kind ?? '';
  drawBoard();
  const fromList = at('list').contains(document.activeElement);
  at('list').replaceChildren(...ordered(seen.moves, position.turn).map(item));
  // Who chooses moves by keyboard goes on from the list.
  if (fromList) at('list').focus({ preventScroll: true });
  if (!typing) at('text').value = game.position;
  at('undo').disabled = reached(-1) === null;
  at('redo').disabled = reached(1) === null;
  at('next').disabled = seen.moves.length === 0 || Boolean(thinking);
  at('levels').hidden = !['white', 'black'].includes(at('players').value);
  at('course').hidden = !draw(at('graph'), game);
}

function drawBoard() {
  drawSquares();
  const playable = SIZES.filter((size) => seen.moves.some((one) => one.from === null && one.size === size));
  board.drawHands({
    position: parse(game.position),
    material: loaded.claim,
    chosen,
    playable: isProgram(game.plies[game.at]) ? [] : playable,
  });
}

function drawSquares() {
  const marks = new Map(chosen ? chosenMoves().map((move) => [move.to, outcome(move)]) : []);
  const { move } = game.plies[game.at];
  const last = move ? (move.match(/[a-d][1-4]/g) ?? []).map((name) => 'abcd'.indexOf(name[0]) + 4 * (name[1] - 1)) : [];
  at('board').classList.toggle('uncovered', !at('covered').checked);
  at('board').classList.remove('preview');
  board.drawSquares({ position: parse(game.position), chosen, marks, last });
}

// The board as a move leaves it, paler, for as long as somebody points at the move.
function preview(move) {
  const last = [move.from, move.to].filter((square) => square !== null);
  at('board').classList.add('preview');
  board.drawSquares({ position: parse(move.after), chosen: null, marks: new Map(), last });
}

function item(move) {
  const { kind, text, words } = outcome(move);
  const by = move.winner || kind === 'unknown' ? '' : ` (${source(seen.file)(move.known)})`;
  const label = `${move.move} ${text}, ${words}${by}`;
  const button = make('button', { type: 'button', class: kind, title: label, 'aria-label': label, disabled: Boolean(thinking) }, `${move.move} ${text}`);
  button.addEventListener('click', doing(() => play(move)));
  for (const [on, off] of [['mouseenter', 'mouseleave'], ['focus', 'blur']]) {
    button.addEventListener(on, () => preview(move));
    button.addEventListener(off, drawSquares);
  }
  return make('li', {}, button);
}

// --- the position

// Begins a game, for who has the turn.
async function begin(text, { keepHash = false } = {}) {
  const start = write(parse(text));
  await look(start);
  game = new Game(start);
  await showNow({ keepHash });
  document.body.dataset.games = games;
}

// Begins a game from the position that `text` gives when its turn has come.
async function anew(text) {
  await inTurn(async () => begin(await text()));
  await answer();
}

async function setUp(change) {
  return doing(() => anew(change))();
}

async function fromAddress() {
  await inTurn(async () => {
    const { certificate, start, moves } = Game.fields(location.hash);
    try {
      if (certificate && certificate !== loaded?.name) await openNamed(certificate);
      else if (!loaded) await openAny();
      await begin(start, { keepHash: true });
    } catch (error) {
      await orEmpty();
      throw error;
    }
    for (const name of moves) {
      const move = seen.moves.find((one) => one.move === name);
      if (!move) throw new Error(`The address names the move ${name}, which is not possible here.`);
      game.play(move.move, move.after, { winner: move.winner, plies: outcome(move).plies });
      await showNow({ keepHash: true });
    }
    await showNow();
  });
  await answer();
}

// What is shown where the address names no file that is offered, or no position of its game: an empty board, unless one of the
// file that is open is shown. The address stays as it is.
async function orEmpty() {
  if (!loaded) await openAny();
  if (seen?.file !== loaded) await begin(EMPTY, { keepHash: true });
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
  undo: () => step(-1),
  redo: () => step(1),
  next: () => play(ordered(seen.moves, parse(game.position).turn)[0]),
  new: () => {
    games += 1;
    return anew(() => game.plies[0].position);
  },
  turned: () => (board.turn(), draws()),
  empty: () => anew(() => EMPTY),
  other: () => anew(() => {
    const position = parse(game.position);
    return write({ ...position, turn: position.turn === 'white' ? 'black' : 'white' });
  }),
  mirror: () => anew(async () => {
    if (mirrored.shown !== game.position) mirrored = { from: game.position, image: 0 };
    // Several symmetries may lead to the same image.
    const images = [...new Set((await look(mirrored.from)).images)];
    mirrored.image = (mirrored.image + 1) % images.length;
    mirrored.shown = write(parse(images[mirrored.image]));
    return mirrored.shown;
  }),
  setup: () => {
    setup.toggle(at('setup'), loaded.claim);
    return answer();
  },
  save,
  copy: async () => {
    // A page that came over a network without encryption has no clipboard.
    if (!navigator.clipboard) throw new Error('The address of this page is the link: copy it from there.');
    await navigator.clipboard.writeText(location.href);
    const { textContent } = at('copy');
    at('copy').textContent = 'Copied';
    setTimeout(() => (at('copy').textContent = textContent), 1500);
  },
};

for (const [id, work] of Object.entries(clicks)) at(id).addEventListener('click', doing(work));
at('covered').addEventListener('change', draws);
for (const id of ['players', 'level']) at(id).addEventListener('change', doing(answer));
at('paste').addEventListener('submit', doing(async () => {
  const { value } = at('text');
  await anew(() => {
    typing = false;
    return value;
  });
}));
at('text').addEventListener('input', () => (typing = true));
at('text').addEventListener('blur', () => (typing = false));
at('certificate').addEventListener('change', doing(() => {
  const name = at('certificate').value;
  return anew(async () => {
    await openNamed(name);
    return EMPTY;
  });
}));
at('reading').addEventListener('change', doing(() => {
  const name = underReading(at('reading').value);
  return anew(async () => {
    await openNamed(name);
    // The position stays; the moves that led to it may be others under this reading.
    return game.position;
  });
}));
at('file').addEventListener('change', doing(async () => {
  const [chosenFile] = at('file').files;
  if (!chosenFile) return;
  const bytes = await chosenFile.arrayBuffer();
  const { name } = chosenFile;
  try {
    await inTurn(async () => {
      await open(name, bytes);
      const { variant, reading, kind } = loaded.claim;
      offered = [...offered.filter((one) => one.name !== name), { name, bytes, variant, reading, kind }];
      list();
      at('certificate').value = name;
      if (Game.fields(location.hash).certificate !== name) await begin(EMPTY);
    });
  } catch (error) {
    // What is wrong with the file is said where verdicts are said.
    at('verdict').textContent = `${error.refused ? 'Rejected' : 'Cannot be opened here'}: ${error.message}`;
    at('verdict').className = error.refused ? 'lost' : 'unknown';
    return;
  } finally {
    at('file').value = '';
  }
  // A link to this file may wait in the address.
  await fromAddress();
}));
at('rules').addEventListener('toggle', doing(async () => {
  at('rules-text').textContent ||= new TextDecoder().decode(await file('RULES.md'));
}));
window.addEventListener('hashchange', doing(fromAddress));

doing(async () => {
  const listed = async (name) => JSON.parse(new TextDecoder().decode(await file(name)));
  offered = await listed('certificates.json');
  solutions = await listed('solved.json');
  list();
  const levels = Array.from({ length: HIGHEST }, (_, at) => String(at + 1));
  at('level').replaceChildren(...levels.map((level) => make('option', { value: level }, level)));
  at('level').value = '4';
  await doing(fromAddress)();
  document.body.dataset.ready = 'yes';
  performance.mark('ready');
})();
