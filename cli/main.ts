/** The `agentpr` command. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../app/settings.ts';
import { NoLedger } from '../db/backup/places.ts';
import { Exit, EXIT, unlessUnread } from './environment.ts';
import { version } from './version.ts';

type Add = (program: Command) => void;
type Group = {
  /** The first words that it knows. */
  words: readonly string[];
  load: () => Promise<Add>;
};
/** In the order of the help. Loaded when it is asked for: a bot needs none of the others. */
const GROUPS: readonly Group[] = [
  { words: ['start'], load: async () => (await import('./start.ts')).addStartCommand },
  { words: ['init'], load: async () => (await import('./init.ts')).addInitCommand },
  { words: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctorCommand },
  { words: ['service'], load: async () => (await import('./service/command.ts')).addServiceCommands },
  { words: ['demo'], load: async () => (await import('./demo/command.ts')).addDemoCommand },
  { words: ['run'], load: async () => (await import('./run-commands.ts')).addRunCommands },
  {
    words: ['campaign'],
    load: async () => (await import('./campaign-commands.ts')).addCampaignCommands,
  },
  {
    words: ['migrate', 'replay', 'verify-receipt'],
    load: async () => (await import('./ledger-commands.ts')).addLedgerCommands,
  },
  { words: ['ledger'], load: async () => (await import('./ledger-copy.ts')).addLedgerCopy },
  {
    words: ['backup', 'restore'],
    load: async () => (await import('./backup-commands.ts')).addBackupCommands,
  },
  { words: ['audit'], load: async () => (await import('./audit.ts')).addAuditCommands },
  { words: ['policy'], load: async () => (await import('./policy.ts')).addPolicyCommands },
  { words: ['report'], load: async () => (await import('./report.ts')).addReportCommand },
  { words: ['insights'], load: async () => (await import('./insights.ts')).addInsightsCommand },
  { words: ['receive'], load: async () => (await import('./receive.ts')).addReceiveCommand },
];

/** With the commands that know this first word; with all of them where none does. */
export const program = async (first?: string): Promise<Command> => {
  const agentpr = new Command('agentpr')
    .description(
      'Coding agents across many repositories, from your phone. No pull request until you have approved exactly those bytes.',
    )
    .version(version(), '-V, --version', 'print the version')
    .exitOverride();
  const known = GROUPS.filter(({ words }) => first !== undefined && words.includes(first));
  for (const { load } of known.length > 0 ? known : GROUPS) (await load())(agentpr);
  hint(agentpr);
  // `doctor` tells what is wrong with it beside everything else.
  agentpr.hook('preAction', async (_, action) => {
    if (action.name() !== 'doctor') (await import('./network.ts')).joinNetwork();
  });
  return agentpr;
};

/** After an error, names the help of the command that was misused. */
const hint = (command: Command, path: string = command.name()): void => {
  command.showHelpAfterError(`(${path} --help shows how)`);
  for (const one of command.commands) hint(one, `${path} ${one.name()}`);
};

const codeOf = (error: unknown): number => {
  if (error instanceof Exit) return error.code;
  if (error instanceof ConfigError) return EXIT.config;
  return error instanceof NoLedger ? EXIT.notFound : EXIT.failed;
};

/** A service goes on without its words where they cannot be written, because a disk is full. */
const onOutputError = (command: string | undefined) =>
  command === 'start' ? (): void => undefined : unlessUnread;

/** Runs one command line; ends the process with a documented exit code. */
export const main = async (argv: readonly string[]): Promise<void> => {
  for (const out of [process.stdout, process.stderr]) out.on('error', onOutputError(argv[0]));
  try {
    await (await program(argv[0])).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    const known = error instanceof Exit;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!known && process.env.AGENTPR_LOG_LEVEL === 'debug' && error instanceof Error)
      process.stderr.write(`${error.stack ?? ''}\n`);
    process.exitCode = codeOf(error);
  }
};
