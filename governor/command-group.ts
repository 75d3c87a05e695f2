/** Groups commands for one permission: same program, sub-command and options (E10, P6). */
import type { PolicyObjections } from '#model/assessment';
import type { CommandGroup } from '#model/environment';
import { listUnusualCharacters } from '#text-safety';
import { actsByItself, MAX_COMMAND_LENGTH } from './classify-command.ts';
import { parseShell } from './parse-shell.ts';

const PROGRAM = /^[A-Za-z][\w.+-]{0,40}$/;
const SUBCOMMAND = /^[A-Za-z][\w:-]{0,40}$/;
/** Operands of these are commands, or settings that name some. */
const RUNS_OPERANDS =
  /^(?:run|run-script|exec|exe|x|dlx|foreach|for-each|shell|sh|bisect|difftool|mergetool|filter-branch|rebase|eval|call|start|debug|attach|config|alias|set|plugin|script|rsh|ssh|ext|tool|watch|do|with)(?:[:-].*)?$/;
/** These may carry data out of the workspace: they are allowed once, and never remembered. */
const SENDS_DATA =
  /^(?:push|publish|upload|deploy|release|releases|send|put|post|share|sync|login|auth|api|dist-tag|owner|owners|deprecate|yank|unpublish|send-email|remote|ls-remote|archive|gist|issue|pr|secret|s3|storage|blob|apply|create|cp)$/;
const SENDING_PROGRAM =
  /^(?:gh|hub|glab|aws|gcloud|az|twine|rclone|s3cmd|vercel|netlify|fly|heroku|wrangler|firebase)$/;
const NAMES_HOST = /:\/\/|^[\w.+-]+@[\w.-]+:|^[\w-]+(?:\.[\w-]+)+:/;
const PLAIN_OPERAND = /^(?!.*::)[\w@.][\w@.:/+,~^-]*$/;
/** A message, which nothing executes. */
const MESSAGE = /^git (?:commit|stash|tag) -m$/;
const MAX_SORT_LENGTH = 60;

const formatObjection = ({ policy, verdict, reason }: PolicyObjections[number]): string =>
  [policy, verdict, reason.kind, 'trait' in reason ? String(reason.trait) : ''].join(' ');

export const newlyObjectingPolicies = (before: PolicyObjections, after: PolicyObjections): string[] => {
  const known = new Set(before.map(formatObjection));
  return [...new Set(after.filter((one) => !known.has(formatObjection(one))).map(({ policy }) => policy))];
};

export const commandGroupOf = (command: string, objections: PolicyObjections): CommandGroup | null => {
  if (command.length > MAX_COMMAND_LENGTH) return null;
  const { commands, opaque } = parseShell(command);
  const [only, ...others] = commands;
  if (opaque !== null || !only || others.length > 0) return null;
  if (only.piped || only.writes.length > 0 || only.reads.length > 0) return null;
  if (only.settings > 0 || only.globs.size > 0 || listUnusualCharacters(command).length > 0) return null;
  const [program = '', sub = '', ...args] = only.words;
  // guard: E10-sort-of-two-words
  if (!PROGRAM.test(program) || !SUBCOMMAND.test(sub) || actsByItself(program)) return null;
  // guard: P6-sort-runs-nothing-given
  if (RUNS_OPERANDS.test(sub)) return null;
  // guard: E10-sending-once
  if (SENDS_DATA.test(sub) || SENDING_PROGRAM.test(program) || args.some((word) => NAMES_HOST.test(word)))
    return null;
  // The word after an option may be its value, so both must stay the same.
  const isMessage = (index: number): boolean => MESSAGE.test(`${program} ${sub} ${args[index - 1] ?? ''}`);
  const isFixedArgument = (index: number): boolean =>
    !isMessage(index) && (/^-/.test(args[index] ?? '') || /^-[^=]*$/.test(args[index - 1] ?? ''));
  // guard: P6-sort-plain-operands
  if (args.some((word, i) => !isMessage(i) && !isFixedArgument(i) && !PLAIN_OPERAND.test(word))) return null;
  // guard: P6-sort-same-options
  const kept = args.filter((_, i) => isFixedArgument(i));
  const words = [program, sub, ...kept].join(' ');
  if (words.length > MAX_SORT_LENGTH || !/^[\w@.:/+,~^= -]*$/.test(words)) return null;
  return { words, objections: [...new Set(objections.map(formatObjection))].sort() };
};

export const isSameCommandGroup = (left: CommandGroup, right: CommandGroup): boolean =>
  left.words === right.words && left.objections.join('\n') === right.objections.join('\n');
