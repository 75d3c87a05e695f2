/** What a scripted model does with a task: it searches, reads, proposes the real fix, and reports. */
import type { Turn } from '../support/fake-model.ts';
import { git, type PreparedTask } from './prepare-task.ts';

const COMMON_WORDS = new Set(
  (
    'about after also when with that this from they them then than have does must should would into only over each ' +
    'more most some such what which where while whose will instead test tests case cases given make makes made ' +
    'return returns returned called calls call value values same being been like even still without other'
  ).split(' '),
);
const MAX_WORDS = 8;
const REGEX_SIGNS = /[.*+?^${}()|[\]\\]/g;

export const searchWords = (goal: string, failing: string): string[] => {
  const words = `${goal} ${failing.replace(/^.*(?:::|\/)/, '')}`.match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? [];
  const told = [...new Set(words)].filter((word) => !COMMON_WORDS.has(word.toLowerCase()));
  const isName = (word: string): boolean => /_|[a-z][A-Z]/.test(word);
  return [...told.filter(isName), ...told.filter((word) => !isName(word))].slice(0, MAX_WORDS);
};

export const searchCall = (goal: string, failing: string) => ({
  name: 'search',
  input: {
    pattern: searchWords(goal, failing)
      .map((word) => word.replace(REGEX_SIGNS, '\\$&'))
      .join('|'),
    regex: true,
  },
});

type Hunk = { before: string[]; after: string[] };

const hunksOf = (diff: string): Hunk[] => {
  const hunks: Hunk[] = [];
  for (const line of diff.split('\n')) {
    const hunk = hunks.at(-1);
    if (line.startsWith('@@')) hunks.push({ before: [], after: [] });
    else if (hunk !== undefined && /^[ +-]/.test(line)) {
      if (line[0] !== '+') hunk.before.push(line.slice(1));
      if (line[0] !== '-') hunk.after.push(line.slice(1));
    }
  }
  return hunks;
};

const MAX_CONTEXT = 40;

const blocksOf = ({ dir, commit, fixedTree }: PreparedTask, file: string): string | null => {
  let before: string;
  try {
    before = git(dir, ['cat-file', 'blob', `${commit}:${file}`]);
    git(dir, ['cat-file', '-e', `${fixedTree}:${file}`]);
  } catch {
    return null;
  }
  for (let context = 3; context <= MAX_CONTEXT; context += 4) {
    const hunks = hunksOf(git(dir, ['diff', `-U${context}`, commit, fixedTree, '--', file]));
    const isUnique = ({ before: lines }: Hunk): boolean =>
      lines.length > 0 && `\n${before}`.split(`\n${lines.join('\n')}\n`).length === 2;
    if (!hunks.every(isUnique)) continue;
    return hunks
      .map(
        (hunk) =>
          `${file}\n<<<<<<< SEARCH\n${hunk.before.join('\n')}\n=======\n${hunk.after.join('\n')}\n>>>>>>> REPLACE\n`,
      )
      .join('\n');
  }
  return null;
};

export const patchOf = (prepared: PreparedTask, form: 'blocks' | 'diff'): string => {
  const { dir, commit, fixedTree, task } = prepared;
  const blocks = form === 'blocks' ? task.files.map((file) => blocksOf(prepared, file)) : [null];
  if (blocks.every((one) => one !== null)) return blocks.join('\n');
  return git(dir, ['diff', '-U3', commit, fixedTree]);
};

const firstLineOf = ({ dir, commit, fixedTree }: PreparedTask, file: string): number =>
  Number(/^@@ -(\d+)/m.exec(git(dir, ['diff', '-U3', commit, fixedTree, '--', file]))?.[1] ?? 1);

export const scriptFix = (prepared: PreparedTask, form: 'blocks' | 'diff'): readonly Turn[] => {
  const { task } = prepared;
  const reads = task.files.map((file) => {
    const from = Math.max(1, firstLineOf(prepared, file) - 20);
    return { name: 'read', input: { path: file, from, to: from + 120 } };
  });
  return [
    { calls: [searchCall(task.goal, task.failing)] },
    { calls: reads },
    { calls: [{ name: 'patch', input: { patch: patchOf(prepared, form) } }] },
    { report: { status: 'done', summary: task.goal, ran: [] } },
  ];
};
