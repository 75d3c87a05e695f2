/**
 * Judges a shell command that an engine asks to run: known and harmless, or what is wrong with it.
 * Unknown is high.
 */
import type { COMMAND_TRAITS, Judgement } from '../judgements.ts';
import type { Factor } from './action.ts';
import { leavesWorkspace, listed } from '../paths.ts';
import { readShell, type Simple } from './shell.ts';

export type CommandFactor = Factor & {
  id: 'known' | 'unknown-command' | 'opaque' | 'network' | 'high-risk' | 'destructive' | 'outside';
};

type Trait = (typeof COMMAND_TRAITS)[number];

const say = (id: CommandFactor['id'], reason: Judgement): CommandFactor => ({
  id,
  level: id === 'known' ? 'low' : 'high',
  reason,
});

/** Commands that only read, or that a repository's own checks are made of. */
const HARMLESS =
  /^(?:ls|cat|head|tail|wc|grep|egrep|fgrep|rg|ag|fd|pwd|echo|printf|true|false|test|stat|file|basename|dirname|sort|uniq|cut|tr|diff|cmp|tree|which|type|date|jq|nl|realpath|mkdir|touch|cd|pytest|tsc|eslint|prettier|vitest|jest|mocha|ruff|mypy|flake8|black|gofmt|rustfmt|checkstyle)$/;

/** Programs whose sub-command says what they do. */
const WITH_SUBCOMMAND = new Map<string, RegExp>(
  Object.entries({
    git: /^(?:status|diff|log|show|blame|ls-files|grep|rev-parse|describe|shortlog)$/,
    npm: /^(?:test|t|run|run-script)$/,
    pnpm: /^(?:test|run)$/,
    yarn: /^(?:test|run|lint|build)$/,
    bun: /^(?:test|run)$/,
    node: /^--test$/,
    go: /^(?:test|vet|build|fmt|list|doc)$/,
    cargo: /^(?:test|check|build|clippy|fmt|tree)$/,
    make: /^(?:test|check|lint|build)$/,
    mvn: /^(?:-q|-B|test|verify|compile)$/,
    gradle: /^(?:test|check|build)$/,
  }),
);
const PYTHON_MODULES = /^(?:pytest|unittest|mypy|ruff|flake8|black|compileall|json\.tool)$/;

const NETWORK =
  /^(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|telnet|ftp|socat|ping|dig|nslookup|gh|hub|aws|gcloud|az|kubectl|docker|podman|apt|apt-get|yum|dnf|apk|brew|npx|pipx|uvx|bunx|gem|composer|http|https|aria2c)$/;
const NETWORK_SUBCOMMAND = new Map<string, RegExp>(
  Object.entries({
    git: /^(?:clone|fetch|pull|push|ls-remote|submodule|remote|archive)$/,
    npm: /^(?:i|in|install|add|ci|update|publish|login|exec|x|view|audit|init|create)$/,
    pnpm: /^(?:i|install|add|update|publish|dlx|create)$/,
    yarn: /^(?:install|add|up|upgrade|publish|dlx|create|npm)$/,
    bun: /^(?:i|install|add|update|publish|x|create)$/,
    pip: /^(?:install|download|search)$/,
    pip3: /^(?:install|download|search)$/,
    uv: /^(?:add|sync|pip|tool|publish|lock)$/,
    poetry: /^(?:add|install|update|publish|lock)$/,
    go: /^(?:get|install|mod)$/,
    cargo: /^(?:install|add|update|publish|fetch|login)$/,
  }),
);

const HIGH_RISK =
  /^(?:rm|rmdir|shred|dd|truncate|chmod|chown|chgrp|kill|pkill|killall|mount|umount|crontab|at|systemctl|service|launchctl|eval|exec|source|\.|ln|install|tee|sed|perl|ruby|awk|gawk|php|osascript|nohup|setsid|trap|ulimit|tar|unzip|cp|mv)$/;
const DESTRUCTIVE =
  /^(?:sudo|su|doas|mkfs(?:\..*)?|fdisk|parted|wipefs|shutdown|reboot|halt|poweroff|insmod|modprobe|iptables|nsenter|chroot|unshare|bwrap)$/;
const GIT_LOSS =
  /^(?:reset|clean|checkout|restore|rebase|filter-branch|gc|update-ref|config|stash|commit|merge|am|apply|branch|tag|rm|mv|switch|worktree|init)$/;
const SHELLS = /^(?:ba|z|da|k|fi)?sh$/;
/** Options of programs that only read, by which they run another one or write for once. */
const ACTS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:delete|exec\w*|ok\w*|f(?:print|ls)\w*)$/,
  fd: /^(?:-[A-Za-z0]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/,
  rg: /^--(?:pre|hostname-bin)(?:=.*)?$/,
  sort: /^--compress-program(?:=.*)?$/,
  git: /^(?:-O.*|--open-files-in-pager(?:=.*)?|--ext-diff|--textconv)$/,
};

/** Whose first argument is no sub-command: it runs, deletes or reaches whatever it is given. */
const TAKES_ANYTHING =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|npx|pnpx|bunx|uvx|pipx|java|lua|Rscript|find|xargs|env|time|nice|command|builtin|stdbuf|timeout|watch|parallel|make|just|task|curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|telnet|ftp|socat|http|https|aria2c|dig|nslookup|ping)$/;
export const actsByItself = (program: string): boolean =>
  [TAKES_ANYTHING, HIGH_RISK, DESTRUCTIVE, SHELLS].some((programs) => programs.test(program));

