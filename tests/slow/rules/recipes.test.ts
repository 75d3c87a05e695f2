/** Recipes of docs for contributors: each is done in a copy, which compiles and works without another file. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const NUMBERS: Readonly<Record<string, number>> = { Two: 2, Three: 3, Four: 4, Five: 5, Six: 6 };

/** A new file, or what is put before such words. */
type Edit = string | readonly (readonly [before: string, text: string])[];
/** `tests`: the body of a test that the copy passes; what only tests know is no file of the product. */
type Recipe = {
  page?: string;
  heading: string;
  files: Readonly<Record<string, Edit>>;
  cases?: Readonly<Record<string, Edit>>;
  test: string;
};

const sectionOf = ({ page = 'docs/contributing.md', heading }: Pick<Recipe, 'page' | 'heading'>): string => {
  const [, section = ''] = readFileSync(join(ROOT, page), 'utf8').split(`\n## ${heading}\n`);
  return section.split('\n## ')[0] ?? '';
};
/** The code that a recipe shows is what its copy has. */
const codeIn = (of: Pick<Recipe, 'page' | 'heading'>): string =>
  /^ *```ts\n(.*?)\n *```$/ms.exec(sectionOf(of))?.[1] ?? expect.fail(`${of.heading} shows no code`);

const INPUT = { heading: 'Add an input of the machine' };
const BUTTON = { heading: 'Add a button' };
const ENGINE = {
  page: 'docs/adding-an-engine.md',
  heading: 'An agent that speaks the Agent Client Protocol',
};

const inBothLanguages = (
  english: (readonly [before: string, text: string])[],
  chinese: (readonly [before: string, text: string])[],
): Record<string, Edit> => ({ 'bot/sentences/en.ftl': english, 'bot/sentences/zh.ftl': chinese });

