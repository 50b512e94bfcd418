/** The packages of LanceDB, loaded when a mount is opened: 180 MB that nobody else installs. */
import { createRequire } from 'node:module';
import { ContextEngineError } from '../../src/codes/errors.ts';

export interface Lance {
  readonly lancedb: typeof import('@lancedb/lancedb');
  readonly arrow: typeof import('apache-arrow');
}

/** `CONNECTOR.MISSING_PACKAGE` names the line that installs them, and what they weigh. */
export async function loadLance(
  load: () => Promise<Lance> = async () => {
    // Required, not imported: a bundler that takes this file in must not look for them, and arrow
    // is then the instance whose classes LanceDB knows.
    const require = createRequire(import.meta.url);
    return { lancedb: require('@lancedb/lancedb'), arrow: require('apache-arrow') };
  },
): Promise<Lance> {
  return load().catch((cause: unknown) => {
    throw new ContextEngineError('CONNECTOR.MISSING_PACKAGE', {
      message: 'A mount of `lancedb` needs the package `@lancedb/lancedb`, which cannot be loaded.',
      // Measured on Linux x64, with what npm installs beside it.
      fix:
        'Run `npm install @lancedb/lancedb@0.37.1 apache-arrow@18.1.0` (about 190 MB, a native ' +
        'binary; 0.37 is the last for Node 20), or remove the mount.',
      cause,
    });
  });
}
