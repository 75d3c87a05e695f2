import type { LanguageTexts } from '../en/en.ts';

export const zhScreens: Pick<
  LanguageTexts,
  'fleet' | 'detail' | 'grade' | 'policies' | 'risk' | 'diff' | 'text'
> = {
  fleet: {
    title: (live) => `${live} 个任务进行中`,
    none: '没有进行中的任务。用 /new owner/name 要改什么 来发起',
    attention: '最需要你处理',
    calm: '没有事在等你。',
    runs: '最近的任务',
    noRuns: '还没有任务。用 /new owner/name 要改什么 来发起',
    pending: (n) => `${n} 件事等人处理`,
    more: (n) => `… 还有 ${n} 个`,
    alikeQuestions: (n) => `${n} 个代理提出同样的请求`,
    answerAlike: (n) => `一起回答这 ${n} 个`,
    decideLow: (n) => `低风险：一张列表决定 ${n} 个`,
    noLow: '没有可以在列表里决定的低风险改动。',
    next: '下一个决定',
    noNext: '没有别的事在等你。',
    does: { approval: '决定', human: '处理', paused: '继续', plan: '计划' },
    waits: {
      approval: '请在卡片上决定',
      human: '需要你处理',
      paused: '已暂停',
      plan: '请看计划',
    },
  },
  detail: {
    asked: (name, when) => `${name} 发起于 ${when}：`,
    changed: (engine, size, files, time, minutes) =>
      `${engine} 用 ${time} 改了 ${files} 个文件（${size}）；评审约 ${minutes} 分钟。`,
    pushed: (branch) => `在分支 ${branch} 上。`,
    notPushed: '还没有推送任何内容。',
    moreChecks: (n) => `… 还有 ${n} 项检查：见 /log`,
    policies: '策略',
    noPolicies: '没有策略反对',
    onBaseToo: (ref) => `在 ${ref} 上同样不通过`,
    record: '存档',
    run: '任务',
    commit: '提交',
    seal: '所批准内容的摘要',
    attempts: '执行记录',
    spent: (n, of, time, tokens) => `拉取请求之后的修复 ${n}/${of} 次 · 工作 ${time} · ${tokens} token`,
  },
  grade: {
    title: '评级',
    earlier: '每次尝试的评级',
    levels: { PASS: '合格', NEEDS_REVIEW: '需要人看', FAIL: '不合格' },
    judgedBy: '依据',
  },
  policies: {
    actions: { push: '推送', open_pr: '创建' },
    decisions: { deny: '被拒绝', escalate: '由人决定', allow: '允许' },
    raises: '风险来自：',
    can: {
      deny: '任何人都不能签署。重试：代理会得知原因；或者结束任务。',
      escalate: '看过后签署，或说明原因拒绝，代理会得知原因。',
      allow: '可以批准了。',
    },
  },
  risk: {
    title: '决定之前请先看',
    findings: '发现',
    nothing: '没有单独标出的行；原因见上。',
  },
  diff: {
    caption: (repo, id, sha) => `${repo} · ${id} · ${sha}`,
    fix: (sha) => `自 ${sha} 以来的修复内容`,
    omitted: (bytes) => `有 ${bytes} 字节放不下`,
    hidden: (n) => `${n} 行中的密钥已隐藏，行尾标有 ⟦hidden⟧`,
    signs: '⟦…⟧ 是看不见的内容：字节 (⟦0d⟧) 或字符 (⟦U+202E⟧)',
    none: (id) => `任务 ${id} 还没有可看的改动。`,
  },
  text: {
    heading: 'PR 文字',
    branch: '分支',
    author: '作者',
    signer: '签名的 SSH 密钥',
    commit: (n, of) => (of === 1 ? '提交说明' : `提交说明 ${n}/${of}`),
    title: '拉取请求的标题',
    body: '拉取请求的描述',
    newBody: '拉取请求的新描述',
    receipt: (name) =>
      `(其后是折叠的一行：任务、内容摘要、策略和批准人；你将显示为${name === undefined ? '一个代号' : `“${name}”`})`,
  },
};
