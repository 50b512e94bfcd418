/** What a command is: one file in `commands/`, one line in `commands/index.ts`. */
import type { Terminal } from './terminal.ts';

/** 0 fine · 1 our bug · 2 the user can fix it · 4 findings. */
export type ExitCode = 0 | 1 | 2 | 4;

export interface FlagSpec {
  readonly type: 'string' | 'boolean';
  readonly isMultiple?: boolean;
  /** What stands for the value in the help: `UUID`, `FILE`. */
  readonly value?: string;
  readonly help: string;
}
export type FlagTable = Readonly<Record<string, FlagSpec>>;

/** The flags of a call, checked against the command's table. */
export interface Flags {
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  isOn(name: string): boolean;
}

export interface Call {
  readonly flags: Flags;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly isJson: boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The positional part of the usage line. */
  readonly takes: {
    readonly usage: string;
    readonly min: number;
    readonly max: number;
    /** What to write for a word too many; absent = what holds for most commands. */
    readonly extraFix?: (extra: string) => string;
  };
  /** Whether it opens the ledger, and so takes the flags of `settings.ts`. */
  readonly usesLedger: boolean;
  readonly flags: FlagTable;
  /** What the flags do not say; shown under them as it stands. */
  readonly notes?: string;
  readonly examples: readonly string[];
  run(call: Call): Promise<ExitCode>;
}

/** Flags of every command. */
export const COMMON_FLAGS: FlagTable = {
  json: {
    type: 'boolean',
    help: 'print one JSON value on stdout, errors as a JSON object on stderr',
  },
  help: { type: 'boolean', help: 'show this help' },
};

/**
 * Flags of every command that opens the ledger. Each goes over the environment, the config file and
 * the default.
 */
export const LEDGER_FLAGS: FlagTable = {
  'database-url': {
    type: 'string',
    value: 'URL',
    help: 'PostgreSQL with pgvector (CONTEXTENGINE_DATABASE_URL)',
  },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    help: 'folder of the embedded database (CONTEXTENGINE_DATA_DIR; default .contextengine)',
  },
  manifests: {
    type: 'string',
    value: 'PATH',
    isMultiple: true,
    help: 'manifest files or folders (CONTEXTENGINE_MANIFESTS; default manifests/)',
  },
  embedder: {
    type: 'string',
    value: 'NAME',
    help: 'builtin or off; others in contextengine.config.json',
  },
  profile: {
    type: 'string',
    value: 'FILE',
    help: 'JSON permission profile (CONTEXTENGINE_PROFILE); needed on any but the embedded database',
  },
  tenant: {
    type: 'string',
    value: 'T',
    help: 'tenant on the embedded database (CONTEXTENGINE_TENANT; default local)',
  },
};

/** All flags that a command takes. */
export const flagsOf = (command: Pick<Command, 'flags' | 'usesLedger'>): FlagTable => ({
  ...command.flags,
  ...(command.usesLedger ? LEDGER_FLAGS : {}),
  ...COMMON_FLAGS,
});
