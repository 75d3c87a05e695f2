/** Parses a pull request template into sections and fillable parts. */

export type SectionPart =
  | { kind: 'box'; raw: string; label: string }
  | { kind: 'prose'; raw: string; continues?: true }
  /** `Fixes #`, alone or after words. */
  | { kind: 'closes'; raw: string }
  /** `- Name:` without a value. */
  | { kind: 'field'; raw: string; label: string }
  | { kind: 'row'; raw: string }
  | { kind: 'fence'; info: string; lines: string[]; raw: string }
  /** A comment that a bot reads. */
  | { kind: 'marker'; raw: string }
  | { kind: 'link' | 'rule' | 'bullet'; raw: string };

export type TemplateSection = {
  title: string | null;
  name: string;
  level: number;
  hints: string;
  parts: SectionPart[];
  told?: boolean;
};

const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const BOX = /^\s*(?:(?:[-*+]|\(?\w{1,2}[.)])\s+)?\[[ xX]?\]\s*(\S.*)$/;
const BOLD = /^\s*(?:\*\*|__)(?!\s)(.{2,120}?)(?:\*\*|__)\s*(.*)$/;
const LABEL = /^[\p{Lu}\p{Lo}][^.!|]{1,70}[:?：？]\s*$/u;
const FILLER_REQUESTS =
  /^\W*(?:please|describe|provide|add|list|explain|write|include|if|ensure|mention|link|replace|delete|remove|put|check|make sure|fill|tell|give|use|mark|tick|enter|insert|note that|feel free|thank|before|for example|e\.g|example|tip|your|what|why|how|which|summari[sz]e|answer|see|read|reference|tag|specify|select|choose|optional|a clear|brief|short|concise|do not|don't|in case|and to help|all|this pr will|when|by default|we|you)\b/i;
const RULES = /\b(?:has|have|needs?) to be\b|\bmust be\b/i;
const CLOSING =
  /(?:^|[\s(:*_-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|ref(?:s|erences)?|related(?: to)?|addresses|part of)\b(?:\s*(?:issue:?|:))?(?:\s*(?:\[?#|gh-|https?:\/\/[^\s()<>[\]{}]+\/issues\/))?(?:\s*(?:<[^>]*>|\([^)]*\)|\{[^}]*\}|\[[^\]]*\]|#?(?:x{2,}|n{2,}|issue(?:[ _-]?(?:number|id|no)[\w-]*)?|number|0{2,}|1234?5?|\d{1,4})|#))?\s*(?:[.`]+\s*)?$/i;
const NUMBER_SLOT =
  /#(?:\s*(?:<[^>]*>|\([^)]*\)|x{2,}|n{2,}|issue[\w-]*|number|_+|0{2,}))?\s*(?:[.`]+\s*)?$/i;
const FIELD = /^\s*[-*+]\s+([^:|[\]]{2,80}):(?:\s*(?:\*\*|__))?(?:\s*(?:<[^>]*>|_+|\.{2,}|…))?\s*$/;
/** `Issue Number: N/A` */
const ISSUE_LINE =
  /^\s*((?:[*_]{1,2})?(?:[a-z]+ )?(?:issues?|tickets?)(?: (?:number|id|link|no\.?|#))?(?:[*_]{1,2})?:(?:[*_]{1,2})?)\s*(?:N\/A|none|#(?:x+|0+)?)\s*$/i;
const LINK = /^\s*\[[^\]]+\]:\s*\S+/;
const FENCE = /^\s*(`{3,}|~{3,})\s*([\w-]*)\s*$/;
const MARKER =
  /^<!--\s*(?:(?!(?:INSERT|ADD|PLEASE|DESCRIBE|REMOVE|DELETE|REPLACE|FILL|NOTE)\b)[A-Z][A-Z0-9 _:./-]*|[\w-]+:\s?[\w:./-]+|(?:do not|don't) (?:remove|delete|edit|modify)[^\n]*)\s*-->$/;

export const isInstruction = (line: string): boolean =>
  FILLER_REQUESTS.test(line) ||
  /\[[A-Z][A-Z ]{2,}\]/.test(line) ||
  /^\s*[[(<{*_].*[\])>}*_]\s*$/.test(line) ||
  /^\s*[_*]{1,2}[^_*]+[_*]{1,2}[.:]?\s*$/.test(line);

const plainName = (text: string): string =>
  text
    .replace(/[*_#`]/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .trim();

/** `bug / feature`, of which one is meant. */
const ALTERNATIVES = /^[^!?\n/|]{1,41}(?:[/|][^!?\n/|]{1,42}){1,12}$/;
export const parseAlternatives = (text: string): string[] =>
  ALTERNATIVES.test(text.trim()) ? text.split(/[/|]/).map((one) => one.trim()) : [];

type Title = { name: string; level: number; rest: string };

const titleOf = (line: string, next: string): Title | null => {
  if (PLACEHOLDER_LINE.test(line)) return null;
  const heading = HEADING.exec(line);
  if (heading) return { name: plainName(heading[2] ?? ''), level: (heading[1] ?? '').length, rest: '' };
  if (/^\S/.test(line) && !BOX.test(line) && /^(?:={3,}|-{3,})\s*$/.test(next) && !/^[-*+|>]/.test(line))
    return { name: plainName(line), level: next.startsWith('=') ? 1 : 2, rest: '' };
  const bold = BOLD.exec(line);
  if (bold && !BOX.test(line)) {
    const [, inner = '', after = ''] = bold;
    const tail = after.replace(/^[:：?]\s*/, '');
    const title =
      tail === '' || /^[*(_[]|^#\s*$/.test(tail) || CLOSING.test(` ${tail}`) || ALTERNATIVES.test(tail);
    if (title && !/^\^|^(?:please|note|important|warning|tip)\b/i.test(inner))
      return { name: plainName(inner), level: 7, rest: after };
  }
  if (
    LABEL.test(line) &&
    !isInstruction(line) &&
    !RULES.test(line) &&
    !CLOSING.test(line) &&
    !FIELD.test(line)
  )
    return { name: plainName(line), level: 8, rest: '' };
  return null;
};

const PLACEHOLDER_LINE =
  /^\W{0,12}(?:\.{2,}|…)\W{0,12}(?:\([^()]{0,60}\))?\W{0,4}$|^\W{0,12}(?:add|insert|write) (?:a )?(?:description|text|summary) here\W{0,12}$/i;
const partOf = (raw: string): SectionPart | null => {
  if (raw.trim() === '' || PLACEHOLDER_LINE.test(raw)) return null;
  if (LINK.test(raw)) return { kind: 'link', raw };
  if (/^\s*\|/.test(raw)) return { kind: 'row', raw };
  // A command to a bot: which ones are given is decided where the section is filled.
  if (/^[\s>]*\/[a-z][\w-]*(?: |$)/.test(raw)) return { kind: 'rule', raw };
  const box = BOX.exec(raw);
  if (box) return { kind: 'box', raw, label: (box[1] ?? '').trim() };
  if (/^[^|]+\|/.test(raw)) return { kind: 'row', raw };
  if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(raw)) return { kind: 'rule', raw };
  if (/^\s*[-*+]\s*$/.test(raw)) return { kind: 'bullet', raw };
  if (CLOSING.test(raw) && (NUMBER_SLOT.test(raw) || /^\W*\w+:?\W*$/.test(raw)))
    return { kind: 'closes', raw };
  const numbered = ISSUE_LINE.exec(raw)?.[1];
  if (numbered !== undefined)
    return { kind: 'field', raw: numbered, label: plainName(numbered).slice(0, -1) };
  const field = FIELD.exec(raw);
  if (field) return { kind: 'field', raw, label: plainName(field[1] ?? '') };
  return { kind: 'prose', raw };
};

const createSection = (title: string | null, name: string, level: number): TemplateSection => ({
  title,
  name,
  level,
  hints: '',
  parts: [],
});

const MARKED_ITEM =
  /^([^\S\n]*(?:[-*+]|\d+[.)])\s+)(?:[☐☑☒⬜🔲🔳✅✔✓❌]\ufe0f?|\[\s*(?:(?:[xX✓✔✅☑]\ufe0f?|\ufe0f)\s*)?\](?!\())[^\S\n]*(?=\S)/gmu;
const MARKED_LINE = /^([^\S\n]*)(?:[☐☑☒⬜🔲🔳]\ufe0f?)[^\S\n]*(?=\S)/gmu;
const TAGS =
  /<\/?(?:details|div|p|span|b|i|u|em|strong|small|sub|sup|center|ul|ol|table|thead|tbody|section|article|font|kbd|blockquote|a)(?:\s[^<>\n]*)?\/?>/gi;
/** HTML around a template would break where words are put between its tags. */
const withoutHtml = (template: string): string =>
  template
    .replace(
      /<h([1-6])(?:\s[^<>\n]*)?>([^\n]*?)<\/h\1>/gi,
      (_, level: string, name: string) => `\n${'#'.repeat(Number(level))} ${name}\n`,
    )
    .replace(/<summary(?:\s[^<>\n]*)?>([^\n]*?)<\/summary>/gi, '\n**$1**\n')
    .replace(/^[^\S\n]*\|.*$/gm, (row) => row.replace(/ ?<br ?\/?> ?/gi, ' '))
    .replace(/<input\b[^<>\n]*\bcheckbox\b[^<>\n]*>[^\S\n]*/gi, '\n- [ ] ')
    .replace(/<li(?:\s[^<>\n]*)?>[^\S\n]*/gi, '\n- ')
    .replace(/<(?:br|hr|img|\/li|\/?tr|\/td)(?:\s[^<>\n]*)?\/?>/gi, '\n')
    .replace(TAGS, '');

/** `hint` is the comment on the line itself, which ends neither a table nor a section. */
type Piece = { comment: string } | { line: string; hint?: string };
const splitPieces = (template: string): Piece[] =>
  withoutHtml(template.replace(/\r\n?/g, '\n').replace(/[^\S\n\t ]/g, ' '))
    .replace(MARKED_ITEM, '$1[ ] ')
    .replace(MARKED_LINE, '$1- [ ] ')
    .split(/(<!--[\s\S]*?(?:-->|$))/)
    .reduce<Piece[]>((out, part) => {
      const last = out.at(-1);
      if (part.startsWith('<!--')) {
        if (last && 'line' in last && holdsComment(last.line))
          last.hint = `${last.hint ?? ''} ${commentText(part)}`;
        else out.push({ comment: part });
        return out;
      }
      const [first = '', ...more] = part.split('\n');
      if (last && 'line' in last && last.hint !== undefined)
        last.line = `${last.line.trimEnd()} ${first.trimStart()}`.trimEnd();
      else out.push({ line: first });
      out.push(...more.map((line) => ({ line })));
      return out;
    }, []);

/** Prose with a comment is a place for words; rows, boxes and titles stay what they are. */
const holdsComment = (line: string): boolean =>
  titleOf(line, '') !== null || !['prose', undefined].includes(partOf(line)?.kind);

const commentText = (comment: string): string => comment.replace(/^<!--+|-*-->$/g, '').trim();

type Fence = Extract<SectionPart, { kind: 'fence' }>;
const lastOf = (sections: readonly TemplateSection[]): TemplateSection =>
  sections.at(-1) ?? createSection(null, '', 9);

const addComment = (sections: TemplateSection[], comment: string): void => {
  const last = lastOf(sections);
  if (MARKER.test(comment)) last.parts.push({ kind: 'marker', raw: comment });
  else if (last.title === null) sections.push({ ...createSection(null, '', 9), hints: commentText(comment) });
  else last.hints += ` ${commentText(comment)}`;
};

/** A fence around boxes alone is a list of boxes. */
const closeFence = (sections: readonly TemplateSection[], { lines }: Fence): void => {
  const boxes = lines.map(partOf).filter((one) => one !== null);
  if (boxes.length > 0 && boxes.every((one) => one.kind === 'box'))
    lastOf(sections).parts.splice(-1, 1, ...boxes);
};

const addTitle = (
  sections: TemplateSection[],
  { level, name, rest }: Title,
  { line, hint = '' }: Extract<Piece, { line: string }>,
): void => {
  const underlined = level <= 2 && !line.trimStart().startsWith('#');
  const mark = /^[:：?]/.exec(rest)?.[0] ?? '';
  const shown = level > 6 && rest !== '' ? `${line.slice(0, line.length - rest.length)}${mark}` : line;
  const section = createSection(underlined ? `${'#'.repeat(level)} ${name}` : shown.trimEnd(), name, level);
  if ((CLOSING.test(` ${rest}`) || /^\W*#\s*$/.test(rest)) && rest !== '')
    section.parts.push({ kind: 'closes', raw: /[a-z]+\W*#[^#]*$/i.exec(rest)?.[0] ?? rest });
  section.hints = [rest.replace(/^[:：?]\s*/, ''), hint].join(' ').trim();
  sections.push(section);
};

const isUnderline = (line: string, above: string): boolean =>
  /^(?:={3,}|-{3,})\s*$/.test(line) && titleOf(above, line)?.level === (line.startsWith('=') ? 1 : 2);

const addPart = (sections: TemplateSection[], line: string, above: string): void => {
  const part = partOf(line);
  if (!part) return;
  const last = lastOf(sections);
  const intro = last.parts.at(-1);
  const isGoing = intro?.kind === 'box' || (intro?.kind === 'prose' && intro.continues);
  if (part.kind === 'prose' && isGoing && above.trim() !== '' && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line))
    part.continues = true;
  if (part.kind === 'bullet' && last.title === null && intro?.kind === 'prose') {
    last.parts.pop();
    sections.push(createSection(intro.raw.trim(), plainName(intro.raw), 8));
  }
  lastOf(sections).parts.push(part);
};

const lineOf = (piece: Piece | undefined): string => (piece && 'line' in piece ? piece.line : '');

export const parseSections = (template: string): TemplateSection[] => {
  const all = splitPieces(template.replace(/^---\n[\s\S]*?\n---\n/, ''));
  const sections: TemplateSection[] = [createSection(null, '', 9)];
  let fence: Fence | null = null;
  for (const [at, piece] of all.entries()) {
    if ('comment' in piece) {
      addComment(sections, piece.comment);
      continue;
    }
    const { line } = piece;
    const bar = FENCE.exec(line);
    if (fence) {
      if (bar) {
        closeFence(sections, fence);
        fence = null;
      } else fence.lines.push(line);
      continue;
    }
    if (bar) {
      fence = { kind: 'fence', info: bar[2] ?? '', lines: [], raw: line };
      lastOf(sections).parts.push(fence);
      continue;
    }
    const above = lineOf(all[at - 1]);
    const title = titleOf(line, lineOf(all[at + 1]));
    if (title) addTitle(sections, title, piece);
    else if (!isUnderline(line, above)) addPart(sections, line, above);
  }
  return sections.filter((s) => s.title !== null || s.hints !== '' || s.parts.length > 0);
};
