/** Formats one result of `agentpr doctor`: a record that a language turns into sentences. */
import type { HostFinding, LanguageTexts } from '#language';

/** A warning works as it is, and has something to fix. */
export type DoctorCheck = { name: string; level: 'good' | 'warning' | 'failed'; finding: HostFinding };

export const goodLine = (name: string, finding: HostFinding): DoctorCheck => ({
  name,
  level: 'good',
  finding,
});
export const warningLine = (name: string, finding: HostFinding): DoctorCheck => ({
  name,
  level: 'warning',
  finding,
});
export const failureLine = (name: string, finding: HostFinding): DoctorCheck => ({
  name,
  level: 'failed',
  finding,
});

export type DoctorLine = { name: string; ok: boolean; says: string; fix: string };
export const sayCheck = (words: LanguageTexts, { name, level, finding }: DoctorCheck): DoctorLine => {
  const { says, fix } = words.hostFinding(finding);
  return { name, ok: level !== 'failed', says, fix: level === 'good' ? '' : fix };
};
