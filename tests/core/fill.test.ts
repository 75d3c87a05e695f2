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
    ['show "a {{to}}" \'it is {{ to }}\' {{TO}}', (to) => [`a ${to}`, `it is ${to}`, to]],
    ["show a\u00a0# it's {{to}} isn't", (to) => ['a\u00a0#', `its ${to} isnt`]],
    ["# it's a remark\nshow a#{{to}}", (to) => [`a#${to}`]],
    ['show {{to}}{{to}} "a{{to}}" "$X{{to}}" ${X}{{to}}', (to) => [to + to, `a${to}`, to, to]],
    [
      'export V_TO={{to}}\nsh -c \'printf "%s\\0" "$V_TO"\'; show "$(printf %s "$V_TO" | wc -c)"',
      (to) => [to, String(to.length)],
    ],
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

  const UNCLEAR = [
    'cat <<EOF\n{{to}}\nEOF',
    '# version {{to}}\nshow 1',
    'show "$(cat {{to}})"',
    'show `cat {{to}}`',
    "show $'a {{to}}'",
    'show "${A:-{{to}}}"',
    'show \\{{to}}',
    "echo a\\ # it's\necho {{to}} isn't",
    "echo a\\\n# it's\necho {{to}} isn't",
    '"$\\\n(echo {{to}})"',
    'cat <\\\n<EOF\n{{to}}\nEOF',
    "sh -c 'echo {{to}}'",
    'sh -c "echo "{{to}}',
    'bash -eu -o pipefail -c "echo {{to}}"',
    "python3 -c 'print({{to}})'",
    "perl -i -pe 's/a/{{to}}/' f",
    "trap 'rm {{to}}' EXIT",
    "echo 'rm {{to}}' | sh",
    'eval echo {{to}}',
    'ssh host echo {{to}}',
    '(( {{to}} > 3 ))',
    '[[ {{to}} -gt 3 ]]',
    'a[{{to}}]=1',
  ];
  it.each(UNCLEAR)(
    'F5: is refused where nobody can tell what becomes of it, unless it is plain: %s',
    (command) => {
      for (const to of [...HOSTILE, 'two words', '#', '~', '{a,b}', 'a\nb']) {
        expect(misplacedIn(command)({ to })).toBe('to');
        expect(() => fillCommand(command, { to })).toThrow('cannot be quoted');
      }
      for (const to of ['1.4.0', 'acme/api', 'a@b.c', '2026-01-01', 'x=%y:+z,', ''])
        expect([misplacedIn(command)({ to }), fillCommand(command, { to })]).toEqual([
          null,
          command.replace('{{to}}', to),
        ]);
    },
  );

  it('F5: says nothing against commands without variables', () => {
    const command = 'cat <<EOF\n$(date) {{ .Values.name }} ${{ github.ref }}\nEOF';
    expect([misplacedIn(command)({}), fillCommand(command, {})]).toEqual([null, command]);
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
