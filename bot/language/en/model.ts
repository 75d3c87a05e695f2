/** English texts about the optional chat model. Plain text, not escaped. */

export const enModel = {
  model: {
    asking: (name: string, seconds: number) =>
      `I am asking ${name}; its answer takes the place of this within ${seconds} seconds, if it has one.`,
    says: (name: string) => `${name}, a model, says:`,
    silent: (name: string) => `${name} had no answer either.`,
    cutOff: (name: string) => `I was restarted before ${name} had answered. Please ask again.`,
    spent: 'The model has used up its tokens for today.',
    busy: 'The model is still answering an earlier question; ask again in a moment.',
    long: 'That is too long for the model as well.',
  },
};
