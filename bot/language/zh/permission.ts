import type { LanguageTexts } from '../en/en.ts';

export const zhPermission: LanguageTexts['permission'] = {
  title: '请求许可',
  asks: {
    command: '代理请求运行一次：',
    tool: (tool) => `代理请求用工具“${tool}”执行一次：`,
  },
  asksEach: {
    command: (n) => `${n} 个代理请求各运行一次：`,
    tool: (n, tool) => `${n} 个代理请求各用工具“${tool}”执行一次：`,
  },
  allowEach: (n) => `各允许一次（${n}）`,
  denyEach: (n) => `全部拒绝（${n}）`,
  answeredEach: (n, left) =>
    left === 0 ? `已记录：${n} 个任务。` : `已记录：${n} 个任务；${left} 个已不再询问。`,
  why: '为什么问你',
  alternatives: (proposer, tool, risk) =>
    `${proposer} 提议改为${tool === null ? '' : `（${tool}）`}，风险${risk}；拒绝后会重新考虑：`,
  nobodySaid: '没有策略允许或禁止它',
  waits: '你回答之前不会运行任何东西，也不会产生花费。不回答就是不允许。',
  tooLong: '内容超出卡片能显示的长度，因此不能在这里允许。',
  allow: '允许一次',
  allowSort: (sort) => `本任务中允许“${sort} …”`,
  sortMeans: (sort) =>
    `“${sort} …”指带有这些词和选项、其后只有普通名字、且没有其他反对理由的所有命令，直到本任务结束或有人撤销。`,
  allowedSort: (sort) => `已记录：本任务中允许“${sort} …”。用 /revoke 撤销。`,
  stands: (sort, by) => `本任务中允许：“${sort} …”（${by}）`,
  revoke: '重新询问我',
  deny: '拒绝',
  denyWords: '拒绝并说明',
  edit: '修改',
  allowed: '已记录：允许一次。',
  denied: '已记录：已拒绝，会告诉代理。',
  ask: '代理应该知道什么，或改做什么？请回复这条消息。',
  askEdit: '要改为运行哪条命令（一次）？请用完整的命令回复这条消息。',
  edited: '已记录：按你修改后的内容允许一次：',
  editDenied: '策略不允许这条命令。问题仍然开着。',
  editLong: (most) => `内容太长，没有人能全部读完：最多 ${most} 个字符。问题仍然开着。`,
  over: '这个问题已经结束，什么也没有做。',
};
