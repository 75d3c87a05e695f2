/** The databases that a ledger can lie in. */
export type DatabaseEngine = 'sqlite' | 'postgres';
