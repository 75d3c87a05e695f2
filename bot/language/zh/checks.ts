/** F3: Chinese explanations of the code host's check results. Plain text, not escaped. */
import type { CiVerdictReason } from '../../../orchestrator/model/ci-records.ts';
import type { SentenceCatalogue } from '../../text/catalogue.ts';

const required = (is: boolean): string => (is ? '（必需）' : '');

export const zhCheckReasons: SentenceCatalogue<CiVerdictReason> = {
  unseen: () => '',
  silent: () => '还没有任何检查报告',
  failed: ({ name, required: is }) => `“${name}”失败了${required(is)}`,
  missing: ({ name, since }, { age }) => `在等必需的检查“${name}”，已经 ${age(since)}没有报告`,
  imitated: ({ name, since }, { age }) =>
    `在等必需的检查“${name}”：报告它的不是规定的应用，已经 ${age(since)}没有等到`,
  runs: ({ name, required: is }) => `在等“${name}”${required(is)}，还没有结束`,
  held: ({ name }) => (name === null ? '需要维护者按下 “Approve and run”' : `“${name}”在等维护者`),
  stale: ({ name }) => `“${name}”一直没有结束，GitHub 在 14 天后放弃了它。请在 GitHub 上重新运行。`,
  settles: () => '已报告的都通过了；AgentPR 会再看一次',
  unread: () => '有些读不到',
  unsure: ({ name }) => `分支要求“${name}”，AgentPR 无法判断：请到 GitHub 上看`,
  skipped: ({ name }) => `必需的“${name}”被跳过了；GitHub 把它算作通过`,
  none_ran: () => '没有一个真正运行：都被跳过，或者没有结论',
  queue: () => '合并前，合并队列会再运行一次检查',
};
