/** Chinese: why a run stands where it stands, and why a card was closed. */
import type { Budget } from '../../../orchestrator/core/bounds.ts';
import { inUnits } from '../../../orchestrator/core/machine/budget.ts';
import type { Reason, ReasonOf } from '../../../orchestrator/core/machine/reasons.ts';
import { join, say, type Catalogue } from '../../text/catalogue.ts';
import { findingNote } from './findings.ts';
import { brief, objections } from './feedback.ts';
import { moved } from './moved.ts';
import { budgets, failures } from './why.ts';

const short = (sha: string): string => sha.slice(0, 6) || '（无）';
const inBrackets = (text: string): string => (text === '' ? '' : `（${text}）`);
/** Who did something, and what they said. */
const noted = (what: string, { by, note }: { by: string; note: string }): string =>
  note === '' ? `由 ${by} ${what}。` : `由 ${by} ${what}：${note}`;
const amount = (budget: Budget, n: number): string => budgets.amounts[budget](inUnits(budget, n));

const greens: Record<ReasonOf<'green'>['verdict'], string> = {
  GREEN: '所有检查都通过了；等待评审。',
  GREEN_REQUIRED: '必需的检查通过了，其他的没有；等待评审。',
  GREEN_SEEN: '能读到的检查都通过了，有些读不到；等待评审。',
  NO_CI: '仓库没有运行任何检查（这不算通过）；等待评审。',
};
const validations: Record<ReasonOf<'checks_run'>['on'], string> = {
  commit: '正在运行我们的检查。',
  fix: '正在对修复运行我们的检查。',
  whole: '正在对全部改动运行我们的检查。',
};
const endings: Record<ReasonOf<'ended'>['how'], string> = {
  cancelled: '取消',
  denied: '拒绝',
  skipped: '放弃',
};

