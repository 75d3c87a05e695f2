/** Checks what a run would need for a repository on this machine (O2, E15). */
import type { ControlConfig } from '../app/config.ts';
import { describeFailure } from '../app/describe-failure.ts';
import { tryOnRepository, type TriedRepository } from '../app/try-repository.ts';
import type { LanguageTexts } from '#language';
import { groupAlikeStops, findBaselineStops, type CheckResult } from '#model/evidence';
import { RepositoryName } from '#model/order';
import { OutsideFailure } from '#ports/forge';
import { printRedacted, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';

const MAX_NAMED_CHECKS = 5;

const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const checkLine = (texts: LanguageTexts, check: CheckResult): string[] => {
  const words = texts.repositoryTrial;
  const { outcome, ms, failing = [], flaky } = check;
  const [name, command] = [check.name.padEnd(10), `\`${check.command}\``];
  if (outcome === 'passed') return [`✔ ${name} ${command} (${formatSeconds(ms)})`];
  if (outcome === 'ran_no_test') return [`– ${name} ${words.ranNoTest(command)} (${formatSeconds(ms)})`];
  if (outcome === 'not_run' && check.environmentGap)
    return [`– ${name} ${words.withheld(command, texts.evidence.environmentGap(check.environmentGap))}`];
  if (outcome === 'not_run') return [`✘ ${name} ${words.notRun(command)}`];
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
    ? words.flaky(command)
    : outcome === 'timed_out'
      ? words.timedOut(command)
      : words.fails(command, String(check.exitCode));
  return [`! ${name} ${says}`, ...named, ...(more > 0 ? [`             ${words.andMore(more)}`] : [])];
};

const toolLines = (texts: LanguageTexts, { baseline: { tools } }: TriedRepository): string[] =>
  tools
    .filter((t) => t.version !== null)
    .map((t) =>
      t.fits === false
        ? `! ${texts.toolMismatch(t)}`
        : `✔ ${t.name.padEnd(10)} ${t.version}${t.asked === null ? '' : texts.repositoryTrial.askedFor(t.asked, t.source ?? '')}`,
    );

const tryRepository = async (
  config: ControlConfig,
  repo: string,
  { quiet }: { quiet: boolean },
): Promise<TriedRepository> => {
  const closing = new AbortController();
  const abortTrial = (): void => closing.abort();
  process.once('SIGINT', abortTrial);
  try {
    return await tryOnRepository(config, repo, {
      onRun: (name, command) => {
        if (!quiet) printRedacted(`… ${name}: ${command}`);
      },
      signal: closing.signal,
    });
  } catch (error) {
    if (error instanceof OutsideFailure)
      throw new CommandExit(EXIT_CODES.failed, { kind: 'told', says: describeFailure(cliWords(), error) });
    throw error;
  } finally {
    process.off('SIGINT', abortTrial);
  }
};

export const doctorRepository = async (
  config: ControlConfig,
  repo: string,
  { json = false }: { json?: boolean },
): Promise<void> => {
  const texts = cliWords();
  const words = texts.repositoryTrial;
  if (!RepositoryName.safeParse(repo).success)
    throw new CommandExit(EXIT_CODES.usage, { kind: 'not_a_repository', is: repo });
  const tried = await tryRepository(config, repo, { quiet: json });
  const { baseline, contract, ref, wantsSigned } = tried;
  const unsigned = wantsSigned && config.file.signing === undefined;
  const stops = findBaselineStops(baseline, { ordered: false, without: [] });
  if (json) printJson({ repo, ref, contract, baseline, wantsSigned, stops });
  else {
    const all = [...baseline.installs, ...baseline.checks];
    printRedacted(`\n${repo} (${ref})`);
    for (const line of [...toolLines(texts, tried), ...all.flatMap((one) => checkLine(texts, one))])
      printRedacted(line);
    if (unsigned) printRedacted(`! ${words.signedOnly(ref)}`);
    for (const flag of contract.riskFlags) printRedacted(`! ${texts.riskFlag(flag)}`);
    if (contract.agentSettings) printRedacted(`! ${texts.agentSettings(contract.agentSettings)}`);
    if (contract.checks.length === 0) printRedacted(`! ${words.noCheck}`);
    for (const alike of groupAlikeStops(stops)) printRedacted(`  → ${texts.stopReason(alike)}`);
  }
  if (stops.length > 0)
    throw new CommandExit(EXIT_CODES.unavailable, { kind: 'repository_unusable', repo, n: stops.length });
};
