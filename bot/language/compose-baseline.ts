/** Says what the base commit lacks or fails, and how to get a program. */
import { faultOf, type BaselineStop, type ObservedToolchain } from '../../orchestrator/model/baseline.ts';
import type { CommandFailure } from '../../orchestrator/model/command-failure.ts';
import { toolchainOf } from '../../orchestrator/model/toolchains.ts';
import type { SentenceTree } from './sentence-tree.ts';

const shownWay = (way: string): string => (way.startsWith('https:') ? way : `\`${way}\``);
const waysTo = (program: string | null): readonly string[] =>
  (program === null ? null : toolchainOf(program))?.get ?? [];

export const composeBaseline = ({ baseline, commandFailures }: SentenceTree) => {
  /** The required version is part of the first error or given beside it. */
  const versioned = (way: string): string =>
    way.startsWith('npm install -g ') ? baseline.otherVersion(way) : way;
  /** apt has only one version of a package, so it offers no other. */
  const waysFor = ({ kind, program }: CommandFailure): readonly string[] =>
    kind === 'wrong_version'
      ? waysTo(program)
          .filter((way) => !way.startsWith('apt-get '))
          .map(versioned)
      : waysTo(program);
  const stopReason = ({ stop, more }: { stop: BaselineStop; more: number }): string => {
    const { commandFailure: failure, command } = stop;
    const ways = waysFor(failure).map(shownWay);
    return baseline.stopped({
      fault: faultOf(stop),
      failure: commandFailures[failure.kind]({ ...failure, command, ways }),
      says: failure.says,
      ciGreen: stop.ciGreen === true,
      more,
    });
  };
  const toolMismatch = (tool: ObservedToolchain): string => baseline.mismatch(tool);
  return {
    stopReason,
    toolMismatch,
    toolMismatches: (tools: readonly ObservedToolchain[]): string =>
      tools.length === 0 ? '' : baseline.mismatches(tools.map(toolMismatch)),
  };
};
