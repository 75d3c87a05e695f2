/** F7: lines that a reviewer suggests, put in place of those that the remark is about. */
import { describe, expect, it } from 'vitest';
import { findSuggestedEdit, applySuggestedEdits } from '#model/change';
import { nextChoice, proposeChoice } from '#model/review';
import { at, begin, choose, implemented, remark, review } from '../support/core.ts';

const block = (text: string): string => `Like this:\n\`\`\`suggestion\n${text}\`\`\`\n`;
const said = (body: string, line: number | null = 2, start?: number) => ({
  body,
  path: 'a.js',
  line,
  ...(start === undefined ? {} : { start }),
});
const FILE = 'one\ntwo\nthree\n';
const put = (text: string, body: string, line = 2, start?: number) => {
  const edit = findSuggestedEdit(said(body, line, start));
  return edit && applySuggestedEdits(text, [edit]);
};

describe('a suggestion', () => {
  it.each<[string, string | null, string, string, number?, number?]>([
    ['takes the place of its line', 'one\nTWO\nthree\n', FILE, block('TWO\n')],
    ['may have more lines', 'one\nTWO\nand\nthree\n', FILE, block('TWO\nand\n')],
    ['takes the place of several lines', 'ONE\nthree\n', FILE, block('ONE\n'), 2, 1],
    ['takes lines away when it is empty', 'one\nthree\n', FILE, block('')],
    ['keeps an empty line apart from none', 'one\n\nthree\n', FILE, block('\n')],
    [
      'keeps the ends of lines of the file',
      'one\r\nTWO\r\nthree\r\n',
      FILE.replaceAll('\n', '\r\n'),
      block('TWO\n'),
    ],
    [
      'of a page with other ends of lines is the same',
      'one\nTWO\nthree\n',
      FILE,
      block('TWO\n').replaceAll('\n', '\r\n'),
    ],
    ['leaves a last line without an end as it is', 'one\nTWO', 'one\ntwo', block('TWO\n')],
    ['may show a fence of its own', 'one\n```\nthree\n', FILE, '````suggestion\n```\n````'],
    ['of a line that is not there does not fit', null, FILE, block('x\n'), 9],
    ['without an end is none', null, FILE, '```suggestion\nx\n'],
    ['beside another one is for the agent', null, FILE, block('x\n') + block('y\n')],
  ])('F7: %s', (_, wanted, text, body, line = 2, start) => {
    expect(put(text, body, line, start)).toBe(wanted);
  });

  it('F7: of a line that is gone cannot be applied, and is for the agent', () => {
    expect(findSuggestedEdit(said(block('x\n'), null))).toBeNull();
    expect(proposeChoice(said(block('x\n'), null), 'write')).toBe('fix');
    expect(nextChoice({ ...said(block('x\n'), null), choice: 'ignore' })).toBe('fix');
    expect(proposeChoice(said(block('x\n')), 'write')).toBe('apply');
    expect(proposeChoice(said(block('x\n')), 'read')).toBe('ignore');
  });

  it('F7: several of one file are put in place together, unless they overlap', () => {
    const edit = (from: number, to: number, ...lines: string[]) => ({ path: 'a.js', from, to, lines });
    expect(applySuggestedEdits(FILE, [edit(1, 1, 'A', 'a'), edit(3, 3, 'C')])).toBe('A\na\ntwo\nC\n');
    expect(applySuggestedEdits(FILE, [edit(1, 2, 'A'), edit(2, 3, 'B')])).toBeNull();
  });
});

describe('what is chosen to be applied', () => {
  const one = { ...remark('c1', block('salut\n')), by: 'mia <7+mia@users.example>' };
  const told = (...remarks: (typeof one)[]) =>
    at('REVIEW_WAIT').when(review({ body: '', hasAllRemarks: true, remarks }));

  it('F7: is a round without an agent, and the workspace follows the commit', () => {
    const story = told(one).when(begin);
    expect(story.run.agent.round).toMatchObject({
      kind: 'suggested_edits',
      suggestedEdits: [{ path: 'src/hello.ts', from: 3, to: 3, lines: ['salut'] }],
      authors: ['mia <7+mia@users.example>'],
    });
    const made = story.when((run) => {
      const act = implemented('b')(run);
      return { ...act, input: { ...act.input, workspaceStale: true } as typeof act.input };
    });
    expect(made.run.change.resetTo).toBe(made.run.change.commit?.sha);
  });

  it('F7: goes to the agent with what only an agent can fix', () => {
    const story = told(one, remark('c2', 'Please rename it.') as typeof one).when(begin);
    expect(story.run.agent.round.kind).toBe('review_fix');
    expect(story.run.agent.round.feedback).toMatchObject([{ items: [{ no: 1 }, { no: 2 }] }]);
  });

  it('F7: may be fixed by the agent instead, answered or ignored', () => {
    const story = told(one).when(choose('c1', 'fix'), begin);
    expect(story.run.agent.round.kind).toBe('review_fix');
  });
});
