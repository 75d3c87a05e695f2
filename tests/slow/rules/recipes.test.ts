/** Recipes of docs/contributing.md: each is done in a copy, which compiles and works without another file. */
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
  heading: string;
  files: Readonly<Record<string, Edit>>;
  cases?: Readonly<Record<string, Edit>>;
  test: string;
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
];

const TESTS = `import { expect, it } from 'vitest';
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

it.each(RECIPES)('$heading: so many files as the recipe says', ({ heading, files }) => {
  const docs = readFileSync(join(ROOT, 'docs/contributing.md'), 'utf8');
  const [, section = ''] = docs.split(`\n## ${heading}\n`);
  expect(NUMBERS[/^(\w+) files\b/m.exec(section.split('\n## ')[0] ?? '')?.[1] ?? '']).toBe(
    Object.keys(files).length,
  );
});

it('a copy with all of them works', { timeout: 600_000 }, () => {
  const told = start('node_modules/vitest/vitest.mjs', 'run', '--project', 'contracts', 'recipes-made');
  expect(told).toContain(`${RECIPES.length} passed`);
});

it('a copy with all of them compiles: no other file asks for a line', { timeout: 600_000 }, () => {
  expect(start('node_modules/typescript-native/bin/tsc', '--noEmit', '--checkers', '1')).toBe('');
});
