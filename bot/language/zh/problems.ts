/** Chinese: why a command cannot be taken as it is written. Plain text: whoever shows it escapes it. */
import type { LONGEST, Problem } from '../../../orchestrator/commands/problems.ts';
import { grouped, type Catalogue } from '../../text/catalogue.ts';

const long: Record<keyof typeof LONGEST, string> = {
  reason: '原因',
  advice: '要告诉代理的话',
  title: '标题',
  description: '说明',
  goal: '目标',
  instruction: '要做的事',
};

export const problems: Catalogue<Problem> = {
  flag: ({ flag }) => `${flag} 不是这个命令的选项。`,
  state: ({ text }) => `${text} 不是一个状态。`,
  repo: ({ text }) => `${text} 不是仓库；应写成 owner/name。`,
  branch: ({ text }) => `${text} 不是 git 接受的分支名。`,
  language: ({ text }) => `我不会说 ${text}。`,
  user: ({ text }) => `${text} 不是 Telegram 的数字 id。`,
  amount: ({ text }) => `${text} 不是数量；请写一个数，或用 +数 表示再加多少。`,
  no_goal: () => '请说明要改什么。',
  no_instruction: () => '请说明要修什么。',
  value: ({ option }) => `${option}= 需要一个值。`,
  twice: ({ option }) => `${option}= 给了两次。`,
  flow: ({ text, all }) => `${text} 不是工作方式；现有：${all}。`,
  discovery: ({ text, all }) => `${text} 不能读取仓库；现有：${all}。`,
  engine: ({ text, all }) => `${text} 不是引擎；现有：${all}。`,
  prompt_version: ({ text, all }) => `没有提示词版本 ${text}；现有：${all}。`,
  role: ({ text, all }) => `${text} 不是角色；现有：${all}。`,
  budget: ({ text, all }) => `${text} 不是预算；现有：${all}。`,
  long: ({ what, most }) => `${long[what]}超过了 ${grouped(most)} 个字符。`,
};
