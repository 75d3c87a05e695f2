/** Renders the line of a gate card with reservations about the change. */
import type { Run } from '#run';
import { coolDownOf, demandsOf, signatureProgress } from '#model/assessment';
import { toWholeUnits } from '#model/values';
import type { Finding } from '#model/change';
import type { ContainmentLevel } from '#model/evidence';
import type { LanguageTexts } from '../language/languages.ts';
import { escapeLine } from '../text/telegram-html.ts';
import { NATURE_BY_FINDING, SKIPPED_FILE_FINDINGS, naturesOf, type ChangeNature } from './file-facts.ts';

/** Boxes with all that is promised; anything less is said. */
const FULL_BOXES: readonly ContainmentLevel[] = ['bwrap', 'container'];

/** Counts files: a file may have several findings, and a finding may stand for several files. */
const filesIn = (findings: readonly Finding[]): number => {
  const files = new Map<string, number>();
  for (const { path, count = 1 } of findings) files.set(path, Math.max(count, files.get(path) ?? 0));
  return [...files.values()].reduce((n, one) => n + one, 0);
};

export const naturesIn = ({ change: { commit } }: Run, words: LanguageTexts): string => {
  if (!commit || commit.diff.files.length <= 3) return '';
  const counts = new Map<ChangeNature, number>();
  for (const file of commit.diff.files)
    for (const one of naturesOf(commit.diff, file)) counts.set(one, (counts.get(one) ?? 0) + 1);
  // A finding may stand for further files that it does not name.
  for (const { kind, count = 1 } of commit.diff.findings) {
    const one = NATURE_BY_FINDING[kind];
    if (one !== undefined && count > 1) counts.set(one, (counts.get(one) ?? 0) + count - 1);
  }
  return [...counts].map(([one, n]) => `${n} ${words.card.natures[one]}`).join(', ');
};

export const cautionLine = (run: Run, words: LanguageTexts): string => {
  const { card } = words;
  const findings = run.change.commit?.diff.findings ?? [];
  const kinds = SKIPPED_FILE_FINDINGS.filter((kind) => findings.some((f) => f.kind === kind));
  const out = filesIn(findings.filter((f) => kinds.some((kind) => kind === f.kind)));
  const hiding = findings.filter((f) => f.kind === 'hidden_line').reduce((n, f) => n + (f.count ?? 1), 0);
  const weak =
    run.agent.containment && !FULL_BOXES.includes(run.agent.containment)
      ? card.contained(run.agent.containment)
      : '';
  const unsigned =
    run.target.requiresSignedCommits && run.gate.proposal?.fields.signer === undefined
      ? card.unsigned(run.target.base?.ref ?? '')
      : '';
  const newText = run.gate.editedPrText;
  const isEdited = newText !== null && (newText.title !== null || newText.description !== null);
  const edited = isEdited ? card.edited(newText.by) : '';
  const parts = [
    hiding > 0 ? card.hiddenLines(hiding) : '',
    unsigned,
    edited,
    weak,
    run.agent.exposedCredentials ? card.lends[run.agent.exposedCredentials] : '',
    out > 0 ? card.skipped(out, kinds.map((kind) => card.leftOut[kind]).join(', ')) : '',
    ...findings.filter(({ kind }) => kind === 'agent_git').map((finding) => words.findingNote(finding)),
  ].filter(Boolean);
  return parts.length > 0 ? `⚠ ${escapeLine(parts.join(' · '), 300)}` : '';
};

/** G3, G10: returns an empty string when one signature of anybody is enough, and opens it at once. */
export const signatureLine = (
  { gate: { approval, proposal } }: { gate: Pick<Run['gate'], 'approval' | 'proposal'> },
  { card }: LanguageTexts,
): string => {
  if (!approval) return '';
  const { kind, signatures } = approval;
  const judged = (kind === 'reply' ? null : proposal?.fields.assessment) ?? { reasons: [] };
  const { have, needed, next } = signatureProgress(demandsOf(judged, approval.needed), signatures);
  const names = signatures.map(({ name }) => name).join(', ');
  const waits = coolDownOf(judged);
  const span = toWholeUnits(waits);
  const parts = [
    needed > 1 || have > 0 || next.length > 0 ? card.signed(have, needed, names, next.length > 0) : '',
    next.length > 0 ? card.stillNeeds(next) : '',
    waits > 0 ? card.coolDown(span.unit, span.n) : '',
  ].filter(Boolean);
  return escapeLine(parts.join(' · '), 300);
};
