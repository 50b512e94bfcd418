/**
 * The door to the `typescript` package: an optional peer, loaded when code is linted and handed to
 * everything else of this folder.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { rethrown } from '../model/rethrown.ts';

export type TypeScript = typeof import('typescript');

/** `import('typescript')`, or a stand-in of a test. */
type Loader = () => Promise<{ readonly default: TypeScript }>;

const INSTALL = 'Run `npm install --save-dev typescript@6`.';

/**
 * Loads the compiler. Rejects with `CODE.MISSING_PACKAGE` where it is not installed, or in a
 * version whose interface is another one.
 */
export async function loadTypeScript(
  load: Loader = () => import('typescript').catch(rethrown),
): Promise<TypeScript> {
  const loaded = await load().catch((cause: unknown) => {
    throw new ContextEngineError('CODE.MISSING_PACKAGE', {
      message:
        '`validate --code` reads code with the package `typescript`, which is not installed.',
      fix: INSTALL,
      cause,
    });
  });
  const typescript = loaded.default;
  if (isSupported(typescript?.version)) return typescript;
  throw new ContextEngineError('CODE.MISSING_PACKAGE', {
    message:
      `\`typescript\` is installed as \`${String(typescript?.version)}\`; \`validate --code\` ` +
      'needs 5.5 to 6, because 7 has no stable interface for reading code.',
    fix:
      `${INSTALL} TypeScript 7 can stand beside it: \`npm install --save-dev ` +
      '@typescript/native@npm:typescript@7`.',
  });
}

function isSupported(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return (major === 5 && minor >= 5) || major === 6;
}
