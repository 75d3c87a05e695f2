import { zhComposed } from './sentences.ts';
import { firstLine, type Feedback } from '../../../orchestrator/model/feedback.ts';
import type { PolicyObjections } from '../../../orchestrator/model/change-records.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

export const zhObjections = (all: PolicyObjections): string =>
  all.map(({ policy, reason }) => `${policy}：${zhComposed.judgement(reason)}`).join('；');

const placed = (path: string | null, line: number | null): string =>
  path === null ? '整体' : line === null ? path : `${path}:${line}`;

export const zhFeedback: SentenceCatalogue<Feedback> = {
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
  denied: (r) => `有策略禁止这个改动：${zhObjections(r.objections)}`,
  refused: ({ denialReason: because }) => zhComposed.denials.told[because],
  checks_failed: () => '检查没有通过。',
  tests_pass_on_base: () =>
    '所有检查都通过，但你新增或修改的测试在基准分支上、没有其余修改时也通过。如果这次修改改变了行为，请让测试在没有它时失败；如果做不到，就保留测试并在摘要里说明。',
  step: ({ id, text }) => `步骤 ${id}：${text}`,
  step_passed: ({ id }) => `步骤 ${id} 通过了我们的检查。`,
  step_changed_nothing: ({ id, skippedFiles: leftOut }) => {
    const which = leftOut.map((f) => `${f.path}：${zhComposed.findingNote(f)}`).join('；');
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

export const zhFeedbackLine = (about: Feedback | null): string =>
  about ? firstLine(sayRecord(zhFeedback, about)) : '';
