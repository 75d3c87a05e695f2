/** Chinese: every sentence that the bot says. Plain text: whoever shows it escapes it. */
import type { CheckResult, Containment } from '../../orchestrator/core/facts.ts';
import type { State } from '../../orchestrator/core/states.ts';
import type { Verdict } from '../../orchestrator/core/verdict.ts';
import type { Role } from '../roles.ts';
import type { InertHint } from '../updates.ts';
import type { Words } from './en.ts';
import { answers } from './zh-answers.ts';
import { judged } from './zh-judgements.ts';
import { machine } from './zh-machine.ts';
import { budgets, why } from './zh-why.ts';

const states: Record<State, string> = {
  QUEUED: '等待空闲名额',
  DISCOVERY: '正在阅读仓库',
  PLAN_READY: '准备开始',
  IMPLEMENTING: '代理正在工作',
  LOCAL_VALIDATING: '正在运行我们的检查',
  PUSHED: '等你决定',
  CI_WAIT: '等待仓库的检查',
  REVIEW_WAIT: '等待评审',
  ITERATING: '正在修复',
  PAUSED: '已暂停',
  DONE: '已完成',
  SKIPPED: '已放弃',
  NEEDS_HUMAN_REVIEW: '需要你处理',
  FAILED_RETRYABLE: '失败了，会自动重试',
  FAILED_TERMINAL: '已失败',
};

const verdicts: Record<Verdict, string> = {
  RED: '检查未通过。',
  PENDING: '检查还没有结束。',
  GREEN: '所有检查都通过了。',
  GREEN_REQUIRED: '必需的检查通过了，其他的没有。',
  AWAITING_MAINTAINER: '需要维护者允许检查运行。',
  NO_CI: '没有运行任何检查：那里什么都没有测试。',
};

const hints: Record<InertHint, string> = {
  edited: '编辑过的消息不起作用。请作为新消息重新发送。',
  forwarded: '转发的消息不起作用。请自己输入命令。',
  anonymous: '匿名管理员和频道不能下命令。请用你自己的身份发送。',
  textless: '我只读文字。随图片、文件或语音发来的内容不会被采纳：请作为文字消息发送。',
  inline: '内联消息不起作用。请使用这个聊天里的按钮。',
};

const roleNames: Record<Role, string> = {
  viewer: '查看者 (viewer)',
  operator: '操作者 (operator)',
  approver: '批准者 (approver)',
  admin: '管理员 (admin)',
};
const containment: Record<Containment, string> = {
  bwrap: 'bubblewrap',
  unshare: '命名空间',
  group: '进程组',
};
const outcomes: Record<CheckResult['outcome'], string> = {
  passed: '通过',
  failed: '失败',
  timed_out: '超时',
  not_run: '未运行',
};
const levels = { low: '低', medium: '中', high: '高' };

