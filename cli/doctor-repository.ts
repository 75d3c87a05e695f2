/** O2, E15: checks what a run would need for a repository on this machine. */
import type { ControlConfig } from '../app/config.ts';
import { tryOnRepository } from '../app/try-repository.ts';
import { enToolMismatch, enStopped } from '../bot/language/en/base.ts';
import { alikeStops, stopsOf } from '../orchestrator/core/baseline.ts';
import type { CheckResult } from '../orchestrator/core/change-facts.ts';
import { RepositoryName } from '../orchestrator/core/order.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import type { TriedRepository } from '../orchestrator/effects/try-repository.ts';
import { countWords } from '../orchestrator/core/text-format.ts';
import { printRedacted, printJson } from './environment.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { failureWords } from './failure-words.ts';

const MAX_NAMED_CHECKS = 5;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const checkLine = (check: CheckResult): string[] => {
  const { name, command, outcome, ms, failing = [], flaky } = check;
  if (outcome === 'passed') return [`✔ ${name.padEnd(10)} \`${command}\` (${seconds(ms)})`];
  if (outcome === 'ran_no_test') return [`– ${name.padEnd(10)} \`${command}\` ran no test (${seconds(ms)})`];
  if (outcome === 'not_run') return [`✘ ${name.padEnd(10)} \`${command}\` was not run`];
  const told =
    failing.length > 0
      ? failing
      : check.tail
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(-2);
  const named = told.slice(0, MAX_NAMED_CHECKS).map((one) => `             ${one.slice(0, 200)}`);
  const more = told.length - named.length;
  const says = flaky
    ? 'is flaky: it failed once and then passed'
    : outcome === 'timed_out'
      ? 'took too long'
      : `fails here (exit ${check.exitCode})`;
  return [
    `! ${name.padEnd(10)} \`${command}\` ${says}`,
    ...named,
    ...(more > 0 ? [`             and ${more} more`] : []),
  ];
};

const toolLines = ({ baseline: { tools } }: TriedRepository): string[] =>
  tools
    .filter((t) => t.version !== null)
    .map((t) =>
      t.fits === false
        ? `! ${enToolMismatch(t)}`
        : `✔ ${t.name.padEnd(10)} ${t.version}${t.asked === null ? '' : ` (asked for: ${t.asked}, ${t.source ?? ''})`}`,
    );

const open = async (config: ControlConfig, repo: string, quiet: boolean): Promise<TriedRepository> => {
  const closing = new AbortController();
  const close = (): void => closing.abort();
  process.once('SIGINT', close);
  try {
    return await tryOnRepository(config, repo, {
      onRun: (name, command) => {
        if (!quiet) printRedacted(`… ${name}: ${command}`);
      },
      signal: closing.signal,
    });
  } catch (error) {
    if (error instanceof OutsideFailure) throw new CommandExit(EXIT_CODES.failed, failureWords(error));
    throw error;
  } finally {
    process.off('SIGINT', close);
  }
};

export const doctorRepository = async (
  config: ControlConfig,
  repo: string,
  { json = false }: { json?: boolean },
): Promise<void> => {
  if (!RepositoryName.safeParse(repo).success)
    throw new CommandExit(EXIT_CODES.usage, `${repo} is not of the form owner/name.`);
  const tried = await open(config, repo, json);
  const { baseline, contract, ref, wantsSigned } = tried;
  const unsigned = wantsSigned && config.file.signing === undefined;
  const stops = stopsOf(baseline, { ordered: false, without: [] });
  if (json) printJson({ repo, ref, contract, baseline, wantsSigned, stops });
  else {
    const all = [...baseline.installs, ...baseline.checks];
    printRedacted(`\n${repo} (${ref})`);
    for (const line of [...toolLines(tried), ...all.flatMap(checkLine)]) printRedacted(line);
    if (unsigned)
      printRedacted(`! ${ref} takes only signed commits, and signing.sshKey is not set. See docs/github.md.`);
    for (const flag of contract.riskFlags) printRedacted(`! ${flag}`);
    if (contract.checks.length === 0)
      printRedacted('! No check was found. Order runs with check="<command>".');
    for (const alike of alikeStops(stops)) printRedacted(`  → ${enStopped(alike)}`);
  }
  if (stops.length > 0)
    throw new CommandExit(
      EXIT_CODES.unavailable,
      `${repo} cannot be checked here: ${countWords(stops.length, 'thing is', 'things are')} missing or failing. A run there would not start an agent.`,
    );
};
