/** An eye for a repository: a ranked map of it, definitions by name, and syntax that an edit broke. */
export { mapRepository, type MappedTree } from './map-repository.ts';
export { findDefinitionAt, type Definition } from './outline-types.ts';
export { createSourceReader, type SourceReader } from './source-reader.ts';
