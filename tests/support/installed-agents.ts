/** Installed coding agents; tests of missing ones are skipped and say so. */
import path from 'node:path';
import { it } from 'vitest';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import { findProgram } from '../../executors/engines/shared/find-program.ts';

const installed = process.env.AGENTPR_TEST_AGENTS_DIR;

export const AGENTS_PATH = [
  ...(installed === undefined ? [] : [path.join(installed, 'node_modules/.bin')]),
  process.env.PATH,
].join(':');

const MINUTES = 60_000;

export const withAgent = (name: string) => {
  const row = Object.entries(AGENT_CLIS).find(([engine]) => engine === name)?.[1];
  const program = row?.ours?.() ?? findProgram(name, AGENTS_PATH);
  const why = program === null ? ` [${name} is neither on the PATH nor in AGENTPR_TEST_AGENTS_DIR]` : '';
  return {
    program,
    test: (says: string, body: () => Promise<void>, minutes = 2): void =>
      void it(`${says}${why}`, { skip: program === null, timeout: minutes * MINUTES }, body),
  };
};
