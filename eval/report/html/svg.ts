/**
 * Plots as inline SVG. Colours are CSS variables of the page, so that light and dark need no second
 * picture.
 */

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export const percentText = (value: number, digits = 1): string =>
  `${(value * 100).toFixed(digits)}`;

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Place in the palette: one name has one colour in every plot of a page. */
  readonly place: number;
  readonly isMain?: boolean;
}

/** Places of the palette; a page with more series begins again with dashes. */
const COLOURS = 6;
const colourOf = ({ place, isMain }: Series): string =>
  isMain ? 'var(--ink)' : `var(--c${place % COLOURS})`;
const isDashed = ({ place, isMain }: Series): boolean => !isMain && place >= COLOURS;

const WIDTH = 560;
const HEIGHT = 300;
const LEFT = 44;
const RIGHT = 26;
const TOP = 14;
const BOTTOM = 40;
const round = (value: number): string => value.toFixed(1);

interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly series: readonly Series[];
}

/** Lines over places of equal distance, `y` from 0 to 1. */
export function linePlot({ title, xLabel, series }: LinePlot): string {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].sort(
    (a, b) => a - b,
  );
  const x = (value: number): number =>
    LEFT + (xs.length < 2 ? 0.5 : xs.indexOf(value) / (xs.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => TOP + (1 - value) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(value))}" y2="${round(y(value))}"/><text class="tick" x="${LEFT - 8}" y="${round(y(value) + 4)}" text-anchor="end">${percentText(value, 0)}</text>`,
  );
  const ticks = xs.map(
    (value) =>
      `<text class="tick" x="${round(x(value))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${value.toLocaleString('en')}</text>`,
  );
  const lines = series.map((one) => {
    const path = one.points
      .map(([px, py], step) => `${step === 0 ? 'M' : 'L'}${round(x(px))} ${round(y(py))}`)
      .join(' ');
    const dots = one.points
      .map(
        ([px, py]) =>
          `<circle cx="${round(x(px))}" cy="${round(y(py))}" r="${one.isMain ? 3.5 : 2.5}"><title>${escapeHtml(one.name)}, ${px}: ${percentText(py)}</title></circle>`,
      )
      .join('');
    const colour = colourOf(one);
    return `<g fill="${colour}"><path d="${path}" fill="none" stroke="${colour}" stroke-width="${one.isMain ? 3 : 1.6}"${isDashed(one) ? ' stroke-dasharray="5 4"' : ''}/>${dots}</g>`;
  });
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${ticks.join('')}<text class="axis" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${escapeHtml(xLabel)}</text>${lines.join('')}</svg>`;
  return figure(title, svg, legend(series));
}

const legend = (series: readonly Series[]): string =>
  `<ul class="legend">${series
    .map(
      (one) =>
        `<li><span class="key${isDashed(one) ? ' dashed' : ''}" style="--key:${colourOf(one)}"></span>${escapeHtml(one.name)}</li>`,
    )
    .join('')}</ul>`;

export const figure = (title: string, body: string, after = ''): string =>
  `<figure><figcaption>${escapeHtml(title)}</figcaption>${body}${after}</figure>`;

export interface Bar {
  readonly name: string;
  readonly note: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Horizontal bars from 0 to 1, each with its interval as a whisker. */
export function barPlot(title: string, bars: readonly Bar[]): string {
  const rowHeight = 30;
  const left = 190;
  const right = 60;
  const height = bars.length * rowHeight + 28;
  const x = (value: number): number => left + value * (WIDTH - left - right);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line class="grid" x1="${round(x(value))}" x2="${round(x(value))}" y1="4" y2="${height - 24}"/><text class="tick" x="${round(x(value))}" y="${height - 8}" text-anchor="middle">${percentText(value, 0)}</text>`,
  );
  const rows = bars.map((bar, index) => {
    const top = 6 + index * rowHeight;
    const middle = top + 9;
    return [
      `<text class="label" x="${left - 10}" y="${middle + 4}" text-anchor="end">${escapeHtml(bar.name)} <tspan class="note">${escapeHtml(bar.note)}</tspan></text>`,
      `<rect class="bar" x="${left}" y="${top}" width="${round(Math.max(0, x(bar.value) - left))}" height="18" rx="3"><title>${escapeHtml(bar.name)}: ${percentText(bar.value)} [${percentText(bar.low)}, ${percentText(bar.high)}]</title></rect>`,
      `<path class="whisker" d="M${round(x(bar.low))} ${middle}H${round(x(bar.high))}M${round(x(bar.low))} ${middle - 4}v8M${round(x(bar.high))} ${middle - 4}v8"/>`,
      `<text class="value" x="${WIDTH - 6}" y="${middle + 4}" text-anchor="end">${percentText(bar.value)}</text>`,
    ].join('');
  });
  return figure(
    title,
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${rows.join('')}</svg>`,
  );
}

const HISTOGRAM_BINS = 28;

/**
 * How often which value came, up to the 99th percentile; what is beyond stands in the last column.
 */
export function histogram(title: string, values: readonly number[], unit: string): string {
  const sorted = [...values].sort((a, b) => a - b);
  const end = sorted[Math.floor(sorted.length * 0.99)] ?? sorted.at(-1) ?? 1;
  const counts = new Array<number>(HISTOGRAM_BINS).fill(0);
  for (const value of values) {
    const bin = Math.min(HISTOGRAM_BINS - 1, Math.floor((value / (end || 1)) * HISTOGRAM_BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  const height = 220;
  const base = height - BOTTOM;
  const width = (WIDTH - LEFT - RIGHT) / HISTOGRAM_BINS;
  const columns = counts.map((count, bin) => {
    const tall = (count / most) * (base - TOP);
    return `<rect class="bar" x="${round(LEFT + bin * width + 1)}" y="${round(base - tall)}" width="${round(width - 2)}" height="${round(tall)}"><title>${count}</title></rect>`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text class="tick" x="${round(LEFT + share * (WIDTH - LEFT - RIGHT))}" y="${base + 18}" text-anchor="middle">${Math.round(share * end)}</text>`,
  );
  const svg = `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}"><line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${base}" y2="${base}"/>${columns.join('')}${ticks.join('')}<text class="axis" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 4}" text-anchor="middle">${escapeHtml(unit)}</text></svg>`;
  return figure(title, svg);
}
