/** The `agentpr` command. */
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../app/settings.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addDemoCommand } from './demo/command.ts';
import { addDoctorCommand } from './doctor.ts';
import { Exit, EXIT, unlessUnread } from './environment.ts';
import { addInitCommand } from './init.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addLedgerCopy } from './ledger-copy.ts';
import { addPolicyCommands } from './policy.ts';
import { addReceiveCommand } from './receive.ts';
import { addRunCommands } from './run-commands.ts';
import { addReportCommand } from './report.ts';
import { addStartCommand } from './start.ts';
import { version } from './version.ts';

type Group =
  | 'start'
  | 'init'
  | 'doctor'
  | 'demo'
  | 'run'
  | 'ledger'
  | 'copy'
  | 'backup'
  | 'audit'
  | 'policy'
  | 'report'
  | 'receive';
/** In the order of the help. */
const COMMANDS: Readonly<Record<Group, (program: Command) => void>> = {
  start: addStartCommand,
  init: addInitCommand,
  doctor: addDoctorCommand,
  demo: addDemoCommand,
  run: addRunCommands,
  ledger: addLedgerCommands,
  copy: addLedgerCopy,
  backup: addBackupCommands,
  audit: addAuditCommands,
  policy: addPolicyCommands,
  report: addReportCommand,
  receive: addReceiveCommand,
};

export const program = (): Command => {
  const agentpr = new Command('agentpr')
    .description(
      'Coding agents across many repositories, from your phone. No pull request until you have approved exactly those bytes.',
    )
    .version(version(), '-V, --version', 'print the version')
    .exitOverride();
  for (const add of Object.values(COMMANDS)) add(agentpr);
  hint(agentpr);
  return agentpr;
};

/** After an error, names the help of the command that was misused. */
const hint = (command: Command, path: string = command.name()): void => {
  command.showHelpAfterError(`(${path} --help shows how)`);
  for (const one of command.commands) hint(one, `${path} ${one.name()}`);
};

/** Runs one command line; ends the process with a documented exit code. */
export const main = async (argv: readonly string[]): Promise<void> => {
  for (const out of [process.stdout, process.stderr]) out.on('error', unlessUnread);
  try {
    await program().parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    const known = error instanceof Exit;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!known && process.env.AGENTPR_LOG_LEVEL === 'debug' && error instanceof Error)
      process.stderr.write(`${error.stack ?? ''}\n`);
    process.exitCode = known ? error.code : error instanceof ConfigError ? EXIT.config : EXIT.failed;
  }
};
