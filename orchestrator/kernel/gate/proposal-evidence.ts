/** Evidence about a change, as the seal keeps it (G2). */
import { listDecidingReasons } from '#governor';
import type { CheckConfigFiles, CheckResult } from '#model/evidence';
import type { Grade } from '#model/assessment';
import type { RecordedAnswer } from '#model/requirements';
import type { ProposalEvidence } from '#model/seal';

export type ObservedEvidence = {
  checks: readonly CheckResult[];
  grade: Grade | null;
  checkConfig: CheckConfigFiles | null;
  answers?: readonly RecordedAnswer[];
};

const checkEvidenceOf = <K extends string>(kind: K, { name, command, outcome }: CheckResult) =>
  ({ kind, name, command, outcome }) as const;

const configEvidence = ({
  files,
  baseResults: base,
  notCompared: missed,
}: CheckConfigFiles): ProposalEvidence[] => [
  ...files.map((path): ProposalEvidence => ({ kind: 'check_config', path })),
  ...(base ?? []).map((c) => checkEvidenceOf('check_of_base', c)),
  ...(missed ? [{ kind: 'not_compared', why: missed } as const] : []),
];

export const toEvidence = ({
  checks,
  grade,
  checkConfig,
  answers = [],
}: ObservedEvidence): ProposalEvidence[] => [
  ...checks.map((c) => checkEvidenceOf('check', c)),
  ...(checkConfig ? configEvidence(checkConfig) : []),
  ...answers.map(({ what, text, by, at }): ProposalEvidence => ({
    kind: 'answer',
    what,
    text,
    at,
    by: by.name,
  })),
  ...(grade ? [{ kind: 'grade', level: grade.level, reasons: listDecidingReasons(grade) } as const] : []),
];
