import type { TitleStyle } from '../../../orchestrator/model/title-format.ts';
import type { IssueStanding } from '../../../orchestrator/model/issue-standing.ts';
import type { AssessmentReasonOf } from '../../../orchestrator/model/assessment-reasons.ts';
import type { RuleKind } from '../../../orchestrator/model/contribution-rule.ts';

type Said = Omit<AssessmentReasonOf<'rule'>, 'kind'>;
type Quote = Pick<Said, 'quote' | 'file' | 'line'>;
export const zhQuotedRule = ({ quote, file, line }: Quote): string => `“${quote}” (${file}:${line})`;

const trailers: Readonly<Record<string, string>> = {
  assisted_by: '用 AI 做的提交要带 Assisted-by 一行',
  co_author: '用 AI 做的提交要把它列为共同作者',
  no_co_author: '不能把 AI 列为共同作者',
  no_sign_off: '代理不能签署（sign-off），由人来签',
  change_id: '提交要带 Change-Id 一行',
};
const issues: Readonly<Record<string, string>> = {
  open: '提拉取请求之前要先有议题',
  accepted: '只有已被接受的议题才可以提拉取请求',
  assigned: '只有被指派的人才可以提拉取请求',
};
const logs: Readonly<Record<string, string>> = {
  file: '要求在更新日志文件里写一条',
  fragment: '要求附上更新日志片段',
  changeset: '要求附上 changeset',
};

const others: Readonly<Record<string, string>> = {
  ai: '这可能是对代理所作改动的禁令',
  unread: '有规则写在无法读取的文件里',
};

const asked: Record<RuleKind, (value: string | null) => string> = {
  ai_ban: () => '这个仓库不接受这样的改动',
  ai_limited: (value) => `这些地方不接受 AI：${value ?? '见引文'}`,
  ai_disclosure: () => '使用了 AI 要说明',
  human_author: () => '改动必须由人负责：签字之前请通读全部内容',
  human_words: () => '描述必须是人自己写的话',
  dco: () => '要求签署（sign-off），只有人能给',
  cla: () => '要求签署协议，只有人能签',
  template: () => '描述要按模板写',
  issue_first: (value) => issues[value ?? ''] ?? '先要有议题',
  changelog: (value) => logs[value ?? ''] ?? '要求写更新日志',
  base_branch: (value) => `改动要提到另一个分支${value === null ? '' : `：${value}`}`,
  branch_name: (value) => `分支名有规定${value === null ? '' : `：${value}`}`,
  commit_style: (value) => (value === 'not_conventional' ? '标题前面不加类型' : '提交说明有自己的写法'),
  language: (value) => `要用这种语言写：${value ?? '见引文'}`,
  size: (value) =>
    Number.isFinite(Number(value ?? 'x'))
      ? `改动最多 ${value} 行`
      : value === 'one_change'
        ? '每个拉取请求只做一件小改动'
        : '拉取请求要小',
  label_barred: (value) => `AI 不能处理带这个标签的议题：${value ?? '见引文'}`,
  trailer: (value) => trailers[value ?? ''] ?? '提交要带尾注',
  vouch: (value) =>
    value === 'denounced'
      ? '我们的账号在贡献者名单上被列为不受欢迎'
      : `只有名单上的人可以提拉取请求，我们的账号${value === 'listed' ? '在其中' : '不在其中'}`,
  elsewhere: (value) =>
    value === null || value === 'not here'
      ? '这里不收拉取请求'
      : `改动要交到别处（${value}），而不是在这里提拉取请求`,
  other: (value) => others[value ?? ''] ?? '有一条规则需要人来读',
};

const kept: Partial<Record<RuleKind, string>> = {
  ai_disclosure: '描述说明了改动出自代理',
  issue_first: '议题还在，也没有别人在做',
  changelog: '改动带有更新日志',
  dco: '提交已签署',
  human_words: '描述是人自己写的话',
  vouch: '我们的账号在允许提拉取请求的名单上',
};

const asking = ({ rule: kind, value }: Said): string => {
  const says = asked[kind](value);
  return value !== null && says === asked[kind](null) ? `${says}（${value}）` : says;
};

export const zhRule = (j: Said): string => `${asking(j)}：${zhQuotedRule(j)}`;
export const zhRuleEvidence = (j: Said): string => {
  const says = j.value === null ? kept[j.rule] : undefined;
  return `${says ?? `就我们所见已遵守：${asking(j)}`}：${zhQuotedRule(j)}`;
};

export const zhIssueStandings: Record<IssueStanding, string> = {
  fine: '还开着，也没有别人在做',
  none: '没有提到',
  missing: '不存在',
  unread: '没能查到',
  closed: '已关闭',
  taken: '已指派给别人',
  unassigned: '没有指派给我们',
  not_accepted: '没有标记为已接受',
};

export const zhTitleStyles: Record<TitleStyle, string> = {
  conventional: ' Conventional Commits',
  component: '“组件: 摘要”的写法',
  bracketed: '“[组件] 摘要”的写法',
  ticket: '以工单号开头的写法，任务里要写明工单号',
  numbered: '以议题编号开头的写法，任务里要写明编号',
  pattern: ' CI 的模式，无法确认',
};
