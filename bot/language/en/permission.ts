/** English: an agent asks to be allowed something, and a person answers. */
export const permission = {
  title: 'PERMISSION',
  asks: {
    command: 'The agent asks to run this, once:',
    tool: (tool: string) => `The agent asks to use its tool “${tool}”, once, with this:`,
  },
  why: 'Why you are asked',
  nobodySaid: 'no policy allows or forbids it',
  waits: 'Nothing runs and nothing is spent until you answer. No answer is a no.',
  tooLong: 'It is longer than a card can show, so it cannot be allowed here.',
  allow: 'Allow once',
  deny: 'Deny',
  denyWords: 'Deny with words',
  allowed: 'Recorded: allowed, once.',
  denied: 'Recorded: denied. The agent is told.',
  ask: 'What is the agent to know or do instead? Reply to this message.',
  over: 'This question is over: nothing was done.',
};
