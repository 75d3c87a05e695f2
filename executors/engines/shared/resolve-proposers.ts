/** Reads an order's and the settings' proposers of one engine (E9). */
export type ConfiguredProposer = {
  name: string;
  model?: string | undefined;
  prompt?: string | undefined;
};

type NamedProposer = { name: string; model: string | null; prompt: string | null };

export const resolveProposers = (
  ordered: readonly string[],
  configured: readonly ConfiguredProposer[],
): NamedProposer[] => {
  const names = ordered.length > 0 ? ordered : configured.map(({ name }) => name);
  return names.map((name) => {
    const own = configured.find((one) => one.name === name);
    return own
      ? { name, model: own.model ?? null, prompt: own.prompt ?? null }
      : { name, model: name, prompt: null };
  });
};
