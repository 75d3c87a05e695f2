/** Chinese: what a round of the agent is about, where people are shown it. */
import { firstLine, type Feedback } from '../../../orchestrator/core/feedback.ts';
import type { Objections } from '../../../orchestrator/core/facts.ts';
import { say, type Catalogue } from '../../text/catalogue.ts';
import { findingNote } from './findings.ts';
import { denials } from './denials.ts';
import { judgement } from './judgements.ts';

export const objections = (all: Objections): string =>
  all.map(({ policy, reason }) => `${policy}：${judgement(reason)}`).join('；');

const placed = (path: string | null, line: number | null): string =>
  path === null ? '整体' : line === null ? path : `${path}:${line}`;

export const feedback: Catalogue<Feedback> = {
  words: ({ text }) => text,
  red: ({ checks }) => `CI 未通过：${checks.join('、')}`,
  review: ({ reviewer, body }) => `${reviewer} 要求修改：\n\n${body}`,
  remarks: ({ items }) =>
    [
      `${[...new Set(items.map(({ author }) => author))].join('、')}：${items.length} 条意见`,
      ...items.map(
        ({ no, author, path, line, hunk, body, answer }) =>
          `[${no}] ${placed(path, line)} ${author}${answer ? '（这一条不改代码，只在报告里提出回复）' : ''}：\n${body}${hunk === '' ? '' : `\n所指的代码：\n${hunk}`}`,
      ),
    ].join('\n\n'),
  denied: (r) => `有策略禁止这个改动：${objections(r.objections)}`,
  refused: ({ denialReason: because }) => denials.told[because],
  checks_failed: () => '检查没有通过。',
  step: ({ id, text }) => `步骤 ${id}：${text}`,
  step_passed: ({ id }) => `步骤 ${id} 通过了我们的检查。`,
  step_changed_nothing: ({ id, skippedFiles: leftOut }) => {
    const which = leftOut.map((f) => `${f.path}：${findingNote(f)}`).join('；');
    return which === ''
      ? `步骤 ${id} 没有改动任何文件。`
      : `步骤 ${id} 没有改动任何可以提交的文件（${which}）。`;
  },
  plan_has_no_step: () => '计划里没有步骤；“Next” 需要正好一个。',
  goal_changed: () => '目标被改动了',
  acceptance_lost: ({ commands }) => `验收条件被拿掉了：${commands.map((c) => `\`${c}\``).join('、')}`,
  done_lost: () => '已完成的步骤被移出了 Done',
  done_added: () => '步骤通过检查之后才由我们移到 Done',
};

/** The first line of it. */
export const brief = (about: Feedback | null): string => (about ? firstLine(say(feedback, about)) : '');
