/** Package managers: what they add, from which registries. */
export { dependencyChanges, namesDependencies } from './dependencies.ts';
export { packageUse } from './package-commands.ts';
export { knownRegistries } from './registries.ts';
