#!/usr/bin/env node
/**
 * The bin. Everything is behind `run`; this file only joins it to the process, and sets what makes
 * a short process start fast before the rest is loaded.
 */
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * A command is over before optimised code of the embedded database pays for itself: making it took
 * 1.1 of 3.1 s of CPU (`facts list`, Node 20). What runs for longer is still optimised.
 */
if (Number(process.versions.node.split('.')[0]) < 25)
  setFlagsFromString('--wasm-tiering-budget=40000000');
/** Compiled code is kept from one command to the next where Node can: from 22.1 on. */
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache();

const { run } = await import('./run.ts');
const { processTerminal } = await import('./terminal.ts');
process.exitCode = await run(process.argv.slice(2), processTerminal());
