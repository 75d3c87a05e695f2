import {
  issueLocation,
  type ExpectedValue,
  type ValidationIssue,
} from '../../../orchestrator/model/validation-issue.ts';
import { groupDigits, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

const OF = { number: '', text: ' 个字符', list: ' 项' } as const;

export const zhExpectedValues: SentenceCatalogue<ExpectedValue> = {
  text: () => '必须是文本，请加上英文引号 "…"',
  number: () => '必须是数字',
  whole: () => '必须是整数',
  list: () => '必须是列表：[one, two]',
  table: () => '里面必须有自己的键：{ key: value }',
  yes_no: () => '必须是 true 或 false',
  name: () => '必须是以字母开头、由字母、数字和 _ 组成的名称',
  email: () => '必须是电子邮件地址',
  address: () => '必须是以 https:// 开头的地址',
  every: () =>
    '必须是日子、时间和时区，例如 monday 09:00 Europe/Berlin；也可以用 mon-fri、day（每天）或 month（每月第一天）',
  hours: () => '必须是日子、时段和时区，例如 mon-fri 09:00-17:00 Europe/Berlin',
  one_of: ({ all }) => `必须是其中之一：${all}`,
  least: ({ of, n }) =>
    of !== 'number' && n === 1
      ? '不能是空的'
      : `至少要${of === 'number' ? '是' : '有'} ${groupDigits(n)}${OF[of]}`,
  most: ({ of, n }) => `最多只能${of === 'number' ? '是' : '有'} ${groupDigits(n)}${OF[of]}`,
  either: ({ some }) => some.map((one) => sayRecord(zhExpectedValues, one)).join('，或者'),
  said: ({ says }) => `不能用：${says.replace(/\.$/, '')}`,
  other: () => '不能用',
};

export const zhValidationIssue = (it: ValidationIssue, where: string): string => {
  const at = issueLocation(it.path);
  if (it.kind === 'unknown') return `${at === '' ? where : at}里没有 ${it.key.slice(0, 60)} 这一项。`;
  const must = sayRecord(zhExpectedValues, it.may);
  if (at === '') return it.found === null ? `${where}是空的。` : `${where}${must}；现在是 ${it.found}。`;
  return it.found === null ? `缺少 ${at}：${must}。` : `${at} 现在是 ${it.found}；${must}。`;
};
