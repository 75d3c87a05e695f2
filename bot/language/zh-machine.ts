/** Chinese: the machine's own English sentences (reasons of runs, refusals, notes), sentence by sentence; others stay as they are. */
import { AGAIN, FAILURE_CLASSES, sentence } from '../../orchestrator/core/failures.ts';
import { hints, refusals } from './zh-refusals.ts';
import { same, type Rule } from './zh-rule.ts';
import { why } from './zh-why.ts';

const failures: Rule[] = FAILURE_CLASSES.map((one) => {
  const says = sentence(one).replace(AGAIN, '');
  const alone =
    one === 'budget_exceeded' ? '任务的预算已用完。重试会再给一次，也可以取消任务。' : why.failures[one];
  return same(says, alone);
});

/** Where a run stands, and what people did with it. Of two that fit, the first one counts. */
const reasons: Rule[] = [
  same('Waits for a free slot.', '等待空闲名额。'),
  same('Reads the repository.', '正在阅读仓库。'),
  same('The agent reads the repository.', '代理正在阅读仓库。'),
  same('The contract is known.', '仓库的规则与检查已经清楚。'),
  [
    /^The contract is known; the agent added (\d+) to it\./,
    (_, n) => `仓库的规则与检查已经清楚；代理补充了 ${n} 条。`,
  ],
  [/^(\d+) of its finds could not be used\./, (_, n) => `它找到的内容中有 ${n} 条不能采用。`],
  same(
    'Some of what the agent found does not stand where it says; it is asked again.',
    '代理找到的一部分内容与它指出的位置不符，正在再问它。',
  ),
  same('The repository is archived.', '仓库已归档。'),
  [
    /^The repository does not want such changes: “([^]*)” \(([^()]*)\)\.$/,
    (_, quote, place) => `仓库不接受这样的改动：“${quote}”（${place}）。`,
  ],
  same('The agent works.', '代理正在工作。'),
  same('The agent makes a plan.', '代理正在制定计划。'),
  same('The plan goes on.', '计划继续进行。'),
  same('The plan is done, and nothing was changed.', '计划已完成，但什么都没有改。'),
  [
    /^Step (\S+) of the plan is blocked: ([^]*) Decide, then retry with a word on it\.$/,
    (_, id, text) => `计划的步骤 ${id} 无法进行：${text} 请决定怎么办，然后重试。`,
  ],
  [/^Step (\S+): /, (_, id) => `步骤 ${id}：`],
  [
    /^The plan went through (\d+) rounds and is not done(?:: ([^]*))?\. Make the goal smaller, or retry to go on\.$/,
    (_, n, text) => `计划已进行 ${n} 轮仍未完成${text ? `：${text}` : ''}。请把目标改小，或重试以继续。`,
  ],
  [
    /^A step of the plan is blocked: its checks fail after (\d+) fixes\. Decide how it should go on, then retry\./,
    (_, n) => `计划的一个步骤无法进行：修复 ${n} 次后检查仍不通过。请决定怎么继续，然后重试。`,
  ],
  [/^(\d+) fixes were tried and it is still asked for more: /, (_, n) => `已修复 ${n} 次，仍有新的要求：`],
  [/^\((\d+) fixes were tried\)/, (_, n) => `（已尝试修复 ${n} 次）`],
  same('Our checks run on the whole change.', '正在对全部改动运行我们的检查。'),
  same('Our checks run on the fix.', '正在对修复运行我们的检查。'),
  same('Our checks run.', '正在运行我们的检查。'),
  same('The checks fail; the agent tries again.', '检查没有通过，代理正在再试。'),
  same('The agent’s report could not be read; it is asked for it again.', '读不懂代理的报告，正在请它重写。'),
  same('The push waits for approval.', '推送等待批准。'),
  same('Pushes the branch.', '正在推送分支。'),
  same('It is not known what the push would publish; retry it.', '不清楚推送会发布什么；请重试。'),
  same('It is not known what a pull request would publish; retry it.', '不清楚拉取请求会发布什么；请重试。'),
  same('Waits for your decision.', '等你决定。'),
  [
    /^Pull request #(\d+) is open; checks are waited for\./,
    (_, n) => `拉取请求 #${n} 已打开；正在等待检查。`,
  ],
  [
    /^Pull request #(\d+) was opened before it could be stopped\./,
    (_, n) => `拉取请求 #${n} 在能够停下之前就打开了。`,
  ],
  [
    /^Pull request #(\d+) was opened just before the run ended: /,
    (_, n) => `拉取请求 #${n} 在任务结束之前刚刚打开：`,
  ],
  [
    /^Pull request #(\d+) was opened just before the run was stopped: /,
    (_, n) => `拉取请求 #${n} 在任务停下之前刚刚打开：`,
  ],
  [/^Pull request #(\d+) stays open\./, (_, n) => `拉取请求 #${n} 仍然开着。`],
  same('The fix is pushed; checks are waited for.', '修复已推送；正在等待检查。'),
  same('Checks are running again.', '检查正在重新运行。'),
  same('A maintainer must allow the checks to run.', '需要维护者允许检查运行。'),
  same('All checks are green; a review is waited for.', '所有检查都通过了；等待评审。'),
  same(
    'The required checks are green, others are not; a review is waited for.',
    '必需的检查通过了，其他的没有；等待评审。',
  ),
  same(
    'All checks that we may read are green, and some we may not read; a review is waited for.',
    '能读到的检查都通过了，有些读不到；等待评审。',
  ),
  same(
    'The repository ran no checks (this is not a green); a review is waited for.',
    '仓库没有运行任何检查（这不算通过）；等待评审。',
  ),
  [/^CI is red: /, () => 'CI 未通过：'],
  [/^(\S+) requested changes:/, (_, who) => `${who} 要求修改：`],
  [/^Merged by a maintainer\./, () => '已由维护者合并。'],
  [/^Merged by (.+?)\.$/, (_, who) => `已由 ${who} 合并。`],
  [
    /^The pull request was closed unmerged by (.+?)\.$/,
    (_, who) => `拉取请求未经合并就被 ${who === 'a maintainer' ? '维护者' : who} 关闭了。`,
  ],
  [
    /^Somebody else pushed to our branch: head moved (\S+) → (\S+)\. Approvals are void\./,
    (_, from, to) => `有别人推送到了我们的分支：${from} → ${to}。之前的批准已作废。`,
  ],
  same('Updates from the base branch.', '正在从基准分支更新。'),
  same('The base branch has nothing new.', '基准分支没有新内容。'),
  same('Our checks run on the change, with the base branch merged.', '已合并基准分支，正在运行我们的检查。'),
  same('The agent resolves the conflicts.', '代理正在解决冲突。'),
  same('Goes on from their commit.', '从别人的提交继续。'),
  same('Tries again.', '正在重试。'),
  same('We try again by ourselves.', '我们会自动重试。'),
  [/^It was tried (?:once|(\d+) times)\./, (_, n = '1') => why.tried(Number(n))],
  [/^It says: /, () => '它说：'],
  same('The checks can be run again instead.', '也可以改为重新运行检查。'),
  [/^(\d+) attempts to reach the code host failed in a row\./, (_, n) => `连续 ${n} 次没能连上代码托管方。`],
  [
    /^It cannot go on at (\S+); use \/retry with a target\./,
    (_, state) => `不能从 ${state} 继续；请用 /retry 指定一个状态。`,
  ],
  [/^(?:Paused) by (.+?)\.$/, (_, who) => `由 ${who} 暂停。`],
  [/^Retried by ([^:]+): /, (_, who) => `由 ${who} 重试：`],
  [/^Resumed by ([^:]+): /, (_, who) => `由 ${who} 继续：`],
  [/^Retried by (.+?)\.$/, (_, who) => `由 ${who} 重试。`],
  [/^Resumed by (.+?)\.$/, (_, who) => `由 ${who} 继续。`],
  [/^Skipped by (.+?)\.$/, (_, who) => `由 ${who} 放弃。`],
  [/^Cancelled by (.+?)\.(?=$| Pull request #\d+ stays open\.$)/, (_, who) => `由 ${who} 取消。`],
  [/^Marked as done by (.+?)\.$/, (_, who) => `由 ${who} 标记为完成。`],
  [/^Approved by (.+?)\.$/, (_, who) => `由 ${who} 批准。`],
  [/^Denied by ([^:]+): /, (_, who) => `由 ${who} 拒绝：`],
  [/^Denied by (.+?)\.$/, (_, who) => `由 ${who} 拒绝。`],
  [/^(.+?) sent the commit to our checks\.$/, (_, who) => `${who} 把提交送去了我们的检查。`],
  [/^(.+?) asked for the checks to run again\.$/, (_, who) => `${who} 要求重新运行检查。`],
  [/^(.{1,60}?) changed the words: /, (_, who) => `${who} 改写了文字：`],
  same('Replaced by a newer card.', '已被更新的卡片取代。'),
  same('Nobody decided in time.', '没有人及时决定。'),
  [
    /^The words were not changed: (.+?) approved the card before they were judged\.$/,
    (_, who) => `文字没有改动：在审查之前 ${who} 已经批准了卡片。`,
  ],
  [/^The words were not changed: /, () => '文字没有改动：'],
];

/** Told after a restart, and of what was given up. */
const notices: Rule[] = [
  [
    /^I was restarted and away(?: for (.+?))?\. Nothing you sent is lost(?: \((\d+) handled now\))?; (\d+) interrupted steps start again\./,
    (_, away, handled, freed) =>
      `我重新启动了${away ? `，离开了 ${away}` : ''}。你发的消息都没有丢${handled ? `（现在处理了 ${handled} 条）` : ''}；${freed} 个中断的步骤重新开始。`,
  ],
  [/^(\S+ · \S+): goes on at ([A-Z_]+)$/, (_, name, state) => `${name}：从 ${state} 继续`],
  [/^I cannot look at the code host: /, () => '我看不到代码托管方：'],
  [/^… and (\d+) more$/, (_, n) => `… 还有 ${n} 个`],
  [/^A step \((\S+)\) failed and was given up: /, (_, kind) => `有一步（${kind}）失败了，已放弃：`],
  [
    /^The run stays (.+?)\. The log on the host says more; then \/retry or \/cancel it\./,
    (_, state) =>
      `任务停在 ${state === 'as it is' ? '原处' : state}。主机上的日志有更多说明；然后请 /retry 或 /cancel。`,
  ],
];

const RULES: readonly Rule[] = [...reasons, ...refusals, ...hints, ...notices, ...failures];

const line = (text: string): string => {
  let [said, rest] = ['', text];
  for (;;) {
    const hit = RULES.map(([says, inChinese]) => ({ found: says.exec(rest), inChinese })).find(
      (r) => r.found,
    );
    if (!hit?.found || rest === '') return said + rest;
    said += hit.inChinese(...hit.found);
    rest = rest.slice(hit.found[0].length).trimStart();
  }
};

/** Line by line; what no rule knows (somebody's own words, output of tools) stays as it was written. */
export const machine = (text: string): string => text.split('\n').map(line).join('\n');