const RECIPES: readonly Recipe[] = [
  {
    heading: 'Add a command',
    files: {
      'orchestrator/commands/command-table.ts': [
        [
          "  runs: showingRow('all',",
          "  praise: showingRow('all', { names: ['praise'], topic: 'look', takes: {} }),\n",
        ],
      ],
      'bot/commands/command-handlers.ts': [
        [
          '  runs: showRuns,',
          "  praise: (c) => settleUpdate(c, 'praise', plainReply(c.words.replies.praised(c.name))),\n",
        ],
        ['import { proposeSetting }', "import { plainReply, settleUpdate } from './command-context.ts';\n"],
      ],
      ...inBothLanguages(
        [
          ['commands-does-board =', 'commands-does-praise = says who did well\n'],
          ['proposal-does-pause =', 'proposal-does-praise = Say who did well\n'],
          ['replies-merge =', 'replies-praised = Well done, { $who }.\n'],
        ],
        [
          ['commands-does-board =', 'commands-does-praise = 说谁做得好\n'],
          ['proposal-does-pause =', 'proposal-does-praise = 说谁做得好\n'],
          ['replies-merge =', 'replies-praised = 做得好，{ $who }。\n'],
        ],
      ),
    },
    test: `
      const w = await createChatWorld();
      expect((await w.says('/praise')).join()).toContain('Well done, ');
      expect((await w.says('/help look')).join()).toContain('/praise');`,
  },
  {
    heading: 'Add a notice',
    files: {
      'orchestrator/notices/praise-notice.ts': `/** Tells admins of praise. */
import { z } from 'zod';
import type { SystemClock } from '#ports/processes';
import type { InboxRow } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

const Praise = z.object({ who: z.string(), admins: z.array(z.string()) });

export const notifyOfPraise = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { who, admins } = Praise.parse(row.body);
  const show = { view: 'note', note: { kind: 'praised', who } } as const;
  const reply = { slot: row.key, show, urgent: false, sound: false, runId: null };
  const replies = admins.map((chat) => ({ ...reply, chat }));
  await ledger.settleInbox(row.id, { kind: 'done', note: 'praise', replies }, clock.now());
};
`,
      'orchestrator/notices/notice-handlers.ts': [
        ['  spending: notifyOfSpending,', '  praise: notifyOfPraise,\n'],
        ['import { notifyOfSpending }', "import { notifyOfPraise } from './praise-notice.ts';\n"],
      ],
      'model/chat/chat-notes.ts': [
        ["  | { kind: 'edited_text_late';", "  | { kind: 'praised'; who: string }\n"],
      ],
      ...inBothLanguages(
        [['notes-edited_text_late =', 'notes-praised = { $who } says that it is well done.\n']],
        [['notes-edited_text_late =', 'notes-praised = { $who } 说做得好。\n']],
      ),
    },
    test: `
      const w = await createChatWorld();
      const body = { type: 'praise', who: 'Kim', admins: [ANA] };
      await w.receive([{ source: 'note', key: 'praise:1', body }]);
      expect(w.messages.at(-1)?.text).toContain('Kim says that it is well done.');`,
  },
  {
    heading: 'Add a policy',
    files: {
      'governor/policies/size-policies.ts': [
        [
          'export const sizePolicies',
          "const isPraise = ({ path }: FileChange): boolean => path === 'PRAISE.md';\n\n",
        ],
        [
          "  'max-diff-size': {",
          `  'no-praise': {
    asks: [escalateWhere(createFileQuestion('praised_file', isPraise))],
    version: 1,
    settings: [],
    card: 'shared',
  },\n`,
        ],
        [
          'import type { PolicyRows }',
          "import type { FileChange } from '#model/change';\nimport { escalateWhere, createFileQuestion } from '../policy-questions.ts';\n",
        ],
      ],
      'model/assessment/assessment-reasons.ts': [["  'exposed_credential',\n", "  'praised_file',\n"]],
      ...inBothLanguages(
        [
          [
            'policyAbout-no_secrets-guards =',
            'policyAbout-no_praise-guards = nobody praises itself\npolicyAbout-no_praise-escalates = a file praises its own project\n',
          ],
          [
            'judgements-exposed_credential =',
            'judgements-praised_file = praise is in { judgementsParts-paths }\n',
          ],
        ],
        [
          [
            'policyAbout-no_secrets-guards =',
            'policyAbout-no_praise-guards = 没有自夸\npolicyAbout-no_praise-escalates = 有文件夸自己的项目\n',
          ],
          ['judgements-exposed_credential =', 'judgements-praised_file = 自夸在 { judgementsParts-paths }\n'],
        ],
      ),
    },
    cases: {
      'tests/support/policy-cases.ts': [["  'max-diff-size': 'shared',", "  'no-praise': 'shared',\n"]],
    },
    test: `
      const { reasons } = assessAction(push({ files: [file('PRAISE.md')] }), context);
      expect(JSON.stringify(reasons)).toContain('praised_file');`,
  },
  {
    ...INPUT,
    files: {
      'orchestrator/kernel/rounds/on-operator-words.ts': [
        [
          'export const WORDS_COMMANDS = [',
          `const praiseRun = (d: StepDraft, by: { name: string }, words: string): HandlerRuling =>
  void addMessage(d, { view: 'note', note: { kind: 'agent_asked', question: \`\${by.name}: \${words}\` } });\n\n`,
        ],
        [
          '  /** E21: words of an operator to the agent of this run, whatever it does now. */',
          `${codeIn(INPUT)}\n`,
        ],
      ],
      'orchestrator/commands/command-table.ts': [
        [
          '  keep: steeringRow({',
          `  commend: steeringRow({
    names: ['commend'],
    topic: 'steer',
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.run.praise',
    gives: (by) => ({ type: 'command.run.praise', by, words: 'Well done.' }),
  }),\n`,
        ],
      ],
      ...inBothLanguages(
        [
          ['commandTypes-budget_raise =', 'commandTypes-run_praise = praised\n'],
          ['commands-does-board =', 'commands-does-commend = commend the run\n'],
          ['proposal-does-pause =', 'proposal-does-commend = Commend\n'],
          [
            'board-run-events-command_run_finish =',
            'board-run-events-command_run_praise = The run was praised\n',
          ],
        ],
        [
          ['commandTypes-budget_raise =', 'commandTypes-run_praise = 表扬\n'],
          ['commands-does-board =', 'commands-does-commend = 表扬任务\n'],
          ['proposal-does-pause =', 'proposal-does-commend = 表扬\n'],
          ['board-run-events-command_run_finish =', 'board-run-events-command_run_praise = 任务受到表扬\n'],
        ],
      ),
    },
    test: `
      const w = await createChatWorld();
      const { id } = await w.readyRun({ order: { chat: ANA } });
      await w.says(\`/commend \${id}\`);
      expect(w.messages.map(({ text }) => text).join()).toContain(': Well done.');
      expect(eventWords('command.run.praise', LANGUAGE_TEXTS.en)).toBe('The run was praised');`,
  },
  {
    ...BUTTON,
    files: {
      'bot/commands/run-buttons.ts': [
        ["  defineButton(REPEATED_CALL, {\n    verb: 'agent.stop',", `${codeIn(BUTTON)}\n`],
      ],
      'bot/views/run-messages.ts': [
        ['    [...look, detail, cancel],', "    [{ verb: 'run.praise', text: b.praise }],\n"],
      ],
      ...inBothLanguages(
        [
          ['buttons-takeBack =', 'buttons-praise = Praise\n'],
          ['tap-disarmed =', 'tap-praised = Praised { $run }.\n'],
        ],
        [
          ['buttons-takeBack =', 'buttons-praise = 表扬\n'],
          ['tap-disarmed =', 'tap-praised = 已表扬 { $run }。\n'],
        ],
      ),
    },
    test: `
      const w = await createChatWorld();
      const { id } = await w.readyRun();
      await w.says(\`/pause \${id}\`);
      expect(await w.taps('Praise')).toBe(\`Praised \${id}.\`);`,
  },
  {
    ...ENGINE,
    files: {
      'executors/engines/acp/mine.ts': `/** Engine \`mine\`. */
import type { AgentCli } from '../shared/agent-cli.ts';
import { defineAcpEngine } from './define-acp-engine.ts';

${codeIn(ENGINE)}
`,
      'executors/engines/engine-settings.ts': [["  'gemini',", "  'mine',\n"]],
      'executors/engines/engines.ts': [
        ['  gemini: geminiCli,', '  mine: mineCli,\n'],
        ['import { geminiCli }', "import { mineCli } from './acp/mine.ts';\n"],
      ],
      'executors/gateway/agent-hosts.json': [
        ['    "qwen": {', '    "mine": { "own": ["*.mine.example"], "shared": [] },\n'],
      ],
    },
    test: `
      const calls = [{ host: 'updates.mine.example:443', why: 'not_listed' }] as const;
      const { program } = AGENT_CLIS.mine;
      expect(selectNeededHosts(calls, program, '')).toEqual([]);
      expect(AgentsSettings.parse({ mine: { args: ['-m', 'x'] } }).mine?.args).toEqual(['-m', 'x']);`,
  },
];

