/** Lists the files that a tap would publish, with their sizes (C2). */
import type { AssessmentReason } from '#model/assessment';
import type { Run } from '#run';
import { listChangedFiles } from '../text/parse-patch.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { showPath } from '../text/telegram-html.ts';
import { naturesIn } from './cautions.ts';
import { sortFilesByRisk, naturesOf, formatDiffSize, type ChangeNature } from './file-facts.ts';
import { showsFix } from './run-lines.ts';
import type { ViewScene } from './scene.ts';

export type ChangeToShow = { added: number; deleted: number; files: FileToShow[] };
type FileToShow = {
  path: string;
  added: number;
  deleted: number;
  binary: boolean;
  gone: boolean;
  is: ChangeNature[];
};

const MAX_CODE_COLUMNS = 36;
const MAX_FILES = 3;

export const changeToShow = ({ run, patch }: ViewScene): ChangeToShow => {
  const diff = run.change.commit?.diff;
  if (!diff) return { added: 0, deleted: 0, files: [] };
  const whole = sortFilesByRisk(diff).map((f) => ({
    ...f,
    gone: f.status === 'deleted',
    is: naturesOf(diff, f),
  }));
  const fix = showsFix(run) ? listChangedFiles(patch) : null;
  if (!fix) return { added: diff.added, deleted: diff.deleted, files: whole };
  const files = fix.map((f) => {
    const known = whole.find((w) => w.path === f.path);
    const binary = known?.binary ?? f.binary;
    return { ...f, binary, gone: known?.gone ?? false, is: known?.is ?? [] };
  });
  const place = new Map(whole.map(({ path }, i) => [path, i]));
  files.sort((a, b) => (place.get(a.path) ?? Infinity) - (place.get(b.path) ?? Infinity));
  return { added: sumLines(files, 'added'), deleted: sumLines(files, 'deleted'), files };
};

const sumLines = (files: readonly FileToShow[], pick: 'added' | 'deleted'): number =>
  files.reduce((n, f) => n + f[pick], 0);

const TELLS_GONE: readonly AssessmentReason['kind'][] = ['tests_removed', 'deleted'];

/** Returns true when the cautions say everything about a file except its line counts. */
const isTold = (
  file: FileToShow,
  told: ReadonlyMap<string, readonly AssessmentReason['kind'][]>,
): boolean => {
  const kinds = told.get(file.path);
  if (!kinds || file.is.length > 0 || (file.binary && !kinds.includes('binary'))) return false;
  return !file.gone || kinds.some((kind) => TELLS_GONE.includes(kind));
};

/** Risks are shown above; `told` holds the paths that were named there. */
export const fileLines = (
  all: readonly FileToShow[],
  told: ReadonlyMap<string, readonly AssessmentReason['kind'][]>,
  run: Run,
  words: LanguageTexts,
): string[] => {
  const files = all.filter((file) => !isTold(file, told));
  const head = files.length > 0 && files.length < all.length ? [words.card.otherFiles] : [];
  const shown = files.slice(0, MAX_FILES).map((f) => {
    const { card } = words;
    const size = f.binary
      ? card.binary
      : f.is.length > 0 && f.added + f.deleted === 0
        ? ''
        : formatDiffSize(f);
    const says = [size, f.gone ? card.deleted : '', ...f.is.map((one) => card.natures[one])];
    const tail = ` ${says.filter(Boolean).join(' ')}`;
    return `<code>${showPath(f.path, Math.max(8, MAX_CODE_COLUMNS - tail.length))}${tail}</code>`;
  });
  const rest = files.slice(MAX_FILES);
  if (rest.length === 0) return [...head, ...shown];
  const natures = naturesIn(run, words);
  const more = words.card.moreFiles(rest.length, sumLines(rest, 'added'), sumLines(rest, 'deleted'));
  return [...head, ...shown, natures === '' ? more : `${more} · ${natures}`];
};