const name = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** What a command that only starts another one starts: `env A=1 timeout 5 …`, `xargs …`. */
const unwrapped = (words: readonly string[]): string[] => {
  let rest = [...words];
  for (;;) {
    const first = rest[0] ?? '';
    if (
      /^[A-Za-z_]\w*=/.test(first) &&
      !/^(?:PATH|LD_\w+|DYLD_\w+|NODE_OPTIONS|GIT_\w+|PYTHON\w+|BASH_ENV|ENV)=/.test(first)
    )
      rest = rest.slice(1);
    else if (/^(?:env|time|nice|command|builtin|stdbuf|xargs|timeout)$/.test(name(first))) {
      rest = rest.slice(1);
      while (/^-|^\d+[smh]?$/.test(rest[0] ?? '')) rest = rest.slice(1);
    } else return rest;
  }
};

const rootish = (word: string): boolean =>
  /^(?:\/+\*?|~\/?\*?|\.\.?\/?\*?|\*|\/(?:etc|usr|home|var|root|boot|dev|opt)(?:\/.*)?)$/.test(word);

const ofSimple = (simple: Simple): CommandFactor[] => {
  const words = unwrapped(simple.words);
  const [first = '', ...args] = words;
  const program = name(first);
  const sub = args.find((a) => !a.startsWith('-')) ?? args[0] ?? '';
  const shown = words.join(' ').slice(0, 80);
  const out: CommandFactor[] = [];
  const does = (id: CommandFactor['id'], trait: Trait, paths: readonly string[] = []): CommandFactor =>
    say(id, { kind: 'command', command: shown, trait, ...listed(paths) });
  const add = (...what: Parameters<typeof does>): void => void out.push(does(...what));

  const writes = simple.writes.filter((w) => w !== '/dev/null' && !/^[12-]$/.test(w));
  if (writes.some(leavesWorkspace)) add('outside', 'leaves_workspace', writes);
  const reads = simple.reads.filter((r) => r !== '/dev/null');
  if (reads.some(leavesWorkspace)) add('outside', 'leaves_workspace', reads);
  if (!HIGH_RISK.test(program) && args.some((a) => leavesWorkspace(a.replace(/^--?[\w-]+=/, ''))))
    add('outside', 'leaves_workspace');
  if (DESTRUCTIVE.test(program)) add('destructive', 'destroys');
  if (program === 'rm' && args.some((a) => /^-\w*[rR]|^--recursive$/.test(a)) && args.some(rootish))
    add('destructive', 'deletes_much');
  if (program === 'dd' && args.some((a) => a.startsWith('of=/dev/'))) add('destructive', 'writes_device');
  if (program === 'git' && args.includes('push')) add('destructive', 'publishes');
  if (HIGH_RISK.test(program)) {
    add('high-risk', 'high_risk');
    if (args.some((a) => leavesWorkspace(a.replace(/^\w+=/, '')))) add('outside', 'leaves_workspace');
  }
  if (program === 'git' && GIT_LOSS.test(sub)) add('high-risk', 'changes_git');
  if (args.some((a) => Object.hasOwn(ACTS, program) && ACTS[program]?.test(a)))
    add('high-risk', 'acts_on_found');
  if (SHELLS.test(program)) {
    const script = args[args.findIndex((a) => /^-\w*c$/.test(a)) + 1];
    if (args.some((a) => /^-\w*c$/.test(a)) && script !== undefined) out.push(...judgeCommand(script));
    else add('high-risk', simple.piped ? 'runs_printed' : 'runs_unseen');
  }
  if (NETWORK.test(program) || NETWORK_SUBCOMMAND.get(program)?.test(sub)) add('network', 'uses_network');
  if (args.some((a) => /(?:^|[=@])(?:https?|ftp|git|ssh):\/\//.test(a))) add('network', 'names_address');
  if (out.length > 0) return out;
  return [known(program, args, sub) ? does('known', 'reads') : does('unknown-command', 'unknown')];
};

const known = (program: string, args: readonly string[], sub: string): boolean => {
  if (program === 'find') return true;
  if (HARMLESS.test(program)) return true;
  if (/^python3?$/.test(program) && args[0] === '-m') return PYTHON_MODULES.test(args[1] ?? '');
  // An option before the sub-command can change what git runs (`-c`, `--exec-path`).
  // guard: P3-sub-command
  const asked = program === 'git' || program === 'node' ? (args[0] ?? '') : sub;
  return WITH_SUBCOMMAND.get(program)?.test(asked) ?? false;
};

/** Every reason, or the one that it is known to be harmless. */
export const judgeCommand = (command: string): CommandFactor[] => {
  const { commands, opaque } = readShell(command);
  const all = commands.flatMap(ofSimple);
  if (opaque !== null) all.push(say('opaque', { kind: 'command_opaque', why: opaque }));
  if (commands.length === 0) all.push(say('opaque', { kind: 'command_opaque', why: 'empty' }));
  const bad = all.filter((f) => f.id !== 'known');
  return bad.length > 0 ? bad : all.slice(0, 1);
};
