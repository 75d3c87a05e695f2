/** Notices an agent that gives the same command again and again (C4). It stops nothing. */

/** Edit, test, edit, test stays far below: half of the calls are other ones. */
export const REPEATED_CALLS = { times: 8, of: 12 } as const;
/** Longer commands are compared by their beginning. What is shown is cut after secrets are hidden. */
const MAX_CALL_LENGTH = 16_000;

/** A request of an agent to a tool; equal calls are equal texts. */
export const toCallText = (tool: string, input: Readonly<Record<string, unknown>>): string => {
  const { command } = input;
  const text = typeof command === 'string' ? `$ ${command}` : `${tool} ${JSON.stringify(input)}`;
  return text.slice(0, MAX_CALL_LENGTH).toWellFormed();
};

/** `tell` is called at most once. */
export const createRepeatWatch = (
  tell: (repeated: { call: string; times: number; of: number }) => void,
): ((calls: readonly string[]) => void) => {
  const { times, of } = REPEATED_CALLS;
  const recent: string[] = [];
  let isTold = false;
  return (calls) => {
    for (const call of calls) {
      recent.push(call);
      if (recent.length > of) recent.shift();
      // guard: C4-repeat-told-once
      if (isTold) continue;
      if (recent.filter((one) => one === call).length < times) continue;
      isTold = true;
      tell({ call, times, of });
    }
  };
};
