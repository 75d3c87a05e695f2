/** Pull request templates: their headings are kept and filled with facts; their boxes are never ticked by us. */
import { neutral } from '../public-text.ts';

/** What a section of a template can be filled with. */
export type Parts = { goal: string; changes: string; evidence: string; disclosure: string };

type Section = { heading: string | null; boxes: string[] };

const HEADING = /^ {0,3}#{1,6}\s+\S/;
const BOX = /^\s*[-*+]\s+\[[ xX]?\]/;

const sections = (template: string): Section[] => {
  const out: Section[] = [{ heading: null, boxes: [] }];
  const visible = template.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const line of visible.split(/\r?\n/)) {
    if (HEADING.test(line)) out.push({ heading: neutral(line).trim(), boxes: [] });
    else if (BOX.test(line))
      out.at(-1)?.boxes.push(
        neutral(line)
          .replace(/\[[xX]?\]/, '[ ]')
          .trimEnd(),
      );
  }
  return out.filter((s) => s.heading !== null || s.boxes.length > 0);
};

/** Headings as they must stand in a body that keeps the template. */
export const headings = (template: string): string[] =>
  sections(template).flatMap((s) => (s.heading === null ? [] : [s.heading]));

const FITS: readonly [keyof Parts, RegExp][] = [
  ['disclosure', /\b(?:ai|llm|generated|disclos\w*|agents?|automat\w*)\b/i],
  ['evidence', /\b(?:test\w*|verif\w*|check(?:s|ed)?|qa|validat\w*|evidence|how (?:has|was|did|to))\b/i],
  [
    'goal',
    /\b(?:why|motivation|context|problem|background|purpose|goal|related|issues?|description|summary|about|overview)\b/i,
  ],
  ['changes', /\b(?:what|changes?|changed|proposed|solution|implementation|details|how|notes?|type)\b/i],
];

const fitting = (heading: string | null): keyof Parts | null =>
  FITS.find(([, pattern]) => pattern.test(heading ?? ''))?.[0] ?? null;

/** The template with facts under its headings, each part once; says which parts found no place. */
export const fill = (template: string, parts: Parts): { text: string; left: (keyof Parts)[] } => {
  const left = new Set(Object.keys(parts) as (keyof Parts)[]);
  const blocks = sections(template).map((section) => {
    const part = fitting(section.heading);
    const fresh = part !== null && left.delete(part);
    const boxes = section.boxes.length > 0 ? [section.boxes.join('\n')] : [];
    const content = fresh ? [parts[part]] : boxes.length > 0 ? [] : ['Nothing to add.'];
    return [...(section.heading === null ? [] : [section.heading]), ...content, ...boxes].join('\n\n');
  });
  return { text: blocks.join('\n\n'), left: [...left] };
};
