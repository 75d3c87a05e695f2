/** Reads repositories and logs in a reader thread. */
import type { Contract } from '#model/contract';
import { MB } from '#model/values';
import { type OnReading, readContract, readContributionRequirements, refineContract } from '#discovery';
import { readCheckConfig } from '#governor';
import { distillLog, readLog } from '#checks';
import { allowLongTexts } from '../../process/answer-length.ts';

/** A manifest of at most 256 KB, indented anew. Checks are run beside it; nothing else reads it. */
const MAX_MANIFEST_LENGTH = 4 * MB;
/** Sent as a file, and distilled in a thread again. */
const MAX_LOG_LENGTH = 16 * MB;

export const readerTasks = {
  contract: readContract,
  refine: (
    { before, note, files }: { before: Contract; note: string; files: ReadonlyMap<string, string> },
    reading: OnReading,
  ) =>
    refineContract(before, note, (path) => {
      reading(path);
      return files.get(path) ?? null;
    }),
  contribution: readContributionRequirements,
  readCheckConfig: allowLongTexts(MAX_MANIFEST_LENGTH, readCheckConfig),
  distillLog,
  readLog: allowLongTexts(MAX_LOG_LENGTH, readLog),
};
