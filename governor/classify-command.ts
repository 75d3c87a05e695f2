/** Judges a shell command that an engine asks to run: harmless, or why not. Unknown is high. */
import type { COMMAND_TRAITS, SHELL_OPACITIES, AssessmentReason, RiskFactor } from '#model/assessment';
import { isOutsideWorkspace } from '#model/paths';
import { shortenPaths } from './shorten-paths.ts';
import { listUnusualCharacters, visibleCommand } from '#text-safety';
import { findHarmlessUse, type HarmlessUse } from '#tools';
import { classifyPackageUse } from '#tools/packages';
import { documentProgram, inlineProgram } from './inline-program.ts';
import { parseShell, type SimpleCommand } from './parse-shell.ts';
import { programOf, parseStartedProgram, findSystemProgram, type StartedProgram } from './started-program.ts';

/** Readers that are safe with any arguments, as from `xargs`. */
const READS_WHAT_IT_IS_GIVEN =
  /^(?:ls|cat|head|tail|wc|grep|egrep|fgrep|echo|stat|basename|dirname|nl|cut|realpath)$/;

/** Environment variables that only affect output. */
const HARMLESS_SETTING =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|CGO_ENABLED|GOOS|GOARCH)=[\w.,@+-]*$/;

export type CommandFactor = RiskFactor & {
  id: 'known' | 'unknown-command' | 'opaque' | 'network' | 'high-risk' | 'destructive' | 'outside';
};

type Trait = (typeof COMMAND_TRAITS)[number];

const toFactor = (id: CommandFactor['id'], reason: AssessmentReason): CommandFactor => ({
  id,
  level: id === 'known' ? 'low' : 'high',
  reason,
});

const NETWORK =
  /^(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|telnet|ftp|socat|ping|dig|nslookup|gh|hub|aws|gcloud|az|kubectl|docker|podman|apt|apt-get|yum|dnf|apk|brew|npx|pipx|uvx|bunx|gem|composer|http|https|aria2c)$/;
const GIT_NETWORK = /^(?:clone|fetch|pull|push|ls-remote|submodule|remote|archive)$/;
const usesNetwork = (program: string, sub: string): boolean =>
  NETWORK.test(program) ||
  (program === 'git' ? GIT_NETWORK.test(sub) : classifyPackageUse(program, sub).fetches);

const HIGH_RISK =
  /^(?:rm|rmdir|shred|dd|truncate|chmod|chown|chgrp|kill|pkill|killall|mount|umount|crontab|at|systemctl|service|launchctl|eval|exec|source|\.|ln|install|tee|sed|perl|ruby|awk|gawk|php|osascript|nohup|setsid|trap|ulimit|tar|unzip|cp|mv)$/;
const DESTRUCTIVE =
  /^(?:sudo|su|doas|mkfs(?:\..*)?|fdisk|parted|wipefs|shutdown|reboot|halt|poweroff|insmod|modprobe|iptables|nsenter|chroot|unshare|bwrap)$/;
const GIT_LOSS =
  /^(?:reset|clean|checkout|restore|rebase|filter-branch|gc|update-ref|config|stash|commit|merge|am|apply|branch|tag|rm|mv|switch|worktree|init)$/;
const SHELLS = /^(?:ba|z|da|k|fi)?sh$/;
/** Options with which read-only programs execute or write. */
const ACTS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:delete|exec\w*|ok\w*|f(?:print|ls)\w*)$/,
  fd: /^(?:-[A-WYZa-wyz0]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/,
  rg: /^--(?:pre|hostname-bin)(?:=.*)?$/,
  sort: /^--compress-program(?:=.*)?$/,
  git: /^(?:-O.*|--open-files-in-pager(?:=.*)?|--ext-diff|--textconv)$/,
};

/** Programs that run, delete or reach whatever they are given. */
const TAKES_ANYTHING =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|npx|pnpx|bunx|uvx|pipx|java|lua|Rscript|find|xargs|env|time|nice|command|builtin|stdbuf|timeout|watch|parallel|make|just|task|curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|telnet|ftp|socat|http|https|aria2c|dig|nslookup|ping)$/;
export const actsByItself = (program: string): boolean =>
  [TAKES_ANYTHING, HIGH_RISK, DESTRUCTIVE, SHELLS].some((programs) => programs.test(program));

