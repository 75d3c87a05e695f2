/** Chinese: what the machine answers to a command that it does not take, and what can be done instead. */
import { BUDGETS, type Budget } from '../../orchestrator/core/budget.ts';
import * as core from '../../orchestrator/core/refusals.ts';
import { UPDATED_ENOUGH } from '../../orchestrator/core/rounds.ts';
import { same, type Rule } from './zh-rule.ts';
import { budgets } from './zh-why.ts';

const DONE: Readonly<Record<string, string>> = {
  started: '开始',
  'started on its implementation': '开始实现',
  'passed on to validation': '送去检查',
  'approved for a push': '批准推送',
  'approved for a pull request': '批准打开拉取请求',
  denied: '拒绝',
  'given other words': '改写文字',
  'sent back for a fix': '退回修改',
  'checked again': '重新检查',
  'updated from its base': '从基准分支更新',
  'gone on from their commit': '采用别人的提交',
  retried: '重试',
  resumed: '继续',
  paused: '暂停',
  skipped: '放弃',
  cancelled: '取消',
  'marked as done': '标记为完成',
  'given more': '提高预算',
};
const done = (verb = ''): string => DONE[verb] ?? verb;
const nameOf = (budget = ''): string => {
  const known: Budget | undefined = BUDGETS.find((one) => one === budget);
  return known ? budgets.names[known] : budget;
};

export const refusals: Rule[] = [
  same(core.NOTHING_TO_UPDATE, '还没有可以更新的改动。'),
  same(core.UNDER_WAY, '已有操作在进行；完成之后再试。'),
  same(core.NOT_THEIRS, '分支上没有别人推送的内容。'),
  same(core.HEAD_MOVED, '分支又变了；采用之前请先看看现在的内容。'),
  same(core.THEIRS, '分支上有别人的提交。'),
  same(core.CONFLICTS, '改动与基准分支冲突。'),
  same(UPDATED_ENOUGH, '已达到从基准分支更新的次数上限。'),
  same(core.NO_READER, '在那个状态下没有代理工作，没有人会读到你的话。请去掉状态，或去掉要说的话。'),
  same('There is no such run.', '没有这个任务。'),
  [/^The run (.+?) exists already\./, (_, id) => `任务 ${id} 已经存在。`],
  [
    /^Run (\S+) has ended \((\S+)\); it cannot be ([a-z ]+)\./,
    (_, id, state, verb) => `任务 ${id} 已经结束（${state}），不能${done(verb)}。`,
  ],
  [
    /^Run (\S+) is ([A-Z_]+); from there it cannot be ([a-z ]+)\./,
    (_, id, state, verb) => `任务 ${id} 处于 ${state}，现在不能${done(verb)}。`,
  ],
  [/^(.+?) approved it already; it is under way\./, (_, who) => `${who} 已经批准了，正在进行。`],
  [/^Run (\S+) has no card that waits for a decision\./, (_, id) => `任务 ${id} 没有等待决定的卡片。`],
  [/^Run (\S+) has no commit to validate yet\./, (_, id) => `任务 ${id} 还没有可以检查的提交。`],
  [
    /^Run (\S+) has a pull request, which stays open: (\S+ \S+) ends the run\./,
    (_, id, command) => `任务 ${id} 有拉取请求，它会保持打开；${command} 结束任务。`,
  ],
  [
    /^Run (\S+) has no pull request whose checks could run again\./,
    (_, id) => `任务 ${id} 没有可以重新运行检查的拉取请求。`,
  ],
  [
    /^Run (\S+) cannot go on at (\S+); possible: (.+?)\.$/,
    (_, id, state, all) => `任务 ${id} 不能从 ${state} 继续；可以选：${all === 'nothing' ? '无' : all}。`,
  ],
  [
    /^A person must look at the plan of run (\S+) first; go on at PLAN_READY\./,
    (_, id) => `需要先有人看过任务 ${id} 的计划；请从 PLAN_READY 继续。`,
  ],
  [
    /^A person must look at the plan of run (\S+) first: (\S+ \S+)\./,
    (_, id, command) => `需要先有人看过任务 ${id} 的计划：${command}。`,
  ],
  [/^Run (\S+) has no limit of that kind\./, (_, id) => `任务 ${id} 没有这一项的上限。`],
  same('That is not a whole number.', '这不是整数。'),
  [
    /^The limit is (\S+) already; say a higher one, or \+ and how much more\./,
    (_, limit) => `上限已经是 ${limit}；请写更高的数，或用 + 表示再加多少。`,
  ],
  [
    /^The budget is used up: (\S+) of (\S+) .+? An approver may raise it, for example with (\/budget \S+ (\S+) \S+), or cancel the run\./,
    (_, used, limit, command, budget) =>
      `预算已用完：${nameOf(budget)}，${used} / ${limit}。批准者可以提高它，例如 ${command}，也可以取消任务。`,
  ],
  same(
    'That card was replaced by a newer one; /pending shows it.',
    '那张卡片已被更新的取代；用 /pending 查看新的。',
  ),
  same(
    'What that card showed is not what would be published now; /pending shows the newest.',
    '那张卡片所示的内容与现在会发布的不同；用 /pending 查看最新的。',
  ),
  same('That card has expired; a new one is on its way.', '那张卡片已过期；新的随后就到。'),
  same(
    'Whoever asked for a change may not approve it here; another approver is needed.',
    '发起人不能批准自己的改动；需要另一位批准者。',
  ),
  [/^You have signed already; (\d+) more to go\./, (_, n) => `你已经签过了；还需要 ${n} 个签名。`],
  same('Say which words: a title, a description, or both.', '请说明改哪些文字：标题、说明，或两者。'),
  same(
    'Approving is done in the chat only, by a message or a button that Telegram delivered.',
    '只能在聊天里用 Telegram 送达的消息或按钮批准。',
  ),
];

/** What can be done instead. */
export const hints: Rule[] = [
  same('Order it anew with /new.', '请用 /new 重新发起。'),
  [
    /^It tries again by itself; (\/retry \S+) does it at once\./,
    (_, command) => `它会自动重试；${command} 立即重试。`,
  ],
  [/^(\/\S+ \S+) goes on with it\./, (_, command) => `用 ${command} 继续。`],
  [
    /^It tries again by itself; (\/cancel \S+) ends it\./,
    (_, command) => `它会自动重试；用 ${command} 结束它。`,
  ],
  same('Then ask again.', '然后再试一次。'),
  [
    /^Its pull request is open; (\/fix \S+) asks for changes in it\./,
    (_, command) => `它的拉取请求已打开；用 ${command} 要求修改。`,
  ],
  same('A card comes when there is something to decide.', '需要决定时会有卡片。'),
  same('Its card asks for a push: decide about that first.', '它的卡片请求的是推送：请先决定这个。'),
  same('A fix is made already; ask again when it is pushed.', '已经在修复；推送之后再试。'),
  same(
    'It has no pull request yet; its card can be denied with what to do.',
    '它还没有拉取请求；可以拒绝它的卡片并说明要做什么。',
  ),
  same('Nothing in it has failed.', '它没有失败。'),
  same('It is not paused.', '它没有暂停。'),
  [
    /^It stands still already: (\/\S+ \S+) goes on, (\/\S+ \S+) ends it\./,
    (_, on, end) => `它已经停着：${on} 继续，${end} 结束。`,
  ],
  [/^(\/\S+ \S+) ends it\./, (_, command) => `用 ${command} 结束它。`],
];
