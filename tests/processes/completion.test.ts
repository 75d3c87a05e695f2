/** `agentpr completion`: each script is read and asked by the shell that it is for. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScript } from '../../cli/completion.ts';
import { createProgram } from '../../cli/main.ts';
import { ENGINE_NAMES } from '../../executors/engines/engine-settings.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];
const isHere = (shell: Shell): boolean => spawnSync(shell, ['--version']).status === 0;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentpr-completion-'));
  const program = await createProgram();
  for (const shell of SHELLS) writeFileSync(join(folder, shell), completionScript(program, shell));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (shell: Shell, args: string[]): string => {
  const { stdout, stderr, status } = spawnSync(shell, args, { encoding: 'utf8', cwd: folder });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

/** What the shell offers for the last word of a line. */
const ASKS: Record<Shell, (words: readonly string[]) => string[]> = {
  bash: (words) =>
    run('bash', [
      '--norc',
      '-c',
      `. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agentpr; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ]).split('\n'),
  zsh: (words) => {
    // Only an interactive zsh completes: what the function gives to it is printed.
    const shows = `compdef() { : }; _files() { : }; _describe() { print -l -- "\${(@P)2}" }; . ./zsh`;
    const said = run('zsh', ['-f', '-c', `${shows}; CURRENT=$#; words=("$@"); _agentpr`, 'zsh', ...words]);
    return said.split('\n').flatMap((line) => {
      const [offer = ''] = line.split(':', 1);
      return offer.startsWith(words.at(-1) ?? '') ? [offer] : [];
    });
  },
  fish: (words) =>
    run('fish', ['--no-config', '-c', `. ./fish; complete -C '${words.join(' ')}'`])
      .split('\n')
      .map((line) => line.split('\t', 1)[0] ?? ''),
};

describe.each(SHELLS)('completion in %s', (shell) => {
  const offers = (...words: string[]): string[] =>
    ASKS[shell](['agentpr', ...words])
      .filter(Boolean)
      .sort();

  it.skipIf(!isHere(shell))('O1: offers commands, those below a command, options and their values', () => {
    expect(offers('rep')).toEqual(['replay', 'report']);
    expect(offers('run', 'l')).toEqual(['list']);
    expect(offers('run', 'n')).toEqual(['new']);
    expect(offers('run', 'list', '--')).toEqual(['--all', '--data', '--help', '--json']);
    expect(offers('run', 'create', 'acme/api', 'x', '--en')).toEqual(['--engine']);
    expect(offers('campaign', 'start', 'c1', '--j')).toEqual(['--json']);
    expect(offers('demo', '--engine', '')).toEqual([...ENGINE_NAMES].sort());
    expect(offers('completion', 'z')).toEqual(['zsh']);
  });
});
