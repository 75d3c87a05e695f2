/**
 * What the machine says in English reaches a Chinese chat in Chinese; what others say stays as they
 * said it.
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { Reason, Refusal } from '#run';
import { Feedback } from '#model/feedback';
import { samplesOf } from '../support/sample.ts';
import { shapes, trials } from '../support/core-shapes.ts';
import type { Story } from '../support/core.ts';
import { createChatWorld } from '../support/chat-world.ts';

const { zh } = LANGUAGE_TEXTS;
/** Words of people, agents, tools and policies in the stories. */
const OTHERS =
  /test: expected bonjour|main nnnnnn|\/budget r1 \w+ \d+|Please rename it\.|Look\.|(?:Please u|U)se salut\.|Use salut|do 001|Which locale is meant\?|sh: 1: npm: not found|gem install/g;

/**
 * Every sentence that a step shows to people: the reason, what the round is about, notes, and why a
 * card was closed.
 */
const sentences = ({ step }: Story): string[] => {
  if (step.kind === 'refused') return [sayRecord(zh.refusals, step.reason)];
  if (step.kind === 'ignored') return [];
  const {
    lifecycle: { reason },
    agent: { round },
  } = step.run;
  const notes = step.effects.flatMap((e) =>
    e.do.kind === 'chat_message' && e.do.content.view === 'note'
      ? [sayRecord(zh.notes, e.do.content.note)]
      : [],
  );
  const closed = step.approvals.flatMap((a) => (a.op === 'close' ? [sayRecord(zh.reasons, a.reason)] : []));
  return [
    sayRecord(zh.reasons, reason),
    ...round.feedback.map((f) => sayRecord(zh.feedback, f)),
    ...notes,
    ...closed,
  ];
};

describe('Chinese', () => {
  it('C1: has every sentence of the machine, whatever is offered to whichever run', () => {
    const said = new Set(
      shapes.flatMap(({ story }) => trials(story.run).flatMap((act) => sentences(story.when(act)))),
    );
    const english = [...said].filter((shown) =>
      /[a-z]{2,} [a-z]{2,}/.test(shown.replace(OTHERS, '').replace(/`[^`]*`/g, '')),
    );
    expect(said.size).toBeGreaterThan(200);
    expect(english).toEqual([]);
  });

  it('S9: every kind of reason, refusal and feedback is a sentence in every language', () => {
    for (const { code, reasons, refusals, feedback } of Object.values(LANGUAGE_TEXTS)) {
      const all = [
        ...samplesOf(Reason).map((r) => sayRecord(reasons, r)),
        ...samplesOf(Refusal).map((r) => sayRecord(refusals, r)),
        ...samplesOf(Feedback).map((f) => sayRecord(feedback, f)),
      ];
      expect(all.filter((text) => text.trim() === '' || /undefined|null|\[object|  /.test(text))).toEqual([]);
      const chinese = all.filter((text) => /\p{Script=Han}/u.test(text));
      const ours = code === 'zh' ? all.filter((text) => text !== 'acme') : [];
      expect(chinese).toEqual(ours);
    }
  });

  it('S9: leaves the words of others as they are', () => {
    const why = (reason: Reason): string => sayRecord(zh.reasons, reason);
    const by = 'Ana';
    expect(why({ kind: 'rejected', by, note: 'Paused by nobody' })).toBe('由 Ana 拒绝：Paused by nobody');
    expect(why({ kind: 'retried', by, note: 'Use v2.' })).toBe('由 Ana 重试：Use v2.');
    expect(why({ kind: 'resumed', by, note: '' })).toBe('由 Ana 继续。');
    expect(why({ kind: 'ended_by_person', how: 'cancelled', by, note: '', pull: '#7' })).toBe(
      '由 Ana 取消。 拉取请求 #7 仍然开着。',
    );
    const runs = [{ repo: 'acme/api', id: 'r1', state: 'CI_WAIT' as const }];
    expect(
      sayRecord(zh.notes, {
        kind: 'restarted',
        awayMs: 180_000,
        handled: 0,
        freed: 0,
        rollback: null,
        runs,
        more: 0,
      }),
    ).toMatch(/^我重新启动了，中断了 3 分钟[^\n]*\nacme\/api · r1：等待仓库的检查$/);
  });

  it('C1: refuses in Chinese, with what can be done instead', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.says('/settings language zh');
    expect((await w.says(`/resume ${id}`))[0]).toBe(`任务 ${id} 等你决定，现在不能继续。它没有暂停。`);
    await w.says(`/pause ${id}`);
    expect((await w.says(`/approve ${id} --confirm`))[0]).toBe(
      `任务 ${id} 没有等待决定的卡片。用 /resume ${id} 继续。`,
    );
  });
});
