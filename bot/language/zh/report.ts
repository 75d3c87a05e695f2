/** Chinese texts for reports. Plain text, not escaped. */
import { groupDigits, signedNumber } from '../../text/catalogue.ts';
import type { LanguageTexts } from '../en/en.ts';

export const zhReport: LanguageTexts['report'] = {
  title: (days) => (days === null ? '全部任务的报告' : `最近 ${groupDigits(days)} 天的报告`),
  none: '这段时间里没有下达过任务。',
  late: '较早的任务还在统计中；请过一分钟再问。',
  size: (runs, pulls) => `${groupDigits(runs)} 个任务，${groupDigits(pulls)} 个拉取请求。`,
  shares: {
    firstCi: '首次提交即通过 CI',
    needsHuman: '需要人处理',
    merged7: '7 天内合并',
    merged30: '30 天内合并',
    unanswered: '没有回复的意见',
  },
  counts: (yes, of) => `${groupDigits(of)} 中有 ${groupDigits(yes)}`,
  share: (name, share) => `${name}：${share}`,
  rate: (percent, low, high) => `（${percent}%；95% 区间 ${low}–${high}%）`,
  since: (by, low, high) =>
    `；与前一时段相比 ${signedNumber(by)} 个百分点（${signedNumber(low)} 至 ${signedNumber(high)}）`,
  ready: (half, most, of) =>
    `从下达到第一张卡片：中位数 ${half}，九成在 ${most} 内（${groupDigits(of)} 个任务）`,
  rounds: (half, most, of) => `代理每轮用时：中位数 ${half}，九成在 ${most} 内（共 ${groupDigits(of)} 轮）`,
  perPull: (taps, sounds, time, fixes) =>
    `每个拉取请求用了 ${taps} 次点按、${sounds} 次响铃、${time} 的注意力和 ${fixes} 次修正`,
  cost: (all, each) => `模型费用：${all}，每个拉取请求 ${each}`,
  costUnknown: (runs) => `${runs} 个任务的费用未知`,
  usedUp: (budget) => `预算用尽（${budget}）`,
  failures: (all) => `失败原因：${all}`,
  by: { engine: '引擎', ecosystem: '生态', repository: '仓库', prompt: '提示词版本', campaign: '批次' },
  unnamed: '未知',
  more: (n) => `表中还有 ${groupDigits(n)} 项`,
  period: (days) => (days === null ? '全部' : `${days} 天`),
  chart: { ready: '从下单到第一张卡片（中位数）', attention: '每个 PR 所需的注意力' },
  whole: '完整表格',
  columns: {
    name: '分组',
    runs: '任务',
    pulls: '拉取请求',
    firstCi: '首次 CI 通过',
    needsHuman: '需要人处理',
    ready: '首张卡片 p50 / p90',
    rounds: '代理每轮 p50 / p90',
    iterations: '修正/请求',
    taps: '点按/请求',
    pings: '响铃/请求',
    attention: '注意力/请求',
    merged7: '7 天内合并',
    merged30: '30 天内合并',
    unanswered: '未回复',
    cost: '费用',
    failures: '失败原因',
  },
  all: '全部',
  caption: (by) => `按${by}的报告；区间为 95%（Wilson）。`,
};
