/**
 * The workflow that `init` writes: what a change of manifests or of their calls must pass. An
 * example, to be changed at will.
 */

export const WORKFLOW_PATH = '.github/workflows/contextengine.yml';

/** `code` is the folder whose calls are checked against the manifests. */
export const workflowTemplate = (
  code: string,
): string => `# Checks manifests and the calls that name them. Opens no database, needs no key.
name: contextengine
on:
  pull_request:
  push: { branches: [main] }
permissions:
  contents: read
jobs:
  manifests:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22, cache: npm }
      - run: npm ci
      # What reads the calls needs typescript 5.5 to 6; leave this out where yours is one of them.
      - run: npm install --no-save typescript@6
      # Findings stand at their lines of the pull request.
      - run: npx contextengine validate --code ${code} --format github
      - run: npx contextengine fmt --check
      # The types in contextengine.gen.d.ts are those of the manifests; add --out FILE if it is elsewhere.
      - run: npx contextengine generate --check
      # What changed against manifests.lock.json; fails where a manifest changed and its version did not.
      - run: npx contextengine plan --offline
`;