const isRootPath = (word: string): boolean =>
  /^(?:\/+\*?|~\/?\*?|\.\.?\/?\*?|\*|\/(?:etc|usr|home|var|root|boot|dev|opt)(?:\/.*)?)$/.test(word);

/** A glob that may match `..`, or a name that looks like an option. */
const FINDS_PARENT = /(?:^|\/)\.[^/]*[*?[]/;
const FINDS_OPTION = /^[-*?[]/;

/** An attached value may be a path: `-f../x`. */
const valueOf = (word: string): string => word.replace(/^--?[\w-]+=/, '');
const optionValueOf = (word: string): string => (/^-\w../.test(word) ? word.slice(2) : '');

const oddWords = (use: HarmlessUse, args: readonly string[], isGlob: (at: number) => boolean): string[] => {
  const odd: string[] = [];
  let [operands, passing] = [0, false];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? '';
    const glob = isGlob(i);
    if (glob && (use.noGlobs || use.maxOperands !== undefined || FINDS_PARENT.test(word))) odd.push(word);
    else if (passing && use.passed) odd.push(...(use.passed.test(word) ? [] : [word]));
    else if (!passing && word === '--') passing = true;
    else if (glob && !passing && !use.takesAny && FINDS_OPTION.test(word)) odd.push(word);
    else if (optionValueOf(word) !== '' && isOutsideWorkspace(optionValueOf(word))) odd.push(word);
    else if (!passing && word.startsWith('-') && word !== '-' && !(i === 0 && use.sub?.test(word))) {
      if (!use.options.test(word)) odd.push(word);
      if (use.valued?.test(word)) i += 1;
    } else {
      operands += 1;
      const fits = !use.operands || use.operands.test(word) || (operands === 1 && use.sub?.test(word));
      if (!fits || operands > (use.maxOperands ?? Infinity)) odd.push(word);
    }
  }
  return odd;
};

const FILE_FOLLOWS = /^(?:-r|-c|--requirement|--constraint|-C|--prefix|-w|--workspace)$/;

const packagesAdded = (program: string, sub: string, args: readonly string[]): string[] => {
  if (!classifyPackageUse(program, sub).adds) return [];
  const from = args.indexOf(sub) + (program === 'uv' && sub === 'pip' ? 2 : 1);
  return args.filter(
    (word, i) => i >= from && !word.startsWith('-') && !FILE_FOLLOWS.test(args[i - 1] ?? ''),
  );
};

const firstOperand = (use: HarmlessUse, args: readonly string[]): string | undefined =>
  // An option before the sub-command can change what is run (`-c`, `--exec-path`).
  // guard: P3-sub-command
  use.subFirst
    ? args[0]
    : args.find((word, i) => !word.startsWith('-') && !(use.valued?.test(args[i - 1] ?? '') ?? false));

type StartedCommand = {
  simple: SimpleCommand;
  started: ReturnType<typeof parseStartedProgram>;
  first: string;
  args: readonly string[];
  program: string;
  sub: string;
  depth: number;
  factor: (id: CommandFactor['id'], trait: Trait, paths?: readonly string[]) => CommandFactor;
};

const readStarted = (simple: SimpleCommand, depth: number): StartedCommand => {
  const started = parseStartedProgram(simple);
  const [first = '', ...args] = simple.words.slice(started.at);
  const shown = visibleCommand(simple.words.slice(started.at).join(' ').slice(0, 80));
  return {
    simple,
    started,
    first,
    args,
    program: programOf(first),
    sub: args.find((a) => !a.startsWith('-')) ?? args[0] ?? '',
    depth,
    factor: (id, trait, paths = []) =>
      toFactor(id, { kind: 'command', command: shown, trait, ...shortenPaths(paths) }),
  };
};

const findPathsOutside = ({ simple, args, program, factor }: StartedCommand): CommandFactor[] => {
  const writes = simple.writes.filter((w) => w !== '/dev/null' && !/^[12-]$/.test(w));
  const reads = simple.reads.filter((r) => r !== '/dev/null');
  const outside = HIGH_RISK.test(program) ? [] : args.filter((a) => isOutsideWorkspace(valueOf(a)));
  return [writes.some(isOutsideWorkspace) ? writes : [], reads.some(isOutsideWorkspace) ? reads : [], outside]
    .filter((paths) => paths.length > 0)
    .map((paths) => factor('outside', 'leaves_workspace', paths));
};

const findDestruction = ({ args, program, factor }: StartedCommand): CommandFactor[] => {
  const traits: readonly (readonly [Trait, boolean])[] = [
    ['destroys', DESTRUCTIVE.test(program)],
    [
      'deletes_much',
      program === 'rm' && args.some((a) => /^-\w*[rR]|^--recursive$/.test(a)) && args.some(isRootPath),
    ],
    ['writes_device', program === 'dd' && args.some((a) => a.startsWith('of=/dev/'))],
    ['publishes', program === 'git' && args.includes('push')],
  ];
  return traits.flatMap(([trait, applies]) => (applies ? [factor('destructive', trait)] : []));
};

const findRisk = (command: StartedCommand): CommandFactor[] => {
  const { simple, first, args, program, sub, depth, factor } = command;
  const out: CommandFactor[] = [];
  if (HIGH_RISK.test(program)) {
    out.push(factor('high-risk', 'high_risk'));
    const beyond = args.filter((a) => isOutsideWorkspace(a.replace(/^\w+=/, '')));
    if (beyond.length > 0) out.push(factor('outside', 'leaves_workspace', beyond));
  }
  if (program === 'git' && GIT_LOSS.test(sub)) out.push(factor('high-risk', 'changes_git'));
  const acting = args.filter((a) => Object.hasOwn(ACTS, program) && ACTS[program]?.test(a));
  if (acting.length > 0) out.push(factor('high-risk', 'acts_on_found', acting));
  if (SHELLS.test(program)) {
    const script =
      findSystemProgram(first) !== null && simple.globs.size === 0 ? scriptIn(program, args) : null;
    if (script !== null && depth < MAX_NESTED_SHELLS) out.push(...classifyNested(script, depth + 1));
    else out.push(factor('high-risk', simple.piped ? 'runs_printed' : 'runs_unread'));
  }
  return out;
};

const findNetworkUse = ({ args, program, sub, factor }: StartedCommand): CommandFactor[] => {
  const out: CommandFactor[] = [];
  const packages = packagesAdded(program, sub, args);
  if (packages.length > 0) out.push(factor('network', 'adds_packages', packages));
  else if (usesNetwork(program, sub)) out.push(factor('network', 'uses_network'));
  const addresses = args.filter((a) => /(?:^|[=@])(?:https?|ftp|git|ssh):\/\//.test(a));
  if (addresses.length > 0) out.push(factor('network', 'names_address', addresses));
  return out;
};

const ofSimple = (simple: SimpleCommand, depth: number): CommandFactor[] => {
  const command = readStarted(simple, depth);
  const { started, first, args, program, factor } = command;
  const out = [findPathsOutside, findDestruction, findRisk, findNetworkUse].flatMap((find) => find(command));
  const inline = inlineProgram(program, args);
  if (inline !== null) out.push(toFactor('unknown-command', { kind: 'inline_program', ...inline }));
  // guard: P6-harmless-settings
  const settings = started.settings.filter((word) => !HARMLESS_SETTING.test(word));
  if (settings.length > 0) out.push(factor('unknown-command', 'sets_environment', settings));
  if (SHELLS.test(program) || out.some((f) => f.id !== 'unknown-command')) return out;
  // Assignments alone start nothing.
  if (first === '' && out.length > 0) return out;
  // guard: P6-system-program
  if (findSystemProgram(first) === null)
    return [...out, factor('unknown-command', first === '' ? 'unknown' : 'own_program')];
  const odd = unknownWords(simple, started, args);
  if (odd === null) return inline === null ? [...out, factor('unknown-command', 'unknown')] : out;
  // guard: P6-harmless-options
  if (odd.length > 0) out.push(factor('unknown-command', 'unknown_option', odd));
  return out.length > 0 ? out : [factor('known', 'reads')];
};

const unknownWords = (
  simple: SimpleCommand,
  { at, fed }: StartedProgram,
  args: readonly string[],
): string[] | null => {
  const program = programOf(simple.words[at] ?? '');
  const known = findHarmlessUse(program, args);
  if (known === null || [...simple.globs].some((glob) => glob <= at)) return null;
  if (fed && !READS_WHAT_IT_IS_GIVEN.test(program)) return null;
  const own = args.slice(known.from);
  const { sub } = known.use;
  if (sub && !sub.test(firstOperand(known.use, own) ?? '')) return null;
  const base = at + 1 + known.from;
  return oddWords(known.use, own, (i) => simple.globs.has(base + i));
};

/** Options of `bash -lc '…'` that load no script. */
const SHELL_OPTION = /^-[leu]+$/;
const SCRIPT_FOLLOWS = /^-[leu]*c$/;
/** Shells whose syntax `parse-shell.ts` reads. */
const READ_ALIKE = /^(?:ba|da|z)?sh$/;
const MAX_NESTED_SHELLS = 5;

/** Returns null when the shell runs something other than `-c` text. */
const scriptIn = (shell: string, args: readonly string[]): string | null => {
  let i = 0;
  for (;;) {
    if (SHELL_OPTION.test(args[i] ?? '')) i += 1;
    else if (args[i] === '-o' && args[i + 1] === 'pipefail') i += 2;
    else break;
  }
  return READ_ALIKE.test(shell) && SCRIPT_FOLLOWS.test(args[i] ?? '') ? (args[i + 1] ?? null) : null;
};

/** A longer command is unreadable on a card, so nobody is asked (characters). */
export const MAX_COMMAND_LENGTH = 10_000;

const MAX_EXCERPT = 40;
const excerptAt = (command: string, at: number | null): string => {
  const rest = at === null ? '' : command.slice(at, at + MAX_EXCERPT + 1);
  const [line = ''] = rest.split('\n');
  const word = /^(?:\$\{[^}]{0,38}\}|\$\([^)]{0,38}\)|\$[\w@*#?!$-]+|`[^`]{0,38}`)/.exec(line)?.[0] ?? line;
  return word.length > MAX_EXCERPT ? `${word.slice(0, MAX_EXCERPT)}…` : word;
};

const opaqueFactor = (why: (typeof SHELL_OPACITIES)[number], words = ''): CommandFactor =>
  toFactor('opaque', {
    kind: 'command_opaque',
    why,
    ...(words === '' ? {} : { words: visibleCommand(words) }),
  });

const classifyNested = (command: string, depth: number): CommandFactor[] => {
  const { commands, opaque: why, opaqueAt } = parseShell(command);
  const classified = commands.flatMap((simple) => ofSimple(simple, depth));
  // Lines of a here-document count as commands when destructive, not when unknown.
  const all = why === 'document' ? classified.filter((f) => f.id !== 'unknown-command') : classified;
  if (why !== null) all.push(opaqueFactor(why, excerptAt(command, opaqueAt)));
  const inline = why === 'document' && opaqueAt !== null ? documentProgram(command, opaqueAt) : null;
  if (inline !== null) all.push(toFactor('opaque', { kind: 'inline_program', ...inline }));
  if (commands.length === 0) all.push(opaqueFactor('empty'));
  return all;
};

export const classifyCommand = (command: string): CommandFactor[] => {
  if (command.length > MAX_COMMAND_LENGTH) return [opaqueFactor('too_long')];
  const all = classifyNested(command, 0);
  const odd = listUnusualCharacters(command);
  // guard: P6-odd-characters
  if (odd.length > 0)
    all.push(
      toFactor('opaque', {
        kind: 'command_characters',
        characters: odd.slice(0, 5),
        more: Math.max(0, odd.length - 5),
      }),
    );
  const bad = all.filter((f) => f.id !== 'known');
  return bad.length > 0 ? bad : all.slice(0, 1);
};
