/**
 * `import('a package').catch(rethrown)`: a bundler takes a package whose import has a handler for
 * one
 * that may be absent, and leaves it to run time, where its absence has an error with a fix.
 */
export const rethrown = (error: unknown): never => {
  throw error;
};
