/** The commands, in the order of the help: a new one is one file and one line here. */
import type { Command } from '../command.ts';
import { approvalsCommand } from './approvals.ts';
import { auditCommand } from './audit.ts';
import { captureCommand } from './capture.ts';
import { composeCommand } from './compose.ts';
import { coreCommand } from './core-memory.ts';
import { correctCommand } from './correct.ts';
import { costsCommand } from './costs.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { eraseCommand } from './erase.ts';
import { evalCommand } from './eval.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { factsCommand } from './facts.ts';
import { fmtCommand } from './fmt.ts';
import { forgetCommand } from './forget.ts';
import { generateCommand } from './generate.ts';
import { historyCommand } from './history.ts';
import { importCommand } from './import.ts';
import { ingestCommand } from './ingest.ts';
import { initCommand } from './init.ts';
import { migrateCommand } from './migrate.ts';
import { planCommand } from './plan.ts';
import { principalsCommand } from './principals.ts';
import { rebuildCommand } from './rebuild.ts';
import { rememberCommand } from './remember.ts';
import { replayCommand } from './replay.ts';
import { schemaCommand } from './schema.ts';
import { scopeCommand } from './scope.ts';
import { undoCommand } from './undo.ts';
import { upkeepCommand } from './upkeep.ts';
import { validateCommand } from './validate.ts';
import { workCommand } from './work.ts';

export const COMMANDS: readonly Command[] = [
  demoCommand,
  initCommand,
  validateCommand,
  fmtCommand,
  schemaCommand,
  generateCommand,
  planCommand,
  migrateCommand,
  scopeCommand,
  ingestCommand,
  rememberCommand,
  correctCommand,
  undoCommand,
  captureCommand,
  workCommand,
  rebuildCommand,
  upkeepCommand,
  factsCommand,
  coreCommand,
  costsCommand,
  composeCommand,
  explainCommand,
  replayCommand,
  historyCommand,
  exportCommand,
  importCommand,
  forgetCommand,
  eraseCommand,
  approvalsCommand,
  principalsCommand,
  auditCommand,
  doctorCommand,
  evalCommand,
];