const TESTS = `import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { eventWords } from '../../board/run-timeline.ts';
import { AgentsSettings } from '../../executors/engines/engine-settings.ts';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import { selectNeededHosts } from '../../executors/gateway/needed-hosts.ts';
import { assessAction } from '../../governor/assess-action.ts';
import { context, file, push } from '../support/actions.ts';
import { ANA, createChatWorld } from '../support/chat-world.ts';
${RECIPES.map(({ heading, test }) => `it('${heading}', async () => {${test}\n});`).join('\n')}
`;

let copy: string;
const start = (...args: readonly string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  return stdout + stderr;
};
const apply = (path: string, edit: Edit): void => {
  const file = join(copy, path);
  if (typeof edit === 'string') return writeFileSync(file, edit);
  const text = edit.reduce(
    (before, [anchor, more]) => {
      expect([path, anchor, before.split(anchor).length]).toEqual([path, anchor, 2]);
      return before.replace(anchor, () => more + anchor);
    },
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
};

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'agentpr-recipes-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((one) => one !== '' && !one.startsWith('docs/images/'))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(copy, path));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const { files, cases = {} } of RECIPES)
    for (const [path, edit] of Object.entries({ ...files, ...cases })) apply(path, edit);
  writeFileSync(join(copy, 'tests/contracts/recipes-made.test.ts'), TESTS);
  expect(start('tests/rules/write-sentence-tree.ts')).toBe('');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it.each(RECIPES)('$heading: so many files as the recipe says', (recipe) => {
  const said = /^(\w+) files\b/m.exec(sectionOf(recipe))?.[1] ?? '';
  expect(NUMBERS[said]).toBe(Object.keys(recipe.files).length);
});

it('a copy with all of them works', { timeout: 600_000 }, () => {
  const told = start('node_modules/vitest/vitest.mjs', 'run', '--project', 'contracts', 'recipes-made');
  expect(told).toContain(`${RECIPES.length} passed`);
});

it('a copy with all of them compiles: no other file asks for a line', { timeout: 600_000 }, () => {
  expect(start('node_modules/typescript-native/bin/tsc', '--noEmit', '--checkers', '1')).toBe('');
});
