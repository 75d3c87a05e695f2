import type { PollPart, PollFailure } from '../../../orchestrator/model/outage.ts';
import type { LanguageTexts } from '../en/en.ts';
import { zhHostRefusal } from './host-refusals.ts';

const names: Record<PollPart, string> = {
  pull: '拉取请求',
  branch: '分支',
  checks: '检查',
  reports: '检查运行 (check runs)',
  statuses: '提交状态',
  jobs: 'Actions 的运行',
  rules: '目标分支的规则',
  reviews: '评审',
  comments: '评论',
};
const permissions: Record<PollPart, string> = {
  pull: 'Pull requests',
  branch: 'Contents',
  checks: 'Checks',
  reports: 'Checks',
  statuses: 'Commit statuses',
  jobs: 'Actions',
  rules: 'Contents',
  reviews: 'Pull requests',
  comments: 'Issues',
};
const listed = (parts: readonly PollPart[]): string => parts.map((part) => names[part]).join('、');

export const zhOutages: LanguageTexts['sight'] = {
  title: { none: '读不到 GITHUB', some: '有一部分读不到', again: '又能读到 GITHUB 了' },
  last: '上次查看',
  since: '看不到，始于',
  runs: (n) => `${n} 个任务在等待：`,
  short: ({ kind, status, parts }: PollFailure) => {
    if (kind === 'long') return `${listed(parts)}多得读不完`;
    if (kind === 'ours') return 'AgentPR 自己出错了';
    if (kind === 'limit') return 'GitHub 要我们等待';
    return status === null ? '连不上 GitHub' : `GitHub 回答 ${status}`;
  },
  unread: (parts) => `没有读到：${listed(parts)}。`,
  todo: ({ kind, parts, refusal }: PollFailure) => {
    if (refusal && refusal.kind !== 'right_missing') return zhHostRefusal(refusal);
    switch (kind) {
      case 'credential':
        return '令牌被拒绝。请设置有效的 GITHUB_TOKEN，然后重新启动 AgentPR。';
      case 'forbidden': {
        const wanted = [...new Set(parts.map((part) => permissions[part]))].join('、');
        const fine = parts.includes('reports')
          ? '细粒度令牌 (fine-grained) 不能读检查运行：请改用经典令牌 (classic)，或在合并之前自己到 GitHub 上看检查。'
          : '';
        return `令牌没有读取的权限。请给它以下读取权限：${wanted}。${fine}`;
      }
      case 'missing':
        return '它被删除、设为私有或移走了，或者令牌不再包含它。请检查这两点，或取消任务。';
      case 'refused':
        return '请看 GitHub 的回答，或取消任务。';
      case 'limit':
        return '不用做什么：GitHub 说了什么时候再来。';
      case 'host':
        return '如果很快恢复就不用管。如果一直这样，请检查主机的网络和 githubstatus.com。';
      case 'network':
        return '请在主机上修复：`agentpr doctor` 会逐一尝试本网络的每条出路，并说明要设置什么。';
      case 'long':
        return '合并之前请到 GitHub 上看检查。';
      case 'ours':
        return '请看主机上的日志，并报告这个问题。';
    }
  },
  goesOn: 'AgentPR 会继续查看。期间发生的事到时会知道；没有看到之前，什么都不算通过。',
};
