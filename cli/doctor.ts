/** `agentpr doctor` (O2): checks each prerequisite and says how to fix it. */
import type { Command } from 'commander';
import { failureLine, goodLine, sayCheck, type DoctorCheck, type DoctorLine } from '../app/doctor-lines.ts';
import { addOpening, drillRestore } from './backup-commands.ts';
import { runProbes } from './doctor-probes.ts';
import { doctorRepository } from './doctor-repository.ts';
import { loadConfig, printRedacted, printJson } from './environment.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { failureWords } from './failure-words.ts';
import { cliWords } from './language.ts';

const UNDER = `\n${' '.repeat(12)}`;

const markOfLine = ({ ok, fix }: DoctorLine): string => (!ok ? '✘' : fix === '' ? '✔' : '!');

const checkBackup = async (
  file: string,
  options: Parameters<typeof drillRestore>[1],
): Promise<DoctorCheck> => {
  try {
    const { file: used, at, replayed } = await drillRestore(file, options);
    const { runs, events, findings } = replayed;
    return findings.length === 0
      ? goodLine('backup', { kind: 'backup', file: used, at, events, runs })
      : failureLine('backup', { kind: 'backup_wrong', cause: findings[0]?.says ?? '' });
  } catch (error) {
    return failureLine('backup', { kind: 'backup_unreadable', cause: failureWords(error) });
  }
};

type Options = { json?: boolean; drill?: string } & Parameters<typeof drillRestore>[1];
const runDoctor = async (repo: string | undefined, options: Options): Promise<void> => {
  if (options.drill !== undefined)
    return await printChecks([await checkBackup(options.drill, options)], options);
  if (repo !== undefined) return doctorRepository(loadConfig(), repo, options);
  await printChecks(runProbes(), options);
};

/** Prints each check as it comes; JSON at the end. Throws `CommandExit` when one failed. */
export const printChecks = async (
  checks: Iterable<DoctorCheck> | AsyncIterable<DoctorCheck>,
  options: { json?: boolean },
): Promise<void> => {
  const texts = cliWords();
  const lines: DoctorLine[] = [];
  for await (const check of checks) {
    const line = sayCheck(texts, check);
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
  addOpening(
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
