/** F5: campaigns in a file, lists in a file, and what is refused of them with its line. */
import { describe, expect, it } from 'vitest';
import { readCampaignOrder } from '../../orchestrator/orders/campaign-argument.ts';
import { readList } from '../../orchestrator/orders/repository-list.ts';
import { MAX_CAMPAIGN_FILE_BYTES, readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { checkFilledOrder, type UnfitTarget } from '../../orchestrator/campaigns/check-filled-order.ts';
import { CampaignOrder, orderForTarget, type CampaignTarget } from '#model/campaign';
import { parseRepoQuery, RepoQuery, formatRepoQuery } from '#model/targets';
import type { CommandProblem } from '#model/chat';
import {
  estimateFor,
  selectTargets,
  type RepoThere,
  type TargetFacts,
} from '../../orchestrator/campaigns/select-targets.ts';
import { enTexts, LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { aCampaign } from '../support/campaigns.ts';

const GOOD = `
name: Say where it is kept
repositories:
  - acme/api
  - https://github.com/acme/web.git
  - repo: acme/cli
    vars: { team: core }
goal: Fix the link in {{name}}
checks: [npm test]
title: Mend {{repo}}
branch: fix/{{name}}
base: main
engine: codex
pace: { canary: 2, steps: [5], next: ci_green, stop: { failures: 0.1 } }
limits: { perDay: 7 }
`;
const refused = (text: string): object => {
  const read = readCampaignFile(text);
  return 'problem' in read ? (read.problem ?? {}) : read.value;
};

describe('campaign.yml', () => {
  it('F5: says name, repositories with variables, goal, checks, texts, pace, limits and engine', () => {
    expect(readCampaignFile(GOOD)).toMatchObject({
      value: {
        name: 'Say where it is kept',
        named: [
          { repo: 'acme/api', host: null, vars: {} },
          { repo: 'acme/web', host: 'github.com' },
          { repo: 'acme/cli', vars: { team: 'core' } },
        ],
        order: {
          goal: 'Fix the link in {{name}}',
          checks: ['npm test'],
          engine: 'codex',
          base: 'main',
        },
        pace: { canary: 2, steps: [5], next: 'ci_green', stop: { failures: 0.1, denials: 0.34 } },
        limits: { perDay: 7, perOwner: 10 },
      },
    });
    expect(readCampaignFile(`${GOOD}\ninstall: none\n`)).toMatchObject({
      value: { order: { install: 'none' } },
    });
  });

  it('P7: says what all of it may cost, in dollars or in tokens', () => {
    expect(readCampaignFile(`${GOOD}budget: 20\n`)).toMatchObject({ value: { budget: { costUsd: 20 } } });
    expect(readCampaignFile(`${GOOD}budget: { tokens: 500000 }\n`)).toMatchObject({
      value: { budget: { tokens: 500_000 } },
    });
    expect(JSON.stringify(refused(`${GOOD}budget: plenty\n`))).toContain('"budget"');
  });

  const fixes = (...lines: string[]): string =>
    `name: Tidy up\nrepositories: [acme/api]\nfixes:\n${lines.map((one) => `  - ${one}\n`).join('')}`;

  it('F5: says several fixes, each repository gets one run and one pull request for all of them', () => {
    const read = readCampaignFile(
      fixes("{ title: 'Pin {{name}}', goal: Pin it }", '{ title: Sort, goal: Sort the list }'),
    );
    expect(read).toMatchObject({
      value: {
        script: null,
        fixes: [
          { title: 'Pin {{name}}', goal: 'Pin it' },
          { title: 'Sort', goal: 'Sort the list' },
        ],
        order: { title: 'Tidy up', goal: 'Tidy up' },
      },
    });
    const one = { title: 'Pin {{name}}', goal: 'x', script: 'p {{name}}' };
    const { run } = aCampaign({
      run: { ...aCampaign().run, fixes: [one, one] },
    });
    const order = orderForTarget('c-aaaaaa', { ...aCampaign(), run }, { repo: 'acme/api', vars: {} });
    expect(order.fixes?.[0]).toEqual({ title: 'Pin api', goal: 'x', script: "p 'api'" });
  });

  it('G5: scripts of fixes count as a script, which the chat does not take', () => {
    const read = readCampaignFile(fixes('{ title: A, script: a }', '{ title: B, script: b }'));
    expect(read).toMatchObject({
      value: { script: 'set -e\n(\na\n)\n(\nb\n)', order: { engine: 'script' } },
    });
  });

  it.each([
    ['one without goal and script', fixes('{ title: A }', '{ title: B, goal: b }')],
    ['one with both', fixes('{ title: A, goal: a, script: a }', '{ title: B, goal: b }')],
    ['a script beside a goal', fixes('{ title: A, script: a }', '{ title: B, goal: b }')],
    ['a script of the whole', `${fixes('{ title: A, goal: a }', '{ title: B, goal: b }')}script: x`],
    ['several engines', `${fixes('{ title: A, goal: a }', '{ title: B, goal: b }')}engine: codex,claude`],
    ['a plan', `${fixes('{ title: A, goal: a }', '{ title: B, goal: b }')}flow: plan`],
  ])('F5: refuses fixes with %s', (_, file) => {
    expect(refused(file)).toEqual({ kind: 'file_fixes' });
  });

  const table: [string, string, object][] = [
    [
      'an unknown key, with its line and the nearest one',
      `${GOOD}titel: x`,
      { kind: 'file_key', line: 16, key: 'titel', near: 'title' },
    ],
    [
      'an unknown key further in',
      GOOD.replace('perDay: 7', 'perday: 7'),
      { kind: 'file_key', line: 15, key: 'perday' },
    ],
    [
      'a value of another kind',
      GOOD.replace('canary: 2', 'canary: two'),
      {
        kind: 'file_value',
        line: 14,
        misfit: { path: ['pace', 'canary'], found: '"two"', may: { kind: 'number' } },
      },
    ],
    [
      'a missing name',
      GOOD.replace('name: Say where it is kept', ''),
      { kind: 'file_value', misfit: { path: ['name'], found: null } },
    ],
    ['a key that is given twice', `${GOOD}goal: other`, { kind: 'file_twice', line: 16 }],
    ['what is no YAML', 'name: [a\nb: c', { kind: 'file_yaml' }],
    ['an alias', 'name: &a x\nrepositories: [acme/api]\ngoal: *a', { kind: 'file_alias', line: 3 }],
    ['a file that holds itself', '&a [*a]', { kind: 'file_alias' }],
    [
      'a name that is no repository',
      GOOD.replace('- acme/api', '- acme'),
      { kind: 'file_repo', at: 1, text: 'acme' },
    ],
    ['neither goal nor script', GOOD.replace(/goal: .*/, ''), { kind: 'file_goal' }],
    ['a script for another engine', `${GOOD}script: npx x`, { kind: 'file_engine' }],
    [
      'a variable that nobody gave',
      GOOD.replace('{{repo}}', '{{team}}'),
      { kind: 'variable', name: 'team', repo: 'acme/api' },
    ],
    [
      'a variable where it cannot be quoted',
      'name: A\nrepositories:\n  - { repo: acme/api, vars: { to: "$(x)" } }\nscript: sh -c "echo {{to}}"\n',
      { kind: 'misplaced', name: 'to', repo: 'acme/api' },
    ],
    [
      'a title with what is no variable',
      GOOD.replace('fix/{{name}}', 'fix/{{repo.name}}'),
      { kind: 'no_variable', text: '{{repo.name}}' },
    ],
    [
      'a variable that is another part of the name',
      'name: A\nrepositories:\n  - { repo: acme/api, vars: { owner: Bo } }\ngoal: Add {{owner}}\n',
      { kind: 'variable_taken', name: 'owner', repo: 'acme/api' },
    ],
    ['more than a megabyte', 'x'.repeat(MAX_CAMPAIGN_FILE_BYTES + 1), { kind: 'file_long' }],
    ['brackets without end', '['.repeat(400_000), { kind: 'file_deep' }],
    ['maps without end', '{a: '.repeat(100_000), { kind: 'file_deep' }],
    ['dashes without end', '- '.repeat(400_000), { kind: 'file_deep' }],
    ['an empty file', '', { kind: 'file_value', line: 1 }],
    ['a list', '- acme/api', { kind: 'file_value', line: 1 }],
    ['a branch that git refuses', GOOD.replace('fix/{{name}}', 'a..b'), { kind: 'branch', text: 'a..b' }],
  ];
  it.each([
    ['name: 12', 'Line 1 of the file: name is 12; it must be text, in "quotation marks".'],
    ['name:', 'Line 1 of the file: name is missing: it must be text, in "quotation marks".'],
    ['pace: { canary: 1.5 }', 'Line 1 of the file: pace.canary is 1.5; it must be a whole number.'],
    [
      'pace: { stop: { failures: 34 } }',
      'Line 1 of the file: pace.stop.failures is 34; it must be 1 at most.',
    ],
    [
      'pace: { next: done }',
      'Line 1 of the file: pace.next is "done"; it must be one of these: approved, ci_green, merged.',
    ],
    ['install: all', 'Line 1 of the file: install is "all"; it must be one of these: found, none.'],
    ['checks: npm test', 'Line 1 of the file: checks is "npm test"; it must be a list: [one, two].'],
    [
      "approvers: ['@dba']",
      'Line 1 of the file: approvers #1 is "@dba"; it cannot be used: groups are not read here: "@dba" names nobody who could approve: write the id of a person, such as 4711 or U012AB3CD.',
    ],
    ['approvers: []', 'Line 1 of the file: approvers is []; it must not be empty.'],
    [
      'repositories: [a/b, { repo: a/c, vars: { n: 3 } }]',
      'Line 1 of the file: repositories #2.vars.n is 3; it must be text, in "quotation marks".',
    ],
    [
      'repositories: [12]',
      'Line 1 of the file: repositories #1 is 12; it must be text, in "quotation marks", or must have keys of its own: { key: value }.',
    ],
    ['- acme/api', 'The file must have keys of its own: { key: value }; it is ["acme/api"].'],
    ['', 'The file is empty.'],
  ])('F5: says of %s which key it is, what stands there and what may', (text, sentence) => {
    const rest = { name: 'A', repositories: ['acme/api'], goal: 'x' };
    const [key] = text.split(':');
    const more = Object.entries(rest).filter(([name]) => name !== key);
    const file =
      text === '' || text.startsWith('-')
        ? text
        : [text, ...more.map(([k, v]) => `${k}: ${JSON.stringify(v)}`)].join('\n');
    const read = readCampaignFile(file);
    expect('problem' in read && read.problem && sayRecord(enTexts.problems, read.problem)).toBe(sentence);
  });

  it('F5: lines may end as old programs end them', () => {
    const value = readCampaignFile(GOOD);
    for (const end of ['\r', '\r\n']) expect(readCampaignFile(GOOD.replaceAll('\n', end))).toEqual(value);
  });

  it.each(table)('refuses %s', (_, text, problem) => {
    expect(refused(text)).toMatchObject(problem);
  });

  it('takes a script in place of an agent; variables in it are one word of a shell each', () => {
    const read = readCampaignFile(
      'name: Bump\nrepositories:\n  - {repo: acme/api, vars: {to: "1; rm -rf /"}}\nscript: npx bump {{to}}',
    );
    expect(read).toMatchObject({
      value: { script: 'npx bump {{to}}', order: { engine: 'script', goal: 'Bump' } },
    });
    const order = aCampaign({ repos: ['acme/api'] });
    const run = { ...order.run, engineArgs: ['npx bump {{to}}'] };
    expect(
      orderForTarget('c-aaaaaa', { ...order, run }, { repo: 'acme/api', vars: { to: "1; rm -rf '/'" } })
        .engineArgs,
    ).toEqual([`npx bump '1; rm -rf '\\''/'\\'''`]);
  });

  it('F5: braces of other languages can be written, in a script and in a title', () => {
    const read = (more: string) => refused(`name: Role\nrepositories: [acme/api]\n${more}`);
    expect(
      read(`script: sed -i 's/{{{{ app_user }}}}/root/' role.yml\ntitle: 'ci: use \${{ github.ref }}'`),
    ).toMatchObject({
      script: "sed -i 's/{{{{ app_user }}}}/root/' role.yml",
      order: { title: 'ci: use ${{ github.ref }}' },
    });
    const run = {
      ...aCampaign().run,
      title: 'ci: use ${{ github.ref }} in {{{{ name }}}} of {{name}}',
      engineArgs: ["sed -i 's/{{{{ app_user }}}}/root/' role.yml"],
    };
    expect(orderForTarget('c-aaaaaa', { run }, { repo: 'acme/api', vars: {} })).toMatchObject({
      title: 'ci: use ${{ github.ref }} in {{ name }} of api',
      engineArgs: ["sed -i 's/{{ app_user }}/root/' role.yml"],
    });
    const unknown = read("script: sed -i 's/{{ app_user }}/root/' role.yml");
    expect(unknown).toEqual({ kind: 'variable', name: 'app_user', repo: 'acme/api' });
    expect([
      sayRecord(enTexts.problems, unknown as CommandProblem),
      sayRecord(LANGUAGE_TEXTS.zh.problems, unknown as CommandProblem),
    ]).toEqual([
      expect.stringContaining('write {{{{app_user}}}}.'),
      expect.stringContaining('请写成 {{{{app_user}}}}。'),
    ]);
  });

  it('F5: a value of a name that cannot be quoted is refused where all have it, and left to the preview where one has', () => {
    const file = (repos: string) => `name: a\nrepositories: [${repos}]\nscript: sed -i s/x/{{name}}/ f`;
    expect(refused(file('acme/a+b'))).toEqual({ kind: 'misplaced', name: 'name', repo: 'acme/a+b' });
    expect(refused(file('acme/a+b, acme/b'))).toMatchObject({ named: [{}, {}] });
    const sought = 'name: a\nquery: org:acme\nscript: sed -i s/x/{{name}}/ f';
    expect(refused(sought)).toMatchObject({ queries: [{}] });
  });

  it('fills in the base branch as well', () => {
    const order = aCampaign({ repos: ['acme/api'] });
    const run = { ...order.run, base: 'release/{{name}}' };
    const made = orderForTarget('c-aaaaaa', { ...order, run }, { repo: 'acme/api', vars: {} });
    expect(made.base).toBe('release/api');
  });
});

describe('a list in a file', () => {
  it('takes names and links, one or several a line, with remarks and bullets', () => {
    const read = readList(
      '# ours\nacme/api  # the first\n- acme/web, acme/cli\n1. git@github.com:acme/x.git\n\n',
    );
    expect(read).toMatchObject({
      named: ['acme/api', 'acme/web', 'acme/cli', 'acme/x'].map((repo) => ({ repo })),
    });
  });

  const listed = (text: string): unknown => {
    const read = readList(text);
    return 'problem' in read ? read.problem : read.named.map(({ repo, vars }) => ({ repo, ...vars }));
  };
  const abc = [{ repo: 'acme/a' }, { repo: 'acme/b' }, { repo: 'acme/c' }];

  it.each([
    ['lines that end in CR alone, with remarks', 'acme/a\racme/b # ours\racme/c'],
    ['lines of Windows, with a mark of their encoding', '\uFEFFacme/a\r\nacme/b\r\nacme/c\r\n'],
    [
      'tasks of an issue with links',
      '- [acme/a](https://github.com/acme/a)\n- [x] `acme/b`\n* [ ] **acme/c**',
    ],
    ['a list with commas at its ends', '"acme/a",\n"acme/b",\n"acme/c",'],
    ['JSON', '["acme/a", "acme/b", "acme/c"]'],
    ['addresses for git', 'acme/a.git\ngit@github.com:acme/b.git\nssh://git@github.com/acme/c.git'],
    ['signs that nobody sees', 'acme/a\u00A0\u200Bacme/b\n\u200Bacme/c\u200B'],
    [
      'a table of an issue',
      '| repo |\n|---|\n| acme/a |\n| acme/b |\n| [acme/c](https://github.com/acme/c) |',
    ],
  ])('F5: understands %s', (_, text) => {
    expect(listed(text)).toEqual(abc);
  });

  it('F5: a table names its columns; what stands beside a repository is its own', () => {
    const table = 'Team;Repository;Why so\nweb;acme/a;"a; b"\n\n"core ""one""";https://github.com/acme/b;\n';
    expect(listed(table)).toEqual([
      { repo: 'acme/a', Team: 'web' },
      { repo: 'acme/b', Team: 'core "one"' },
    ]);
    expect(listed('repo,stars\nacme/a,12\nnobody,3')).toEqual({ kind: 'line', line: 3, text: 'nobody,3' });
    // Without names of columns nobody knows what the rest is.
    expect(listed('acme/a,12')).toEqual({ kind: 'line_more', line: 1, text: 'acme/a,12' });
  });

  it('F5: a repository of another server is one of that server', () => {
    const read = readList('git@ghes.acme.com:acme/a.git\nhttps://ghes.acme.com/acme/b/tree/main');
    const hosts = 'problem' in read ? read : read.named.map(({ host }) => host);
    expect(hosts).toEqual(['ghes.acme.com', 'ghes.acme.com']);
  });

  it('F5: where port 22 is closed, GitHub is GitHub as well', () => {
    expect(readList('ssh://git@ssh.github.com:443/acme/a.git')).toMatchObject({
      named: [{ host: 'github.com', repo: 'acme/a' }],
    });
  });

  it('leaves links in the goal as they are', () => {
    expect(
      readCampaignOrder('[acme/a](https://github.com/acme/a) Read [this](https://x.io) first'),
    ).toMatchObject({
      value: { named: [{ repo: 'acme/a' }], order: { goal: 'Read [this](https://x.io) first' } },
    });
  });

  it('F5: reads 5,000 lines of tasks', () => {
    const lines = Array.from(
      { length: 5_000 },
      (_, i) => `- [ ] [acme/r${i}](https://github.com/acme/r${i}),`,
    );
    expect(listed(lines.join('\r\n'))).toHaveLength(5_000);
    for (const sign of ['[', ']', '"', '|', '[]('])
      expect(listed(sign.repeat(100_000))).toMatchObject({ kind: 'line', line: 1 });
  });

  it.each([
    ['an address that ends in a slash', 'acme/a/\nhttps://github.com/acme/b/\nacme/c.git'],
    [
      'JSON of a program, in one line',
      '[{"nameWithOwner":"acme/a"},{"full_name":"acme/b","x":1},{"repo":"acme/c"}]',
    ],
    ['names in JSON', '["acme/a", "https://github.com/acme/b/issues/3?x=1#y",\n"git@github.com:acme/c.git"]'],
    [
      'lines of JSON',
      '{"full_name":"acme/a","stars":3}\n{"full_name":"acme/b"}\n\n{"html_url":"https://github.com/acme/c"}\n',
    ],
    [
      'what `gh repo list` prints into a file',
      'acme/a\tTools, for the web; see acme/site\tpublic\t2026-11-02T10:00:00Z\nacme/b\t\tpublic, fork\t\nacme/c\tacme/a as it was\tprivate\t2020-01-01T00:00:00Z\n',
    ],
    ['a table with empty rows', '\ufeffrepo,team\r\nacme/a,\r\n,\r\n"acme/b",\r\n\r\nacme/c,\r\n'],
  ])('F5: reads a list as people have it: %s', (_, text) => {
    const read = readList(text);
    expect('named' in read && read.named.map(({ repo }) => repo)).toEqual(['acme/a', 'acme/b', 'acme/c']);
  });

  it('F5: other fields of JSON are variables, and an entry without a repository is named', () => {
    expect(readList('[{"repo":"acme/a","team":"web","stars":3}]')).toMatchObject({
      named: [{ repo: 'acme/a', vars: { team: 'web' } }],
    });
    expect(readList('[{"repo":"acme/a"},{"name":"b"}]')).toEqual({
      problem: { kind: 'line', line: 2, text: '{"name":"b"}' },
    });
  });

  it('F5: a list of ten megabytes is refused with the limit', () => {
    const refused = { problem: { kind: 'list_long', most: 20_000 } };
    expect(readList('acme/a\n'.repeat(1_500_000))).toEqual(refused);
    expect(readList('acme/a '.repeat(1_500_000))).toEqual(refused);
  });

  it('F5: a second document in a campaign file is refused and not forgotten', () => {
    const read = readCampaignFile('name: N\ngoal: G\nrepositories: [acme/a]\n---\nname: X\n');
    expect(read).toMatchObject({ problem: { kind: 'file_documents', line: 4 } });
  });

  it('refuses a line that names no repository, with its number', () => {
    expect(readList('acme/api\nwhat is this')).toEqual({
      problem: { kind: 'line', line: 2, text: 'what is this' },
    });
  });

  it('takes the goal from beside it', () => {
    const listed = readList('acme/api\nacme/web');
    if ('problem' in listed) throw new Error('it is a list');
    for (const goal of ['CI/CD pipeline caching', 'Fix it engine=codex', 'Fix it\nacme/other'])
      expect(readCampaignOrder(goal, listed, [])).toMatchObject({
        value: { named: listed.named, order: { goal, engine: null } },
      });
    expect(readCampaignOrder('Fix the link engine=codex', listed)).toMatchObject({
      value: {
        named: [{ repo: 'acme/api' }, { repo: 'acme/web' }],
        order: { goal: 'Fix the link', engine: 'codex' },
      },
    });
  });
});

describe('what is looked for', () => {
  const read = (text: string) => {
    const got = readCampaignOrder(text);
    return 'problem' in got ? got.problem : { ...got.value.order, ...got.value };
  };
  const team = { by: 'team', text: 'acme/platform' };
  const code = { by: 'code', text: 'filename:.nvmrc org:acme language:go' };

  it.each([
    ['org:acme Fix it', [{ by: 'org', text: 'acme' }]],
    ['acme/a team:acme/platform, Fix it', [team]],
    ['code:"filename:.nvmrc org:acme language:go" Fix it', [code]],
    ['code:“filename:.nvmrc org:acme language:go” Fix it', [code]],
    ['code:\'"two words" org:acme\' Fix it', [{ by: 'code', text: '"two words" org:acme' }]],
    ['repos:topic:cli Fix it', [{ by: 'repos', text: 'topic:cli' }]],
    ['Fix it\n- org:acme\n- team:acme/platform', [{ by: 'org', text: 'acme' }, team]],
  ])('F5: %s', (text, queries) => {
    expect(read(text)).toMatchObject({ queries, goal: 'Fix it' });
  });

  it('leaves what the goal says alone', () => {
    expect(read('acme/a Say org:acme in the text')).toMatchObject({
      queries: [],
      goal: 'Say org:acme in the text',
    });
    expect(read('org:../x Fix it')).toEqual({ kind: 'no_list' });
    expect(read('org:acme')).toEqual({ kind: 'no_goal' });
    expect(read('org:acme Fix {{team}}')).toEqual({ kind: 'variable', name: 'team', repo: 'org:acme' });
    expect(read(`${Array.from({ length: 11 }, (_, i) => `org:a${i}`).join(' ')} Fix it`)).toEqual({
      kind: 'queries',
      most: 10,
    });
  });

  it('F5: a campaign file has a query, with repositories or without', () => {
    const file = 'name: a\ngoal: Fix {{name}}\n';
    expect(readCampaignFile(`${file}query: code:filename:.nvmrc org:acme language:go`)).toMatchObject({
      value: { named: [], queries: [code] },
    });
    expect(readCampaignFile(`${file}query: [org:acme, 'code:"a b"']\nrepositories: [acme/x]`)).toMatchObject({
      value: {
        named: [{ repo: 'acme/x' }],
        queries: [
          { by: 'org', text: 'acme' },
          { by: 'code', text: 'a b' },
        ],
      },
    });
    expect(refused(`${file}query: language:go`)).toEqual({ kind: 'query', text: 'language:go' });
    expect(refused(file)).toEqual({ kind: 'file_repos' });
  });

  it('a query that was read is written so that it is read as the same', () => {
    for (const query of [team, code, { by: 'code', text: '"a b" c' }]) {
      const is = RepoQuery.parse(query);
      expect(parseRepoQuery(formatRepoQuery(is))).toEqual(is);
    }
  });
});

describe('who takes part', () => {
  const fine: TargetFacts = { there: null, banned: false, run: null };
  const fits = () => null;
  const there = (name: string, more: Partial<RepoThere> = {}): RepoThere => ({
    name,
    archived: false,
    reachable: true,
    id: name,
    forkOf: null,
    ...more,
  });
  const named = (repos: readonly string[]) => repos.map((repo) => ({ repo, vars: {} }));

  it('F5: 5,000 lines with duplicates and renamed repositories come to one of each, each asked for twice at most', () => {
    const repos = Array.from({ length: 5_000 }, (_, i) => `${i % 7 === 0 ? 'ACME' : 'acme'}/r${i % 3_000}`);
    let asked = 0;
    const { targets, leftOut } = selectTargets(
      named(repos),
      (repo) => {
        asked += 1;
        return repo === 'acme/r1' ? { ...fine, there: there('acme/r2') } : fine;
      },
      fits,
    );
    expect(targets).toHaveLength(2_999);
    expect(leftOut).toHaveLength(2_001);
    expect(new Set(leftOut.map(({ why }) => why))).toEqual(new Set(['duplicate']));
    expect(asked).toBeLessThanOrEqual(2 * repos.length);
    expect(CampaignOrder.shape.targets.safeParse(targets).success).toBe(true);
  });

  it('counts all that is left out, also where not each is named', () => {
    const repos = Array.from({ length: 12_000 }, (_, i) => `acme/r${i}`);
    const { targets, leftOut, unnamed } = selectTargets(named([...repos, 'acme/r1']), () => fine, fits);
    expect([targets.length, leftOut.length]).toEqual([5_000, 5_000]);
    expect(unnamed).toEqual({ over_limit: 2_000, duplicate: 1 });
  });

  it('leaves out what is over the limit, and says so of each', () => {
    const { targets, leftOut } = selectTargets(named(['a/a', 'a/b', 'a/c']), () => fine, fits, 2);
    expect(targets).toHaveLength(2);
    expect(leftOut).toEqual([{ repo: 'a/c', why: 'over_limit', by: null }]);
  });

  it('leaves out a repository whose rules forbade it before', () => {
    const { leftOut } = selectTargets(
      named(['a/a', 'a/b']),
      (repo) => ({ ...fine, banned: repo === 'a/a' }),
      fits,
    );
    expect(leftOut).toEqual([{ repo: 'a/a', why: 'banned', by: null }]);
  });

  it('F5: of repositories that are forks of each other the one that they come from takes part, wherever it stands', () => {
    const facts: Record<string, RepoThere> = {
      'eve/api': there('eve/api', { forkOf: { root: 'acme/api' } }),
      'acme/api': there('acme/api'),
      'kim/old': there('kim/old', { forkOf: { root: 'acme/old' } }),
      'acme/old': there('acme/old', { archived: true }),
    };
    const thereOf = (repo: string): TargetFacts => ({ ...fine, there: facts[repo] ?? null });
    const sorted = selectTargets(named(Object.keys(facts)), thereOf, fits);
    expect(sorted.targets.map(({ repo }) => repo).sort()).toEqual(['acme/api', 'kim/old']);
    expect(sorted.leftOut).toEqual([
      { repo: 'eve/api', why: 'fork', by: 'acme/api' },
      { repo: 'acme/old', why: 'archived', by: null },
    ]);
  });

  it('F5: where the order cannot be, a repository is left out under its name of today, and its fork takes part', () => {
    const facts: Record<string, RepoThere> = {
      'eve/api': there('eve/api', { forkOf: { root: 'acme/.api' } }),
      'acme/api': there('acme/.api'),
      'acme/.old': there('acme/old'),
    };
    const thereOf = (repo: string): TargetFacts => ({ ...fine, there: facts[repo] ?? null });
    const unfit = { why: 'invalid_branch', by: 'chore/.api' } as const;
    const sorted = selectTargets(named(Object.keys(facts)), thereOf, ({ repo }) =>
      repo.includes('/.') ? unfit : null,
    );
    expect(sorted.targets.map(({ repo }) => repo).sort()).toEqual(['acme/old', 'eve/api']);
    expect(sorted.leftOut).toEqual([{ repo: 'acme/api', ...unfit }]);
  });

  const run = aCampaign().run;
  const api = { repo: 'acme/api', vars: {} };
  it.each<[string, Partial<typeof run>, CampaignTarget, UnfitTarget | null]>([
    ['a name that fits', { branch: 'chore/{{name}}', title: 'Fix {{name}}' }, api, null],
    [
      'a branch that git refuses',
      { branch: 'chore/{{name}}' },
      { repo: 'acme/.github', vars: {} },
      { why: 'invalid_branch', by: 'chore/.github' },
    ],
    [
      'a branch that is too long',
      { branch: 'b/{{x}}' },
      { ...api, vars: { x: 'y'.repeat(200) } },
      { why: 'invalid_branch', by: `b/${'y'.repeat(97)}…` },
    ],
    [
      'a base that git refuses',
      { base: 'release/{{x}}' },
      { ...api, vars: { x: 'a b' } },
      { why: 'invalid_base', by: 'release/a b' },
    ],
    [
      'a title that is too long',
      { title: '{{x}}' },
      { ...api, vars: { x: 'y'.repeat(201) } },
      { why: 'invalid_title', by: null },
    ],
    [
      'a title of one fix',
      {
        fixes: [
          { title: 'A {{x}}', goal: 'a' },
          { title: 'B', goal: 'b' },
        ],
      },
      { ...api, vars: { x: '\u0007' } },
      { why: 'invalid_title', by: null },
    ],
    ['a goal of nothing', { goal: '{{x}}' }, { ...api, vars: { x: '' } }, { why: 'invalid_goal', by: null }],
    [
      'a value that cannot be quoted',
      { checks: ['sh -c "{{x}}"'] },
      { ...api, vars: { x: 'a b' } },
      { why: 'invalid_command', by: '{{x}}' },
    ],
    [
      'a control character in a command',
      { engineArgs: ['echo {{x}}'] },
      { ...api, vars: { x: '\u0007' } },
      { why: 'invalid_command', by: null },
    ],
  ])('F5: says why an order cannot be in a repository: %s', (_, words, target, why) => {
    expect(checkFilledOrder('c-aaaaaa', { run: { ...run, ...words } }, target)).toEqual(why);
  });

  it('F5: what is wrong in every repository is no reason of one', () => {
    expect(() => checkFilledOrder('no id', { run }, api)).toThrow('campaign');
  });

  it('estimates nothing from runs that never came to anything', () => {
    expect(estimateFor(3, [])).toBeNull();
  });
});
