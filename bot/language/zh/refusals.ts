import { zhComposed } from './sentences.ts';
import type { RefusalHint, Refusal } from '../../../orchestrator/kernel/run/refusals.ts';
import type { PushBlock } from '../../../orchestrator/model/outage.ts';
import { isTerminal } from '../../../orchestrator/model/run-states.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';
import { zhReasons } from './reasons.ts';

const goesOn = (command: string): string => `用 ${command} 继续。`;
const UNDER_WAY = '已有操作在进行；完成之后再试。';
const NOTHING_TO_UPDATE = '还没有可以更新的改动。';
const NOT_THEIRS = '分支上没有别人推送的内容。';

const instead: Record<RefusalHint, (run: string) => string> = {
  order_anew: () => '请用 /new 重新发起。',
  resume: (run) => goesOn(`/resume ${run}`),
  take: (run) => goesOn(`/take ${run}`),
  retry: (run) => goesOn(`/retry ${run}`),
  retry_now: (run) => `它会自动重试；/retry ${run} 立即重试。`,
  then_ask_again: () => '然后再试一次。',
  decide_push: () => '它的卡片请求的是推送：请先决定这个。',
  card_comes: () => '需要决定时会有卡片。',
  fix: (run) => `它的拉取请求已打开；用 /fix ${run} 要求修改。`,
  fix_is_made: () => '已经在修复；推送之后再试。',
  no_pull_yet: () => '它还没有拉取请求；可以拒绝它的卡片并说明要做什么。',
  nothing_failed: () => '它没有失败。',
  not_paused: () => '它没有暂停。',
  cancel_retrying: (run) => `它会自动重试；用 /cancel ${run} 结束它。`,
  stands_still: (run) => `它已经停着：/retry ${run} 继续，/cancel ${run} 结束。`,
  cancel: (run) => `用 /cancel ${run} 结束它。`,
  under_way: () => UNDER_WAY,
  nothing_to_update: () => NOTHING_TO_UPDATE,
  not_theirs: () => NOT_THEIRS,
};
const hinted = (run: string, hints: readonly RefusalHint[]): string =>
  hints.map((h) => instead[h](run)).join('');

const blocked: Record<PushBlock, string> = {
  archived: '仓库已归档：在所有者取消归档之前无法推送。',
  fork_gone: '拉取请求所来自的 fork 已不存在：恢复之前无法推送。',
};

export const zhRefusals: SentenceCatalogue<Refusal> = {
  no_run: () => '没有这个任务。',
  run_exists: ({ run }) => `任务 ${run} 已经存在。`,
  not_possible_now: ({ run, state, command, hints }) =>
    (isTerminal(state)
      ? `任务 ${run} 已经结束（${zhComposed.headings[state]}），不能${zhComposed.commandType(command)}。`
      : `任务 ${run}${zhComposed.states[state]}，现在不能${zhComposed.commandType(command)}。`) +
    hinted(run, hints),
  no_card: ({ run, hints }) => `任务 ${run} 没有等待决定的卡片。${hinted(run, hints)}`,
  approved_already: ({ by }) => `${by} 已经批准了，正在进行。`,
  card_replaced: () => '那张卡片已被更新的取代；用 /pending 查看新的。',
  card_changed: () => '那张卡片所示的内容与现在会发布的不同；用 /pending 查看最新的。',
  more_risk: ({ policies }) =>
    `它受到的反对比代理所问的更多（${policies.join('、')}），因此不能代替它。问题仍然开着。`,
  card_expired: () => '那张卡片已过期；新的随后就到。',
  not_named: () => '这个批次指定了谁可以批准它的改动，你不在其中。',
  own_change: () => '发起人不能批准自己的改动；需要另一位审批人。',
  signed_already: ({ left }) => `你已经签过了；还需要 ${left} 个签名。`,
  chat_only: () => '只能在聊天里用消息或按钮批准。',
  text_missing: () => '请说明改哪些文字：标题、说明，或两者。',
  no_remark: () => '这条评审已经处理过，或者它的卡片已被新的取代。',
  no_answer: ({ nos }) =>
    `第 ${nos.join('、')} 条还没有回复内容。请回复评审那条消息：先写编号，再写你的回复。`,
  no_reader: () => '在那个状态下没有代理工作，没有人会读到你的话。请去掉状态，或去掉要说的话。',
  nothing_to_update: () => NOTHING_TO_UPDATE,
  under_way: () => UNDER_WAY,
  head_not_foreign: () => NOT_THEIRS,
  head_moved: () => '分支又变了；采用之前请先看看现在的内容。',
  not_asked: ({ run }) => `仓库没有要求这个：任务 ${run} 不需要这样的回答。`,
  no_standing_grant: ({ run }) => `任务 ${run} 没有长期允许的命令。`,
  no_question: ({ run }) => `任务 ${run} 的代理现在没有请求许可。`,
  committed: ({ run }) => `任务 ${run} 已有提交，而签署是提交的一部分。请重新发起，或自己签署。`,
  push_blocked: ({ why }) => blocked[why],
  foreign_head_first: ({ run }) => `分支上有别人的提交。${goesOn(`/take ${run}`)}`,
  plan_first: ({ run }) => `需要先有人看过任务 ${run} 的计划：/plan ${run}。`,
  plan_state_first: ({ run }) => `需要先有人看过任务 ${run} 的计划；请从 PLAN_READY 继续。`,
  nothing_missing: ({ run }) => `任务 ${run} 没有需要跳过的检查。`,
  no_commit: ({ run }) => `任务 ${run} 还没有可以检查的提交。`,
  has_pull: ({ run }) => `任务 ${run} 有拉取请求，它会保持打开；/cancel ${run} 结束任务。`,
  no_pull: ({ run }) => `任务 ${run} 没有可以重新运行检查的拉取请求。`,
  cannot_continue: ({ run, at, possible }) =>
    `任务 ${run} 不能从 ${at} 继续；可以选：${possible.join(', ') || '无'}。`,
  no_limit: ({ run }) => `任务 ${run} 没有这一项的上限。`,
  no_ban: ({ run }) => `任务 ${run} 并没有停在禁令上。`,
  reason_missing: () => '请说明为什么这条规则说的是别的事。',
  not_a_whole_number: () => '这不是整数。',
  limit_already: ({ limit }) => `上限已经是 ${limit}；请写更高的数，或用 + 表示再加多少。`,
  run_stopped: ({ by }, setting) => sayRecord(zhReasons, by, setting),
};
