/**
 * The site of the docs: `npm run docs`. Its pages are those of the repository, where they stand, so
 * that their links hold in both.
 */
import { defineConfig } from 'vitepress';

const page = (text: string, link: string) => ({ text, link });

export default defineConfig({
  title: 'contextengine',
  description: 'Context for LLM features: declared in a manifest, composed in one call.',
  srcDir: '..',
  srcExclude: ['node_modules/**', 'dist/**', 'test/**', 'examples/demo/**', '.*/**'],
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'Begin',
        items: [page('contextengine', '/'), page('The first hour', '/docs/first-hour')],
      },
      {
        text: 'Use',
        items: [
          page('Manifests', '/docs/manifests'),
          page('Layers', '/docs/layers'),
          page('Scoring', '/docs/scoring'),
          page('Chat loops', '/docs/chat-loops'),
          page('Memory', '/docs/memory'),
          page('Connectors', '/docs/connectors'),
          page('Mounts', '/docs/mounts'),
          page('Search', '/docs/search'),
          page('Time and replay', '/docs/time'),
          page('Permissions', '/docs/permissions'),
          page('Forgetting', '/docs/forgetting'),
          page('On a server', '/docs/server'),
          page('Measuring', '/docs/measuring'),
          page('Limits', '/docs/limits'),
          page('Comparison', '/docs/comparison'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Every field of a manifest', '/manifests/README'),
          page('API', '/docs/api/contextengine'),
          page('API: connectors', '/docs/api/contextengine/connectors/pgvector'),
          page('API: conformance', '/docs/api/contextengine/conformance'),
          page('API: drizzle', '/docs/api/contextengine/drizzle'),
          page('Codes', '/docs/codes'),
          page('The evaluation', '/eval/README'),
          page('Orders beside the ledger', '/examples/orders/README'),
        ],
      },
      {
        text: 'Inside',
        items: [
          page('Architecture', '/docs/architecture'),
          page('Contributing', '/CONTRIBUTING'),
          page('Changelog', '/CHANGELOG'),
        ],
      },
    ],
  },
});
