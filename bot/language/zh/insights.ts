import { groupDigits, signedNumber } from '../../text/catalogue.ts';
import type { LanguageTexts } from '../en/en.ts';

export const zhInsights: LanguageTexts['insights'] = {
  title: (days) =>
    days === null ? '全部任务中最费注意力的事' : `最近 ${groupDigits(days)} 天最费注意力的事`,
  total: (runs, spent) => `${groupDigits(runs)} 个任务：${spent}。`,
  spent: (time, taps, sounds) => `${time}，${groupDigits(taps)} 次点按，${groupDigits(sounds)} 次响铃`,
  sorts: { failure: '任务停下的原因', skill: '提示词', engine: '引擎', repository: '仓库' },
  stopped: (share) => `停下的任务：${share}`,
  rate: (counts, percent, low, high) => `${counts}（${percent}%，${low}–${high}）`,
  points: (by, low, high) => `${signedNumber(by)} 个百分点（${signedNumber(low)} 至 ${signedNumber(high)}）`,
  cards: '卡片',
  card: (kind, denied, seconds, hasty) =>
    `${kind}：拒绝 ${denied}，平均 ${groupDigits(seconds)} 秒后决定${hasty === 0 ? '' : `；${groupDigits(hasty)} 张在一秒内批准，不可能读过`}`,
  trial: '试用中的提示词：每个任务用哪个由抽签决定',
  arm: (prompt, stopped, green, attention) =>
    `${prompt}：停下的任务 ${stopped}；首次 CI 通过 ${green}；注意力（中位数）：${attention}`,
  advice: '可以改什么',
  noAdvice: '没有足够确定的建议。',
  least: (runs, answers, cards) =>
    `每一方少于 ${runs} 个任务、对某个上限少于 ${answers} 次回答，或连续读过的卡片少于 ${cards} 张时，不提建议。区间为 95%；差异也可能另有原因。`,
  change: (setting, to) => `${setting}：${to}。`,
  better: (from, own, to, other, by) =>
    `需要人处理的任务：${from} 为 ${own}，${to} 为 ${other}；相差 ${by}。`,
  tight: (budget, share) => `任务用尽${budget}后，人们让其中 ${share} 继续。`,
  neverDenied: (cards) => `最近读过的 ${groupDigits(cards)} 次推送没有一次被拒绝。`,
  followed: '改动之后的变化',
  stoppedThen: (before, after) => `需要人处理：之前 ${before}，之后 ${after}`,
  tooFew: '数量太少，无法比较',
  attentionThen: (before, after) => `每个任务的注意力（中位数）：之前 ${before}，之后 ${after}`,
  middle: (half, low, high) => (low === null || high === null ? half : `${half}（${low} 至 ${high}）`),
};
