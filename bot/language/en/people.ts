/** English texts about roles and about updates that never act. Plain text, not escaped. */
import type { UserRole } from '../../../orchestrator/model/roles.ts';

const hints = {
  edited: 'Edited messages are ignored. Send it again as a new message.',
  forwarded: 'Forwarded messages are ignored. Write the command yourself.',
  anonymous: 'Anonymous admins and channels cannot give commands. Write as yourself.',
  textless:
    'I only read text, what stands below a photo, and voice notes. Anything else, such as a sticker or a file and its caption, is ignored: send the words as a message.',
  inline: 'Inline messages are ignored. Use the buttons in this chat.',
};
const roleNames: Record<UserRole, string> = {
  viewer: 'viewer',
  operator: 'operator',
  approver: 'approver',
  admin: 'admin',
};

const rights: Record<UserRole, string> = {
  viewer: 'You can look at everything; changing something is for operators.',
  operator: 'You can ask for changes and steer them; approvers decide what is published.',
  approver: 'You can ask for changes, and you decide what is published.',
  admin: 'You can do everything, and you say who may do what.',
};

export const enPeople = {
  hints,
  welcome: {
    hello: (name: string) => `Hello ${name}, I am AgentPR.`,
    what: 'Tell me what to change in a repository. An agent makes the change, I check it, and you read every line here before a pull request is opened. I never merge.',
    role: (role: string, rights: string) => `Your role: ${role}. ${rights}`,
    rights,
    repositories: 'Your repositories here:',
    account: (account: string) =>
      `Any repository that ${account} can read will do: write owner/name, or paste its link.`,
    example: (repo: string) => `in ${repo}: fix a typo in the README`,
    exampleOf: (repo: string) => `Fix a typo in ${repo}`,
    try: 'Try it: tap the example. Nothing starts until you tap again.',
    pending: 'What needs me?',
    help: 'What can I do?',
    tryLooking: 'Try it: ask what is going on.',
  },
  help: {
    title: 'What do you want to do?',
    words:
      'You can also just write it: “what’s waiting for me?”, “retry the api one”, “pause 2”. A run is named by its number in /status, its repository or its id, or by replying to its message.',
    meant: (name: string, near: string) => `I do not know /${name}. Did you mean /${near}?`,
    back: 'All topics',
    none: 'There is nothing here for your role.',
    options:
      'Options go at the end: base=main engine=codex flow=plan check="npm test" title="…" branch=… budget=cost:2',
  },
  roles: {
    names: roleNames,
    stranger: (id: string) => `I do not know you yet. Ask an admin to add your id: ${id}`,
    needs: (role: UserRole) => `Only ${role}s may do that; ask an admin.`,
  },
};
