import type { LanguageTexts } from '../en/en.ts';

export const zhDenials: LanguageTexts['denials'] = {
  chips: {
    approach: '思路不对',
    big: '改动太大',
    tests: '缺少测试',
    unneeded: '不需要',
    none: '不说原因',
  },
  asks: '为什么拒绝？',
  asksWhy: '为什么拒绝？点按钮会结束任务；现在写下的话会交给代理，让它重新来过。',
  asksChanges: '要改什么？现在就写，或回复这张卡片：代理会马上继续。',
  ask: '要改什么？写在这里，代理会马上继续。',
  askBelow: '请回复下面的消息。',
  asked: '已交给代理，它会继续。',
  captionOnly: '已交给代理，它会继续。代理只收到文字，图片留在这里。',
  pictureStays: '代理只收到文字，图片留在这里。',
  perhaps: {
    asks: {
      changes: '要让代理这样改吗？',
      closing: '用这句话关闭拉取请求吗？',
      permission: '这是你给代理的回答吗？',
      'permission-edit': '要改为执行这条命令吗？',
    },
    use: '是，就用这段话',
    other: '不是，我另有所指',
    used: '已作为你的回答：',
    unused: '这不是回答：',
  },
  whichForm:
    '我在这里问过你不止一个问题，分不清这是在回答哪一个，所以没有作任何处理：请回复我最新的问题再发一次。',
  why: { approach: '思路不对', big: '改动太大', tests: '缺少测试', unneeded: '不需要' },
  told: {
    approach: '审批人拒绝了这次改动：思路不对。请换一种方式达成目标。',
    big: '审批人拒绝了这次改动：太大。请用更小的改动达成目标，去掉不需要的部分。',
    tests: '审批人拒绝了这次改动：缺少测试。请为改动补上测试。',
    unneeded: '审批人拒绝了这次改动：不需要。',
  },
};
