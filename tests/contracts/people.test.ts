/** Who may do what, in which language, and the answers that only show something. */
import { readConfig } from '../../app/config.ts';
import { ConfigError } from '../../app/config-error.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandFormOf, listHelpCommands, listMenuCommands } from '../../bot/language/command-forms.ts';
import { HELP_TOPICS } from '#commands';
import { TYPED_COMMANDS, type HostFinding, LANGUAGE_TEXTS } from '#language';
import { joinParts } from '../../bot/text/sentence-catalogue.ts';
import { sayRecord } from '#chat-text';
import { LANGUAGE_CODES } from '../../bot/language/languages.ts';
import { CheckResult } from '#model/evidence';
import { RULE_KINDS } from '#model/contract';
import type { ValidationIssue, UserRole } from '#model/settings';
import { commandRow } from '../../orchestrator/commands/read-command.ts';
import { read } from '../support/typed.ts';
import { parseCommand } from '../../bot/commands/parse-command.ts';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { ANONYMOUS_ADMIN } from '../../bot/commands/read-telegram-update.ts';
import { parseHtml } from '#playground';
import { ANA, BO, STRANGER, VIC, createChatWorld } from '../support/chat-world.ts';

const en = LANGUAGE_TEXTS.en;
const zh = LANGUAGE_TEXTS.zh;

/**
 * Every text of a language by its place; those that take something are given some numbers. What is
 * said of records has a test of its own.
 */
type Teller = (...given: unknown[]) => unknown;
/** Most are given numbers and words; some lists, some what is wrong or where it came from. */
const tells = (value: Teller): unknown => {
  try {
    return (
      value(1, 2, 3, 4) ?? value({ kind: 'credential', parts: ['1'] }) ?? value({ kind: 'hook', hook: '1' })
    );
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return value(['1'], ['2'], ['3'], ['4']);
  }
};
const RECORDS = [
  'hostChecks',
  'environmentGap',
  'settingsIssue',
  'unknownSettings',
  'stopReason',
  'toolMismatch',
  'hostFinding',
  'riskFlag',
  'databaseFault',
  'expected',
  ...[
    'reasons',
    'refusals',
    'notes',
    'feedback',
    'judgement',
    'findingNote',
    'checkWhys',
    'misfit',
    'file_value',
    'file_faults',
    'misplaced',
    'hostRefused',
    'failedInDetail',
  ],
  ...['voiceProblems', 'changedSince', 'changedRules', 'failureDetails', 'hostRefusals', 'findingNotes'],
  ...['expected', 'expectedValues', 'misfits', 'marks', 'secretName', 'wayRefused', 'refused'],
  ...[
    'settingIssues',
    'judgements',
    'ruleAsks',
    'notModified',
    'rule',
    'commandType',
    'describePolicy',
    'describeOwnPolicy',
    'explained',
  ],
  ...['knowsFailure', 'parties', 'permissions', 'came', 'source', 'wish'],
];
const texts = (table: object, at = ''): [string, string][] =>
  Object.entries(table).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    if (RECORDS.includes(key)) return [];
    if (typeof value === 'string') return [[`${at}${key}`, value]];
    const said = typeof value === 'function' ? tells(value as Teller) : value;
    if (typeof said === 'object' && said !== null) return texts(said, `${at}${key}.`);
    return [[`${at}${key}`, String(said)]];
  });

it('G3: an admin of the configuration stays one, whatever anybody wrote down', async () => {
  const row = { id: '1', name: 'Ana', role: 'viewer' } as const;
  const roles = createChatRoles({
    users: { user: async () => row, users: async () => [row] },
    adminIds: ['1'],
  });
  const ana = { role: 'admin', name: 'Ana', fixed: true };
  expect(await roles.of('1')).toEqual(ana);
  expect(await roles.everybody()).toEqual([{ id: '1', ...ana }]);
});

