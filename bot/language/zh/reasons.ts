import { zhComposed } from './sentences.ts';
import { zhToolMismatch, zhStopped } from './base.ts';
import { alikeStops } from '../../../orchestrator/model/baseline.ts';
import type { BudgetKind } from '../../../orchestrator/model/run-bounds.ts';
import { inUnits } from '../../../orchestrator/kernel/lifecycle/run-budget.ts';
import type { Reason, ReasonOf } from '../../../orchestrator/kernel/run/reasons.ts';
import type { PersonalRequirement } from '../../../orchestrator/model/contributor-requirements.ts';
import type { ReaderLimitReached } from '../../../orchestrator/model/reader-limits.ts';
import { joinParts, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';
import { zhFeedbackLine, zhObjections } from './feedback.ts';

const short = (sha: string): string => sha.slice(0, 6) || '（无）';
const inBrackets = (text: string): string => (text === '' ? '' : `（${text}）`);
const noted = (what: string, { by, note }: { by: string; note: string }): string =>
  note === '' ? `由 ${by} ${what}。` : `由 ${by} ${what}：${note}`;
const amount = (budget: BudgetKind, n: number): string =>
  zhComposed.budgets.amounts[budget](inUnits(budget, n));

const ignoredOnly = (files: readonly string[]): string =>
  `没有 git 会提交的改动；仓库的 .gitignore 忽略了 ${files.join('、')}。如果改动就在其中，请在目标里指定别的位置；否则请把目标说得更清楚。然后重试。`;

const greens: Record<ReasonOf<'checks_green'>['verdict'], string> = {
  GREEN: '所有检查都通过了；等待评审。',
  GREEN_REQUIRED: '必需的检查通过了，其他的没有；等待评审。',
  GREEN_SEEN: '能读到的检查都通过了，有些读不到；等待评审。',
  NO_CI: '仓库没有运行任何检查（这不算通过）；等待评审。',
};
const validations: Record<ReasonOf<'checks_running'>['on'], string> = {
  commit: '正在运行我们的检查。',
  fix: '正在对修复运行我们的检查。',
  whole: '正在对全部改动运行我们的检查。',
};
const endings: Record<ReasonOf<'ended_by_person'>['how'], string> = {
  cancelled: '取消',
  denied: '拒绝',
  skipped: '放弃',
};

const readerLimit = (limit: ReaderLimitReached['limit'], most: number): string =>
  limit === 'time' ? `${most} 秒` : `${most} MB ${limit === 'memory' ? '内存' : ''}`;

const ask: Record<PersonalRequirement, string> = {
  issue: '请回复它的编号。',
  cla: '请回复你已签署。',
  words: '请用两三句话回复；会原样发布。',
  template: '请回复模板所问的内容。',
  sign_off: '请回复用来签署的 姓名 <邮箱>；/settings signoff 可以保存它。',
};
const lostAccess: Record<ReasonOf<'access_lost'>['how'], (account: string) => string> = {
  removed: (account) => `GitHub App 已从 ${account} 卸载：请在那里重新安装。`,
  suspended: (account) => `GitHub App 在 ${account} 上被停用：请在 Settings → Applications 里恢复。`,
  unlisted: (account) =>
    `GitHub App 不能再处理这个仓库：请在 ${account} 的 Settings → Applications 里，把它重新加入 App 的安装范围。`,
};
const blocked: Record<ReasonOf<'push_blocked'>['why'], string> = {
  archived:
    '仓库已归档，无法推送或合并。所有者可在 Settings → General 中取消归档，任务随后会自动继续；/cancel 可结束任务。',
  fork_gone:
    '拉取请求所来自的 fork 已不存在，无法再向它推送；维护者仍可按现状合并。恢复该 fork（在账户设置的已删除仓库中）后任务会自动继续；也可以 /cancel 后重新下达任务。',
};
const unblocked: Record<ReasonOf<'push_unblocked'>['was'], string> = {
  archived: '仓库已取消归档：任务继续。',
  fork_gone: 'fork 又存在了：任务继续。',
};
const given: Record<PersonalRequirement, string> = {
  issue: '议题',
  cla: '协议已签署',
  words: '用自己的话说明这个改动',
  sign_off: '签署',
  template: '模板所问的内容',
};

const writes = {
  open_pr: '创建拉取请求',
  push: '推送',
  rerun_ci: '重新运行检查',
  reply: '回复',
  implement: '启动代理',
} as const;

type Turn = ReasonOf<'write_slot_wait'> & { does: string; when: string };
const waits: Record<Turn['why'], (turn: Turn) => string> = {
  pace: ({ does, when, position: place }) => `${when}${does}，排在第 ${place} 位。`,
  told: ({ does, when, position: place }) =>
    `${when}${does}，排在第 ${place} 位。GitHub 要求在此之前不要写入。`,
  suspended: ({ does }) =>
    `暂停解除后才会${does}：GitHub 暂停了我们的账户。请联系它的支持人员，或请暂停应用的人解除。`,
  slot: ({ does }) => `我们在那里的某个拉取请求合并或关闭后才会${does}：仓库不再接受我们打开更多。`,
  owners: ({ does, when, queueLength: of = 0 }) =>
    `${when}${does}：在更多改动被合并之前，每天最多 ${of} 个新的所有者（strangers.newOwnersPerDay）。`,
  strangers: ({ does, queueLength: of = 0 }) =>
    `在陌生人那里打开的 ${of} 个拉取请求中有一个合并或关闭后才会${does}（strangers.openPulls）。`,
  provider: ({ does, when }) => `${when}${does}：模型的提供方在此之前不接受请求。`,
  hidden: ({ does }) => `所有人都能看到我们的拉取请求后才会${does}：其中一个现在只有我们自己看得到。`,
};

export const zhReasons: SentenceCatalogue<Reason> = {
  queued: () => '等待空闲名额。',
  slot_wait: ({ waitsFor, taken, of, at }, { time }) =>
    joinParts(
      waitsFor === 'slot'
        ? `等待空闲名额：${taken}/${of} 个任务正在进行。`
        : `等待空闲名额：24 小时内已开始 ${taken}/${of} 个任务。`,
      at !== null && `下一个名额：${time(at)}。`,
    ),
  write_slot_wait: (turn, { time }) =>
    waits[turn.why]({
      ...turn,
      does: writes[turn.action],
      when: turn.readyAt === 0 ? '' : `将于 ${time(turn.readyAt)} `,
    }),
  reading_repository: () => '正在阅读仓库。',
  checking_base: () => '先在基准分支上运行检查。',
  base_unusable: ({ run, stops, toolVersionMismatches: misfits }) =>
    joinParts(
      alikeStops(stops).map(zhStopped).join('\n'),
      misfits.length > 0 && `\n${misfits.map(zhToolMismatch).join('；')}。`,
      `\n没有启动代理。修好之后 /retry ${run}；或者跳过这些检查继续：/without ${run}`,
    ),
  base_checked: ({ failing, flaky, toolVersionMismatches: misfits }) =>
    joinParts(
      failing.length > 0 && `在基准分支上已经不通过：${failing.join(', ')}。不会算在这次改动上。`,
      flaky.length > 0 && `在基准分支上时好时坏：${flaky.join(', ')}。`,
      misfits.length > 0 && `${misfits.map(zhToolMismatch).join('；')}。`,
    ),
  checks_waived: ({ by, names }) => `${by} 决定跳过 ${names.join(', ') || '检查'} 继续。它们不作为依据。`,
  agent_discovery: () => '代理正在阅读仓库。',
  discovery_asked_again: () => '代理找到的一部分内容与它指出的位置不符，正在再问它。',
  contract_known: () => '仓库的规则与检查已经清楚。',
  contract_refined: ({ added, refused }) =>
    joinParts(
      `仓库的规则与检查已经清楚；代理补充了 ${added} 条。`,
      refused > 0 && `它找到的内容中有 ${refused} 条不能采用。`,
    ),
  agreement_required: ({ file, line }) => `仓库要求签署协议（${file}:${line}）。签署之后才可以开始。`,
  answers_missing: ({ missing }) =>
    [
      ...missing.map((one) => `${zhComposed.rule(one)}。${ask[one.what]}`),
      '也可以不给就开始：拉取请求的卡片会写明缺了它。',
    ].join('\n'),
  issue_not_free: ({ issue, standing, assignees }) =>
    standing === 'taken'
      ? `议题 ${issue} 已分配给 ${assignees.join('、')}。与对方商定后再开始。`
      : `议题 ${issue} 已关闭。确实仍需要时再开始。`,
  competing_pulls: ({ rivals }) =>
    `已经有人在做：${rivals.map((r) => `${r.author} 的 ${r.id}，“${r.title}”`).join('；')}。确实需要再做一个，才开始。`,
  ban_read_by_agent: ({ quote, file, line }) =>
    `代理认为仓库禁止这样的改动：“${quote}”（${file}:${line}）。确认并非禁止之后才可以开始。`,
  possible_ban: ({ quote, file, line }) =>
    `这可能是对此类改动的禁令：“${quote}”（${file}:${line}）。确认不是禁令后再开始。`,
  rule_unmet: (one) => `${zhComposed.rule(one)}。确认已解决后再开始。`,
  ban_overruled: ({ by, note, quote, file, line }) =>
    `${by} 认为这条规则说的是别的事（“${note}”）：“${quote}”（${file}:${line}）。正在重新读取仓库。`,
  revert_empty: () => '分支上已没有那个拉取请求的内容，没有可以还原的。',
  repository_archived: () => '仓库已归档。',
  duplicate_repository: ({ repo }) => `仓库现在叫 ${repo}，已用那个名称参加。`,
  ai_banned: ({ quote, file, line }) =>
    `仓库不接受这样的改动：“${quote}”（${file}:${line}）。如果这条规则说的是别的事，请审批人回复本消息说明理由。`,
  implementing: () => '代理正在工作。',
  planning: () => '代理正在制定计划。',
  fix_started: ({ no, of, title }) => `第 ${no}/${of} 个修复：${title}`,
  proposer_started: ({ engine, no, of }) => `第 ${no}/${of} 个引擎 ${engine} 从基准开始。`,
  proposal_chosen: ({ engine, of }) => `在 ${of} 个引擎中选用 ${engine} 的改动；再次运行它的检查。`,
  plan_continued: () => '计划继续进行。',
  plan_unchanged: () => '计划已完成，但什么都没有改。',
  plan_step: ({ id, text }) => `步骤 ${id}：${text}`,
  plan_step_blocked: ({ id, text, notes }) =>
    joinParts(`计划的步骤 ${id} 无法进行：${text}。`, notes, '请决定怎么办，然后附上一句话重试。'),
  plan_too_long: ({ rounds, about }) =>
    `计划已进行 ${rounds} 轮仍未完成${about ? `：${zhFeedbackLine(about)}` : ''}。请把目标改小，或重试以继续。`,
  checks_running: ({ on }) => validations[on],
  checks_failed_again: () => '检查没有通过，代理正在再试。',
  tests_pass_on_base: () => '新测试在没有这次修改时也通过；已告诉代理一次。',
  permission_asked: ({ tool, input }) => `代理请求许可，仅一次：${tool} ${input}`,
  agent_question: ({ question }) => `${question}\n\n请回复这条消息来回答，代理会据此继续。`,
  report_asked_again: () => '读不懂代理的报告，正在请它重写。',
  step_failed: ({ class: of, message, detail, again, tries, retryAt, inRow, refusal }, { time }) =>
    joinParts(
      inRow !== null && `连续 ${inRow} 次没能连上代码托管平台。`,
      refusal ? zhComposed.hostRefused(refusal) : zhComposed.why.failures[of],
      !refusal && inBrackets(detail ? zhComposed.failedInDetail(detail) : message),
      refusal !== undefined && !again && '然后重试，或取消任务。',
      again && '我们会自动重试。',
      tries !== null && `已尝试 ${tries} 次。`,
      retryAt !== null && `下次尝试：${time(retryAt)}。`,
    ),
  no_changes: ({ summary, checksMayRun, ignored = [] }) =>
    joinParts(
      ignored.length === 0 ? zhComposed.why.failures.no_changes : ignoredOnly(ignored),
      checksMayRun && '也可以改为重新运行检查。',
      summary !== '' && `它说：${summary}`,
    ),
  nothing_committable: ({ skippedFiles: leftOut }) =>
    joinParts(
      zhComposed.why.failures.unsafe_workspace,
      inBrackets(leftOut.map((f) => `${f.path}：${zhComposed.findingNote(f)}`).join('；')),
    ),
  repository_unreadable: ({ file, limit, limitValue: most, foundInRun: of }) =>
    joinParts(
      of === null
        ? `没能在 ${readerLimit(limit, most)}之内读完${file === null ? '仓库' : `文件 ${file}`}。`
        : `任务 ${of} 没能在 ${readerLimit(limit, most)}之内读完${file ?? '这个提交'}，所以没有再读。`,
      '请查看那个文件，然后重试，或取消任务。',
    ),
  seal_changed: (r) =>
    joinParts(
      zhComposed.why.failures.seal_moved,
      inBrackets(r.moved.map((m) => sayRecord(zhComposed.changedSince, m)).join('；')),
    ),
  policy_denied: (r) =>
    joinParts(zhComposed.why.failures.policy_denied, inBrackets(zhObjections(r.objections))),
  budget_exhausted: ({ run, budget, used, limit, raise, about }) =>
    joinParts(
      budget === 'fixes'
        ? `修复 ${used} 次后检查仍不通过，已达单个步骤的上限。`
        : `预算已用完：${zhComposed.budgets.names[budget]}，${amount(budget, used)} / ${amount(budget, limit)}。`,
      `审批人可以提高它，例如 /budget ${run} ${budget} ${inUnits(budget, raise)}，也可以取消任务。`,
      inBrackets(zhFeedbackLine(about)),
    ),
  price_unknown: ({ run, engine, model, limit }) =>
    joinParts(
      `这个任务最多可以花费 ${amount('cost', limit)}，却没有人说过${model === null ? '它的模型' : ` ${model} `}的价格，所以 ${engine} 没能使用它。`,
      `审批人可以取消上限：/budget ${run} cost none。`,
      model === null
        ? '或者在引擎的参数中写明模型。'
        : `或者在主机上写明价格（agentpr.config.json 中的 "gateway.prices": {"${model}": {"input": …, "output": …}}，单位是每百万 token 的美元），然后重新启动 AgentPR：任务会自动继续。`,
      '也可以换一个引擎或模型重新下达。',
    ),
  updates_exhausted: () => '已达到从基准分支更新的次数上限。',
  push_approval_wait: () => '推送等待批准。',
  pushing: () => '正在推送分支。',
  push_unconfirmed: () => '不清楚推送会发布什么；请重试。',
  pull_unconfirmed: () => '不清楚拉取请求会发布什么；请重试。',
  merge_conflicts: () => '改动与基准分支冲突。',
  decision_wait: () => '等你决定。',
  pull_open: ({ pull }) => `拉取请求 ${pull} 已创建；正在等待检查。`,
  pull_too_late: ({ pull }) => `没来得及停下，拉取请求 ${pull} 已经创建。`,
  fix_pushed: () => '修复已推送；正在等待检查。',
  checks_restarted: () => '检查正在重新运行。',
  maintainer_wait: () => '需要维护者允许检查运行。',
  checks_green: ({ verdict }) => greens[verdict],
  iterating: ({ about }) => zhFeedbackLine(about) || '代理正在修复。',
  pull_merged: ({ by }) => (by === null ? '已由维护者合并。' : `已由 ${by} 合并。`),
  pull_closed: ({ by }) => `拉取请求未经合并就被 ${by ?? '维护者'} 关闭了。`,
  foreign_head: ({ from, to }) =>
    `有别人推送到了我们的分支：原来在 ${short(from)}，现在在 ${short(to)}。之前的批准已作废。`,
  head_adopted: ({ by, author, sha }) => `${by} 采用了 ${author} 的提交 ${short(sha)}；任务从那里继续。`,
  base_update: ({ by, ref }) => `${by} 要求从 ${ref} 更新。`,
  base_up_to_date: ({ ref, sha }) => `${ref} 没有新内容（${short(sha)}）。`,
  base_merge: ({ ref, sha, commits, conflicts }) =>
    joinParts(
      `合并 ${ref} ${short(sha)}：${commits} 个提交。`,
      conflicts.length > 0 && `代理正在解决冲突：${conflicts.slice(0, 5).join(', ')}。`,
    ),
  sent_to_checks: ({ by }) => `${by} 把提交送去了我们的检查。`,
  checks_red_on_base: ({ ref, checks }) =>
    `${checks.join('、')} 未通过，在 ${ref} 上同样不通过。不作修改；等 ${ref} 恢复后可从基准分支更新，或用 /fix 说明要做什么。`,
  maybe_flaky: ({ checks }) =>
    `${checks.join('、')} 未通过，但可能不稳定：它被外部中断，或在同一提交上曾经通过。重跑并通过后，任务会继续；若是他人的仓库，只有其维护者能重跑。也可重试以修复。`,
  flaky_rerun: ({ checks }) => `${checks.join('、')} 未通过，可能不稳定；已重跑一次。`,
  rerun_refused: (r) =>
    `代码托管平台没有重新运行检查。${inBrackets(zhComposed.refused(r))}重试会开始修复。别人重跑并通过后，任务会继续。`,
  checks_rerun: ({ by }) => `${by} 要求重新运行检查。`,
  paused: ({ by }) => `由 ${by} 暂停。`,
  access_lost: ({ how, account }) => `${lostAccess[how](account)}完成后任务会自动继续。`,
  access_restored: ({ account }) => `GitHub App 又可以为 ${account} 工作了。`,
  base_changed: ({ from, to }) => `拉取请求的目标分支已从 ${from} 改为 ${to}，任务随之调整。`,
  push_blocked: ({ why }) => blocked[why],
  push_unblocked: ({ was }) => unblocked[was],
  marked_done: ({ by }) => `由 ${by} 标记为完成。`,
  permission_granted: ({ by, sort, edited = false, picked }) =>
    picked !== undefined
      ? `${by} 改为允许 ${picked} 的提议一次。`
      : sort === null
        ? `${by} ${edited ? '修改后' : ''}允许了一次。`
        : `${by} 在本任务中允许“${sort} …”。`,
  permission_refused: (r) => noted('未允许', r),
  approved: ({ by }) => `由 ${by} 批准。`,
  requirement_answered: ({ by, what }) => `${by} 已回答：${given[what]}。`,
  pr_text_edited: ({ by, note }) => `${by} 改写了文字：${note}`,
  rejected: ({ denialReason: because, again, ...r }) =>
    noted(
      again ? '要求修改' : '拒绝',
      because ? { ...r, note: joinParts(zhComposed.denials.why[because], r.note) } : r,
    ),
  retried: (r) => noted('重试', r),
  resumed: (r) => noted('继续', r),
  ended_by_person: ({ how, by, note, pull, denialReason: because }) =>
    joinParts(
      `由 ${by} ${endings[how]}${because ? `：${zhComposed.denials.why[because]}` : ''}。`,
      note,
      pull !== null && `拉取请求 ${pull} 仍然开着。`,
    ),
  retrying: () => '正在重试。',
  cannot_continue: ({ at }) => `不能从 ${at} 继续；请用 /retry 指定一个状态。`,
  card_replaced: () => '已被更新的卡片取代。',
  decision_expired: () => '没有人及时决定。',
};
