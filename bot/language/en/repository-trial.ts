/** English texts of `agentpr doctor <repository>`. */
import { enComposed } from './sentences.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { enStopped, enToolMismatch } from './base.ts';

/** Commands, versions and references are given as they are. */
export const enRepositoryTrial = {
  ranNoTest: (command: string) => `${command} ran no test`,
  notRun: (command: string) => `${command} was not run`,
  withheld: (command: string, why: string) => `${command} was not run here: ${why}`,
  environmentGap: enComposed.evidence.environmentGap,
  flaky: (command: string) => `${command} is flaky: it failed once and then passed`,
  timedOut: (command: string) => `${command} took too long`,
  fails: (command: string, code: string) => `${command} fails here (exit ${code})`,
  andMore: (n: number) => `and ${n} more`,
  askedFor: (version: string, source: string) => ` (asked for: ${version}, ${source})`,
  signedOnly: (ref: string) =>
    `${ref} takes only signed commits, and signing.sshKey is not set. See docs/github.md.`,
  noCheck: 'No check was found. Order runs with check="<command>".',
  notAName: (is: string) => `${is} is not of the form owner/name.`,
  unusable: (repo: string, n: number) =>
    `${repo} cannot be checked here: ${countWords(n, 'thing is', 'things are')} missing or failing. A run there would not start an agent.`,
  /** Contracts hold these in English. */
  flag: (english: string) => english,
  stopReason: enStopped,
  toolMismatch: enToolMismatch,
};
