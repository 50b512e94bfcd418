/**
 * The commands, in the order of the help: a new one is one file and one line here. A call loads its
 * own file alone; the help and a wrong name load all.
 */
import type { Command } from '../command.ts';

const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./demo.ts')).demoCommand,
  init: async () => (await import('./init.ts')).initCommand,
  validate: async () => (await import('./validate.ts')).validateCommand,
  fmt: async () => (await import('./fmt.ts')).fmtCommand,
  schema: async () => (await import('./schema.ts')).schemaCommand,
  generate: async () => (await import('./generate.ts')).generateCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  scope: async () => (await import('./scope.ts')).scopeCommand,
  ingest: async () => (await import('./ingest.ts')).ingestCommand,
  remember: async () => (await import('./remember.ts')).rememberCommand,
  correct: async () => (await import('./correct.ts')).correctCommand,
  undo: async () => (await import('./undo.ts')).undoCommand,
  capture: async () => (await import('./capture.ts')).captureCommand,
  work: async () => (await import('./work.ts')).workCommand,
  rebuild: async () => (await import('./rebuild.ts')).rebuildCommand,
  upkeep: async () => (await import('./upkeep.ts')).upkeepCommand,
  facts: async () => (await import('./facts.ts')).factsCommand,
  core: async () => (await import('./core-memory.ts')).coreCommand,
  costs: async () => (await import('./costs.ts')).costsCommand,
  compose: async () => (await import('./compose.ts')).composeCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  forget: async () => (await import('./forget.ts')).forgetCommand,
  erase: async () => (await import('./erase.ts')).eraseCommand,
  approvals: async () => (await import('./approvals.ts')).approvalsCommand,
  principals: async () => (await import('./principals.ts')).principalsCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  eval: async () => (await import('./eval.ts')).evalCommand,
};

/** With `help`, which is no command of its own. */
export const COMMAND_NAMES: readonly string[] = [...Object.keys(LOADERS), 'help'];

/** The command of this name, or null. */
export async function loadCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(LOADERS, name) ? ((await LOADERS[name]?.()) ?? null) : null;
}

export const loadCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(LOADERS).map((load) => load()));
