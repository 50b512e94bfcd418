/**
 * The seed of every generated case that names none. It stands still, so that a failure comes again
 * and a run tells of the change that it tests; `npm run nightly` draws a new one each time, and
 * says which.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['CONTEXTENGINE_SEED'] ?? 1) });
