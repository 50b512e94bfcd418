/** What is like the texts of a batch: one statement, one pass over the vectors of the scope. */
import type { AlikeAsked, AlikeFact, AlikeText } from '../../../src/cxri/ports/facts.ts';
import type { FactRow } from '../../../src/model/block.ts';
import type { TenantId } from '../../../src/model/ids.ts';
import { queryTerms } from '../../../src/text/bm25.ts';
import type { Database } from '../driver/sql.ts';
import { toReadError } from '../refusals.ts';
import { asList, asObject, type JsonObject, rowReader, toVectorText } from '../rows.ts';

export async function factsAlike(
  database: Database,
  tenant: TenantId,
  asked: AlikeAsked,
): Promise<readonly (readonly AlikeFact[])[]> {
  const { most, atOnce } = STATEMENTS[database.flavor];
  const each = Math.min(most, Math.ceil(asked.texts.length / atOnce));
  const found: (readonly AlikeFact[])[] = [];
  for (let start = 0; start < asked.texts.length; start += each * atOnce) {
    const parts = Array.from({ length: atOnce }, (_, part) => start + part * each)
      .map((from) => asked.texts.slice(from, from + each))
      .filter((texts) => texts.length > 0);
    const asking = parts.map((texts) => findAlike(database, tenant, { ...asked, texts }));
    found.push(...(await Promise.all(asking)).flat());
  }
  return found;
}

/**
 * `most` texts a statement, `atOnce` on connections of their own. PGlite has one connection: a
 * composition waits for the statement before it, so a statement asks of few texts there.
 */
const STATEMENTS = {
  pglite: { most: 8, atOnce: 1 },
  postgres: { most: 64, atOnce: 2 },
} as const;

async function findAlike(
  database: Database,
  tenant: TenantId,
  asked: AlikeAsked,
): Promise<readonly (readonly AlikeFact[])[]> {
  const [answered] = await database
    .query(
      'select context.facts_alike($1, $2, $3::jsonb) as answer',
      [tenant, asked.scope, JSON.stringify(toWire(asked))],
      asked.signal,
    )
    .catch((error: unknown) => {
      throw toReadError(error);
    });
  return toFacts(asked, asObject(answered?.['answer']));
}

const toWire = ({ texts, signal: _signal, scope: _scope, ...asked }: AlikeAsked): JsonObject => ({
  ...asked,
  asked: texts.map(toWireText),
});

const toWireText = ({ text, vector, slot }: AlikeText): JsonObject => ({
  terms: queryTerms(text),
  ...(vector && { vector: toVectorText(vector) }),
  ...(slot && { subject: slot.subject, has: slot.has }),
});

function toFacts({ texts }: AlikeAsked, answer: JsonObject): readonly (readonly AlikeFact[])[] {
  const read = rowReader('memory_open_set', asList(answer['columns']));
  const rows = asList(answer['rows']).map((row) => read(row).row as FactRow); // of that table
  const found = texts.map((): AlikeFact[] => []);
  for (const hit of asList(answer['hits'])) {
    const [text, at, dense, lexical] = asList(hit);
    const row = rows[Number(at)];
    if (row) found[Number(text)]?.push({ row, dense: toSignal(dense), lexical: toSignal(lexical) });
  }
  return found;
}

const toSignal = (value: unknown): number | null => (typeof value === 'number' ? value : null);
