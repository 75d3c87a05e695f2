/** Collects all Chinese texts of the bot. Plain text, not escaped. */
import { whenRead } from '../when-read.ts';
import { zhComposed } from './sentences.ts';
import { zhDatabaseFault } from './database-faults.ts';
import type { LanguageTexts } from '../en/en.ts';

export const zhTexts: LanguageTexts = whenRead(() => ({
  ...zhComposed,
  code: 'zh',
  name: '中文',
  calendar: {
    weekdays: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
    date: (day, month) => `${month}月${day}日`,
    units: { s: ' 秒', m: ' 分钟', h: ' 小时', d: ' 天' },
  },
  databaseFailed: zhDatabaseFault,
}));