export const reasons: Catalogue<Reason> = {
  queued: () => '等待空闲名额。',
  queue: ({ waitsFor, taken, of, at }, { time }) =>
    join(
      waitsFor === 'slot'
        ? `等待空闲名额：${taken}/${of} 个任务正在进行。`
        : `等待空闲名额：24 小时内已开始 ${taken}/${of} 个任务。`,
      at !== null && `下一个名额：${time(at)}。`,
    ),
  reads_repository: () => '正在阅读仓库。',
  agent_reads: () => '代理正在阅读仓库。',
  finds_asked_again: () => '代理找到的一部分内容与它指出的位置不符，正在再问它。',
  contract_known: () => '仓库的规则与检查已经清楚。',
  contract_refined: ({ added, refused }) =>
    join(
      `仓库的规则与检查已经清楚；代理补充了 ${added} 条。`,
      refused > 0 && `它找到的内容中有 ${refused} 条不能采用。`,
    ),
  asks_agreement: ({ file, line }) => `仓库要求签署协议（${file}:${line}）。签署之后才可以开始。`,
  reads_ban: ({ quote, file, line }) =>
    `代理认为仓库禁止这样的改动：“${quote}”（${file}:${line}）。确认并非禁止之后才可以开始。`,
  archived: () => '仓库已归档。',
  banned: ({ quote, file, line }) => `仓库不接受这样的改动：“${quote}”（${file}:${line}）。`,
  works: () => '代理正在工作。',
  plans: () => '代理正在制定计划。',
  plan_goes_on: () => '计划继续进行。',
  plan_changed_nothing: () => '计划已完成，但什么都没有改。',
  step: ({ id, text }) => `步骤 ${id}：${text}`,
  step_blocked: ({ id, text, notes }) =>
    join(`计划的步骤 ${id} 无法进行：${text}。`, notes, '请决定怎么办，然后附上一句话重试。'),
  plan_too_long: ({ rounds, about }) =>
    `计划已进行 ${rounds} 轮仍未完成${about ? `：${brief(about)}` : ''}。请把目标改小，或重试以继续。`,
  checks_run: ({ on }) => validations[on],
  checks_fail_again: () => '检查没有通过，代理正在再试。',
  report_asked_again: () => '读不懂代理的报告，正在请它重写。',
  failed: ({ class: of, message, again, tries, retryAt, inRow }, { time }) =>
    join(
      inRow !== null && `连续 ${inRow} 次没能连上代码托管方。`,
      failures[of],
      inBrackets(message),
      again && '我们会自动重试。',
      tries !== null && `已尝试 ${tries} 次。`,
      retryAt !== null && `下次尝试：${time(retryAt)}。`,
    ),
  no_changes: ({ summary, checksMayRun }) =>
    join(
      failures.no_changes,
      checksMayRun && '也可以改为重新运行检查。',
      summary !== '' && `它说：${summary}`,
    ),
  nothing_committable: ({ leftOut }) =>
    join(
      failures.unsafe_workspace,
      inBrackets(leftOut.map((f) => `${f.path}：${findingNote(f)}`).join('；')),
    ),
  seal_moved: (r) => join(failures.seal_moved, inBrackets(r.moved.map((m) => say(moved, m)).join('；'))),
  denied: (r) => join(failures.policy_denied, inBrackets(objections(r.objections))),
  budget: ({ run, budget, used, limit, raise, about }) =>
    join(
      budget === 'fixes'
        ? `修复 ${used} 次后检查仍不通过，已到一步的上限。`
        : `预算已用完：${budgets.names[budget]}，${amount(budget, used)} / ${amount(budget, limit)}。`,
      `批准者可以提高它，例如 /budget ${run} ${budget} ${inUnits(budget, raise)}，也可以取消任务。`,
      inBrackets(brief(about)),
    ),
  updated_enough: () => '已达到从基准分支更新的次数上限。',
  push_waits: () => '推送等待批准。',
  pushes: () => '正在推送分支。',
  push_unknown: () => '不清楚推送会发布什么；请重试。',
  pull_unknown: () => '不清楚拉取请求会发布什么；请重试。',
  conflicts: () => '改动与基准分支冲突。',
  decision_waits: () => '等你决定。',
  pull_open: ({ pull }) => `拉取请求 #${pull} 已打开；正在等待检查。`,
  pull_too_late: ({ pull }) => `拉取请求 #${pull} 在能够停下之前就打开了。`,
  fix_pushed: () => '修复已推送；正在等待检查。',
  checks_again: () => '检查正在重新运行。',
  maintainer_waits: () => '需要维护者允许检查运行。',
  green: ({ verdict }) => greens[verdict],
  iterates: ({ about }) => brief(about) || '代理正在修复。',
  merged: ({ by }) => (by === null ? '已由维护者合并。' : `已由 ${by} 合并。`),
  closed: ({ by }) => `拉取请求未经合并就被 ${by ?? '维护者'} 关闭了。`,
  foreign: ({ from, to }) =>
    `有别人推送到了我们的分支：原来在 ${short(from)}，现在在 ${short(to)}。之前的批准已作废。`,
  taken: ({ by, author, sha }) => `${by} 采用了 ${author} 的提交 ${short(sha)}；任务从那里继续。`,
  update: ({ by, ref }) => `${by} 要求从 ${ref} 更新。`,
  level: ({ ref, sha }) => `${ref} 没有新内容（${short(sha)}）。`,
  merging: ({ ref, sha, commits, conflicts }) =>
    join(
      `合并 ${ref} ${short(sha)}：${commits} 个提交。`,
      conflicts.length > 0 && `代理正在解决冲突：${conflicts.slice(0, 5).join(', ')}。`,
    ),
  sent_to_checks: ({ by }) => `${by} 把提交送去了我们的检查。`,
  checks_rerun: ({ by }) => `${by} 要求重新运行检查。`,
  paused: ({ by }) => `由 ${by} 暂停。`,
  marked_done: ({ by }) => `由 ${by} 标记为完成。`,
  approved: ({ by }) => `由 ${by} 批准。`,
  reworded: ({ by, note }) => `${by} 改写了文字：${note}`,
  rejected: (r) => noted('拒绝', r),
  retried: (r) => noted('重试', r),
  resumed: (r) => noted('继续', r),
  ended: ({ how, by, note, pull }) =>
    join(`由 ${by} ${endings[how]}。`, note, pull !== null && `拉取请求 #${pull} 仍然开着。`),
  tries_again: () => '正在重试。',
  cannot_go_on: ({ at }) => `不能从 ${at} 继续；请用 /retry 指定一个状态。`,
  replaced: () => '已被更新的卡片取代。',
  undecided: () => '没有人及时决定。',
};
