/** Runs the `agentpr` command. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../app/config-error.ts';
import { isDatabaseFault } from '#db';
import { CommandExit, EXIT_CODES, ignoreClosedPipe } from './exit-codes.ts';
import { cliLanguage } from './language.ts';
import { packageVersion } from './package-version.ts';

type Add = (program: Command) => void;
type Group = {
  commands: Readonly<Record<string, string>>;
  load: () => Promise<Add>;
};
/** Listed in the order of the help; loaded on demand, because `start` needs few of them. */
const GROUPS: readonly Group[] = [
  {
    commands: {
      start: 'run the bot, the orchestrator and the health pages',
    },
    load: async () => (await import('./start.ts')).addStartCommand,
  },
  {
    commands: {
      init: 'from nothing to a greeting on the phone: each answer is checked, and kept in .env',
    },
    load: async () => (await import('./init-wizard.ts')).addInitCommand,
  },
  {
    commands: {
      'doctor [repository]':
        'check each prerequisite and say how to fix it; with a repository, also install and check it',
    },
    load: async () => (await import('./doctor.ts')).addDoctorCommand,
  },
  {
    commands: {
      service: 'start AgentPR with the machine, by systemd',
    },
    load: async () => (await import('./service/service-commands.ts')).addServiceCommands,
  },
  {
    commands: {
      demo: 'be Ana: order a change and approve it, on local Telegram and GitHub servers; needs no account',
    },
    load: async () => (await import('./demo/command.ts')).addDemoCommand,
  },
  {
    commands: {
      run: 'create, list, show and steer runs',
    },
    load: async () => (await import('./run-commands.ts')).addRunCommands,
  },
  {
    commands: {
      campaign: 'one change for many repositories: plan it, look at it, decide about it',
    },
    load: async () => (await import('./campaign-commands.ts')).addCampaignCommands,
  },
  {
    commands: {
      migrate: 'back up the database, then bring it to this version’s schema',
      'replay [run]': 'replay the log, and compare what it leads to with the ledger',
      'verify-receipt <file>': 'check the receipt in a pull request’s body (“-” reads standard input)',
    },
    load: async () => (await import('./ledger-commands.ts')).addLedgerCommands,
  },
  {
    commands: {
      'verify <pull>':
        'check the receipt of anybody’s pull request, or its envelope, by the keys that they publish',
      'receipt-keys': 'print the public keys of receipts, to be published; rotate or revoke one',
    },
    load: async () => (await import('./verify-pull.ts')).addVerifyCommands,
  },
  {
    commands: {
      ledger: 'the ledger as a whole',
    },
    load: async () => (await import('./ledger-copy.ts')).addLedgerCopy,
  },
  {
    commands: {
      'backup <file>': 'write ledger, keys and unpublished commits into one file, also while agentpr runs',
      'restore <file>': 'put a backup into an empty data directory',
    },
    load: async () => (await import('./backup-commands.ts')).addBackupCommands,
  },
  {
    commands: {
      audit: 'export the ledger as a file, and check such a file without the ledger',
    },
    load: async () => (await import('./audit-commands.ts')).addAuditCommands,
  },
  {
    commands: {
      policy: 'list the policies, and say which one stopped a run',
    },
    load: async () => (await import('./policy-commands.ts')).addPolicyCommands,
  },
  {
    commands: {
      report: 'what runs took: first CI pass rate, time, fixes, taps and attention, by group',
    },
    load: async () => (await import('./report-command.ts')).addReportCommand,
  },
  {
    commands: {
      insights: 'what costs people’s attention, and what could be changed',
    },
    load: async () => (await import('./insights-command.ts')).addInsightsCommand,
  },
  {
    commands: {
      receive: 'give a saved webhook payload to the running AgentPR, signed, as GitHub would',
    },
    load: async () => (await import('./send-saved-payload.ts')).addReceiveCommand,
  },
  {
    commands: {
      hook: 'webhooks of other programs: try out how an order is read out of a payload',
    },
    load: async () => (await import('./hook-command.ts')).addHookCommand,
  },
  {
    commands: {
      mcp: 'let other programs order changes and follow them, by MCP or HTTP; nobody approves by it',
    },
    load: async () => (await import('./api/mcp-command.ts')).addMcpCommand,
  },
  {
    commands: {
      'set-aside': 'what was given up or set aside: list, retry or drop it',
    },
    load: async () => (await import('./set-aside-commands.ts')).addSetAsideCommands,
  },
  {
    commands: {
      prune: 'remove containers left behind, and images that no sandbox has used for a while',
    },
    load: async () => (await import('./prune-command.ts')).addPruneCommand,
  },
  {
    commands: {
      'completion <shell>': 'print a script that completes commands and options in your shell',
    },
    load: async () => {
      const { addCompletionCommand } = await import('./completion.ts');
      return (program) => addCompletionCommand(program, () => createProgram());
    },
  },
];

