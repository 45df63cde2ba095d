// How near Black's win is, ply by ply, as a line.

const SVG = 'http://www.w3.org/2000/svg';

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Draws the game. Returns whether there is anything to draw.
export function draw(into, game) {
  const points = game.plies.map((ply, at) => ({ at, plies: ply.plies })).filter(({ plies }) => plies !== undefined);
  if (points.length < 2) return false;
  const most = Math.max(...points.map(({ plies }) => plies), 1);
  const width = Math.max(game.plies.length - 1, 1);
  const x = ({ at }) => 10 + (370 * at) / width;
  const y = ({ plies }) => 72 - (55 * plies) / most;
  const svg = shape('svg', { viewBox: '0 0 400 80', role: 'img', 'aria-label': points.map(({ at, plies }) => `after ply ${at}: ${plies}`).join(', ') });
  svg.append(shape('polyline', { points: points.map((point) => `${x(point)},${y(point)}`).join(' '), fill: 'none', stroke: 'currentColor' }));
  for (const point of points) {
    const dot = shape('circle', { cx: x(point), cy: y(point), r: point.at === game.at ? 3 : 1.5, fill: 'currentColor' });
    const title = shape('title', {});
    title.textContent = `after ply ${point.at}: Black wins in ${point.plies} at most`;
    dot.append(title);
    svg.append(dot);
    if (point === points[0] || point === points.at(-1) || point.at === game.at) {
      const label = shape('text', { x: x(point), y: y(point) - 5, 'text-anchor': 'middle' });
      label.textContent = point.plies;
      svg.append(label);
    }
  }
  into.replaceChildren(svg);
  return true;
}