describe('the commands', () => {
  it('C1: each is in the help and in the menu of every language, and is understood', () => {
    for (const language of LANGUAGE_CODES) {
      const words = LANGUAGE_TEXTS[language];
      const help = HELP_TOPICS.flatMap((topic) => listHelpCommands(words, topic, 'admin'));
      const menu = [
        ...listMenuCommands(words, { role: 'admin', group: false }),
        ...listMenuCommands(words, null),
      ];
      for (const command of TYPED_COMMANDS) {
        const [name] = commandRow(command).names;
        const form = commandFormOf(command, words);
        const does = words.commands.does[command];
        expect(form).toMatch(new RegExp(`^/${name}( |$)`));
        if (command !== 'greet') expect(help.find((h) => h.form === form)?.does).toBe(does);
        expect(menu.find((m) => m.command === name)?.description).toBe(does);
        const typed = parseCommand(`/${name}`, null);
        expect([typed.kind, 'command' in typed ? typed.command : '']).toContain(command);
      }
      expect(help).toHaveLength(menu.length - 1);
    }
    expect(
      listMenuCommands(zh, { role: 'admin', group: false }).every((m) =>
        /\p{Script=Han}/u.test(m.description),
      ),
    ).toBe(true);
  });

  it('C1: a menu has what its reader may give: by role, in a group, and for somebody unknown', () => {
    const menu = (...reader: Parameters<typeof listMenuCommands>) =>
      listMenuCommands(...reader).map((m) => m.command);
    const of = (role: UserRole) => menu(en, { role, group: false });
    expect(of('viewer')).not.toContain('new');
    expect(of('operator')).toContain('new');
    expect(of('operator')).not.toContain('deny');
    expect(of('approver')).toContain('approve_open_pr');
    expect(of('approver')).not.toContain('users');
    expect(of('admin')).toContain('users');
    expect(menu(en, null)).toEqual(['start']);
    expect(menu(zh, { role: 'approver', group: true })).not.toContain('approve_open_pr');
  });

  it('C1: every text of the bot exists in Chinese, and is Chinese', () => {
    const other = new Map(texts(zh));
    for (const [place, text] of texts(en)) {
      const said = other.get(place) ?? '';
      expect(said, place).not.toBe('');
      const named =
        /^(code|name|commands\.(args\.\w+|run)|diff\.caption|lackedThings\.docker|(?:connection|setup)\.party\.\w+)$/.test(
          place,
        ) || !/[a-z]{3}/i.test(text.replaceAll(/\{\$\w+\}/g, ''));
      if (!named) expect(said, place).toMatch(/\p{Script=Han}/u);
    }
    expect(other.size).toBe(texts(en).length);
  });

  it('O2: every finding of doctor and start is a sentence in Chinese, with what to do where something is wrong', () => {
    const LISTS = ['names', 'missing', 'scopes', 'has', 'weaknesses', 'direct', 'unreadable'];
    const valueOf = (field: string): unknown => {
      if (field === 'way') return { host: 'h1', proxy: 'p1' };
      if (LISTS.includes(field)) return field === 'missing' ? [{ name: 'contents', level: null }] : ['x1'];
      return field === 'party' ? 'model' : field.startsWith('is') ? false : field === 'step' ? null : 'x1';
    };
    const named = readFileSync('bot/sentences/en.ftl', 'utf8').match(/(?<=\$)\w+/g) ?? [];
    const fields = Object.fromEntries(named.map((field) => [field, valueOf(field)]));
    const detail = { kind: 'not_reached', party: 'chat', why: 'x1' };
    for (const kind of Object.keys(zh.hostChecks)) {
      const { says, fix } = zh.hostFinding({ ...fields, detail, kind } as unknown as HostFinding);
      const shown = `${says} ${fix}`.replaceAll('x1', '');
      expect(shown, kind).not.toMatch(/undefined|null|\[object/);
      expect(
        /\p{Script=Han}/u.test(shown) || !/[a-z]{3}/.test(shown.replaceAll('libuv', '')),
        `${kind}: ${shown}`,
      ).toBe(true);
    }
  });

  it('O3: what is wrong with a setting is said in Chinese, in whole sentences', () => {
    const good = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'x' };
    const wrong: [Record<string, string>, object][] = [
      [{ TELEGRAM_ADMIN_IDS: 'ana', AGENTPR_HTTP_PORT: 'x', DATABASE_URL: 'x' }, {}],
      [{ AGENTPR_BUCKET_URL: 'x', OTEL_EXPORTER_OTLP_ENDPOINT: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'x' }, {}],
      [{ TELEGRAM_API_ALLOW_HTTP: 'no', AGENTPR_PUBLIC_URL: 'http://x', GITHUB_WEBHOOK_SECRET: 'x' }, {}],
      [{ AGENTPR_ENGINE: 'gpt', TELEGRAM_BOT_TOKEN: '' }, {}],
      [{ GITHUB_TOKEN: '' }, {}],
      [{ AGENTPR_TOKEN: 'x', GITHUB_TOKN: 'x' }, {}],
      [{}, { author: { name: '<', email: 'a@b.example' }, a: 1, checkTimeoutMinutes: 'x' }],
      [
        {},
        { author: { name: '.', email: 'x' }, arrivals: { issues: [{ repositories: ['x'], label: 'a,b' }] } },
      ],
      [{}, { arrivals: { hooks: { one: { secret: 'GITHUB_TOKEN' }, two: { secret: '1' } } } }],
      [{}, { chat: { model: { provider: 'openai', name: 'm', key: '1', url: 'http://x.example' } } }],
    ];
    for (const [env, file] of wrong) {
      const read = () => readConfig({ ...good, ...env }, JSON.stringify(file), '/tmp', Object.keys(env));
      expect(read).toThrow(ConfigError);
      const error = (() => {
        try {
          return read();
        } catch (one) {
          return one as ConfigError;
        }
      })();
      const said = 'inWords' in error ? error.inWords(zh) : '';
      expect(said).toMatch(/\p{Script=Han}/u);
      expect(said.replaceAll(/[`"][^`"]*[`"]|Ana Example/g, '')).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/);
    }
  });

  it('C1: what does not fit in a file is said in each language, with its key and what stands there', () => {
    const value: ValidationIssue = {
      kind: 'value',
      path: ['repositories', 1, 'vars'],
      found: '"x"',
      may: { kind: 'table' },
    };
    const all: ValidationIssue[] = [
      value,
      { ...value, found: null },
      { ...value, may: { kind: 'either', some: [{ kind: 'whole' }, { kind: 'one_of', all: 'x, y' }] } },
      { ...value, may: { kind: 'most', of: 'text', n: 2_000 } },
      { kind: 'unknown', path: ['repositories', 1, 'vars'], key: 'x', near: null, known: ['y'] },
    ];
    for (const one of all) {
      for (const words of [en, zh])
        expect(words.misfit(one, 'campaign.yml')).toContain('repositories #2.vars');
      expect(sayRecord(zh.problems, { kind: 'file_value', line: 4, misfit: one })).toMatch(/第 4 行/);
      expect(zh.misfit(one, 'campaign.yml')).toMatch(/\p{Script=Han}/u);
      expect(en.misfit(one, 'campaign.yml')).not.toMatch(/\p{Script=Han}/u);
    }
  });

  it.each([
    ['/fix r7k2 Say  salut', { kind: 'fix', run: 'r7k2', instruction: 'Say  salut' }],
    ['/fix r7k2', { kind: 'wrong', why: 'Say what to fix.' }],
    ['/log r7k2', { kind: 'log', run: 'r7k2', step: null }],
    ['/log r7k2 check 1', { kind: 'log', run: 'r7k2', step: 'check 1' }],
    ['/plan r7k2', { kind: 'plan', run: 'r7k2' }],
    ['/budget r7k2 x', { kind: 'wrong', command: 'budget' }],
    ['/settings', { kind: 'settings', setting: null }],
    ['/settings language ZH', { kind: 'settings', setting: { what: 'language', to: 'zh' } }],
    ['/settings language auto', { setting: { what: 'language', to: 'auto' } }],
    ['/settings signoff Ana B. <Ana@x.org>', { setting: { what: 'signoff', to: 'Ana B. <Ana@x.org>' } }],
    ['/settings signoff off', { setting: { what: 'signoff', to: '' } }],
    ...['Ana', 'ana@x.org', '<ana@x.org>', 'Ana <ana>', 'Ana <a@x.org> <b@x.org>', 'Ana <a@x.org>, Bo'].map(
      (as): [string, object] => [`/settings signoff ${as}`, { kind: 'wrong', command: 'settings' }],
    ),
    ['/settings signoff', { kind: 'wrong', command: 'settings' }],
    ...['... <ana@x.org>', '"" <ana@x.org>', '@ana <ana@x.org>', 'An\u200ba <ana@x.org>'].map(
      (as): [string, object] => [
        `/settings signoff ${as}`,
        { kind: 'wrong', why: expect.stringMatching(/^The name is.*Name <email>/) as string },
      ],
    ),
    ...['Ana <ana>', 'Ana <>', 'Ana <.@.>', "Ana <'ana@x.org>", 'Ana <ana@x>'].map((as): [string, object] => [
      `/settings signoff ${as}`,
      { kind: 'wrong', why: expect.stringMatching(/is not an email address.*Name <email>/) as string },
    ]),
    ['/settings zh', { kind: 'wrong', command: 'settings' }],
    ['/users', { kind: 'users', change: null }],
    [
      '/users add 10 Operator Olga O.',
      { change: { op: 'add', id: '10', role: 'operator', name: 'Olga O.' } },
    ],
    ['/users add 10 approver', { change: { op: 'add', id: '10', role: 'approver', name: null } }],
    ['/users add @olga viewer', { change: { op: 'add', id: '@olga', role: 'viewer', name: null } }],
    ['/users add 10 root', { kind: 'wrong', why: expect.stringContaining('root is not a role') as string }],
    ['/users add 10', { kind: 'wrong', command: 'users' }],
    ['/users remove 10', { change: { op: 'remove', id: '10' } }],
    ['/users remove 10 now', { kind: 'wrong', command: 'users' }],
    ['/users promote 10', { kind: 'wrong', command: 'users' }],
  ])('C1: reads %s', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });
});

