/** Reads attributes in a reader thread. */
import { matchAttributeFilters } from './attribute-filters.ts';

export const readerTasks = { filters: matchAttributeFilters };
