/** A bot over a folder of documents, such as the docs of this repository: it quotes what it found. */
import { generateText } from 'ai';
import type { BoundEngine, ScopeUuid } from 'contextengine';

type Model = Parameters<typeof generateText>[0]['model'];

/** Reads a folder in, again as often as one likes, and gives its scope. See docs-bot.yaml. */
export async function readDocs(engine: BoundEngine, folder: string): Promise<ScopeUuid> {
  const { scope_block_uuid: docs } = await engine.scopes.getOrCreate({ type: 'docs', key: folder });
  await engine.ingest(docs, folder);
  return docs;
}

/** An answer out of the documents, and the files that it was made from. */
export async function ask(engine: BoundEngine, docs: ScopeUuid, model: Model, question: string) {
  const context = await engine.composeBlockContext({
    scope_block_uuid: docs,
    intent: 'follow_up',
    query: question,
  });
  const { text } = await generateText({
    model,
    system: `Answer from these documents alone.\n\n${context.text}`,
    prompt: question,
  });
  const sources = context.items.map(({ provenance }) => provenance.source_id ?? '');
  return { text, sources: [...new Set(sources.filter((source) => source !== ''))] };
}
