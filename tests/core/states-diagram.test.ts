/** The page about states is what the table prints. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { diagram } from '../rules/states-diagram.ts';
import { RUN_STATES } from '#model/run';
import { INPUTS } from '../../orchestrator/kernel/inputs/inputs.ts';

const page = diagram();

it('S3: docs/states.md is what the table prints; `npm run docs:states` writes it', () => {
  const written = readFileSync(resolve(import.meta.dirname, '../../docs/states.md'), 'utf8');
  expect(written).toBe(page);
});

it('S3: the page shows every state and every input', () => {
  for (const word of [...RUN_STATES, ...INPUTS.map(({ type }) => type)]) expect(page).toContain(word);
  expect(page).toContain('Active --> PAUSED: command.pause');
  expect(page).toContain('[*] --> QUEUED: command.run.create');
});