describe('languages', () => {
  it('C1: a chat is spoken to as its person’s Telegram says, until they choose; a run speaks as its chat', async () => {
    const w = await createChatWorld();
    w.speaks(ANA, 'zh-hans');
    expect((await w.says('/pending'))[0]).toBe(zh.fleet.calm);
    await w.readyRun();
    expect(w.messages.some((m) => m.text.startsWith('在 acme/api 创建这个拉取请求？'))).toBe(true);
    expect((await w.says('/pending', { by: BO }))[0]).toContain('1 run is waiting');
    expect(await w.says('/settings language en')).toEqual(['Language of this chat: English']);
    expect((await w.says('/pending'))[0]).toContain('1 run is waiting');
    expect(await w.says('/settings language auto')).toEqual(['本聊天现在使用中文。']);
    w.speaks(ANA, 'de');
    expect((await w.says('/pending'))[0]).toContain('1 run is waiting');
    await w.taps('创建 PR', {
      on: w.messages.find((m) => m.buttons.flat().some((b) => /^创建 PR/.test(b.text))),
    } as object);
    expect(w.messages.flatMap((m) => m.buttons.flat().map((b) => b.text))).toContain('Confirm');
  });

  it('C1: a group has a language of its own, which operators choose and nobody’s Telegram does', async () => {
    const w = await createChatWorld();
    w.speaks(ANA, 'zh');
    const there = { chat: '-50' };
    expect((await w.says('/pending', there))[0]).toBe(en.fleet.calm);
    expect(await w.says('/settings language zh', { ...there, by: VIC })).toEqual([en.settings.group]);
    await w.says('/settings language zh', there);
    expect((await w.says('/pending', { ...there, by: VIC }))[0]).toBe(zh.fleet.calm);
    expect((await w.says('/pending', { by: VIC }))[0]).toBe(en.fleet.calm);
  });

  it('C1: /settings tells who one is, how one is spoken to, and how news come in', async () => {
    const w = await createChatWorld();
    expect((await w.says('/settings', { by: BO }))[0]?.split('\n').slice(0, 5)).toEqual([
      'You are 8, approver.',
      'Language of this chat: English (follows what you write; a button below keeps it)',
      'You do not sign off commits.',
      'Quiet hours: none.',
      'Messages arrive by polling.',
    ]);
    await w.says('/settings language zh', { by: BO });
    expect((await w.says('/settings', { by: BO }))[0]).toContain('本聊天的语言：中文\n');
  });
});

