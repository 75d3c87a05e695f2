/** The databases that a ledger can lie in. */
export type Engine = 'sqlite' | 'postgres';
