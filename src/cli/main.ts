#!/usr/bin/env node
/** The bin. Everything is behind {@link run}; this file only joins it to the process. */
import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), processTerminal());
