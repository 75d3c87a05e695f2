/** Chinese: what chats are told besides how a run stands. */
import type { Note } from '../../../orchestrator/core/notes.ts';
import { join, type Catalogue } from '../../text/catalogue.ts';
import { notModified } from './judgements.ts';
import { failures } from './why.ts';

const unchanged = (why: string): string => `文字没有改动：${why}`;

const away = (ms: number): string => {
  const s = Math.max(1, Math.round(ms / 1_000));
  if (s < 120) return `${s} 秒`;
  return s < 7_200 ? `${Math.round(s / 60)} 分钟` : `${Math.round(s / 3_600)} 小时`;
};

const ROLLED_BACK = {
  older:
    '⚠️ 账本被换回了较早的状态：之后的决定都不知道了。请检查打开的拉取请求；然后由管理员在主机上运行 `agentpr audit accept`。',
  missing:
    '⚠️ 已无法判断账本是否被换回较早的状态：keys/ledger.anchor 不见了。如果是你做的，请在主机上运行 `agentpr audit accept`。',
};

export const notes: Catalogue<Note> = {
  words_failed: (n) => unchanged(failures[n.class]),
  words_late: ({ by }) => unchanged(`在审查之前 ${by} 已经批准了卡片。`),
  words_rejected: ({ why }) => unchanged(`${notModified(why)}。`),
  words_unjudged: () => unchanged('不清楚会发布什么。'),
  head_unread: (n) => join(failures[n.class], n.message !== '' && `（${n.message}）`),
  pull_too_late: ({ pull, url, ended }) =>
    `拉取请求 #${pull} 在任务${ended ? '结束' : '停下'}之前刚刚打开：${url}`,
  restarted: ({ awayMs, handled, freed, rollback, runs, more }) =>
    [
      ...(rollback === null ? [] : [ROLLED_BACK[rollback]]),
      `我重新启动了${awayMs === null ? '' : `，离开了 ${away(awayMs)}`}。你发的消息都没有丢${handled > 0 ? `（现在处理了 ${handled} 条）` : ''}；${freed} 个中断的步骤重新开始。`,
      ...runs.map(({ repo, id, state }) => `${repo} · ${id}：从 ${state} 继续`),
      ...(more > 0 ? [`… 还有 ${more} 个`] : []),
    ].join('\n'),
  stuck: ({ step, says, state }) =>
    join(
      step === 'observe' ? `我看不到代码托管方：${says}。` : `有一步（${step}）失败了，已放弃：${says}。`,
      `任务停在${state === null ? '原处' : ` ${state}`}。主机上的日志有更多说明；然后请 /retry 或 /cancel。`,
    ),
};
