/** Reads attributes in a reader thread. */
import { matchAttributeFilters } from './attribute-filters.ts';

export const tasks = { filters: matchAttributeFilters };