describe('rights', () => {
  it('G3: admins give and take them, by numeric id, and they count at once', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect(await w.says('/users add 10 operator Olga')).toEqual([
      'Recorded. Olga (10) has the role operator now.',
    ]);
    expect((await w.says('/users'))[0]?.split('\n')).toEqual([
      'Who may do what',
      '7 · admin · set on the host',
      '10 Olga · operator',
      '8 Bo · approver',
      '9 Vic · viewer',
      expect.stringContaining('/users [add') as string,
    ]);
    for (const id of ['@olga', '-10', '010'])
      expect(await w.says(`/users add ${id} viewer`)).toEqual([
        `${id} is not a person’s id; /settings shows your own.`,
      ]);
    await w.says(`/pause ${run.id}`, { by: '10' });
    expect((await w.run(run.id)).lifecycle.state).toBe('PAUSED');
    expect(await w.says('/users remove 10')).toEqual(['Recorded. Olga (10) no longer has any rights.']);
    expect((await w.says(`/resume ${run.id}`, { by: '10' }))[0]).toContain('I do not know you yet');
    expect((await w.run(run.id)).lifecycle.state).toBe('PAUSED');
    expect(await w.says('/users remove 10')).toEqual(['I do not know 10.']);
    expect(await w.says('/users add 9 approver')).toEqual(['Recorded. Vic (9) has the role approver now.']);
  });

  it('G3: given to a second account are those of its person', async () => {
    const w = await createChatWorld({ accounts: { '90': VIC } });
    expect(await w.says('/users add 90 operator')).toEqual(['Recorded. Vic (9) has the role operator now.']);
    expect(await w.ledger.query.user('90')).toBeNull();
    expect(await w.says('/users remove 90')).toEqual(['Recorded. Vic (9) no longer has any rights.']);
    expect(await w.ledger.query.user(VIC)).toBeNull();
  });

  it('G3: an invitation says how to join this chat, and names no other service', async () => {
    const w = await createChatWorld({ invitationText: (code) => `start ${code}` });
    const [said = ''] = await w.says('/users invite');
    expect(said).toMatch(/: start \w{8}$/);
    expect(said).not.toContain('t.me');
  });

  it('G3: nobody else changes or sees them, and nobody changes those of the configuration', async () => {
    const w = await createChatWorld();
    for (const text of ['/users', '/users add 8 admin', '/users remove 7'])
      expect(await w.says(text, { by: BO }), text).toEqual(['Only admins may do that; ask an admin.']);
    expect(await w.says('/users add 666 admin', { by: STRANGER })).toEqual([
      expect.stringContaining('I do not know you yet') as string,
    ]);
    for (const text of [`/users add ${ANA} viewer`, `/users remove ${ANA}`])
      expect((await w.says(text))[0], text).toContain('TELEGRAM_ADMIN_IDS');
    expect(await w.ledger.query.users()).toHaveLength(2);
    expect(await w.ledger.query.user(ANA)).toBeNull();
  });

  it('G4: the account that all anonymous admins share gets none', async () => {
    const w = await createChatWorld();
    expect((await w.says(`/users add ${ANONYMOUS_ADMIN} admin`))[0]).toContain('every anonymous admin');
    expect(await w.ledger.query.user(ANONYMOUS_ADMIN)).toBeNull();
  });

  it('C1: a stranger gets nothing of all this but the hint, whatever their language', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    w.speaks(STRANGER, 'zh');
    const before = w.messages.length;
    await w.says('/settings language zh', { by: STRANGER });
    for (const text of [`/fix ${run.id} x`, `/log ${run.id}`, '/users', '/settings'])
      await w.says(text, { by: STRANGER });
    expect(w.messages.slice(before).map((m) => m.text)).toEqual([en.roles.stranger(STRANGER)]);
    expect(await w.ledger.query.setting(`language:${STRANGER}`)).toBeNull();
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });
});

