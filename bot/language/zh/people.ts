import type { UserRole } from '../../../orchestrator/model/roles.ts';
import type { LanguageTexts } from '../en/en.ts';

const hints = {
  edited: '编辑过的消息不起作用。请作为新消息重新发送。',
  forwarded: '转发的消息不起作用。请自己输入命令。',
  anonymous: '匿名管理员和频道不能下命令。请用你自己的身份发送。',
  textless: '我只读文字、照片下面的文字和语音。文件附带的文字会被忽略：请另发一条文字消息。',
  inline: '内联消息不起作用。请使用这个聊天里的按钮。',
};
const roleNames: Record<UserRole, string> = {
  viewer: '查看者 (viewer)',
  operator: '操作员 (operator)',
  approver: '审批人 (approver)',
  admin: '管理员 (admin)',
};

const rights: Record<UserRole, string> = {
  viewer: '你可以查看一切；要改动，需要操作员。',
  operator: '你可以提出改动并控制任务；发布什么由审批人决定。',
  approver: '你可以提出改动，并决定发布什么。',
  admin: '你可以执行所有操作，并决定谁能做什么。',
};

export const zhPeople: Pick<LanguageTexts, 'hints' | 'roles' | 'welcome' | 'help'> = {
  hints,
  welcome: {
    hello: (name) => `${name}，你好！我是 AgentPR。`,
    what: '告诉我要在哪个仓库改什么。代理完成改动，我来检查；创建拉取请求之前，你可以在这里读到每一行。我从不合并。',
    role: (role, rights) => `你的角色：${role}。${rights}`,
    rights,
    repositories: '你在这里用过的仓库：',
    account: (account) => `${account} 能读的仓库都可以：写 owner/name，或粘贴它的链接。`,
    example: (repo) => `在 ${repo} 修正 README 里的一个错别字`,
    exampleOf: (repo) => `修正 ${repo} 的错别字`,
    try: '试一试：点一下示例。要再点一次才会真正开始。',
    pending: '有什么在等我？',
    help: '我能做什么？',
    tryLooking: '试一试：问问现在进展如何。',
  },
  help: {
    title: '你想做什么？',
    words:
      '也可以直接说：“有什么在等我？”、“重试 api 那个”、“暂停 2”。任务可以用它在 /status 里的序号、仓库、编号来指，也可以直接回复它的消息。',
    meant: (name, near) => `没有 /${name} 这个命令。是想用 /${near} 吗？`,
    back: '全部主题',
    none: '这里没有你的角色能用的命令。',
    options:
      '选项写在最后：base=main engine=codex flow=plan check="npm test" title="…" branch=… budget=cost:2',
  },
  roles: {
    names: roleNames,
    stranger: (id) => `我还不认识你。请管理员添加你的 id：${id}`,
    needs: (role) => `只有${roleNames[role]}可以这样做；请联系管理员。`,
  },
};
