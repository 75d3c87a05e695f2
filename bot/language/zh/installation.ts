import type { SettingName, SettingUnit } from '../../../orchestrator/commands/runtime-setting-rows.ts';
import { groupDigits } from '../../text/catalogue.ts';
import type { LanguageTexts } from '../en/en.ts';

const names: Record<SettingName, string> = {
  engine: '默认引擎',
  prompt: '提示词版本',
  trial: '试用的提示词',
  parallel: '同时进行的任务',
  daily: '每天开始的任务',
  time: '每个任务的时间',
  tokens: '每个任务的 token',
  cost: '每个任务的费用',
  iterations: '创建拉取请求后的修改',
  fixes: '检查失败后的修改',
  card: '卡片有效期',
  reminder: '第一次提醒',
  answer: '回复评审的期限',
  approvals: '需要的签名',
  own: '批准自己提出的改动',
  pushes: '低风险修改不经卡片',
};

const short: Record<SettingName, string> = {
  engine: '引擎',
  prompt: '提示词',
  trial: '试用',
  parallel: '同时',
  daily: '每天',
  time: '时间',
  tokens: 'token 数',
  cost: '费用',
  iterations: 'PR 修改',
  fixes: '检查修改',
  card: '卡片',
  reminder: '提醒',
  answer: '回复',
  approvals: '签名',
  own: '自己的改动',
  pushes: '低风险修改',
};

const does: Record<SettingName, string> = {
  engine: '没有指名引擎时，由它完成改动。',
  prompt: '没有指名提示词版本时，代理得到的版本。',
  trial: '每一百个新任务里有多少个改用另一个最新的提示词版本，好让 /insights 比较两者。',
  parallel: '同时进行多少个任务；上限是主机的配置。',
  daily: '24 小时内可以开始多少个任务；其余的排队等候。',
  time: '一个任务的代理和检查一共可以用多久。审批人可以给单个任务更多。',
  tokens: '一个任务的代理可以读写多少。',
  cost: '一个任务的代理可以花多少美元。',
  iterations: '拉取请求创建之后，任务可以因检查变红或被要求修改而退回代理多少次。',
  fixes: '我们的检查失败后，可以退回代理多少次，然后才找人。',
  card: '卡片可以签署多久。之后它关闭，由新的卡片再问。',
  reminder: '等人多久之后再问一次；每次加倍。',
  answer: '评审者等待回复多久之后要通知人。',
  approvals: '一张卡片需要多少位不同的审批人签署。',
  own: '提出改动的人能否自己批准。',
  pushes: '对已打开的拉取请求的低风险修改，是否不问就推送。',
};

const units: Record<SettingUnit, (n: number) => string> = {
  percent: (n) => `${n} % 的任务`,
  minutes: (n) => (n >= 120 && n % 60 === 0 ? `${groupDigits(n / 60)} 小时` : `${groupDigits(n)} 分钟`),
  hours: (n) => `${groupDigits(n)} 小时`,
  days: (n) => `${groupDigits(n)} 天`,
  tokens: (n) => `${groupDigits(n)} 个 token`,
  dollars: (n) => `$${n}`,
  runs: (n) => `${groupDigits(n)} 个任务`,
  rounds: (n) => `${groupDigits(n)} 次`,
  people: (n) => `${groupDigits(n)} 位审批人`,
};

export const zhInstallation: LanguageTexts['installation'] = {
  title: '新任务的设置',
  marked: '• 在这里改过；其余按主机的配置。',
  names,
  short,
  does,
  units,
  on: '开',
  off: { switch: '关', limit: '不限' },
  now: (value, usual) => (value === usual ? `现在：${value}。` : `现在：${value}；主机的配置是${usual}。`),
  range: (least, most) => `从${least}到${most}。要写别的值，请这样写：`,
  reset: '按主机的配置',
  usual: '按主机的配置',
  all: '全部设置',
  log: '谁改了什么',
  cards: '什么最费注意力',
  kinds: { open_pr: '拉取请求', push: '推送', reply: '评审回复' },
  host: '主机',
  never: '这里还没有更改过任何设置。',
  noRights: '不再有权限',
  changed: (at, by, what) => `${at} · ${by} · 改为 ${what}`,
  set: (name, value) => `已记录。${name}：${value}。对此后开始的任务有效。`,
  quiet: (hours) => (hours === null ? '免打扰时段：无。' : `免打扰时段：${hours}。`),
  quietSet: (hours) =>
    hours === null
      ? '不再有免打扰时段。'
      : `免打扰时段：${hours}。其间不响铃；结束时，等你决定的事会以卡片发来。`,
  quietForm: '请这样写：/settings quiet 22:00-07:30 Asia/Shanghai，或 /settings quiet off',
  quietOver: '你的免打扰时段结束了。',
};
