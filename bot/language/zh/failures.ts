import { dollarRange, minuteRange } from '../en/failures.ts';
import { MINUTE } from '../../../orchestrator/model/units.ts';
import type { BudgetKind } from '../../../orchestrator/model/run-bounds.ts';
import type { FailureClass } from '../../../orchestrator/model/failure-classes.ts';
import { zhSentences } from './sentences.ts';
import type { enBudgets as englishBudgets, enWhy as englishWhy } from '../en/failures.ts';

export const zhFailures: Record<FailureClass, string> = {
  agent_missing: '没有找到代理程序。请运行 `agentpr doctor`，安装后再重试。',
  auth_missing: '缺少登录，或登录被拒绝。请在主机上修好（`agentpr doctor` 会指出是哪一个），然后重试。',
  rate_limited: '模型提供方要求我们等待。',
  quota_exhausted: '模型账户的额度已用完。请充值，然后重试。',
  context_exceeded: '任务超出了模型的容量。请把目标改小，然后重试。',
  model_unavailable: '模型没有回应。',
  sandbox_denied: '沙箱拒绝了代理所需的操作。请看日志，然后重试。',
  permission_denied: '权限被拒绝。请在日志里看是哪一项，修好后重试。',
  env_missing: '机器缺少仓库所需的东西。请安装，然后重试。',
  registry_unavailable:
    '软件源没有回应，或回应不正常。改动本身没有问题：会再试一次；如果仍然不行，请查看网络、代理和该软件源的状态页，然后重试。',
  registry_refused:
    '软件源或前往它的代理拒绝了我们，或者这里不信任它的证书。改动本身没有问题：请检查这台机器的凭据、代理和证书，然后重试。',
  install_failed: '依赖安装失败：在基准分支上可以安装，这次改动也没有碰它读取的文件。请查看日志，然后重试。',
  session_lost: '代理丢失了它的对话，将开始新的对话。',
  bad_config: '代理拒绝了它的启动方式。请看日志，改好它的设置，然后重试。',
  invalid_output: '代理结束时没有给出有效的报告。请重试，或换一个引擎。',
  crashed: '这一步意外结束。',
  timed_out: '这一步超时，已被停下。',
  cancelled: '这一步已按要求停下。',
  interrupted: '这一步因重启而中断。',
  budget_exceeded: '这一步超出了它自己的限制。请看是哪一项，然后重试。',
  price_unknown: '任务的费用有上限，却没有人说过它的模型的价格。请写明价格、取消上限，或换一个模型。',
  no_changes: '代理什么都没有改。请把目标说得更清楚，然后重试。',
  checks_failed: '仓库的检查没有通过。请看日志，然后重试。',
  push_rejected: '代码托管平台拒绝了推送。请看原因，然后重试。',
  policy_denied: '有策略禁止这个改动。用 `/detail` 查看是哪一条。',
  repository_missing: '没有找到仓库，或我们的凭据不能读取它。',
  bad_repository_file:
    '仓库写明了它要怎样被修改，但那个文件读不懂。请在它的基准分支上改好 `.agentpr.json`，然后重试。',
  repository_archived: '仓库已归档。所有者重新开放后可以重试，也可以取消任务。',
  not_allowed: '仓库不接受我们的推送、派生或拉取请求。请联系其所有者后重试，或取消任务。',
  revert_impossible: '这个拉取请求无法在这里还原。',
  base_missing: '仓库没有这个基准分支。请用 `base=` 指定存在的分支，新建任务。',
  repository_empty: '仓库还没有任何提交。请先推送一个，再新建任务。',
  unsafe_workspace: '代理留下的内容无法安全地提交。请看发现的问题。',
  repository_unreadable: '没能在限制之内读完仓库，不会自动再读。请查看那个文件，然后重试，或取消任务。',
  moved_refused:
    '另一个工作进程为这个任务保留的内容已不是原来的内容，所以没有使用，重试的结果也一样。请取消任务并重新下达。',
  bucket_unavailable: '存放这个任务所需内容的存储桶无法使用。在主机上运行 `agentpr doctor` 可查看原因。',
  disk_full: '磁盘已满。请腾出空间，然后重试。',
  seal_moved: '你批准的内容与现在会发布的不同，所以没有创建拉取请求。',
  readback_mismatch: '代码托管平台显示的与批准的不同。继续之前请先查看。',
  forge_unavailable: '代码托管平台没有回应。',
  forge_refused: '代码托管平台拒绝了请求。请看原因，然后重试。',
  pull_limit: '仓库目前不再接受我们打开更多拉取请求。',
  account_suspended: '代码托管平台暂停了我们的账户。请联系它的支持人员，或请暂停应用的人解除。',
  certificate_untrusted:
    '这台机器不信任对方的证书。请在 NODE_EXTRA_CA_CERTS 中写明公司证书颁发机构的文件，然后重试。',
  proxy_refused: '本网络的代理拒绝了我们。请检查 HTTPS_PROXY 和 NO_PROXY，然后重试。',
};

