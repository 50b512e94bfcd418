/** What the command line uses of the harness. */
export type { EvaluateOptions } from './evaluate.ts';
export { evaluate } from './evaluate.ts';
export type { PreparedSuite } from './own-suites.ts';
export { evalFile, goldSuite, OWN_SUITES, ownSuite } from './own-suites.ts';
export type { Report } from './report/report.ts';
export { BUDGETS, MAIN_BUDGET } from './run/run-suite.ts';
export type { LocomoConversation } from './suites/locomo.ts';
export { locomoSuite } from './suites/locomo.ts';
