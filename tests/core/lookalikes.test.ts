/** G8, P6: what reads as ASCII and is not, by Unicode's tables; and what is ordinary in each language. */
import { describe, expect, it } from 'vitest';
import { contentFindings } from '../../executors/git/workspace/content-findings.ts';
import { assessAction } from '../../governor/assess-action.ts';
import { findLookalike } from '../../text-safety/lookalikes.ts';
import { context, file, finding, pull, push } from '../support/actions.ts';

const APPLE = '\u0430\u0440\u0440\u04cf\u0435';
const COPY = '\u0441\u043e\u0440\u0443';

describe('what reads as ASCII and is not', () => {
  it.each<[line: string, as: string]>([
    [`fetch("https://${APPLE}.com/x")`, 'apple.com'],
    [`[docs](https://docs.${APPLE}.com)`, 'docs.apple.com'],
    [`git@${APPLE}.com:a/b.git`, 'apple.com:a'],
    [`${APPLE}.com`, 'apple.com'],
    [
      `# \u0427\u0438\u0442\u0430\u0439 https://${APPLE}.com/x \u0438 \u0434\u0430\u043b\u0435\u0435`,
      'apple.com',
    ],
    ['https://\u0261oogle.com', 'google.com'],
    ['https://\u03bfpen\u0430i.com', 'openai.com'],
    ['foo()\u037e', ';'],
    ['const a\u037e', ';'],
    ['https://github.com\u2215evil.example/x', '/'],
    ['https://github\u2024com/x', '.'],
    ['a\u2024b()', '.'],
    ['if (a\uff1db)', '='],
    ['a\uff1bb', ';'],
    [`let ${COPY} = 1;`, 'copy'],
    [`${COPY}(x); // \u043f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440`, 'copy'],
    [`if (role === "${COPY}") {`, 'copy'],
    ['\u13aa\u13e2 = 1', 'AP'],
    ['\u0251dmin()', 'admin'],
    ['\u{1d41a}dmin()', 'admin'],
  ])('G8: %j reads as %j', (line, as) => {
    expect(findLookalike(line)?.as).toBe(as);
    const found = contentFindings(null, { path: 'a.js', bytes: Buffer.from(`x\n${line}\n`) });
    expect(found).toContainEqual(expect.objectContaining({ kind: 'look_alike', line: 2 }));
  });

  it.each([
    ['\uff53\uff52\uff43/a.ts', 'src'],
    ['\uff21\uff27\uff25\uff2e\uff34\uff33\uff0e\uff4d\uff44', 'AGENTS.md'],
    [
      '.github/\u{1d430}\u{1d428}\u{1d42b}\u{1d424}\u{1d41f}\u{1d425}\u{1d428}\u{1d430}\u{1d42c}/ci.yml',
      'workflows',
    ],
    ['\ufb01le.ts', 'file.ts'],
    [`src/${COPY}.ts`, 'copy.ts'],
  ])('G8: the path %j imitates %j, and a person is asked', (path, as) => {
    const { reasons } = assessAction(push({ files: [file(path)] }), context);
    const [one] = reasons.filter(({ reason }) => reason.kind === 'public_text_look_alike');
    expect(one).toMatchObject({ policy: 'hidden-text', verdict: 'escalate', reason: { as } });
  });

  it.each([
    '\u6587\u6863\uff08\u4e00\uff09.md',
    '\u4f7f\u7528\uff21\uff30\uff29.md',
    '\u56f3\uff11.png',
    'docs/say\u0131.md',
    'caf\u00e9.md',
    '\u2460.md',
  ])('G8: the path %j is ordinary', (path) => {
    const { reasons } = assessAction(push({ files: [file(path)] }), context);
    expect(reasons.filter(({ reason }) => reason.kind === 'public_text_look_alike')).toEqual([]);
  });

  it('G8: is a high risk that a person signs, in code, names, titles and words', () => {
    for (const action of [
      push({ findings: [finding('look_alike')] }),
      push({ files: [file(`src/${COPY}.ts`)] }),
      push({ message: `Read https://${APPLE}.com` }),
      pull({ title: `Use ${APPLE}.com` }),
    ])
      expect(assessAction(action, context).reasons).toContainEqual(
        expect.objectContaining({ policy: 'hidden-text', verdict: 'escalate' }),
      );
    expect(assessAction(push({ findings: [finding('look_alike')] }), context).risk).toBe('high');
  });

  it.each([
    '\u042d\u0442\u043e \u043f\u0440\u043e\u0441\u0442\u043e \u0442\u0435\u043a\u0441\u0442: \u0443\u0440\u0430, \u0441\u043e\u0443\u0441 \u0438 \u0443\u0445\u043e.',
    '// \u0441\u0447\u0451\u0442\u0447\u0438\u043a = \u0441\u0447\u0451\u0442\u0447\u0438\u043a + 1',
    'const \u043f\u0440\u0438\u0432\u0435\u0442 = "\u043f\u0440\u0438\u0432\u0435\u0442";',
    '\u03b3\u03b9\u03b1 \u03c4\u03bf \u03b1\u03c1\u03c7\u03b5\u03af\u03bf README.md',
    'const \u03b1 = 0.5 * \u03c3;',
    '\u4fee\u590d\uff1b\u4f7f\u7528 GitHub\uff08\u65e7\u7248\uff09\uff0c\u89c1 README\u3002',
    '\u65e5\u672c\u8a9e\u306e\u30ce\u30fc\u30c8\uff1aGit \uff33\uff31\uff2c',
    '\ud55c\uad6d\uc5b4 \uc124\uba85: npm test\ub97c \uc2e4\ud589',
    '\u0627\u0633\u062a\u062e\u062f\u0645 GitHub\u061b \u062b\u0645 npm test\u060c',
    '\u05d4\u05e8\u05e6\u05ea git status\u05c3 \u05d5\u05d2\u05dd \u05d5\u05d5',
    'https://\u043f\u0440\u0435\u0437\u0438\u0434\u0435\u043d\u0442.\u0440\u0444/',
    'https://m\u00fcnchen.de/stra\u00dfe',
    'say\u0131 = de\u011fi\u015fken // T\u00fcrk\u00e7e',
    '\u00fe\u00fa ert h\u00e9r, \u00e6tt',
    'it\u2019s \u201cquoted\u201d \u2013 10 \u00d7 5 \u2192 50 \u00b5s, 1\u20442, H\u2082O, cm\u00b2, caf\u00e9\u2026',
    '\u{1f600} done \u2705 \u2014 ok',
  ])('G8: %j is ordinary', (line) => {
    expect(findLookalike(line)).toBeNull();
  });

  it.each([
    APPLE,
    '\u037e',
    `https://${APPLE}.com `,
    `${APPLE}.`,
    '\u0430',
    'a\u2215',
    '\uff1b\u4e00',
    '@\u0430',
    'a.\u0430',
  ])('G8: is looked for in time that grows with the length: %j', (part) => {
    const line = part.repeat(200_000 / part.length);
    expect([null, 'object']).toContain(findLookalike(line) === null ? null : typeof findLookalike(line));
  });
});
