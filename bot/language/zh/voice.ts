import type { LanguageTexts } from '../en/en.ts';

const seconds = (n: number): string => (n < 120 ? `${Math.round(n)} 秒` : `${Math.round(n / 60)} 分钟`);
const again = '请重新发送，或者直接写文字。';

export const zhVoice: Pick<LanguageTexts, 'voice'> = {
  voice: {
    problems: {
      off: () =>
        '我听不了语音：这里没有配置语音转写。请写文字，或让运维人员在 agentpr.config.json 里设置 chat.voice（见 docs/voice.md）。',
      long: ({ seconds: is, most }) =>
        `这条语音太长：${seconds(is)}，最多 ${seconds(most)}。请分成几条短的再说。`,
      big: ({ most }) => `这条语音太大：最多 ${most / 1_000_000} MB。请分成几条短的再说。`,
      spent: ({ minutes }) =>
        `今天（UTC）的 ${minutes} 分钟语音额度已用完。请写文字，或调高 chat.voice.minutesPerDay。`,
      gone: () => `Telegram 已经没有这条语音，或者它比所说的更大。${again}`,
      broken: () => `这段录音无法读取：不是 Ogg 文件里的 Opus 音频，或者不完整。${again}`,
      silent: () => '没有听到话。请靠近手机再说一次，或者直接写文字。',
      wordy: ({ most }) => `转写的文字超过 ${most} 个字符。请分成几条短的再说。`,
      down: ({ name }) => `转写服务 ${name} 没有给出文字，什么都没有执行。${again}`,
      slow: ({ name, seconds: most }) =>
        `转写服务 ${name} 在 ${most} 秒内没有给出文字，什么都没有执行。${again}`,
    },
    heard: '我听到的是下面这些。点按之前什么都不会发生。',
    use: '就用这些话',
    drop: '不用',
    used: '已采用：',
    dropped: '未采用：',
    notYours: '只有说这段话的人才能采用。',
    already: '已经决定过了。',
    noCommand: '代理要执行的命令必须写出来：转写可能差一个字母。请用文字回复那个问题。',
  },
};
