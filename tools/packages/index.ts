/** Package managers: what they add, from which registries. */
export { compareDependencies, isDependencyManifest } from './dependencies.ts';
export { classifyPackageUse } from './package-commands.ts';
export { knownRegistries } from './registries.ts';
