/** F5: what variables become in words and in commands; a real shell says what it makes of them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  fillVariables,
  fillCommand,
  createUnquotableValueFinder,
  listVariables,
  findUnknownVariables,
} from '#model/settings';

/** The arguments that a shell passes on, or what it prints. */
const shell = (command: string): string[] =>
  execFileSync('sh', ['-c', `show() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
/** Files that a command leaves in an empty folder, whatever else it says. */
const leaves = (sh: string, command: string): string[] => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'fill-'));
  try {
    spawnSync(sh, ['-c', command], { cwd, stdio: 'ignore', timeout: 10_000 });
    return readdirSync(cwd).filter((name) => name === 'canary');
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};
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
        expect(createUnquotableValueFinder(command)({ to })).toBe('to');
        expect(() => fillCommand(command, { to })).toThrow('cannot be quoted');
      }
      for (const to of ['1.4.0', 'acme/api', 'a@b.c', '2026-01-01', 'x=%y:+z,', ''])
        expect([createUnquotableValueFinder(command)({ to }), fillCommand(command, { to })]).toEqual([
          null,
          command.replace('{{to}}', to),
        ]);
    },
  );

  /** Each makes something of a value behind the back of quotes, for bash or for dash. */
  const RUN_AGAIN = [
    ...[
      '[ -v {{to}} ]',
      "test -v '{{to}}'",
      'test -R "{{to}}"',
      '[[ -v {{to}} ]]',
      '[[ {{to}} -eq 0 ]]',
      'echo $(( {{to}} ))',
    ],
    ...[
      'declare "{{to}}=1"',
      'typeset {{to}}=1',
      'f() { local "{{to}}=1"; }; f',
      'readonly {{to}}',
      'export {{to}}',
      'unset {{to}}',
    ],
    ...[
      'let {{to}}',
      'printf -v {{to}} x',
      'printf -v"{{to}}" x',
      'read {{to}} < /dev/null',
      'mapfile -t {{to}} < /dev/null',
      'echo ${a[{{to}}]}',
    ],
    ...[
      'compgen -W {{to}}',
      'true & wait -n -p {{to}}',
      'a[{{to}}]=1',
      'eval {{to}}',
      'trap {{to}} EXIT',
      'alias x={{to}}',
    ],
    ...[
      'echo {{to}} | sh',
      'echo {{to}} |\nsh',
      'echo {{to}} |\n# then\n\n  bash',
      'echo {{to}} | \\\nsh',
      '{\necho {{to}}\n} | sh',
    ],
    ...[
      'echo {{to}} | env sh',
      'echo {{to}} | xargs -I{} sh -c {}',
      "xargs sh -c '{{to}}' < /dev/null",
      'echo {{to}} > x\n. ./x',
      'echo {{to}} > x\nsh x',
    ],
    ...[
      'cat <<EOF | sh\n{{to}}\nEOF',
      'sh <<EOF\n{{to}}\nEOF',
      "bash <<'EOF'\n{{to}}\nEOF",
      'bash <<< {{to}}',
      'sh -c {{to}}',
      "bash -c'{{to}}'",
      'sh -ec "{{to}}"',
    ],
    ...[
      "python3 -c'{{to}}'",
      'python3 -c {{to}}',
      "python3 -c '\nx = 1\n{{to}}\n'",
      'echo {{to}} | python3',
      'python3 - <<EOF\n{{to}}\nEOF',
    ],
    ...[
      "node -p '{{to}}'",
      'node -e {{to}}',
      'node --eval={{to}}',
      "node -pe '{{to}}'",
      'echo {{to}} |\nnode',
      "perl -e '{{to}}'",
      "perl -pe 's/a/{{to}}/' f",
    ],
    ...[
      "awk '{{to}}'",
      "awk 'BEGIN { {{to}} }'",
      'sed "s/a/{{to}}/" f',
      "sed -n '{{to}}' f",
      "sed -e 's|a|{{to}}|' f",
      'make V={{to}}',
      'PS4={{to}} bash -xc ls',
    ],
    ...[
      'BASH_ENV={{to}} bash x.sh',
      'GIT_SSH_COMMAND={{to}} git fetch',
      'GIT_EDITOR={{to}} git commit',
      "git submodule foreach '{{to}}'",
      'watch {{to}}',
      'ssh h {{to}}',
    ],
    ...[
      "find . -exec sh -c '{{to}}' \\;",
      'git rebase -x {{to}} main',
      'git bisect run {{to}}',
      'source <(echo {{to}})',
      'mysql -e {{to}}',
      "ruby -e '{{to}}'",
      "php -r '{{to}}'",
    ],
  ];
  /** What would leave a file behind, in each of these languages. */
  const CANARIES = [
    ...[
      'a[$(: >canary)]',
      ': >canary',
      '$(: >canary)',
      '`: >canary`',
      "'; : >canary; '",
      '; : >canary',
      'x=a[$(: >canary)]',
    ],
    ...[
      'import os;os.system(": >canary")',
      'require("fs").writeFileSync("canary","")',
      'system(": >canary")',
      'BEGIN{system(": >canary")}',
    ],
    ...[
      'b/;w canary',
      'x/w canary\n',
      '$(shell : >canary)',
      "os.system(': >canary')",
      'open("canary","w")',
      '1e: >canary',
      'x|;w canary',
    ],
  ];
  it.each(RUN_AGAIN)('F5: is refused, or does nothing: %s', (command) => {
    for (const to of CANARIES) {
      const refused = createUnquotableValueFinder(command)({ to }) === 'to';
      if (refused) expect(() => fillCommand(command, { to })).toThrow('cannot be quoted');
      else
        for (const sh of ['bash', 'dash'])
          expect([to, sh, leaves(sh, fillCommand(command, { to }))]).toEqual([to, sh, []]);
    }
  });

  it.each([
    "perl -pe 's/a/{{to}}/' f",
    "sed 's/a/{{to}}/' f",
    "awk '/{{to}}/' f",
    "python3 -c 'print({{to}})'",
  ])('F5: what ends a pattern is not plain in another language: %s', (command) => {
    for (const to of ['id/e', 'a=b', 'a,b', 'x@e'])
      expect(createUnquotableValueFinder(command)({ to })).toBe('to');
    for (const to of ['1.4.0', '2026-01-01', 'acme_api', ''])
      expect(fillCommand(command, { to })).toBe(command.replace('{{to}}', to));
  });

  it.each([
    ...[
      'python3 bump.py {{to}}',
      'node scripts/set.js {{to}}',
      './bump.sh {{to}}',
      'git commit -m {{to}}',
      'export V={{to}}; ./x',
    ],
    ...[
      'echo {{to}} > version.txt',
      'cp a {{to}}',
      'npm version {{to}}',
      'printf %s {{to}} >> x',
      'test -f {{to}}',
      '[ {{to}} = a ]',
      'gh label create {{to}}',
    ],
  ])('F5: words that nothing runs may be any: %s', (command) => {
    expect(createUnquotableValueFinder(command)({ to: "it's $(two) words" })).toBeNull();
  });

  it('F5: is read in time that grows with its length', () => {
    for (const part of [
      '{{to}} ',
      'node ',
      "python3 -c '{{to}}'\n",
      'echo {{to}} |\n',
      '[ -',
      'rebase ',
      '#\n',
      '| ',
      '{{{{',
      '{{{{ a',
      '{{{{ a }}',
      '{{ \n',
      '}}}}',
    ])
      expect(createUnquotableValueFinder(part.repeat(200_000 / part.length))({ to: 'a' })).toBeNull();
  });

  /** What another pair keeps is read as a part of the command by everything that judges it. */
  it.each([
    ["sed -i 's/{{{{ app_user }}}}/root/' role.yml", "sed -i 's/{{ app_user }}/root/' role.yml"],
    ['show {{{{to}}}} {{{{{to}}}}} {{{{{{to}}}}}}', 'show {{to}} {{{to}}} {{{{to}}}}'],
    [
      'echo ${{{{ to }}}} ${{ github.ref }} {{ .Values.to }}',
      'echo ${{ to }} ${{ github.ref }} {{ .Values.to }}',
    ],
    ['cat <<EOF\n{{{{\nto\n}}}}\nEOF', 'cat <<EOF\n{{\nto\n}}\nEOF'],
  ])('F5: another pair of braces keeps what is no variable: %s', (command, kept) => {
    const to = '$(exit 1)';
    expect([
      listVariables(command),
      createUnquotableValueFinder(command)({ to }),
      fillCommand(command, { to }),
    ]).toEqual([[], null, kept]);
    expect(fillVariables(command, { to })).toBe(kept);
  });

  it('F5: braces that are kept move no variable out of its quotes', () => {
    for (const to of HOSTILE) {
      expect(shell(fillCommand(`show {{{{to}}}} '{{{{ a }}}} {{to}}' {{{{{b}}}}} "{{to}}"`, { to }))).toEqual(
        ['{{to}}', `{{ a }} ${to}`, '{{{b}}}', to],
      );
      for (const narrow of ['sh -c "{{{{ a }}}} {{to}}"', '# {{{{{ a }}}}}\necho "${{{{ a }}}} {{to}}"'])
        expect(() => fillCommand(narrow, { to })).toThrow('cannot be quoted');
    }
  });

  it('F5: says nothing against commands without variables', () => {
    const command = 'cat <<EOF\n$(date) {{ .Values.name }} ${{ github.ref }}\nEOF';
    expect([createUnquotableValueFinder(command)({}), fillCommand(command, {})]).toEqual([null, command]);
  });
});

it('F5: names may have - and _; what is no variable stays in words, and is found where it would be published', () => {
  expect(fillVariables('{{team-name}} {{ Owner }} {{ .x }}', { 'team-name': 'A', owner: 'acme' })).toBe(
    'A acme {{ .x }}',
  );
  expect(listVariables('{{A-b}} {{ c }} {{ d.e }}')).toEqual(['a-b', 'c']);
  expect([
    findUnknownVariables('Fix {{name}} for {{ owner.name }}'),
    findUnknownVariables('Fix {{name}}'),
  ]).toEqual([['{{ owner.name }}'], []]);
});

it('F5: a value is never read again, and what another pair of braces keeps is no variable', () => {
  const values = { a: '{{b}}', b: '{{{{a}}}}' };
  expect(fillVariables('{{a}} {{b}} {{{{a}}}} {{{a}}} x{{a}}}', values)).toBe(
    '{{b}} {{{{a}}}} {{a}} {{{b}}} x{{b}}}',
  );
  expect(fillCommand('echo {{a}} "{{b}}" {{{{a}}}}', values)).toBe(`echo '{{b}}' ""'{{{{a}}}}'"" {{a}}`);
  expect(listVariables('{{{{ a }}}} {{{ b }}} ${{ github.ref }}')).toEqual(['b']);
});

it('F5: a title may have expressions of GitHub Actions, and braces that another pair keeps', () => {
  for (const title of ['ci: use ${{ github.ref }}', 'use {{{{ .Values.image }}}}', 'a {{{{ b }}}} {{name}}'])
    expect(findUnknownVariables(title)).toEqual([]);
  for (const title of [
    'use {{ .Values.image }}',
    '{{{{ a }}}}{{ b.c }}',
    '${{{{ a }}}}{{ b.c }}',
    '$ {{ a.b }}',
  ])
    expect(findUnknownVariables(title)).toHaveLength(1);
});
