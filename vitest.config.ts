import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Examples import the package by its name; here that is the source, as in tsconfig.json.
  resolve: {
    alias: Object.fromEntries(
      Object.entries({
        'contextengine/drizzle': './connectors/pgvector/drizzle/index.ts',
        'contextengine/ai-sdk': './src/chat/ai-sdk.ts',
        'contextengine/openai': './src/chat/openai.ts',
        'contextengine/langgraph': './src/chat/langgraph.ts',
        // Last: an alias also holds for what begins with it.
        contextengine: './src/index.ts',
      }).map(([name, path]) => [name, fileURLToPath(new URL(path, import.meta.url))]),
    ),
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A process per file: the embedded database keeps about 300 MB, which a finished process gives
    // back.
    pool: 'forks',
    maxWorkers: 2,
    // A limit for what hangs: a busy machine takes ten times as long for what is right.
    testTimeout: 300_000,
    hookTimeout: 240_000,
  },
});
