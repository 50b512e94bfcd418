import { ContextEngineError } from '../codes/errors.ts';

/** What a bundle lacks: the engine itself, or the files beside its code. */
export const bundledError = (what: string, cause?: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.BUNDLED', {
    message: `contextengine runs from a bundle: ${what} not there.`,
    fix:
      'Leave it out of the bundle and install it beside: `--external:contextengine` (esbuild), ' +
      "`serverExternalPackages: ['contextengine']` (Next.js), `ssr.external` (Vite).",
    ...(cause !== undefined && { cause }),
  });
