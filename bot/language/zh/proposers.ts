import { groupDigits } from '../../text/catalogue.ts';
import type { LanguageTexts } from '../en/en.ts';

export const zhProposers: LanguageTexts['turns'] = {
  ends: {
    passed: '检查通过',
    checks_failed: '检查失败',
    denied: '被策略拒绝',
    no_changes: '没有改动',
    failed: '失败',
  },
  tokens: (n) => `${groupDigits(n)} 个 token`,
  unpriced: (n) => `${groupDigits(n)} 个 token，费用未知`,
  notComparable: '它们的费用无法比较',
};
