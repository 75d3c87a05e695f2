/**
 * E10: which commands are of one sort, so that a person may allow the sort for the rest of a run: one
 * program and one sub-command, with nothing around it and the same objections.
 */
import { z } from 'zod';
import type { Objections } from '../facts.ts';
import { actsByItself } from './command.ts';
import { readShell } from './shell.ts';

/** `words` is what people read; `objections` is what they were shown against it. */
export const CommandSort = z.object({ words: z.string(), objections: z.array(z.string()) });
export type CommandSort = z.infer<typeof CommandSort>;

/** Words that name a program of the path, or a sub-command: no path, option, address or assignment. */
const PROGRAM = /^[A-Za-z][\w.+-]{0,40}$/;
const SUBCOMMAND = /^[A-Za-z][\w:-]{0,40}$/;

const objection = ({ policy, verdict, reason }: Objections[number]): string =>
  [policy, verdict, reason.kind, 'trait' in reason ? String(reason.trait) : ''].join(' ');

/** Policies that object to the second for what they did not hold against the first. */
export const newObjectors = (before: Objections, after: Objections): string[] => {
  const known = new Set(before.map(objection));
  return [...new Set(after.filter((one) => !known.has(objection(one))).map(({ policy }) => policy))];
};

/** Null where no sort could be described in two words. */
export const sortOf = (command: string, objections: Objections): CommandSort | null => {
  const { commands, opaque } = readShell(command);
  const [only, ...others] = commands;
  if (opaque !== null || !only || others.length > 0) return null;
  if (only.piped || only.writes.length > 0 || only.reads.length > 0) return null;
  const [program = '', sub = ''] = only.words;
  // guard: E10-sort-of-two-words
  if (!PROGRAM.test(program) || !SUBCOMMAND.test(sub) || actsByItself(program)) return null;
  return { words: `${program} ${sub}`, objections: [...new Set(objections.map(objection))].sort() };
};

export const sameSort = (a: CommandSort, b: CommandSort): boolean =>
  a.words === b.words && a.objections.join('\n') === b.objections.join('\n');
