/** Chinese: who may do what, and what never acts. Plain text: whoever shows it escapes it. */
import type { Role } from '../../../orchestrator/core/roles.ts';
import type { Texts } from '../en/en.ts';

const hints = {
  edited: '编辑过的消息不起作用。请作为新消息重新发送。',
  forwarded: '转发的消息不起作用。请自己输入命令。',
  anonymous: '匿名管理员和频道不能下命令。请用你自己的身份发送。',
  textless: '我只读文字。随图片、文件或语音发来的内容不会被采纳：请作为文字消息发送。',
  inline: '内联消息不起作用。请使用这个聊天里的按钮。',
};
const roleNames: Record<Role, string> = {
  viewer: '查看者 (viewer)',
  operator: '操作者 (operator)',
  approver: '批准者 (approver)',
  admin: '管理员 (admin)',
};

export const people: Pick<Texts, 'hints' | 'roles'> = {
  hints,
  roles: {
    names: roleNames,
    stranger: (id) => `我还不认识你。请管理员添加你的 Telegram id：${id}`,
    needs: (role) => `只有${roleNames[role]}可以这样做；请联系管理员。`,
  },
};
