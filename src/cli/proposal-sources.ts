/**
 * What a proposal was made of, what it changes or ends, and where it is to go, in the words of
 * people: for its reviewer.
 */
import { type ContextEngine, ContextEngineError } from '../index.ts';
import { oneLine } from './printable.ts';

type Proposal = Awaited<ReturnType<ContextEngine['approvals']['show']>>;
type Versions = Awaited<ReturnType<ContextEngine['history']>>;
type Row = Versions[number]['row'];

/** A turn that a proposed operation names as its source. */
export interface ProposalSource {
  readonly source_uuid: string;
  readonly scope_block_uuid: string;
  readonly author: string | null;
  readonly role: string | null;
  readonly occurred_at: string;
  readonly content: string;
}

/** null of one that the reviewer does not read, or that was forgotten. */
export type ReadSources = ReadonlyMap<string, ProposalSource | null>;

export async function sourcesOf(
  { action }: Proposal,
  engine: Pick<ContextEngine, 'history'>,
): Promise<ReadSources> {
  const named = action.operations.flatMap((each) =>
    'sources' in each ? (each.sources ?? []) : [],
  );
  const read = new Map<string, ProposalSource | null>();
  for (const source of named)
    if (typeof source === 'string' && !read.has(source))
      read.set(source, await turnOf(source, engine));
  return read;
}

/** A row that a proposed operation changes or ends, as it stands. */
export interface ProposalTarget {
  readonly operation: 'UPDATE' | 'DELETE';
  readonly root_uuid: string;
  /** null: the reviewer does not read it, or it was forgotten. */
  readonly text: string | null;
}

export async function targetsOf(
  { action }: Proposal,
  engine: Pick<ContextEngine, 'history'>,
): Promise<readonly ProposalTarget[]> {
  const targets: ProposalTarget[] = [];
  for (const each of action.operations) {
    if (each.operation !== 'UPDATE' && each.operation !== 'DELETE') continue;
    const { operation, root_uuid, expected_version: version } = each;
    const rows = (await readable(root_uuid, engine)).map(({ row }) => row);
    const held =
      rows.find(({ uuid }) => uuid === version) ??
      rows.findLast(({ retired_seq: retired }) => retired === null);
    targets.push({ operation, root_uuid, text: held === undefined ? null : textOf(held) });
  }
  return targets;
}

function textOf(row: Row): string {
  if ('property' in row) return `${row.subject} ${row.property} = ${JSON.stringify(row.value)}`;
  return 'content' in row ? row.content : row.link_type;
}

const VERBS = { UPDATE: 'changes', DELETE: 'ends' } as const;

export const targetLines = (
  targets: readonly ProposalTarget[],
): readonly (readonly [string, string])[] =>
  targets.map(({ operation, root_uuid: root, text }) => [
    VERBS[operation],
    `${root}: ${text ?? 'you do not read it, or it was forgotten'}`,
  ]);

const UNREAD: ReadonlySet<string> = new Set([
  'SCOPE.NOT_FOUND',
  'WRITE.NOT_FOUND',
  'PERMISSION.DENIED',
]);

async function turnOf(
  uuid: string,
  engine: Pick<ContextEngine, 'history'>,
): Promise<ProposalSource | null> {
  const versions = await readable(uuid, engine);
  const [found = null] = versions.flatMap(({ row }) =>
    row.uuid === uuid && 'is_scope' in row
      ? [
          {
            source_uuid: uuid,
            scope_block_uuid: row.scope_uuid,
            author: row.author,
            role: row.role,
            occurred_at: row.occurred_at,
            content: row.content,
          },
        ]
      : [],
  );
  return found;
}

/** None where the caller does not read it. */
async function readable(root: string, engine: Pick<ContextEngine, 'history'>): Promise<Versions> {
  try {
    return await engine.history(root);
  } catch (error) {
    if (error instanceof ContextEngineError && UNREAD.has(error.code)) return [];
    throw error;
  }
}

/** Who said it and when, then each line of it. */
export const sourceLines = (sources: ReadSources): readonly (readonly string[])[] =>
  [...sources].flatMap(([uuid, said]) =>
    said === null
      ? [['made of', `${uuid}: you do not read it, or it was forgotten`]]
      : [
          [
            'made of',
            `${uuid}, ${said.author ?? said.role ?? 'somebody'}, ` +
              `${said.occurred_at.slice(0, 10)} ${said.occurred_at.slice(11, 16)}`,
          ],
          ...said.content.split('\n').map((line) => ['', `  ${line}`]),
        ],
  );

/** Title, else key, by uuid: of the scopes that the caller reads. */
export async function scopeNames(
  engine: Pick<ContextEngine, 'scopes'>,
): Promise<ReadonlyMap<string, string>> {
  const listed = await engine.scopes.list();
  return new Map(
    listed.flatMap(({ scope_block_uuid: uuid, title, key }) => {
      const name = title ?? key;
      return name === null || name === '' ? [] : [[uuid, oneLine(name)] as const];
    }),
  );
}

type Candidates = Awaited<
  ReturnType<ContextEngine['captures']['list']>
>['captures'][number]['candidates'];

/** What captures made of the turns, where their receipts are among the latest. */
export async function candidatesOf(
  sources: ReadSources,
  engine: Pick<ContextEngine, 'captures'>,
): Promise<Candidates> {
  const scopes = [...sources.values()].flatMap((said) => (said ? [said.scope_block_uuid] : []));
  const listed = await Promise.all(
    [...new Set(scopes)].map((scope) => engine.captures.list({ scope })),
  );
  return listed.flatMap(({ captures }) => captures.flatMap((each) => each.candidates));
}

/**
 * Of a turn that was captured only what something was made of: beside it may stand a password,
 * which capture declined.
 */
export const withoutDeclined = (sources: ReadSources, candidates: Candidates): ReadSources =>
  new Map(
    [...sources].map(([uuid, said]) => {
      const spans = candidates
        .filter(({ source_uuid: of }) => of === uuid)
        .sort((a, b) => a.start - b.start);
      if (said === null || spans.length === 0) return [uuid, said];
      const words = spans.map(({ start, end }) => said.content.slice(start, end).trim());
      return [uuid, { ...said, content: [...new Set(words)].join('\n') }];
    }),
  );

/**
 * What a capture found of what it proposed, beside that it is new: what it takes the place of, what
 * it may contradict. null where nobody captured it, or its receipt is none of the latest.
 */
export function foundOf({ proposal_uuid: id }: Proposal, candidates: Candidates): string | null {
  const reason = candidates.find(({ proposal_uuid: of }) => of === id)?.reason;
  return reason === undefined || reason === 'new' ? null : reason.replaceAll('_', ' ');
}
