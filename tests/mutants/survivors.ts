/**
 * Mutants that no test can notice, and why, by file: what stands on the line that is changed, why,
 * and, where it is given, what was put there. Whoever explains one reads it first: a test is
 * better.
 */
import type { Mutant } from './report.ts';

type Explained = readonly [code: string, why: string, ...puts: readonly string[]];

export const SURVIVORS: Readonly<Record<string, readonly Explained[]>> = {
  'text-safety/neutralise-text.ts': [
    ["clean.includes('`')", 'it saves time and says nothing'],
    ['(line.match(/`/g) ?? [])', 'the line has one: it was looked at before'],
    ["const [, open = '', core = '', close = '']", 'every word has the three, from its first character'],
    ["core === '' ? word", 'no word of signs alone is one that needs code'],
    ["spans[mark.charCodeAt(0) - FIRST_MARK] ?? ''", 'every mark has its span'],
    ["word.replace(MARKS, '`')", 'a mark is as little part of a name as what stands for it'],
  ],
  'governor/assess-risk.ts': [
    ['ORDER.indexOf(a) >= ORDER.indexOf(b)', 'of two equal levels either is the higher one'],
    ['f.oldPath !== null && isTest', 'no test is called null'],
    ['overruled = []', 'what is put there was said by nobody'],
  ],
  'model/pull/branch-names.ts': [
    ["const [first = '', ...rest]", 'a text has a first part'],
    ["?? choices[0] ?? ''", 'a text has a first part'],
    ["issue ?? '<issue>'", 'neither is a number, so there is no name'],
  ],
  'bot/commands/user-roles.ts': [
    ['return known ? [', 'only the type needs it: what is looked for is there whenever this is reached'],
  ],
  'bot/file-messages.ts': [
    ['runId === null ? null', 'only the type needs it: no artifact belongs to no run'],
    ['patch.split(', 'where a patch is taken apart changes only how soon others are served'],
    [
      'words.diff.none(run?.id',
      'only the type needs it: what is looked for is there whenever this is reached',
    ],
  ],
  'bot/moved-chats.ts': [["here ? 'here' : 'gone'", 'whatever is not “here” is gone', '""']],
  'bot/deliver-message.ts': [
    ["if (show.view === 'gate' && run && message", 'no other view has such a slot'],
    ['attempts: []', 'the view of a comment shows no attempts'],
    ['Promise.resolve([])', 'no other view shows attempts'],
    ['gone.size >= MOST_GONE', 'it bounds what is remembered; to ask once more is no harm'],
    ["row.do.kind !== 'chat_message' || row.do.content.view", 'no other effect has a card with that id'],
  ],
  'orchestrator/kernel/gate/sign-approval.ts': [
    ["kind === 'open_pr' && run.state", 'the table takes no push card in that state: a second lock', 'true'],
  ],
  'governor/governed-action.ts': [['default:', 'only the type needs it: there is no other kind']],
  'governor/classify-command.ts': [
    ["const first = rest[0] ?? ''", 'without a word there is nothing to take away'],
    ["test(rest[0] ?? '')", 'without a word there is nothing to take away'],
    ["const [first = '', ...args] = words", 'without a word nothing is run'],
    ["?? args[0] ?? ''", 'only the type needs it: what has no sub-command is none that is known'],
    ["PYTHON_MODULES.test(args[1] ?? '')", 'no module is called so'],
    ["? (args[0] ?? '') : sub", 'no sub-command is called so'],
    ['ACTS[program]?.test', 'it was looked at on the same line'],
  ],
  'governor/ask-policies.ts': [
    ["reasons[0]?.verdict ?? 'note'", 'what no policy allows has a reason: there is a first one'],
  ],
  'governor/assess-modification.ts': [
    ["case 'comment':", 'what a comment has not is the same nothing in both'],
    ['return [];', 'a command goes nowhere, before and after'],
    ['default:', 'only the type needs it: there is no other kind'],
  ],
  'text-safety/glob.ts': [
    [
      'if (folders) out.push',
      'what an unchanged run has remembered of a glob stays in the runner’s process; a process of its own notices',
    ],
    [
      "c === '?' ? { is: 'one' }",
      'what an unchanged run has remembered of a glob stays in the runner’s process; a process of its own notices',
    ],
    ["if (step.is === 'character'", 'no other step has a character'],
    ["step.is === 'in-folders' && c === '/'", 'whoever stands before the folders stands behind them, too'],
    ['concat(all.length === 0)', 'only a glob of nothing but a slash has no step'],
    ['known.', 'what is remembered saves time and says nothing'],
    ['all.map(() => false)', 'undefined is as false as false'],
  ],
  'governor/grade-attempt.ts': [
    ["by === 'agent') ?? []", 'what is put there was named by nobody'],
    ['GRADES.indexOf(a) >= GRADES.indexOf(b)', 'of two equal grades either is the worse one'],
  ],
  'governor/check-config/command-leads.ts': [
    ['start < 0 ? []', 'without a word there is nothing to do'],
    ["args[i - 1] ?? ''", 'only the type needs it: no word stands before the first'],
    ["dir = '', out: Names", 'the root is where nothing else is said'],
    ['.exec(word) ?? []', 'what is no such word has no part either'],
    ['/^\\w+=([^]*)$/', 'it stands at the beginning, and goes to the end', '/^\\w+=([^]*)/'],
    ['value.split(/\\s+/)', 'nothing is called nothing'],
  ],
  'governor/check-config/makefile-recipes.ts': [
    ['rules.at(-1)?.lines.push', 'it stands at the beginning: a recipe begins with a tab'],
    ['.exec(line) ?? []', 'a line that is no rule has no part either'],
    ['/^[-s]?include\\s+/', 'it stands at the beginning: the line was looked at before'],
    ["?.targets[0] ?? ''", 'rules have targets'],
    ["r.targets[0] ?? ''", 'rules have targets'],
    ["r.targets.includes(target ?? '')", 'only the type needs it: the loop ends before'],
    ['if (next === text) break', 'it saves time and says nothing'],
    ['line.replace(/^\\s*[@+-]*/', 'what may be nothing is found at the beginning'],
    ['text.trim().split', 'nothing asks for a target without a name'],
    ['text.length < LONGEST', 'it bounds memory: what comes of it is cut all the same'],
  ],
  'governor/check-config/check-config-files.ts': [
    ["replace(/,$/, '')", 'what is no path is there nowhere'],
    ["([, s = '']) => s", 'a string has its text'],
    ["([, m = ''])", 'a module has its name'],
    ["const [start = '', ...middle]", 'a text has a first part'],
    ['lead.scripts ?? []', 'whoever leads to a manifest or to rules says what is asked'],
    ['texts.get(path) ?? [null, null]', 'it was looked at on the same line'],
    ['replace(/^<rootDir>', 'what is no path is there nowhere'],
    ['/^[\\w.@/-]*[./]', 'what is no path is there nowhere'],
    ['within(dir, s) ?? []', 'what is put there is there nowhere'],
    ['scripts.get(s) ?? []', 'what is put there is there nowhere'],
    ['return { configs: [], leads: [] };', 'what is put there is there nowhere'],
    ['stringsIn(text).join(', 'what follows the last line is a word of it at most'],
    ['new Set(both ?? [])', 'what is put there is no text that names anything'],
  ],
  'governor/check-config/manifest-fields.ts': [
    ['error instanceof SyntaxError', 'JSON.parse throws nothing else'],
  ],
  'governor/repository-policies.ts': [
    ['return undefined; // Not JSON', 'nothing returned is undefined'],
    ['const json = text === null ?', 'what is no text cannot be parsed either'],
  ],
  'text-safety/redact-secrets.ts': [
    ["name = ''", 'no name is as telling as that one'],
    ["shown === value && name !== ''", 'it saves time: without a name nothing is assigned'],
    ['if (places.length === 0)', 'it saves time and says nothing'],
  ],
  'text-safety/find-secrets.ts': [
    ["text[from - 1] ?? ''", 'what has a telling name does not begin the text'],
    ['return found ? [', 'what is put there has no place, and is left out'],
    [': [];', 'what is put there has no place, and is left out'],
    ['const found: SecretSpan[] = []', 'what is put there has no place, and is left out'],
    [
      'a.from - b.from || b.to - a.to',
      'of two that begin together, either may be the first: they become one',
    ],
    ['place.from >= last.to', 'two that touch are hidden by one mark or two'],
    [
      "found.groups?.['keep']",
      'only the type needs it: what is looked for is there whenever this is reached',
    ],
    ['before?.length', 'only the type needs it: what is looked for is there whenever this is reached'],
    ['/---- ?BEGIN/.test(text)', 'it saves time and says nothing'],
    ['end < 0 || end >= place.to', 'no shape that we know crosses a line: it holds for one that is added'],
    ['p.to > p.from', 'no shape that we know is empty: it holds for one that is added'],
    ['end < 0 ? text.length', 'no end of a line stands before the first line', 'end <= 0'],
  ],
  'pull-text/pull-body.ts': [
    ["known, 'change')", 'whatever is no reason is judged as a change', '""'],
    ['fixes ?? []', 'what is put there is borne out by nothing'],
    ["patch = ''", 'what is put there bears out nothing'],
    ["contract?.template ?? ''", 'what is put there asks for nothing'],
    ["filled?.text ?? ''", 'without a template there is nothing to look at, or to show'],
    ["order.title ?? ''", 'what is put there names no issue, and bears out nothing'],
    ["answers.issue ?? ''", 'what is put there names no issue, and closes none', '"Stryker was here!"'],
    ['block.trim()', 'no block is made of blanks'],
    ['/^[.\\s]+/', 'what follows a first sentence begins so'],
  ],
  'pull-text/receipt.ts': [
    ['} catch (error) {', 'nothing is no receipt either'],
    ['error instanceof SyntaxError', 'JSON.parse throws nothing else'],
    ['match.groups?.', 'only the type needs it: what is looked for is there whenever this is reached'],
  ],
  'model/seal/seal.ts': [['a < b ? -1', 'no two keys of an object are equal', 'a <= b']],
  'orchestrator/kernel/gate/open-pr.effect.ts': [
    ["found === 'unseen'", 'only the type allows it: who looks for a pull request finds one, or null'],
  ],
  'orchestrator/kernel/gate/verify-opened-pull.io.ts': [
    [
      'isOfRun(pull, o) && readReceipt(',
      'only the type needs it: what is looked for is there whenever this is reached',
    ],
  ],
  'orchestrator/kernel/gate/push.effect.ts': [
    ["outcome.because === 'name'", 'only what was rejected has a reason', 'true'],
  ],
  'orchestrator/kernel/runtime/content-hash.ts': [
    ['prepared.set(key, known)', 'it saves time and says nothing'],
  ],
};

export const explained = ({ file, text, put }: Mutant): Explained | null =>
  SURVIVORS[file]?.find(
    ([code, , ...puts]) => text.includes(code) && (puts.length === 0 || puts.includes(put)),
  ) ?? null;
