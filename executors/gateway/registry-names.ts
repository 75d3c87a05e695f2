/** Package registries that the configuration may name. */
import { knownRegistries } from '#tools/packages';

export const registryNames = (): string[] => [...knownRegistries().byName.keys()];
