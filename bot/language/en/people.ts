/** English: who may do what, and what never acts. Plain text: whoever shows it escapes it. */
import type { Role } from '../../../orchestrator/core/roles.ts';

const hints = {
  edited: 'Edited messages never act. Send it again as a new message.',
  forwarded: 'Forwarded messages never act. Write the command yourself.',
  anonymous: 'Anonymous admins and channels cannot give commands. Write as yourself.',
  textless:
    'I read text only. What comes with a picture, a file or a voice is not taken: write it as a message.',
  inline: 'Inline messages never act. Use the buttons in this chat.',
};
const roleNames: Record<Role, string> = {
  viewer: 'viewer',
  operator: 'operator',
  approver: 'approver',
  admin: 'admin',
};

export const people = {
  hints,
  roles: {
    names: roleNames,
    stranger: (id: number) => `I do not know you yet. Ask an admin to add your Telegram id: ${id}`,
    needs: (role: Role) => `Only ${role}s may do that; ask an admin.`,
  },
};
