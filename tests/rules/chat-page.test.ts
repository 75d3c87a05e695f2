/** docs/chat.md tells of every command there is, and of no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TYPED_COMMANDS } from '#language';
import { findCommand, commandRow } from '../../orchestrator/commands/read-command.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/chat.md'), 'utf8');
const told = [...page.matchAll(/`\/([a-z_]+)/g)].map(([, name = '']) => name);

it('C1: the page about the chat names every command, and no other', () => {
  expect(told.filter((name) => !findCommand(name))).toEqual([]);
  const names = TYPED_COMMANDS.map((name) => commandRow(name).names[0] ?? '');
  expect(names.filter((name) => !told.includes(name))).toEqual([]);
});
