/** F5: what variables become in words and in commands; a real shell says what it makes of them. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fill,
  fillCommand,
  misplacedIn,
  spokenOf,
  unknownIn,
} from '../../orchestrator/core/campaign/fill.ts';

/** The arguments that a shell passes on, or what it prints. */
const shell = (command: string): string[] =>
  execFileSync('sh', ['-c', `show() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
const HOSTILE = [
  '$(echo yes)',
  '`echo yes`',
  "'; echo yes; '",
  '"; echo yes; "',
  '$HOME ${HOME}',
  '\\',
  '* ?',
];

describe('in a command', () => {
  const FORMS: [string, (value: string) => string[]][] = [
    ['show {{to}}', (to) => [to]],
    ['show a-{{to}}-b', (to) => [`a-${to}-b`]],
    ['show "version {{to}}"', (to) => [`version ${to}`]],
    ["show 'version {{to}}'", (to) => [`version ${to}`]],
    ['show "a \\" {{to}}" \'it is {{ to }}\' \\" {{TO}}', (to) => [`a " ${to}`, `it is ${to}`, '"', to]],
    ["# it's a remark\nshow a#{{to}}", (to) => [`a#${to}`]],
    ['TO={{to}}\nshow "$TO" "$(printf %s "$TO" | wc -l)"', (to) => [to, String(to.split('\n').length - 1)]],
  ];
  it.each(FORMS)('F5: is one word, or a part of one: %s', (command, means) => {
    for (const to of HOSTILE) expect(shell(fillCommand(command, { to })), to).toEqual(means(to));
    const texts = fc.string({ unit: fc.constantFrom(...`ab '"$\`\\\n;&|<>()*?#{}!~=`) });
    fc.assert(
      fc.property(texts, (to) => {
        expect(shell(fillCommand(command, { to }))).toEqual(means(to));
      }),
      { numRuns: 10 },
    );
  });

  it.each([
    'cat <<EOF\n{{to}}\nEOF',
    '# version {{to}}\nshow 1',
    'show "$(cat {{to}})"',
    'show `cat {{to}}`',
    "show $'a {{to}}'",
    'show "${A:-{{to}}}"',
    'show \\{{to}}',
    "sh -c 'echo {{to}}'",
    'bash -ec "echo {{to}}"',
    'eval "show {{to}}"',
  ])('F5: is refused where nobody can tell what becomes of it: %s', (command) => {
    expect(misplacedIn(command)).toBe('to');
    expect(() => fillCommand(command, { to: 'x' })).toThrow('cannot be quoted');
  });

  it('F5: says nothing against commands without variables', () => {
    const command = 'cat <<EOF\n$(date) {{ .Values.name }} ${{ github.ref }}\nEOF';
    expect([misplacedIn(command), fillCommand(command, {})]).toEqual([null, command]);
  });
});

it('F5: names may have - and _; what is no variable stays in words, and is found where it would be published', () => {
  expect(fill('{{team-name}} {{ Owner }} {{ .x }}', { 'team-name': 'A', owner: 'acme' })).toBe(
    'A acme {{ .x }}',
  );
  expect(spokenOf('{{A-b}} {{ c }} {{ d.e }}')).toEqual(['a-b', 'c']);
  expect([unknownIn('Fix {{name}} for {{ owner.name }}'), unknownIn('Fix {{name}}')]).toEqual([
    '{{ owner.name }}',
    null,
  ]);
});