describe('what is on record', () => {
  it('C8: kinds of rules and ends of attempts are words in each language', () => {
    const ends = ['running', 'completed', 'interrupted', 'asked', ...CheckResult.shape.outcome.options];
    for (const end of ends) expect(zh.log.outcome(end), end).toMatch(/\p{Script=Han}/u);
    for (const said of [
      ...ends.map(en.log.outcome),
      ...RULE_KINDS.flatMap((k) => [en, zh].map((l) => l.plan.rule(k))),
    ])
      expect(said).not.toMatch(/_/);
    const rules = RULE_KINDS.filter((kind) => kind !== 'dco' && kind !== 'cla');
    for (const kind of rules) expect(zh.plan.rule(kind), kind).toMatch(/\p{Script=Han}/u);
    expect(zh.log.outcome('env_missing')).toBe('env_missing');
  });

  it('C8: no space follows full-width punctuation', () => {
    expect(joinParts(zh.replies.noRun('a1'), null, zh.replies.recent, 'b2', '')).toBe(
      '没有任务 a1。最近的任务：b2',
    );
    expect(joinParts(en.replies.noRun('a1'), en.replies.recent)).toMatch(/\. \S/);
  });

  it('C5, P5: /log sends the newest output without its secrets, and its caption can do nothing', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect((await w.says(`/log ${run.id}`))[0]).toContain('has no output yet');
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const attempt = async (step: string, stdout: string | null): Promise<void> => {
      const which = { engine: null, model: null, promptHash: null, baseSha: null, containment: null };
      const row = { runId: run.id, step, command: 'npm test', startedAt: w.clock.now(), ...which };
      const id = await w.ledger.attempt.start({ ...row, pid: null, pidStart: null });
      if (stdout === null) return;
      const end = { exitCode: 1, outcome: 'failed', ms: 2_000, stderr: '', containment: null, model: null };
      await w.ledger.attempt.end(id, { ...end, stdout });
    };
    await attempt('test', 'old');
    await attempt('test', `\u001b[31m✗ greets\u001b[0m <b>@you /cancel ${run.id} ${secret}`);
    await attempt('lint', 'fine');
    await w.says(`/log ${run.id} TEST`);
    const sent = w.documents.at(-1);
    expect(sent).toMatchObject({
      name: `run-${run.id}-test-2.log`,
      content: `$ npm test\n\n✗ greets <b>@you /cancel ${run.id} [secret]`,
    });
    const kept = await w.ledger.query.artifact(run.id, `sha256:${hash('sha256', sent?.content ?? '')}`);
    expect(kept?.type).toBe('log');
    expect(sent?.caption).toContain('<code>test</code> #2 · failed · exit 1 · 2s');
    expect(sent?.caption).toContain('[secret]');
    expect(parseHtml(sent?.caption ?? '')).not.toHaveProperty('complaint');
    expect(sent?.caption.replace(/<code>[\s\S]*?<\/code>/g, '')).not.toMatch(/@you|\/cancel/);
    await w.says(`/log ${run.id}`);
    expect(w.documents.at(-1)?.content).toContain('fine');
    expect((await w.says(`/log ${run.id} deploy`))[0]).toBe(
      'There is no step deploy. There are: test, lint.',
    );
    await attempt('agent', null);
    expect((await w.says(`/log ${run.id}`))[0]).toContain('agent is still running');
    await attempt('big', '\u0001'.repeat(300_000));
    await w.says(`/log ${run.id}`);
    expect(w.documents.at(-1)?.content.length).toBeLessThanOrEqual(1_000_000);
    expect(w.documents.at(-1)?.caption.length).toBeLessThanOrEqual(1_024);
  });

  it('C1: /plan shows what was learned of the repository, with where it is written', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.ledger.step({
      runId: run.id,
      key: 'contract',
      cause: { kind: 'none' },
      now: w.clock.now(),
      plan: (before) => ({
        kind: 'write',
        event: { type: 'x', body: {}, at: 1 },
        effects: [],
        approvals: [],
        replies: [],
        run: patchRun(before ?? run, {
          lifecycle: { version: (before ?? run).lifecycle.version + 1 },
          target: {
            contract: {
              ecosystems: ['node'],
              packageManager: 'npm',
              tools: [],
              branchRule: 'fix/*',
              titleRule: 'conventional',
              template: 'x',
              riskFlags: ['install_scripts'],
              installs: [{ command: 'npm ci', dir: 'web', source: 'package.json' }],
              checks: [{ name: 'test', command: 'npm test', dir: '', source: 'package.json' }],
              rules: [{ kind: 'dco', quote: 'Sign @you', file: 'CONTRIBUTING.md', line: 3 }],
            },
          },
        }),
      }),
    });
    const [said] = await w.says(`/plan ${run.id}`, { by: VIC });
    for (const part of [
      'Built with node, npm',
      'Install npm ci · web/',
      'test npm test (package.json)',
      'DCO: “Sign @you” CONTRIBUTING.md:3',
      'branches are named fix/*',
      'titles follow Conventional Commits',
      'pull requests have a template',
      'Careful with install_scripts',
    ])
      expect(said).toContain(part);
    expect(w.messages.at(-1)?.html.replace(/<code>[\s\S]*?<\/code>/g, '')).not.toContain('@you');
    const [fresh] = await w.says('/new acme/api Fix it');
    expect((await w.says(`/plan ${/^Queued · acme\/api · (\w+)/.exec(fresh ?? '')?.[1]}`))[0]).toContain(
      'has not read',
    );
  });

  it('E6: /budget sets what was used against the bounds', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect((await w.says(`/budget ${run.id}`))[0]?.split('\n').slice(2)).toEqual([
      'agent and check time: 6 min of 90 min, 84 min left',
      'tokens: 150, no limit',
      'cost: not known (the price of the model is not known), no limit',
      'output of agents and checks: 0 MB of 512 MB, 512 MB left',
      'fixes after the pull request: 0 of 3, 3 left',
      'fixes of one step: 0 of 3, 3 left',
      '100 tokens read, 50 written',
      'Retries of this step: 0 of 2',
      `Raise one with /budget ${run.id} time|tokens|cost|output|iterations|fixes +…`,
    ]);
  });
});

it('S6: tells a member, and no stranger, of a message that was given up, without secrets', async () => {
  const world = await createChatWorld();
  const hears = async (id: string): Promise<string> => {
    const from = { id: Number(id), is_bot: false, first_name: 'P' };
    const message = {
      message_id: 1,
      date: 1,
      chat: { id: Number(id), type: 'private' },
      from,
      text: '/runs',
    };
    const [row] = await world.ledger.receive(
      [{ source: 'chat', key: `sorry${id}`, body: { update_id: Number(id), message } }],
      1,
    );
    const given = (await world.ledger.inbox(9)).find((r) => r.id === row?.id);
    return given ? JSON.stringify(await world.sorry(given, `no room, ghp_${'a1'.repeat(18)}`)) : 'not there';
  };
  expect(await hears(ANA)).toContain('I could not do that, and changed nothing: no room');
  expect(await hears(ANA)).not.toContain('a1a1a1');
  expect(await hears(STRANGER)).toBe('[]');
});
