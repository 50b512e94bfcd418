import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { PACKAGE_STUB } from '../../src/code-lint/package-stub.ts';

const parse = (text: string) => ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest);
const ofSources = (path: string) =>
  parse(readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8'));

/** Names of the members of an interface. */
function membersOf(file: ts.SourceFile, name: string): readonly string[] {
  const found = file.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (!found || !ts.isInterfaceDeclaration(found)) throw new Error(`no interface ${name}`);
  return found.members.map((member) => member.name?.getText(file) ?? '').sort();
}

describe('the types that stand in for the package where it is not installed', () => {
  it.each(['ComposeRequest', 'ComposedItem', 'ComposedLayer', 'CompositionData', 'Composition'])(
    '%s has the members of the real one',
    (name) => {
      expect(membersOf(parse(PACKAGE_STUB), name)).toEqual(
        membersOf(ofSources('model/composition.ts'), name),
      );
    },
  );

  it('ContextEngine has the members of the real one', () => {
    expect(membersOf(parse(PACKAGE_STUB), 'ContextEngine')).toEqual(
      [
        ...membersOf(ofSources('engine/context-engine.ts'), 'ContextEngine'),
        ...membersOf(ofSources('engine/context-engine.ts'), 'EngineMembers'),
        ...membersOf(ofSources('engine/methods/memory-surface.ts'), 'Memory'),
      ].sort(),
    );
  });
});
