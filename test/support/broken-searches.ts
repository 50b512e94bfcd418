/** Connectors broken in how they search, one for each rule; see broken-connectors.ts. */
import type { Authority } from '../../src/cxri/authority.ts';
import type {
  Hit,
  KeysPart,
  PartResult,
  QueryPart,
  QueryRequest,
  QueryResult,
  SearchPart,
} from '../../src/cxri/contract.ts';

import type { LedgerRow } from '../../src/model/block.ts';
import { type IndexedText, indexText, lexicalSignal } from '../../src/text/bm25.ts';
import { isDocument, searchText } from '../../src/text/search-text.ts';

type Answer = Extract<PartResult, { readonly ok: true }>;

/** Answers each search as `change` has it, from what was asked and what is right. */
const bentSearches =
  (change: (asked: { readonly part: SearchPart; readonly right: Answer }) => Answer) =>
  (right: Authority): Partial<Authority> => ({
    query: async (request) => {
      const answer = await right.query(request);
      const parts = answer.parts.map((result, index) => {
        const part = request.parts[index];
        return result.ok && part?.mode === 'search' ? change({ part, right: result }) : result;
      });
      return { ...answer, parts };
    },
  });

/** Asks something else for each part with neighbours, and answers that. */
const withOther =
  (other: (part: SearchPart) => SearchPart) =>
  (right: Authority): Partial<Authority> => ({
    query: async (request) =>
      right.query({
        ...request,
        parts: request.parts.map(
          (part): QueryPart => (part.mode === 'search' && part.neighbours ? other(part) : part),
        ),
      }),
  });

/** Finds rows by another reading of them. */
const weighedAnew = (read: (row: LedgerRow) => IndexedText) =>
  bentSearches(({ right }) => {
    if (!right.lexicon) return right;
    const signalOf = lexicalSignal({
      ...right.lexicon,
      mean_length: right.lexicon.mean_length || 1,
      mean_document_length: right.lexicon.mean_document_length || 1,
    });
    const hits = right.hits.flatMap((hit): Hit[] => {
      const lexical = signalOf(read(hit.row));
      const { lexical: _right, ...signals } = hit.signals;
      if (lexical === undefined) return signals.dense === undefined ? [] : [{ ...hit, signals }];
      return [{ ...hit, signals: { ...signals, lexical } }];
    });
    return { ...right, hits };
  });

const withHits = (answer: Answer, change: (hit: Hit, index: number) => Hit): Answer => ({
  ...answer,
  hits: answer.hits.map(change),
});

/** Answers each part that names versions as `change` has it. */
const bentKeys =
  (
    change: (
      asked: { readonly part: KeysPart; readonly right: Answer },
      by: { readonly right: Authority; readonly request: QueryRequest },
    ) => Answer | Promise<Answer>,
  ) =>
  (right: Authority): Partial<Authority> => ({
    query: async (request) => {
      const answer = await right.query(request);
      const parts = answer.parts.map(async (result, index) => {
        const part = request.parts[index];
        return result.ok && part?.mode === 'keys'
          ? change({ part, right: result }, { right, request })
          : result;
      });
      return { ...answer, parts: await Promise.all(parts) };
    },
  });

