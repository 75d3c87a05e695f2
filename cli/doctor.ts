/** `agentpr doctor` (O2): checks each prerequisite and says how to fix it. */
import type { Command } from 'commander';
import { describeFailure } from '../app/describe-failure.ts';
import {
  type DoctorHost,
  failedResult,
  goodResult,
  type ProbeLine,
  type HostResult,
  toProbeLine,
} from '../app/probes/host-result.ts';
import { listProbesAt } from '../app/probes/probe-table.ts';
import { addDecryptionOptions, drillRestore } from './backup-commands.ts';
import { doctorRepository } from './doctor-repository.ts';
import { isWorker, loadConfig, loadWorkerConfig } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { applyProxySettings } from './apply-proxy-settings.ts';
import { cliWords } from './language.ts';

const UNDER = `\n${' '.repeat(12)}`;

const markOfLine = ({ ok, fix }: ProbeLine): string => (!ok ? '✘' : fix === '' ? '✔' : '!');

const checkBackup = async (
  file: string,
  options: Parameters<typeof drillRestore>[1],
): Promise<HostResult> => {
  try {
    const { file: used, at, replayed } = await drillRestore(file, options);
    const { runs, events, findings } = replayed;
    return findings.length === 0
      ? goodResult('backup', { kind: 'backup', file: used, at, events, runs })
      : failedResult('backup', { kind: 'backup_wrong', cause: findings[0]?.says ?? '' });
  } catch (error) {
    return failedResult('backup', { kind: 'backup_unreadable', cause: describeFailure(cliWords(), error) });
  }
};

type Settings = Pick<DoctorHost, 'config' | 'control' | 'settings'>;
const readSettings = (): Settings => {
  try {
    const settings = goodResult('settings', { kind: 'settings_complete' });
    if (isWorker()) return { config: loadWorkerConfig(), control: null, settings };
    const control = loadConfig();
    return { config: control, control, settings };
  } catch (error) {
    const [cause, step] = splitNextStep(describeFailure(cliWords(), error));
    const settings = failedResult('settings', { kind: 'settings_wrong', cause, step });
    return { config: null, control: null, settings };
  }
};

/** The last line of a settings error says what to do. */
const splitNextStep = (text: string): [string, string | null] => {
  const lines = text.split('\n');
  return lines.length > 1 ? [lines.slice(0, -1).join('\n'), lines.at(-1) ?? ''] : [text, null];
};

/** Gives each finding as soon as it is there: the network may take its time. */
async function* runProbes(): AsyncGenerator<HostResult> {
  const host = {
    ...readSettings(),
    texts: cliWords(),
    applyProxySettings,
    searchPath: process.env.PATH ?? '',
  };
  for (const probe of listProbesAt('doctor')) yield* await probe(host);
}

type Options = { json?: boolean; drill?: string } & Parameters<typeof drillRestore>[1];
const runDoctor = async (repo: string | undefined, options: Options): Promise<void> => {
  if (options.drill !== undefined)
    return await printChecks([await checkBackup(options.drill, options)], options);
  if (repo !== undefined) return doctorRepository(loadConfig(), repo, options);
  await printChecks(runProbes(), options);
};

/** Prints each check as it comes; JSON at the end. Throws `CommandExit` when one failed. */
export const printChecks = async (
  checks: Iterable<HostResult> | AsyncIterable<HostResult>,
  options: { json?: boolean },
): Promise<void> => {
  const texts = cliWords();
  const lines: ProbeLine[] = [];
  for await (const check of checks) {
    const line = toProbeLine(texts, check);
    lines.push(line);
    const { name, says, fix } = line;
    if (!options.json)
      printRedacted(
        `${markOfLine(line)} ${name.padEnd(9)} ${[says, ...(fix === '' ? [] : [`→ ${fix}`])].join('\n').replaceAll('\n', UNDER)}`,
      );
  }
  if (options.json) printJson(lines);
  const failed = lines.filter((line) => !line.ok).length;
  if (failed > 0)
    throw new CommandExit(EXIT_CODES.unavailable, { kind: 'checks_failed', failed, all: lines.length });
};

export const addDoctorCommand = (program: Command): void => {
  addDecryptionOptions(
    program
      .command('doctor')
      .argument('[repository]', 'owner/name: what a run of it would find, and what this machine lacks for it')
      .option('--json', 'print JSON')
      .option(
        '--drill <backup>',
        'restore this backup, or the newest one of a folder, into a folder that is thrown away, and replay it',
      ),
  ).action(runDoctor);
};
