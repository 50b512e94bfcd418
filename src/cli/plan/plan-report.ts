/** A plan as a person reads it: by manifest, by area, then what it does to requests that were made. */
import type { Area, AreaChange, PlanEntry } from '../../manifest/plan.ts';
import { AREAS } from '../../manifest/plan.ts';
import { formatTable, oneLine, withCommas } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type { comparePreview, LayerDifference, PreviewSummary, RequestDifference } from './compare-compositions.ts';

export type ComparedPreview = ReturnType<typeof comparePreview>;
type Look = Pick<Terminal, 'columns' | 'paintOut'>;

/** An entry that is not as it was locked. */
export function entryReport(entry: PlanEntry, look: Look): string {
  const lines = [headLine(entry, look)];
  if (entry.state === 'changed' && entry.changes.length === 0)
    lines.push(look.paintOut('dim', '  Only words that no composition depends on.'));
  for (const area of AREAS) {
    const changes = entry.changes.filter((change) => change.area === area);
    if (changes.length > 0) lines.push(`  ${look.paintOut('bold', area)}`, ...areaLines(area, changes, look));
  }
  return lines.join('\n');
}

function headLine({ kind, name, state, locked, working }: PlanEntry, look: Look): string {
  const what = look.paintOut('bold', kind === 'manifests' ? name : `collection ${name}`);
  const file = look.paintOut('dim', working?.file ?? locked?.file ?? '');
  if (state === 'added') return `${look.paintOut('green', '+')} ${what} ${working?.version}  ${file}`;
  if (state === 'removed') return `${look.paintOut('red', '-')} ${what} ${locked?.version}  ${file}`;
  const isSameVersion = locked?.version === working?.version;
  const version = isSameVersion ? `${working?.version} ${look.paintOut('red', 'as before')}` : `${locked?.version} → ${working?.version}`;
  return `${look.paintOut('yellow', '~')} ${what} ${version}  ${file}`;
}

function areaLines(_area: Area, changes: readonly AreaChange[], look: Look): readonly string[] {
  const width = Math.max(...changes.map(({ name }) => name.length));
  return changes.map((change) => {
    const { name, layers, before, after } = change;
    const [sign, colour] =
      before === null ? (['+', 'green'] as const) : after === null ? (['-', 'red'] as const) : (['~', 'yellow'] as const);
    const of = layers.length === 0 ? '' : look.paintOut('dim', `  in ${layers.join(', ')}`);
    return `    ${look.paintOut(colour, sign)} ${name.padEnd(width)}  ${changeText(change)}${of}`;
  });
}

function changeText({ name, before, after }: AreaChange): string {
  if (before !== null && after !== null && name.endsWith('.layers')) return membersText(String(before), String(after));
  return [before, after].flatMap((value) => (value === null ? [] : [valueText(value)])).join(' → ');
}

const valueText = (value: string | number | boolean): string => (typeof value === 'number' ? withCommas(value) : oneLine(String(value)));

/** What came and went of a list, in few words; both lists where only their order changed. */
function membersText(before: string, after: string): string {
  const [old, now] = [before.split(', '), after.split(', ')];
  const gone = old.filter((entry) => !now.includes(entry)).map((entry) => `-${entry}`);
  const come = now.filter((entry) => !old.includes(entry)).map((entry) => `+${entry}`);
  return gone.length + come.length === 0 ? `${before} → ${after}` : [...come, ...gone].join(' ');
}

/** Requests that compose otherwise than before, and the sum of all. */
export function previewReport({ requests, summary }: ComparedPreview, look: Look): string {
  const told = requests.filter(({ outcome }) => outcome !== 'same');
  const table = formatTable(
    [
      { title: '  composed at' },
      { title: 'composition' },
      { title: 'intent' },
      { title: 'tokens', align: 'right' },
      { title: 'items by layer', isFlexible: true },
    ],
    told.map(requestRow),
    { columns: look.columns, paint: (text) => look.paintOut('dim', text) },
  );
  // The table takes the blanks at the margin away.
  const rows = told.length === 0 ? [] : [table.replaceAll(/^(?! )/gm, '  ')];
  return [...rows, `  ${summaryText(summary)}`].join('\n');
}

function requestRow(request: RequestDifference): readonly string[] {
  const { before, after } = request.tokens;
  const tokens = [before, after].map((count) => (count === null ? '-' : withCommas(count))).join(' → ');
  return [
    request.created_at.slice(0, 16).replace('T', ' '),
    request.composition_id.slice(0, 8),
    request.intent,
    tokens,
    differenceText(request),
  ];
}

function differenceText({ outcome, error, layers }: RequestDifference): string {
  if (outcome === 'fails') return `fails: ${error?.code}`;
  if (outcome === 'composes') return `composes again, was ${error?.code}`;
  if (outcome === 'fails_under_both') return `fails under both: ${error?.code}`;
  return layers.length === 0 ? 'the same items, in other words' : layers.map(layerText).join(', ');
}

function layerText({ layer, gained, lost }: LayerDifference): string {
  const isReworded = [...gained, ...lost].every((name) => name === 'text');
  if (isReworded && gained.length > 0 && lost.length > 0) return `${layer} reworded`;
  return [layer, ...(gained.length > 0 ? [`+${gained.length}`] : []), ...(lost.length > 0 ? [`-${lost.length}`] : [])].join(' ');
}

function summaryText({ requests, changed, failing, gained, lost, tokens }: PreviewSummary): string {
  if (requests === 0) return 'No request was recorded.';
  const share = tokens.before === 0 ? '' : ` (${signed(Math.round((tokens.after / tokens.before - 1) * 100))} %)`;
  const fails = failing === 0 ? '' : `, ${failing} no longer ${failing === 1 ? 'composes' : 'compose'}`;
  return `${changed} of the last ${requests} ${requests === 1 ? 'request' : 'requests'} would change${fails}; items +${gained} -${lost}; tokens ${withCommas(tokens.before)} → ${withCommas(tokens.after)}${share}`;
}

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));
