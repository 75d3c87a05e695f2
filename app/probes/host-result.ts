/** A finding of a probe of this host: a record that each language turns into sentences. */
import type { HostFinding, LanguageTexts } from '#language';
import type { ControlConfig, WorkConfig } from '../config.ts';

/** A warning works as it is, and has something to fix. */
export type HostResult = { name: string; level: 'good' | 'warning' | 'failed'; finding: HostFinding };
export type Found = readonly HostResult[] | Promise<readonly HostResult[]>;

/** Why a token was not accepted: it is nobody's, nobody answered, or something else. */
export type TokenFault = { kind: 'unknown' | 'away' | 'refused'; cause: string };

/** The surroundings that `agentpr doctor` has before it probes. */
export type DoctorHost = {
  texts: LanguageTexts;
  /** Null where the settings could not be read. */
  config: WorkConfig | null;
  /** Null for a worker too, which needs neither chat nor webhooks. */
  control: ControlConfig | null;
  settings: HostResult;
  /** Folders of programs, as `PATH` names them. */
  searchPath: string;
  /** Throws when the proxies or certificates of the environment are unusable. */
  applyProxySettings: () => void;
};

const resultOf =
  (level: HostResult['level']) =>
  (name: string, finding: HostFinding): HostResult => ({ name, level, finding });
export const goodResult = resultOf('good');
export const warningResult = resultOf('warning');
export const failedResult = resultOf('failed');

export type ProbeLine = { name: string; ok: boolean; says: string; fix: string };
export const toProbeLine = (words: LanguageTexts, { name, level, finding }: HostResult): ProbeLine => {
  const { says, fix } = words.hostFinding(finding);
  return { name, ok: level !== 'failed', says, fix: level === 'good' ? '' : fix };
};