export const zh: Words = {
  code: 'zh',
  name: '中文',
  calendar: {
    weekdays: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
    date: (day, month) => `${month}月${day}日`,
  },
  machine,
  judged,
  states,
  doing: { card: '等你在卡片上决定', opening: '正在打开拉取请求', pushing: '正在推送' },
  verdicts,
  hints,
  roles: {
    names: roleNames,
    stranger: (id) => `我还不认识你。请管理员添加你的 Telegram id：${id}`,
    needs: (role) => `只有${roleNames[role]}可以这样做；请联系管理员。`,
  },
  card: {
    ready: '待批准',
    push: '推送',
    fix: '修复',
    closed: {
      approved: '已批准',
      opened: 'PR 已打开',
      denied: '已拒绝',
      expired: '已过期',
      void: '已作废',
      failed: '未打开',
    },
    run: (id) => `任务 ${id}`,
    files: (n) => `${n} 个文件`,
    inAll: (size) => `总共 ${size}`,
    fixFor: (pull, no) => `拉取请求 #${pull} 的${no}`,
    binary: '二进制',
    deleted: '已删除',
    moreFiles: (n, added, deleted) => `… 还有 ${n} 个 (+${added} −${deleted})`,
    checks: (passed, all) =>
      all === 0 ? '没有运行检查 ⚠' : `检查 ${passed}/${all}${passed < all ? ' ⚠' : ''}`,
    risk: (level) => `${level === 'low' ? '' : '⚠ '}风险${levels[level]}`,
    more: (n) => ` (另有 ${n} 条)`,
    conflicts: (base) => `与 ${base} 冲突`,
    sealed: '已封存',
    decide: '请决定',
    edited: (name) => `文字由 ${name} 改写`,
    requested: (name) => `由 ${name} 发起`,
    contained: (how) => `仅由${containment[how]}隔离`,
    skipped: (n, kinds) => `略去 ${n} 项：${kinds}`,
    signed: (have, needed, names) => `已签 ${have}/${needed}：${names}`,
    armed: (what) => `点“确认”以${what}；失效时间`,
    openIt: '打开拉取请求',
    pushIt: '推送',
    pushFix: '推送修复',
    omitted: (bytes) => `… “改动”里还有 ${bytes} 字节`,
    by: (name) => `由 ${name} 批准`,
    opening: '正在打开拉取请求…',
    pushing: '正在推送…',
    openedAs: (n) => `拉取请求 #${n} 已打开`,
    notOpened: '但没有打开：',
    newerBelow: '新的卡片在下面。',
    sealMark: (digest) => `封印 ${digest}`,
  },
  denial: { title: '拒绝？', ask: '用你的话拒绝这张卡片？代理会得知这些话。' },
  advice: { title: '继续？', ask: '带着你的话继续？代理从此会得知这些话。' },
  comment: {
    access: { write: '有写权限', read: '外人', unknown: '权限不明' },
    on: (run) => `于 ${run}`,
    omitted: (n) => `… 还有 ${n} 个字符`,
    passedBy: (name) => `已由 ${name} 转给代理。`,
  },
  buttons: {
    open: (sha) => `打开 PR ${sha}`,
    push: (sha) => `推送 ${sha}`,
    pushFix: (sha) => `推送修复 ${sha}`,
    ok: (sha) => `确认 ${sha}`,
    back: '返回',
    deny: '拒绝',
    denySo: '以此为由拒绝',
    retrySo: '带着这些话重试',
    resumeSo: '带着这些话继续',
    why: '哪条策略？',
    risk: '查看风险',
    diff: '改动',
    detail: '详情',
    retry: '重试',
    resume: '继续',
    cancel: '取消任务',
    start: '开始',
    rerun: '重跑 CI',
    card: '查看卡片',
    fix: '让代理去做',
  },
  progress: {
    created: '发起于',
    repeat: '(重复)',
    stray: (chat) => `会话 ${chat} 不接收我的消息，因此改发给你：`,
    fix: (n, of) => `第 ${n}/${of} 次修复`,
    agent: '代理正在工作',
    plan: (done, of) => `计划 ${done}/${of} 步`,
    check: (name) => `正在运行我们的检查 ${name}`,
    moreChecks: (n) => `另有 ${n} 项`,
  },
  attention: {
    title: {
      plan: '计划',
      human: '需要你',
      paused: '已暂停',
      retry: '失败',
      waits: '仍在等待',
      past: '已过去',
    },
    over: (state) => `情况已经变了：现在${state}。`,
  },
  ended: {
    done: '完成',
    skipped: '已放弃',
    failed: '失败',
    cancelled: { title: '已取消', did: '已取消' },
    denied: { title: '已拒绝', did: '已拒绝' },
    closed: (by) => ({ title: `已被 ${by ?? '维护者'} 关闭`, did: `已被 ${by ?? '维护者'} 关闭` }),
    took: (time) => `用时 ${time}`,
  },
  fleet: {
    title: (live) => `${live} 个任务进行中`,
    none: '没有进行中的任务。用 /new owner/name 要改什么 来发起',
    attention: '最值得关注',
    calm: '没有事在等你。',
    runs: '最近的任务',
    noRuns: '还没有任务。用 /new owner/name 要改什么 来发起',
    pending: (n) => `${n} 件事等人处理`,
    more: (n) => `… 还有 ${n} 个`,
    waits: {
      approval: '请在卡片上决定',
      human: '需要你',
      paused: '已暂停',
      plan: '请看计划',
    },
  },
  detail: {
    goal: '目标',
    asked: (name, engine) => `由 ${name} 发起 · ${engine}`,
    change: '改动',
    seal: '封印',
    body: '拉取请求的说明',
    policies: '策略',
    noPolicies: '没有策略反对',
    outcomes,
    attempts: '执行记录',
    spent: (n, of, time, tokens) => `修复 ${n}/${of} 次 · 工作 ${time} · ${tokens} 词元`,
  },
  grade: {
    title: '评级',
    earlier: '每次尝试的评级',
    levels: { PASS: '合格', NEEDS_REVIEW: '需要人看', FAIL: '不合格' },
    judgedBy: '依据',
  },
  policies: {
    actions: { push: '推送', open_pr: '打开' },
    decisions: { deny: '被拒绝', escalate: '由人决定', allow: '允许' },
    fact: '事实',
    can: {
      deny: '任何人都不能签署。重试：代理会得知原因；或者结束任务。',
      escalate: '看过后签署，或说明原因拒绝，代理会得知原因。',
      allow: '只差你的签名。',
    },
  },
  risk: {
    title: '决定之前请先看',
    findings: '发现',
    nothing: '没有单独标出的行；原因见上。',
  },
  diff: {
    caption: (repo, id, omitted) => `${repo} · ${id}${omitted > 0 ? ` · 略去 ${omitted} 字节` : ''}`,
    fix: (sha) => `自 ${sha} 以来的修复内容`,
    none: (id) => `任务 ${id} 还没有可看的改动。`,
  },
  ...answers,
  budgets,
  why,
};
