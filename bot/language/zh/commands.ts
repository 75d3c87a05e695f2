/**
 * Chinese: what each command does, and how what it is told is written. Plain text, not escaped.
 */
import type { ArgName, TypedName } from '../../../orchestrator/commands/command-table.ts';
import type { HelpTopic } from '../help-topics.ts';
import type { CommandType } from '../../../orchestrator/core/machine/inputs.ts';

const does: Record<TypedName, string> = {
  status: '总览，以及最需要你处理的事',
  pending: '所有等人处理的事',
  new: '发起一次修改',
  batch: '对许多仓库做同一个修改：先看预览',
  adopt: '让批次跟踪在别处打开的拉取请求',
  campaign: '批次的进展；可以暂停、继续或关闭',
  runs: '最近的任务',
  report: '任务的花费：时间、修正、点按与注意力，按组统计',
  insights: '什么最费注意力，以及可以改什么',
  detail: '一个任务的全部情况',
  diff: '查看改动：整个文件，或逐页',
  log: '代理或检查最近一次的输出',
  plan: '对仓库了解到的规则与检查',
  revoke: '撤销本任务中允许的命令，让代理重新询问',
  budget: '已用与剩余；审批人可以提高',
  approve: '按最新的卡片创建拉取请求',
  deny: '拒绝卡片所示的内容，并说明原因',
  changes: '要求修改卡片上的改动，代理随即继续',
  edit: '改写卡片上拉取请求的文字',
  fix: '让代理修改已打开的拉取请求',
  retry: '失败后继续，可附上要告诉代理的话',
  without: '跳过在这里无法运行的检查，继续进行',
  update: '把基准分支合并到改动里',
  take: '从别人推送的提交继续',
  overrule: '说明某条禁令说的是别的事，并给出理由',
  pause: '停下代理，保留一切',
  resume: '暂停后继续',
  cancel: '彻底结束一个任务',
  skip: '放弃不需要的任务',
  done: '把任务标记为完成',
  settings: '语言、免打扰时段、签署，以及新任务的设置',
  users: '谁可以做什么',
  help: '按主题介绍我能做什么',
  greet: '我是谁，你可以做什么',
};

const args: Record<ArgName, string> = {
  order:
    'owner/name 要改什么  [base=main engine=codex flow=plan discovery=agent budget=cost:2 prompt_version=v1 check="npm test" install=none branch=… title="…"]',
  about: '[7d|12w|all] [engine|ecosystem|repository|prompt|campaign] [file]',
  list: 'owner/name owner/name … 要改什么  [/new 的选项]',
  pulls: '[批次] 拉取请求的链接',
  id: '[批次]',
  period: '[7d|12w|all]',
  topic: '[主题]',
  payload: '[代码]',
  step: '[步骤]',
  raise: '[time|tokens|cost|… +数量]',
  confirm: '--confirm',
  final: '[--final]',
  reason: '[原因]',
  words: 'title="…" description="…"',
  instruction: '要做什么',
  target: '[状态]',
  advice: '[要告诉代理的话]',
  sha: '[提交]',
  setting: '[language en|zh|auto | signoff 姓名 <邮箱> | quiet 22:00-07:30 Asia/Shanghai | log | 名称 值]',
  what: '问的是什么',
  text: '回答',
  change: '[add <数字id> <角色> [名字] | remove <数字id> | invite [角色]]',
};

/** What cannot be done with a run now. */
export const zhCommandTypes: Record<CommandType, string> = {
  'command.discovery.start': '开始',
  'command.implementation.start': '开始实现',
  'command.validation.accept': '送去检查',
  'command.push.approve': '批准推送',
  'command.pr.create': '批准创建拉取请求',
  'command.deny': '拒绝',
  'command.proposal.modify': '改写文字',
  'command.iterate': '退回修改',
  'command.review.choose': '选择如何处理意见',
  'command.review.begin': '开始处理评审',
  'command.reply.approve': '批准回复',
  'command.ci.rerun': '重新检查',
  'command.checks.waive': '跳过检查继续',
  'command.base.update': '从基准分支更新',
  'command.head.adopt': '采用别人的提交',
  'command.retry': '重试',
  'command.resume': '继续',
  'command.pause': '暂停',
  'command.skip': '放弃',
  'command.cancel': '取消',
  'command.run.finish': '标记为完成',
  'command.ban.overrule': '从禁令中放行',
  'command.requirement.answer': '作答',
  'command.permission.answer': '回答许可请求',
  'command.permission.revoke': '撤销了许可',
  'command.budget.raise': '提高预算',
};

/** The pages of `/help`: what their buttons say. */
const topics: Record<HelpTopic, string> = {
  look: '查看进展',
  ask: '提出改动',
  decide: '做决定',
  steer: '控制任务',
  house: '成员与设置',
};

export const zhCommands = { does, args, topics, run: '<编号>' };