const wordOf = (usage: string): string => usage.split(' ', 1)[0] ?? usage;
const nameCommands = (agentpr: Command, { commands }: Group): void => {
  for (const [usage, about] of Object.entries(commands))
    agentpr.commands.find((one) => one.name() === wordOf(usage))?.description(about);
};

export const createProgram = async (first?: string): Promise<Command> => {
  const known = GROUPS.filter(
    ({ commands }) => first === undefined || Object.keys(commands).some((usage) => wordOf(usage) === first),
  );
  const agentpr = startProgram();
  for (const group of known) {
    (await group.load())(agentpr);
    nameCommands(agentpr, group);
  }
  // Help and unknown commands load nothing.
  if (known.length === 0)
    for (const [usage, about] of GROUPS.flatMap(({ commands }) => Object.entries(commands)))
      agentpr.command(usage).description(about);
  addHelpHints(agentpr);
  const language = cliLanguage();
  if (language !== 'en') (await import('./translate-help.ts')).translateHelp(agentpr, language);
  // `doctor` reports network errors among its checks.
  agentpr.hook('preAction', async (_, action) => {
    if (action.name() !== 'doctor') (await import('./apply-proxy-settings.ts')).applyProxySettings();
  });
  return agentpr;
};

const startProgram = (): Command =>
  new Command('agentpr')
    .description(
      'Coding agents across many repositories, from your phone. No pull request until you have approved exactly those bytes.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .exitOverride();

const addHelpHints = (command: Command, path: string = command.name()): void => {
  command.showHelpAfterError(`(${path} --help shows how)`);
  for (const one of command.commands) addHelpHints(one, `${path} ${one.name()}`);
};

const messageOf = async (error: unknown): Promise<string> => {
  const [{ describeFailure }, { cliWords }] = await Promise.all([
    import('../app/describe-failure.ts'),
    import('./language.ts'),
  ]);
  return describeFailure(cliWords(), error);
};

const codeOf = (error: unknown): number => {
  if (error instanceof CommandExit) return error.code;
  if (error instanceof ConfigError) return EXIT_CODES.config;
  return isDatabaseFault(error, 'no_ledger_in') ? EXIT_CODES.notFound : EXIT_CODES.failed;
};

/** A service keeps running when its output cannot be written, e.g. on a full disk. */
const onOutputError = (command: string | undefined) =>
  command === 'start' ? (): void => undefined : ignoreClosedPipe;

export const main = async (argv: readonly string[]): Promise<void> => {
  for (const out of [process.stdout, process.stderr]) out.on('error', onOutputError(argv[0]));
  try {
    await (
      await createProgram((argv[0] === 'help' ? argv[1] : argv[0]) ?? '')
    ).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
      return;
    }
    const known = error instanceof CommandExit;
    process.stderr.write(`${await messageOf(error)}
`);
    if (!known && process.env.AGENTPR_LOG_LEVEL === 'debug' && error instanceof Error)
      process.stderr.write(`${error.stack ?? ''}\n`);
    process.exitCode = codeOf(error);
  }
};