export const BROKEN_SEARCHES: Readonly<Record<string, (right: Authority) => Partial<Authority>>> = {
  'gives versions that were named in the order of the store': bentKeys(({ right }) => ({
    ...right,
    hits: [...right.hits].sort((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1)),
  })),
  'gives versions that were named whatever became of them': bentKeys(
    async ({ part, right: answer }, { right, request: { tenant } }) => {
      const { rows } = await right.read({
        kind: 'versions',
        tenant,
        scopes: '*',
        uuids: part.uuids,
      });
      const hits = rows.map((entry): Hit => ({ ...entry, signals: {}, usage: null }));
      return { ...answer, hits: hits.slice(0, part.limit) };
    },
  ),
  'gives versions that were named without their signals': bentKeys(({ right }) =>
    withHits(right, (hit) => ({ ...hit, signals: {} })),
  ),
  'cuts a list before it chooses among scopes': (right) => ({
    query: async (request) =>
      right.query({
        ...request,
        parts: request.parts.map((part) => {
          if (part.mode !== 'list') return part;
          const { nearest: _nearest, ...rest } = part;
          return rest;
        }),
      }),
  }),
  'searches the content alone': weighedAnew((row) =>
    indexText('content' in row ? row.content : ''),
  ),
  'weighs a document as a turn': weighedAnew((row) => indexText(searchText(row))),
  'knows no letters of a word': weighedAnew((row) => {
    const { counts, ...text } = indexText(searchText(row), isDocument(row));
    const whole = [...counts].filter(([term]) => !term.startsWith('~'));
    return { ...text, counts: new Map(whole) };
  }),
  'brings no neighbours': bentSearches(({ part, right }) =>
    part.neighbours
      ? {
          ...right,
          hits: right.hits.filter(
            ({ signals }) => signals.lexical !== undefined || signals.dense !== undefined,
          ),
        }
      : right,
  ),
  'says nothing of what stands beside a row': bentSearches(({ right }) =>
    withHits(right, (hit) =>
      hit.beside ? { ...hit, beside: { previous: null, next: null } } : hit,
    ),
  ),
  'takes before for after': bentSearches(({ right }) =>
    withHits(right, (hit) =>
      hit.beside
        ? { ...hit, beside: { previous: hit.beside.next, next: hit.beside.previous } }
        : hit,
    ),
  ),
  'ignores the filter among neighbours': withOther(({ filter: _filter, ...part }) => part),
  'takes a scope for one conversation': (right) => ({
    query: async (request) => {
      const answer = await right.query(request);
      const line = await right.query({
        ...request,
        parts: request.parts.map(({ id }) => ({
          id,
          table: 'blocks',
          mode: 'list',
          limit: 1000,
          order: { by: 'occurred_at', direction: 'asc' },
        })),
      });
      return {
        ...answer,
        parts: answer.parts.map((part, index) =>
          inLine(part, { asked: request.parts[index], line, index }),
        ),
      };
    },
  }),
  'weighs by the words of all its scopes': (right) => ({
    query: async (request) => {
      const answer = await right.query(request);
      const all = await right.query({
        ...request,
        parts: request.parts.map(({ scopes: _scopes, ...part }) => part as QueryPart),
      });
      const parts = answer.parts.map((part, index) => {
        const other = all.parts[index];
        return part.ok && other?.ok && other.lexicon ? { ...part, lexicon: other.lexicon } : part;
      });
      return { ...answer, parts };
    },
  }),
  'counts texts without a term': bentSearches(({ right }) =>
    right.lexicon
      ? { ...right, lexicon: { ...right.lexicon, documents: right.lexicon.documents + 1 } }
      : right,
  ),
  'gives ranks for lexical signals': bentSearches(({ right }) =>
    withHits(right, (hit, index) =>
      hit.signals.lexical === undefined
        ? hit
        : { ...hit, signals: { ...hit.signals, lexical: 1 / (60 + index) } },
    ),
  ),
  'has no words of rows that a vector found': bentSearches(({ part, right }) =>
    withHits(right, (hit) =>
      part.vector && hit.signals.dense !== undefined
        ? { ...hit, signals: { dense: hit.signals.dense } }
        : hit,
    ),
  ),
};

/** The two rows before and after each, whatever conversation they are of. */
function inLine(
  part: PartResult,
  {
    asked,
    line,
    index,
  }: { readonly asked: QueryPart | undefined; readonly line: QueryResult; readonly index: number },
): PartResult {
  const all = line.parts[index];
  if (!part.ok || !all?.ok || asked?.mode !== 'search' || !asked.neighbours) return part;
  const uuids = all.hits.map(({ row }) => row.uuid);
  const places = part.hits.map(({ row }) => uuids.indexOf(row.uuid));
  const isNear = (at: number): boolean =>
    places.some((place) => Math.abs(place - at) <= (asked.neighbours ?? 0));
  const hits = all.hits.flatMap((hit, at) =>
    isNear(at)
      ? [{ ...hit, beside: { previous: uuids[at - 1] ?? null, next: uuids[at + 1] ?? null } }]
      : [],
  );
  return { ...part, hits };
}