const names: Record<BudgetKind, string> = {
  time: '代理与检查的时间',
  tokens: 'token 用量',
  cost: '费用',
  output: '代理与检查的输出',
  iterations: '创建拉取请求后的修复',
  fixes: '单个步骤的修复',
};

const amounts: Record<BudgetKind, (n: number) => string> = {
  time: (n) => `${Math.round(n * 10) / 10} 分钟`,
  tokens: (n) => n.toLocaleString('en'),
  cost: (n) => `$${n.toFixed(2)}`,
  output: (n) => `${n} MB`,
  iterations: (n) => `${n} 次`,
  fixes: (n) => `${n} 次`,
};

export const zhWhy: typeof englishWhy = {
  failures: zhFailures,
  stops: zhSentences.stops,
  until: (time) => `下次尝试：${time}。`,
  waiting: {
    since: (time) => `从 ${time} 起一直在等模型提供方。任务会自动继续。`,
    host: (time) => `从 ${time} 起一直在等代码托管平台。任务会自动继续。`,
    others: (n: number) => `另有 ${n} 个任务也在等。`,
    check: '如果它的服务或地址变了，请在主机上修改设置，然后 /retry。',
  },
  undone: {
    title: '编辑已撤销',
    guard: '这一轮不允许改文件，代理的编辑已被还原。',
    plan: '这一步不允许改计划，它对计划的编辑已被还原。',
    disk: '代理写满了磁盘。为腾出空间，它尚未提交的编辑已被删除。',
    missing: '任务的工作区不见了。代理从上一次提交重新开始。',
    moved: '文件已换到另一个提交，这些还没有提交的编辑不在了。',
    anew: '仓库已重新读取，这些早先的编辑不在工作区里了。',
    more: (n) => `……另有 ${n} 个文件`,
    told: '代理会得知此事。',
  },
};

export const zhBudgets: typeof englishBudgets = {
  names,
  amounts,
  title: '至今已用',
  line: (name, used, limit, left) => `${name}：${used} / ${limit}，还剩 ${left}`,
  untold: '未知（没有人说过这个模型的价格）',
  open: (name, used) => `${name}：${used}，没有上限`,
  split: (input, output) => `token：读 ${input}，写 ${output}`,
  raiseWith: (form) => `提高预算：${form}`,
  wider: (name) => `只有审批人可以给一次任务超出常规的预算（${name}）。`,
  near: (name, share) => `预算已用 ${share} %：${name}`,
  raise: (limit) => `提高到 ${limit}`,
  expected: ({ runs, ms, costUsd, limitMs, limitUsd }) =>
    [
      `${runs} 次类似任务：${costUsd ? `${dollarRange(costUsd)}，` : ''}${minuteRange(ms)} 分钟。`,
      `上限：${limitUsd === null ? '' : `${amounts.cost(limitUsd)}，`}${amounts.time(limitMs / MINUTE)}。`,
    ].join(''),
  raised: (label, name, limit) => `已记录：${label} 可以用到 ${limit}（${name}）。`,
  lift: '不设费用上限',
  lifted: (label, name) => `已记录：${label} 不再有这一项的上限（${name}）。`,
  caution: (found, limit) =>
    found.kind === 'no_price'
      ? `⚠ 费用上限是 ${limit}，却没有人说过 ${found.model} 的价格。除非提供方自己列出价格，${found.engine} 会停在第一次请求。请在 agentpr.config.json 的 "gateway.prices" 中写明价格，换一个模型或引擎下达，或取消上限：/budget <任务> cost none。`
      : `⚠ 费用上限是 ${limit}，但 ${found.engine} 以登录方式使用时从不报告费用：这个上限不起作用。请限制它的 token（budget=tokens:2m），或给它一个密钥。`,
  pricesOf: (date) => `费用按 ${date} 的价目表计算；自己写明的价格（gateway.prices）优先。`,
};
