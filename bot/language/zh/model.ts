import type { LanguageTexts } from '../en/en.ts';

export const zhModel: Pick<LanguageTexts, 'model'> = {
  model: {
    asking: (name, seconds) => `正在询问 ${name}；如果它有答案，会在 ${seconds} 秒内显示在这里。`,
    says: (name) => `${name}（模型）的回答：`,
    silent: (name) => `${name} 也没有给出答案。`,
    cutOff: (name) => `${name} 还没回答，我就重启了。请再问一次。`,
    spent: '模型今天的 token 额度已用完。',
    busy: '模型还在回答上一个问题，请稍后再问。',
    long: '这段话对模型来说也太长了。',
  },
};
