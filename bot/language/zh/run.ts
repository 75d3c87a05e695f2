import type { RunState } from '../../../orchestrator/model/run-states.ts';
import type { CiVerdict } from '../../../orchestrator/model/ci-records.ts';
import type { LanguageTexts } from '../en/en.ts';

export const zhHeadings: Record<RunState, string> = {
  QUEUED: '排队中',
  DISCOVERY: '阅读中',
  PLAN_READY: '计划就绪',
  IMPLEMENTING: '工作中',
  LOCAL_VALIDATING: '测试中',
  PUSHED: '等你决定',
  CI_WAIT: '等待 CI',
  REVIEW_WAIT: '评审中',
  ITERATING: '修复中',
  PAUSED: '已暂停',
  DONE: '完成',
  SKIPPED: '已跳过',
  NEEDS_HUMAN_REVIEW: '需要你处理',
  FAILED_RETRYABLE: '重试中',
  FAILED_TERMINAL: '失败',
};
export const zhStates: Record<RunState, string> = {
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
  SKIPPED: '已跳过',
  NEEDS_HUMAN_REVIEW: '需要你处理',
  FAILED_RETRYABLE: '失败了，会自动重试',
  FAILED_TERMINAL: '已失败',
};
const verdicts: Record<CiVerdict, string> = {
  RED: '检查未通过。',
  PENDING: '检查还没有结束。',
  GREEN: '所有检查都通过了。',
  GREEN_REQUIRED: '必需的检查通过了，其他的没有。',
  GREEN_SEEN: '能读到的检查都通过了。有些读不到：请到 GitHub 上看。',
  AWAITING_MAINTAINER: '需要维护者允许检查运行。',
  NO_CI: '没有运行任何检查：那里什么都没有测试。',
};

export const zhRun: Pick<
  LanguageTexts,
  'headings' | 'states' | 'doing' | 'verdicts' | 'progress' | 'attention' | 'ended'
> = {
  headings: zhHeadings,
  states: zhStates,
  doing: { card: '等你在卡片上决定', opening: '正在创建拉取请求', pushing: '正在推送' },
  verdicts,
  progress: {
    created: '开始于',
    repeat: '(重复)',
    stray: (chat) => `会话 ${chat} 不接收我的消息，因此改发给你：`,
    fix: (n, of) => `第 ${n}/${of} 次修复`,
    agent: '代理正在工作',
    plan: (done, of) => `计划 ${done}/${of} 步`,
    check: (name) => `正在运行我们的检查 ${name}`,
    tookBefore: (time) => `上次用了 ${time}`,
    moreChecks: (n) => `另有 ${n} 项`,
  },
  attention: {
    title: {
      plan: '计划',
      human: '需要你处理',
      paused: '已暂停',
      retry: '失败',
      waits: '仍在等待',
      past: '情况已变',
      asks: '❓ 代理在提问',
    },
    over: (state) => `情况已经变了：现在${state}。`,
  },
  ended: {
    done: '完成',
    skipped: '已跳过',
    failed: '失败',
    cancelled: { title: '已取消', did: '已取消' },
    denied: { title: '已拒绝', did: '已拒绝' },
    closed: {
      title: (by) => `已被 ${by ?? '维护者'} 关闭`,
      did: (by) => `已被 ${by ?? '维护者'} 关闭`,
    },
    took: (time) => `用时 ${time}`,
  },
};
