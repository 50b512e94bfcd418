/** The shipped types in a project without `@types/node`, its libraries checked as well. */
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { ROOT } from '../support/source-files.ts';

const faultsWith = (lib: readonly string[]): readonly string[] => {
  const program = ts.createProgram({
    rootNames: ['index', 'define/index', 'conformance/index'].map((entry) =>
      join(ROOT, `dist/src/${entry}.d.ts`),
    ),
    options: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: lib.map((name) => `lib.${name}.d.ts`),
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file?.fileName.includes('/dist/'))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
};

it('bring the types of disposal along, and take AbortSignal from the DOM', () => {
  expect(faultsWith(['es2022', 'dom'])).toEqual([]);
  expect(new Set(faultsWith(['es2022']))).toEqual(new Set(["Cannot find name 'AbortSignal'."]));
});
