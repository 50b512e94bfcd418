/**
 * A plan as a person reads it: by manifest, by area, then what it does to requests that were made.
 */
import type { AreaChange, PlanEntry } from '../../manifest/plan.ts';
import { AREAS } from '../../manifest/plan.ts';
import type { Setting } from '../../manifest/settings-record.ts';
import { oneLine } from '../printable.ts';
import { formatTable, withCommas } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type {
  comparePreview,
  LayerDifference,
  PreviewSummary,
  RequestDifference,
} from './compare-compositions.ts';

export type ComparedPreview = ReturnType<typeof comparePreview>;
type Look = Pick<Terminal, 'columns' | 'paintOut'>;

/** An entry that is not as it was locked. */
export function entryReport(
  entry: PlanEntry,
  look: Look & { readonly fileOf: (file: string) => string },
): string {
  const file = entry.working?.file ?? entry.locked?.file;
  const lines = [
    `${headLine(entry, look)}  ` +
      `${look.paintOut('dim', file === undefined ? '' : look.fileOf(file))}`,
  ];
  if (entry.state === 'changed' && entry.changes.length === 0)
    lines.push(
      look.paintOut(
        'dim',
        entry.isLayoutOnly
          ? '  Only comments or layout.'
          : '  Only words that no composition depends on.',
      ),
    );
  for (const area of AREAS) {
    const changes = entry.changes.filter((change) => change.area === area);
    if (changes.length > 0)
      lines.push(`  ${look.paintOut('bold', area)}`, ...areaLines(changes, look));
  }
  return lines.join('\n');
}

function headLine(
  { kind, name, state, locked, working, isLayoutOnly }: PlanEntry,
  look: Look,
): string {
  const what = look.paintOut('bold', kind === 'manifests' ? name : `collection ${name}`);
  if (state === 'added') return `${look.paintOut('green', '+')} ${what} ${working?.version}`;
  if (state === 'removed') return `${look.paintOut('red', '-')} ${what} ${locked?.version}`;
  const isSameVersion = locked?.version === working?.version;
  const asBefore = look.paintOut(isLayoutOnly ? 'dim' : 'red', 'as before');
  const version = isSameVersion
    ? `${working?.version} ${asBefore}`
    : `${locked?.version} → ${working?.version}`;
  return `${look.paintOut('yellow', '~')} ${what} ${version}`;
}

interface Line {
  readonly sign: '+' | '-' | '~';
  readonly name: string;
  readonly text: string;
  /** The layers or intents that changed alike. */
  readonly of: readonly string[];
}

function areaLines(changes: readonly AreaChange[], look: Look): readonly string[] {
  const lines = mergeIntents(changes.map(lineOf));
  const width = Math.max(...lines.map(({ name }) => name.length));
  return lines.map(({ sign, name, text, of }) => {
    const where = of.length === 0 ? '' : look.paintOut('dim', `  in ${of.join(', ')}`);
    return `    ${look.paintOut(COLOURS[sign], sign)} ${name.padEnd(width)}  ${text}${where}`;
  });
}

const COLOURS = { '+': 'green', '-': 'red', '~': 'yellow' } as const;

const lineOf = (change: AreaChange): Line => ({
  sign: change.before === null ? '+' : change.after === null ? '-' : '~',
  name: change.name,
  text: changeText(change),
  of: change.layers,
});

/** A layer that is new fires with most intents: one line says so for all of them. */
function mergeIntents(lines: readonly Line[]): readonly Line[] {
  const merged = new Map<string, Line>();
  for (const line of lines) {
    const intent = /^(\w+)\.layers$/.exec(line.name)?.[1];
    const key = intent === undefined ? JSON.stringify(line) : line.text;
    const of = [...(merged.get(key)?.of ?? []), ...(intent === undefined ? line.of : [intent])];
    merged.set(key, { ...line, name: intent === undefined ? line.name : 'layers', of });
  }
  return [...merged.values()];
}

function changeText({ area, name, before, after }: AreaChange): string {
  if (before !== null && after !== null && name.endsWith('.layers'))
    return membersText(String(before), String(after));
  const text = area === 'inputs' ? inputText : valueText;
  return [before, after].flatMap((value) => (value === null ? [] : [text(value)])).join(' → ');
}

const valueText = (value: Setting): string =>
  typeof value === 'number' ? withCommas(value) : oneLine(String(value));

/** Whether an input must be given is all that a yes or no says of one. */
const inputText = (value: Setting): string =>
  value === true ? 'required' : value === false ? 'optional' : valueText(value);

/** What came and went of a list, in few words; both lists where only their order changed. */
function membersText(before: string, after: string): string {
  const [old, now] = [before.split(', '), after.split(', ')];
  const gone = old.filter((entry) => !now.includes(entry)).map((entry) => `-${entry}`);
  const come = now.filter((entry) => !old.includes(entry)).map((entry) => `+${entry}`);
  return gone.length + come.length === 0 ? `${before} → ${after}` : [...come, ...gone].join(' ');
}

const INDENT = '  ';

/** Requests that compose otherwise than before, and the sum of all. */
export function previewReport({ requests, summary }: ComparedPreview, look: Look): string {
  const changed = requests.filter(({ outcome }) => outcome !== 'same');
  const table = formatTable(
    [
      { title: 'composed (UTC)' },
      { title: 'composition' },
      { title: 'intent' },
      { title: 'tokens', align: 'right' },
      { title: 'items by layer', isFlexible: true },
    ],
    changed.map(requestRow),
    { columns: look.columns - INDENT.length, paint: (text) => look.paintOut('dim', text) },
  );
  const rows = changed.length === 0 ? [] : table.split('\n');
  return [...rows, summaryText(summary)].map((line) => INDENT + line).join('\n');
}

function requestRow(request: RequestDifference): readonly string[] {
  const { before, after } = request.tokens;
  const tokens = [before, after]
    .map((count) => (count === null ? '-' : withCommas(count)))
    .join(' → ');
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
  return [
    layer,
    ...(gained.length > 0 ? [`+${gained.length}`] : []),
    ...(lost.length > 0 ? [`-${lost.length}`] : []),
  ].join(' ');
}

function summaryText({ requests, changed, failing, gained, lost, tokens }: PreviewSummary): string {
  if (requests === 0) return 'No request was recorded.';
  const share =
    tokens.before === 0
      ? ''
      : ` (${signed(Math.round((tokens.after / tokens.before - 1) * 100))} %)`;
  const fails =
    failing === 0 ? '' : `, ${failing} no longer ${failing === 1 ? 'composes' : 'compose'}`;
  return (
    `${changed} of the last ${requests} ${requests === 1 ? 'request' : 'requests'} would ` +
    `change${fails}; items +${gained} -${lost}; tokens ${withCommas(tokens.before)} → ` +
    `${withCommas(tokens.after)}${share}`
  );
}

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));
